//! The rule books played by hand: boards of plain numbers, moved seed by seed, with nothing in common with the engine.
//!
//! Each ruling can be got wrong on purpose ([`Mutant`]), so that a test can be seen to turn red.

#![allow(dead_code, reason = "each test takes what it needs")]

mod four_rows;
mod kimasai;
mod mutant;
mod omweso;
mod referee;
mod rules;
mod two_rows;

pub use mutant::Mutant;
pub use referee::HandTable;
pub use rules::{ByHand, Engine, Rules, Table};

use empiki::units::Variant;

/// The numbers of a token by player: South's, then North's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The pits in letter order.
    pub pits: [Vec<usize>; 2],
    /// Stores, counts of capturing turns, or reserves.
    pub extra: [usize; 2],
    /// Who is to move: 0 for South.
    pub mover: usize,
    /// PLY of the token.
    pub mark: Option<usize>,
}

impl Board {
    /// The board as the protocol writes it.
    pub fn token(&self) -> String {
        let numbers = self.pits.iter().flatten().chain(&self.extra);
        let fields: Vec<String> = numbers.map(usize::to_string).collect();
        let mark = self.mark.map(|mark| format!("-{mark}")).unwrap_or_default();
        format!("{}-{}{mark}", fields.join("-"), ["S", "N"][self.mover])
    }

    /// The board of a token with so many pits a side.
    pub fn read(token: &str, pits: usize) -> Option<Board> {
        let fields: Vec<&str> = token.split('-').collect();
        let numbers: Vec<usize> = fields.get(..2 * pits + 2)?.iter().filter_map(|field| field.parse().ok()).collect();
        let mover = ["S", "N"].iter().position(|side| fields.get(2 * pits + 2) == Some(side))?;
        Some(Board {
            pits: [numbers.get(..pits)?.to_vec(), numbers.get(pits..2 * pits)?.to_vec()],
            extra: [*numbers.get(2 * pits)?, *numbers.get(2 * pits + 1)?],
            mover,
            mark: fields.get(2 * pits + 3).and_then(|mark| mark.parse().ok()),
        })
    }

    /// A pit of the player to move as it is written.
    pub fn letter(&self, pit: usize) -> char {
        char::from([b'A', b'a'][self.mover] + u8::try_from(pit).expect("a letter"))
    }

    /// The seeds in a player's pits.
    pub fn row(&self, player: usize) -> usize {
        self.pits[player].iter().sum()
    }
}

/// One turn and what the referee looks at.
#[derive(Clone, Debug)]
pub struct Turn {
    /// As it is written.
    pub name: String,
    /// The board after it.
    pub after: Board,
    /// The counts of repetition and quiet plies begin anew (G4, K12).
    pub irreversible: bool,
    /// It captured.
    pub captures: bool,
    /// The turn itself ended the game, for this reason.
    pub end: Option<&'static str>,
}

/// The rule book of a variant under its house rules, perhaps with one rule got wrong.
#[derive(Clone, Debug)]
pub struct Book {
    /// The game.
    pub variant: Variant,
    house: Vec<(String, String)>,
    mutant: Option<Mutant>,
}

impl Book {
    /// The rule book under options written as `NAME=VALUE`, separated by blanks.
    pub fn new(variant: Variant, options: &str, mutant: Option<Mutant>) -> Book {
        let pairs = options.split_whitespace().map(|option| option.split_once('=').expect("NAME=VALUE"));
        Book { variant, house: pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(), mutant }
    }

    /// Whether this is the rule that the book gets wrong.
    pub fn errs(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// The value of an option, named without its game.
    fn house(&self, name: &str, default: &'static str) -> &str {
        let found = self.house.iter().find(|(option, _)| option.split_once('_').is_some_and(|(_, rest)| rest == name));
        found.map_or(default, |(_, value)| value)
    }

    fn number(&self, name: &str, default: &'static str) -> usize {
        self.house(name, default).parse().expect("a number")
    }

    /// Pits a side.
    pub fn pits(&self) -> usize {
        match self.variant {
            Variant::Wuri | Variant::Urim => 6,
            Variant::Urim7 => 7,
            Variant::Omweso | Variant::Kimasai => 16,
        }
    }

    /// The first position.
    pub fn start(&self) -> Board {
        match self.variant {
            Variant::Omweso => omweso::start(self),
            Variant::Kimasai => kimasai::start(self),
            _ => two_rows::start(self),
        }
    }

    /// The laps of the cycle that a turn comes to which is not over at the lap limit, if it does within so many laps
    /// more. The turn is written as it is listed; on four rows.
    pub fn cycle(&self, board: &Board, written: &str, most: usize) -> Option<usize> {
        let pit = (0..self.pits()).find(|&pit| written.starts_with(board.letter(pit))).expect("a letter of the board");
        let signs: Vec<bool> = written[1..].chars().map(|sign| sign == '<').collect();
        match self.variant {
            Variant::Omweso => omweso::cycle(self, board, pit, &signs, most),
            _ => kimasai::cycle(self, board, pit, most),
        }
    }

    /// Every legal turn of an unfinished position, in canonical order.
    pub fn turns(&self, board: &Board) -> Vec<Turn> {
        let mut turns = match self.variant {
            Variant::Omweso => omweso::turns(self, board),
            Variant::Kimasai => kimasai::turns(self, board),
            _ => two_rows::turns(self, board),
        };
        if self.errs(Mutant::MustCapture) && turns.iter().any(|turn| turn.captures) {
            turns.retain(|turn| turn.captures);
        }
        turns
    }
}
