//! The transcript of a session, written to a file beside it.
//!
//! ```text
//! 0.000000 # Empiki 0.1.0
//! 0.000000 # option UCI_Variant=omweso
//! 0.153012 > go depth 1
//! 0.153920 < info depth 1 seldepth 1 multipv 1 score cp 0 ...
//! 0.153944 < bestmove I
//! ```
//!
//! A line is the seconds since the start, the direction (`>` to the engine, `<` from it, `#` for neither) and the text, in which a
//! backslash and every byte that cannot be shown are escaped: `\\`, `\t`, `\r`, `\0` and `\xNN`. A new session goes on at the end of
//! the file. A thread of its own writes each line as it comes, so that no disk holds the session up; where a line cannot be
//! written the transcript ends, and one line on standard error says so.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes that may wait to be written: more is a disk that does not keep up.
const MOST_WAITING: usize = 64 << 20;
/// The longest that the end of the program waits for the disk.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the client to the engine.
    In,
    /// From the engine to the client.
    Out,
    /// Neither: something to know about the session.
    Note,
}

impl Direction {
    const fn sign(self) -> char {
        match self {
            Direction::In => '>',
            Direction::Out => '<',
            Direction::Note => '#',
        }
    }
}

/// What the writer is told.
enum Told {
    Line(Vec<u8>),
    End(mpsc::Sender<()>),
}

/// A transcript that is being written. Its clones write to the same one.
#[derive(Clone)]
pub struct Log {
    writer: mpsc::Sender<Told>,
    waiting: Arc<AtomicUsize>,
    ended: Arc<AtomicBool>,
    begun: Instant,
}

impl Log {
    /// A transcript at the end of this file, which is made if it is not there.
    ///
    /// # Errors
    /// If the file cannot be opened, or there is no thread.
    pub fn open(path: &Path) -> io::Result<Log> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let (writer, told) = mpsc::channel();
        let log = Log { writer, waiting: Arc::default(), ended: Arc::default(), begun: Instant::now() };
        let (waiting, ended) = (Arc::clone(&log.waiting), Arc::clone(&log.ended));
        thread::Builder::new().name("log".to_owned()).spawn(move || write_all(file, &told, &waiting, &ended))?;
        Ok(log)
    }

    /// Adds a line; never waits and never fails.
    pub fn line(&self, direction: Direction, text: &[u8]) {
        if self.ended.load(Relaxed) {
            return;
        }
        let line = written(self.begun.elapsed(), direction, text);
        if self.waiting.fetch_add(line.len(), Relaxed) > MOST_WAITING {
            end_with(&self.ended, "the disk does not keep up");
            return;
        }
        // The writer may have come to its end.
        let _ = self.writer.send(Told::Line(line));
    }

    /// Waits until all lines are in the file, but not long.
    pub fn finish(&self) {
        let (done, wait) = mpsc::channel();
        if self.writer.send(Told::End(done)).is_ok() {
            let _ = wait.recv_timeout(LAST_WAIT);
        }
    }
}

/// The work of the writer's thread.
fn write_all(mut file: File, told: &mpsc::Receiver<Told>, waiting: &AtomicUsize, ended: &AtomicBool) {
    for told in told {
        match told {
            Told::Line(line) => {
                if let Err(error) = file.write_all(&line) {
                    end_with(ended, error);
                    return;
                }
                waiting.fetch_sub(line.len(), Relaxed);
            }
            Told::End(done) => {
                let _ = done.send(());
                return;
            }
        }
    }
}

/// Ends the transcript with a word on standard error, once.
fn end_with(ended: &AtomicBool, why: impl std::fmt::Display) {
    if !ended.swap(true, Relaxed) {
        // Nobody may hear it.
        let _ = writeln!(io::stderr(), "error: the log ends here: {why}");
    }
}

/// A line of the file.
fn written(time: Duration, direction: Direction, text: &[u8]) -> Vec<u8> {
    let mut line = format!("{}.{:06} {}", time.as_secs(), time.subsec_micros(), direction.sign());
    if !text.is_empty() {
        line.push(' ');
    }
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            escape(&mut line, letter);
        }
        escape_bytes(&mut line, chunk.invalid());
    }
    // A blank at the end is easily lost.
    if line.ends_with(' ') {
        line.pop();
        line.push_str("\\x20");
    }
    line.push('\n');
    line.into_bytes()
}

fn escape(line: &mut String, letter: char) {
    match letter {
        '\\' => line.push_str("\\\\"),
        '\t' => line.push_str("\\t"),
        '\r' => line.push_str("\\r"),
        '\0' => line.push_str("\\0"),
        // The two separators end a line for some readers.
        _ if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => {
            escape_bytes(line, letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        _ => line.push(letter),
    }
}

fn escape_bytes(line: &mut String, bytes: &[u8]) {
    for byte in bytes {
        write!(line, "\\x{byte:02X}").expect("a string takes all");
    }
}

/// An output whose lines stand in a transcript too, each before it is written: so none stands behind what it caused.
pub struct Logged<W> {
    out: W,
    log: Option<Log>,
}

impl<W> Logged<W> {
    /// An output with its transcript, if there is one.
    pub const fn new(out: W, log: Option<Log>) -> Logged<W> {
        Logged { out, log }
    }
}

impl<W: Write> Write for Logged<W> {
    /// Takes whole lines, as the session writes them.
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        if let Some(log) = &self.log {
            let lines = lines.strip_suffix(b"\n").unwrap_or(lines);
            lines.split(|&byte| byte == b'\n').for_each(|line| log.line(Direction::Out, line));
        }
        self.out.write_all(lines)?;
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(direction: Direction, text: &[u8]) -> String {
        String::from_utf8(written(Duration::from_micros(12_000_345), direction, text)).expect("UTF-8")
    }

    #[test]
    fn a_line_has_its_time_its_direction_and_its_text_on_one_line() {
        assert_eq!(line(Direction::In, b"go depth 3"), "12.000345 > go depth 3\n");
        assert_eq!(line(Direction::Out, b"bestmove A"), "12.000345 < bestmove A\n");
        assert_eq!(line(Direction::Note, b"Empiki"), "12.000345 # Empiki\n");
        assert_eq!(line(Direction::In, b""), "12.000345 >\n");
    }

    #[test]
    fn what_cannot_be_shown_is_escaped() {
        assert_eq!(line(Direction::In, b"a\\b\tc\r"), "12.000345 > a\\\\b\\tc\\r\n");
        assert_eq!(line(Direction::In, b"\0\x07\xFFgo\xC3\xA9 "), "12.000345 > \\0\\x07\\xFFgo\u{e9}\\x20\n");
        assert_eq!(line(Direction::In, "\u{2028}\u{85}".as_bytes()), "12.000345 > \\xE2\\x80\\xA8\\xC2\\x85\n");
    }
}
