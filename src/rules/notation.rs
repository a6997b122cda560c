//! Position text and move text, both ways. Here alone the board has a South and a North.

use std::fmt::Write as _;

use super::{Move, Refusal, Rules, legal_moves};
use crate::units::{MoveText, PerPlayer, PerSeat, Pit, Player};

/// How the position text of a game is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenLayout {
    /// Pits a side.
    pub pits: usize,
    /// Rows a side, the inner one first in letter order.
    pub rows: usize,
    /// What X and Y of the token count, in the plural.
    pub extra: &'static str,
    /// The largest mark of the first turns, if the game has one (PLY of the token).
    pub largest_mark: Option<u8>,
}

/// A position as the numbers of its token, by seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fields {
    /// The pits in letter order; only as many count as the layout says.
    pub pits: PerSeat<[u8; 16]>,
    /// X and Y: stores, or counts of capturing turns.
    pub extra: PerSeat<u8>,
    /// PLY.
    pub mark: Option<u8>,
}

/// Why a token is no position of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// A text of PlayStrategy that is none, or not of this game.
    #[error("position {part} `{text}`: wanted {wanted}")]
    Foreign {
        /// Which part of it.
        part: &'static str,
        /// What stands there.
        text: String,
        /// What should.
        wanted: &'static str,
    },
    /// Too few or too many fields.
    #[error("position has {found} fields: wanted {wanted}")]
    FieldCount {
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: String,
    },
    /// Something else where a number should be.
    #[error("position field {index} `{text}`: wanted a number from 0 to {largest}")]
    NoNumber {
        /// Counted from 1.
        index: usize,
        /// What stands there.
        text: String,
        /// The largest number that can stand there.
        largest: u8,
    },
    /// Neither `S` nor `N`.
    #[error("position field {index} `{text}`: wanted the side to move, S or N")]
    NoSide {
        /// Counted from 1.
        index: usize,
        /// What stands there.
        text: String,
    },
    /// A number that this game cannot have there.
    #[error("position has {found} as {what}: the largest is {largest}")]
    TooLarge {
        /// What the number counts.
        what: &'static str,
        /// The number.
        found: u8,
        /// The largest that can be.
        largest: u8,
    },
    /// One side is to lay out its seeds, and the other has some but not its own (O3).
    #[error("position has {found} seeds: while seeds are arranged a side has 0 or 32")]
    Arranging {
        /// How many there are.
        found: u32,
    },
    /// The seeds do not add up.
    #[error("position has {found} seeds: wanted {wanted}")]
    Total {
        /// How many there are.
        found: u32,
        /// How many the game has.
        wanted: u32,
    },
}

/// The most characters of a bad field that an error repeats.
const QUOTED: usize = 24;

/// The beginning of a text, made fit to be shown.
pub(super) fn quote(text: &str) -> String {
    text.chars().take(QUOTED).flat_map(char::escape_default).collect()
}

fn number(index: usize, text: &str, largest: u8) -> Result<u8, PositionError> {
    // Digits only: the standard parser would take a plus sign as well.
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&value| plain && value <= largest).ok_or_else(|| PositionError::NoNumber {
        index: index + 1,
        text: quote(text),
        largest,
    })
}

/// Reads a position token, or a text of another program that the game [knows](Rules::token_of).
///
/// # Errors
/// What was read and what was wanted, when the token is no position of this game.
pub fn read_position<G: Rules>(rules: &G, token: &str) -> Result<(G::Position, Player), PositionError> {
    if token.contains('/') {
        let (part, wanted) = ("text", "a token, since a stroke stands in texts of Oware alone");
        let foreign = || PositionError::Foreign { part, text: quote(token), wanted };
        return read_position(rules, &G::token_of(token).ok_or_else(foreign)??);
    }
    let layout = G::LAYOUT;
    let fields: Vec<&str> = token.split('-').collect();
    let plain = 2 * layout.pits + 3;
    if fields.len() != plain && (layout.largest_mark.is_none() || fields.len() != plain + 1) {
        let optional = if layout.largest_mark.is_some() { format!(" or {}", plain + 1) } else { String::new() };
        return Err(PositionError::FieldCount { found: fields.len(), wanted: format!("{plain}{optional}") });
    }
    let mover = match fields[plain - 1] {
        "S" => Player::South,
        "N" => Player::North,
        other => return Err(PositionError::NoSide { index: plain, text: quote(other) }),
    };
    let mut numbers = [0; 34];
    for (index, text) in fields[..plain - 1].iter().enumerate() {
        numbers[index] = number(index, text, u8::MAX)?;
    }
    let mark = match (fields.get(plain), layout.largest_mark) {
        (Some(text), Some(largest)) => Some(number(plain, text, largest)?),
        _ => None,
    };
    let row = |from: usize| {
        let mut pits = [0; 16];
        pits[..layout.pits].copy_from_slice(&numbers[from..from + layout.pits]);
        pits
    };
    let pits = PerPlayer { south: row(0), north: row(layout.pits) }.by_seat(mover);
    let extra = PerPlayer { south: numbers[plain - 3], north: numbers[plain - 2] }.by_seat(mover);
    Ok((rules.assemble(&Fields { pits, extra, mark })?, mover))
}

/// Writes a position as its token.
pub fn write_position<G: Rules>(rules: &G, position: &G::Position, mover: Player) -> String {
    let fields = rules.fields(position);
    let pits = fields.pits.by_player(mover);
    let extra = fields.extra.by_player(mover);
    let mut token = String::with_capacity(80);
    let rows = pits.south[..G::LAYOUT.pits].iter().chain(&pits.north[..G::LAYOUT.pits]);
    for number in rows.chain([&extra.south, &extra.north]) {
        write!(token, "{number}-").expect("a string takes all");
    }
    token.push(match mover {
        Player::South => 'S',
        Player::North => 'N',
    });
    if let Some(mark) = fields.mark {
        write!(token, "-{mark}").expect("a string takes all");
    }
    token
}

/// A move of a position as its player writes it.
pub fn write_move<G: Rules>(rules: &G, position: &G::Position, mover: Player, mv: Move) -> MoveText {
    let (letter, signs) = (mv.pit().letter(mover), rules.signs(position, mv));
    MoveText::Sow { letter, split: mv.is_split(), signs }
}

/// All legal moves of an unfinished position in canonical order, as their player writes them.
pub fn write_moves<G: Rules>(rules: &G, position: &G::Position, mover: Player) -> Vec<MoveText> {
    legal_moves(rules, position).into_iter().map(|mv| write_move(rules, position, mover, mv)).collect()
}

/// The pit that a written letter means, on a board with `pits` pits a side. The side to move decides, so either case is read.
///
/// # Errors
/// Which letters there are.
pub fn pit_of(letter: char, pits: u8) -> Result<Pit, Refusal> {
    let player = if letter.is_ascii_lowercase() { Player::North } else { Player::South };
    Pit::from_letter(letter)
        .filter(|pit| pit.0 < pits)
        .ok_or(Refusal::NoSuchPit { first: Pit(0).letter(player), last: Pit(pits - 1).letter(player) })
}

/// The pit of a move that is a letter and nothing more.
///
/// # Errors
/// What else it has, or that its letter is not on the board.
pub fn plain_pit(text: &MoveText, pits: u8) -> Result<Pit, Refusal> {
    match text {
        MoveText::Null => Err(Refusal::WrongKind("it is no move")),
        MoveText::Arrange(_) => Err(Refusal::WrongKind("nothing is arranged here")),
        MoveText::Sow { split: true, .. } => Err(Refusal::WrongKind("only Omweso has `*`")),
        MoveText::Sow { signs, .. } if !signs.is_empty() => Err(Refusal::WrongKind("only Omweso has signs")),
        MoveText::Sow { letter, .. } => pit_of(*letter, pits),
    }
}
