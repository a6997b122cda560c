//! How far a search may go, and how much time a move may take.

use std::time::Duration;

use crate::rules::Move;
use crate::units::{Depth, Nodes};

/// The limits that a search counts itself; the first that is reached ends it. Time is kept by [`super::stop::StopHandle`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// No iteration deeper than this.
    pub depth: Option<Depth>,
    /// Exactly so many made moves, unless there is nothing left to search before.
    pub nodes: Option<Nodes>,
    /// A win within so many plies is enough. It also ends the search after the iteration that shows that there is none.
    pub win_within: Option<Depth>,
    /// Only these moves at the root; empty for all.
    pub search_moves: Vec<Move>,
}

/// How long a move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBudget {
    /// No new iteration is begun after this.
    pub soft: Duration,
    /// The move must be out after this.
    pub hard: Duration,
}

/// The least that a move is given.
const LEAST: Duration = Duration::from_millis(1);
/// Moves that a game still has to last for where nobody says how many: a game of Wuri takes 30 to 50 of each side.
const MOVES_AHEAD: u32 = 30;

/// Shares out a clock. Neither limit is more than the clock less the overhead, nor less than a millisecond.
///
/// Without `moves_to_go` the game is taken to last some thirty moves more, whenever it is asked, so the share shrinks with the
/// clock and never runs out.
pub fn budget(clock: Duration, increment: Duration, moves_to_go: Option<u32>, overhead: Duration) -> TimeBudget {
    let moves = moves_to_go.map_or(MOVES_AHEAD, |moves| moves.clamp(1, MOVES_AHEAD));
    // Each move before the control costs its own overhead.
    let available = clock.saturating_sub(overhead * moves.min(5)).max(clock.saturating_sub(overhead) / 2);
    let share = available / moves + increment * 3 / 4;
    // The last move before a control may use all; otherwise something is kept for the moves after this one.
    let most = if moves == 1 { available } else { available * 3 / 5 };
    let within = |wanted: Duration| wanted.min(most).max(LEAST);
    // An iteration takes two to three times as long as the one before, so the mean use is near the share itself.
    TimeBudget { soft: within(share * 3 / 5), hard: within(share * 3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_budget_is_never_more_than_the_clock_less_the_overhead() {
        for clock in [0, 1, 9, 10, 11, 50, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 20, 1000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 10, 5000] {
                        let budget = budget(ms(clock), ms(increment), moves, ms(overhead));
                        let most = ms(clock).saturating_sub(ms(overhead)).max(LEAST);
                        assert!(budget.soft <= budget.hard, "{budget:?}");
                        assert!(budget.hard <= most, "{budget:?} of {clock} + {increment}, {moves:?}, {overhead}");
                        assert!(budget.soft >= LEAST, "{budget:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_of_a_second_with_twenty_milliseconds_a_move_lasts() {
        let (mut clock, increment, overhead) = (ms(1000), ms(20), ms(10));
        for _ in 0..500 {
            let budget = budget(clock, increment, None, overhead);
            // The worst case of a move: all of its time and the overhead.
            let spent = budget.hard + overhead;
            assert!(spent <= clock, "{budget:?} at {clock:?}");
            clock = clock - spent + increment;
        }
    }

    #[test]
    fn sudden_death_is_shared_out_and_a_control_is_used_up() {
        let sudden = budget(ms(60_000), ms(0), None, ms(10));
        assert!(sudden.soft >= ms(1000) && sudden.hard <= ms(10_000), "{sudden:?}");
        let last = budget(ms(60_000), ms(0), Some(1), ms(10));
        assert!(last.soft >= ms(30_000) && last.hard >= ms(59_000), "{last:?}");
    }

    #[test]
    fn an_empty_clock_still_gives_a_move() {
        let none = budget(ms(0), ms(0), None, ms(10));
        assert_eq!((none.soft, none.hard), (LEAST, LEAST));
    }
}
