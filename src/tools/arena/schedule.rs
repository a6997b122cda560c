//! Who plays whom, from which opening and on which side: all of it follows from the number of a game and the seed.

use anyhow::{Context as _, Result, bail, ensure};

use super::spec::number;
use crate::engine::rng::Rng;
use crate::units::Variant;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tournament {
    /// Everybody everybody else.
    #[default]
    RoundRobin,
    /// The first engine all others.
    Gauntlet,
}

impl Tournament {
    /// Reads the name of a tournament.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Tournament> {
        match text {
            "round-robin" | "roundrobin" => Ok(Tournament::RoundRobin),
            "gauntlet" => Ok(Tournament::Gauntlet),
            _ => bail!("--tournament is `{text}`: wanted round-robin or gauntlet"),
        }
    }

    fn pairings(self, engines: usize) -> Vec<(usize, usize)> {
        let firsts = match self {
            Tournament::RoundRobin => 0..engines,
            Tournament::Gauntlet => 0..1,
        };
        firsts.flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect()
    }
}

/// A match by points (U12, O18).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByPoints {
    /// Points that win the match.
    pub target: u32,
}

impl ByPoints {
    /// Reads `points` or `points=N`.
    ///
    /// # Errors
    /// If it is neither, or the game says nothing of a number.
    pub fn read(text: &str, variant: Variant) -> Result<ByPoints> {
        let target = match text.strip_prefix("points") {
            Some("") => match variant {
                Variant::Omweso => 12,
                Variant::Urim | Variant::Urim7 => 10,
                Variant::Wuri | Variant::Kimasai => {
                    bail!("--match points: {variant} has no number of its own, wanted points=N")
                }
            },
            Some(rest) => number("points", rest.strip_prefix('=').context("--match: wanted points or points=N")?)?,
            None => bail!("--match is `{text}`: wanted points or points=N"),
        };
        ensure!(target > 0, "--match: wanted at least one point");
        Ok(ByPoints { target })
    }
}

/// A game that is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Its name in the record: its pair and its number, with the match before them. The games of a pair differ in the last part.
    pub round: String,
    /// Which of the pairings.
    pub pairing: usize,
    /// The two games of one opening share this.
    pub pair: (usize, usize),
    /// Which opening.
    pub opening: usize,
    /// The engine that moves first in the position that is set up.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Whether the first engine, and the second, loses the game if its turn voids it (O18a).
    pub void_loses: [bool; 2],
    /// What chance in the game begins from.
    pub seed: u64,
}

/// All that is to be played.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// Games of a pairing, or the most games of a match.
    games: usize,
    /// Matches of a pairing, if matches are played.
    matches: Option<(ByPoints, usize)>,
    seed: u64,
}

/// What one worker plays at a stretch.
#[derive(Clone, Debug)]
pub enum Task {
    /// A game.
    Game(ScheduledGame),
    /// A match, game after game.
    Match(PointsMatch),
}

impl Schedule {
    /// The schedule of a tournament: so many games of each pairing, or so many matches of at most so many games.
    pub fn new(
        tournament: Tournament,
        engines: usize,
        games: usize,
        matches: Option<(ByPoints, usize)>,
        seed: u64,
    ) -> Schedule {
        Schedule { pairings: tournament.pairings(engines), games, matches, seed }
    }

    /// The engines of each pairing.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// All games, at most so many where matches are played.
    pub fn games(&self) -> usize {
        self.games * self.pairings.len() * self.matches.map_or(1, |(_, matches)| matches)
    }

    /// How many openings there are to play from.
    pub fn openings(&self) -> usize {
        self.games.div_ceil(2) * self.matches.map_or(1, |(_, matches)| matches)
    }

    /// Everything to do, in order.
    pub fn tasks(&self) -> impl Iterator<Item = Task> + use<> {
        let schedule = self.clone();
        let tasks = match self.matches {
            Some((_, matches)) => matches * self.pairings.len(),
            None => self.games(),
        };
        (0..tasks).map(move |index| match schedule.matches {
            Some((by_points, _)) => Task::Match(schedule.match_of(index, by_points)),
            None => Task::Game(schedule.game(index)),
        })
    }

    /// Whether the engine that comes first in its pairing begins, by lot (G1).
    fn lot(&self, number: usize) -> bool {
        mixed(self.seed, number, 1).is_multiple_of(2)
    }

    fn game(&self, index: usize) -> ScheduledGame {
        let (pair, half) = (index / 2, index % 2);
        let pairing = pair % self.pairings.len();
        let opening = pair / self.pairings.len();
        let (one, other) = self.pairings[pairing];
        let (first, second) = if self.lot(pair) == (half == 0) { (one, other) } else { (other, one) };
        let (round, seed) = (format!("{}.{}", pair + 1, half + 1), mixed(self.seed, index, 2));
        ScheduledGame { round, pairing, pair: (0, opening), opening, first, second, void_loses: [false; 2], seed }
    }

    fn match_of(&self, number: usize, by_points: ByPoints) -> PointsMatch {
        let pairing = number % self.pairings.len();
        let (one, other) = self.pairings[pairing];
        PointsMatch {
            number,
            pairing,
            engines: if self.lot(number) { [one, other] } else { [other, one] },
            target: by_points.target,
            limit: self.games,
            openings_from: number / self.pairings.len() * self.games.div_ceil(2),
            seed: self.seed,
            played: 0,
            counted: 0,
            points: [0, 0],
            voids: [0, 0],
            outright: None,
        }
    }
}

/// Games of a match that a player can void without losing one (O18a).
const FREE_VOIDS: u32 = 2;

/// What a game comes to in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InMatch {
    /// It is void by a turn of its starter (0) or of the other one (1), and is played again.
    Void {
        /// Which of them.
        by: usize,
    },
    /// It counts.
    Counts {
        /// What its starter and the other one get.
        points: (u8, u8),
        /// Whether its winner has won the match, whatever is missing (O18).
        wins_match: bool,
    },
}

/// A match to a number of points: void games are played again with the same starter, the starter alternates (O15, O18).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointsMatch {
    number: usize,
    /// Which of the pairings.
    pub pairing: usize,
    /// The two engines, the one that was drawn to begin first.
    pub engines: [usize; 2],
    target: u32,
    limit: usize,
    openings_from: usize,
    seed: u64,
    played: usize,
    counted: usize,
    /// What each of [`PointsMatch::engines`] has.
    pub points: [u32; 2],
    /// How many games each of them has voided.
    voids: [u32; 2],
    /// Which of them has won whatever the points are.
    outright: Option<usize>,
}

impl PointsMatch {
    /// The next game, unless the match is over.
    pub fn next(&self) -> Option<ScheduledGame> {
        if self.is_over() {
            return None;
        }
        let starter = self.counted % 2;
        Some(ScheduledGame {
            round: format!("{}.{}.{}", self.number + 1, self.counted / 2 + 1, self.played + 1),
            pairing: self.pairing,
            pair: (self.number, self.counted / 2),
            opening: self.openings_from + self.counted / 2,
            first: self.engines[starter],
            second: self.engines[1 - starter],
            void_loses: [starter, 1 - starter].map(|index| self.voids[index] >= FREE_VOIDS),
            seed: mixed(self.seed, self.number << 20 | self.played, 3),
        })
    }

    /// Counts the game that was next.
    pub fn count(&mut self, game: InMatch) {
        let starter = self.counted % 2;
        self.played += 1;
        match game {
            InMatch::Void { by } => self.voids[starter ^ by] += 1,
            InMatch::Counts { points: (first, second), wins_match } => {
                self.points[starter] += u32::from(first);
                self.points[1 - starter] += u32::from(second);
                self.outright = wins_match.then_some(if first > second { starter } else { 1 - starter });
                self.counted += 1;
            }
        }
    }

    /// Whether somebody has won or the limit of games is reached.
    pub fn is_over(&self) -> bool {
        self.winner().is_some() || self.played >= self.limit
    }

    /// Who has won, if the match is over and somebody has. At the limit of games nobody has.
    pub fn winner(&self) -> Option<usize> {
        let reached = self.points.iter().position(|points| *points >= self.target);
        self.outright.or(reached).map(|index| self.engines[index])
    }
}

/// A number that follows from the seed, an index and what it is for.
fn mixed(seed: u64, index: usize, purpose: u64) -> u64 {
    let mut rng = Rng::new(seed ^ (purpose << 56));
    let start = rng.roll();
    Rng::new(start ^ index as u64).roll()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const VOID: InMatch = InMatch::Void { by: 0 };

    const fn counts(first: u8, second: u8) -> InMatch {
        InMatch::Counts { points: (first, second), wins_match: false }
    }

    fn a_match(text: &str, games: usize) -> PointsMatch {
        let by_points = ByPoints::read(text, Variant::Omweso).unwrap();
        let schedule = Schedule::new(Tournament::RoundRobin, 2, games, Some((by_points, 1)), 7);
        let Some(Task::Match(points)) = schedule.tasks().next() else { panic!("a match") };
        points
    }

    #[test]
    fn each_opening_is_played_from_both_sides() {
        let schedule = Schedule::new(Tournament::RoundRobin, 3, 10, None, 7);
        let games: Vec<ScheduledGame> = schedule
            .tasks()
            .map(|task| match task {
                Task::Game(scheduled) => scheduled,
                Task::Match(_) => unreachable!("games were asked for"),
            })
            .collect();
        assert_eq!(games.len(), 30);
        for pair in games.chunks(2) {
            assert_eq!(
                (pair[0].pairing, pair[0].pair, pair[0].opening),
                (pair[1].pairing, pair[1].pair, pair[1].opening)
            );
            assert_eq!((pair[0].first, pair[0].second), (pair[1].second, pair[1].first));
        }
        let rounds: HashSet<&String> = games.iter().map(|game| &game.round).collect();
        assert_eq!(rounds.len(), 30);
        assert!((10..=20).contains(&games.iter().filter(|game| game.first < game.second).count()));
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first_engine() {
        assert_eq!(Tournament::Gauntlet.pairings(4), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(Tournament::RoundRobin.pairings(3), [(0, 1), (0, 2), (1, 2)]);
    }

    #[test]
    fn a_match_alternates_its_starter_and_plays_void_games_again() {
        let mut points = a_match("points=3", 6);
        let [drawn, other] = points.engines;
        let first = points.next().unwrap();
        assert_eq!((first.first, first.second, first.round.as_str()), (drawn, other, "1.1.1"));
        points.count(VOID);
        let again = points.next().unwrap();
        assert_eq!((again.first, again.opening, again.round.as_str()), (drawn, first.opening, "1.1.2"));
        points.count(counts(2, 0));
        assert_eq!(points.next().unwrap().first, other);
        points.count(counts(0, 0));
        assert_eq!(points.next().unwrap().first, drawn);
        points.count(counts(0, 2));
        assert_eq!((points.points, points.winner()), ([2, 2], None));
        points.count(counts(1, 0));
        assert_eq!((points.next(), points.winner()), (None, Some(other)), "the other one began this game");
    }

    #[test]
    fn an_akawumbi_ends_a_match_of_any_length() {
        for (first, second) in [(12, 0), (0, 12)] {
            let mut points = a_match("points=100", 50);
            let [drawn, other] = points.engines;
            points.count(counts(1, 0));
            points.count(InMatch::Counts { points: (first, second), wins_match: true });
            let winner = if first > 0 { other } else { drawn };
            assert_eq!((points.next(), points.winner()), (None, Some(winner)), "the other one began this game");
        }
    }

    #[test]
    fn the_third_game_that_a_player_voids_is_lost_by_him() {
        let mut points = a_match("points=100", 50);
        let [drawn, other] = points.engines;
        let mut next = |game, starter| {
            let scheduled = points.next().unwrap();
            assert_eq!(scheduled.first, starter, "{}", scheduled.round);
            points.count(game);
            scheduled.void_loses
        };
        let by_second = InMatch::Void { by: 1 };
        assert_eq!(next(VOID, drawn), [false, false]);
        assert_eq!(next(by_second, drawn), [false, false]);
        assert_eq!(next(counts(1, 0), drawn), [false, false]);
        assert_eq!(next(by_second, other), [false, false], "the second of the one who was drawn");
        assert_eq!(next(counts(0, 1), other), [false, true], "a third one is lost");
        assert_eq!(next(by_second, drawn), [true, false], "and counts, so the starter alternates");
        assert_eq!(next(counts(0, 1), drawn), [true, true], "each later one is lost as well");
    }

    #[test]
    fn the_first_starter_is_drawn_by_lot() {
        let by_points = ByPoints::read("points", Variant::Omweso).unwrap();
        assert_eq!(by_points.target, 12);
        let drawn = |seed| {
            let schedule = Schedule::new(Tournament::RoundRobin, 2, 6, Some((by_points, 20)), seed);
            let tasks = schedule.tasks().map(|task| match task {
                Task::Match(points) => points.engines[0],
                Task::Game(game) => panic!("a match, not {game:?}"),
            });
            tasks.collect::<Vec<usize>>()
        };
        assert_eq!(drawn(1), drawn(1), "the lot lies in the seed");
        assert_ne!(drawn(1), drawn(2));
        assert!(drawn(1).contains(&0) && drawn(1).contains(&1), "{:?}", drawn(1));
    }

    #[test]
    fn a_match_ends_at_its_limit_of_games_without_a_winner() {
        let by_points = ByPoints::read("points", Variant::Urim7).unwrap();
        assert_eq!(by_points.target, 10);
        let schedule = Schedule::new(Tournament::RoundRobin, 2, 3, Some((by_points, 1)), 7);
        let Some(Task::Match(mut points)) = schedule.tasks().next() else { panic!("a match") };
        for _ in 0..3 {
            assert!(points.next().is_some());
            points.count(VOID);
        }
        assert_eq!((points.next(), points.winner()), (None, None));
        assert!(ByPoints::read("points", Variant::Wuri).is_err());
        assert!(ByPoints::read("points=0", Variant::Wuri).is_err());
    }
}
