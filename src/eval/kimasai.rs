//! Bao la Kimasai: the difference of the cows, those in reserve included.
//!
//! Terms for pits that hold cows did not help. Against the cows alone, at three thousand moves a turn, 30 for an inner pit and 15 for
//! an outer one lost 120 games of 200, 150 for an inner pit alone lost 131, and the best of eight, 100 for an outer pit alone, won
//! 109.

use super::Evaluate;
use super::chances::Chances;
use crate::rules::four_row::{Ring, sum};
use crate::rules::kimasai::{Kimasai, Position};

/// The worth of a cow on the own side or in reserve.
const COW: i32 = 100;

/// The cows of one side.
#[inline(always)]
fn cows(own: Ring, reserve: u8) -> i32 {
    i32::from(sum(own)) + i32::from(reserve)
}

impl<const STANDARD: bool> Evaluate for Kimasai<STANDARD> {
    const CHANCES: Chances = Chances { scale: 611, a_seed: 0, margin: 0 };

    #[inline(always)]
    fn evaluate(&self, position: &Position) -> i32 {
        // Both sides can win to the end, so the prospects bound nothing.
        let Position { own, other, reserves, .. } = *position;
        COW * (cows(own, reserves.mover) - cows(other, reserves.other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::rules::notation::read_position;
    use crate::units::OptionValues;

    #[test]
    fn a_cow_counts_the_same_on_the_board_and_in_reserve() {
        let rules = Kimasai::<true>::with_options(&OptionValues::new(Kimasai::<true>::OPTIONS));
        let value = |end: &str| {
            let token = format!("1-0-0-0-0-0-0-0-0-0-0-0-0-0-0-9-0-1-0-0-0-0-0-0-9-0-0-0-0-0-0-0-{end}");
            rules.evaluate(&read_position(&rules, &token).expect("a position").0)
        };
        assert_eq!((value("22-22-S"), value("24-20-S"), value("24-20-N")), (0, 400, -400));
    }
}
