//! Urim: the difference of the stores and what the pits promise: learned for the default
//! rules, by hand for all others. Against the weights by hand, with seventeen thousand moves a turn to their twenty thousand, which take the
//! same time, the learned ones won 175 games, drew 25 and lost 80 on six pits, and won 86, drew 9 and lost 25 on seven. In steps of 50 they
//! scored 331.5 of 590 games on six pits against the same in steps of 1, at thirty thousand moves a turn; on seven pits 208 of 400.
//!
//! The weights of the pits are the best of seven that were tried. Against the stores alone, at three thousand moves a turn, they won
//! 168 games, drew 14 and lost 18 on six pits, and won 185, drew 6 and lost 9 on seven; against the weights of Wuri they won 241, drew
//! 33 and lost 126.

use super::net::{Net, two_rows};
use super::wdl::WdlModel;
use super::{Evaluate, in_steps, within_result_bounds};
use crate::rules::Rules;
use crate::rules::lanes;
use crate::rules::two_row::Board;
use crate::rules::urim::Urim;

/// The worth of a captured seed.
const SEED: i32 = 100;
/// Of an own pit with one or two seeds, which a last seed captures (U4).
const WEAK: i32 = -100;
/// Of an empty own pit, which is no move.
const EMPTY: i32 = -150;

/// What the learned evaluation tells apart on six pits.
const STEP: i32 = 50;

/// What the position is worth beyond the stores and the sure points, under the default rules.
static ON_SIX_PITS: Net<14, 8> = Net::read(include_str!("weights/urim.txt"), "urim");
static ON_SEVEN_PITS: Net<16, 8> = Net::read(include_str!("weights/urim7.txt"), "urim7");

/// What the pits of one side are worth to it.
#[inline(always)]
fn row<const PITS: usize>(half: u64) -> i32 {
    let pits = half & lanes::lowest(PITS);
    // What a lane lacks to 128 is added, so that its top bit tells whether it holds that many.
    let at_least = |seeds: u8| {
        let tops = (pits + lanes::splat(0x80 - seeds)) & lanes::TOPS & lanes::lowest(PITS);
        lanes::count(tops) as i32
    };
    let (one, three) = (at_least(1), at_least(3));
    EMPTY * (PITS as i32 - one) + WEAK * (one - three)
}

impl<const PITS: usize, const STANDARD: bool> Evaluate for Urim<PITS, STANDARD> {
    const WDL: WdlModel = match PITS {
        6 => WdlModel { scale: 100, a_seed: 21, margin: 144 },
        _ => WdlModel { scale: 311, a_seed: 11, margin: 145 },
    };

    #[inline(always)]
    fn evaluate(&self, board: &Board) -> i32 {
        let stores = board.stores();
        let seeds = i32::from(stores.mover) - i32::from(stores.other);
        let pits = match (STANDARD, PITS) {
            (true, 6) => ON_SIX_PITS.value(&two_rows::<6, 14>(board)),
            (true, 7) => ON_SEVEN_PITS.value(&two_rows::<7, 16>(board)),
            _ => row::<PITS>(board.own) - row::<PITS>(board.other),
        };
        let value = SEED * seeds + pits;
        let step = if STANDARD && PITS == 6 { STEP } else { 1 };
        within_result_bounds(in_steps(value, step), self.result_bounds(board))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::both;
    use crate::units::{OptionValues, PerSeat};

    #[test]
    fn both_players_see_the_same_worth() {
        let rules = Urim::<6, false>::with_options(&OptionValues::new(Urim::<6, false>::OPTIONS));
        let board = Board::new(PerSeat { mover: &[0, 1, 2, 3, 4, 5], other: &[5, 0, 0, 1, 1, 0] }, both(7));
        assert_eq!(rules.evaluate(&board), -rules.evaluate(&board.turned()));
    }
}
