//! Dialogues with the session, replayed in this process.
//!
//! Most are written down in `tests/golden/dialogue-*.txt`, one file for each way of talking to the engine; what they expect follows
//! from the rule books and from protocol.md.

mod common;

use std::fs;
use std::path::Path;

use common::converse;
use common::{dialogue, transcript};
use pretty_assertions::assert_eq;

fn replay(name: &str) {
    let file = format!("tests/golden/dialogue-{name}.txt");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    dialogue::replay_all(&dialogue::sessions(&file, &text));
}

/// A test for each file, and one that no file is left out.
macro_rules! replays {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            replay($name);
        })*

        #[test]
        fn every_file_of_dialogues_is_replayed() {
            let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
            let entries = fs::read_dir(directory).expect("the directory is there");
            let names = entries.map(|entry| entry.expect("a readable entry").file_name().into_string().expect("ASCII"));
            let mut found: Vec<String> = names.filter(|name| name.starts_with("dialogue-")).collect();
            found.sort();
            let mut replayed = vec![$(format!("dialogue-{}.txt", $name)),*];
            replayed.sort();
            assert_eq!(found, replayed);
        }
    };
}

replays! {
    a_board_program_in_the_way_of_auale: "auale",
    a_manager_in_the_way_of_cutegames: "cutegames",
    a_library_in_the_way_of_python_chess: "python-chess",
    somebody_at_a_terminal: "by-hand",
    what_cannot_be_read_gets_one_error_and_changes_nothing: "bad-input",
    positions_moves_and_take_backs: "positions",
    options_and_the_change_of_variants: "options",
    games_of_wuri_to_their_ends: "wuri-game",
    the_rules_of_wuri_one_by_one: "wuri-rules",
    games_of_omweso_to_their_ends: "omweso-game",
    directions_and_okwesera_in_omweso: "omweso-signs",
    turns_that_never_end: "endless",
    counts_of_leaves: "perft",
    searches_of_some_moves_only: "searchmoves",
    stops_and_what_they_end: "stop",
}

#[test]
fn every_log_on_record_is_replayed() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let entries = fs::read_dir(directory).expect("the directory is there");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let logs: Vec<_> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "log")).collect();
    assert!(!logs.is_empty());
    for log in logs {
        let text = fs::read_to_string(&log).expect("a log in UTF-8");
        assert_eq!(transcript::replay(&text), Ok(()), "{}", log.display());
    }
}

#[test]
fn a_refused_position_leaves_the_old_one() {
    let answers = converse(b"position startpos moves F\nposition startpos moves F g\nfen\n");
    assert_eq!(answers, "info string error: move 2 `g`: pits are a to f\nfen 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\n");
}

#[test]
fn a_line_of_a_million_bytes_is_answered_and_a_longer_one_dropped_with_one_error() {
    let long = b"fen ".repeat(1 << 18);
    assert_eq!(converse(&long), "info string error: fen `fen`: wanted nothing more\n");
    let longer = [&long[..], b"x\nisready\n"].concat();
    assert_eq!(converse(&longer), "info string error: line longer than 1048576 bytes: it was dropped\nreadyok\n");
}

#[test]
fn an_error_is_told_in_its_turn() {
    let answers = converse(b"position fen 0-0-1-2-0-0-0-0-0-0-0-1-24-20-N\ngo nodes 100\nmoves f\nhello\nfen\n");
    let last: Vec<&str> = answers.lines().rev().take(3).collect();
    let wanted =
        ["fen 1-0-1-2-0-0-0-0-0-0-0-0-24-20-S", "info string error: unknown command `hello`: try help", "bestmove f"];
    assert_eq!(last, wanted);
}

#[test]
fn a_limit_of_nodes_is_met_exactly_and_the_same_on_every_run() {
    let search = || {
        let answers = converse(b"go nodes 5000\n");
        let last = answers.lines().rfind(|line| line.starts_with("info")).expect("an info").to_owned();
        let (before, after) = (last.find(" nps").expect("a speed"), last.find(" pv").expect("a line"));
        (last[..before].to_owned(), last[after..].to_owned())
    };
    let first = search();
    assert!(first.0.ends_with(" nodes 5000"), "{first:?}");
    assert_eq!(first, search());
}

/// What a session says of its time, with `MS` for the time that it took.
fn told_of_time(script: &str) -> Vec<String> {
    let answers = converse(script.as_bytes());
    let told = answers.lines().filter_map(|line| line.strip_prefix("info string time: "));
    let end = |line: &str| {
        let rest = line.strip_prefix("ended after ")?;
        Some(format!("ended after MS {}", rest.split_once(" ms ").expect("a time").1))
    };
    told.map(|line| end(line).unwrap_or_else(|| line.to_owned())).collect()
}

#[test]
fn debug_tells_the_budget_and_what_ended_the_search_and_only_when_it_is_on() {
    const OPEN: &str = "no new iteration after none, answer after none; ends";
    const WIN: &str = "position fen 0-1-0-2-0-0-0-0-0-0-0-1-24-20-S\n";
    const ONE_MOVE: &str = "position fen 0-0-0-0-0-4-0-0-0-4-4-0-18-18-S\n";
    const OVER: &str = "position fen 0-0-0-3-0-1-1-5-0-0-0-0-12-26-S\n";
    let own = "own clock 60050 + 500 ms, overhead 10 ms: no new iteration after 1425 ms, answer after 7125 ms";
    let cases = [
        ("", "go depth 2\n", format!("{OPEN} by itself"), "depth"),
        ("", "go nodes 300\n", format!("{OPEN} by itself"), "nodes"),
        ("", "go mate 1\n", format!("{OPEN} by itself"), "mate"),
        (WIN, "go depth 30\n", format!("{OPEN} by itself"), "settled"),
        (OVER, "go depth 3\n", format!("{OPEN} by itself"), "no move"),
        ("", "go infinite\nstop\n", format!("{OPEN} until stop"), "stop"),
        ("", "go infinite\nquit\n", format!("{OPEN} until stop"), "stop"),
        ("", "go infinite\n", format!("{OPEN} until stop"), "end of input"),
        ("", "go depth 0\n", format!("{OPEN} by itself"), "zero"),
        (ONE_MOVE, "go wtime 60050 winc 500 btime 9\n", format!("{own}; ends by itself"), "only move"),
        (
            "",
            "go btime 100 movestogo 40 movetime 1\n",
            "other clock, the own is not known, 100 + 0 ms for 40 moves, overhead 10 ms: movetime 1 ms: no new iteration after \
             1 ms, answer after 1 ms; ends by itself"
                .to_owned(),
            "deadline",
        ),
    ];
    for (position, go, budget, why) in cases {
        let told = told_of_time(&format!("debug on\n{position}{go}"));
        assert_eq!(told.len(), 2, "{go}: {told:?}");
        assert_eq!(told[0], budget, "{go}");
        let is_told = |word: &str| told[1] == format!("ended after MS by {word}");
        // A deadline of a millisecond is the worker's or the session's, and the reader's end may come before a stop is seen.
        let reasons = match why {
            "deadline" => vec!["soft deadline", "hard deadline", "stop"],
            "stop" => vec!["stop", "quit", "end of input"],
            "end of input" => vec!["end of input", "stop"],
            _ => vec![why],
        };
        assert!(reasons.into_iter().any(is_told), "{go}: {told:?}");
        assert_eq!(told_of_time(&format!("{position}{go}")), Vec::<String>::new(), "{go}");
        assert_eq!(told_of_time(&format!("debug on\ndebug off\n{position}{go}")), Vec::<String>::new(), "{go}");
    }
}

#[test]
fn endless_tells_of_the_moves_of_kimasai_that_are_refused_for_it() {
    let token = "2-1-0-3-1-2-1-0-0-1-2-3-2-0-1-10-0-1-0-1-0-2-4-2-5-0-2-3-5-1-1-3-3-2-S";
    let script = format!("setoption name UCI_Variant value kimasai\nposition fen {token}\nendless\nendless E\n");
    let answers = converse(script.as_bytes());
    let told: Vec<&str> = answers.lines().skip(1).collect();
    assert_eq!(told.len(), 12 + 1, "{answers}");
    assert_eq!(told[3], "endless E cycle 708");
    assert_eq!(told.iter().filter(|line| line.ends_with(" no")).count(), 11);
    assert_eq!(told[12], "endless E cycle 708");
}

#[test]
fn state_names_the_phases_of_kimasai() {
    let phase = |token: &str| {
        let script = format!("setoption name UCI_Variant value kimasai\nposition fen {token}\nstate\n");
        let answers = converse(script.as_bytes());
        answers.split_once(" phase ").and_then(|(_, rest)| rest.split(' ').next()).map(str::to_owned)
    };
    let (inner, outer) = ("1-1-1-1-1-1-1-1", "0-0-0-0-0-0-0");
    let board = |last: u8| format!("{inner}-{outer}-{last}-{inner}-{outer}-{last}");
    assert_eq!(phase(&format!("{}-24-24-S-0", board(0))).as_deref(), Some("sow"));
    assert_eq!(phase(&format!("{}-0-0-S", board(24))).as_deref(), Some("raid"));
}
