//! The transposition table: what is known of positions, whatever way led to them.
//!
//! Entries are two words, and the key is stored mixed with the data, so that threads may share the table without locks: a torn
//! entry matches no key. Four entries stand together in a line of the cache.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::score::Score;
use crate::rules::Move;
use crate::units::{Bound, Key, Mebibytes};

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The best move, or the one that cut off.
    pub mv: Move,
    /// The score, seen from the root of the present search.
    pub score: Score,
    /// How deep the search went that found it.
    pub depth: u8,
    /// How the score is meant.
    pub bound: Bound,
    /// No evaluation went into the score, so a deeper search would find the same.
    pub settled: bool,
}

const DEPTH_SHIFT: u32 = 48;
const BOUND_SHIFT: u32 = 56;
const SETTLED_SHIFT: u32 = 58;
const GENERATION_SHIFT: u32 = 59;
const GENERATIONS: u8 = 32;

impl Entry {
    #[inline(always)]
    fn pack(&self, ply: usize, generation: u8) -> u64 {
        // No bound is 0, so that an empty slot is no entry.
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.mv.to_bits())
            | u64::from(self.score.to_table(ply) as u16) << 32
            | u64::from(self.depth) << DEPTH_SHIFT
            | bound << BOUND_SHIFT
            | u64::from(self.settled) << SETTLED_SHIFT
            | u64::from(generation) << GENERATION_SHIFT
    }

    #[inline(always)]
    fn unpack(data: u64, ply: usize) -> Option<Entry> {
        let bound = match data >> BOUND_SHIFT & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Entry {
            mv: Move::from_bits(data as u32),
            score: Score::from_table((data >> 32) as u16 as i16, ply),
            depth: (data >> DEPTH_SHIFT) as u8,
            bound,
            settled: data >> SETTLED_SHIFT & 1 != 0,
        })
    }
}

/// Four slots in a line of the cache.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

#[derive(Default)]
struct Slot {
    /// The key of the position, mixed with the data.
    check: AtomicU64,
    data: AtomicU64,
}

/// There is not enough memory for the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for a table of {} MiB", wanted.0)]
pub struct TableError {
    /// The size that was wanted.
    pub wanted: Mebibytes,
}

/// A transposition table of a fixed size.
pub struct Table {
    buckets: Vec<Bucket>,
    size: Mebibytes,
    generation: u8,
}

impl Table {
    /// An empty table.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(size: Mebibytes) -> Result<Table, TableError> {
        Ok(Table { buckets: allocate(size)?, size, generation: 0 })
    }

    /// Makes the table empty and of another size. The old memory is given back first; where there is too little for the new
    /// size, the old size is taken again.
    ///
    /// # Errors
    /// If the memory cannot be had; the table is then empty and of its old size.
    pub fn resize(&mut self, size: Mebibytes) -> Result<(), TableError> {
        self.buckets = Vec::new();
        let allocated = allocate(size);
        let (kept, result) = match allocated {
            Ok(buckets) => {
                self.size = size;
                (buckets, Ok(()))
            }
            Err(error) => (allocate(self.size).unwrap_or_else(|_| vec![Bucket::default()]), Err(error)),
        };
        self.buckets = kept;
        result
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.generation = 0;
    }

    /// The size that was asked for.
    pub fn size(&self) -> Mebibytes {
        self.size
    }

    /// Lets what is held now give way to what the next search finds.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// How much of the table the present search has filled, in thousandths, from a sample.
    pub fn full(&self) -> u16 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let present = slots
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && (data >> GENERATION_SHIFT) as u8 == self.generation)
            .count();
        (present * 1000 / (sample.len() * 4)) as u16
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &Bucket {
        // The product spreads the key over any number of buckets, without a division.
        &self.buckets[((u128::from(key.0) * self.buckets.len() as u128) >> 64) as usize]
    }

    /// What is known of a position, `ply` plies below the root.
    #[inline(always)]
    pub(super) fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key.0).then(|| Entry::unpack(data, ply))?
        })
    }

    /// Keeps what was found of a position, `ply` plies below the root, in the place of the same position or of the entry that
    /// is worth least: shallow, or from an earlier search.
    #[inline(always)]
    pub(super) fn store(&self, key: Key, ply: usize, entry: &Entry) {
        let worth = |slot: &Slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key.0 || data == 0 {
                return i32::MIN;
            }
            let age = self.generation.wrapping_sub((data >> GENERATION_SHIFT) as u8) % GENERATIONS;
            i32::from((data >> DEPTH_SHIFT) as u8) - 8 * i32::from(age)
        };
        let slots = &self.bucket(key).0;
        let slot = slots.iter().min_by_key(|slot| worth(slot)).expect("a bucket has four slots");
        let data = entry.pack(ply, self.generation);
        slot.check.store(key.0 ^ data, Relaxed);
        slot.data.store(data, Relaxed);
    }
}

fn allocate(size: Mebibytes) -> Result<Vec<Bucket>, TableError> {
    let error = TableError { wanted: size };
    let bytes = usize::try_from(u64::from(size.0) << 20).map_err(|_| error)?;
    let count = (bytes / size_of::<Bucket>()).max(1);
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(count).map_err(|_| error)?;
    buckets.resize_with(count, Bucket::default);
    Ok(buckets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Pit;

    fn entry(depth: u8) -> Entry {
        let mv = Move::split(Pit(3));
        Entry { mv, score: Score::evaluation(-123), depth, bound: Bound::Upper, settled: true }
    }

    #[test]
    fn a_stored_entry_comes_back_whole_and_under_its_key_alone() {
        let table = Table::new(Mebibytes(1)).expect("a mebibyte");
        table.store(Key(77), 4, &entry(9));
        assert_eq!(table.probe(Key(77), 4), Some(entry(9)));
        assert_eq!(table.probe(Key(78), 4), None);
        assert_eq!(table.probe(Key(0), 4), None, "an empty slot is no entry");
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_and_then_its_oldest_entry() {
        let mut table = Table::new(Mebibytes(1)).expect("a mebibyte");
        let depths = [5, 3, 7, 6];
        for (key, depth) in (1..).zip(depths) {
            table.store(Key(key), 0, &entry(depth));
        }
        table.store(Key(9), 0, &entry(4));
        assert_eq!(table.probe(Key(2), 0), None);
        table.age();
        table.store(Key(9), 0, &entry(1));
        table.store(Key(10), 0, &entry(1));
        assert!(table.probe(Key(9), 0).is_some(), "what is new stays");
        assert_eq!(table.probe(Key(1), 0), None, "the shallowest of the old ones");
    }

    #[test]
    fn a_table_can_be_cleared_and_resized_and_says_when_memory_is_short() {
        let mut table = Table::new(Mebibytes(1)).expect("a mebibyte");
        for key in 0..50_000u64 {
            table.store(Key(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)), 0, &entry(2));
        }
        assert!(table.full() > 400);
        table.clear();
        assert_eq!(table.full(), 0);
        table.resize(Mebibytes(2)).expect("two mebibytes");
        assert_eq!(table.buckets.len(), 2 << 14);
        let wanted = Mebibytes(u32::MAX);
        assert_eq!(table.resize(wanted), Err(TableError { wanted }));
        assert_eq!((table.size(), table.buckets.len()), (Mebibytes(2), 2 << 14));
    }
}
