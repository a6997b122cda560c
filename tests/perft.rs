//! Perft against counts from outside.

mod common;

use common::{data, option_values, variant};
use empiki::rules::Rules;
use empiki::rules::kimasai::Kimasai;
use empiki::rules::notation::read_position;
use empiki::rules::omweso::Omweso;
use empiki::rules::perft::{perft, perft_made};
use empiki::rules::urim::Urim;
use empiki::rules::wuri::Wuri;
use empiki::units::Variant;
use pretty_assertions::assert_eq;

/// Depths with more leaves than this are left to a release build.
const MOST_LEAVES: u64 = 100_000_000;

fn check<G: Rules>(token: &str, counts: &[u64]) {
    let rules = G::with_options(&option_values(G::VARIANT, ""));
    let (position, _) = read_position(&rules, token).expect("a position of the game");
    // A finished game has no children, whatever its pits hold.
    let finished = rules.terminal(&position).is_some();
    for (depth, &leaves) in (1..).zip(counts).filter(|&(_, &leaves)| leaves <= MOST_LEAVES) {
        let found = if finished { 0 } else { perft(&rules, &position, depth) };
        assert_eq!(found, leaves, "{token} at depth {depth}");
        if !finished && leaves < 1_000_000 {
            assert_eq!(perft_made(&rules, &position, depth), leaves, "{token} at depth {depth}, leaves made");
        }
    }
}

#[test]
fn counts_agree_for_every_position() {
    for line in data("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let (name, token) = (words.next().expect("a variant"), words.next().expect("a position"));
        let counts: Vec<u64> = words.map(|count| count.parse().expect("a count")).collect();
        match variant(name) {
            // The slower path of chosen house rules must agree with the default one.
            Variant::Wuri => {
                check::<Wuri<true>>(token, &counts);
                check::<Wuri<false>>(token, &counts[..counts.len().min(7)]);
            }
            Variant::Urim => {
                check::<Urim<6, true>>(token, &counts);
                check::<Urim<6, false>>(token, &counts[..counts.len().min(7)]);
            }
            Variant::Urim7 => {
                check::<Urim<7, true>>(token, &counts);
                check::<Urim<7, false>>(token, &counts[..counts.len().min(7)]);
            }
            Variant::Omweso => {
                check::<Omweso<true>>(token, &counts);
                check::<Omweso<false>>(token, &counts);
            }
            Variant::Kimasai => {
                check::<Kimasai<true>>(token, &counts);
                check::<Kimasai<false>>(token, &counts);
            }
        }
    }
}
