//! Wuri: Oware in the Abapa form (W1 to W9).

use std::ops::ControlFlow;

use super::history::DrawLimits;
use super::lanes;
use super::notation::{Fields, PositionError, TokenLayout};
use super::outcome::{HalfSeeds, Outcome, Reason};
use super::trace::Observer;
use super::two_row::{self, Board, GrandSlam, Sown, Turn, TwoRow};
use super::{Child, Move, Origin, Refusal, Rules, both, playstrategy};
use crate::units::{Key, MoveText, OptionKind, OptionSpec, OptionValues, PerSeat, Variant};

/// Pits a side.
const PITS: usize = 6;
/// All seeds of the game.
const SEEDS: u8 = 48;
/// With more than this in a store the game is won (W7).
const HALF: u8 = SEEDS / 2;
/// The pits of a row.
const ROW: u64 = lanes::lowest(PITS);

/// Who gets the seeds in the pits when the game ends in a cycle (W8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleAward {
    /// Each side those of its own row.
    OwnRow,
    /// Half of them each.
    Split,
}

impl CycleAward {
    const ALL: [CycleAward; 2] = [CycleAward::OwnRow, CycleAward::Split];
    const CHOICES: &'static [&'static str] = &["own-row", "split"];
}

/// Wuri. With `STANDARD` the grand slam rule is the default one and compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Wuri<const STANDARD: bool> {
    grand_slam: GrandSlam,
    repetition: u32,
    award: CycleAward,
}

impl<const STANDARD: bool> TwoRow<PITS> for Wuri<STANDARD> {
    #[inline(always)]
    fn grand_slam(&self) -> GrandSlam {
        if STANDARD { GrandSlam::NoCapture } else { self.grand_slam }
    }

    fn balance(&self, seeds: HalfSeeds) -> i8 {
        // W9
        seeds.cmp(&HalfSeeds::whole(HALF.into())) as i8
    }

    #[inline(always)]
    fn playable(board: Board) -> u64 {
        two_row::feeding::<PITS>(board)
    }

    fn splits_cycles(&self) -> bool {
        self.award == CycleAward::Split
    }

    #[inline(always)]
    fn sow<O: Observer>(board: Board, pit: usize, observer: &mut O) -> Sown {
        let sown = two_row::sowings::<PITS>().sow(board, pit);
        two_row::tell_whole_lap::<PITS, O>(board, pit, sown.board, observer);
        sown
    }

    #[inline(always)]
    fn chain(Sown { board, reach }: Sown) -> u64 {
        // W3: two and three differ in the lowest bit alone.
        let safe = lanes::occupied((board.other & ROW & lanes::splat(0xfe)) ^ lanes::splat(2));
        two_row::chain(reach, safe)
    }

    #[inline(always)]
    fn turn<O: Observer>(board: Board, pit: usize, slam_takes: bool, observer: &mut O) -> Turn {
        let sown = Self::sow(board, pit, observer);
        let mut turn = Turn::capture::<PITS, O>(sown.board, Self::chain(sown), slam_takes, observer);
        if turn.child.captured > 0 {
            turn.child.end = is_counted_out(turn.child.position).then_some(Reason::Count);
        }
        turn
    }
}

/// Whether the stores end the game (W7).
#[inline(always)]
fn is_counted_out(board: Board) -> bool {
    // The store is the highest lane, so whole halves compare as their stores do.
    const EVEN: u64 = (HALF as u64) << 56;
    const WON: u64 = (HALF as u64 + 1) << 56;
    board.own.max(board.other) >= WON || board.own.min(board.other) >= EVEN
}

impl<const STANDARD: bool> Rules for Wuri<STANDARD> {
    const VARIANT: Variant = Variant::Wuri;
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec {
            name: "Wuri_GrandSlam",
            kind: OptionKind::Combo { choices: GrandSlam::CHOICES },
            about: "a move that would capture all of the opponent's seeds (W4)",
        },
        OptionSpec {
            name: "Wuri_Repetition",
            kind: OptionKind::Combo { choices: &["2", "3"] },
            about: "the game ends when a position occurs this many times (W8)",
        },
        OptionSpec {
            name: "Wuri_RepetitionAward",
            kind: OptionKind::Combo { choices: CycleAward::CHOICES },
            about: "who gets the seeds in the pits when the game ends by repetition (W8)",
        },
    ];
    const LAYOUT: TokenLayout = TokenLayout { pits: PITS, rows: 1, largest_mark: None, extra: "stores" };

    type Position = Board;

    fn with_options(options: &OptionValues) -> Self {
        Wuri {
            grand_slam: GrandSlam::ALL[options.choice("Wuri_GrandSlam")],
            repetition: [2, 3][options.choice("Wuri_Repetition")],
            award: CycleAward::ALL[options.choice("Wuri_RepetitionAward")],
        }
    }

    fn start(&self) -> Board {
        Board::new(both(&[4; PITS]), both(0))
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
        if is_counted_out(*board) {
            Some(Reason::Count)
        } else if self.count_moves(board) == 0 {
            Some(Reason::NoMove)
        } else {
            None
        }
    }

    fn outcome(&self, board: &Board, reason: Reason) -> Outcome {
        let seeds = match reason {
            // W7 leaves the pits to nobody.
            Reason::Count => board.kept(),
            Reason::Repetition if self.award == CycleAward::Split => {
                let (kept, rows) = (board.kept(), board.rows::<PITS>());
                let half = HalfSeeds(u16::from(rows.mover + rows.other));
                PerSeat { mover: kept.mover + half, other: kept.other + half }
            }
            _ => board.swept::<PITS>(),
        };
        // W9
        let points = PerSeat { mover: u8::from(seeds.mover > seeds.other), other: u8::from(seeds.other > seeds.mover) };
        Outcome { reason, seeds, points }
    }

    fn result_bounds(&self, board: &Board) -> (i8, i8) {
        // Half of all seeds in a store is at least a draw for its owner, however the rest falls.
        let stores = board.stores();
        (if stores.mover >= HALF { 0 } else { -1 }, if stores.other >= HALF { 0 } else { 1 })
    }

    fn draw_limits(&self) -> DrawLimits {
        DrawLimits { repetition: self.repetition, quiet: None, length: None }
    }

    #[inline(always)]
    fn key(&self, board: &Board) -> Key {
        // The house rules are in the seed, so that no value is taken for one of another ruleset.
        let seed = self.grand_slam() as u64 | u64::from(self.repetition) << 8 | (self.award as u64) << 16;
        Key(lanes::mix(board.own, board.other, seed << 32 | u64::from(b'w')))
    }

    #[inline(always)]
    fn repetition_key(&self, board: &Board) -> Key {
        board.repetition_key::<PITS>()
    }

    fn fields(&self, board: &Board) -> Fields {
        two_row::fields::<PITS>(board)
    }

    fn token_of(text: &str) -> Option<Result<String, PositionError>> {
        Some(playstrategy::token_of(text))
    }

    fn assemble(&self, fields: &Fields) -> Result<Board, PositionError> {
        two_row::assemble::<PITS>(fields, SEEDS)
    }

    #[inline(always)]
    fn origin(&self, board: &Board, mv: Move) -> Origin {
        two_row::lift(board, mv)
    }
}
