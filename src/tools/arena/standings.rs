//! How a tournament stands: results by pairing, games by pairs.

use std::collections::{BTreeMap, HashMap};

use super::game::{Ending, Played};
use super::schedule::{InMatch, PointsMatch, ScheduledGame};
use crate::tools::elo::{GameScore, PairCounts, Tally};
use crate::units::{PerPlayer, Player};

/// What two engines have made of each other. Scores are seen by the one that comes first in the list of engines.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    /// Games that count.
    pub tally: Tally,
    /// Void games: drawn in a tournament, played again in a match.
    pub voids: u64,
    /// Whole pairs.
    pub pairs: PairCounts,
    /// The whole pairs before the first that is not whole: the same whatever was played at the same time.
    pub in_order: PairCounts,
    /// Pairs of which one game, or both, are there; the last ones are gone when they are counted in order.
    half: HashMap<(usize, usize), GameScore>,
    whole: HashMap<(usize, usize), (GameScore, GameScore)>,
    next: usize,
    /// Matches won by the first and the second engine, and without a winner.
    pub matches: [u64; 3],
    /// Match points of both over all matches.
    pub points: [u64; 2],
}

/// A finished game as far as tables want to know of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Result {
    /// Match points of the engine that moved first in the set-up position, and of the other one.
    pub points: (u8, u8),
    /// Which of them voided the game, 0 or 1, where it does not count (O15).
    pub voided_by: Option<usize>,
    /// Whether the game decides a match of any length (O18).
    pub wins_match: bool,
    /// A fault ended the game.
    pub fault: Option<&'static str>,
}

impl Result {
    /// The result of a game that was played, `first_is_south` telling where the engine sat that moved first.
    pub fn of(played: &Played, first_is_south: bool) -> Result {
        let fault = match &played.ending {
            Ending::Fault(_, fault) => Some(fault.word()),
            Ending::Rules(_) | Ending::ThirdVoid | Ending::Draw | Ending::Resign(_) => None,
        };
        Result {
            points: by_turn(played.points, first_is_south),
            voided_by: played.voided_by.map(|player| turn_of(player, first_is_south)),
            wins_match: matches!(played.ending, Ending::Rules(reason) if reason.wins_match()),
            fault,
        }
    }

    /// What the game comes to in a match.
    pub const fn in_match(&self) -> InMatch {
        match self.voided_by {
            Some(by) => InMatch::Void { by },
            None => InMatch::Counts { points: self.points, wins_match: self.wins_match },
        }
    }

    fn score(&self) -> GameScore {
        match self.points.0.cmp(&self.points.1) {
            std::cmp::Ordering::Less => GameScore::Loss,
            std::cmp::Ordering::Equal => GameScore::Draw,
            std::cmp::Ordering::Greater => GameScore::Win,
        }
    }
}

/// 0 for the player who moved first, 1 for the other one.
pub fn turn_of(player: Player, first_is_south: bool) -> usize {
    usize::from((player == Player::South) != first_is_south)
}

/// The points of the engine that moved first and of the other one.
pub fn by_turn(points: PerPlayer<u8>, first_is_south: bool) -> (u8, u8) {
    if first_is_south { (points.south, points.north) } else { (points.north, points.south) }
}

/// How a tournament stands.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The engines' names.
    pub names: Vec<String>,
    /// The engines of each pairing.
    pub pairings: Vec<(usize, usize)>,
    /// What they have made of each other.
    pub meetings: Vec<Meeting>,
    /// Games that ended.
    pub games: usize,
    /// How often each engine lost off the board, and why.
    pub faults: BTreeMap<(usize, String), u64>,
    /// Void games are played again, so they are no draws.
    replays_voids: bool,
}

impl Standings {
    /// A tournament before its first game.
    pub fn new(names: Vec<String>, pairings: Vec<(usize, usize)>, replays_voids: bool) -> Standings {
        let meetings = vec![Meeting::default(); pairings.len()];
        Standings { names, pairings, meetings, games: 0, faults: BTreeMap::new(), replays_voids }
    }

    /// Counts a game.
    pub fn add(&mut self, scheduled: &ScheduledGame, result: &Result) {
        self.games += 1;
        if let Some(word) = result.fault {
            let loser = if result.score() == GameScore::Loss { scheduled.first } else { scheduled.second };
            *self.faults.entry((loser, word.to_owned())).or_default() += 1;
        }
        let meeting = &mut self.meetings[scheduled.pairing];
        meeting.voids += u64::from(result.voided_by.is_some());
        if result.voided_by.is_some() && self.replays_voids {
            return;
        }
        let is_first = scheduled.first == self.pairings[scheduled.pairing].0;
        let score = if is_first { result.score() } else { result.score().reversed() };
        meeting.add(scheduled.pair, score);
    }

    /// Counts a match that is over.
    pub fn add_match(&mut self, over: &PointsMatch) {
        let (first, _) = self.pairings[over.pairing];
        let meeting = &mut self.meetings[over.pairing];
        let place = match over.winner() {
            Some(winner) if winner == first => 0,
            Some(_) => 1,
            None => 2,
        };
        meeting.matches[place] += 1;
        for (engine, points) in over.engines.into_iter().zip(over.points) {
            meeting.points[usize::from(engine != first)] += u64::from(points);
        }
    }

    /// All games and pairs of an engine, seen by it.
    pub fn of_engine(&self, engine: usize) -> (Tally, PairCounts) {
        let mut all = (Tally::default(), PairCounts::default());
        for ((first, second), meeting) in self.pairings.iter().zip(&self.meetings) {
            if *first == engine {
                all.0 += meeting.tally;
                all.1 += meeting.pairs;
            } else if *second == engine {
                all.0 += meeting.tally.reversed();
                all.1 += meeting.pairs.reversed();
            }
        }
        all
    }
}

impl Meeting {
    fn add(&mut self, pair: (usize, usize), score: GameScore) {
        self.tally.add(score);
        let Some(other) = self.half.remove(&pair) else {
            self.half.insert(pair, score);
            return;
        };
        self.pairs.add(score, other);
        self.whole.insert(pair, (score, other));
        while let Some((one, other)) = self.whole.remove(&(0, self.next)) {
            self.in_order.add(one, other);
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scheduled(opening: usize, first: usize) -> ScheduledGame {
        let round = String::new();
        let (pair, second, void_loses) = ((0, opening), 1 - first, [false; 2]);
        ScheduledGame { round, pairing: 0, pair, opening, first, second, void_loses, seed: 0 }
    }

    fn result(points: (u8, u8)) -> Result {
        Result { points, voided_by: None, wins_match: false, fault: None }
    }

    #[test]
    fn pairs_are_counted_in_the_order_of_their_openings() {
        let mut standings = Standings::new(vec!["A".into(), "B".into()], vec![(0, 1)], false);
        for first in [0, 1] {
            standings.add(&scheduled(1, first), &result((1, 0)));
        }
        assert_eq!(standings.meetings[0].pairs.0, [0, 0, 1, 0, 0]);
        assert_eq!(standings.meetings[0].in_order.0, [0; 5]);
        standings.add(&scheduled(0, 0), &result((2, 0)));
        standings.add(&scheduled(0, 1), &result((0, 0)));
        assert_eq!(standings.meetings[0].in_order.0, [0, 0, 1, 1, 0]);
        assert_eq!(standings.of_engine(1).0, Tally { wins: 1, draws: 1, losses: 2 });
        assert_eq!(standings.of_engine(1).1.0, [0, 1, 1, 0, 0]);
    }

    #[test]
    fn a_void_game_is_a_draw_unless_it_is_played_again() {
        let void = Result { voided_by: Some(0), ..result((0, 0)) };
        for (replays, draws) in [(false, 1), (true, 0)] {
            let mut standings = Standings::new(vec!["A".into(), "B".into()], vec![(0, 1)], replays);
            standings.add(&scheduled(0, 0), &void);
            assert_eq!((standings.meetings[0].tally.draws, standings.meetings[0].voids), (draws, 1));
        }
    }

    #[test]
    fn a_fault_is_held_against_its_engine() {
        let mut standings = Standings::new(vec!["A".into(), "B".into()], vec![(0, 1)], false);
        standings.add(&scheduled(0, 1), &Result { fault: Some("crash"), ..result((0, 1)) });
        assert_eq!(standings.faults.get(&(1, "crash".to_owned())), Some(&1));
    }
}
