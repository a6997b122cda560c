//! Omweso: the difference of the seeds. With a deep search it has beaten richer evaluations.

use super::chances::Chances;
use super::{Evaluate, Reliance};
use crate::rules::four_row::sum;
use crate::rules::omweso::{Omweso, Position};

/// The worth of a seed on the own side.
const SEED: i32 = 100;

impl<const STANDARD: bool> Evaluate for Omweso<STANDARD> {
    const RELIANCE: Reliance = Reliance { window: 600, ahead: 200, ahead_a_ply: 200, ..Reliance::USUAL };
    const CHANCES: Chances = Chances { scale: 686, a_seed: 0, margin: 0 };

    #[inline(always)]
    fn evaluate(&self, position: &Position) -> i32 {
        // Both sides can win to the end, so the prospects bound nothing.
        SEED * (i32::from(sum(position.own)) - i32::from(sum(position.other)))
    }
}
