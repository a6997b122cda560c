//! What a position is worth when the search may look no further.
//!
//! An evaluation is a plain sum of a few terms, with its weights as data in the file of its game.

pub mod chances;

mod kimasai;
mod omweso;
mod urim;
mod wuri;

use crate::rules::Rules;
use chances::Chances;

/// An evaluation is never larger than this, so that every finished game outranks it.
pub const LARGEST: i32 = 20_000;

/// A game that can be searched.
pub trait Evaluate: Rules {
    /// How the chances follow from a score; fitted to games of the engine against itself.
    const CHANCES: Chances;

    /// An unfinished position in hundredths of a seed, seen by the player to move.
    ///
    /// It is at most [`LARGEST`] either way and agrees with [`Rules::prospects`]: never above 0 where the mover cannot win any
    /// more, never below 0 where he cannot lose. The search cuts off by the prospects and so relies on it.
    fn evaluate(&self, position: &Self::Position) -> i32;
}

/// An evaluation held within what can still come of the game.
#[inline(always)]
pub(crate) fn within_prospects(value: i32, (worst, best): (i8, i8)) -> i32 {
    let lowest = if worst < 0 { -LARGEST } else { 0 };
    let highest = if best > 0 { LARGEST } else { 0 };
    // Not `clamp`, which panics where the bounds cross.
    value.max(lowest).min(highest)
}
