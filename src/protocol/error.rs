//! What can be wrong with a line, told in one line.

use std::fmt::{self, Write as _};

use thiserror::Error;

/// Why a line, or a part of it, could not be read.
///
/// Its text is one line of printable ASCII that says what was read and what was wanted, whatever bytes came in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    /// No command begins like this.
    #[error("unknown command `{0}`: try help")]
    UnknownCommand(Quote),
    /// Something else was wanted here.
    #[error("{context} `{read}`: wanted {wanted}")]
    Unwanted {
        /// The command or the keyword of `go`.
        context: &'static str,
        /// What stood there.
        read: Quote,
        /// What could have stood there.
        wanted: &'static str,
    },
    /// The line, or the argument, ended too early.
    #[error("{context}: wanted {wanted}, read nothing")]
    Missing {
        /// The command or the keyword of `go`.
        context: &'static str,
        /// What should have followed.
        wanted: &'static str,
    },
    /// A list of moves holds something else.
    #[error("move {index} `{read}`: wanted {wanted}")]
    Move {
        /// Which one in the list; the first is 1.
        index: usize,
        /// The word from where it could not be read.
        read: Quote,
        /// What a move looks like.
        wanted: &'static str,
    },
    /// A list of moves is longer than any game.
    #[error("wanted at most {most} moves in a list, read more")]
    TooManyMoves {
        /// How many there may be.
        most: usize,
    },
}

/// A piece of input made fit to be shown: printable ASCII, and short.
///
/// Any other byte stands as `\xNN`, and `...` stands for what follows the first forty characters or so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quote(String);

impl Quote {
    const LENGTH: usize = 40;

    /// Quotes what was read.
    pub fn new(read: &[u8]) -> Quote {
        let mut text = String::new();
        for &byte in read {
            if text.len() >= Quote::LENGTH {
                text.push_str("...");
                break;
            }
            match byte {
                b' '..=b'~' => text.push(char::from(byte)),
                _ => write!(text, "\\x{byte:02X}").expect("a String takes every text"),
            }
        }
        Quote(text)
    }
}

impl fmt::Display for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_escapes_what_cannot_be_printed() {
        assert_eq!(Quote::new(b"a\x00\xFF\tb").to_string(), "a\\x00\\xFF\\x09b");
    }

    #[test]
    fn a_quote_is_cut_only_when_something_is_left_out() {
        assert_eq!(Quote::new(&[b'x'; 40]).to_string(), "x".repeat(40));
        assert_eq!(Quote::new(&[b'x'; 41]).to_string(), format!("{}...", "x".repeat(40)));
        assert!(Quote::new(&vec![0; 1 << 20]).to_string().len() < 50);
    }
}
