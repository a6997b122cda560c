//! A model of the session agrees with every line that the session says.
//!
//! The model knows protocol.md and asks the rules, but nothing of the engine's own state: see [`model`]. A dialogue is random, and it
//! is shrunk to a short one where the session and the model differ.

#[path = "../common/mod.rs"]
mod common;

mod known;
mod lines;
mod model;
mod search;
mod talk;
mod world;

use lines::{Step, any_dialogue, written};
use model::Model;
use proptest::prelude::*;
use talk::Talk;

/// A small table is quick to clear, and of three seconds for a move in blitz little is left.
const SETTINGS: [(&str, &str); 2] = [("Hash", "1"), ("Move Overhead", "2995")];

/// One dialogue, and what was sent and said in it.
struct Dialogue {
    talk: Talk,
    model: Model,
    record: String,
}

impl Dialogue {
    fn send(&mut self, lines: &[Vec<u8>]) {
        for line in lines {
            self.record += &format!("> {}\n", line.escape_ascii());
            self.model.send(line);
        }
        self.talk.send([lines.join(&b'\n'), b"\n".to_vec()].concat());
    }

    fn hear(&mut self, lines: &[String]) -> Result<(), String> {
        for line in lines {
            self.record += &format!("{line}\n");
            self.model.hear(line)?;
        }
        Ok(())
    }

    /// Waits until nothing more is to be said.
    fn settle(&mut self) -> Result<(), String> {
        while !self.model.is_settled() {
            let lines = self.talk.listen().map_err(|error| format!("{error}; wanted:\n{}", self.model.wanted()))?;
            self.hear(&lines)?;
        }
        Ok(())
    }
}

/// Leads a dialogue to its end.
fn lead(steps: &[Step], quits: bool) -> Result<(), TestCaseError> {
    let mut dialogue = Dialogue { talk: Talk::start(&SETTINGS), model: Model::new(&SETTINGS), record: String::new() };
    converse(&mut dialogue, steps, quits).map_err(|error| TestCaseError::fail(format!("{error}\n{}", dialogue.record)))
}

fn converse(dialogue: &mut Dialogue, steps: &[Step], quits: bool) -> Result<(), String> {
    let bursts = written(&SETTINGS, steps);
    let (last, before) = bursts.split_last().expect("there is one");
    for burst in before {
        dialogue.send(burst);
        dialogue.settle()?;
    }
    dialogue.send(last);
    if quits {
        dialogue.send(&[b"quit".to_vec()]);
    } else {
        dialogue.model.end();
    }
    let rest = dialogue.talk.finish()?;
    dialogue.hear(&rest)?;
    let model = &mut dialogue.model;
    if model.is_settled() { Ok(()) } else { Err(format!("it ended, but wanted:\n{}", model.wanted())) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2500, max_shrink_time: 60_000, ..ProptestConfig::default() })]

    #[test]
    fn the_session_says_line_by_line_what_the_model_says((steps, quits) in any_dialogue(0.9)) {
        lead(&steps, quits)?;
    }

    #[test]
    fn the_session_says_of_many_lines_at_once_what_the_model_says((steps, quits) in any_dialogue(0.15)) {
        lead(&steps, quits)?;
    }
}
