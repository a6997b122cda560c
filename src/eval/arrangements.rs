//! Arrangements of seeds (O3) that have proved good, to begin a search among others from.

use crate::rules::arrangement::Layout;

/// Arrangements that were bred against each other.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bred {
    /// For who lays out first, the best in front.
    pub firsts: Vec<Layout>,
    /// For who answers, those in front that hurt most.
    pub answers: Vec<Layout>,
}

impl Bred {
    /// What `scripts/arrange.py` has written.
    ///
    /// # Panics
    /// If it is of another ruleset, or not such a file.
    pub(super) fn read(text: &str, ruleset: &str) -> Bred {
        let mut bred = Bred::default();
        let mut lines = text.lines();
        let of = lines.next().and_then(|line| line.strip_prefix("ruleset "));
        assert_eq!(of, Some(ruleset), "arrangements are good under their own rules");
        for line in lines {
            let (word, rest) = line.split_once(' ').expect("two words");
            match word {
                "first" => bred.firsts.push(layout(rest)),
                "answer" => bred.answers.push(layout(rest)),
                _ => {}
            }
        }
        bred
    }
}

/// The layout of sixteen numbers joined by `-`.
///
/// # Panics
/// If it is not that.
pub(crate) fn layout(text: &str) -> Layout {
    let seeds: Vec<u8> = text.split('-').map(|seeds| seeds.parse().expect("a number of seeds")).collect();
    seeds.try_into().expect("sixteen pits")
}
