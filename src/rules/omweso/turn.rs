//! One turn of Omweso: laps, captures, relays, and the choices between the two directions (O4 to O11, O15).

use smallvec::SmallVec;

use super::house::{House, ReverseResow};
use super::{FirstTurns, Position};
use crate::rules::four_row::{Ring, Watch, ahead, behind, emptied, high, low, relay, seeds, sow, sow_back};
use crate::rules::lanes;
use crate::rules::trace::{Endless, Nobody, Observer, Place, Seat, Step};
use crate::units::{Direction, Pit};

/// One bit a lane: the four leftmost pits I, J, B, A (O10).
const LEFT: u16 = 1 << 0 | 1 << 1 | 1 << 14 | 1 << 15;
/// The inner lane of column H.
pub(super) const LANE_H: usize = 8;
/// The inner lane of column A.
pub(super) const LANE_A: usize = 15;

/// A turn under way, a hand about to be sown from the pit after its origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) own: Ring,
    pub(super) other: Ring,
    origin: usize,
    hand: u8,
    /// The hand holds captured seeds (O8).
    resow: bool,
    /// The last lap was clockwise.
    reversed: bool,
    /// One bit for each inner lane that faces a column with seeds in both pits (O7).
    prey: u16,
    pub(super) captured: u8,
    /// End columns captured in this turn: bit 0 for H, bit 1 for A.
    pub(super) heads: u8,
    /// The lane of the last capture.
    pub(super) last_capture: usize,
    watch: Watch,
}

/// How a turn came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Finish {
    /// In an empty pit (O6).
    Ended,
    /// Not within the lap limit (O15).
    Endless,
}

/// How a run of relays came to its end.
enum Relayed {
    /// In this occupied pit, where a capture or a choice may follow.
    To(usize),
    /// With the turn.
    Finish(Finish),
}

/// Someone who decides where both directions are possible (O10).
pub(super) trait Chooser {
    /// Decides for the hand that `turn` is about to sow.
    fn choose(&mut self, turn: &Turn) -> Direction;

    /// How many choices there have been.
    fn choices(&self) -> usize;
}

/// The choices of a line that were passed by, each as the turn stood.
pub(super) type Passed = SmallVec<[Turn; 4]>;

impl Chooser for Passed {
    fn choose(&mut self, turn: &Turn) -> Direction {
        self.push(*turn);
        Direction::CounterClockwise
    }

    fn choices(&self) -> usize {
        self.len()
    }
}

/// Follows written signs; counter-clockwise where they end.
pub(super) struct Script<'a> {
    pub(super) signs: &'a [Direction],
    pub(super) read: usize,
}

impl Chooser for Script<'_> {
    fn choose(&mut self, _turn: &Turn) -> Direction {
        let sign = self.signs.get(self.read).copied();
        self.read += 1;
        sign.unwrap_or(Direction::CounterClockwise)
    }

    fn choices(&self) -> usize {
        self.read
    }
}

/// Goes counter-clockwise, and the laps between its choices are as good as any others.
struct Onward;

impl Chooser for Onward {
    fn choose(&mut self, _turn: &Turn) -> Direction {
        Direction::CounterClockwise
    }

    fn choices(&self) -> usize {
        0
    }
}

/// The lane of a pit, by letter.
pub(super) const fn lane_of(pit: Pit) -> usize {
    let letter = pit.0 as usize;
    if letter < 8 { LANE_A - letter } else { letter - 8 }
}

/// The pit of a lane.
pub(super) const fn pit_in(lane: usize) -> Pit {
    Pit(if lane < 8 { lane + 8 } else { LANE_A - lane } as u8)
}

/// The opposing inner lane and the outer lane behind it, for an inner lane (G2).
const fn facing(lane: usize) -> (usize, usize) {
    (23 - lane, lane - 8)
}

/// One bit for each inner lane of the player that faces a column of `other` with seeds in both pits.
fn prey(other: Ring) -> u16 {
    let both = lanes::occupied(low(other)) & lanes::occupied(high(other)).swap_bytes();
    u16::from(lanes::bits(both)) << 8
}

pub(super) fn place(seat: Seat, lane: usize) -> Place {
    Place { seat, pit: pit_in(lane) }
}

impl Turn {
    /// The turn that lifts a pit of the mover.
    #[inline(always)]
    pub(super) fn start(position: &Position, lane: usize, lap_limit: u32) -> Turn {
        Turn {
            own: emptied(position.own, lane),
            other: position.other,
            origin: lane,
            hand: seeds(position.own, lane),
            resow: false,
            reversed: false,
            // O13
            prey: if position.first == FirstTurns::Over { prey(position.other) } else { 0 },
            captured: 0,
            heads: 0,
            last_capture: 0,
            watch: Watch::new(lap_limit),
        }
    }

    /// The turn that is okwesera (O14), at its end.
    pub(super) fn split(position: &Position, lane: usize) -> Turn {
        let mut turn = Turn::start(position, lane, 1);
        turn.own = sow(sow(turn.own, lane, 2), lane, 1);
        turn
    }

    /// Whether the hand may be sown clockwise: that lap would end in a capture, and the rules let it (O10, O11).
    #[inline(always)]
    fn may_reverse(&self, house: House) -> bool {
        let from_left = LEFT >> self.origin & 1 != 0;
        let open = if self.resow {
            match house.reverse_resow {
                ReverseResow::AfterReverse => self.reversed,
                ReverseResow::AnyLeft => from_left,
                ReverseResow::Never => false,
            }
        } else {
            from_left
        };
        let landing = behind(self.origin, self.hand);
        // Beyond sixteen seeds the lap has been in its last pit before.
        open && self.prey >> landing & 1 != 0 && (self.hand > 16 || seeds(self.own, landing) > 0)
    }

    /// Plays on to the end of the turn. With `forced` the hand at the start goes clockwise without being asked.
    #[inline(always)]
    pub(super) fn run<O: Observer>(
        &mut self,
        house: House,
        chooser: &mut impl Chooser,
        forced: bool,
        observer: &mut O,
    ) -> Finish {
        let mut forced = forced;
        loop {
            let clockwise = forced || self.asks_to_reverse(house, chooser, observer);
            forced = false;
            let landing = self.sow_hand(clockwise, observer);
            let landing = match self.relay_on(house, landing, chooser, observer) {
                Relayed::To(landing) => landing,
                Relayed::Finish(finish) => return finish,
            };
            self.take_up(landing, observer);
        }
    }

    /// What is known of the turn, whose last lap was the last allowed one and ended in `landing`: it is played on,
    /// counter-clockwise wherever there is a choice (O20).
    #[cold]
    #[inline(never)]
    fn endless(&self, house: House, landing: usize) -> Endless {
        let mut beyond = Turn { watch: Watch::beyond_the_limit(), ..*self };
        beyond.take_up(landing, &mut Nobody);
        beyond.run(house, &mut Onward, false, &mut Nobody);
        self.watch.endless(&beyond.watch)
    }

    /// Whether the hand goes clockwise, by the player's choice if there is one.
    #[inline(always)]
    fn asks_to_reverse<O: Observer>(&mut self, house: House, chooser: &mut impl Chooser, observer: &mut O) -> bool {
        let choice = house.reverse && self.may_reverse(house);
        let direction = if choice { chooser.choose(self) } else { Direction::CounterClockwise };
        if O::LISTENS {
            if choice {
                observer.step(Step::Choice(direction));
            }
            if !self.resow && self.watch.laps() > 0 {
                observer.step(Step::Relay { pit: place(Seat::Mover, self.origin), count: self.hand });
            }
        }
        direction == Direction::Clockwise
    }

    /// Sows the hand; tells where its last seed fell.
    #[inline(always)]
    fn sow_hand<O: Observer>(&mut self, clockwise: bool, observer: &mut O) -> usize {
        let landing = if clockwise {
            self.own = sow_back(self.own, self.origin, self.hand);
            behind(self.origin, self.hand)
        } else {
            self.own = sow(self.own, self.origin, self.hand);
            ahead(self.origin, self.hand)
        };
        self.reversed = clockwise;
        self.watch.count_lap();
        self.tell_lap(self.origin, self.hand, landing, observer);
        landing
    }

    /// Relays for as long as nothing else can happen.
    #[inline(always)]
    fn relay_on<O: Observer>(
        &mut self,
        house: House,
        mut landing: usize,
        chooser: &impl Chooser,
        observer: &mut O,
    ) -> Relayed {
        let events = self.prey | if house.reverse && self.prey != 0 { LEFT } else { 0 };
        loop {
            let count = seeds(self.own, landing);
            if count == 1 {
                return Relayed::Finish(Finish::Ended);
            }
            if self.watch.is_over(self.own, landing, chooser.choices()) {
                if O::LISTENS {
                    observer.step(Step::Endless(self.endless(house, landing)));
                }
                return Relayed::Finish(Finish::Endless);
            }
            if events >> landing & 1 != 0 {
                return Relayed::To(landing);
            }
            if O::LISTENS {
                observer.step(Step::Relay { pit: place(Seat::Mover, landing), count });
            }
            self.own = relay(self.own, landing, count);
            self.origin = landing;
            self.reversed = false;
            landing = ahead(landing, count);
            self.watch.count_lap();
            self.tell_lap(self.origin, count, landing, observer);
        }
    }

    fn tell_lap<O: Observer>(&self, origin: usize, hand: u8, landing: usize, observer: &mut O) {
        if O::LISTENS {
            observer.step(Step::Lap {
                origin: place(Seat::Mover, origin),
                hand,
                direction: if self.reversed { Direction::Clockwise } else { Direction::CounterClockwise },
                landing: place(Seat::Mover, landing),
                count: seeds(self.own, landing),
            });
        }
    }

    /// Takes what the next lap sows: captured seeds, or else the pit where the last one ended.
    #[inline(always)]
    fn take_up<O: Observer>(&mut self, landing: usize, observer: &mut O) {
        if self.prey >> landing & 1 != 0 {
            self.capture(landing, observer);
        } else {
            self.lift(landing);
        }
    }

    /// Takes the column that `landing` faces into the hand (O7); the origin stays (O8).
    fn capture<O: Observer>(&mut self, landing: usize, observer: &mut O) {
        let (inner, outer) = facing(landing);
        let taken = (seeds(self.other, inner), seeds(self.other, outer));
        if O::LISTENS {
            observer
                .step(Step::Capture(vec![(place(Seat::Other, inner), taken.0), (place(Seat::Other, outer), taken.1)]));
        }
        self.hand = taken.0 + taken.1;
        self.other = emptied(emptied(self.other, inner), outer);
        self.prey &= !(1 << landing);
        self.resow = true;
        self.captured += self.hand;
        self.heads |= u8::from(landing == LANE_H) | u8::from(landing == LANE_A) << 1;
        self.last_capture = landing;
    }

    /// Takes a pit into the hand for the next lap (O9).
    fn lift(&mut self, lane: usize) {
        self.hand = seeds(self.own, lane);
        self.own = emptied(self.own, lane);
        self.origin = lane;
        self.resow = false;
    }
}
