//! The opening suites in `tests/data/openings`, made by
//!
//! ```text
//! empiki openings --variant wuri    --plies 8 --depth 14 --bound 75
//! empiki openings --variant urim    --plies 6 --depth 14 --bound 75
//! empiki openings --variant urim7   --plies 6 --depth 12 --bound 75
//! empiki openings --variant omweso  --plies 8 --depth 8 --bound 500 --games 6 --nodes 10000 --seed 901
//! empiki openings --variant kimasai --plies 8 --depth 9 --bound 75
//! ```
//!
//! and, for Omweso without reverse, okwesera and okutema, `omweso-plain.txt` by several runs of
//!
//! ```text
//! empiki openings --variant omweso --option Omweso_Reverse=false ... --plies 8 --depth 16 --bound 600 --games 6 --nodes 100000
//! ```
//!
//! or with other depths and eight games, two of which each side won at least.
//!
//! They stay as they are when an evaluation changes, so that matches can be compared.

mod common;

use std::collections::HashSet;
use std::sync::Arc;

use common::{data, open};
use empiki::engine::game::SearchRequest;
use empiki::search::stop::StopHandle;
use empiki::search::table::Table;
use empiki::units::{Depth, Mebibytes, ScoreValue, Variant};

/// Sets up each position of a suite under these rules, and sees that the game is open.
fn check(name: &str, variant: Variant, rules: &str, count: usize) {
    let mut table = Table::new(Mebibytes(1)).unwrap();
    let suite = data(&format!("openings/{name}.txt"));
    assert_eq!(suite.lines().collect::<HashSet<_>>().len(), count, "{name}");
    for token in suite.lines() {
        let mut game = open(variant, rules);
        game.set_up(Some(token), &[]).unwrap();
        assert!(game.outcome().is_none(), "{name} {token}");
        let mut request = SearchRequest::new(Arc::new(StopHandle::alone()));
        request.limits.depth = Some(Depth(3));
        let score = game.search_now(&mut table, request).lines[0].score;
        assert!(matches!(score, ScoreValue::Centiseeds(_)), "{name} {token} {score:?}");
    }
}

#[test]
fn every_opening_is_a_position_in_which_nobody_wins_within_three_plies() {
    for variant in Variant::ALL {
        check(variant.name(), variant, "", 50);
    }
    let plain = "Omweso_Reverse=false Omweso_Okwesera=false Omweso_Okutema=false Omweso_LapLimit=200";
    check("omweso-plain", Variant::Omweso, plain, 20);
}
