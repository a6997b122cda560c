//! Text to typed values and back: the lines that a client writes and the lines that it reads.
//!
//! No game is known here. A move is what its grammar says, a position is one word, and both are for the rules to judge.
//! [`parse`] reads one line of bytes and never panics; [`Reply`] writes lines that keep every promise of the protocol:
//! none is empty, none ends in white space, each is UTF-8.
//!
//! ```
//! use empiki::protocol::{Command, Reply, parse};
//!
//! assert_eq!(parse(b"isready\r\n"), Ok(Some(Command::IsReady)));
//! assert_eq!(parse(b"  "), Ok(None));
//! let error = parse(b"hello").unwrap_err();
//! assert_eq!(Reply::error(error).to_string(), "info string error: unknown command `hello`: try help");
//! ```
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::as_conversions, clippy::indexing_slicing, clippy::panic))]

mod command;
mod error;
mod go;
mod info;
mod moves;
mod parse;
mod readers;
mod reply;
mod table;
mod words;

pub use command::{Command, CommandHelp, Dialect, Go, Query};
pub use error::{ParseError, Quote};
pub use go::LONGEST_TIME;
pub use info::{InfoLine, WinDrawLoss};
pub use moves::parse_moves;
pub use parse::parse;
pub use reply::{Endless, Reply, Response, legal_list};
pub use table::{command_help, help};
