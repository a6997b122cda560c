//! What the four-row games share when they are played by hand.

use super::{Board, Book, Mutant};

/// The pits of a side in the order of sowing, by letter.
pub struct Path([usize; 16]);

impl Path {
    /// Counter-clockwise seen from above: the outer row left to right, the inner row back.
    pub fn counter_clockwise() -> Path {
        Path([8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1, 0])
    }

    /// The other way round.
    pub fn clockwise() -> Path {
        let mut pits = Path::counter_clockwise().0;
        pits.reverse();
        Path(pits)
    }

    /// The pit so many steps after one.
    pub fn after(&self, pit: usize, steps: usize) -> usize {
        let at = self.0.iter().position(|&other| other == pit).expect("a pit of the path");
        self.0[(at + steps) % 16]
    }

    /// Sows a hand after an origin: the pit of the last seed.
    pub fn sow(&self, book: &Book, pits: &mut [usize], origin: usize, hand: usize) -> usize {
        let mut landing = origin;
        for _ in 0..hand {
            landing = self.after(landing, 1);
            if landing == origin && book.errs(Mutant::OriginIsSkipped) {
                landing = self.after(landing, 1);
            }
            pits[landing] += 1;
        }
        landing
    }
}

/// The opponent's inner pit that faces an inner pit; the outer one behind it is eight letters further.
pub fn facing(book: &Book, pit: usize) -> usize {
    if book.errs(Mutant::FacesTheSameLetter) { pit } else { 7 - pit }
}

/// Whether a player's inner row is empty.
pub fn has_no_front(board: &Board, player: usize) -> bool {
    board.pits[player][..8].iter().all(|&seeds| seeds == 0)
}

/// What each side ends with, in halves of a seed: what lies on its side, and `reserves` if there are any.
pub fn halves(board: &Board, reserves: [usize; 2]) -> [usize; 2] {
    [0, 1].map(|player| 2 * (board.row(player) + reserves[player]))
}
