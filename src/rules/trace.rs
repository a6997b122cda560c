//! One turn told step by step, by an observer of the same code that plays it.

use std::fmt::Write as _;

use crate::units::{Direction, Pit, Player};

/// Whose pit it is, for the player who makes the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// Of the player who makes the turn.
    Mover,
    /// Of the opponent.
    Other,
}

/// A pit of either side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Whose.
    pub seat: Seat,
    /// Which.
    pub pit: Pit,
}

/// One thing that happens in a turn, in the order of happening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A cow from the reserve was put into this pit (K3).
    Reserve(Place),
    /// `hand` seeds were sown from after `origin`; the last fell in `landing`, which holds `count` now.
    Lap {
        /// The pit before the first seed.
        origin: Place,
        /// How many seeds.
        hand: u8,
        /// Which way round.
        direction: Direction,
        /// The pit of the last seed.
        landing: Place,
        /// What it holds with that seed.
        count: u8,
    },
    /// Seeds were taken from these pits.
    Capture(Vec<(Place, u8)>),
    /// Okwesera: two seeds into the first pit, one into the second (O14).
    Split(Place, Place),
    /// This full pit was passed over in the lap that is told next (U3).
    Skip(Place),
    /// A grand slam that takes nothing (W4).
    Slam,
    /// This pit was lifted for the next lap.
    Relay {
        /// The pit.
        pit: Place,
        /// What it held.
        count: u8,
    },
    /// The last capture was sown and the turn stops there (K9).
    Stop,
    /// The player chose this direction.
    Choice(Direction),
    /// The turn never ends (O15, K11).
    Endless(Endless),
    /// The turn is over.
    End,
}

/// How far it is known that a turn never ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    /// It comes back to an earlier state after so many laps.
    Cycle(u32),
    /// It had not ended after so many laps.
    Unproved(u32),
}

/// Someone who is told the steps of a turn.
pub trait Observer {
    /// Whether anyone listens; where nobody does, the telling costs nothing.
    const LISTENS: bool;

    /// Takes the next step.
    fn step(&mut self, step: Step);
}

/// Nobody.
pub struct Nobody;

impl Observer for Nobody {
    const LISTENS: bool = false;

    fn step(&mut self, _step: Step) {}
}

/// Keeps the steps of a turn.
#[derive(Default)]
pub struct Recorder {
    /// The steps so far.
    pub steps: Vec<Step>,
}

impl Observer for Recorder {
    const LISTENS: bool = true;

    fn step(&mut self, step: Step) {
        self.steps.push(step);
    }
}

/// Hears only whether a turn never ends.
#[derive(Default)]
pub struct EndlessWatcher {
    /// How far that is known, if it never ended.
    pub found: Option<Endless>,
}

impl Observer for EndlessWatcher {
    const LISTENS: bool = true;

    fn step(&mut self, step: Step) {
        if let Step::Endless(endless) = step {
            self.found = Some(endless);
        }
    }
}

/// The most steps that are told of a never-ending turn.
const ENDLESS_STEPS: usize = 64;

impl Recorder {
    /// The steps of a turn that `player` made, each as a line without the word `step`.
    pub fn lines(&self, player: Player) -> Vec<String> {
        let told = match self.steps.iter().find(|step| matches!(step, Step::Endless(_))) {
            Some(endless) => {
                self.steps.iter().take(ENDLESS_STEPS).take_while(|&step| step != endless).chain([endless]).collect()
            }
            None => self.steps.iter().collect::<Vec<_>>(),
        };
        told.into_iter().map(|step| step.line(player)).collect()
    }
}

impl Step {
    /// The step as a line of text, the turn being `player`'s.
    fn line(&self, player: Player) -> String {
        let letter = |place: &Place| {
            place.pit.letter(match place.seat {
                Seat::Mover => player,
                Seat::Other => !player,
            })
        };
        match self {
            Step::Lap { origin, hand, direction, landing, count } => {
                let way = match direction {
                    Direction::CounterClockwise => "ccw",
                    Direction::Clockwise => "cw",
                };
                format!("lap {} {hand} {way} {} {count}", letter(origin), letter(landing))
            }
            Step::Reserve(pit) => format!("reserve {}", letter(pit)),
            Step::Capture(taken) => {
                let mut line = "capture".to_owned();
                for (place, count) in taken {
                    write!(line, " {} {count}", letter(place)).expect("a string takes all");
                }
                line
            }
            Step::Split(first, second) => format!("split {} 2 {} 1", letter(first), letter(second)),
            Step::Skip(pit) => format!("skip {}", letter(pit)),
            Step::Slam => "slam".to_owned(),
            Step::Relay { pit, count } => format!("relay {} {count}", letter(pit)),
            Step::Stop => "stop".to_owned(),
            Step::Choice(direction) => format!("choice {}", direction.sign()),
            Step::Endless(Endless::Cycle(laps)) => format!("endless cycle {laps}"),
            Step::Endless(Endless::Unproved(laps)) => format!("endless unproved {laps}"),
            Step::End => "end".to_owned(),
        }
    }
}
