//! What Wuri and Urim share: a board of two rows, the sowing that passes over its origin, and the capture chain.
//!
//! ```text
//!   f e d c b a      the other's row: lanes 0 to 5 of `other` are a to f
//!   A B C D E F      the mover's row: lanes 0 to 5 of `own` are A to F
//! ```
//!
//! Each half also holds its owner's store in its highest lane, so turning the board round is to exchange two words.

use std::ops::ControlFlow;

use super::lanes;
use super::notation::{Fields, PositionError, plain_pit};
use super::outcome::HalfSeeds;
use super::trace::{Nobody, Observer, Place, Seat, Step};
use super::{Child, Move, Origin, Refusal, Rules};
use crate::units::{Direction, Key, MoveText, PerSeat, Pit};

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

    /// What each side ends with if the pits go to nobody.
    pub fn kept(self) -> PerSeat<HalfSeeds> {
        let stores = self.stores();
        PerSeat { mover: HalfSeeds::whole(stores.mover.into()), other: HalfSeeds::whole(stores.other.into()) }
    }

    /// What each side ends with if it takes the seeds in its own row (W6, W8, U8, U9).
    pub fn swept<const PITS: usize>(self) -> PerSeat<HalfSeeds> {
        let (kept, rows) = (self.kept(), self.rows::<PITS>());
        PerSeat {
            mover: kept.mover + HalfSeeds::whole(rows.mover.into()),
            other: kept.other + HalfSeeds::whole(rows.other.into()),
        }
    }

    /// The seeds in a pit counted round the board, the mover's first pit being 0.
    pub const fn seeds_at<const PITS: usize>(self, round: usize) -> u8 {
        if round < PITS { lanes::lane(self.own, round) } else { lanes::lane(self.other, round - PITS) }
    }

    /// The hash of [`super::Rules::repetition_key`]: the pits alone (G4).
    #[inline(always)]
    pub const fn repetition_key<const PITS: usize>(self) -> Key {
        let row = lanes::lowest(PITS);
        Key(lanes::mix(self.own & row, self.other & row, 0))
    }

    /// Adds seeds to the mover's store.
    #[must_use]
    pub const fn banked(self, seeds: u8) -> Board {
        Board { own: self.own + ((seeds as u64) << (8 * STORE)), other: self.other }
    }
}

/// What one sowing adds to each lane, and how far it reaches.
#[derive(Clone, Copy)]
struct Sowing {
    own: u64,
    other: u64,
    /// See [`Sown::reach`].
    reach: u64,
}

/// A board whose sowing is done and whose capture is not.
#[derive(Clone, Copy, Debug)]
pub struct Sown {
    /// The board, still seen by the player who sowed.
    pub board: Board,
    /// All lanes of the other row up to the one that the last seed fell in; none if it fell at home.
    pub reach: u64,
}

/// The sowings from each pit with each hand below 64, the origin passed over on each round (W2).
pub struct SowingTable([[Sowing; 64]; 8]);

/// Six pits a side.
static SIX: SowingTable = SowingTable::new(6);
/// Seven pits a side.
static SEVEN: SowingTable = SowingTable::new(7);

/// The sowings of a board with so many pits a side.
#[inline(always)]
pub const fn sowings<const PITS: usize>() -> &'static SowingTable {
    const { assert!(PITS == 6 || PITS == 7, "two-row boards have six or seven pits a side") };
    if PITS == 6 { &SIX } else { &SEVEN }
}

impl SowingTable {
    /// The table of a board with `pits` pits a side.
    const fn new(pits: usize) -> SowingTable {
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
                } else {
                    sowing.other += 1 << (8 * (landing - pits));
                }
                sowing.reach = reach(pits, landing);
                seeds += 1;
            }
            pit += 1;
        }
        SowingTable(table)
    }

    /// Lifts all seeds of one of the mover's pits and sows them.
    #[inline(always)]
    pub const fn sow(&self, board: Board, pit: usize) -> Sown {
        let seeds = lanes::lane(board.own, pit);
        // The masks spare the bounds checks: a board has at most 7 pits a side and 56 seeds.
        let sowing = &self.0[pit & 7][seeds as usize & 63];
        let own = (board.own & !lanes::mask(pit)) + sowing.own;
        Sown { board: Board { own, other: board.other + sowing.other }, reach: sowing.reach }
    }

    /// Takes back a sowing of `seeds` seeds from `pit`, which is empty; every pit must hold what it is to give back.
    #[inline(always)]
    pub const fn unsow(&self, sown: Board, pit: usize, seeds: usize) -> Board {
        let sowing = &self.0[pit & 7][seeds & 63];
        let lifted = (seeds as u64) << (8 * pit);
        Board { own: sown.own - sowing.own + lifted, other: sown.other - sowing.other }
    }
}

/// Where the last of `seeds` seeds from `pit` falls, counted round the board of two times `pits` pits, origin passed over.
pub const fn landing(pits: usize, pit: usize, seeds: usize) -> usize {
    (pit + seeds + (seeds - 1) / (2 * pits - 1)) % (2 * pits)
}

/// The reach of a sowing that ends in this pit, counted round the board ([`Sown::reach`]).
pub const fn reach(pits: usize, landing: usize) -> u64 {
    if landing < pits { 0 } else { lanes::lowest(landing - pits + 1) }
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

/// What becomes of a move that would capture all of the opponent's seeds (W4, U6).
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
    /// Every rule, in the order of the option's choices.
    pub const ALL: [GrandSlam; 4] =
        [GrandSlam::NoCapture, GrandSlam::Illegal, GrandSlam::IllegalUnlessOnly, GrandSlam::Capture];
    /// The words of the option.
    pub const CHOICES: &'static [&'static str] = &["no-capture", "illegal", "illegal-unless-only", "capture"];
}

/// A turn carried out.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// What it leads to.
    pub child: Child<Board>,
    /// The chain would have taken every seed of the opponent (W4).
    pub slam: bool,
}

impl Turn {
    /// Ends a turn whose chain is known; a grand slam takes it only if `slam_takes`.
    #[inline(always)]
    pub fn capture<const PITS: usize, O: Observer>(
        sown: Board,
        taken: u64,
        slam_takes: bool,
        observer: &mut O,
    ) -> Turn {
        // An empty chain leaves the row empty where the last seed fell in an own pit: that is no slam.
        let slam = taken != 0 && sown.other & lanes::lowest(PITS) & !taken == 0;
        if taken == 0 || (slam && !slam_takes) {
            if O::LISTENS && slam {
                observer.step(Step::Slam);
            }
            return Turn {
                child: Child { position: sown.turned(), captured: 0, irreversible: false, end: None },
                slam,
            };
        }
        if O::LISTENS {
            let pits = (0..PITS).rev().filter(|&pit| taken & lanes::mask(pit) != 0);
            let chain = pits.map(|pit| (place::<PITS>(PITS + pit), lanes::lane(sown.other, pit)));
            observer.step(Step::Capture(chain.collect()));
        }
        let captured = lanes::sum(sown.other & taken);
        let after = Board { own: sown.own, other: sown.other & !taken }.banked(captured);
        Turn { child: Child { position: after.turned(), captured, irreversible: true, end: None }, slam }
    }
}

/// A game on two rows: what sets Wuri and Urim apart, and all that follows from it alike.
pub trait TwoRow<const PITS: usize>: Rules<Position = Board> {
    /// The most seeds that a pit may hold; sowing passes over a pit that holds as many.
    const FULL: u8 = u8::MAX;

    /// What becomes of a grand slam.
    fn grand_slam(&self) -> GrandSlam;

    /// Whether an endless cycle gives each side half of the seeds in the pits, instead of those in its own row.
    fn splits_cycles(&self) -> bool {
        false
    }

    /// The balance of match points for the player to move if he ends with so many seeds and the other with all the rest.
    fn balance(&self, seeds: HalfSeeds) -> i8;

    /// The top bit of each of the mover's lanes that holds seeds and feeds an opponent without any (W5).
    fn playable(board: Board) -> u64;

    /// Sows one pit: the board before anything is captured.
    fn sow<O: Observer>(board: Board, pit: usize, observer: &mut O) -> Sown;

    /// The lanes of the other row that a sowing captures which came so far, a grand slam's too.
    fn chain(sown: Sown) -> u64;

    /// Sows one pit and captures; a grand slam takes its chain only if `slam_takes`.
    #[inline(always)]
    fn turn<O: Observer>(board: Board, pit: usize, slam_takes: bool, observer: &mut O) -> Turn {
        let sown = Self::sow(board, pit, observer);
        Turn::capture::<PITS, O>(sown.board, Self::chain(sown), slam_takes, observer)
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
        tops(pits_of(playable).filter(|&pit| Self::turn(board, pit, false, &mut Nobody).slam))
    }

    /// Plays every legal move: [`super::Rules::expand`].
    #[inline(always)]
    fn each_turn<B>(
        &self,
        board: &Board,
        mut visit: impl FnMut(Move, &Child<Board>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (legal, slam_takes) = self.legal(*board);
        for pit in pits_of(legal) {
            let turn = Self::turn(*board, pit, slam_takes, &mut Nobody);
            visit(Move::plain(Pit(pit as u8)), &turn.child)?;
        }
        ControlFlow::Continue(())
    }

    /// Plays one move: [`super::Rules::play`].
    #[inline(always)]
    fn one_turn(&self, board: &Board, mv: Move, observer: &mut impl Observer) -> Child<Board> {
        let turn = Self::turn(*board, usize::from(mv.pit().0), self.legal(*board).1, observer);
        observer.step(Step::End);
        turn.child
    }

    /// Finds the move that was written: [`super::Rules::resolve`].
    fn written(&self, board: &Board, text: &MoveText) -> Result<Move, Refusal> {
        let pit = plain_pit(text, PITS as u8)?;
        let top = tops([usize::from(pit.0)].into_iter());
        if self.legal(*board).0 & top != 0 {
            Ok(Move::plain(pit))
        } else if lanes::lane(board.own, usize::from(pit.0)) == 0 {
            Err(Refusal::Empty)
        } else if Self::playable(*board) & top == 0 {
            Err(Refusal::MustFeed)
        } else {
            Err(Refusal::GrandSlam)
        }
    }
}

/// The pits whose lanes have their top bit set, in letter order.
#[inline(always)]
pub fn pits_of(mut tops: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let pit = (tops != 0).then(|| tops.trailing_zeros() as usize / 8)?;
        tops &= tops - 1;
        Some(pit)
    })
}

/// The top bits of the lanes of these pits.
pub fn tops(pits: impl Iterator<Item = usize>) -> u64 {
    pits.fold(0, |tops, pit| tops | 0x80 << (8 * pit))
}

/// The top bit of each of the mover's lanes that W5 lets him play, no pit but the origin being passed over.
#[inline(always)]
pub fn feeding<const PITS: usize>(board: Board) -> u64 {
    let row = lanes::lowest(PITS);
    if board.other & row != 0 {
        return lanes::occupied(board.own & row);
    }
    // The first pit needs as many seeds as there are pits to reach the other row, the last one needs one.
    ((board.own & row) + const { missing(PITS) }) & lanes::TOPS
}

/// What each pit lacks to 128 if it holds just the seeds that it needs to reach the other row.
const fn missing(pits: usize) -> u64 {
    let mut lanes = 0;
    let mut pit = 0;
    while pit < pits {
        lanes |= ((128 - pits + pit) as u64) << (8 * pit);
        pit += 1;
    }
    lanes
}

/// A pit counted round the board.
pub const fn place<const PITS: usize>(round: usize) -> Place {
    let seat = if round < PITS { Seat::Mover } else { Seat::Other };
    Place { seat, pit: Pit((round % PITS) as u8) }
}

/// Tells the lap that led from `before` to `sown` and passed over its origin alone, to an observer who listens.
#[inline(always)]
pub fn tell_whole_lap<const PITS: usize, O: Observer>(before: Board, origin: usize, sown: Board, observer: &mut O) {
    if O::LISTENS {
        let landing = landing(PITS, origin, lanes::lane(before.own, origin).into());
        tell_lap::<PITS>(before, origin, sown, landing, observer);
    }
}

/// Tells the lap that led from `before` to `sown` and ended in a pit counted round the board.
pub fn tell_lap<const PITS: usize>(
    before: Board,
    origin: usize,
    sown: Board,
    landing: usize,
    observer: &mut impl Observer,
) {
    observer.step(Step::Lap {
        origin: place::<PITS>(origin),
        hand: lanes::lane(before.own, origin),
        direction: Direction::CounterClockwise,
        landing: place::<PITS>(landing),
        count: sown.seeds_at::<PITS>(landing),
    });
}

/// The numbers of a board's token.
pub fn fields<const PITS: usize>(board: &Board) -> Fields {
    let row = |half: u64| {
        let mut pits = [0; 16];
        pits[..PITS].copy_from_slice(&half.to_le_bytes()[..PITS]);
        pits
    };
    Fields { pits: PerSeat { mover: row(board.own), other: row(board.other) }, extra: board.stores(), mark: None }
}

/// The board with the numbers of a token.
///
/// # Errors
/// If the seeds do not add up to `total`.
pub fn assemble<const PITS: usize>(fields: &Fields, total: u8) -> Result<Board, PositionError> {
    let pits = PerSeat { mover: &fields.pits.mover[..PITS], other: &fields.pits.other[..PITS] };
    let counts = pits.mover.iter().chain(pits.other).chain([&fields.extra.mover, &fields.extra.other]);
    let found = counts.map(|&count| u32::from(count)).sum();
    if found != u32::from(total) {
        return Err(PositionError::Total { found, wanted: total.into() });
    }
    Ok(Board::new(pits, fields.extra))
}

/// The pit and the seeds that a move lifts.
#[inline(always)]
pub const fn lift(board: &Board, mv: Move) -> Origin {
    Origin { pit: mv.pit(), seeds: lanes::lane(board.own, mv.pit().0 as usize) }
}
