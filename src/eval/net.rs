//! A learned evaluation: a small network whose first layer is looked up.
//!
//! Each slot of a position has a row of weights for each number in it. A slot is a pit, a store or a reserve, and its number is its seeds; or
//! on four rows a column of two pits, since what stands in the one decides what the other risks. The rows of a position are summed in
//! lanes of 16 bits; the first lane counts as it is and the others clipped to 0 up to [`ONE`]; each has a weight, and the weighted
//! sum is what the position is worth. All is whole numbers, so every machine finds the same.
//!
//! `scripts/train.py` makes the weights from what `empiki datagen` writes. A file of them begins with what they were made from; it
//! is read while the program is compiled, so that a file that does not fit is an error of the compiler.

use crate::rules::four_row::Ring;
use crate::rules::lanes;
use crate::rules::two_row::Board;

/// What stands for 1 in a lane.
const ONE: i16 = 1024;
/// Numbers that a slot may have.
const COUNTS: usize = 64;
/// A pit of a column counts as no more than this.
const COLUMN: u8 = 7;
const _: () = assert!((COLUMN as usize + 1).pow(2) == COUNTS);

/// Lanes that are added at once.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Row<const LANES: usize>([i16; LANES]);

/// The weights for positions of so many slots.
pub(super) struct Net<const SLOTS: usize, const LANES: usize> {
    rows: [[Row<LANES>; COUNTS]; SLOTS],
    out: [i16; LANES],
    bias: i32,
}

impl<const SLOTS: usize, const LANES: usize> Net<SLOTS, LANES> {
    /// Reads the weights of a ruleset.
    ///
    /// # Panics
    /// If the file is of another ruleset, does not have just so many slots and lanes, or a sum of its rows might not fit.
    pub const fn read(text: &str, ruleset: &str) -> Self {
        let mut reader = Reader::new(text.as_bytes(), ruleset.as_bytes());
        let mut rows = [[Row([0; LANES]); COUNTS]; SLOTS];
        let mut largest = [0; LANES];
        let mut slot = 0;
        while slot < SLOTS {
            reader.slot(&mut rows[slot], &mut largest);
            slot += 1;
        }
        let mut out = [0; LANES];
        let mut lane = 0;
        while lane < LANES {
            assert!(largest[lane] <= i16::MAX as i32, "a sum of rows does not fit in its lane");
            out[lane] = reader.small();
            lane += 1;
        }
        let bias = reader.number();
        assert!(reader.is_at_end(), "the weights have more lanes or slots than that");
        Net { rows, out, bias }
    }

    /// What a position with these numbers in its slots is worth.
    #[inline(always)]
    pub fn value(&self, counts: &[u8; SLOTS]) -> i32 {
        let mut lanes = [0; LANES];
        for (rows, &count) in self.rows.iter().zip(counts) {
            // The mask spares the bounds check: no column has a higher number, no game more than 64 seeds, and none all in one place.
            let row = &rows[usize::from(count) & (COUNTS - 1)];
            for (lane, weight) in lanes.iter_mut().zip(&row.0) {
                *lane += weight;
            }
        }
        let mut sum = self.bias * i32::from(ONE);
        for (index, (lane, weight)) in lanes.iter().zip(&self.out).enumerate() {
            let clipped = if index == 0 { *lane } else { (*lane).clamp(0, ONE) };
            sum += i32::from(clipped) * i32::from(*weight);
        }
        sum / i32::from(ONE)
    }
}

/// Reads the numbers of a file one by one.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

/// The line before the numbers.
const MARK: &[u8] = b"\nweights\n";

impl<'a> Reader<'a> {
    const fn new(text: &'a [u8], ruleset: &[u8]) -> Reader<'a> {
        assert!(holds(text, 0, b"ruleset "), "the file begins with its ruleset");
        assert!(holds(text, 8, ruleset) && text[8 + ruleset.len()] == b'\n', "the weights are of another ruleset");
        let mut at = 0;
        while !holds(text, at, MARK) {
            at += 1;
        }
        Reader { text, at: at + MARK.len() }
    }

    /// The rows of one slot: how many there are, and each; the last one counts for all higher counts too.
    const fn slot<const LANES: usize>(&mut self, rows: &mut [Row<LANES>; COUNTS], largest: &mut [i32; LANES]) {
        let given = self.number() as usize;
        assert!(given >= 1 && given <= COUNTS, "a slot has a row, and no more than 64");
        let mut most = [0; LANES];
        let mut count = 0;
        while count < COUNTS {
            let mut lane = 0;
            while count < given && lane < LANES {
                let weight = self.small();
                rows[count].0[lane] = weight;
                let size = weight.unsigned_abs() as i32;
                most[lane] = if size > most[lane] { size } else { most[lane] };
                lane += 1;
            }
            if count >= given {
                rows[count] = rows[given - 1];
            }
            count += 1;
        }
        let mut lane = 0;
        while lane < LANES {
            largest[lane] += most[lane];
            lane += 1;
        }
    }

    const fn small(&mut self) -> i16 {
        let number = self.number();
        assert!(number as i16 as i32 == number, "a weight does not fit in its lane");
        number as i16
    }

    /// The next number, and the blank or line end after it.
    const fn number(&mut self) -> i32 {
        let negative = self.text[self.at] == b'-';
        self.at += negative as usize;
        let mut number = 0;
        while self.text[self.at].is_ascii_digit() {
            number = number * 10 + (self.text[self.at] - b'0') as i32;
            self.at += 1;
        }
        assert!(matches!(self.text[self.at], b' ' | b'\n'), "weights are numbers");
        self.at += 1;
        if negative { -number } else { number }
    }

    const fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }
}

/// Whether the text goes on with a word at a place.
const fn holds(text: &[u8], at: usize, word: &[u8]) -> bool {
    let mut index = 0;
    while index < word.len() {
        if text[at + index] != word[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// The slots of a board with two rows: the mover's pits, those of the other, and their stores.
#[inline(always)]
pub(super) fn two_rows<const PITS: usize, const SLOTS: usize>(board: &Board) -> [u8; SLOTS] {
    const { assert!(SLOTS == 2 * PITS + 2, "a slot for each pit and store") };
    let (own, other) = (board.own.to_le_bytes(), board.other.to_le_bytes());
    let stores = board.stores();
    std::array::from_fn(|slot| match slot {
        pit if pit < PITS => own[pit],
        pit if pit < 2 * PITS => other[pit - PITS],
        store if store == 2 * PITS => stores.mover,
        _ => stores.other,
    })
}

/// The slots of a board with four rows: the mover's columns, those of the other, and two reserves.
#[inline(always)]
pub(super) fn four_rows(own: Ring, other: Ring, reserves: [u8; 2]) -> [u8; 18] {
    let (own, other) = (columns(own), columns(other));
    std::array::from_fn(|slot| match slot {
        0..8 => own[slot],
        8..16 => other[slot - 8],
        _ => reserves[slot - 16],
    })
}

/// The columns of one side by their front pits: the seeds in front, and eight times those behind.
#[inline(always)]
fn columns(ring: Ring) -> [u8; 8] {
    let (front, back) = (ring as u64, (ring >> 64) as u64);
    // The ring runs back behind the front row the other way.
    (lanes::at_most(front, COLUMN) | lanes::at_most(back, COLUMN).swap_bytes() << 3).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::PerSeat;

    const TEXT: &str = "ruleset toy\nloss 0\nweights\n2\n0 -512 300\n5 2048 400\n1\n-7 256 300\n512 2048 -1024\n9\n";
    static TOY: Net<2, 3> = Net::read(TEXT, "toy");

    #[test]
    fn lanes_are_summed_clipped_and_weighed() {
        // The first lane as it is, the second clipped from below to 0, the third within its bounds.
        assert_eq!(TOY.value(&[0, 0]), (9 * 1024 - 7 * 512 - 600 * 1024) / 1024);
        // The second clipped from above to 1024; a count above all rows has the last one.
        assert_eq!(TOY.value(&[1, 9]), (9 * 1024 - 2 * 512 + 1024 * 2048 - 700 * 1024) / 1024);
        assert_eq!(TOY.value(&[60, 3]), TOY.value(&[1, 0]));
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused() {
        let refused = |text: &str, ruleset: &str| {
            let (text, ruleset) = (text.to_owned(), ruleset.to_owned());
            std::panic::catch_unwind(move || Net::<2, 3>::read(&text, &ruleset)).is_err()
        };
        assert!(!refused(TEXT, "toy"));
        assert!(refused(TEXT, "to") && refused(TEXT, "toy;Seeds=4"), "another ruleset");
        assert!(refused(&TEXT.replace("\n9\n", "\n9\n9\n"), "toy"), "more numbers");
        assert!(refused(&TEXT.replace("\n9\n", "\n"), "toy"), "fewer numbers");
        assert!(refused(&TEXT.replace("2048 400", "32767 400"), "toy"), "a sum that does not fit");
    }

    #[test]
    fn the_slots_of_a_board_are_its_pits_and_stores() {
        let board = Board::new(
            PerSeat { mover: &[1, 2, 3, 4, 5, 6], other: &[7, 8, 9, 0, 1, 2] },
            PerSeat { mover: 20, other: 10 },
        );
        assert_eq!(two_rows::<6, 14>(&board), [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 20, 10]);
    }

    #[test]
    fn the_slots_of_four_rows_are_their_columns_and_reserves() {
        let own = Ring::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 2, 1, 0]);
        let other = Ring::from_le_bytes([8, 0, 0, 0, 0, 0, 0, 40, 9, 0, 0, 0, 0, 0, 0, 7]);
        let (first, second) = ([0, 1 + 8, 2 + 16, 3, 4, 5, 6, 7], [7 + 56, 0, 0, 0, 0, 0, 0, 7 + 56]);
        assert_eq!(four_rows(own, other, [22, 3]).to_vec(), [&first[..], &second, &[22, 3]].concat());
    }
}
