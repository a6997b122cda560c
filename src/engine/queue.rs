//! The lines that wait for their turn.

use std::collections::VecDeque;
use std::time::Instant;

use super::answers;
use super::line_reader::Ticket;
use crate::protocol::{Command, Reply};

/// How many lines may wait; the next ones are left unread, or refused where only a line could make room.
pub const MOST_LINES: usize = 1 << 16;
/// How many bytes the waiting lines may have had.
pub const MOST_BYTES: usize = 8 << 20;

/// A line that waits for its turn.
pub struct Waiting {
    /// What is to be done about it.
    pub line: Line,
    /// Its number if it is a job, else 0.
    pub ticket: Ticket,
    /// When it was read.
    pub arrived: Instant,
    /// How long it was, in bytes.
    pub size: usize,
}

/// What is to be done about a line.
pub enum Line {
    /// It is carried out.
    Command(Command),
    /// It could not be read, which is said in its turn: an answer in the midst of others would seem to be about them.
    Error(Reply),
}

impl Waiting {
    /// Whether it changes nothing and starts nothing.
    pub fn is_question(&self) -> bool {
        match &self.line {
            Line::Command(command) => answers::is_question(command),
            Line::Error(_) => true,
        }
    }

    /// Whether it is carried out even after a `quit`: a search, or a position that one of them may need.
    fn outlives_quit(&self) -> bool {
        matches!(
            self.line,
            Line::Command(
                Command::Go(_) | Command::Position { .. } | Command::Load { .. } | Command::Moves(_) | Command::Undo(_)
            )
        )
    }
}

/// The lines that wait, in the order read, with the room that they take.
#[derive(Default)]
pub struct Queue {
    lines: VecDeque<Waiting>,
    bytes: usize,
}

impl Queue {
    /// Whether no line waits.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether there is no room for another line.
    pub fn is_full(&self) -> bool {
        self.lines.len() >= MOST_LINES || self.bytes >= MOST_BYTES
    }

    /// The line whose turn is next.
    pub fn front(&self) -> Option<&Waiting> {
        self.lines.front()
    }

    /// Lets a line wait.
    pub fn push(&mut self, waiting: Waiting) {
        self.bytes += waiting.size;
        self.lines.push_back(waiting);
    }

    /// Takes the line whose turn is next.
    pub fn pop(&mut self) -> Option<Waiting> {
        let waiting = self.lines.pop_front()?;
        self.bytes -= waiting.size;
        Some(waiting)
    }

    /// Takes all questions, in their order; the other lines stay.
    pub fn take_questions(&mut self) -> Vec<Waiting> {
        let (questions, rest): (Vec<Waiting>, Vec<Waiting>) = self.lines.drain(..).partition(Waiting::is_question);
        self.keep(rest.into());
        questions
    }

    /// Drops what a `quit` leaves undone.
    pub fn drop_for_quit(&mut self) {
        let rest = self.lines.drain(..).filter(Waiting::outlives_quit).collect();
        self.keep(rest);
    }

    fn keep(&mut self, lines: VecDeque<Waiting>) {
        self.bytes = lines.iter().map(|waiting| waiting.size).sum();
        self.lines = lines;
    }

    /// `ponderhit` for a search that still waits: it becomes one that never pondered. A second one means nothing.
    pub fn ponder_hit(&mut self, ticket: Ticket, arrived: Instant) {
        for waiting in self.lines.iter_mut().filter(|waiting| waiting.ticket == ticket) {
            match &mut waiting.line {
                Line::Command(Command::Go(go)) if go.ponder => {
                    go.ponder = false;
                    waiting.arrived = arrived;
                }
                _ => {}
            }
        }
    }
}
