//! What a node is worth: evaluations in the middle, finished games by match points and distance at both ends.
//!
//! ```text
//!   -32000 .. -20001   lost: by 1, 2 and 12 match points in bands of 4000, more points further out; sooner is worse
//!   -20000 ..  20000   evaluations in hundredths of a seed; 0 is a draw too
//!    20001 ..  32000   won, likewise; sooner is better
//! ```
//!
//! The top 600 of a band are games that end so. The end may be found by the search; a game that an endgame table calls won ranks below
//! each that is won within the reach of a search. Below the top of a band, and so above every game that ends with fewer points, stand
//! evaluations of games whose winner has those fewer points for sure and may still win more (Urim, U11).

use std::ops::Neg;

use crate::eval;
use crate::units::ScoreValue;

/// The match points that a game can be won by (W9, U11, O16, K10).
const POINTS: [i8; 3] = [1, 2, 12];

/// The width of the band of a number of match points.
const BAND: i32 = 4000;

/// How much later than the table is reached a game is taken to end that it calls won: beyond the reach of any line, and so that the
/// table is reached soon.
const TABLED: usize = 400;

/// Above the distance of every game that is won, also by a table.
const LATEST: i32 = 600;

/// How far below the top of a band the middle of its evaluations lies.
const SURE_MIDDLE: i32 = LATEST + (BAND - LATEST) / 2;
/// The most that an evaluation counts there either way.
const SURE_VALUE: i32 = 900;
/// How far from the middle an evaluation lies whose result a table lets expect, and the most that it counts itself.
const SURE_EXPECTED: i32 = 1250;
const SURE_NUANCE: i32 = 300;

/// The most that an evaluation counts either way where the result of a position is expected.
const NUANCE: i32 = 2500;

/// What an expected win of so many points is worth.
const fn won(points: i8) -> i32 {
    5000 * (1 + points as i32)
}

/// The top of the band of a win, or of a loss by so many points.
#[inline(always)]
const fn top(balance: i8) -> i32 {
    let rank = match balance.unsigned_abs() {
        0 => return 0,
        1 => 1,
        2 => 2,
        _ => 3,
    };
    (eval::LARGEST + rank * BAND) * balance.signum() as i32
}

/// What a won game is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// Its match points: more of them are better.
    #[default]
    Points,
    /// The same, whatever the points.
    Win,
}

impl Objective {
    /// What a balance of match points counts.
    #[inline(always)]
    pub fn counts(self, balance: i8) -> i8 {
        match self {
            Objective::Points => balance,
            Objective::Win => balance.signum(),
        }
    }

    /// What the worst and the best balance count.
    #[inline(always)]
    pub fn counts_both(self, (worst, best): (i8, i8)) -> (i8, i8) {
        (self.counts(worst), self.counts(best))
    }
}

/// The worth of a node, seen by the player to move there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Score(pub(super) i32);

impl Score {
    /// A draw, or a void game.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(32_500);

    /// An evaluation in hundredths of a seed, where the result bounds tell what a game can still come to.
    #[inline(always)]
    pub fn evaluation(result_bounds: (i8, i8), value: i32) -> Score {
        debug_assert!(value.abs() <= eval::LARGEST);
        match result_bounds {
            (1.., _) => Score::of_sure_winner(result_bounds, result_bounds, value),
            (_, ..=-1) => -Score::of_sure_winner(turned(result_bounds), turned(result_bounds), -value),
            _ => Score(value),
        }
    }

    /// An evaluation where an endgame table knows the worst and the best result of the position without its history: the history may
    /// change them within the result bounds, so they are no more than a good guess.
    #[inline(always)]
    pub fn expected(results: (i8, i8), result_bounds: (i8, i8), value: i32) -> Score {
        match result_bounds {
            (1.., _) => return Score::of_sure_winner(result_bounds, results, value),
            (_, ..=-1) => return -Score::of_sure_winner(turned(result_bounds), turned(results), -value),
            _ => {}
        }
        let nuance = value * NUANCE / eval::LARGEST;
        Score(match results {
            (1.., _) => won(results.0) + nuance,
            (_, ..=-1) => -won(-results.1) + nuance,
            (0, 0) => nuance,
            (0.., _) => value.max(0),
            (_, ..=0) => value.min(0),
            _ => value,
        })
    }

    /// What a game is worth to a side that has won it for sure: more than to end it with the points that are sure, less than to end it with
    /// the points that are possible.
    fn of_sure_winner((sure, possible): (i8, i8), results: (i8, i8), value: i32) -> Score {
        if sure == possible {
            return Score::least(sure);
        }
        let nuance = value * SURE_NUANCE / eval::LARGEST;
        let above_middle = match (results.0 > sure, results.1 > sure) {
            (true, _) => SURE_EXPECTED + nuance,
            (_, false) => nuance - SURE_EXPECTED,
            // The evaluation of a side that cannot lose is not below 0.
            _ => value.min(4 * SURE_VALUE) / 2 - SURE_VALUE,
        };
        Score(top(possible) - SURE_MIDDLE + above_middle)
    }

    /// Whether a move with this score is [expected](Score::expected) to come to no less than a balance.
    pub fn promises(self, balance: i8, result_bounds: (i8, i8)) -> bool {
        self >= Score::expected((balance, balance), result_bounds, -eval::LARGEST)
    }

    /// A game that ends `ply` plies below the root by this many match points.
    #[inline(always)]
    pub fn decided(balance: i8, ply: usize) -> Score {
        Score(top(balance) - balance.signum() as i32 * ply as i32)
    }

    /// A game that an endgame table knows to end by this many match points, asked `ply` plies below the root.
    #[inline(always)]
    pub fn tabled(balance: i8, ply: usize) -> Score {
        Score::decided(balance, ply + TABLED)
    }

    /// Below every game that is won by so many points, or above every game that is lost by them.
    #[inline(always)]
    const fn least(balance: i8) -> Score {
        Score(top(balance) - balance.signum() as i32 * LATEST)
    }

    /// The lowest and the highest score that the result bounds leave at a node `ply` plies below the root.
    ///
    /// This bounds evaluations too, since they agree with the result bounds, and cuts off lines longer than a win found before.
    #[inline(always)]
    pub fn bounds((worst, best): (i8, i8), ply: usize) -> (Score, Score) {
        let lowest = if worst > 0 { Score::least(worst) } else { Score::decided(worst, ply) };
        let highest = if best < 0 { Score::least(best) } else { Score::decided(best, ply) };
        (lowest, highest)
    }

    /// Whether neither a proof nor a table says who wins.
    #[inline(always)]
    pub fn is_open(self) -> bool {
        self.0.abs() < won(1) - NUANCE
    }

    /// Whether a proof or a table says who wins, or no seed can change it.
    #[inline(always)]
    pub fn is_decided(self) -> bool {
        self.0.abs() > eval::LARGEST
    }

    /// The next higher score.
    #[inline(always)]
    pub fn next(self) -> Score {
        Score(self.0 + 1)
    }

    /// The score this far above; negative for below.
    pub fn moved(self, by: i32) -> Score {
        Score((self.0 + by).clamp(-Score::INFINITE.0, Score::INFINITE.0))
    }

    /// The band of a score beyond the evaluations, from 0, and how far it is below the top of that.
    #[inline(always)]
    fn place(self) -> Option<(usize, i32)> {
        let above = self.0.abs() - eval::LARGEST - 1;
        (above >= 0).then(|| ((above / BAND) as usize, BAND - 1 - above % BAND))
    }

    /// The balance of match points of a game that ends so for certain, and how far off the end is taken to be, in plies.
    fn ending(self) -> Option<(i8, i32)> {
        let (band, distance) = self.place().filter(|&(_, distance)| distance < LATEST)?;
        Some((POINTS[band] * self.0.signum() as i8, distance))
    }

    /// The balance of match points of a game whose end is found or known; `None` for all else.
    pub fn balance(self) -> Option<i8> {
        self.ending().map(|(balance, _)| balance)
    }

    /// The balance of match points and the distance in plies of a game that is won or lost within a line; `None` for all else.
    pub fn decision(self) -> Option<(i8, i32)> {
        self.ending().filter(|&(_, distance)| distance < TABLED as i32)
    }

    /// The plies from the root at which the line of a decided game ends; 0 for any other score.
    #[inline(always)]
    pub(super) fn over_by(self) -> u16 {
        if !self.is_decided() {
            return 0;
        }
        self.decision().map_or(0, |(_, plies)| plies as u16)
    }

    /// The score as the table holds it: seen from the node and not from the root, so that it holds on every way there.
    #[inline(always)]
    pub(super) fn to_table(self, ply: usize) -> i16 {
        (self.0 + self.later(ply)) as i16
    }

    /// The score of a table entry at a node `ply` plies below the root.
    #[inline(always)]
    pub(super) fn from_table(held: i16, ply: usize) -> Score {
        let held = Score(held.into());
        Score(held.0 - held.later(ply))
    }

    /// What so many plies change in a score that tells a distance.
    #[inline(always)]
    fn later(self, ply: usize) -> i32 {
        let tells_distance = self.is_decided() && self.place().is_some_and(|(_, distance)| distance < LATEST);
        if tells_distance { self.0.signum() * ply as i32 } else { 0 }
    }

    /// The score in the words of a report. A win or a loss whose distance the winner can keep to is a mate; `firm` says that he can. A
    /// game already over and won is told as won within one ply, since 0 has no sign.
    pub fn value(self, firm: bool) -> ScoreValue {
        match self.decision() {
            Some((balance, plies)) if firm => ScoreValue::Mate(if balance > 0 { plies.max(1) } else { -plies }),
            _ => ScoreValue::Centiseeds(self.0),
        }
    }
}

/// The same bounds seen by the other player.
#[inline(always)]
const fn turned((worst, best): (i8, i8)) -> (i8, i8) {
    (-best, -worst)
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: (i8, i8) = (-2, 2);
    const SURE: (i8, i8) = (1, 2);

    #[test]
    fn more_points_outrank_a_shorter_way_and_every_evaluation() {
        let ladder = [
            Score::decided(-12, 1),
            Score::decided(-2, 1),
            Score::decided(-1, 0),
            Score::decided(-1, 250),
            Score::evaluation(OPEN, -eval::LARGEST),
            Score::decided(0, 7),
            Score::evaluation(OPEN, eval::LARGEST),
            Score::tabled(1, 200),
            Score::decided(1, 250),
            Score::decided(1, 1),
            Score::expected((1, 1), SURE, eval::LARGEST),
            Score::evaluation(SURE, 0),
            Score::evaluation(SURE, eval::LARGEST),
            Score::expected((2, 2), SURE, -eval::LARGEST),
            Score::tabled(2, 200),
            Score::decided(2, 250),
            Score::decided(12, 250),
            Score::decided(12, 0),
            Score::INFINITE,
        ];
        assert!(ladder.is_sorted_by(|lower, higher| lower < higher), "{ladder:?}");
    }

    #[test]
    fn a_decided_score_tells_its_points_and_its_distance() {
        assert_eq!(Score::decided(2, 5).decision(), Some((2, 5)));
        assert_eq!(Score::decided(-12, 0).decision(), Some((-12, 0)));
        assert_eq!(Score::decided(-1, 9).value(true), ScoreValue::Mate(-9));
        assert_eq!(Score::decided(-1, 9).value(false), ScoreValue::Centiseeds(-23_991));
        assert_eq!(Score::decided(1, 0).value(true), ScoreValue::Mate(1));
        assert_eq!(Score::decided(-1, 0).value(true), ScoreValue::Mate(0));
        assert_eq!(Score::tabled(12, 9).balance(), Some(12));
        assert_eq!(Score::evaluation(OPEN, -250).value(true), ScoreValue::Centiseeds(-250));
        assert_eq!(Score::DRAW.value(true), ScoreValue::Centiseeds(0));
    }

    #[test]
    fn what_is_still_possible_bounds_every_score() {
        for result_bounds in [(-2, -1), (-2, 2), (0, 2), (1, 2), (-1, -1), (2, 2)] {
            let (lowest, highest) = Score::bounds(result_bounds, 3);
            for value in [-eval::LARGEST, -1, 0, 1, eval::LARGEST] {
                let agreed = match result_bounds {
                    (0.., _) => value.max(0),
                    (_, ..=0) => value.min(0),
                    _ => value,
                };
                let scores =
                    [Score::evaluation(result_bounds, agreed), Score::expected(result_bounds, result_bounds, agreed)];
                assert!(
                    scores.iter().all(|&score| lowest <= score && score <= highest),
                    "{result_bounds:?} {value} {scores:?}"
                );
                let mirrored = Score::evaluation((-result_bounds.1, -result_bounds.0), -agreed);
                assert_eq!(mirrored, -scores[0], "{result_bounds:?} {value}");
            }
        }
    }

    #[test]
    fn the_table_holds_a_win_by_its_distance_from_the_node() {
        let score = Score::decided(12, 30);
        assert_eq!(Score::from_table(score.to_table(10), 4), Score::decided(12, 24));
        assert_eq!(Score::from_table((-score).to_table(10), 14), Score::decided(-12, 34));
        for even in [Score::evaluation(OPEN, 77), Score::evaluation(SURE, 77), -Score::evaluation((2, 2), 0)] {
            assert_eq!(Score::from_table(even.to_table(10), 3), even);
        }
    }
}
