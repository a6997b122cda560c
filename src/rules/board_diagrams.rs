//! Boards drawn in tests, South at the bottom: as many lines of numbers as there are rows.
//!
//! The top line may begin with North's store or reserve and the bottom line end with South's, each at its owner's right.

use std::ops::ControlFlow;

use super::notation::{read_position, write_move, write_moves, write_position};
use super::trace::Recorder;
use super::{Child, Refusal, Rules};
use crate::units::{MoveText, OptionValues, Player, join_moves};

/// A drawn board under its rules.
pub struct Drawn<G: Rules> {
    pub rules: G,
    pub position: G::Position,
    pub mover: Player,
}

/// The game under options written as `NAME=VALUE`, separated by blanks.
pub fn under<G: Rules>(options: &str) -> G {
    let mut values = OptionValues::new(G::OPTIONS);
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("NAME=VALUE");
        values.set(name, value).expect("a rule option").expect("one of its values");
    }
    G::with_options(&values)
}

/// The token of a drawn board, `end` being the side to move and what follows it.
pub fn token<G: Rules>(picture: &str, end: &str) -> String {
    let lines = picture.lines().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    let mut rows: Vec<Vec<String>> = lines.filter(|row| !row.is_empty()).collect();
    let (count, columns) = (2 * G::LAYOUT.rows, G::LAYOUT.pits / G::LAYOUT.rows);
    assert_eq!(rows.len(), count, "a line a row:\n{picture}");
    let north = if rows[0].len() > columns { rows[0].remove(0) } else { "0".to_owned() };
    let south = if rows[count - 1].len() > columns { rows[count - 1].pop() } else { None };
    // North's pits run from right to left and its rows from the bottom to the top.
    let (upper, lower) = rows.split_at(count / 2);
    let north_pits = upper.iter().rev().flat_map(|row| row.iter().rev());
    let mut fields: Vec<&str> = lower.iter().flatten().chain(north_pits).map(String::as_str).collect();
    fields.extend([south.as_deref().unwrap_or("0"), &north, end]);
    fields.join("-")
}

impl<G: Rules> Drawn<G> {
    /// The board of a token.
    pub fn read(options: &str, token: &str) -> Drawn<G> {
        let rules = under::<G>(options);
        let (position, mover) = read_position(&rules, token).unwrap_or_else(|error| panic!("{token}: {error}"));
        Drawn { rules, position, mover }
    }

    /// A drawn board with South to move.
    pub fn south(options: &str, picture: &str) -> Drawn<G> {
        Drawn::read(options, &token::<G>(picture, "S"))
    }

    /// The legal moves in writing.
    pub fn moves(&self) -> String {
        join_moves(&write_moves(&self.rules, &self.position, self.mover), " ")
    }

    /// Plays a letter: the position after it, and what the turn did.
    pub fn try_play(&self, letter: char) -> Result<(Drawn<G>, Child<G::Position>), Refusal> {
        let text = MoveText::Sow { letter, split: false, signs: Vec::new() };
        let mv = self.rules.resolve(&self.position, &text)?;
        assert_eq!(write_move(&self.rules, &self.position, self.mover, mv), letter.to_string());
        let mut recorder = Recorder::default();
        let child = self.rules.play(&self.position, mv, &mut recorder);
        let found = self.rules.expand(&self.position, |other, child| {
            if other == mv { ControlFlow::Break(*child) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(found.break_value(), Some(child), "a move leads where the list of moves says");
        Ok((Drawn { rules: self.rules, position: child.position, mover: !self.mover }, child))
    }

    /// Plays a legal letter.
    pub fn play(&self, letter: char) -> Drawn<G> {
        self.try_play(letter).unwrap_or_else(|refusal| panic!("{letter}: {refusal}")).0
    }

    /// The steps of a legal letter, as they are told.
    pub fn trace(&self, letter: char) -> Vec<String> {
        let text = MoveText::Sow { letter, split: false, signs: Vec::new() };
        let mv = self.rules.resolve(&self.position, &text).unwrap_or_else(|refusal| panic!("{letter}: {refusal}"));
        let mut recorder = Recorder::default();
        self.rules.play(&self.position, mv, &mut recorder);
        recorder.lines(self.mover)
    }

    /// The position as its token.
    pub fn token(&self) -> String {
        write_position(&self.rules, &self.position, self.mover)
    }

    /// Holds the board against a drawn one.
    pub fn assert_is(&self, picture: &str) {
        let mover = match self.mover {
            Player::South => "S",
            Player::North => "N",
        };
        assert_eq!(self.token(), token::<G>(picture, mover));
    }

    /// What the judge of set-up positions says, as a result line.
    pub fn judged(&self) -> Option<String> {
        let reason = self.rules.terminal(&self.position)?;
        Some(self.rules.outcome(&self.position, reason).describe(self.mover))
    }
}
