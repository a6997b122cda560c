//! What a search tells while it runs and when it ends.

use std::time::Duration;

use crate::units::{Bound, Depth, Nodes, ScoreValue};

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
    /// Moves made so far.
    pub nodes: Nodes,
    /// Time since the search was asked for.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u16,
    /// Positions found in a tablebase.
    pub tbhits: u64,
    /// The moves as text, the first one to be played. Empty where there is no legal move.
    pub pv: Vec<String>,
}

/// What a search sends to whoever asked for it.
///
/// There is at least one report before the end, and with legal moves it has a move, unless the search panicked before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line after each completed iteration, one for each rank; and in the middle of one when another move is best now.
    Report(Report),
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
        /// It ended by an error of the engine; the last report is all that is known.
        panicked: bool,
    },
}
