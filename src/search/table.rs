//! The transposition table: what is known of positions, whatever way led to them.
//!
//! Entries are two words, and the key is stored mixed with the data, so that threads may share the table without locks: a torn
//! entry matches no key. Four entries stand together in a line of the cache.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::allocation::try_zeroed_vec;

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
    pub proven: bool,
    /// It comes from a search of full width.
    pub full_width: bool,
    /// The winner can end the game within the distance that the score tells.
    pub firm: bool,
}

/// A move leaves this bit free.
const FIRM_SHIFT: u32 = 7;
const DEPTH_SHIFT: u32 = 48;
const BOUND_SHIFT: u32 = 56;
const PROVEN_SHIFT: u32 = 58;
const FULL_WIDTH_SHIFT: u32 = 59;
const GENERATION_SHIFT: u32 = 60;
const GENERATIONS: u8 = 16;

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
            | u64::from(self.firm) << FIRM_SHIFT
            | u64::from(self.score.to_table(ply) as u16) << 32
            | u64::from(self.depth) << DEPTH_SHIFT
            | bound << BOUND_SHIFT
            | u64::from(self.proven) << PROVEN_SHIFT
            | u64::from(self.full_width) << FULL_WIDTH_SHIFT
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
            mv: Move::from_bits(data as u32 & !(1 << FIRM_SHIFT)),
            score: Score::from_table((data >> 32) as u16 as i16, ply),
            depth: (data >> DEPTH_SHIFT) as u8,
            bound,
            proven: data >> PROVEN_SHIFT & 1 != 0,
            full_width: data >> FULL_WIDTH_SHIFT & 1 != 0,
            firm: data >> FIRM_SHIFT & 1 != 0,
        })
    }
}

/// Words of a slot: the key of the position mixed with the data, and the data.
const SLOT: usize = 2;
/// Slots of a bucket.
const SLOTS: usize = 4;
/// Words of a bucket, which is a line of the cache.
const BUCKET: usize = SLOT * SLOTS;

/// One slot of a bucket.
struct Slot<'a> {
    check: &'a AtomicU64,
    data: &'a AtomicU64,
}

/// The memory of a table: zeros that the system hands out page by page as they are written.
struct Buckets {
    words: Vec<AtomicU64>,
    /// The first word that begins a line of the cache.
    first: usize,
    count: usize,
}

/// The fewest words of memory that are asked for, of which only those of buckets are ever touched. More than 32 MiB at once every
/// allocator maps by itself and gives back whole; smaller pieces would leave holes behind in a long session.
const LEAST_WORDS: usize = (33 << 20) / size_of::<AtomicU64>();

impl Buckets {
    /// So many empty buckets; `None` if there is no memory for them.
    fn new(count: usize) -> Option<Buckets> {
        let wanted = count.checked_mul(BUCKET)?.checked_add(BUCKET)?;
        let words: Vec<AtomicU64> = try_zeroed_vec(wanted.max(LEAST_WORDS)).ok()?;
        let first = words.as_ptr().align_offset(BUCKET * size_of::<AtomicU64>()).min(BUCKET);
        Some(Buckets { words, first, count })
    }

    /// A table that holds next to nothing, for when there is no memory at all.
    fn least() -> Buckets {
        Buckets { words: (0..BUCKET).map(|_| AtomicU64::new(0)).collect(), first: 0, count: 1 }
    }

    #[inline(always)]
    fn bucket(&self, index: usize) -> impl Iterator<Item = Slot<'_>> {
        let words = &self.words[self.first + index * BUCKET..][..BUCKET];
        words.chunks_exact(SLOT).map(|words| Slot { check: &words[0], data: &words[1] })
    }
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
    buckets: Buckets,
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
        self.buckets = Buckets::least();
        match allocate(size) {
            Ok(buckets) => {
                self.buckets = buckets;
                self.size = size;
                Ok(())
            }
            Err(error) => {
                self.buckets = allocate(self.size).unwrap_or_else(|_| Buckets::least());
                Err(error)
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        // Fresh zeros cost less than writing them.
        match Buckets::new(self.buckets.count) {
            Some(buckets) => self.buckets = buckets,
            None => self.buckets.words.iter_mut().for_each(|word| *word.get_mut() = 0),
        }
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
        let sampled = self.buckets.count.min(250);
        let present = (0..sampled)
            .flat_map(|index| self.buckets.bucket(index))
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && (data >> GENERATION_SHIFT) as u8 == self.generation)
            .count();
        (present * 1000 / (sampled * SLOTS)) as u16
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> impl Iterator<Item = Slot<'_>> {
        // The product spreads the key over any number of buckets, without a division.
        self.buckets.bucket(((u128::from(key.0) * self.buckets.count as u128) >> 64) as usize)
    }

    /// What is known of a position, `ply` plies below the root.
    #[inline(always)]
    pub(super) fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        self.bucket(key).find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key.0).then(|| Entry::unpack(data, ply))?
        })
    }

    /// Keeps what was found of a position, `ply` plies below the root, in the place of the same position or of the entry that
    /// is worth least: shallow, or from an earlier search.
    #[inline(always)]
    pub(super) fn store(&self, key: Key, ply: usize, entry: &Entry) {
        let worth = |slot: &Slot<'_>| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key.0 || data == 0 {
                return i32::MIN;
            }
            let age = self.generation.wrapping_sub((data >> GENERATION_SHIFT) as u8) % GENERATIONS;
            i32::from((data >> DEPTH_SHIFT) as u8) - 8 * i32::from(age)
        };
        let slot = self.bucket(key).min_by_key(worth).expect("a bucket has four slots");
        let data = entry.pack(ply, self.generation);
        slot.check.store(key.0 ^ data, Relaxed);
        slot.data.store(data, Relaxed);
    }
}

fn allocate(size: Mebibytes) -> Result<Buckets, TableError> {
    let error = TableError { wanted: size };
    let bytes = usize::try_from(u64::from(size.0) << 20).map_err(|_| error)?;
    Buckets::new(bytes / (BUCKET * size_of::<AtomicU64>())).ok_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Pit;

    fn entry(depth: u8) -> Entry {
        let mv = Move::split(Pit(3));
        Entry {
            mv,
            score: Score::evaluation((-1, 1), -123),
            depth,
            bound: Bound::Upper,
            proven: true,
            full_width: depth.is_multiple_of(2),
            firm: depth.is_multiple_of(3),
        }
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
        assert_eq!(table.buckets.count, 2 << 14);
        let wanted = Mebibytes(u32::MAX);
        assert_eq!(table.resize(wanted), Err(TableError { wanted }));
        assert_eq!((table.size(), table.buckets.count), (Mebibytes(2), 2 << 14));
    }
}
