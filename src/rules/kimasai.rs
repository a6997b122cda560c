//! Bao la Kimasai, in two phases (K1 to K12).
//!
//! ```text
//!   p o n m l k j i     North's outer row
//!   h g f e d c b a     North's inner row
//!   A B C D E F G H     South's inner row: lanes 0 to 7 of the ring
//!   I J K L M N O P     South's outer row: lanes 15 down to 8
//! ```
//!
//! Lanes follow the sowing (K2): inner row left to right, then outer row right to left.

use std::ops::ControlFlow;

use super::four_row::{self, Ring, Watch, ahead, emptied, high, low, relay, seeds, sow, sum};
use super::history::DrawLimits;
use super::lanes;
use super::notation::{Fields, PositionError, TokenLayout, plain_pit};
use super::outcome::{HalfSeeds, Outcome, Reason};
use super::trace::{Endless, Nobody, Observer, Place, Seat, Step};
use super::{Child, Move, Origin, Refusal, Rules, both};
use crate::units::{Direction, Key, MoveText, OptionKind, OptionSpec, OptionValues, PerSeat, Phase, Pit, Variant};

#[cfg(test)]
mod tests;

/// Pits a side.
const PITS: usize = 16;
/// All cows of the game, those in reserve included.
const COWS: u32 = 64;
/// Cows in each reserve at the start (K1).
const RESERVE: u8 = 24;
/// A sowing is never-ending when this lap ends in an occupied pit (K11).
const LAP_LIMIT: u32 = 4096;
/// The game is drawn after so many plies of phase two without a capture (K12).
const QUIET_PLIES: u32 = 200;

/// What becomes of a never-ending sowing (K11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndlessSowing {
    /// It is not legal.
    Illegal,
    /// It is legal and the game void.
    Annul,
}

impl EndlessSowing {
    const ALL: [EndlessSowing; 2] = [EndlessSowing::Illegal, EndlessSowing::Annul];
    const CHOICES: &'static [&'static str] = &["illegal", "annul"];
}

/// Bao la Kimasai. With `STANDARD` the rule of never-ending sowings is the default one and compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Kimasai<const STANDARD: bool> {
    endless: EndlessSowing,
}

/// A board seen by the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The mover's ring.
    pub own: Ring,
    /// The opponent's ring, in its own order of sowing.
    pub other: Ring,
    /// Cows not yet on the board.
    pub reserves: PerSeat<u8>,
    /// The mover has the opening turn of the game (K4); `-0`.
    opening: bool,
}

impl Position {
    /// Whether cows are still brought in, and none taken (K3).
    #[inline(always)]
    pub const fn is_phase_one(&self) -> bool {
        self.reserves.mover | self.reserves.other != 0
    }

    /// Whether the mover adds a cow from his reserve (K3, K4).
    #[inline(always)]
    const fn adds_a_cow(&self) -> bool {
        self.reserves.mover > 0 && !self.opening
    }
}

/// A turn under way.
#[derive(Clone, Copy, Debug)]
struct Turn {
    own: Ring,
    other: Ring,
    /// One bit for each inner lane that faces a pit with cows in it (K6).
    prey: u16,
    captured: u8,
    watch: Watch,
}

/// How a turn came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Finish {
    /// In an empty pit (K3, K8), or with the last capture (K9).
    Ended,
    /// Not within the lap limit (K11).
    Endless,
}

/// The lane of a pit: the outer row runs against its letters.
const fn lane_of(pit: Pit) -> usize {
    let letter = pit.0 as usize;
    if letter < 8 { letter } else { 23 - letter }
}

/// The pit of a lane.
const fn pit_in(lane: usize) -> Pit {
    Pit(if lane < 8 { lane } else { 23 - lane } as u8)
}

/// The opposing inner lane, for an inner lane (G2).
const fn facing(lane: usize) -> usize {
    7 - lane
}

/// One bit for each inner lane of the player that faces a pit of `other` with cows in it.
#[inline(always)]
fn prey(other: Ring) -> u16 {
    u16::from(lanes::bits(lanes::occupied(low(other)).swap_bytes()))
}

/// One bit for each pit in letter order that holds cows (K3, K5).
#[inline(always)]
fn playable(own: Ring) -> u16 {
    let inner = lanes::bits(lanes::occupied(low(own)));
    let outer = lanes::bits(lanes::occupied(high(own)).swap_bytes());
    u16::from(inner) | u16::from(outer) << 8
}

/// What the inner rows decide once a ply is over, for the player who is to move then (K10).
#[inline(always)]
fn decided(position: &Position) -> Option<Reason> {
    if low(position.own) == 0 {
        Some(Reason::FrontRow)
    } else if low(position.other) == 0 {
        Some(Reason::OwnFrontRow)
    } else {
        None
    }
}

fn place(seat: Seat, lane: usize) -> Place {
    Place { seat, pit: pit_in(lane) }
}

impl Turn {
    /// Plays the turn that starts from a lane to its end.
    #[inline(always)]
    fn play<O: Observer>(position: &Position, lane: usize, observer: &mut O) -> (Turn, Finish) {
        let adds = position.adds_a_cow();
        if O::LISTENS && adds {
            observer.step(Step::Reserve(place(Seat::Mover, lane)));
        }
        let mut turn = Turn {
            own: emptied(position.own, lane),
            other: position.other,
            // K3: none is taken in phase one.
            prey: if position.is_phase_one() { 0 } else { prey(position.other) },
            captured: 0,
            watch: Watch::new(LAP_LIMIT),
        };
        let hand = seeds(position.own, lane) + u8::from(adds);
        turn.own = sow(turn.own, lane, hand);
        let landing = turn.end_lap(lane, hand, observer);
        let finish = turn.run(landing, observer);
        if O::LISTENS {
            observer.step(Step::End);
        }
        (turn, finish)
    }

    /// Plays on from the pit where the last seed of the first lap fell.
    #[inline(always)]
    fn run<O: Observer>(&mut self, mut landing: usize, observer: &mut O) -> Finish {
        loop {
            let count = seeds(self.own, landing);
            if count == 1 {
                return Finish::Ended;
            }
            if self.watch.is_over(self.own, landing, 0) {
                if O::LISTENS {
                    observer.step(Step::Endless(self.endless(landing)));
                }
                return Finish::Endless;
            }
            if self.prey >> landing & 1 == 0 {
                if O::LISTENS {
                    observer.step(Step::Relay { pit: place(Seat::Mover, landing), count });
                }
                self.own = relay(self.own, landing, count);
                landing = self.end_lap(landing, count, observer);
                continue;
            }
            let taken = self.capture(landing, observer);
            // K7: the first cow falls into the capturing pit.
            let origin = (landing + 15) & 15;
            self.own = sow(self.own, origin, taken);
            landing = self.end_lap(origin, taken, observer);
            if self.prey == 0 {
                // K9
                if O::LISTENS {
                    observer.step(Step::Stop);
                }
                return Finish::Ended;
            }
        }
    }

    /// What is known of the turn, whose last lap was the last allowed one and ended in `landing`: it is played on
    /// (O20).
    #[cold]
    #[inline(never)]
    fn endless(&self, landing: usize) -> Endless {
        let mut beyond = Turn { watch: Watch::beyond_the_limit(), ..*self };
        beyond.run(landing, &mut Nobody);
        self.watch.endless(&beyond.watch)
    }

    /// Counts and tells the lap that was just sown; gives the lane that it ended in.
    #[inline(always)]
    fn end_lap<O: Observer>(&mut self, origin: usize, hand: u8, observer: &mut O) -> usize {
        let landing = ahead(origin, hand);
        self.watch.count_lap();
        if O::LISTENS {
            observer.step(Step::Lap {
                origin: place(Seat::Mover, origin),
                hand,
                direction: Direction::Clockwise,
                landing: place(Seat::Mover, landing),
                count: seeds(self.own, landing),
            });
        }
        landing
    }

    /// Takes the cows of the pit that `landing` faces (K6).
    #[inline(always)]
    fn capture<O: Observer>(&mut self, landing: usize, observer: &mut O) -> u8 {
        let lane = facing(landing);
        let taken = seeds(self.other, lane);
        if O::LISTENS {
            observer.step(Step::Capture(vec![(place(Seat::Other, lane), taken)]));
        }
        self.other = emptied(self.other, lane);
        self.prey &= !(1 << landing);
        self.captured += taken;
        taken
    }
}

impl<const STANDARD: bool> Kimasai<STANDARD> {
    #[inline(always)]
    fn endless(&self) -> EndlessSowing {
        if STANDARD { EndlessSowing::Illegal } else { self.endless }
    }

    /// The position after a turn, and how it ends the game (K10).
    #[inline(always)]
    fn settle(position: &Position, turn: &Turn, finish: Finish) -> Child<Position> {
        let mut reserves = position.reserves;
        reserves.mover -= u8::from(position.adds_a_cow());
        let after = Position { own: turn.other, other: turn.own, reserves: reserves.swapped(), opening: false };
        let end = match finish {
            Finish::Endless => Some(Reason::Endless),
            Finish::Ended => decided(&after),
        };
        // K12: the counts begin with the position in which phase two opens.
        let irreversible = turn.captured > 0 || position.is_phase_one();
        Child { position: after, captured: turn.captured, irreversible, end }
    }
}

impl<const STANDARD: bool> Rules for Kimasai<STANDARD> {
    const VARIANT: Variant = Variant::Kimasai;
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: "Kimasai_Endless",
        kind: OptionKind::Combo { choices: EndlessSowing::CHOICES },
        about: "what becomes of a sowing that never ends (K11)",
    }];
    const LAYOUT: TokenLayout = TokenLayout { pits: PITS, rows: 2, largest_mark: Some(0), extra: "reserves" };

    type Position = Position;

    fn with_options(options: &OptionValues) -> Self {
        Kimasai { endless: EndlessSowing::ALL[options.choice("Kimasai_Endless")] }
    }

    fn start(&self) -> Position {
        // K1: one cow in each inner pit.
        let ring = Ring::from_le_bytes([1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
        Position { own: ring, other: ring, reserves: both(RESERVE), opening: true }
    }

    #[inline(always)]
    fn expand<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move, &Child<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut pits = playable(position.own);
        while pits != 0 {
            let pit = Pit(pits.trailing_zeros() as u8);
            pits &= pits - 1;
            let (turn, finish) = Turn::play(position, lane_of(pit), &mut Nobody);
            if finish == Finish::Endless && self.endless() == EndlessSowing::Illegal {
                continue;
            }
            visit(Move::plain(pit), &Self::settle(position, &turn, finish))?;
        }
        ControlFlow::Continue(())
    }

    fn play(&self, position: &Position, mv: Move, observer: &mut impl Observer) -> Child<Position> {
        let (turn, finish) = Turn::play(position, lane_of(mv.pit()), observer);
        Self::settle(position, &turn, finish)
    }

    fn resolve(&self, position: &Position, text: &MoveText) -> Result<Move, Refusal> {
        let pit = plain_pit(text, PITS as u8)?;
        if seeds(position.own, lane_of(pit)) == 0 {
            return Err(Refusal::Empty);
        }
        let mv = Move::plain(pit);
        match Turn::play(position, lane_of(pit), &mut Nobody).1 {
            Finish::Endless if self.endless() == EndlessSowing::Illegal => Err(Refusal::NeverEnding(mv)),
            _ => Ok(mv),
        }
    }

    fn terminal(&self, position: &Position) -> Option<Reason> {
        decided(position).or_else(|| (!self.has_move(position)).then_some(Reason::NoMove))
    }

    fn outcome(&self, position: &Position, reason: Reason) -> Outcome {
        let seeds = |ring, reserve: u8| HalfSeeds::whole(u16::from(sum(ring)) + u16::from(reserve));
        let seeds = PerSeat {
            mover: seeds(position.own, position.reserves.mover),
            other: seeds(position.other, position.reserves.other),
        };
        let points = match reason {
            Reason::FrontRow | Reason::NoMove => PerSeat { mover: 0, other: 1 },
            Reason::OwnFrontRow => PerSeat { mover: 1, other: 0 },
            _ => both(0),
        };
        Outcome { reason, seeds, points }
    }

    fn result_bounds(&self, _position: &Position) -> (i8, i8) {
        (-1, 1)
    }

    fn draw_limits(&self) -> DrawLimits {
        DrawLimits { repetition: 3, quiet: Some(QUIET_PLIES), length: Some(four_row::LENGTH) }
    }

    fn sowings(&self, position: &Position) -> Vec<Move> {
        let pits = (0..PITS as u8).map(Pit).filter(|pit| playable(position.own) >> pit.0 & 1 != 0);
        pits.map(Move::plain).collect()
    }

    fn phase(&self, position: &Position) -> Phase {
        if position.is_phase_one() { Phase::Sow } else { Phase::Raid }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Key {
        // The house rule and what else the token shows are in the seed.
        let reserves = u64::from(position.reserves.mover) << 8 | u64::from(position.reserves.other);
        let flags = reserves << 2 | u64::from(position.opening) << 1 | self.endless() as u64;
        four_row::key(position.own, position.other, flags << 8 | u64::from(b'k'))
    }

    #[inline(always)]
    fn repetition_key(&self, position: &Position) -> Key {
        let reserves = u64::from(position.reserves.mover) << 8 | u64::from(position.reserves.other);
        four_row::key(position.own, position.other, reserves)
    }

    fn fields(&self, position: &Position) -> Fields {
        let pits = |ring| four_row::pits(ring, lane_of);
        Fields {
            pits: PerSeat { mover: pits(position.own), other: pits(position.other) },
            extra: position.reserves,
            mark: position.opening.then_some(0),
        }
    }

    fn assemble(&self, fields: &Fields) -> Result<Position, PositionError> {
        let found = fields.extra.mover.max(fields.extra.other);
        if found > RESERVE {
            return Err(PositionError::TooLarge { what: "reserve", found, largest: RESERVE });
        }
        let counts = fields.pits.mover.iter().chain(&fields.pits.other);
        let found = counts.chain([&fields.extra.mover, &fields.extra.other]).map(|&cows| u32::from(cows)).sum();
        if found != COWS {
            return Err(PositionError::Total { found, wanted: COWS });
        }
        let ring = |pits| four_row::ring(pits, pit_in);
        let (own, other) = (ring(fields.pits.mover), ring(fields.pits.other));
        Ok(Position { own, other, reserves: fields.extra, opening: fields.mark.is_some() })
    }

    fn origin(&self, position: &Position, mv: Move) -> Origin {
        Origin { pit: mv.pit(), seeds: seeds(position.own, lane_of(mv.pit())) + u8::from(position.adds_a_cow()) }
    }
}
