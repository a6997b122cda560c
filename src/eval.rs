//! What a position is worth when the search may look no further.
//!
//! Each game has an evaluation written by hand: a plain sum of a few terms, with its weights in the file of the game. Wuri,
//! Urim and Kimasai also have a learned one, a small network whose weights are a file in `weights`; it holds for the ruleset that it was trained on,
//! and the one by hand for all others. A learned evaluation knows whose turn it is, so the two players need not see the same worth.

pub mod arrangements;
pub mod wdl;

mod kimasai;
mod net;
mod omweso;
mod urim;
mod wuri;

use crate::rules::Rules;
use arrangements::Bred;
use wdl::WdlModel;

/// An evaluation is never larger than this, so that every finished game outranks it.
pub const LARGEST: i32 = 20_000;

/// The parameters of the search that hang on the evaluation, in hundredths of a seed; the best of a few by games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchParams {
    /// Half the aspiration window.
    pub aspiration: i32,
    /// The margin of reverse futility pruning with no ply left.
    pub futility_margin: i32,
    /// What each ply adds to that margin.
    pub margin_per_ply: i32,
    /// The divisor of late move reductions: the product of the logarithms to base 2 of depth and move number, in 256ths, that is worth
    /// a ply. The better an evaluation orders moves, the lower it may be.
    pub lmr_divisor: u32,
}

impl SearchParams {
    /// Good for most games.
    pub const DEFAULT: SearchParams =
        SearchParams { aspiration: 60, futility_margin: 50, margin_per_ply: 100, lmr_divisor: 426 };
}

/// A game that can be searched.
pub trait Evaluate: Rules {
    /// How far the search relies on what is said of a position.
    const SEARCH_PARAMS: SearchParams = SearchParams::DEFAULT;

    /// How the chances follow from a score; fitted to games of the engine against itself.
    const WDL: WdlModel;

    /// An unfinished position in hundredths of a seed, seen by the player to move.
    ///
    /// It is at most [`LARGEST`] either way and agrees with [`Rules::result_bounds`]: never above 0 where the mover cannot win any
    /// more, never below 0 where he cannot lose. The search cuts off by the result bounds and so relies on it.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// Good arrangements of the seeds under these rules, as far as any are known.
    fn arrangements(&self) -> Bred {
        Bred::default()
    }
}

/// An evaluation in steps of so many hundredths of a seed. What makes no difference is not searched for, so trees are smaller.
#[inline(always)]
pub(crate) fn in_steps(value: i32, step: i32) -> i32 {
    // Half steps go away from 0, so that a loss is what the win is to the other side.
    (value + value.signum() * (step / 2)) / step * step
}

/// An evaluation held within what can still come of the game.
#[inline(always)]
pub(crate) fn within_result_bounds(value: i32, (worst, best): (i8, i8)) -> i32 {
    let lowest = if worst < 0 { -LARGEST } else { 0 };
    let highest = if best > 0 { LARGEST } else { 0 };
    // Not `clamp`, which panics where the bounds cross.
    value.max(lowest).min(highest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_nearest_and_the_same_for_both_sides() {
        for (value, step, wanted) in [(0, 25, 0), (12, 25, 0), (13, 25, 25), (60, 50, 50), (75, 50, 100), (7, 1, 7)] {
            assert_eq!(
                (in_steps(value, step), in_steps(-value, step)),
                (wanted, -wanted),
                "{value} in steps of {step}"
            );
        }
    }
}
