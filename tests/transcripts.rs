//! Dialogues with the session, replayed in this process.

mod common;

use common::converse;
use pretty_assertions::assert_eq;

#[test]
fn a_refused_position_leaves_the_old_one() {
    let answers = converse(b"position startpos moves F\nposition startpos moves F g\nfen\n");
    assert_eq!(answers, "info string error: move 2 `g`: pits are a to f\nfen 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\n");
}
