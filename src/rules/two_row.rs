//! What Wuri and Urim share: a board of two rows, the sowing that passes over its origin, and the capture chain.
//!
//! ```text
//!   f e d c b a      the other's row: lanes 0 to 5 of `other` are a to f
//!   A B C D E F      the mover's row: lanes 0 to 5 of `own` are A to F
//! ```
//!
//! Each half also holds its owner's store in its highest lane, so turning the board round is to exchange two words.

use super::lanes;
use crate::units::PerSeat;

/// The lane of a store.
const STORE: usize = 7;

/// A board of two rows seen by the player to move, eight byte lanes a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// The mover's pits, and the store in lane 7.
    pub own: u64,
    /// The other's pits and store.
    pub other: u64,
}

impl Board {
    /// A board from pits in letter order and stores.
    pub fn new(pits: PerSeat<&[u8]>, stores: PerSeat<u8>) -> Board {
        let half = |pits: &[u8], store: u8| {
            let store = u64::from(store) << (8 * STORE);
            pits.iter().rev().fold(0, |lanes, &seeds| lanes << 8 | u64::from(seeds)) | store
        };
        Board { own: half(pits.mover, stores.mover), other: half(pits.other, stores.other) }
    }

    /// The same board seen by the other player.
    #[must_use]
    pub const fn turned(self) -> Board {
        Board { own: self.other, other: self.own }
    }

    /// What each side has captured.
    pub const fn stores(self) -> PerSeat<u8> {
        PerSeat { mover: lanes::lane(self.own, STORE), other: lanes::lane(self.other, STORE) }
    }

    /// The seeds in each side's pits.
    pub const fn rows<const PITS: usize>(self) -> PerSeat<u8> {
        let row = lanes::lowest(PITS);
        PerSeat { mover: lanes::sum(self.own & row), other: lanes::sum(self.other & row) }
    }

    /// Adds seeds to the mover's store.
    #[must_use]
    pub const fn banked(self, seeds: u8) -> Board {
        Board { own: self.own + ((seeds as u64) << (8 * STORE)), other: self.other }
    }
}

/// What one sowing adds to each lane, and how far it reaches.
#[derive(Clone, Copy)]
pub struct Sowing {
    own: u64,
    other: u64,
    /// All lanes of the other row up to the one that the last seed fell in; none if it fell at home.
    pub reach: u64,
}

/// The sowings from each pit with each hand below 64, the origin passed over on each round (W2).
pub struct SowingTable([[Sowing; 64]; 8]);

impl SowingTable {
    /// The table of a board with `pits` pits a side.
    pub const fn new(pits: usize) -> SowingTable {
        let mut table = [[Sowing { own: 0, other: 0, reach: 0 }; 64]; 8];
        let mut pit = 0;
        while pit < pits {
            let mut seeds = 1;
            while seeds < 64 {
                // One seed more than the row before.
                table[pit][seeds] = table[pit][seeds - 1];
                let sowing = &mut table[pit][seeds];
                let landing = landing(pits, pit, seeds);
                if landing < pits {
                    sowing.own += 1 << (8 * landing);
                    sowing.reach = 0;
                } else {
                    sowing.other += 1 << (8 * (landing - pits));
                    sowing.reach = lanes::lowest(landing - pits + 1);
                }
                seeds += 1;
            }
            pit += 1;
        }
        SowingTable(table)
    }

    /// Lifts all seeds of one of the mover's pits and sows them.
    #[inline(always)]
    pub const fn sow(&self, board: Board, pit: usize) -> (Board, u64) {
        let seeds = lanes::lane(board.own, pit);
        // The masks spare the bounds checks: a board has at most 7 pits a side and 56 seeds.
        let sowing = &self.0[pit & 7][seeds as usize & 63];
        let own = (board.own & !lanes::mask(pit)) + sowing.own;
        (Board { own, other: board.other + sowing.other }, sowing.reach)
    }
}

/// Where the last of `seeds` seeds from `pit` falls, counted round the board of two times `pits` pits, origin passed over.
pub const fn landing(pits: usize, pit: usize, seeds: usize) -> usize {
    (pit + seeds + (seeds - 1) / (2 * pits - 1)) % (2 * pits)
}

/// The mask of the capture chain: the lanes that stand without a gap before the end of `reach` and are not among `safe`, whose
/// top bits mark pits that cannot be taken (W3).
#[inline(always)]
pub const fn chain(reach: u64, safe: u64) -> u64 {
    let safe = safe & reach;
    // Everything up to the highest safe lane stays.
    let kept = if safe == 0 { 0 } else { u64::MAX >> safe.leading_zeros() };
    reach & !kept
}
