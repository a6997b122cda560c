//! The boards of a layer in a row: which number a board has, and which board a number is.
//!
//! A layer is all ways to lay a number of seeds into the pits, seen by the player to move; stores do not count. A board is
//! written as its prefix sums: with `s` seeds in the pits 0 to `i`, counted round from the mover's first pit, each pit but the last
//! adds `C(s + i, i + 1)` to the rank. So the ranks of a layer run from 0 without a gap (the combinatorial number system), the board
//! with all seeds in the other's last pit comes first, and boards that share the other's row stand together.

use crate::rules::lanes;
use crate::rules::two_row::Board;

/// More seeds than any board has.
const SEEDS: usize = 64;
/// As many pits as any board has.
const MOST_PITS: usize = 14;

/// What a pit adds to the rank, by the pit and the seeds up to it.
static TERMS: [[u64; SEEDS]; MOST_PITS] = terms();

const fn terms() -> [[u64; SEEDS]; MOST_PITS] {
    let mut terms = [[0; SEEDS]; MOST_PITS];
    let mut pit = 0;
    while pit < MOST_PITS {
        let mut sum = 1;
        while sum < SEEDS {
            let before = if pit == 0 { 1 } else { terms[pit - 1][sum] };
            terms[pit][sum] = terms[pit][sum - 1] + before;
            sum += 1;
        }
        pit += 1;
    }
    terms
}

/// How many boards hold `seeds` seeds in two rows of `PITS` pits.
pub fn count<const PITS: usize>(seeds: u8) -> u64 {
    TERMS[2 * PITS - 2][usize::from(seeds) + 1]
}

/// How many rows of `PITS` pits hold `seeds` seeds.
pub fn count_rows<const PITS: usize>(seeds: u8) -> u64 {
    TERMS[PITS - 2][usize::from(seeds) + 1]
}

/// The seeds in the pits of a board.
#[inline(always)]
pub const fn seeds<const PITS: usize>(board: Board) -> u8 {
    let row = lanes::lowest(PITS);
    lanes::sum(board.own & row) + lanes::sum(board.other & row)
}

/// The place of a row of `PITS` pits among all rows with as many seeds.
#[inline(always)]
pub fn rank_row<const PITS: usize>(half: u64) -> u64 {
    // The product leaves in each lane the sum of all lanes up to it.
    let sums = (half & lanes::lowest(PITS)).wrapping_mul(lanes::ONES);
    (0..PITS - 1).map(|pit| term(pit, lanes::lane(sums, pit))).sum()
}

/// The place of a board among all boards with as many seeds in their pits.
#[inline(always)]
pub fn rank<const PITS: usize>(board: Board) -> u64 {
    let row = lanes::lowest(PITS);
    let own = (board.own & row).wrapping_mul(lanes::ONES);
    let other = (board.other & row).wrapping_mul(lanes::ONES) + lanes::splat(lanes::lane(own, PITS - 1));
    let near: u64 = (0..PITS).map(|pit| term(pit, lanes::lane(own, pit))).sum();
    let far: u64 = (0..PITS - 1).map(|pit| term(PITS + pit, lanes::lane(other, pit))).sum();
    near + far
}

#[inline(always)]
fn term(pit: usize, sum: u8) -> u64 {
    // The mask spares the bounds check.
    TERMS[pit][usize::from(sum) % SEEDS]
}

/// The board with this place among those with so many seeds, its stores empty.
///
/// # Panics
/// If there are not so many.
pub fn unrank<const PITS: usize>(seeds: u8, rank: u64) -> Board {
    assert!(rank < count::<PITS>(seeds), "board {rank} of {}", count::<PITS>(seeds));
    let mut board = Board { own: 0, other: 0 };
    let (mut rest, mut sum) = (rank, usize::from(seeds));
    for pit in (0..2 * PITS).rev() {
        // The largest sum up to the pit before whose term is not above what is left.
        let before = match pit {
            0 => 0,
            _ => TERMS[pit - 1][..=sum].partition_point(|&term| term <= rest) - 1,
        };
        if pit > 0 {
            rest -= TERMS[pit - 1][before];
        }
        let lane = ((sum - before) as u64) << (8 * (pit % PITS));
        if pit < PITS {
            board.own |= lane
        } else {
            board.other |= lane
        }
        sum = before;
    }
    board
}

/// All boards with so many seeds in the order of their ranks, stores empty.
pub fn boards<const PITS: usize>(seeds: u8) -> impl Iterator<Item = Board> {
    let first = Board { own: 0, other: u64::from(seeds) << (8 * (PITS - 1)) };
    std::iter::successors(Some(first), |&board| next::<PITS>(board))
}

/// The board with the next rank.
fn next<const PITS: usize>(board: Board) -> Option<Board> {
    let mut pits = [0; 16];
    pits[..8].copy_from_slice(&board.own.to_le_bytes());
    pits[PITS..PITS + 8].copy_from_slice(&board.other.to_le_bytes());
    step(&mut pits[..2 * PITS])?;
    let half = |row: &[u8]| row.iter().rev().fold(0, |lanes, &seeds| lanes << 8 | u64::from(seeds));
    Some(Board { own: half(&pits[..PITS]), other: half(&pits[PITS..2 * PITS]) })
}

/// The row with the next rank among those with as many seeds.
pub fn next_row<const PITS: usize>(row: u64) -> Option<u64> {
    let mut pits = row.to_le_bytes();
    step(&mut pits[..PITS])?;
    Some(u64::from_le_bytes(pits))
}

/// Steps to the next rank: one seed comes down from the first pit that can give one, and all before it wait right below.
fn step(pits: &mut [u8]) -> Option<()> {
    let giver = (1..pits.len()).find(|&pit| pits[pit] > 0)?;
    let carried = std::mem::take(&mut pits[0]);
    pits[giver] -= 1;
    pits[giver - 1] = carried + 1;
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Seeds thrown one by one into `2 * PITS` pits.
    fn thrown<const PITS: usize>(throws: &[usize]) -> Board {
        throws.iter().fold(Board { own: 0, other: 0 }, |board, throw| {
            let pit = throw % (2 * PITS);
            let one = 1 << (8 * (pit % PITS));
            if pit < PITS {
                Board { own: board.own + one, ..board }
            } else {
                Board { other: board.other + one, ..board }
            }
        })
    }

    fn all_have_their_place<const PITS: usize>(most: u8) {
        for seeds in 0..=most {
            let mut expected = 0;
            for board in boards::<PITS>(seeds) {
                assert_eq!(rank::<PITS>(board), expected);
                assert_eq!(unrank::<PITS>(seeds, expected), board);
                assert_eq!(super::seeds::<PITS>(board), seeds);
                expected += 1;
            }
            assert_eq!(expected, count::<PITS>(seeds));
        }
    }

    #[test]
    fn every_board_of_a_layer_has_its_place_and_every_place_its_board() {
        all_have_their_place::<6>(8);
        all_have_their_place::<7>(6);
    }

    #[test]
    fn layers_have_binomial_sizes() {
        // C(n + 11, 11) and C(n + 13, 13).
        assert_eq!([0, 1, 2, 12, 15].map(count::<6>), [1, 12, 78, 1_352_078, 7_726_160]);
        assert_eq!([0, 1, 2, 12].map(count::<7>), [1, 14, 105, 5_200_300]);
        // All boards with at most 24 seeds: C(36, 12).
        assert_eq!((0..=24).map(count::<6>).sum::<u64>(), 1_251_677_700);
        assert_eq!([0, 1, 2].map(count_rows::<6>), [1, 6, 21]);
    }

    #[test]
    fn rows_have_their_places_too() {
        let rows: Vec<u64> = boards::<6>(5).filter(|board| board.other == 0).map(|board| board.own).collect();
        assert_eq!(rows.len() as u64, count_rows::<6>(5));
        for (place, &row) in rows.iter().enumerate() {
            assert_eq!(rank_row::<6>(row), place as u64);
        }
    }

    proptest! {
        #[test]
        fn rank_and_unrank_undo_each_other(throws in prop::collection::vec(0usize..1000, 0..=36), store: u8) {
            let seeds = throws.len() as u8;
            let six = thrown::<6>(&throws);
            prop_assert_eq!(unrank::<6>(seeds, rank::<6>(six)), six);
            // A store does not count.
            prop_assert_eq!(rank::<6>(six.banked(store)), rank::<6>(six));
            let seven = thrown::<7>(&throws);
            prop_assert_eq!(unrank::<7>(seeds, rank::<7>(seven)), seven);
        }

        #[test]
        fn boards_with_the_same_far_row_stand_together(throws in prop::collection::vec(0usize..1000, 1..=24)) {
            let board = thrown::<6>(&throws);
            let first = Board { own: u64::from(lanes::sum(board.own)) << 40, ..board };
            prop_assert_eq!(rank::<6>(board), rank::<6>(first) + rank_row::<6>(board.own));
        }
    }
}
