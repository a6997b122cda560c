//! What a node is worth: evaluations in the middle, finished games by match points and distance at both ends.
//!
//! ```text
//!   -32000 .. -20001   lost, by 12 points at the far end; sooner is worse
//!   -20000 ..  20000   evaluations in hundredths of a seed; 0 is a draw too
//!    20001 ..  32000   won, by 12 points at the far end; sooner is better
//! ```
//!
//! A game that an endgame table calls won ranks with those of as many points, below each that is won within the reach of a search.

use std::ops::Neg;

use crate::eval;
use crate::units::ScoreValue;

/// What one match point adds to a won game. More than the plies of any line, so that more points always outrank a shorter way.
const POINT: i32 = 1000;

/// How much later than the table is reached a game is taken to end that it calls won: beyond the reach of any line, and so that the
/// table is reached soon.
const TABLED: usize = 400;

/// The most that an evaluation counts either way where the result of a position is expected.
const NUANCE: i32 = 2500;

/// What an expected win of so many points is worth.
const fn won(points: i8) -> i32 {
    5000 * (1 + points as i32)
}

/// What a won game is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// Its match points: more of them are better.
    #[default]
    Points,
    /// The same, whatever the points.
    Win,
}

impl Aim {
    /// What a balance of match points counts.
    #[inline(always)]
    pub fn counts(self, balance: i8) -> i8 {
        match self {
            Aim::Points => balance,
            Aim::Win => balance.signum(),
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

    /// An evaluation in hundredths of a seed.
    #[inline(always)]
    pub fn evaluation(value: i32) -> Score {
        debug_assert!(value.abs() <= eval::LARGEST);
        Score(value)
    }

    /// An evaluation where an endgame table knows the worst and the best result of the position without its history: the history may
    /// change them, so they are no more than a good guess.
    #[inline(always)]
    pub fn expected((worst, best): (i8, i8), evaluation: i32) -> Score {
        let nuance = evaluation * NUANCE / eval::LARGEST;
        Score::evaluation(match (worst, best) {
            (1.., _) => won(worst) + nuance,
            (_, ..=-1) => -won(-best) + nuance,
            (0, 0) => nuance,
            (0.., _) => evaluation.max(0),
            (_, ..=0) => evaluation.min(0),
            _ => evaluation,
        })
    }

    /// Whether a move with this score is [expected](Score::expected) to come to no less than a balance.
    pub fn promises(self, balance: i8) -> bool {
        let least = match balance {
            1.. => won(balance),
            0 => 0,
            ..0 => return true,
        };
        self.0 >= least - NUANCE
    }

    /// A game that ends `ply` plies below the root by this many match points.
    #[inline(always)]
    pub fn decided(balance: i8, ply: usize) -> Score {
        match i32::from(balance) {
            0 => Score::DRAW,
            won if won > 0 => Score(eval::LARGEST + POINT * won - ply as i32),
            lost => Score(-eval::LARGEST + POINT * lost + ply as i32),
        }
    }

    /// A game that an endgame table knows to end by this many match points, asked `ply` plies below the root.
    #[inline(always)]
    pub fn tabled(balance: i8, ply: usize) -> Score {
        Score::decided(balance, ply + TABLED)
    }

    /// The lowest and the highest score that the prospects leave at a node `ply` plies below the root.
    ///
    /// This bounds evaluations too, since they agree with the prospects, and cuts off lines longer than a win found before.
    #[inline(always)]
    pub fn bounds((worst, best): (i8, i8), ply: usize) -> (Score, Score) {
        (Score::decided(worst.min(0), ply), Score::decided(best.max(0), ply))
    }

    /// Whether neither a proof nor a table says who wins.
    #[inline(always)]
    pub fn is_open(self) -> bool {
        self.0.abs() < won(1) - NUANCE
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

    /// The balance of match points of a game that is won or lost for certain; `None` for all else.
    pub fn balance(self) -> Option<i8> {
        let above = self.0.abs() - eval::LARGEST;
        let points = (above + POINT - 1) / POINT;
        (above > 0).then_some((points * self.0.signum()) as i8)
    }

    /// The balance of match points and the distance in plies of a game that is won or lost within a line; `None` for all else.
    pub fn decision(self) -> Option<(i8, i32)> {
        let balance = self.balance()?;
        let distance = i32::from(balance.abs()) * POINT + eval::LARGEST - self.0.abs();
        (distance < TABLED as i32).then_some((balance, distance))
    }

    /// The score as the table holds it: seen from the node and not from the root, so that it holds on every way there.
    #[inline(always)]
    pub(super) fn to_table(self, ply: usize) -> i16 {
        let plies = ply as i32;
        let score = match self.0 {
            won if won > eval::LARGEST => won + plies,
            lost if lost < -eval::LARGEST => lost - plies,
            even => even,
        };
        score as i16
    }

    /// The score of a table entry at a node `ply` plies below the root.
    #[inline(always)]
    pub(super) fn from_table(held: i16, ply: usize) -> Score {
        let (held, plies) = (i32::from(held), ply as i32);
        match held {
            won if won > eval::LARGEST => Score(won - plies),
            lost if lost < -eval::LARGEST => Score(lost + plies),
            even => Score(even),
        }
    }

    /// The score in the words of a report. A game already over and won is told as won within one ply, since 0 has no sign.
    pub fn value(self) -> ScoreValue {
        match self.decision() {
            None => ScoreValue::Centiseeds(self.0),
            Some((balance, plies)) => ScoreValue::Mate(if balance > 0 { plies.max(1) } else { -plies }),
        }
    }
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

    #[test]
    fn more_points_outrank_a_shorter_way_and_every_evaluation() {
        let ladder = [
            Score::decided(-12, 1),
            Score::decided(-2, 1),
            Score::decided(-1, 0),
            Score::decided(-1, 250),
            Score::evaluation(-eval::LARGEST),
            Score::decided(0, 7),
            Score::evaluation(eval::LARGEST),
            Score::decided(1, 250),
            Score::decided(1, 1),
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
        assert_eq!(Score::decided(-1, 9).value(), ScoreValue::Mate(-9));
        assert_eq!(Score::decided(1, 0).value(), ScoreValue::Mate(1));
        assert_eq!(Score::decided(-1, 0).value(), ScoreValue::Mate(0));
        assert_eq!(Score::evaluation(-250).value(), ScoreValue::Centiseeds(-250));
        assert_eq!(Score::DRAW.value(), ScoreValue::Centiseeds(0));
    }

    #[test]
    fn the_table_holds_a_win_by_its_distance_from_the_node() {
        let score = Score::decided(12, 30);
        assert_eq!(Score::from_table(score.to_table(10), 4), Score::decided(12, 24));
        assert_eq!(Score::from_table((-score).to_table(10), 14), Score::decided(-12, 34));
        assert_eq!(Score::from_table(Score::evaluation(77).to_table(10), 3), Score::evaluation(77));
    }
}
