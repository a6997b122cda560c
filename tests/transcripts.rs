//! Dialogues with the session, replayed in this process.

mod common;

use common::converse;
use pretty_assertions::assert_eq;

#[test]
fn a_refused_position_leaves_the_old_one() {
    let answers = converse(b"position startpos moves F\nposition startpos moves F g\nfen\n");
    assert_eq!(answers, "info string error: move 2 `g`: pits are a to f\nfen 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\n");
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
