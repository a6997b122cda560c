//! What a search tells while it runs and when it ends.

use std::time::Duration;

use crate::units::{Bound, Depth, MoveText, Nodes, ScoreValue};

/// One line that the search thinks best, as of now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Plies of the iteration that found it; 0 where nothing was searched.
    pub depth: Depth,
    /// The longest line that was looked at, in plies.
    pub seldepth: Depth,
    /// Its rank among the lines of this iteration, from 1.
    pub multipv: u32,
    /// What it is worth to the player to move at the root.
    pub score: ScoreValue,
    /// Whether it is worth just that, or at least or at most that.
    pub bound: Bound,
    /// No evaluation went into the score, so a deeper search would find the same.
    pub proven: bool,
    /// Moves made so far.
    pub nodes: Nodes,
    /// Time since the search was asked for.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u16,
    /// Positions found in a tablebase.
    pub tbhits: u64,
    /// The moves, the first one to be played. Empty where there is no legal move.
    pub pv: Vec<MoveText>,
}

/// What a search sends to whoever asked for it.
///
/// There is at least one line before the end, and with legal moves it has a move, unless the search panicked before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The lines of each completed iteration, one for each rank, the best first; and in the middle of one a single line when another
    /// move is best now. Together, so that nobody answers from a part of them.
    Lines(Vec<Report>),
    /// The search is over, and nothing follows.
    Finished {
        /// Moves made in all.
        nodes: Nodes,
        /// Time since the search was asked for.
        time: Duration,
        /// The longest line that was looked at, in plies.
        seldepth: Depth,
        /// How full the table is, in thousandths.
        hashfull: u16,
        /// Why it ended.
        why: End,
    },
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// There is no move to search.
    NoMove,
    /// The last iteration that was wanted is complete.
    Depth,
    /// The moves that it may make are made.
    Nodes,
    /// The wanted win was found, or that there is none within its limit.
    WinWithin,
    /// Nothing deeper could change what was found.
    Proven,
    /// There is nothing to choose, and a clock runs.
    OnlyMove,
    /// The time is over in which an iteration may begin.
    SoftDeadline,
    /// It was told to end, or its answer was given without it.
    Stopped,
    /// An error of the engine; the last report is all that is known.
    Panicked,
}

impl End {
    /// The reason in words.
    pub const fn words(self) -> &'static str {
        match self {
            End::NoMove => "no move",
            End::Depth => "depth",
            End::Nodes => "nodes",
            End::WinWithin => "mate",
            End::Proven => "settled",
            End::OnlyMove => "only move",
            End::SoftDeadline => "soft deadline",
            End::Stopped => "stop",
            End::Panicked => "failure",
        }
    }
}
