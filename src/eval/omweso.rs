//! Omweso: the difference of the seeds. With a deep search it has beaten richer evaluations.

use super::arrangements::Bred;
use super::wdl::WdlModel;
use super::{Evaluate, SearchParams};
use crate::rules::four_row::sum;
use crate::rules::omweso::{Omweso, Position};

/// The worth of a seed on the own side.
const SEED: i32 = 100;

impl<const STANDARD: bool> Evaluate for Omweso<STANDARD> {
    const SEARCH_PARAMS: SearchParams =
        SearchParams { aspiration: 600, futility_margin: 200, margin_per_ply: 200, ..SearchParams::DEFAULT };
    const WDL: WdlModel = WdlModel { scale: 686, a_seed: 0, margin: 0 };

    #[inline(always)]
    fn evaluate(&self, position: &Position) -> i32 {
        // Both sides can win to the end, so the result bounds bound nothing.
        SEED * (i32::from(sum(position.own)) - i32::from(sum(position.other)))
    }

    fn arrangements(&self) -> Bred {
        if !STANDARD {
            return Bred::default();
        }
        Bred::read(include_str!("weights/arrangements.txt"), "omweso;Arrangement=open")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::rules::arrangement::check;
    use crate::units::OptionValues;

    #[test]
    fn known_arrangements_are_lawful_and_have_a_first_turn() {
        let mut options = OptionValues::new(Omweso::<true>::OPTIONS);
        options.set("Omweso_Arrangement", "open").expect("there is such an option").expect("and such a value");
        let rules = Omweso::<true>::with_options(&options);
        let Bred { firsts, answers } = rules.arrangements();
        assert_eq!((firsts.len(), answers.len()), (12, 24));
        for layout in firsts.iter().chain(&answers) {
            assert_eq!(check(layout, 10), Ok(()), "{layout:?}");
            let arranged =
                rules.arrange(&rules.start(), layout).and_then(|position| rules.arrange(&position, &[2; 16]));
            // Nobody captures in his first turn (O13), so it is the same whatever the other side has laid out. Without
            // one that ends the game is lost (O13a).
            assert_eq!(rules.terminal(&arranged.expect("both are lawful")), None, "{layout:?}");
        }
        assert_eq!(Omweso::<false>::with_options(&options).arrangements(), Bred::default(), "other rules, other turns");
    }

    #[test]
    #[should_panic(expected = "under their own rules")]
    fn arrangements_of_other_rules_are_refused() {
        Bred::read("ruleset omweso;Arrangement=open;Reverse=false\n", "omweso;Arrangement=open");
    }
}
