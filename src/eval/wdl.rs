//! What a score says of the chances: a model of games, not a proof.
//!
//! The numbers of each game are those that make the results of games most likely which the engine played against itself, at three
//! thousand moves a turn against two thousand six hundred, from the suites of openings and from eight plies by lot. Each unproved
//! score of a move counted once: 58,145 of 585 games of Wuri, 61,286 of 589 on two rows of six, 54,377 of 395 on two rows of seven,
//! 3,665 of 403 games of Omweso, which are proved early, and 41,288 of 600 of Kimasai, which began from
//! three hundred other balanced positions. On four rows no game was drawn, and the seeds never leave the pits. A scale that grows with the seeds says more than a constant one; a margin that does so says hardly
//! more. Deeper searches know more than the model believes.

/// How the chances of a game follow from a score.
///
/// A win is as likely as the logistic function says of the score above a margin, a loss as it says of the score below it on the other
/// side, and what is left is a draw. The scale grows with the seeds that can still change hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlModel {
    /// The scale without a seed in the pits, in hundredths of a seed.
    pub scale: u16,
    /// What each seed in the pits adds to the scale.
    pub a_seed: u16,
    /// How far ahead a side is that wins every other time, in hundredths of a seed.
    pub margin: u16,
}

impl WdlModel {
    /// The chances of a win and of a loss in thousandths, with so many seeds in the pits. Both are below 1000 and together no more.
    ///
    /// A higher score has never less of a win nor more of a loss, and the other side has them the other way round.
    pub fn of(self, score: i32, seeds: u32) -> (u16, u16) {
        let scale = f64::from(self.scale) + f64::from(self.a_seed) * f64::from(seeds);
        let share = |futility_margin: i32| {
            let against = (f64::from(i32::from(self.margin) - futility_margin) / scale).exp();
            (1000.0 / (1.0 + against)).round().min(999.0) as u16
        };
        let (win, loss) = (share(score), share(-score));
        // Both are rounded, so they may be one too many.
        if win >= loss { (win, loss.min(1000 - win)) } else { (win.min(1000 - loss), loss) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::LARGEST;

    const MODEL: WdlModel = WdlModel { scale: 200, a_seed: 10, margin: 100 };

    #[test]
    fn a_side_at_the_margin_wins_every_other_time() {
        assert_eq!(MODEL.of(100, 48).0, 500);
        assert_eq!(MODEL.of(-100, 0).1, 500);
        // One over e to the half, and e to the half, against one.
        assert_eq!(MODEL.of(0, 0), (378, 378));
        assert_eq!(MODEL.of(200, 0), (622, 182));
    }

    #[test]
    fn chances_follow_the_score_are_fair_and_never_certain() {
        for model in [MODEL, WdlModel { scale: 1, a_seed: 0, margin: 0 }] {
            for seeds in [0, 1, 48] {
                let wdl = (-LARGEST..=LARGEST).step_by(7).map(|score| (score, model.of(score, seeds)));
                let mut before = (0, 1000);
                for (score, (win, loss)) in wdl {
                    assert!(win >= before.0 && loss <= before.1, "{score}");
                    assert!(win < 1000 && loss < 1000 && win + loss <= 1000, "{score}");
                    assert_eq!(model.of(-score, seeds), (loss, win), "{score}");
                    before = (win, loss);
                }
            }
        }
    }

    #[test]
    fn a_lead_is_worth_less_with_more_seeds_to_come() {
        assert!(MODEL.of(500, 40).0 < MODEL.of(500, 4).0);
    }
}
