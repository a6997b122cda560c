//! What a game is, and all that a search may ask of it.
//!
//! Boards are seen by the player to move; South and North exist in [`notation`] only. A position is a small `Copy` value
//! without a history: repetition and counts of plies live in [`history`].

pub mod arrangement;
#[cfg(test)]
mod board_diagrams;
pub mod diagram;
pub mod four_row;
pub mod history;
pub mod kimasai;
pub mod lanes;
pub mod notation;
pub mod omweso;
pub mod outcome;
pub mod perft;
pub mod playstrategy;
pub mod trace;
pub mod two_row;
pub mod urim;
pub mod wuri;

use std::fmt;
use std::ops::ControlFlow;

use crate::units::{Direction, Key, MoveText, OptionSpec, OptionValues, PerSeat, Phase, Pit, Variant};
use arrangement::Layout;
use history::DrawLimits;
use notation::{Fields, PositionError, TokenLayout};
use outcome::{Outcome, Reason};
use trace::Observer;

/// A game with its house rules chosen.
///
/// The value is small and `Copy`. The default house rules of a game are their own type, so that its hot path reads no option.
pub trait Rules: Copy + Send + Sync + 'static {
    /// The game.
    const VARIANT: Variant;
    /// Its rule options, in the order of the rule book.
    const OPTIONS: &'static [OptionSpec];
    /// Those of them that say how the game begins, and nothing of its turns.
    const OPENING_OPTIONS: &'static [&'static str] = &[];
    /// How its position text is laid out.
    const LAYOUT: TokenLayout;

    /// A board seen by the player to move, with what else the token shows.
    type Position: Copy + Eq + fmt::Debug + Send + Sync + 'static;

    /// The game under these values of [`Rules::OPTIONS`].
    fn with_options(options: &OptionValues) -> Self;

    /// The position that `startpos` means.
    fn start(&self) -> Self::Position;

    /// Plays every legal move of an unfinished position once, in canonical order, until `visit` breaks.
    fn expand<B>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Move, &Child<Self::Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Plays one move, telling `observer` each step of it.
    ///
    /// # Panics
    /// May panic if `mv` did not come from this position.
    fn play(&self, position: &Self::Position, mv: Move, observer: &mut impl Observer) -> Child<Self::Position>;

    /// Finds the move that was written.
    ///
    /// # Errors
    /// Why it is no legal move here.
    fn resolve(&self, position: &Self::Position, text: &MoveText) -> Result<Move, Refusal>;

    /// The directions that a move carries in writing, trailing counter-clockwise ones left out. None in most games.
    fn signs(&self, _position: &Self::Position, _mv: Move) -> Vec<Direction> {
        Vec::new()
    }

    /// How many legal moves an unfinished position has.
    fn count_moves(&self, position: &Self::Position) -> u64 {
        let mut count = 0;
        let _ = self.expand(position, |_, _| -> ControlFlow<()> {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether an unfinished position has a legal move.
    fn has_move(&self, position: &Self::Position) -> bool {
        self.expand(position, |_, _| ControlFlow::Break(())).is_break()
    }

    /// Whether the player to move is to lay out his seeds (O3). Such a position has no moves to list.
    fn is_arranging(&self, _position: &Self::Position) -> bool {
        false
    }

    /// The position in which the player to move has laid out his seeds like this; the other one is to move in it.
    ///
    /// The layout must be lawful; see [`arrangement::check`].
    ///
    /// # Errors
    /// If there is nothing to arrange.
    fn arrange(&self, _position: &Self::Position, _layout: &Layout) -> Result<Self::Position, Refusal> {
        Err(Refusal::WrongKind("nothing is arranged here"))
    }

    /// What kind of turn an unfinished position calls for.
    fn phase(&self, position: &Self::Position) -> Phase {
        if self.is_arranging(position) { Phase::Arrange } else { Phase::Sow }
    }

    /// What a set-up position is judged to be by what its token shows (G5).
    fn terminal(&self, position: &Self::Position) -> Option<Reason>;

    /// What a game is worth that ended in this position for this reason, seen by the player to move in it.
    fn outcome(&self, position: &Self::Position, reason: Reason) -> Outcome;

    /// The worst and the best [`Outcome::balance`] that the player to move can still reach from here.
    fn result_bounds(&self, position: &Self::Position) -> (i8, i8);

    /// When a game is drawn or ended by repetition and by counts of plies.
    fn draw_limits(&self) -> DrawLimits;

    /// The legal moves of an unfinished position and those that are not legal only because their sowing never ends
    /// (O13a, O15a, K11), in canonical order.
    fn sowings(&self, position: &Self::Position) -> Vec<Move> {
        legal_moves(self, position)
    }

    /// A hash of all that matters for the future of the game.
    fn key(&self, position: &Self::Position) -> Key;

    /// A hash of what makes two positions the same for repetition (G4), sides to move being equal.
    fn repetition_key(&self, position: &Self::Position) -> Key;

    /// The position as the numbers of its token.
    fn fields(&self, position: &Self::Position) -> Fields;

    /// The token of a position that another program has written in its own way, if the game knows such texts; they have a stroke. Most
    /// games know none.
    fn token_of(_text: &str) -> Option<Result<String, PositionError>> {
        None
    }

    /// The position with these numbers.
    ///
    /// # Errors
    /// What the token has that this game cannot have.
    fn assemble(&self, fields: &Fields) -> Result<Self::Position, PositionError>;

    /// The pit and the seeds that a move lifts first: what killers and history go by.
    fn origin(&self, position: &Self::Position, mv: Move) -> Origin;
}

/// The first lift of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Where it starts.
    pub pit: Pit,
    /// How many seeds are in the hand.
    pub seeds: u8,
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Child<P> {
    /// The position after it, seen by the player who is to move then.
    pub position: P,
    /// The seeds that it captured.
    pub captured: u8,
    /// The counts of repetition and quiet plies begin anew with this position (G4).
    pub irreversible: bool,
    /// Why the game is over, where the turn itself ended it. A missing move, repetition and counts are not looked at.
    pub end: Option<Reason>,
}

/// A legal move in four bytes: its pit, its kind and its place among the moves of that pit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u32);

impl Move {
    const SPLIT: u32 = 1 << 4;
    const REVERSED: u32 = 1 << 5;
    const ORDINAL_SHIFT: u32 = 8;

    /// The largest ordinal that a move can carry.
    pub const MAX_ORDINAL: u32 = (1 << 24) - 1;

    /// The plain move from a pit: without a sign.
    pub const fn plain(pit: Pit) -> Move {
        Move(pit.0 as u32)
    }

    /// The okwesera of a pit (O14).
    pub const fn split(pit: Pit) -> Move {
        Move(pit.0 as u32 | Move::SPLIT)
    }

    /// A move with signs: the `ordinal`-th line of its pit, the plain one being line 0; `first` is its first sign.
    pub const fn line(pit: Pit, ordinal: u32, first: Direction) -> Move {
        let reversed = match first {
            Direction::Clockwise => Move::REVERSED,
            Direction::CounterClockwise => 0,
        };
        Move(pit.0 as u32 | reversed | ordinal << Move::ORDINAL_SHIFT)
    }

    /// Where the move starts.
    pub const fn pit(self) -> Pit {
        Pit((self.0 & 15) as u8)
    }

    /// Whether it is okwesera.
    pub const fn is_split(self) -> bool {
        self.0 & Move::SPLIT != 0
    }

    /// Whether its first choice is the clockwise capture.
    pub const fn is_reversed(self) -> bool {
        self.0 & Move::REVERSED != 0
    }

    /// Its place among the lines of its pit in canonical order.
    pub const fn ordinal(self) -> u32 {
        self.0 >> Move::ORDINAL_SHIFT
    }

    /// The move as a number, for a table.
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The move of [`Move::to_bits`].
    pub const fn from_bits(bits: u32) -> Move {
        Move(bits)
    }
}

/// Why a move that was written cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The letter is not on this board.
    #[error("pits are {first} to {last}")]
    NoSuchPit {
        /// The first letter, in the case that was written.
        first: char,
        /// The last one.
        last: char,
    },
    /// There is nothing to sow.
    #[error("the pit is empty")]
    Empty,
    /// A single seed may not start (O5).
    #[error("a single seed cannot start a turn")]
    Single,
    /// The opponent's row is empty and this does not reach it (W5).
    #[error("the opponent has no seeds and this move brings none")]
    MustFeed,
    /// A grand slam where the house rule forbids it (W4).
    #[error("it would capture every seed of the opponent")]
    GrandSlam,
    /// `*` where okwesera is not open (O14).
    #[error("okwesera is {0}")]
    NoSplit(&'static str),
    /// The sowing of this move has no end (O13a, O15a, K11).
    #[error("the sowing never ends")]
    NeverEnding(Move),
    /// A sign where there is no choice left (O10).
    #[error("no clockwise capture at sign {0}, so no choice")]
    NoChoice(usize),
    /// The text is of a kind that this game has not.
    #[error("{0}")]
    WrongKind(&'static str),
    /// An arrangement that breaks a rule (O3).
    #[error("{0}")]
    Arrangement(String),
    /// Something else than an arrangement where one is due (O3).
    #[error("seeds are to be arranged: wanted `@` and sixteen counts")]
    ToArrange,
    /// The game is over (G8).
    #[error("the game is over")]
    GameOver,
}

/// All legal moves of an unfinished position, in canonical order.
pub fn legal_moves<G: Rules>(rules: &G, position: &G::Position) -> Vec<Move> {
    let mut moves = Vec::new();
    let _ = rules.expand(position, |mv, _| -> ControlFlow<()> {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// The ruleset word: the variant and each rule option that is not at its default, as it stands in records and table headers.
pub fn ruleset(variant: Variant, options: &OptionValues) -> String {
    let mut word = variant.name().to_owned();
    for (spec, value) in options.iter().filter(|(spec, value)| **value != spec.default_value()) {
        word.push_str(&format!(";{}={}", short_name(spec), spec.write(value)));
    }
    word
}

/// The name of a rule option without its game, as it stands in the ruleset word.
pub fn short_name(spec: &OptionSpec) -> &'static str {
    spec.name.split_once('_').map_or(spec.name, |(_, name)| name)
}

/// The same value for both seats.
pub(crate) fn both<T: Copy>(value: T) -> PerSeat<T> {
    PerSeat { mover: value, other: value }
}
