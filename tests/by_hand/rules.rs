//! What a test can ask of any set of rules: the engine's, or those played by hand.

use empiki::engine::game::{self, Game};
use empiki::units::{MoveText, Variant};

use super::{Book, HandTable, Mutant};
use crate::common::{option_values, written};

/// A set of rules under which a game can be opened.
pub trait Rules {
    /// A game under options written as `NAME=VALUE`, separated by blanks.
    fn open(&self, variant: Variant, options: &str) -> Box<dyn Table>;
}

/// A game on the table.
pub trait Table {
    /// Sets up a position, the start without a token; tells whether it could be.
    fn set_up(&mut self, token: Option<&str>) -> bool;
    /// Plays a written move; tells whether it was legal.
    fn play(&mut self, mv: &str) -> bool;
    /// The position as its token.
    fn token(&self) -> String;
    /// The legal moves, separated by blanks.
    fn moves(&self) -> String;
    /// `none`, or how the game ended.
    fn result(&self) -> String;
}

/// The engine's rules.
pub struct Engine;

impl Rules for Engine {
    fn open(&self, variant: Variant, options: &str) -> Box<dyn Table> {
        const CAP: &str = "Omweso_ArrangementCap=";
        let (caps, options): (Vec<&str>, Vec<&str>) =
            options.split_whitespace().partition(|option| option.starts_with(CAP));
        let mut game = game::open(variant, &option_values(variant, &options.join(" ")));
        let cap = caps.first().map_or(10, |cap| cap[CAP.len()..].parse().expect("a number"));
        game.limit_arrangements(cap);
        Box::new(OnTheTable(game))
    }
}

/// A written move of any kind.
fn read(mv: &str) -> MoveText {
    let Some(counts) = mv.strip_prefix('@') else { return written(mv) };
    let counts: Vec<u8> = counts.split('-').map(|count| count.parse().expect("a count")).collect();
    MoveText::Arrange(counts.try_into().expect("sixteen counts"))
}

/// The engine's game.
struct OnTheTable(Box<dyn Game>);

impl Table for OnTheTable {
    fn set_up(&mut self, token: Option<&str>) -> bool {
        self.0.set_up(token, &[]).is_ok()
    }

    fn play(&mut self, mv: &str) -> bool {
        self.0.play(&[read(mv)]).is_ok()
    }

    fn token(&self) -> String {
        self.0.token()
    }

    fn moves(&self) -> String {
        crate::common::legal_words(&*self.0).join(" ")
    }

    fn result(&self) -> String {
        self.0.outcome().map_or_else(|| "none".to_owned(), |outcome| outcome.describe(self.0.mover()))
    }
}

/// The rules played by hand: all of them right.
pub struct ByHand;

impl Rules for ByHand {
    fn open(&self, variant: Variant, options: &str) -> Box<dyn Table> {
        Box::new(HandTable::new(Book::new(variant, options, None)))
    }
}

impl Rules for Mutant {
    fn open(&self, variant: Variant, options: &str) -> Box<dyn Table> {
        Box::new(HandTable::new(Book::new(variant, options, Some(*self))))
    }
}
