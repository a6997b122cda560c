//! Late move reductions and reverse futility pruning, where the search does not have to be of full width.
//!
//! A proof stays one. A win stands only where every reply was seen to lose, however shallow the search of each was; where a
//! node is worth no more than its evaluation says, its score is that of an evaluation and never that of a win or loss.

use super::MAX_DEPTH;
use crate::eval::SearchParams;

/// No move before this one is reduced, counted from 0 in the order in which they are looked at.
const FIRST: usize = 2;
/// Nodes with fewer plies left reduce nothing.
const LEAST_DEPTH: u8 = 3;

/// With no more plies left a move is not reduced where the window asks for more than a win or a loss that is decided.
pub(super) const DECIDED_PLIES: u8 = 4;

/// The logarithm to base 2 in sixteenths, rounded down.
const LOGARITHMS: [u32; MAX_DEPTH + 1] = {
    let mut logarithms = [0; MAX_DEPTH + 1];
    let mut number = 2;
    while number <= MAX_DEPTH {
        logarithms[number] = (number as u128).pow(16).ilog2();
        number += 1;
    }
    logarithms
};

/// How many plies less a quiet move is searched that is looked at as number `index`, with `depth` plies left at its node: the
/// later and the deeper the more. At least two plies are left to it and its reply.
#[inline(always)]
pub(super) fn reduction(params: SearchParams, depth: u8, index: usize) -> u8 {
    if index < FIRST || depth < LEAST_DEPTH {
        return 0;
    }
    let plies = LOGARITHMS[usize::from(depth)] * LOGARITHMS[index.min(MAX_DEPTH)] / params.lmr_divisor;
    u8::try_from(plies).map_or(depth - 2, |plies| plies.min(depth - 2))
}

/// With no more plies left than this a node is not searched that is far ahead.
const FEW_PLIES: u8 = 6;

/// How far above the window, in hundredths of a seed, the evaluation must be at a node with `depth` plies left to be believed; `None` where
/// that are too many.
#[inline(always)]
pub(super) fn margin(params: SearchParams, depth: u8) -> Option<i32> {
    (depth <= FEW_PLIES).then_some(params.futility_margin + params.margin_per_ply * i32::from(depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_deeper_moves_are_reduced_more_and_never_to_nothing() {
        let reduction = |depth, index| reduction(SearchParams::DEFAULT, depth, index);
        for depth in 1..=MAX_DEPTH as u8 {
            assert_eq!((reduction(depth, 0), reduction(depth, 1)), (0, 0));
            assert!((1..5000).is_sorted_by_key(|index| reduction(depth, index)));
            assert!(reduction(depth, 4999) <= depth.saturating_sub(2));
            assert!(depth == 1 || reduction(depth - 1, 5) <= reduction(depth, 5));
        }
        // 16 plies and the ninth move: 4 * 3 over 426 / 256.
        assert_eq!(reduction(16, 8), 7);
    }
}
