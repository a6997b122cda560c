//! Playing weaker than the engine can: searching less, and choosing among good moves.
//!
//! A level makes the search shorter, and lets a move be played whose score is a little below the best. Both fade as the level rises. No move is
//! worse than the level's slack, as far as the level can see, so that a weak player is one who overlooks things and not one who throws
//! games away.

use super::rng::Rng;
use crate::search::info::Report;
use crate::units::{Nodes, Variant};

/// The weakest level.
pub const WEAKEST: i64 = 600;
/// The strongest level.
pub const STRONGEST: i64 = 2400;

/// How many moves a level chooses among at most.
pub const CHOICE: u32 = 4;

/// How far below the best the weakest level lets a move be that it plays now and then, in hundredths of a seed; the strongest plays the best.
const SLACK: f64 = 150.0;

/// The moves that the weakest level makes to find its own, where there are not more to choose from, and the points that twice as many are
/// worth: by matches between levels 400 points apart, 100 games each.
const fn scale(variant: Variant) -> (f64, f64) {
    match variant {
        Variant::Wuri => (16.0, 150.0),
        Variant::Urim => (16.0, 145.0),
        Variant::Urim7 => (16.0, 160.0),
        Variant::Omweso => (64.0, 130.0),
        Variant::Kimasai => (64.0, 150.0),
    }
}

/// What keeps a level from playing its best.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StrengthLimit {
    /// No more moves are made in a search.
    pub nodes: Nodes,
    /// How far below the best a move may be, in hundredths of a seed.
    slack: f64,
}

impl StrengthLimit {
    /// The handicap of a level in a position with so many legal moves.
    pub fn new(variant: Variant, elo: i64, legal_moves: usize) -> StrengthLimit {
        let above = (elo.clamp(WEAKEST, STRONGEST) - WEAKEST) as f64;
        let (fewest, a_doubling) = scale(variant);
        let nodes = fewest * (above / a_doubling).exp2();
        // Each move is seen once, also those that come second and third.
        let at_least = u64::from(CHOICE) * legal_moves as u64;
        let slack = SLACK * (1.0 - above / (STRONGEST - WEAKEST) as f64);
        StrengthLimit { nodes: Nodes((nodes as u64).max(at_least)), slack }
    }

    /// Which of the lines is played: among those within the slack each as likely as it is good, from surely for the best at the top to
    /// never at the edge.
    pub fn choose(&self, lines: &[Report], rng: &mut Rng) -> usize {
        let best = lines.first().map_or(0, |line| line.score.number());
        let weight = |line: &Report| (1.0 - f64::from(best - line.score.number()) / self.slack).max(0.0);
        // Without slack this is no number for the best, and the best is played.
        let total: f64 = lines.iter().map(weight).sum();
        let mut left = rng.fraction() * total;
        let chosen = lines.iter().position(|line| {
            left -= weight(line);
            left < 0.0
        });
        chosen.unwrap_or(0)
    }
}

/// The dice for a position, so that the same seed chooses there the same.
pub fn rng(seed: u64, token: &str) -> Rng {
    Rng::new(token.bytes().fold(seed, |seed, byte| Rng::new(seed ^ u64::from(byte)).roll()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::units::{Bound, Depth, MoveText, ScoreValue};

    fn line(score: ScoreValue) -> Report {
        Report {
            depth: Depth(1),
            seldepth: Depth(1),
            multipv: 1,
            score,
            bound: Bound::Exact,
            proven: false,
            nodes: Nodes(1),
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: vec![MoveText::Null],
        }
    }

    fn shares(elo: i64, scores: &[ScoreValue]) -> Vec<u32> {
        let lines: Vec<Report> = scores.iter().copied().map(line).collect();
        let strength_limit = StrengthLimit::new(Variant::Wuri, elo, 6);
        let mut counts = vec![0; lines.len()];
        for seed in 0..1000 {
            counts[strength_limit.choose(&lines, &mut rng(seed, "a position"))] += 1;
        }
        counts
    }

    #[test]
    fn a_level_searches_more_and_chooses_better_the_higher_it_is() {
        let levels = (WEAKEST..=STRONGEST).step_by(100).map(|elo| StrengthLimit::new(Variant::Wuri, elo, 6));
        let levels: Vec<StrengthLimit> = levels.collect();
        assert!(levels.is_sorted_by(|low, high| low.nodes <= high.nodes && low.slack > high.slack), "{levels:?}");
        assert_eq!(StrengthLimit::new(Variant::Omweso, WEAKEST, 1000).nodes, Nodes(4000));
    }

    #[test]
    fn good_moves_are_played_by_how_good_they_are_and_bad_ones_never() {
        use ScoreValue::{Centiseeds, Mate};
        // Weights of 150, 100, 50 and nothing.
        let shares_of = shares(WEAKEST, &[Centiseeds(200), Centiseeds(150), Centiseeds(100), Centiseeds(50)]);
        let near = |count: u32, share: u32| count.abs_diff(share) < 60;
        assert!(near(shares_of[0], 500) && near(shares_of[1], 333) && near(shares_of[2], 167), "{shares_of:?}");
        assert_eq!(shares_of[3], 0);
        assert_eq!(shares(STRONGEST, &[Centiseeds(0), Centiseeds(0)]), [1000, 0]);
        assert_eq!(shares(WEAKEST, &[Mate(9), Centiseeds(9000)]), [1000, 0], "a win is taken");
        assert_eq!(shares(WEAKEST, &[Centiseeds(-9000), Mate(-4)]), [1000, 0], "a loss is not");
    }

    #[test]
    fn the_same_seed_chooses_the_same_and_another_position_anew() {
        assert_eq!(rng(7, "here"), rng(7, "here"));
        assert_ne!(rng(7, "here"), rng(8, "here"));
        assert_ne!(rng(7, "here"), rng(7, "there"));
    }
}
