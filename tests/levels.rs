//! Limited strength: what a level may do, and that it can be made to do it again.

mod common;

use common::{converse, data};
use empiki::units::Variant;
use pretty_assertions::assert_eq;

/// What a level answers from the start of a game, with and without a number to choose by.
fn answers(variant: &str, elo: u32, seed: u32, go: &str) -> Vec<String> {
    let input = format!(
        "setoption name UCI_Variant value {variant}\nsetoption name UCI_LimitStrength value true\n\
         setoption name UCI_Elo value {elo}\nsetoption name Strength_Seed value {seed}\n{go}\n"
    );
    let told = converse(input.as_bytes());
    let lines = told.lines().filter(|line| line.starts_with("info depth") || line.starts_with("bestmove"));
    lines.map(str::to_owned).collect()
}

/// The word after `key` in a line.
fn word<'a>(line: &'a str, key: &str) -> &'a str {
    line.split(' ').skip_while(|word| *word != key).nth(1).unwrap_or_else(|| panic!("no {key} in {line}"))
}

fn best_move(answers: &[String]) -> &str {
    word(answers.last().expect("an answer"), "bestmove")
}

#[test]
fn the_line_told_last_is_that_of_the_move_that_is_played() {
    for variant in Variant::ALL.map(Variant::name) {
        for seed in 1..=10 {
            let answers = answers(variant, 700, seed, "go movetime 60000");
            let [.., line, _] = &answers[..] else { panic!("{answers:?}") };
            assert_eq!((word(line, "pv"), word(line, "multipv")), (best_move(&answers), "1"), "{answers:?}");
            assert!(answers.iter().all(|line| line.starts_with("bestmove") || word(line, "multipv") == "1"));
        }
    }
}

#[test]
fn a_number_repeats_the_choices_and_others_make_others() {
    for variant in Variant::ALL.map(Variant::name) {
        // In one position alone a move may be so good that all choose it.
        let suite = data(&format!("openings/{variant}.txt"));
        let go: String =
            suite.lines().take(10).map(|token| format!("position fen {token}\ngo movetime 60000\n")).collect();
        let chosen = |seed| {
            let mut answers = answers(variant, 600, seed, &go);
            answers.retain(|line| line.starts_with("bestmove"));
            assert_eq!(answers.len(), 10, "{variant}");
            answers
        };
        let moves: Vec<Vec<String>> = (1..=20).map(chosen).collect();
        assert_eq!(moves, (1..=20).map(chosen).collect::<Vec<_>>(), "{variant}");
        assert!(moves.iter().any(|mv| *mv != moves[0]), "{variant}: {moves:?}");
    }
}

#[test]
fn the_highest_level_plays_the_best_move() {
    let limited = answers("wuri", 2400, 1, "go nodes 5000");
    let free = converse(b"go nodes 5000\n");
    assert_eq!(Some(best_move(&limited)), free.lines().find_map(|line| line.strip_prefix("bestmove ")));
}

#[test]
fn a_level_searches_no_more_than_it_may_and_limits_of_go_hold_too() {
    let nodes = |answers: &[String]| -> u64 { word(&answers[answers.len() - 2], "nodes").parse().expect("a number") };
    assert!(nodes(&answers("wuri", 600, 1, "go movetime 60000")) <= 24, "four times six moves");
    assert!(nodes(&answers("wuri", 2400, 1, "go nodes 10")) <= 10);
    assert_eq!(word(&answers("wuri", 2400, 1, "go depth 2")[0], "depth"), "1");
}

#[test]
fn lines_are_told_as_many_as_asked_for() {
    let go = "setoption name MultiPV value 3\ngo movetime 60000";
    let answers = answers("wuri", 600, 3, go);
    let ranks: Vec<&str> = answers.iter().rev().skip(1).take(3).map(|line| word(line, "multipv")).collect();
    assert_eq!(ranks, ["3", "2", "1"]);
    let first = &answers[answers.len() - 4];
    assert_eq!(word(first, "pv"), best_move(&answers));
}

#[test]
fn arrangements_are_limited_too() {
    let answers = answers("omweso", 600, 1, "setoption name Omweso_Arrangement value open\ngo movetime 60000");
    assert!(best_move(&answers).starts_with('@'), "{answers:?}");
}
