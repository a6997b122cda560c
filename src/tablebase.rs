//! Endgame tables for the games on two rows: what each side can force once few seeds are left.
//!
//! A table has a layer for each number of seeds in the pits, and in it two bounds for every board, seen by the player to move in a
//! game whose history is empty there: what he can force, and what the other cannot keep from him. Stores do not count, and under a
//! rule that ends cycles the bounds hold for a set-up position and for one after a capture only: elsewhere a forced line
//! may run into a position that the game has already seen.

pub mod build;
pub mod file;
pub mod games;
pub mod index;
pub mod known;
pub mod layer;
pub mod probe;
pub mod refine;
pub mod retrograde;
pub mod unmove;
pub mod verify;

mod bytes;
mod parallel;
mod rows;

/// What the player to move gets of the seeds in the pits, in half seeds: at least `lower`, at most `upper`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bounds {
    /// What he can force.
    pub lower: u8,
    /// All seeds less what the other can force.
    pub upper: u8,
}

impl Bounds {
    /// Whether the value is known.
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// What the side gets that moved to a board with these bounds, of the `seeds` that were in the pits before the move.
    pub const fn of_the_other(self, seeds: u8) -> Bounds {
        Bounds { lower: 2 * seeds - self.upper, upper: 2 * seeds - self.lower }
    }
}

/// The bounds of all boards of one layer while they are worked out, in the order of [`index::rank`].
///
/// What tightens them may raise `lower` and reduce `upper`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// The seeds in the pits of every board.
    pub seeds: u8,
    /// [`Bounds::lower`], in half seeds.
    pub lower: Vec<u8>,
    /// [`Bounds::upper`], in half seeds.
    pub upper: Vec<u8>,
}
