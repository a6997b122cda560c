//! The table of mutations of the real source stays true: `scripts/mutants.py` tries them, which takes too long for a test.

use std::collections::BTreeSet;

use pretty_assertions::assert_eq;

use crate::common::data;
use crate::{behaviour, covered_by, held_rulings, source};

/// The value of a key in an entry of the table.
fn value<'a>(entry: &'a str, key: &str) -> &'a str {
    let lines = entry.lines().filter_map(|line| line.split_once(':'));
    let found: Vec<&str> = lines.filter(|(name, _)| *name == key).map(|(_, value)| value.trim()).collect();
    assert_eq!(found.len(), 1, "one `{key}` in: {entry}");
    found[0]
}

/// The entries of the table, without the lines for the reader.
fn entries() -> Vec<String> {
    let text = data("mutants.txt");
    text.split("\n\n").skip(1).map(str::to_owned).collect()
}

#[test]
fn every_mutation_of_the_source_changes_a_text_that_stands_there_once() {
    for entry in entries() {
        let (file, old, new) = (value(&entry, "file"), value(&entry, "old"), value(&entry, "new"));
        assert_eq!(source(file).matches(old).count(), 1, "`{old}` in {file}");
        assert_ne!(old, new);
    }
}

#[test]
fn every_ruling_has_a_mutation_of_the_source() {
    let found: BTreeSet<String> = entries().iter().map(|entry| value(entry, "ruling").to_owned()).collect();
    let wanted: BTreeSet<String> = covered_by("mutation").union(&covered_by("behaviour")).cloned().collect();
    assert_eq!(found, wanted);
}

#[test]
fn every_mutation_of_the_source_names_a_test_of_its_ruling() {
    let held = held_rulings().map(|held| (held.ruling, held.name));
    let here: BTreeSet<_> = held.chain(behaviour::NAMED.iter().map(|named| (named.0, named.2))).collect();
    for entry in entries() {
        let (ruling, test) = (value(&entry, "ruling"), value(&entry, "test"));
        assert!(here.contains(&(ruling, test)), "{ruling}: no test of it is called {test}");
    }
}
