//! Urim, on two rows of six or seven pits (U1 to U12).

use std::ops::ControlFlow;

use super::history::DrawLimits;
use super::lanes;
use super::notation::{Fields, PositionError, TokenLayout};
use super::outcome::{HalfSeeds, Outcome, Reason};
use super::trace::{Observer, Step};
use super::two_row::{self, Board, GrandSlam, Sown, TwoRow};
use super::{Child, Move, Origin, Refusal, Rules, both};
use crate::units::{Key, MoveText, OptionKind, OptionSpec, OptionValues, PerSeat, Variant};

#[cfg(test)]
mod tests;

/// The most seeds that a pit may hold (U3).
const FULL: u8 = 17;

/// Who gets the seeds in the pits when the player to move has no move (U8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMoveAward {
    /// Each side those of its own row.
    OwnRow,
    /// All go to the side that is not to move.
    Unfed,
}

impl NoMoveAward {
    const ALL: [NoMoveAward; 2] = [NoMoveAward::OwnRow, NoMoveAward::Unfed];
    const CHOICES: &'static [&'static str] = &["own-row", "unfed"];
}

/// The rule options, the same ones for both boards.
const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Urim_Seeds",
        kind: OptionKind::Combo { choices: &["3", "4"] },
        about: "seeds in each pit at the start (U1)",
    },
    OptionSpec {
        name: "Urim_GrandSlam",
        kind: OptionKind::Combo { choices: GrandSlam::CHOICES },
        about: "a move that would capture all of the opponent's seeds (U6)",
    },
    OptionSpec {
        name: "Urim_NoMoveAward",
        kind: OptionKind::Combo { choices: NoMoveAward::CHOICES },
        about: "who gets the seeds in the pits when there is no legal move (U8)",
    },
    OptionSpec {
        name: "Urim_Repetition",
        kind: OptionKind::Combo { choices: &["2", "3"] },
        about: "the game ends when a position occurs this many times (U9)",
    },
];

/// Urim with so many pits a side. With `STANDARD` the seeds and the grand slam rule are the default ones and compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Urim<const PITS: usize, const STANDARD: bool> {
    seeds: u8,
    grand_slam: GrandSlam,
    award: NoMoveAward,
    repetition: u32,
}

impl<const PITS: usize, const STANDARD: bool> Urim<PITS, STANDARD> {
    /// The pits of a row.
    const ROW: u64 = lanes::lowest(PITS);

    /// Seeds in each pit at the start (U1).
    fn seeds(&self) -> u8 {
        if STANDARD { 3 } else { self.seeds }
    }

    /// All seeds of the game.
    fn total(&self) -> u8 {
        2 * PITS as u8 * self.seeds()
    }

    /// The match points of a player who ends with so many seeds (U11).
    fn points(&self, seeds: HalfSeeds) -> u8 {
        let total = HalfSeeds::whole(self.total().into());
        u8::from(2 * seeds.0 > total.0) + u8::from(4 * seeds.0 >= 3 * total.0)
    }

    /// The playable pits where a full pit can carry a seed further than its distance (U7).
    #[cold]
    #[inline(never)]
    fn feeding_past_full_pits(board: Board) -> u64 {
        let occupied = lanes::occupied(board.own & Self::ROW);
        let feeds = |&pit: &usize| Self::sow(board, pit, &mut super::trace::Nobody).board.other & Self::ROW != 0;
        two_row::tops(two_row::pits_of(occupied).filter(feeds))
    }
}

/// The top bit of each pit that holds so many seeds or more.
#[inline(always)]
const fn at_least<const PITS: usize>(half: u64, seeds: u8) -> u64 {
    ((half & lanes::lowest(PITS)) + lanes::splat(128 - seeds)) & lanes::TOPS
}

/// Lifts all seeds of one of the mover's pits and sows them one by one, passing over the origin and each full pit (U3).
#[cold]
#[inline(never)]
fn sow_past_full_pits<const PITS: usize, O: Observer>(before: Board, origin: usize, observer: &mut O) -> Sown {
    let mut board = Board { own: before.own & !lanes::mask(origin), ..before };
    let mut landing = origin;
    let mut passed = [false; 16];
    for _ in 0..lanes::lane(before.own, origin) {
        let mut next = (1..2 * PITS).map(|steps| (landing + steps) % (2 * PITS));
        let room = next.find(|&pit| {
            let full = board.seeds_at::<PITS>(pit) >= FULL;
            passed[pit] |= full && pit != origin;
            !full && pit != origin
        });
        // Fifty-six seeds fill no more than three pits.
        landing = room.expect("a pit with room");
        let one = 1 << (8 * (landing % PITS));
        if landing < PITS { board.own += one } else { board.other += one }
    }
    if O::LISTENS {
        let full = (1..2 * PITS).map(|steps| (origin + steps) % (2 * PITS)).filter(|&pit| passed[pit]);
        full.for_each(|pit| observer.step(Step::Skip(two_row::place::<PITS>(pit))));
        two_row::tell_lap::<PITS>(before, origin, board, landing, observer);
    }
    Sown { board, reach: two_row::reach(PITS, landing) }
}

impl<const PITS: usize, const STANDARD: bool> TwoRow<PITS> for Urim<PITS, STANDARD> {
    const FULL: u8 = FULL;

    #[inline(always)]
    fn grand_slam(&self) -> GrandSlam {
        if STANDARD { GrandSlam::NoCapture } else { self.grand_slam }
    }

    fn balance(&self, seeds: HalfSeeds) -> i8 {
        let rest = HalfSeeds(2 * u16::from(self.total()) - seeds.0);
        self.points(seeds) as i8 - self.points(rest) as i8
    }

    #[inline(always)]
    fn playable(board: Board) -> u64 {
        // U7: distances are enough unless a full pit of the own row is in the way.
        if board.other & Self::ROW == 0 && at_least::<PITS>(board.own, FULL) != 0 {
            return Self::feeding_past_full_pits(board);
        }
        two_row::feeding::<PITS>(board)
    }

    #[inline(always)]
    fn sow<O: Observer>(board: Board, pit: usize, observer: &mut O) -> Sown {
        let sown = two_row::sowings::<PITS>().sow(board, pit);
        // U3: had the table sown a pit that it should have passed over, the pit would hold too many now.
        if at_least::<PITS>(sown.board.own, FULL + 1) | at_least::<PITS>(sown.board.other, FULL + 1) != 0 {
            return sow_past_full_pits::<PITS, O>(board, pit, observer);
        }
        two_row::tell_whole_lap::<PITS, O>(board, pit, sown.board, observer);
        sown
    }

    #[inline(always)]
    fn chain(Sown { board, reach }: Sown) -> u64 {
        let row = board.other & Self::ROW;
        // U5 takes up to 4, U4 only up to 3: one more than it holds stands for the pit of the last seed.
        let last = reach ^ reach >> 8;
        let more_than_four = row + (last & lanes::ONES) + lanes::splat(128 - 5);
        let safe = (more_than_four | !lanes::two_or_more(row)) & lanes::TOPS;
        two_row::chain(reach, safe)
    }
}

impl<const PITS: usize, const STANDARD: bool> Rules for Urim<PITS, STANDARD> {
    const VARIANT: Variant = if PITS == 6 { Variant::Urim } else { Variant::Urim7 };
    const OPTIONS: &'static [OptionSpec] = OPTIONS;
    const LAYOUT: TokenLayout = TokenLayout { pits: PITS, rows: 1, largest_mark: None, extra: "stores" };

    type Position = Board;

    fn with_options(options: &OptionValues) -> Self {
        Urim {
            seeds: [3, 4][options.choice("Urim_Seeds")],
            grand_slam: GrandSlam::ALL[options.choice("Urim_GrandSlam")],
            award: NoMoveAward::ALL[options.choice("Urim_NoMoveAward")],
            repetition: [2, 3][options.choice("Urim_Repetition")],
        }
    }

    fn start(&self) -> Board {
        Board::new(both(&[self.seeds(); PITS]), both(0))
    }

    #[inline(always)]
    fn expand<B>(&self, board: &Board, visit: impl FnMut(Move, &Child<Board>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.each_turn(board, visit)
    }

    fn play(&self, board: &Board, mv: Move, observer: &mut impl Observer) -> Child<Board> {
        self.one_turn(board, mv, observer)
    }

    fn resolve(&self, board: &Board, text: &MoveText) -> Result<Move, Refusal> {
        self.written(board, text)
    }

    #[inline(always)]
    fn count_moves(&self, board: &Board) -> u64 {
        lanes::count(self.legal(*board).0)
    }

    fn terminal(&self, board: &Board) -> Option<Reason> {
        // U10: no count of the stores ends the game.
        (self.count_moves(board) == 0).then_some(Reason::NoMove)
    }

    fn outcome(&self, board: &Board, reason: Reason) -> Outcome {
        let mut seeds = board.swept::<PITS>();
        if reason == Reason::NoMove && self.award == NoMoveAward::Unfed {
            seeds.mover = board.kept().mover;
            seeds.other = HalfSeeds::whole(u16::from(self.total() - board.stores().mover));
        }
        Outcome { reason, seeds, points: PerSeat { mover: self.points(seeds.mover), other: self.points(seeds.other) } }
    }

    fn result_bounds(&self, board: &Board) -> (i8, i8) {
        // U8 and U9 leave no seed to nobody: what one side does not get, the other does.
        let stores = board.stores();
        (
            self.balance(HalfSeeds::whole(stores.mover.into())),
            self.balance(HalfSeeds::whole((self.total() - stores.other).into())),
        )
    }

    fn draw_limits(&self) -> DrawLimits {
        DrawLimits { repetition: self.repetition, quiet: None, length: None }
    }

    #[inline(always)]
    fn key(&self, board: &Board) -> Key {
        // The house rules are in the seed, so that no value is taken for one of another ruleset.
        let rules = self.grand_slam() as u64
            | u64::from(self.repetition) << 8
            | (self.award as u64) << 16
            | u64::from(self.seeds()) << 20
            | (PITS as u64) << 24;
        Key(lanes::mix(board.own, board.other, rules << 32 | u64::from(b'u')))
    }

    #[inline(always)]
    fn repetition_key(&self, board: &Board) -> Key {
        board.repetition_key::<PITS>()
    }

    fn fields(&self, board: &Board) -> Fields {
        two_row::fields::<PITS>(board)
    }

    fn assemble(&self, fields: &Fields) -> Result<Board, PositionError> {
        let found = fields.pits.mover.into_iter().chain(fields.pits.other).max().unwrap_or(0);
        if found > FULL {
            return Err(PositionError::TooLarge { what: "seeds in a pit", found, largest: FULL });
        }
        two_row::assemble::<PITS>(fields, self.total())
    }

    #[inline(always)]
    fn origin(&self, board: &Board, mv: Move) -> Origin {
        two_row::lift(board, mv)
    }
}
