//! What the four-row games share: a ring of sixteen pits a side, one lap, the relay, and sowings that never end.
//!
//! A ring is sixteen byte lanes in the order of sowing, so a lap is one row of a table added to it.

use super::lanes;
use super::trace::Endless;
use crate::units::{Key, Pit};

/// The sixteen pits of one player, lane 0 being the first in the order of sowing.
pub type Ring = u128;

/// The game is drawn after so many plies (O17, K12).
pub const LENGTH: u32 = 2000;

/// The most seeds that a hand can hold, and one more.
const HANDS: usize = 128;

/// What a lap adds to each lane.
struct Laps([[Ring; HANDS]; 16]);

/// Hands sown from the lane after an origin.
static SOWN: Laps = Laps::new(false);
/// The same, the hand being lifted from the origin first.
static LIFTED_AND_SOWN: Laps = Laps::new(true);

impl Laps {
    const fn new(lifted: bool) -> Laps {
        let mut laps = [[0; HANDS]; 16];
        let mut origin = 0;
        while origin < 16 {
            let mut seeds = 0;
            let mut added: Ring = 0;
            while seeds < HANDS {
                let lift = if lifted { (seeds as Ring) << (8 * origin) } else { 0 };
                laps[origin][seeds] = added.wrapping_sub(lift);
                added = added.wrapping_add(1 << (8 * ((origin + seeds + 1) % 16)));
                seeds += 1;
            }
            origin += 1;
        }
        Laps(laps)
    }

    #[inline(always)]
    fn row(&self, origin: usize, seeds: u8) -> Ring {
        // The masks spare the bounds checks: no game has more than 64 seeds.
        self.0[origin & 15][usize::from(seeds) & (HANDS - 1)]
    }
}

/// Sows a hand forward from the lane after `origin`.
#[inline(always)]
pub fn sow(ring: Ring, origin: usize, seeds: u8) -> Ring {
    ring.wrapping_add(SOWN.row(origin, seeds))
}

/// Sows a hand backward from the lane before `origin`.
#[inline(always)]
pub fn sow_back(ring: Ring, origin: usize, seeds: u8) -> Ring {
    // These are the lanes that a forward lap reaches which ends just before the origin.
    ring.wrapping_add(SOWN.row(behind(origin, seeds) + 15, seeds))
}

/// Lifts all seeds of a lane, which holds `seeds`, and sows them forward.
#[inline(always)]
pub fn relay(ring: Ring, origin: usize, seeds: u8) -> Ring {
    ring.wrapping_add(LIFTED_AND_SOWN.row(origin, seeds))
}

/// The lane that a forward lap ends in.
#[inline(always)]
pub const fn ahead(origin: usize, seeds: u8) -> usize {
    (origin + seeds as usize) & 15
}

/// The lane that a backward lap ends in.
#[inline(always)]
pub const fn behind(origin: usize, seeds: u8) -> usize {
    origin.wrapping_sub(seeds as usize) & 15
}

/// The seeds in a lane.
#[inline(always)]
pub const fn seeds(ring: Ring, lane: usize) -> u8 {
    let half = if lane & 8 == 0 { low(ring) } else { high(ring) };
    lanes::lane(half, lane & 7)
}

/// The ring with a lane emptied.
#[inline(always)]
pub const fn emptied(ring: Ring, lane: usize) -> Ring {
    ring & !(0xff << (8 * lane))
}

/// Lanes 0 to 7.
pub const fn low(ring: Ring) -> u64 {
    ring as u64
}

/// Lanes 8 to 15.
pub const fn high(ring: Ring) -> u64 {
    (ring >> 64) as u64
}

/// The sum of all lanes; 64 at most.
pub const fn sum(ring: Ring) -> u8 {
    lanes::sum(low(ring)) + lanes::sum(high(ring))
}

/// A hash of two rings, good in all its bits.
#[inline(always)]
pub const fn key(own: Ring, other: Ring, seed: u64) -> Key {
    let own = lanes::mix(low(own), high(own), seed);
    Key(lanes::mix(low(other), high(other), own))
}

/// The pits of a ring in letter order.
pub fn pits(ring: Ring, lane_of: impl Fn(Pit) -> usize) -> [u8; 16] {
    std::array::from_fn(|letter| seeds(ring, lane_of(Pit(letter as u8))))
}

/// The ring with these pits in letter order.
pub fn ring(pits: [u8; 16], pit_in: impl Fn(usize) -> Pit) -> Ring {
    Ring::from_le_bytes(std::array::from_fn(|lane| pits[usize::from(pit_in(lane).0)]))
}

/// Laps that are sown before anybody looks for a cycle; nearly all turns end sooner.
const UNWATCHED: u32 = 64;

/// Laps that are sown beyond the limit to find the cycle of a turn (O20): enough for each cycle of half as many.
const BEYOND: u32 = 1 << 20;

/// Counts the laps of a turn against its limit, and looks for a cycle once it grows long (O15).
///
/// A run of relays without a capture depends on one ring alone, so a state that comes back proves that it never ends.
/// The state kept for comparison is renewed whenever the count of laps has doubled (R. P. Brent, 1980), so a cycle may
/// need four times its laps to be seen: one that the limit leaves no room for is found by playing on.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    limit: u32,
    laps: u32,
    /// The count of laps at which the next look is due.
    due: u32,
    kept: Kept,
    cycle: Option<u32>,
}

/// A state of a run, to be met again.
#[derive(Clone, Copy, Debug)]
struct Kept {
    ring: Ring,
    landing: usize,
    laps: u32,
    choices: usize,
}

impl Watch {
    /// A turn that has not begun.
    pub fn new(limit: u32) -> Watch {
        let kept = Kept { ring: 0, landing: 0, laps: 0, choices: 0 };
        Watch { limit, laps: 0, due: UNWATCHED.min(limit), kept, cycle: None }
    }

    /// A turn that has reached its limit and is played on to see whether it comes back.
    pub fn beyond_the_limit() -> Watch {
        Watch::new(BEYOND)
    }

    /// Counts one lap.
    #[inline(always)]
    pub fn count_lap(&mut self) {
        self.laps += 1;
    }

    /// Whether the lap just counted, which ended in an occupied pit, was the last that is allowed.
    ///
    /// `choices` is how many choices the player has had: laps of a proved cycle are skipped only where it holds none.
    #[inline(always)]
    pub fn is_over(&mut self, ring: Ring, landing: usize, choices: usize) -> bool {
        self.laps >= self.due && self.look(ring, landing, choices)
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self, ring: Ring, landing: usize, choices: usize) -> bool {
        if self.kept.laps > 0 && self.kept.ring == ring && self.kept.landing == landing {
            let cycle = self.laps - self.kept.laps;
            self.cycle = Some(cycle);
            if self.kept.choices == choices {
                self.laps += (self.limit - self.laps) / cycle * cycle;
            }
            self.kept = Kept { ring, landing, laps: self.laps, choices };
        } else if self.laps >= 2 * self.kept.laps {
            self.kept = Kept { ring, landing, laps: self.laps, choices };
        }
        self.due = self.laps + 1;
        self.laps >= self.limit
    }

    /// What is known of a turn whose limit is reached, and that was then played on like this (O20).
    pub fn endless(&self, beyond: &Watch) -> Endless {
        beyond.cycle.map_or(Endless::Unproved(self.laps), Endless::Cycle)
    }

    /// The laps counted so far.
    pub fn laps(&self) -> u32 {
        self.laps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(pits: [u8; 16]) -> Ring {
        Ring::from_le_bytes(pits)
    }

    #[test]
    fn laps_go_round_the_ring_both_ways() {
        let one = ring([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0]);
        assert_eq!(relay(one, 14, 3), ring([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
        assert_eq!((ahead(14, 3), behind(1, 3)), (1, 14));
        assert_eq!(sow_back(0, 1, 3), ring([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]));
        assert_eq!(sow(0, 0, 18), ring([1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]));
        assert_eq!(sow_back(0, 0, 17), ring([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]));
    }

    #[test]
    fn sixteen_seeds_end_in_the_origin() {
        let all = relay(ring([0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 3, 16);
        assert_eq!((all, ahead(3, 16)), (ring([1; 16]), 3));
    }
}
