//! Wuri: the difference of the stores, and what the pits promise.

use super::{Evaluate, within_prospects};
use crate::rules::Rules;
use crate::rules::lanes;
use crate::rules::two_row::Board;
use crate::rules::wuri::Wuri;

/// The worth of a captured seed.
const SEED: i32 = 100;
/// Of an own pit with more than twelve seeds, which reaches round the board (figures after the strongest Oware program).
const ROUND: i32 = 112;
/// Of an empty own pit, which is no move.
const EMPTY: i32 = -216;
/// Of an own pit with one or two seeds, which a last seed captures.
const WEAK: i32 = -144;

const PITS: i32 = 6;
const ROW: u64 = lanes::lowest(PITS as usize);

/// What the pits of one side are worth to it.
#[inline(always)]
fn row(half: u64) -> i32 {
    // What a lane lacks to 128 is added, so that its top bit tells whether it holds that many.
    const fn at_least(row: u64, seeds: u8) -> i32 {
        lanes::count((row + lanes::splat(0x80 - seeds)) & lanes::TOPS & ROW) as i32
    }
    let row = half & ROW;
    let (one, three, thirteen) = (at_least(row, 1), at_least(row, 3), at_least(row, 13));
    EMPTY * (PITS - one) + WEAK * (one - three) + ROUND * thirteen
}

impl<const STANDARD: bool> Evaluate for Wuri<STANDARD> {
    #[inline(always)]
    fn evaluate(&self, board: &Board) -> i32 {
        let stores = board.stores();
        let value = SEED * (i32::from(stores.mover) - i32::from(stores.other)) + row(board.own) - row(board.other);
        within_prospects(value, self.prospects(board))
    }
}
