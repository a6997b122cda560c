//! The statistics of matches: what the results of pairs of games say about two players.
//!
//! Each opening is played from both sides, and the two games of such a pair are not independent of each other: an opening that is
//! won for one side is won by both players in turn. So the pair is what is counted, by one of the five scores that it can have,
//! and every error below comes from the variance of the pairs.
//!
//! Sources: M. Van den Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo", and the conventions of
//! fishtest and fastchess, which give the same numbers from the same counts.

use std::f64::consts::SQRT_2;
use std::ops::AddAssign;

use thiserror::Error;

/// What one game was to one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameScore {
    /// Nothing.
    Loss,
    /// Half a point; a void game counts as that too.
    Draw,
    /// A point.
    Win,
}

impl GameScore {
    /// Half points: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        match self {
            GameScore::Loss => 0,
            GameScore::Draw => 1,
            GameScore::Win => 2,
        }
    }

    /// The same game to the other player.
    #[must_use]
    pub const fn reversed(self) -> GameScore {
        match self {
            GameScore::Loss => GameScore::Win,
            GameScore::Draw => GameScore::Draw,
            GameScore::Win => GameScore::Loss,
        }
    }
}

/// Games counted by their result for one of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn, void ones too.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, score: GameScore) {
        match score {
            GameScore::Loss => self.losses += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Win => self.wins += 1,
        }
    }

    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, a half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game, if there was one.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Drawn games among all, if there was one.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games to the other player.
    #[must_use]
    pub const fn reversed(self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}

/// Pairs of games counted by their score in half points, 0 to 4: the pentanomial counts of the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairCounts(pub [u64; 5]);

/// What stands for a count of zero: with none of some score the variance of a short match would be far too small, and the
/// likelihood of that score nothing at all. The value is that of fishtest (`regularize` in its `LLRcalc`) and of fastchess.
const INSTEAD_OF_ZERO: f64 = 1e-3;
/// Scores are held this far from 0 and 1 before they become Elo, as in fishtest: so 1200 is the most that is ever told.
const LEAST_SCORE: f64 = 1e-3;
/// The 97.5 % quantile of the normal distribution: 95 % lie within it on both sides.
pub(super) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

impl PairCounts {
    /// Counts a pair by its two games, both seen by the first player.
    pub fn add(&mut self, one: GameScore, other: GameScore) {
        self.0[one.half_points() + other.half_points()] += 1;
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs to the other player.
    #[must_use]
    pub fn reversed(mut self) -> PairCounts {
        self.0.reverse();
        self
    }

    /// Points a game, if there was one.
    pub fn score(&self) -> Option<f64> {
        let half_points: u64 = self.0.iter().zip(0..).map(|(count, half_points)| count * half_points).sum();
        (self.pairs() > 0).then(|| half_points as f64 / (4 * self.pairs()) as f64)
    }

    /// The difference in strength that the pairs show, if there was one.
    ///
    /// The score a game is the mean over the pairs, and it is normal with the variance of the pairs divided by their number; the
    /// error is half of the interval that holds 95 % of it, after its ends have become Elo.
    pub fn estimate(&self) -> Option<Estimate> {
        (self.pairs() > 0).then(|| {
            let counts = self.regularised();
            let pairs: f64 = counts.iter().sum();
            let mean = expectation(&counts, |score| score) / pairs;
            let variance = expectation(&counts, |score| (score - mean).powi(2)) / pairs;
            let deviation = (variance / pairs).sqrt();
            let reach = TWO_SIDED_95 * deviation;
            Estimate {
                elo: elo_of_score(mean),
                error: (elo_of_score(mean + reach) - elo_of_score(mean - reach)) / 2.0,
                superiority: normal_below((mean - 0.5) / deviation),
            }
        })
    }

    fn regularised(&self) -> [f64; 5] {
        self.0.map(|count| if count == 0 { INSTEAD_OF_ZERO } else { count as f64 })
    }
}

impl AddAssign for PairCounts {
    fn add_assign(&mut self, more: PairCounts) {
        for (count, more) in self.0.iter_mut().zip(more.0) {
            *count += more;
        }
    }
}

/// Points a game of the five scores of a pair.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn expectation(counts: &[f64; 5], value: impl Fn(f64) -> f64) -> f64 {
    counts.iter().zip(SCORES).map(|(count, score)| count * value(score)).sum()
}

/// What a match says of the strength of its first player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The difference, in logistic Elo.
    pub elo: f64,
    /// Half of the interval that holds it with 95 %.
    pub error: f64,
    /// The likelihood of superiority: how sure it is that the first player is the stronger one, from 0 to 1.
    pub superiority: f64,
}

/// The difference in logistic Elo with this expected score; scores near 0 and 1 are held apart from them.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(LEAST_SCORE, 1.0 - LEAST_SCORE);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score with this difference in logistic Elo.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution function.
fn normal_below(value: f64) -> f64 {
    // Abramowitz & Stegun 7.1.26 for the error function, to 1.5e-7.
    const FACTORS: [f64; 5] = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let x = value.abs() / SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let sum = FACTORS.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let beyond = sum * (-x * x).exp() / 2.0;
    if value < 0.0 { beyond } else { 1.0 - beyond }
}

/// A sequential probability ratio test of two differences in strength, in logistic Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why a test cannot be made.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("elo0 is {elo0} and elo1 is {elo1}: wanted two numbers, the first one less")]
    Hypotheses {
        /// The lower one.
        elo0: f64,
        /// The higher one.
        elo1: f64,
    },
    /// An error that is no probability, or errors that leave nothing to decide.
    #[error("alpha is {alpha} and beta is {beta}: wanted two numbers above 0 that are less than 1 together")]
    Errors {
        /// How often elo1 may be accepted although elo0 holds.
        alpha: f64,
        /// How often elo0 may be accepted although elo1 holds.
        beta: f64,
    },
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Nothing is decided.
    Open,
    /// The difference is elo0: the change is refused.
    Elo0,
    /// The difference is elo1: the change is accepted.
    Elo1,
}

impl Sprt {
    /// A test of `elo0` against `elo1` that errs in `alpha` of all cases where `elo0` holds, and in `beta` where `elo1` does.
    ///
    /// # Errors
    /// If these are no hypotheses or no probabilities.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The hypotheses, in logistic Elo.
    pub const fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The log-likelihood ratios at which the test accepts elo0, and elo1 (A. Wald, "Sequential Tests of Statistical
    /// Hypotheses", 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The generalised log-likelihood ratio of elo1 against elo0: of the likeliest distributions of pairs whose expected scores
    /// are those of the hypotheses.
    ///
    /// ```text
    ///   p(i) = n(i)/n / (1 + x (a(i) - s))   with the x that makes the expectation s   (Van den Bergh, Proposition 1.1)
    ///   LLR  = sum n(i) ln (p1(i) / p0(i))
    /// ```
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        if counts.pairs() == 0 {
            return 0.0;
        }
        let counts = counts.regularised();
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        let (x0, x1) = (multiplier(&counts, s0), multiplier(&counts, s1));
        expectation(&counts, |score| ((1.0 + x0 * (score - s0)) / (1.0 + x1 * (score - s1))).ln())
    }

    /// Where the test stands.
    pub fn decide(&self, counts: &PairCounts) -> Decision {
        let (llr, (lower, upper)) = (self.llr(counts), self.bounds());
        if llr >= upper {
            Decision::Elo1
        } else if llr <= lower {
            Decision::Elo0
        } else {
            Decision::Open
        }
    }
}

/// The `x` with `sum n(i) d(i) / (1 + x d(i)) = 0`, where `d(i)` is the score of a pair less `mean`.
///
/// The sum falls steadily between its two poles, which lie on either side of 0: Newton's steps find its zero, and where one would
/// leave what is known to hold it, that is halved.
fn multiplier(counts: &[f64; 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (count, score) in counts.iter().zip(SCORES) {
            let part = (score - mean) / (1.0 + x * (score - mean));
            value += count * part;
            slope -= count * part * part;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { low.midpoint(high) };
        if (next - x).abs() <= 1e-12 * (1.0 + x.abs()) {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;

    fn near(value: f64, wanted: f64, within: f64) {
        assert!((value - wanted).abs() <= within, "{value} is not {wanted}");
    }

    /// The pairs of a fastchess test: LL, LD, WL, DD, WD, WW.
    fn fastchess([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> PairCounts {
        PairCounts([ll, ld, wl + dd, wd, ww])
    }

    #[test]
    fn elo_and_its_error_are_those_of_fastchess() {
        // The values of elo_test.cpp of fastchess, "EloPentanomial" 1 to 3.
        let cases = [
            ([34, 54, 31, 32, 64, 75], 55.58, 27.65),
            ([332, 433, 457, 41, 333, 334], -8.64, 10.33),
            ([7895, 8757, 5485, 200, 568, 9999], -21.04, 2.95),
        ];
        for (pairs, elo, error) in cases {
            let estimate = fastchess(pairs).estimate().unwrap();
            near(estimate.elo, elo, 0.01);
            near(estimate.error, error, 0.01);
        }
        near(fastchess([332, 433, 457, 41, 333, 334]).estimate().unwrap().superiority, 0.0505, 0.0001);
    }

    #[test]
    fn likelihood_ratios_are_those_of_fastchess() {
        // The values of sprt_test.cpp of fastchess, "logistic pentanomial" 1 and 2, which it compares within 1 %.
        let first = Sprt::new(0.5, 2.5, 0.05, 0.05).unwrap();
        near(first.llr(&fastchess([223, 9863, 20279, 1000, 10037, 246])), -3.07, 0.0307);
        let second = Sprt::new(0.0, 2.0, 0.05, 0.05).unwrap();
        near(second.llr(&fastchess([871, 26175, 55003, 980, 26678, 821])), -4.98, 0.0498);
    }

    #[test]
    fn a_match_by_hand() {
        // Half of the pairs 1.5 to 0.5, half 1 to 1: a score of 5/8, and 400 log10(5/3) is 88.74 Elo. The pairs deviate by 1/8 a
        // game, so the mean of 100 of them by 1/80: 0.600500 to 0.649500 hold 95 %, which is 70.80 to 107.16.
        let mut counts = PairCounts([0, 0, 50, 49, 0]);
        counts.add(GameScore::Win, GameScore::Draw);
        assert_eq!(counts.pairs(), 100);
        let estimate = counts.estimate().unwrap();
        near(counts.score().unwrap(), 0.625, 1e-12);
        near(estimate.elo, 88.74, 0.01);
        near(estimate.error, (107.16 - 70.80) / 2.0, 0.01);
        assert!(estimate.superiority > 0.9999);
    }

    #[test]
    fn the_likelihoods_of_two_scores_by_hand() {
        // With wins and losses of whole pairs alone the likeliest distribution of a score s is s and 1 - s: n is 60 and 40, and
        // 60 ln(s1/s0) + 40 ln((1-s1)/(1-s0)) with s0 = 1/2, s1 = 10/11 (400 Elo) is 60 ln(20/11) + 40 ln(2/11).
        let test = Sprt::new(0.0, 400.0, 0.05, 0.05).unwrap();
        let by_hand = 60.0 * (20f64 / 11.0).ln() + 40.0 * (2f64 / 11.0).ln();
        near(test.llr(&PairCounts([40, 0, 0, 0, 60])), by_hand, 0.02);
        assert_eq!(test.llr(&PairCounts::default()), 0.0);
        let (lower, upper) = test.bounds();
        near(lower, -19f64.ln(), 1e-12);
        near(upper, 19f64.ln(), 1e-12);
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (value, below) in
            [(0.0, 0.5), (1.0, 0.841_344_7), (-1.96, 0.024_997_9), (TWO_SIDED_95, 0.975), (-4.0, 3.17e-5)]
        {
            near(normal_below(value), below, 2e-7);
        }
    }

    #[test]
    fn what_is_no_test_is_refused() {
        assert!(matches!(Sprt::new(5.0, 0.0, 0.05, 0.05), Err(SprtError::Hypotheses { .. })));
        assert!(matches!(Sprt::new(f64::NAN, 0.0, 0.05, 0.05), Err(SprtError::Hypotheses { .. })));
        assert!(matches!(Sprt::new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Errors { .. })));
        assert!(matches!(Sprt::new(0.0, 5.0, 0.5, 0.5), Err(SprtError::Errors { .. })));
    }

    #[test]
    fn any_counts_have_finite_values() {
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
        for place in 0..5 {
            for count in [1, 1000, 1_000_000_000] {
                let mut counts = PairCounts::default();
                counts.0[place] = count;
                let Estimate { elo, error, superiority } = counts.estimate().unwrap();
                assert!(elo.is_finite() && error.is_finite() && superiority.is_finite(), "{counts:?}");
                assert!(test.llr(&counts).is_finite(), "{counts:?}");
            }
        }
    }

    /// Plays a test to its end with pairs drawn by these probabilities.
    fn simulate(test: &Sprt, probabilities: &[f64; 5], rng: &mut Rng) -> Decision {
        let mut counts = PairCounts::default();
        loop {
            let mut left = rng.fraction();
            let place = probabilities.iter().position(|probability| {
                left -= probability;
                left < 0.0
            });
            counts.0[place.unwrap_or(4)] += 1;
            match test.decide(&counts) {
                Decision::Open => (),
                decided => return decided,
            }
        }
    }

    /// A distribution of pairs with this expected score: two games with a quarter of draws.
    fn pairs_of_score(score: f64) -> [f64; 5] {
        let (draw, win) = (0.25, score - 0.125);
        let loss = 1.0 - draw - win;
        [loss * loss, 2.0 * loss * draw, 2.0 * loss * win + draw * draw, 2.0 * draw * win, win * win]
    }

    #[test]
    fn ten_thousand_simulated_matches_err_within_alpha_and_beta() {
        // Over other seeds both shares come out from 0.044 to 0.050; one has a deviation of 0.002. With hypotheses nearer to each
        // other the last pair overshoots less, and they come nearer to alpha and beta.
        let (alpha, beta) = (0.05, 0.05);
        let test = Sprt::new(0.0, 60.0, alpha, beta).unwrap();
        let mut rng = Rng::new(20);
        let mut share = |elo: f64, wrong: Decision| {
            let probabilities = pairs_of_score(score_of_elo(elo));
            let errors = (0..10_000).filter(|_| simulate(&test, &probabilities, &mut rng) == wrong).count();
            errors as f64 / 10_000.0
        };
        let (first_kind, second_kind) = (share(0.0, Decision::Elo1), share(60.0, Decision::Elo0));
        assert!(first_kind <= alpha && second_kind <= beta, "{first_kind} {second_kind}");
        // A test that errs far less than it may is one that goes on for too long.
        assert!(first_kind >= alpha / 2.0 && second_kind >= beta / 2.0, "{first_kind} {second_kind}");
    }
}
