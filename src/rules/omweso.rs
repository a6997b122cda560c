//! Omweso, the royal game of Uganda (O1 to O17).
//!
//! ```text
//!   p o n m l k j i     North's outer row
//!   h g f e d c b a     North's inner row
//!   A B C D E F G H     South's inner row: lanes 15 down to 8 of the ring
//!   I J K L M N O P     South's outer row: lanes 0 to 7
//! ```
//!
//! Lanes follow the sowing (O4): outer row left to right, then inner row right to left.

mod house;
mod turn;

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::arrangement::{self, Layout};
use super::four_row::{self, Ring, ahead, high, low, seeds, sum};
use super::history::DrawLimits;
use super::lanes;
use super::notation::{Fields, PositionError, TokenLayout, pit_of};
use super::outcome::{HalfSeeds, Outcome, Reason};
use super::trace::{Nobody, Observer, Seat, Step};
use super::{Child, Move, Origin, Refusal, Rules, both};
use house::{Akawumbi, Arrangement, EndlessTurn, House, Start};
use turn::{Finish, LANE_A, LANE_H, Passed, Script, Turn, lane_of, pit_in, place};

use crate::units::{Direction, Key, MoveText, OptionSpec, OptionValues, PerSeat, Pit, Variant};

/// Pits a side.
const PITS: usize = 16;
/// All seeds of the game.
const SEEDS: u32 = 64;

/// Omweso. With `STANDARD` all rules of a turn are the default ones and compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Omweso<const STANDARD: bool> {
    house: House,
    quiet_plies: u32,
}

/// A board seen by the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The mover's ring.
    pub own: Ring,
    /// The opponent's ring, in its own order of sowing.
    pub other: Ring,
    /// Capturing turns so far, two standing for more.
    capturing: PerSeat<u8>,
    /// Who still has his first turn (O13).
    first: FirstTurns,
}

/// Who still has his first turn of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum FirstTurns {
    /// Nobody; no mark in the token.
    Over,
    /// The player to move; `-1`.
    Mover,
    /// Both; `-0`.
    Both,
}

impl FirstTurns {
    /// Who has it once the player to move has moved.
    fn after_a_turn(self) -> FirstTurns {
        match self {
            FirstTurns::Both => FirstTurns::Mover,
            FirstTurns::Mover | FirstTurns::Over => FirstTurns::Over,
        }
    }
}

/// The choices of a line at which it goes clockwise, each counted from the one before.
type Path = SmallVec<[u32; 8]>;

/// The signs of a line (O10).
fn signs_of(path: &[u32]) -> Vec<Direction> {
    let mut signs = Vec::new();
    for &passed in path {
        signs.extend((0..passed).map(|_| Direction::CounterClockwise));
        signs.push(Direction::Clockwise);
    }
    signs
}

impl<const STANDARD: bool> Omweso<STANDARD> {
    #[inline(always)]
    fn house(&self) -> House {
        if STANDARD { House::STANDARD } else { self.house }
    }

    /// Whether a turn that never ends may not be played here (O13a, O15a).
    #[inline(always)]
    fn refuses_endless(&self, position: &Position) -> bool {
        position.first != FirstTurns::Over || self.house().endless == EndlessTurn::Illegal
    }

    /// Plays every turn that ends, as [`Rules::expand`].
    #[inline(never)]
    fn expand_ends<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move, &Child<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.turns(position, &mut |mv, turn, finish, _| match finish {
            Finish::Ended => visit(mv, &self.settle_all(position, turn, finish)),
            Finish::Endless => ControlFlow::Continue(()),
        })
    }

    /// Whether the player to move has a turn that ends.
    #[inline(never)]
    fn has_end(&self, position: &Position) -> bool {
        let ends = self.turns(position, &mut |_, _, finish, _| match finish {
            Finish::Ended => ControlFlow::Break(()),
            Finish::Endless => ControlFlow::Continue(()),
        });
        ends.is_break()
    }

    /// Bulijo (O16): the player to move has no pit of two or more, or none of its turns may be played (O13a, O15a).
    #[inline(always)]
    fn bulijo(&self, position: &Position) -> Option<Reason> {
        (!self.has_move(position)).then_some(Reason::Bulijo)
    }

    /// The position after a turn, and how it ends the game (O16).
    fn settle_all(&self, position: &Position, turn: &Turn, finish: Finish) -> Child<Position> {
        let child = self.settle(position, turn, finish);
        Child { end: child.end.or_else(|| self.bulijo(&child.position)), ..child }
    }

    /// The same where turns that never end may be played: then they may be in the position after this one too, and each
    /// pit of two or more is a move there.
    #[inline(always)]
    fn settle(&self, position: &Position, turn: &Turn, finish: Finish) -> Child<Position> {
        let house = self.house();
        let mut capturing = position.capturing;
        if turn.captured > 0 {
            capturing.mover = (capturing.mover + 1).min(2);
        }
        let after = Position {
            own: turn.other,
            other: turn.own,
            capturing: capturing.swapped(),
            first: position.first.after_a_turn(),
        };
        let end = match finish {
            Finish::Endless => Some(Reason::Endless),
            Finish::Ended if turn.captured > 0 => Self::end_by_capture(house, turn, position.capturing),
            Finish::Ended => None,
        };
        Child {
            position: after,
            captured: turn.captured,
            irreversible: turn.captured > 0,
            end: end.or_else(|| (!is_playable(after.own)).then_some(Reason::Bulijo)),
        }
    }

    /// The ends that only a capturing turn can bring, the first that applies. `capturing` is what was counted before
    /// it.
    fn end_by_capture(house: House, turn: &Turn, capturing: PerSeat<u8>) -> Option<Reason> {
        let at_end = turn.last_capture == LANE_H || turn.last_capture == LANE_A;
        if turn.other == 0 && (at_end || house.akawumbi == Akawumbi::AnyZero) {
            return Some(Reason::Akawumbi);
        }
        if house.okutema && turn.heads == 0b11 {
            return Some(Reason::EmitweEbiri);
        }
        if house.okutema && high(turn.other) == 0 {
            return Some(Reason::FrontRow);
        }
        // With two the second is past.
        (house.akakyala && capturing == PerSeat { mover: 1, other: 0 }).then_some(Reason::Akakyala)
    }

    /// Plays every turn, legal or not, in canonical order.
    #[inline(always)]
    fn turns<B>(
        &self,
        position: &Position,
        visit: &mut impl FnMut(Move, &Turn, Finish, &[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut pits = playable(position.own);
        while pits != 0 {
            let pit = Pit(pits.trailing_zeros() as u8);
            pits &= pits - 1;
            self.lines(position, pit, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Plays every line from a pit, the plain one first, then okwesera, then those with signs in canonical order.
    #[inline(always)]
    fn lines<B>(
        &self,
        position: &Position,
        pit: Pit,
        visit: &mut impl FnMut(Move, &Turn, Finish, &[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let lane = lane_of(pit);
        let mut turn = Turn::start(position, lane, self.house().lap_limit);
        let mut passed = Passed::new();
        let finish = turn.run(self.house(), &mut passed, false, &mut Nobody);
        visit(Move::plain(pit), &turn, finish, &[])?;
        if self.splits(position, lane).is_ok() {
            visit(Move::split(pit), &Turn::split(position, lane), Finish::Ended, &[])?;
        }
        if passed.is_empty() {
            return ControlFlow::Continue(());
        }
        self.branch(&passed, &mut Line { pit, ordinal: 0, path: Path::new() }, visit)
    }

    /// Plays the lines that go clockwise at one of the choices that a line has passed by, and at choices of their own.
    #[inline(never)]
    fn branch<B>(
        &self,
        passed: &[Turn],
        line: &mut Line,
        visit: &mut impl FnMut(Move, &Turn, Finish, &[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (index, turn) in (0..).zip(passed) {
            if line.ordinal == Move::MAX_ORDINAL {
                break;
            }
            line.ordinal += 1;
            line.path.push(index);
            let mut turn = *turn;
            let mut deeper = Passed::new();
            let finish = turn.run(self.house(), &mut deeper, true, &mut Nobody);
            visit(line.mv(), &turn, finish, &line.path)?;
            // Each clockwise lap captures one of eight columns, so this is no deeper than eight.
            self.branch(&deeper, line, visit)?;
            line.path.pop();
        }
        ControlFlow::Continue(())
    }

    /// Whether okwesera is open for a lane (O14), or why not.
    #[inline(always)]
    fn splits(&self, position: &Position, lane: usize) -> Result<(), Refusal> {
        if !self.house().okwesera {
            Err(Refusal::NoSplit("switched off"))
        } else if position.capturing != both(0) {
            Err(Refusal::NoSplit("over once a side has captured"))
        } else if seeds(position.own, lane) != 3 {
            Err(Refusal::NoSplit("for a pit of exactly 3"))
        } else {
            Ok(())
        }
    }
}

/// A line under way in the enumeration of a pit.
struct Line {
    pit: Pit,
    ordinal: u32,
    path: Path,
}

impl Line {
    fn mv(&self) -> Move {
        let first = if self.path[0] == 0 { Direction::Clockwise } else { Direction::CounterClockwise };
        Move::line(self.pit, self.ordinal, first)
    }
}

/// Whether some pit may start a turn (O5).
#[inline(always)]
const fn is_playable(own: Ring) -> bool {
    const MORE_THAN_ONE: Ring = u128::from_le_bytes([0xfe; 16]);
    own & MORE_THAN_ONE != 0
}

/// One bit for each pit in letter order that may start a turn (O5).
#[inline(always)]
fn playable(own: Ring) -> u16 {
    let inner = lanes::bits(lanes::two_or_more(high(own)).swap_bytes());
    let outer = lanes::bits(lanes::two_or_more(low(own)));
    u16::from(inner) | u16::from(outer) << 8
}

impl<const STANDARD: bool> Rules for Omweso<STANDARD> {
    const VARIANT: Variant = Variant::Omweso;
    const OPTIONS: &'static [OptionSpec] = house::OPTIONS;
    const OPENING_OPTIONS: &'static [&'static str] = house::OPENING_OPTIONS;
    const LAYOUT: TokenLayout = TokenLayout { pits: PITS, rows: 2, largest_mark: Some(1), extra: "capturing turns" };

    type Position = Position;

    fn with_options(options: &OptionValues) -> Self {
        let quiet_plies = u32::try_from(options.spin("Omweso_QuietPlies")).expect("a spin stays in its range");
        Omweso { house: House::with_options(options), quiet_plies }
    }

    fn start(&self) -> Position {
        let ring = match (self.house.arrangement, self.house.start) {
            // O2: four in each pit of one row.
            (Arrangement::Fixed, Start::Outer) => Ring::from_le_bytes([4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0]),
            (Arrangement::Fixed, Start::Inner) => Ring::from_le_bytes([0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4]),
            (Arrangement::Open, _) => 0,
        };
        Position { own: ring, other: ring, capturing: both(0), first: FirstTurns::Both }
    }

    #[inline(always)]
    fn expand<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move, &Child<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.refuses_endless(position) {
            return self.expand_ends(position, visit);
        }
        self.turns(position, &mut |mv, turn, finish, _| visit(mv, &self.settle(position, turn, finish)))
    }

    fn play(&self, position: &Position, mv: Move, observer: &mut impl Observer) -> Child<Position> {
        let lane = lane_of(mv.pit());
        if mv.is_split() {
            let next = |steps: u8| place(Seat::Mover, ahead(lane, steps));
            observer.step(Step::Split(next(1), next(2)));
            observer.step(Step::End);
            return self.settle_all(position, &Turn::split(position, lane), Finish::Ended);
        }
        let signs = self.signs(position, mv);
        let mut turn = Turn::start(position, lane, self.house().lap_limit);
        let finish = turn.run(self.house(), &mut Script { signs: &signs, read: 0 }, false, observer);
        observer.step(Step::End);
        self.settle_all(position, &turn, finish)
    }

    fn resolve(&self, position: &Position, text: &MoveText) -> Result<Move, Refusal> {
        if self.is_arranging(position) {
            return Err(Refusal::ToArrange);
        }
        let MoveText::Sow { letter, split, signs } = text else {
            return Err(Refusal::WrongKind(match text {
                MoveText::Arrange(_) => "nothing is arranged here",
                _ => "it is no move",
            }));
        };
        let pit = pit_of(*letter, PITS as u8)?;
        let lane = lane_of(pit);
        match seeds(position.own, lane) {
            0 => return Err(Refusal::Empty),
            1 => return Err(Refusal::Single),
            _ => {}
        }
        if *split {
            self.splits(position, lane)?;
            return if signs.is_empty() {
                Ok(Move::split(pit))
            } else {
                Err(Refusal::WrongKind("okwesera has no choice of direction"))
            };
        }
        // Following the signs shows whether each of them has its choice.
        let mut turn = Turn::start(position, lane, self.house().lap_limit);
        let mut script = Script { signs, read: 0 };
        let finish = turn.run(self.house(), &mut script, false, &mut Nobody);
        if script.read < signs.len() {
            return Err(Refusal::NoChoice(script.read + 1));
        }
        let written = signs.iter().rposition(|&sign| sign == Direction::Clockwise).map_or(0, |last| last + 1);
        let found = self.lines(position, pit, &mut |mv, _, _, path| {
            let same = !mv.is_split() && signs_of(path) == signs[..written];
            if same { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
        });
        match found.break_value() {
            Some(mv) if finish == Finish::Endless && self.refuses_endless(position) => Err(Refusal::NeverEnding(mv)),
            Some(mv) => Ok(mv),
            None => Err(Refusal::NoChoice(written)),
        }
    }

    fn signs(&self, position: &Position, mv: Move) -> Vec<Direction> {
        if mv.ordinal() == 0 {
            return Vec::new();
        }
        let found = self.lines(position, mv.pit(), &mut |line, _, _, path| {
            if line == mv { ControlFlow::Break(signs_of(path)) } else { ControlFlow::Continue(()) }
        });
        found.break_value().expect("a move belongs to its position")
    }

    #[inline(always)]
    fn has_move(&self, position: &Position) -> bool {
        is_playable(position.own) && (!self.refuses_endless(position) || self.has_end(position))
    }

    fn sowings(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        let _ = self.turns(position, &mut |mv, _, _, _| -> ControlFlow<()> {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        moves
    }

    #[inline(always)]
    fn is_arranging(&self, position: &Position) -> bool {
        self.house.arrangement == Arrangement::Open && position.own == 0 && position.first != FirstTurns::Over
    }

    fn arrange(&self, position: &Position, layout: &Layout) -> Result<Position, Refusal> {
        if !self.is_arranging(position) {
            return Err(Refusal::WrongKind("nothing is arranged here"));
        }
        Ok(Position {
            own: position.other,
            other: four_row::ring(*layout, pit_in),
            capturing: position.capturing.swapped(),
            // Arranging is no ply.
            first: position.first,
        })
    }

    fn terminal(&self, position: &Position) -> Option<Reason> {
        // A side that is still to arrange is not judged (G5).
        if self.is_arranging(position) { None } else { self.bulijo(position) }
    }

    fn outcome(&self, position: &Position, reason: Reason) -> Outcome {
        let seeds = PerSeat {
            mover: HalfSeeds::whole(sum(position.own).into()),
            other: HalfSeeds::whole(sum(position.other).into()),
        };
        // Whoever is to move in a decided position has lost it, but for one whose opponent's turn never ends.
        let points = |mover, other| PerSeat { mover, other };
        let points = match reason {
            Reason::Akawumbi => points(0, 12),
            Reason::EmitweEbiri | Reason::FrontRow | Reason::Akakyala => points(0, 2),
            Reason::Bulijo => points(0, 1),
            Reason::Endless if self.house().endless == EndlessTurn::Loses => points(1, 0),
            _ => points(0, 0),
        };
        Outcome { reason, seeds, points }
    }

    fn result_bounds(&self, _position: &Position) -> (i8, i8) {
        (-12, 12)
    }

    fn draw_limits(&self) -> DrawLimits {
        let quiet = (self.quiet_plies > 0).then_some(self.quiet_plies);
        DrawLimits { repetition: 3, quiet, length: Some(four_row::LENGTH) }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Key {
        // The house rules and what else the token shows are in the seed.
        let capturing = position.capturing.mover << 2 | position.capturing.other;
        let flags = u64::from(capturing) << 4 | position.first as u64;
        four_row::key(position.own, position.other, self.house().bits() << 24 | flags << 8 | u64::from(b'o'))
    }

    #[inline(always)]
    fn repetition_key(&self, position: &Position) -> Key {
        four_row::key(position.own, position.other, 0)
    }

    fn fields(&self, position: &Position) -> Fields {
        let pits = |ring| four_row::pits(ring, lane_of);
        Fields {
            pits: PerSeat { mover: pits(position.own), other: pits(position.other) },
            extra: position.capturing,
            mark: match position.first {
                FirstTurns::Both => Some(0),
                FirstTurns::Mover => Some(1),
                FirstTurns::Over => None,
            },
        }
    }

    fn assemble(&self, fields: &Fields) -> Result<Position, PositionError> {
        let largest = 2;
        let found = fields.extra.mover.max(fields.extra.other);
        if found > largest {
            return Err(PositionError::TooLarge { what: "count of capturing turns", found, largest });
        }
        let first = match fields.mark {
            Some(0) => FirstTurns::Both,
            Some(_) => FirstTurns::Mover,
            None => FirstTurns::Over,
        };
        // Checked before the lanes are filled, which take no more than the game has.
        let total = |pits: &Layout| pits.iter().map(|&seeds| u32::from(seeds)).sum::<u32>();
        let totals = PerSeat { mover: total(&fields.pits.mover), other: total(&fields.pits.other) };
        let found = totals.mover + totals.other;
        let arranging = self.house.arrangement == Arrangement::Open && totals.mover == 0 && first != FirstTurns::Over;
        if arranging && ![0, arrangement::SEEDS.into()].contains(&totals.other) {
            return Err(PositionError::Arranging { found });
        }
        if !arranging && found != SEEDS {
            return Err(PositionError::Total { found, wanted: SEEDS });
        }
        let ring = |pits| four_row::ring(pits, pit_in);
        let (own, other) = (ring(fields.pits.mover), ring(fields.pits.other));
        Ok(Position { own, other, capturing: fields.extra, first })
    }

    fn origin(&self, position: &Position, mv: Move) -> Origin {
        Origin { pit: mv.pit(), seeds: seeds(position.own, lane_of(mv.pit())) }
    }
}
