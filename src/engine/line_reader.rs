//! The way in: lines are read, stamped and parsed as they arrive, and a stop takes effect before the session hears of it.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;

use super::log::{Direction, Log};
use crate::protocol::{Command, Reply, parse};
use crate::search::stop::StopSignals;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// How many lines may lie between the reader and the session. Few, since lines may be long.
const LINES_AHEAD: usize = 16;

/// The number of a `go` or of another job, in the order of reading, from 1. No job has ticket 0.
pub type Ticket = u64;

/// One line on its way to the session.
#[derive(Debug)]
pub struct Inbound {
    /// When it was read.
    pub arrived: Instant,
    /// How long it was, in bytes.
    pub size: usize,
    /// What it says.
    pub message: Message,
}

/// What a line says to the session.
#[derive(Debug)]
pub enum Message {
    /// Something to do, with its ticket if it is a job.
    Command(Command, Ticket),
    /// `ponderhit` for the newest `go ponder` read, 0 if there was none.
    PonderHit(Ticket),
    /// Nothing that can be understood.
    Error(Reply),
    /// There will be no more lines.
    End,
}

/// Reads lines for one session.
pub struct LineReader {
    board: Arc<StopSignals>,
    newest: Ticket,
    newest_ponder: Ticket,
    session: mpsc::Sender<Inbound>,
    log: Option<Log>,
}

impl LineReader {
    /// A reader whose stops go to `board`, and the end that the session listens at.
    pub fn new(board: Arc<StopSignals>) -> (LineReader, mpsc::Receiver<Inbound>) {
        let (session, inbound) = mpsc::channel(LINES_AHEAD);
        (LineReader { board, newest: 0, newest_ponder: 0, session, log: None }, inbound)
    }

    /// The same reader, which also puts each line down in a transcript.
    pub fn logged(self, log: Option<Log>) -> LineReader {
        LineReader { log, ..self }
    }

    /// Reads to the end of the input, to `quit`, or until the session is gone.
    pub fn read(mut self, mut input: impl BufRead) {
        let mut line = Vec::new();
        loop {
            let go_on = match read_line(&mut input, &mut line) {
                Ok(Line::Whole) => {
                    self.log(Direction::In, &line);
                    self.take(&line)
                }
                Ok(Line::TooLong) => {
                    self.log(Direction::Note, b"a line that is too long");
                    let error = format_args!("line longer than {LONGEST_LINE} bytes: it was dropped");
                    self.send(line.len(), Message::Error(Reply::error(error)))
                }
                // A broken input is an ended one.
                Ok(Line::End) | Err(_) => {
                    self.send(0, Message::End);
                    false
                }
            };
            if !go_on {
                return;
            }
        }
    }

    fn log(&self, direction: Direction, line: &[u8]) {
        if let Some(log) = &self.log {
            log.line(direction, line);
        }
    }

    /// Takes one line; tells whether there is more to do.
    fn take(&mut self, line: &[u8]) -> bool {
        let message = match parse(line) {
            Ok(None) => return true,
            Ok(Some(command)) => self.stamp(command),
            Err(error) => Message::Error(Reply::error(error)),
        };
        let quits = matches!(message, Message::Command(Command::Quit, _));
        self.send(line.len(), message) && !quits
    }

    /// Gives a job its ticket, and a stop its effect.
    fn stamp(&mut self, command: Command) -> Message {
        let mut ticket = 0;
        match &command {
            Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::Endless(_) => {
                self.newest += 1;
                ticket = self.newest;
                if matches!(&command, Command::Go(go) if go.ponder) {
                    self.newest_ponder = ticket;
                }
            }
            Command::Stop | Command::Quit => self.board.stop_through(self.newest),
            Command::PonderHit => return Message::PonderHit(self.newest_ponder),
            _ => {}
        }
        Message::Command(command, ticket)
    }

    fn send(&self, size: usize, message: Message) -> bool {
        self.session.blocking_send(Inbound { arrived: Instant::now(), size, message }).is_ok()
    }
}

/// What came of reading a line.
enum Line {
    /// It is in the buffer, without its line feed.
    Whole,
    /// It was passed over.
    TooLong,
    /// There is none.
    End,
}

/// Reads up to the next line feed or the end, keeping no more than [`LONGEST_LINE`] bytes.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let mut too_long = false;
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if chunk.is_empty() {
            // The last line may lack its line feed.
            return Ok(if !any {
                Line::End
            } else if too_long {
                Line::TooLong
            } else {
                Line::Whole
            });
        }
        any = true;
        let feed = chunk.iter().position(|&byte| byte == b'\n');
        let taken = feed.unwrap_or(chunk.len());
        too_long |= line.len() + taken > LONGEST_LINE;
        if too_long {
            line.clear();
        } else {
            line.extend_from_slice(&chunk[..taken]);
        }
        input.consume(feed.map_or(taken, |at| at + 1));
        if feed.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Option<Vec<u8>>> {
        // A small buffer, so that lines come in pieces.
        let mut input = io::BufReader::with_capacity(7, input);
        let mut lines = Vec::new();
        let mut line = Vec::new();
        loop {
            match read_line(&mut input, &mut line).expect("memory does not fail") {
                Line::Whole => lines.push(Some(line.clone())),
                Line::TooLong => lines.push(None),
                Line::End => return lines,
            }
        }
    }

    #[test]
    fn lines_end_at_a_line_feed_or_with_the_input() {
        assert_eq!(
            lines(b"one\n\ntwo and more\r\nthree"),
            [Some(b"one".to_vec()), Some(b"".to_vec()), Some(b"two and more\r".to_vec()), Some(b"three".to_vec())]
        );
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn a_line_is_read_up_to_the_limit_and_passed_over_beyond() {
        let longest = vec![b'x'; LONGEST_LINE];
        let input = [&longest[..], b"\n", &longest, b"y\n", b"next\n", &longest, b"z"].concat();
        assert_eq!(lines(&input), [Some(longest), None, Some(b"next".to_vec()), None]);
    }
}
