//! Wuri: the difference of the stores, and what the pits promise: learned for the default rules, by hand for all others.
//!
//! The proportions of the weights are those of the strongest Oware program, at a hundred for a captured seed. Against the stores
//! alone, at ten thousand moves a turn, they won 323 games, drew 19 and lost 58. Against them, with
//! sixteen thousand four hundred moves a turn to their twenty thousand, which take the same time, the learned ones won 183 games,
//! drew 10 and lost 27. Told apart in steps of 50 they won 55 % of 800 games against the same in steps of 1, at ten, twenty and thirty
//! thousand moves a turn; 25 and 75 were not as good.

use super::net::{Net, two_rows};
use super::wdl::WdlModel;
use super::{Evaluate, in_steps, within_result_bounds};
use crate::rules::Rules;
use crate::rules::lanes;
use crate::rules::two_row::Board;
use crate::rules::wuri::Wuri;

/// The worth of a captured seed.
const SEED: i32 = 100;
/// Of an own pit with more than twelve seeds, which reaches round the board.
const ROUND: i32 = 112;
/// Of an empty own pit, which is no move.
const EMPTY: i32 = -216;
/// Of an own pit with one or two seeds, which a last seed captures.
const WEAK: i32 = -144;

/// What the learned evaluation tells apart.
const STEP: i32 = 50;

const PITS: usize = 6;
/// What the position is worth beyond the stores, under the default rules.
static LEARNED: Net<14, 8> = Net::read(include_str!("weights/wuri.txt"), "wuri");
const ROW: u64 = lanes::lowest(PITS);

/// The weights are multiples of this, so that the sum of a row fits in a byte.
const GRAIN: i32 = 8;
/// How much a pit is better than an empty one, in grains, once it holds one seed, three, and thirteen.
const STEPS: [(u8, u64); 3] = [(1, grains(WEAK - EMPTY)), (3, grains(-WEAK)), (13, grains(ROUND))];
const _: () = assert!((STEPS[0].1 + STEPS[1].1 + STEPS[2].1) * (PITS as u64) < 256);

const fn grains(weight: i32) -> u64 {
    assert!(weight % GRAIN == 0 && weight >= 0);
    (weight / GRAIN) as u64
}

/// What the pits of one side are worth to it, above six empty ones.
#[inline(always)]
fn row(half: u64) -> i32 {
    let pits = half & ROW;
    let step = |(seeds, worth): (u8, u64)| {
        // What a lane lacks to 128 is added, so that its top bit tells whether it holds that many.
        let reached = (pits + lanes::splat(0x80 - seeds)) & lanes::TOPS & ROW;
        (reached >> 7) * worth
    };
    GRAIN * i32::from(lanes::sum(step(STEPS[0]) + step(STEPS[1]) + step(STEPS[2])))
}

impl<const STANDARD: bool> Evaluate for Wuri<STANDARD> {
    const WDL: WdlModel = WdlModel { scale: 242, a_seed: 12, margin: 142 };

    #[inline(always)]
    fn evaluate(&self, board: &Board) -> i32 {
        let stores = board.stores();
        let seeds = SEED * (i32::from(stores.mover) - i32::from(stores.other));
        let value = if STANDARD {
            in_steps(seeds + LEARNED.value(&two_rows::<PITS, 14>(board)), STEP)
        } else {
            seeds + row(board.own) - row(board.other)
        };
        within_result_bounds(value, self.result_bounds(board))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::both;
    use crate::units::{OptionValues, PerSeat};

    /// By the evaluation that is written by hand.
    fn value(own: [u8; 6], other: [u8; 6], stores: PerSeat<u8>) -> i32 {
        let mut options = OptionValues::new(Wuri::<false>::OPTIONS);
        options.set("Wuri_GrandSlam", "illegal").expect("an option").expect("a value of it");
        let rules = Wuri::<false>::with_options(&options);
        rules.evaluate(&Board::new(PerSeat { mover: &own, other: &other }, stores))
    }

    #[test]
    fn each_kind_of_pit_has_its_weight_on_either_side() {
        let plain = [3, 3, 12, 3, 3, 3];
        assert_eq!(value(plain, plain, both(0)), 0);
        for (seeds, weight) in [(0, EMPTY), (1, WEAK), (2, WEAK), (3, 0), (12, 0), (13, ROUND), (40, ROUND)] {
            let mut row = plain;
            row[5] = seeds;
            assert_eq!(value(row, plain, both(0)), weight, "{seeds}");
            assert_eq!(value(plain, row, both(0)), -weight, "{seeds}");
        }
        assert_eq!(value(plain, plain, PerSeat { mover: 5, other: 2 }), 3 * SEED);
    }

    #[test]
    fn who_cannot_lose_any_more_is_not_behind() {
        let (none, many) = ([0, 0, 0, 0, 0, 1], [3, 3, 3, 3, 3, 3]);
        assert_eq!(value(none, many, PerSeat { mover: 24, other: 5 }), 19 * SEED + 5 * EMPTY + WEAK);
        assert_eq!(value(none, many, PerSeat { mover: 24, other: 20 }), 0);
        assert_eq!(value(many, none, PerSeat { mover: 20, other: 24 }), 0);
    }
}
