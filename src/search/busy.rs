//! The busy table of a search with several threads: which nodes are being searched now.
//!
//! A move whose node another thread is searching is deferred to the end of the move list; by then the transposition table mostly
//! knows its value. This is T. Kerrigan's simplified ABDADA (J.-C. Weill, 1996). It changes the order of moves and no value.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::units::Key;

/// Nodes with fewer plies left are searched too fast to be worth deferring.
pub(super) const LEAST_DEPTH: u8 = 6;

/// A thread searches as many nodes at once as its line has plies, so most slots are free.
const SLOTS: usize = 1 << 13;

/// The nodes that threads are searching. Of two nodes with one slot the second goes unnoticed.
pub(super) struct BusyTable(Vec<AtomicU64>);

/// The slot of a node: a position with the plies left to it.
#[derive(Clone, Copy)]
pub(super) struct BusySlot<'a> {
    slot: &'a AtomicU64,
    name: u64,
}

/// Marks a node as busy until it is dropped.
pub(super) struct BusyGuard<'a>(Option<&'a AtomicU64>);

impl BusyTable {
    /// A table without busy nodes.
    pub fn new() -> BusyTable {
        BusyTable((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The slot of a child, `depth` plies being left at its parent.
    #[inline(always)]
    pub fn of(&self, child: Key, depth: u8) -> BusySlot<'_> {
        // An odd number, so that no name is 0.
        let name = (child.0 ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        BusySlot { slot: &self.0[(name >> 32) as usize % SLOTS], name }
    }
}

impl<'a> BusySlot<'a> {
    /// Whether a thread is searching the node.
    #[inline(always)]
    pub fn is_busy(self) -> bool {
        self.slot.load(Relaxed) == self.name
    }

    /// Marks the node, if its slot is free.
    #[inline(always)]
    pub fn enter(self) -> BusyGuard<'a> {
        let is_free = self.slot.load(Relaxed) == 0;
        if is_free {
            self.slot.store(self.name, Relaxed);
        }
        BusyGuard(is_free.then_some(self.slot))
    }
}

impl Drop for BusyGuard<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.store(0, Relaxed);
        }
    }
}

/// The moves of a node in the order of search: one after the other, then the deferred ones.
pub(super) struct MoveQueue {
    next: usize,
    count: usize,
    /// One bit a move.
    defer: u64,
}

impl MoveQueue {
    /// A queue of this many moves.
    #[inline(always)]
    pub fn new(count: usize) -> MoveQueue {
        MoveQueue { next: 0, count, defer: 0 }
    }

    /// The number of the next move, and whether it was deferred before.
    #[inline(always)]
    pub fn next(&mut self) -> Option<(usize, bool)> {
        if self.next < self.count {
            self.next += 1;
            return Some((self.next - 1, false));
        }
        let index = self.defer.trailing_zeros();
        self.defer &= self.defer.wrapping_sub(1);
        (index < u64::BITS).then_some((index as usize, true))
    }

    /// Lets a move come again after all others. `false` for a move beyond the 64th.
    #[inline(always)]
    pub fn defer(&mut self, index: usize) -> bool {
        let bit = u32::try_from(index).ok().and_then(|index| 1u64.checked_shl(index));
        self.defer |= bit.unwrap_or(0);
        bit.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_taken_while_a_thread_stays_there() {
        let busy = BusyTable::new();
        let place = busy.of(Key(77), 9);
        assert!(!place.is_busy());
        {
            let _guard = place.enter();
            assert!(place.is_busy());
            assert!(!busy.of(Key(77), 8).is_busy(), "another depth is another search");
            assert!(!busy.of(Key(78), 9).is_busy());
            drop(place.enter());
            assert!(place.is_busy(), "who came second does not take the first one away");
        }
        assert!(!place.is_busy());
    }

    #[test]
    fn moves_come_in_order_and_those_put_off_at_the_end() {
        let mut queue = MoveQueue::new(70);
        let mut order = Vec::new();
        while let Some((index, again)) = queue.next() {
            if !again && [3, 5, 63, 64].contains(&index) && queue.defer(index) {
                continue;
            }
            order.push(index);
        }
        let wanted: Vec<usize> = (0..70).filter(|index| ![3, 5, 63].contains(index)).chain([3, 5, 63]).collect();
        assert_eq!(order, wanted);
        assert_eq!(MoveQueue::new(0).next(), None);
    }
}
