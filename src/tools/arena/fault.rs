//! What an engine can do to lose a game off the board.

use std::time::Duration;

/// Why an engine loses a game that the rules did not end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It did not come up, or did not answer before the game.
    #[error("start-up: {0}")]
    StartUp(String),
    /// Its process ended or closed its output.
    #[error("crash: {0}")]
    Crash(String),
    /// It did not answer at all.
    #[error("hang: no move after {} ms", .0.as_millis())]
    Hang(Duration),
    /// It answered after its time was up.
    #[error("time: {} ms over", .0.as_millis())]
    Time(Duration),
    /// It played what the rules do not allow.
    #[error("illegal-move: {0}")]
    Illegal(String),
    /// It said something that is no answer.
    #[error("broken-output: {0}")]
    Broken(String),
    /// It said more than anybody can read.
    #[error("flood: {0}")]
    Flood(String),
}

impl Fault {
    /// The word that stands in records and tables.
    pub const fn word(&self) -> &'static str {
        match self {
            Fault::StartUp(_) => "start-up",
            Fault::Crash(_) => "crash",
            Fault::Hang(_) => "hang",
            Fault::Time(_) => "time",
            Fault::Illegal(_) => "illegal-move",
            Fault::Broken(_) => "broken-output",
            Fault::Flood(_) => "flood",
        }
    }

    /// The word with which a fault begins as it stands in a record.
    pub fn word_in(text: &str) -> Option<&'static str> {
        const WORDS: [&str; 7] = ["start-up", "crash", "hang", "time", "illegal-move", "broken-output", "flood"];
        let (word, _) = text.split_once(':')?;
        WORDS.into_iter().find(|known| *known == word)
    }

    /// Whether the process can be trusted with another game. An engine that was only late answered in the end.
    pub const fn leaves_a_sound_engine(&self) -> bool {
        matches!(self, Fault::Time(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_known_again_in_a_record() {
        let text = String::from("x: y");
        let faults = [
            Fault::StartUp(text.clone()),
            Fault::Crash(text.clone()),
            Fault::Hang(Duration::ZERO),
            Fault::Time(Duration::ZERO),
            Fault::Illegal(text.clone()),
            Fault::Broken(text.clone()),
            Fault::Flood(text),
        ];
        for fault in faults {
            assert_eq!(Fault::word_in(&fault.to_string()), Some(fault.word()));
        }
        assert_eq!(Fault::word_in("resign"), None);
    }
}
