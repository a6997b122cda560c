//! Where the threads of one search are, so that each can leave to another what that one looks at.
//!
//! A move that another thread is searching is put off until the others of its node are done: then the table mostly knows its value. This
//! is the simplified form by T. Kerrigan of ABDADA (J.-C. Weill, 1996). It changes the order of moves, and no value.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::units::Key;

/// At nodes with fewer plies left a move is over before it is worth leaving to another.
pub(super) const LEAST_DEPTH: u8 = 6;

/// A thread is at as many places at once as it has plies behind it, so most slots are free.
const SLOTS: usize = 1 << 13;

/// The places where threads are. Where two fall together one of them goes unnoticed.
pub(super) struct Places(Vec<AtomicU64>);

/// What can be searched: a position, and how many plies are left to it.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    slot: &'a AtomicU64,
    name: u64,
}

/// A thread is at a place until this is dropped.
pub(super) struct Stay<'a>(Option<&'a AtomicU64>);

impl Places {
    /// Nobody is anywhere.
    pub fn new() -> Places {
        Places((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The place of a child, `depth` plies being left at its parent.
    #[inline(always)]
    pub fn of(&self, child: Key, depth: u8) -> Place<'_> {
        // An odd number, so that no name is 0.
        let name = (child.0 ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Place { slot: &self.0[(name >> 32) as usize % SLOTS], name }
    }
}

impl<'a> Place<'a> {
    /// Whether a thread is there.
    #[inline(always)]
    pub fn is_taken(self) -> bool {
        self.slot.load(Relaxed) == self.name
    }

    /// Goes there.
    #[inline(always)]
    pub fn stay(self) -> Stay<'a> {
        let is_free = self.slot.load(Relaxed) == 0;
        if is_free {
            self.slot.store(self.name, Relaxed);
        }
        Stay(is_free.then_some(self.slot))
    }
}

impl Drop for Stay<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.store(0, Relaxed);
        }
    }
}

/// The order in which the moves of a node are looked at: one after the other, then those that were put off.
pub(super) struct Queue {
    next: usize,
    count: usize,
    /// One bit a move.
    put_off: u64,
}

impl Queue {
    /// So many moves in their order.
    #[inline(always)]
    pub fn new(count: usize) -> Queue {
        Queue { next: 0, count, put_off: 0 }
    }

    /// The number of the next move, and whether it was put off before.
    #[inline(always)]
    pub fn next(&mut self) -> Option<(usize, bool)> {
        if self.next < self.count {
            self.next += 1;
            return Some((self.next - 1, false));
        }
        let index = self.put_off.trailing_zeros();
        self.put_off &= self.put_off.wrapping_sub(1);
        (index < u64::BITS).then_some((index as usize, true))
    }

    /// Lets a move come again after all others. `false` if it is so late that there is nothing to be won.
    #[inline(always)]
    pub fn put_off(&mut self, index: usize) -> bool {
        let bit = u32::try_from(index).ok().and_then(|index| 1u64.checked_shl(index));
        self.put_off |= bit.unwrap_or(0);
        bit.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_taken_while_a_thread_stays_there() {
        let places = Places::new();
        let place = places.of(Key(77), 9);
        assert!(!place.is_taken());
        {
            let _stay = place.stay();
            assert!(place.is_taken());
            assert!(!places.of(Key(77), 8).is_taken(), "another depth is another search");
            assert!(!places.of(Key(78), 9).is_taken());
            drop(place.stay());
            assert!(place.is_taken(), "who came second does not take the first one away");
        }
        assert!(!place.is_taken());
    }

    #[test]
    fn moves_come_in_order_and_those_put_off_at_the_end() {
        let mut queue = Queue::new(70);
        let mut order = Vec::new();
        while let Some((index, again)) = queue.next() {
            if !again && [3, 5, 63, 64].contains(&index) && queue.put_off(index) {
                continue;
            }
            order.push(index);
        }
        let wanted: Vec<usize> = (0..70).filter(|index| ![3, 5, 63].contains(index)).chain([3, 5, 63]).collect();
        assert_eq!(order, wanted);
        assert_eq!(Queue::new(0).next(), None);
    }
}
