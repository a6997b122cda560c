//! All rows of a layer, so that the boards of a stretch of ranks come without being worked out one by one.

use super::index;
use crate::rules::two_row::Board;

/// A stretch of ranks.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The first one.
    pub start: usize,
    /// The first one behind it.
    pub end: usize,
}

/// The boards that share the other's row.
struct Block {
    /// The rank of the first.
    start: usize,
    /// The other's row.
    far: u64,
    /// The seeds that are left for the mover's row.
    near: u8,
}

/// The rows that the boards of a layer are made of.
pub struct Rows<const PITS: usize> {
    /// The rows with so many seeds, in the order of their ranks.
    near: Vec<Vec<u64>>,
    /// All other rows in the order of the ranks of their boards, and an end.
    blocks: Vec<Block>,
}

impl<const PITS: usize> Rows<PITS> {
    /// The rows of the layer with so many seeds.
    pub fn new(seeds: u8) -> Rows<PITS> {
        let near: Vec<Vec<u64>> = (0..=seeds).map(rows::<PITS>).collect();
        let mut far: Vec<(u64, u8)> =
            near.iter().zip(0..).flat_map(|(rows, sum)| rows.iter().map(move |&row| (row, sum))).collect();
        let first_board = |&(far, sum): &(u64, u8)| {
            index::rank::<PITS>(Board { own: u64::from(seeds - sum) << (8 * (PITS - 1)), other: far })
        };
        far.sort_by_cached_key(first_board);
        let mut start = 0;
        let mut blocks = Vec::with_capacity(far.len() + 1);
        for (far, sum) in far {
            blocks.push(Block { start, far, near: seeds - sum });
            start += near[usize::from(seeds - sum)].len();
        }
        blocks.push(Block { start, far: 0, near: 0 });
        Rows { near, blocks }
    }

    /// The block that holds a rank.
    fn block_of(&self, rank: usize) -> usize {
        self.blocks.partition_point(|block| block.start <= rank) - 1
    }

    /// Visits each board of a region together with what `items` has for it.
    #[inline(always)]
    pub fn each_board<T>(&self, region: Region, items: impl Iterator<Item = T>, mut visit: impl FnMut(Board, T)) {
        let Region { mut start, end } = region;
        let mut items = items.fuse();
        let mut block = self.block_of(start.min(end.saturating_sub(1)));
        while start < end {
            let Block { start: first, far, near } = self.blocks[block];
            let stop = self.blocks[block + 1].start.min(end);
            let rows = &self.near[usize::from(near)][start - first..stop - first];
            for (&own, item) in rows.iter().zip(&mut items) {
                visit(Board { own, other: far }, item);
            }
            (start, block) = (stop, block + 1);
        }
    }

    /// Visits the boards with these ranks, which ascend and lie in the region.
    #[inline(always)]
    pub fn each_at(&self, region: Region, ranks: impl Iterator<Item = usize>, mut visit: impl FnMut(Board)) {
        let mut block = self.block_of(region.start);
        for rank in ranks {
            while self.blocks[block + 1].start <= rank {
                block += 1;
            }
            let Block { start, far, near } = self.blocks[block];
            visit(Board { own: self.near[usize::from(near)][rank - start], other: far });
        }
    }
}

/// All rows with so many seeds in the order of their ranks.
fn rows<const PITS: usize>(seeds: u8) -> Vec<u64> {
    // Rows are what the last boards of a layer have on the near side, where the far one is empty.
    let mut rows = Vec::with_capacity(index::count_rows::<PITS>(seeds) as usize);
    let mut row = u64::from(seeds) << (8 * (PITS - 1));
    loop {
        rows.push(row);
        let Some(next) = index::next_row::<PITS>(row) else { return rows };
        row = next;
    }
}
