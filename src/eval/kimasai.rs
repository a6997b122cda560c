//! Bao la Kimasai: the difference of the cows, those in reserve included, and under the default rules what their places promise, learned.
//!
//! Terms by hand for pits that hold cows did not help. Against the cows alone, at three thousand moves a turn, 30 for an inner pit and 15 for
//! an outer one lost 120 games of 200, 150 for an inner pit alone lost 131, and the best of eight, 100 for an outer pit alone, won
//! 109. The learned ones won 283 of 400 against them at twelve thousand moves a turn. In steps of 25, and with moves reduced later, they won 163 of
//! 300 against the same in steps of 1 at forty thousand.

use super::net::{Net, four_rows};
use super::wdl::WdlModel;
use super::{Evaluate, LARGEST, SearchParams, in_steps};
use crate::rules::four_row::{Ring, sum};
use crate::rules::kimasai::{Kimasai, Position};

/// The worth of a cow on the own side or in reserve.
const COW: i32 = 100;

/// What the learned evaluation tells apart.
const STEP: i32 = 25;

/// What the position is worth beyond the cows, under the default rules.
static LEARNED: Net<18, 8> = Net::read(include_str!("weights/kimasai.txt"), "kimasai");

/// The cows of one side.
#[inline(always)]
fn cows(own: Ring, reserve: u8) -> i32 {
    i32::from(sum(own)) + i32::from(reserve)
}

impl<const STANDARD: bool> Evaluate for Kimasai<STANDARD> {
    const SEARCH_PARAMS: SearchParams = SearchParams { lmr_divisor: 526, ..SearchParams::DEFAULT };
    const WDL: WdlModel = WdlModel { scale: 316, a_seed: 0, margin: 0 };

    #[inline(always)]
    fn evaluate(&self, position: &Position) -> i32 {
        let Position { own, other, reserves, .. } = *position;
        let value = COW * (cows(own, reserves.mover) - cows(other, reserves.other));
        if !STANDARD {
            return value;
        }
        let places = LEARNED.value(&four_rows(own, other, [reserves.mover, reserves.other]));
        // Both sides can win to the end, so the result bounds bound nothing.
        in_steps(value + places, STEP).clamp(-LARGEST, LARGEST)
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
        // By the evaluation that is written by hand.
        let rules = Kimasai::<false>::with_options(&OptionValues::new(Kimasai::<false>::OPTIONS));
        let value = |end: &str| {
            let token = format!("1-0-0-0-0-0-0-0-0-0-0-0-0-0-0-9-0-1-0-0-0-0-0-0-9-0-0-0-0-0-0-0-{end}");
            rules.evaluate(&read_position(&rules, &token).expect("a position").0)
        };
        assert_eq!((value("22-22-S"), value("24-20-S"), value("24-20-N")), (0, 400, -400));
    }
}
