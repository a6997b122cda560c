//! Wuri: Oware in the Abapa form (W1 to W9).

use std::ops::ControlFlow;

use super::history::DrawLimits;
use super::lanes;
use super::notation::{Fields, PositionError, TokenLayout, plain_pit};
use super::outcome::{HalfSeeds, Outcome, Reason};
use super::trace::{Observer, Place, Seat, Step};
use super::two_row::{Board, SowingTable, chain, landing};
use super::{Child, Lift, Move, Refusal, Rules, both};
use crate::units::{Direction, Key, MoveText, OptionKind, OptionSpec, OptionValues, PerSeat, Pit, Variant};

/// Pits a side.
const PITS: usize = 6;
/// All seeds of the game.
const SEEDS: u8 = 48;
/// With more than this in a store the game is won (W7).
const HALF: u8 = SEEDS / 2;
/// The pits of a row.
const ROW: u64 = lanes::lowest(PITS);

static SOWINGS: SowingTable = SowingTable::new(PITS);

/// What becomes of a move that would capture all of the opponent's seeds (W4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GrandSlam {
    /// It is legal and captures nothing.
    NoCapture,
    /// It is not legal.
    Illegal,
    /// It is not legal unless there is nothing else, and captures then.
    IllegalUnlessOnly,
    /// It captures, and so ends the game.
    Capture,
}

impl GrandSlam {
    const ALL: [GrandSlam; 4] =
        [GrandSlam::NoCapture, GrandSlam::Illegal, GrandSlam::IllegalUnlessOnly, GrandSlam::Capture];
    const CHOICES: &'static [&'static str] = &["no-capture", "illegal", "illegal-unless-only", "capture"];
}

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

/// Makes the two-row games: what a move did before it is handed on.
struct Turn {
    child: Child<Board>,
    /// The chain would have taken every seed of the opponent.
    slam: bool,
}

impl<const STANDARD: bool> Wuri<STANDARD> {
    #[inline(always)]
    fn grand_slam(&self) -> GrandSlam {
        if STANDARD { GrandSlam::NoCapture } else { self.grand_slam }
    }

    /// Sows one pit and captures; a grand slam takes its chain only if `slam_takes`.
    #[inline(always)]
    fn turn(board: Board, pit: usize, slam_takes: bool) -> Turn {
        let (sown, reach) = SOWINGS.sow(board, pit);
        // Two and three differ in the lowest bit alone.
        let safe = lanes::occupied((sown.other & ROW & lanes::splat(0xfe)) ^ lanes::splat(2));
        let taken = chain(reach, safe);
        let slam = sown.other & ROW & !taken == 0;
        if taken == 0 || (slam && !slam_takes) {
            // The last seed fell in an own pit where the other row is empty: that is no slam.
            let slam = slam && taken != 0;
            return Turn { child: Child { position: sown.turned(), captured: 0, end: None }, slam };
        }
        let captured = lanes::sum(sown.other & taken);
        let after = Board { own: sown.own, other: sown.other & !taken }.banked(captured);
        let end = is_counted_out(after).then_some(Reason::Count);
        Turn { child: Child { position: after.turned(), captured, end }, slam }
    }

    /// The top bit of each of the mover's lanes that W5 lets him play.
    #[inline(always)]
    fn playable(board: Board) -> u64 {
        if board.other & ROW != 0 {
            return lanes::occupied(board.own & ROW);
        }
        // Pit A needs six seeds to reach the other row, F one: what is missing to 128 is added.
        const DISTANCES: u64 = u64::from_le_bytes([122, 123, 124, 125, 126, 127, 0, 0]);
        ((board.own & ROW) + DISTANCES) & lanes::TOPS
    }

    /// The top bits of the mover's legal moves, and whether a grand slam takes its chain here (W4).
    #[inline(always)]
    fn legal(&self, board: Board) -> (u64, bool) {
        let playable = Self::playable(board);
        match self.grand_slam() {
            GrandSlam::NoCapture => (playable, false),
            GrandSlam::Capture => (playable, true),
            GrandSlam::Illegal => (playable & !Self::slams(board, playable), false),
            GrandSlam::IllegalUnlessOnly => {
                let rest = playable & !Self::slams(board, playable);
                if rest == 0 { (playable, true) } else { (rest, false) }
            }
        }
    }

    /// Those of the playable moves that are grand slams.
    fn slams(board: Board, playable: u64) -> u64 {
        pits_of(playable)
            .filter(|&pit| Self::turn(board, pit, false).slam)
            .fold(0, |tops, pit| tops | 0x80 << (8 * pit))
    }
}

/// The pits whose lanes have their top bit set, in letter order.
#[inline(always)]
fn pits_of(mut tops: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let pit = (tops != 0).then(|| tops.trailing_zeros() as usize / 8)?;
        tops &= tops - 1;
        Some(pit)
    })
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
            about: "the game ends when a position comes up for this many times (W8)",
        },
        OptionSpec {
            name: "Wuri_RepetitionAward",
            kind: OptionKind::Combo { choices: CycleAward::CHOICES },
            about: "who gets the seeds in the pits when the game ends by repetition (W8)",
        },
    ];
    const LAYOUT: TokenLayout = TokenLayout { pits: PITS, rows: 1, largest_mark: None };

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
    fn expand<B>(&self, board: &Board, mut visit: impl FnMut(Move, &Child<Board>) -> ControlFlow<B>) -> ControlFlow<B> {
        let (legal, slam_takes) = self.legal(*board);
        for pit in pits_of(legal) {
            visit(Move::plain(Pit(pit as u8)), &Self::turn(*board, pit, slam_takes).child)?;
        }
        ControlFlow::Continue(())
    }

    fn play(&self, board: &Board, mv: Move, observer: &mut impl Observer) -> Child<Board> {
        let pit = usize::from(mv.pit().0);
        let turn = Self::turn(*board, pit, self.legal(*board).1);
        tell(board, pit, &turn, observer);
        turn.child
    }

    fn resolve(&self, board: &Board, text: &MoveText) -> Result<Move, Refusal> {
        let pit = plain_pit(text, PITS as u8)?;
        let top = 0x80 << (8 * pit.0);
        let playable = Self::playable(*board);
        if self.legal(*board).0 & top != 0 {
            Ok(Move::plain(pit))
        } else if lanes::lane(board.own, usize::from(pit.0)) == 0 {
            Err(Refusal::Empty)
        } else if playable & top == 0 {
            Err(Refusal::MustFeed)
        } else {
            Err(Refusal::GrandSlam)
        }
    }

    #[inline(always)]
    fn count_moves(&self, board: &Board) -> u64 {
        lanes::count(self.legal(*board).0)
    }

    fn judge(&self, board: &Board) -> Option<Reason> {
        if is_counted_out(*board) {
            Some(Reason::Count)
        } else if self.count_moves(board) == 0 {
            Some(Reason::NoMove)
        } else {
            None
        }
    }

    fn outcome(&self, board: &Board, reason: Reason) -> Outcome {
        let stores = board.stores();
        let rows = board.rows::<PITS>();
        // W7 leaves the pits to nobody, W6 and W8 give each side its row.
        let award = match reason {
            Reason::Count => both(HalfSeeds(0)),
            Reason::Repetition if self.award == CycleAward::Split => {
                both(HalfSeeds(u16::from(rows.mover + rows.other)))
            }
            _ => PerSeat { mover: HalfSeeds::whole(rows.mover.into()), other: HalfSeeds::whole(rows.other.into()) },
        };
        let seeds = PerSeat {
            mover: HalfSeeds::whole(stores.mover.into()) + award.mover,
            other: HalfSeeds::whole(stores.other.into()) + award.other,
        };
        // W9
        let points = PerSeat { mover: u8::from(seeds.mover > seeds.other), other: u8::from(seeds.other > seeds.mover) };
        Outcome { reason, seeds, points }
    }

    fn prospects(&self, board: &Board) -> (i8, i8) {
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
        Key(lanes::mix(board.own & ROW, board.other & ROW, 0))
    }

    fn fields(&self, board: &Board) -> Fields {
        let row = |half: u64| {
            let mut pits = [0; 16];
            pits[..PITS].copy_from_slice(&half.to_le_bytes()[..PITS]);
            pits
        };
        Fields { pits: PerSeat { mover: row(board.own), other: row(board.other) }, extra: board.stores(), mark: None }
    }

    fn assemble(&self, fields: &Fields) -> Result<Board, PositionError> {
        let pits = PerSeat { mover: &fields.pits.mover[..PITS], other: &fields.pits.other[..PITS] };
        let counts = pits.mover.iter().chain(pits.other).chain([&fields.extra.mover, &fields.extra.other]);
        let found = counts.map(|&count| u32::from(count)).sum();
        if found != u32::from(SEEDS) {
            return Err(PositionError::Total { found, wanted: SEEDS.into() });
        }
        Ok(Board::new(pits, fields.extra))
    }

    #[inline(always)]
    fn lifted(&self, board: &Board, mv: Move) -> Lift {
        Lift { pit: mv.pit(), seeds: lanes::lane(board.own, usize::from(mv.pit().0)) }
    }
}

/// Tells the steps of a turn from `pit`.
fn tell(board: &Board, pit: usize, turn: &Turn, observer: &mut impl Observer) {
    let place = |round: usize| Place {
        seat: if round < PITS { Seat::Mover } else { Seat::Other },
        pit: Pit((round % PITS) as u8),
    };
    let hand = lanes::lane(board.own, pit);
    let last = landing(PITS, pit, hand.into());
    let (sown, _) = SOWINGS.sow(*board, pit);
    let count = |round: usize| lanes::lane(if round < PITS { sown.own } else { sown.other }, round % PITS);
    observer.step(Step::Lap {
        origin: place(pit),
        hand,
        direction: Direction::CounterClockwise,
        landing: place(last),
        count: count(last),
    });
    if turn.child.captured > 0 {
        let mut left = turn.child.captured;
        let chain = (PITS..=last).rev().map_while(|round| {
            left = (left > 0).then(|| left - count(round))?;
            Some((place(round), count(round)))
        });
        observer.step(Step::Capture(chain.collect()));
    } else if turn.slam {
        observer.step(Step::Slam);
    }
    observer.step(Step::End);
}
