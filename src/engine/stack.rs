//! The turns of a game since its set-up, and how each is played and judged.

use anyhow::{Context as _, Result};

use crate::rules::history::History;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::trace::Nobody;
use crate::rules::{Refusal, Rules, arrangement};
use crate::units::{MoveText, Player};

/// One position of a game with how the game stands in it.
#[derive(Clone, Copy)]
pub(super) struct StackEntry<P> {
    /// The position.
    pub position: P,
    /// How the game ended there, if it did.
    pub outcome: Option<Outcome>,
    /// The seeds captured by the turn that led here.
    pub captured: u8,
}

/// The positions since the set-up, with the keys that repetition goes by.
#[derive(Clone)]
pub(super) struct MoveStack<P> {
    /// Who was to move in the set-up position.
    starter: Player,
    entries: Vec<StackEntry<P>>,
    /// The keys of the positions.
    pub history: History,
}

impl<P: Copy> MoveStack<P> {
    pub(super) fn set_up<G: Rules<Position = P>>(rules: &G, position: P, starter: Player) -> MoveStack<P> {
        let outcome = rules.terminal(&position).map(|reason| rules.outcome(&position, reason));
        let history = History::new(rules.repetition_key(&position));
        MoveStack { starter, entries: vec![StackEntry { position, outcome, captured: 0 }], history }
    }

    pub(super) fn now(&self) -> StackEntry<P> {
        *self.entries.last().expect("the set-up position stays")
    }

    pub(super) fn mover(&self) -> Player {
        if self.entries.len() % 2 == 1 { self.starter } else { !self.starter }
    }

    /// Plays one move and judges what it leads to, in the order of G6.
    fn play<G: Rules<Position = P>>(&mut self, rules: &G, cap: u8, text: &MoveText) -> Result<(), Refusal> {
        let now = self.now();
        if now.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        if rules.is_arranging(&now.position) {
            return self.arrange(rules, cap, text);
        }
        let mv = rules.resolve(&now.position, text)?;
        let child = rules.play(&now.position, mv, &mut Nobody);
        self.history.push(rules.repetition_key(&child.position), child.irreversible);
        let reason = child
            .end
            .or_else(|| self.history.verdict(rules.draw_limits()).map(|verdict| verdict.reason))
            .or_else(|| (!rules.has_move(&child.position)).then_some(Reason::NoMove));
        let outcome = reason.map(|reason| rules.outcome(&child.position, reason));
        self.entries.push(StackEntry { position: child.position, outcome, captured: child.captured });
        Ok(())
    }

    /// Lays out the seeds of the player to move. This is no ply (O3): the history begins with what it leads to.
    fn arrange<G: Rules<Position = P>>(&mut self, rules: &G, cap: u8, text: &MoveText) -> Result<(), Refusal> {
        let position = arranged(rules, &self.now().position, cap, text)?;
        self.history = History::new(rules.repetition_key(&position));
        let outcome = rules.terminal(&position).map(|reason| rules.outcome(&position, reason));
        self.entries.push(StackEntry { position, outcome, captured: 0 });
        Ok(())
    }

    /// Plays a list of moves; after an error the game is somewhere in between.
    pub(super) fn play_all<G: Rules<Position = P>>(&mut self, rules: &G, cap: u8, moves: &[MoveText]) -> Result<()> {
        moves.iter().enumerate().try_for_each(|(index, text)| {
            self.play(rules, cap, text).with_context(|| format!("move {} `{text}`", index + 1))
        })
    }

    /// Takes turns back, arrangements too.
    pub(super) fn undo<G: Rules<Position = P>>(&mut self, rules: &G, turns: usize) {
        for _ in 0..turns {
            self.entries.pop();
            if self.history.plies() > 0 {
                self.history.pop();
            } else {
                self.history = History::new(rules.repetition_key(&self.now().position));
            }
        }
    }

    /// Turns since the set-up, arrangements counted.
    pub(super) fn turns(&self) -> usize {
        self.entries.len() - 1
    }
}

/// The position after an arrangement that was written.
pub(super) fn arranged<G: Rules>(
    rules: &G,
    position: &G::Position,
    cap: u8,
    text: &MoveText,
) -> Result<G::Position, Refusal> {
    let MoveText::Arrange(layout) = text else { return Err(Refusal::ToArrange) };
    arrangement::check(layout, cap)?;
    rules.arrange(position, layout)
}
