//! A long row of bytes that several threads read and change.

use std::sync::atomic::{AtomicU64, Ordering};

use super::rows::Region;
use crate::rules::lanes;
use crate::rules::two_row::Board;

/// Bytes in words of eight: so eight are searched at a time.
///
/// All accesses are relaxed. A byte is changed in one step, and threads meet at a barrier before they rely on more than that.
pub struct Bytes(Vec<AtomicU64>);

impl Bytes {
    /// So many zeros.
    pub fn new(count: usize) -> Bytes {
        Bytes(bytemuck::zeroed_vec(count.div_ceil(8)))
    }

    /// Writes bytes from a place on that is a multiple of eight; if the last word is not full, zeros follow.
    pub fn fill(&self, start: usize, bytes: &[u8]) {
        for (word, bytes) in self.0[start / 8..].iter().zip(bytes.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_le_bytes(whole), Ordering::Relaxed);
        }
    }

    /// All words in order, the first byte lowest.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|word| word.load(Ordering::Relaxed))
    }

    /// The places in a region, whose start is a multiple of eight, that hold `byte` when they are come to.
    pub fn equal_to(&self, byte: u8, Region { start, end }: Region) -> impl Iterator<Item = usize> {
        let words = self.0[start / 8..end.div_ceil(8)].iter().enumerate();
        words.flat_map(move |(number, word)| {
            let differs = word.load(Ordering::Relaxed) ^ lanes::splat(byte);
            // Lanes use all eight bits here.
            let seven = lanes::splat(0x7f);
            let mut equal = !(((differs & seven) + seven) | differs | seven);
            std::iter::from_fn(move || {
                let place = (equal != 0).then(|| equal.trailing_zeros() as usize / 8)?;
                equal &= equal - 1;
                Some(start + 8 * number + place)
            })
        })
    }

    /// Brings the words of many places near, so that one after the other need not be waited for.
    #[inline(always)]
    pub fn touch(&self, places: &[(usize, Board)]) {
        let all = places.iter().fold(0, |all, (place, _)| all ^ self.0[place / 8].load(Ordering::Relaxed));
        std::hint::black_box(all);
    }

    /// Changes a byte unless `change` says `None`, and tells what it is now.
    #[inline(always)]
    pub fn update<const SHARED: bool>(&self, place: usize, change: impl Fn(u8) -> Option<u8>) -> Option<u8> {
        let word = &self.0[place / 8];
        let shift = 8 * (place % 8);
        let mut found = word.load(Ordering::Relaxed);
        loop {
            let before = (found >> shift) as u8;
            let after = change(before)?;
            let changed = found ^ u64::from(before ^ after) << shift;
            if !SHARED {
                word.store(changed, Ordering::Relaxed);
                return Some(after);
            }
            match word.compare_exchange_weak(found, changed, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(after),
                Err(now) => found = now,
            }
        }
    }
}
