//! The rules against right values from outside: single moves, whole games, and games under house rules.

mod common;

use common::{data, data_files, open, variant, written};
use empiki::engine::game::Game;
use pretty_assertions::assert_eq;

/// The result line of a game, without `none`.
fn result(game: &dyn Game) -> Option<String> {
    game.outcome().map(|outcome| format!("result {}", outcome.describe(game.mover())))
}

/// Replays one file of `position | legal moves | move played` lines that ends with a result.
fn replay(name: &str, variant_name: &str) {
    let text = data(name);
    let options = match text.lines().next() {
        Some(line) if line.contains('=') => line.trim_start_matches('#').trim(),
        _ => "",
    };
    let mut game = open(variant(variant_name), options);
    let mut moves_made = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with("result") {
            assert_eq!(result(&*game).as_deref(), Some(line), "{name}");
            return;
        }
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        if moves_made == 0 {
            // Some files begin in the middle of a game.
            game.set_up(Some(fields[0]), &[]).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        }
        assert_eq!(game.token(), fields[0], "{name} after {moves_made} moves");
        assert_eq!(common::legal_words(&*game).join(" "), fields[1], "{name} at {}", fields[0]);
        if let Some(mv) = fields.get(2) {
            assert_eq!(game.outcome(), None, "{name} at {}", fields[0]);
            game.play(&[written(mv)]).unwrap_or_else(|error| panic!("{name}: {error:#}"));
            moves_made += 1;
        }
    }
    panic!("{name} has no result");
}

#[test]
fn whole_games_run_as_recorded() {
    let files = data_files("game-");
    assert!(files.len() >= 16, "{files:?}");
    for name in files {
        let variant = name.split('-').nth(1).expect("game-VARIANT-N").to_owned();
        replay(&name, &variant);
    }
}

#[test]
fn whole_games_run_as_recorded_under_house_rules() {
    let files = data_files("options-");
    assert!(files.len() >= 24, "{files:?}");
    for name in files {
        let variant = name.split('-').nth(1).expect("options-VARIANT-N").to_owned();
        replay(&name, &variant);
    }
}

#[test]
fn single_moves_lead_where_they_should() {
    for line in data("moves.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let mut game = open(variant(fields[0]), "");
        game.set_up(Some(fields[2]), &[]).unwrap_or_else(|error| panic!("{line}: {error:#}"));
        assert_eq!(game.token(), fields[2], "the token comes back");
        let played = game.play(&[written(fields[3])]);
        if fields[4] == "illegal" {
            assert!(played.is_err(), "{line}");
            assert_eq!(game.token(), fields[2], "a refused move changes nothing");
        } else {
            played.unwrap_or_else(|error| panic!("{line}: {error:#}"));
            assert_eq!(game.token(), fields[4], "{line}");
            assert_eq!(result(&*game).as_deref(), fields.get(5).copied(), "{line}");
        }
    }
}
