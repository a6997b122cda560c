//! Every ruling is held by a test that turns red when the ruling is broken.
//!
//! A check asks a set of rules for what it should say. The engine passes it, and so do the rules played by hand; the same rules
//! with one of them got wrong on purpose do not. The checks stand in a list by ruling, which is held against
//! `tests/data/rulings.txt`.

#[path = "../by_hand/mod.rs"]
mod by_hand;
#[path = "../common/mod.rs"]
mod common;

mod asking;
mod behaviour;
mod general;
mod kimasai;
mod mutants;
mod omweso;
mod urim;
mod wuri;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use asking::Verdict;
use by_hand::{ByHand, Engine, Mutant, Rules};
use pretty_assertions::assert_eq;

/// One ruling, one way to get it wrong, and the test that tells.
pub struct Held {
    /// The number in the rule book.
    ruling: &'static str,
    /// What is got wrong.
    mutant: Mutant,
    /// The test.
    name: &'static str,
    check: fn(&dyn Rules) -> Verdict,
}

/// Declares checks: each becomes a test by its name, and an entry of the list `HELD` for each wrong rule that must turn it red.
macro_rules! held {
    ($($(#[$doc:meta])* $($ruling:ident $mutant:ident),+ => fn $name:ident($rules:ident) $body:block)+) => {
        mod checks {
            use super::*;
            $($(#[$doc])* pub fn $name($rules: &dyn Rules) -> Verdict $body)+
        }
        $(#[test] fn $name() { crate::hold(checks::$name); })+
        pub const HELD: &[Held] = &[$($(Held {
            ruling: stringify!($ruling),
            mutant: Mutant::$mutant,
            name: stringify!($name),
            check: checks::$name,
        }),+),+];
    };
}
use held;

/// Holds the engine, and the rules by hand, to a check.
fn hold(check: fn(&dyn Rules) -> Verdict) {
    for (name, rules) in [("the engine", &Engine as &dyn Rules), ("by hand", &ByHand)] {
        check(rules).unwrap_or_else(|difference| panic!("{name}: {difference}"));
    }
}

/// The whole list.
fn held_rulings() -> impl Iterator<Item = &'static Held> {
    [general::HELD, wuri::HELD, urim::HELD, omweso::HELD, kimasai::HELD].into_iter().flatten()
}

/// The rulings that are covered in this way, from the list in `tests/data`.
fn covered_by(way: &str) -> BTreeSet<String> {
    let text = common::data("rulings.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words = lines.map(|line| line.split(' ').collect::<Vec<&str>>());
    words.filter(|words| words[1..].contains(&way)).map(|words| words[0].to_owned()).collect()
}

/// A file of this package.
fn source(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_wrong_rule_turns_its_test_red() {
    for held in held_rulings() {
        let verdict = (held.check)(&held.mutant);
        assert!(verdict.is_err(), "{} {:?}: `{}` does not see it", held.ruling, held.mutant, held.name);
    }
}

#[test]
fn every_ruling_has_a_wrong_rule_or_a_behaviour() {
    let held: BTreeSet<String> = held_rulings().map(|held| held.ruling.to_owned()).collect();
    assert_eq!(held, covered_by("mutation"));
    let behaviour: BTreeSet<String> = behaviour::NAMED.iter().map(|named| named.0.to_owned()).collect();
    assert_eq!(behaviour, covered_by("behaviour"));
    let listed = covered_by("mutation").len() + covered_by("behaviour").len();
    let both = covered_by("mutation").intersection(&covered_by("behaviour")).count();
    assert_eq!(listed - both, 8 + 9 + 12 + 23 + 12, "the rule books have so many rulings");
}

#[test]
fn every_wrong_rule_stands_in_the_list_under_the_rulings_that_it_names() {
    let text = source("tests/by_hand/mutant.rs");
    let declared = text.lines().map(str::trim).skip_while(|line| !line.starts_with("pub enum"));
    let mut named = String::new();
    let mut pairs = BTreeSet::new();
    for line in declared.skip(1).take_while(|line| *line != "}") {
        if let Some(doc) = line.strip_prefix("/// ") {
            named = doc.split(':').next().expect("a first part").to_owned();
        } else {
            let mutant = line.trim_end_matches(',');
            pairs.extend(named.split(", ").map(|ruling| (ruling.to_owned(), mutant.to_owned())));
        }
    }
    let listed: BTreeSet<_> =
        held_rulings().map(|held| (held.ruling.to_owned(), format!("{:?}", held.mutant))).collect();
    assert_eq!(listed, pairs);
}

#[test]
fn every_named_test_of_behaviour_is_there() {
    for (ruling, file, name) in behaviour::NAMED {
        let text = source(file);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let at = lines.iter().position(|line| line.starts_with(&format!("fn {name}(")));
        let is_test = at.is_some_and(|at| at > 0 && lines[at - 1] == "#[test]");
        assert!(is_test, "{ruling}: {file} has no test called {name}");
    }
}
