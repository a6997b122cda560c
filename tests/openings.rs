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
//! They stay as they are when an evaluation changes, so that matches can be compared.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use empiki::engine::game::{self, SearchRequest, rule_options};
use empiki::search::control::Control;
use empiki::search::table::Table;
use empiki::units::{Depth, Mebibytes, OptionValues, ScoreValue, Variant};

#[test]
fn every_opening_is_a_position_in_which_nobody_wins_within_three_plies() {
    let mut table = Table::new(Mebibytes(1)).unwrap();
    for variant in Variant::ALL {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/openings/{variant}.txt"));
        let suite = fs::read_to_string(path).expect("the suite is there");
        assert_eq!(suite.lines().collect::<HashSet<_>>().len(), 50, "{variant}");
        for token in suite.lines() {
            let mut game = game::open(variant, &OptionValues::new(rule_options(variant)));
            game.set_up(Some(token), &[]).unwrap();
            assert!(game.outcome().is_none(), "{variant} {token}");
            let mut request = SearchRequest::new(Arc::new(Control::alone()));
            request.limits.depth = Some(Depth(3));
            let score = game.search_now(&mut table, request).lines[0].score;
            assert!(matches!(score, ScoreValue::Centiseeds(_)), "{variant} {token} {score:?}");
        }
    }
}
