//! An engine as a child process: lines to it, lines from it, and every way in which it can fail to answer.
//!
//! Nothing that it says is believed but the move, which the referee then looks at. Every wait has an end.

use std::ops::Range;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{self, ChildStdin, ChildStdout, Command};
use tokio::time::{timeout, timeout_at};

use super::fault::Fault;
use super::group::Group;
use super::spec::{EngineSpec, Program, Terms};
use crate::protocol::Dialect;
use crate::units::ScoreValue;

/// The longest line that is read.
const LONGEST_LINE: usize = 256 * 1024;
/// The most that an engine may say to one command.
const MOST_SAID: usize = 8 * 1024 * 1024;
/// What is read at a time.
const CHUNK: usize = 16 * 1024;
/// How long an engine that was late is given to answer to `stop`, and one that is told to quit to end.
const GRACE: Duration = Duration::from_millis(500);

/// A running engine. Dropped, it is killed with all that it has started.
pub struct Child {
    process: process::Child,
    group: Group,
    stdin: ChildStdin,
    stdout: ChildStdout,
    dialect: Dialect,
    /// What was read; up to `taken` it has been looked at.
    buffer: Vec<u8>,
    taken: usize,
    /// How much was said since the last command.
    said: usize,
    /// The last line with a score, kept in place so that it is looked at once a move.
    info: Vec<u8>,
}

/// How long one move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// The time that the move must not overrun; `None` without a clock.
    pub time: Option<Duration>,
    /// How late it may be and still count.
    pub margin: Duration,
    /// How long it is waited for without a clock.
    pub hang: Duration,
}

/// What an engine answers to `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The move as it was written.
    pub best: String,
    /// How long it took.
    pub time: Duration,
    /// The depth that it told last.
    pub depth: Option<u16>,
    /// The score that it told last, seen by the player to move.
    pub score: Option<ScoreValue>,
    /// The nodes that it told last.
    pub nodes: Option<u64>,
}

impl Child {
    /// Starts the process of an engine.
    ///
    /// # Errors
    /// If there is no such program, or it cannot be run.
    pub fn spawn(spec: &EngineSpec, words: &[String]) -> Result<Child> {
        let [program, arguments @ ..] = words else { anyhow::bail!("engine {}: cmd is empty", spec.name) };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        Group::lead(&mut command);
        let mut process = command.spawn().with_context(|| format!("engine {}: cannot run `{program}`", spec.name))?;
        let group = Group::of(process.id());
        let stdin = process.stdin.take().context("a pipe was asked for")?;
        let stdout = process.stdout.take().context("a pipe was asked for")?;
        let (buffer, info) = (Vec::with_capacity(2 * CHUNK), Vec::new());
        Ok(Child { process, group, stdin, stdout, dialect: spec.dialect, buffer, taken: 0, said: 0, info })
    }

    /// Starts an engine, shakes hands and sets its options.
    ///
    /// # Errors
    /// What went wrong.
    pub async fn start(spec: &EngineSpec, settings: &[(String, String)]) -> Result<Child, Fault> {
        let Program::Command(words) = &spec.program else {
            return Err(Fault::StartUp("it is no program".to_owned()));
        };
        let mut child = Child::spawn(spec, words).map_err(|error| Fault::StartUp(format!("{error:#}")))?;
        let (hello, answer) = match spec.dialect {
            Dialect::Uci => ("uci\n", "uciok"),
            Dialect::Ugi => ("ugi\n", "ugiok"),
        };
        let mut orders = String::new();
        for (name, value) in settings.iter().chain(&spec.options) {
            orders.push_str(&match value.as_str() {
                "" => format!("setoption name {name}\n"),
                _ => format!("setoption name {name} value {value}\n"),
            });
        }
        child.expect(hello, answer, &spec.terms).await?;
        orders.push_str("isready\n");
        child.expect(&orders, "readyok", &spec.terms).await?;
        Ok(child)
    }

    /// Tells the engine that a new game begins, and waits until it is ready.
    ///
    /// # Errors
    /// If it is not.
    pub async fn new_game(&mut self, terms: &Terms) -> Result<(), Fault> {
        let orders = match self.dialect {
            Dialect::Uci => "ucinewgame\nisready\n",
            Dialect::Ugi => "uginewgame\nisready\n",
        };
        self.expect(orders, "readyok", terms).await
    }

    /// Sends orders and reads up to a line.
    async fn expect(&mut self, orders: &str, answer: &str, terms: &Terms) -> Result<(), Fault> {
        self.said = 0;
        let talk = async {
            self.send(orders.as_bytes()).await?;
            loop {
                let line = self.line().await?;
                if self.buffer[line].trim_ascii_end() == answer.as_bytes() {
                    return Ok::<(), Fault>(());
                }
            }
        };
        match timeout(terms.start_up, talk).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(fault)) => Err(Fault::StartUp(format!("no {answer}: {fault}"))),
            Err(_) => Err(Fault::StartUp(format!("no {answer} within {} ms", terms.start_up.as_millis()))),
        }
    }

    /// Sends a position with its `go`, and reads up to the best move.
    ///
    /// # Errors
    /// What the engine did instead.
    pub async fn think(&mut self, orders: &[u8], allowed: Allowance) -> Result<Answer, Fault> {
        self.pass_over_the_old().await?;
        self.said = 0;
        self.info.clear();
        let started = Instant::now();
        let longest = allowed.time.map_or(allowed.hang, |time| time + allowed.margin);
        let talk = async {
            self.send(orders).await?;
            self.best_move().await
        };
        let told = match timeout_at((started + longest).into(), talk).await {
            Ok(told) => told,
            Err(_) => {
                // Late is not dead: an engine that answers now can play the next game.
                let ending = async {
                    self.send(b"stop\n").await?;
                    self.best_move().await
                };
                timeout(GRACE, ending).await.map_err(|_| Fault::Hang(started.elapsed()))?
            }
        };
        let mut answer = told?;
        answer.time = started.elapsed();
        match allowed.time {
            Some(time) if answer.time > time + allowed.margin => Err(Fault::Time(answer.time.saturating_sub(time))),
            None if answer.time > allowed.hang => Err(Fault::Hang(answer.time)),
            _ => Ok(answer),
        }
    }

    /// Looks at what was said since the last answer, without waiting. A best move there would be taken for the next one.
    async fn pass_over_the_old(&mut self) -> Result<(), Fault> {
        loop {
            while let Some(line) = self.take_line()? {
                if self.buffer[line].starts_with(b"bestmove") {
                    return Err(Fault::Broken("a best move that nobody asked for".to_owned()));
                }
            }
            let more = tokio::select! {
                biased;
                more = self.fill() => more,
                () = std::future::ready(()) => return Ok(()),
            };
            more?;
        }
    }

    async fn best_move(&mut self) -> Result<Answer, Fault> {
        loop {
            let range = self.line().await?;
            let line = &self.buffer[range];
            if line.starts_with(b"bestmove") {
                return read_answer(line, &self.info, self.dialect);
            }
            if line.starts_with(b"info ") && has_score(line) {
                self.info.clear();
                self.info.extend_from_slice(line);
            }
        }
    }

    async fn send(&mut self, orders: &[u8]) -> Result<(), Fault> {
        match self.stdin.write_all(orders).await {
            Ok(()) => Ok(()),
            Err(error) => Err(self.crash(&error.to_string()).await),
        }
    }

    /// The next line in the buffer.
    async fn line(&mut self) -> Result<Range<usize>, Fault> {
        loop {
            if let Some(line) = self.take_line()? {
                return Ok(line);
            }
            self.fill().await?;
        }
    }

    fn take_line(&mut self) -> Result<Option<Range<usize>>, Fault> {
        let rest = &self.buffer[self.taken..];
        match rest.iter().position(|&byte| byte == b'\n') {
            Some(length) if length <= LONGEST_LINE => {
                let line = self.taken..self.taken + length;
                self.taken += length + 1;
                Ok(Some(line))
            }
            None if rest.len() <= LONGEST_LINE => Ok(None),
            _ => Err(Fault::Flood(format!("a line of more than {LONGEST_LINE} bytes"))),
        }
    }

    /// Waits for more. Nothing is lost when the wait is given up.
    async fn fill(&mut self) -> Result<(), Fault> {
        self.buffer.drain(..std::mem::take(&mut self.taken));
        self.buffer.reserve(CHUNK);
        match self.stdout.read_buf(&mut self.buffer).await {
            Ok(0) => Err(self.crash("it closed its output").await),
            Ok(read) => {
                self.said += read;
                if self.said > MOST_SAID {
                    return Err(Fault::Flood(format!("more than {MOST_SAID} bytes to one command")));
                }
                Ok(())
            }
            Err(error) => Err(self.crash(&error.to_string()).await),
        }
    }

    /// How the process ended, if it did.
    async fn crash(&mut self, otherwise: &str) -> Fault {
        match timeout(GRACE, self.process.wait()).await {
            Ok(Ok(status)) => Fault::Crash(status.to_string()),
            _ => Fault::Crash(otherwise.to_owned()),
        }
    }

    /// Tells the engine to quit, and sees to it that it is gone.
    pub async fn end(mut self) {
        let _ = timeout(GRACE, self.send(b"quit\n")).await;
        let _ = timeout(GRACE, self.process.wait()).await;
        self.kill().await;
    }

    /// Kills the engine with all that it has started, and waits until it is gone.
    pub async fn kill(mut self) {
        self.group.kill();
        // Only a process that the system itself holds can outlast this.
        let _ = timeout(GRACE, self.process.kill()).await;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.group.kill();
    }
}

/// The answer in a line with a best move, with what the last info told.
fn read_answer(line: &[u8], info: &[u8], dialect: Dialect) -> Result<Answer, Fault> {
    let broken = || {
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        Fault::Broken(format!("`{}`", shown.trim_end()))
    };
    let text = std::str::from_utf8(line).map_err(|_| broken())?;
    let mut words = text.split_ascii_whitespace();
    match (words.next(), words.next()) {
        (Some("bestmove"), Some(best)) => {
            let (depth, score, nodes) = read_info(info, dialect);
            Ok(Answer { best: best.to_owned(), time: Duration::ZERO, depth, score, nodes })
        }
        _ => Err(broken()),
    }
}

/// Whether a line tells the score of the best line.
fn has_score(line: &[u8]) -> bool {
    let is_a_lesser_line = || {
        let word = b" multipv ";
        let place = line.windows(word.len()).position(|window| window == word);
        place.is_some_and(|at| !line[at + word.len()..].starts_with(b"1 "))
    };
    line.windows(7).any(|window| window == b" score ") && !is_a_lesser_line()
}

/// Depth, score and nodes of a line; what is missing or makes no sense is left out.
fn read_info(line: &[u8], dialect: Dialect) -> (Option<u16>, Option<ScoreValue>, Option<u64>) {
    let (mut depth, mut score, mut nodes) = (None, None, None);
    let Ok(text) = std::str::from_utf8(line) else { return (None, None, None) };
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next().and_then(|word| word.parse().ok()),
            "nodes" => nodes = words.next().and_then(|word| word.parse().ok()),
            "score" => {
                let kind = words.next();
                let value = words.next().and_then(|word| word.parse().ok());
                score = value.and_then(|value: i32| match kind {
                    Some("cp") => Some(ScoreValue::Centiseeds(value)),
                    Some("mate") => Some(ScoreValue::Mate(plies_to_mate(value, dialect))),
                    _ => None,
                });
            }
            "pv" | "string" => break,
            _ => {}
        }
    }
    (depth, score, nodes)
}

/// `mate` counts moves after `uci` and plies after `ugi`.
fn plies_to_mate(value: i32, dialect: Dialect) -> i32 {
    match dialect {
        Dialect::Ugi => value,
        Dialect::Uci if value > 0 => value.saturating_mul(2).saturating_sub(1),
        Dialect::Uci => value.saturating_mul(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_info_is_read_for_what_a_record_wants() {
        let line = b"info depth 9 seldepth 12 score cp -31 nodes 1000 nps 5 time 1 pv A b score cp 9";
        assert_eq!(read_info(line, Dialect::Uci), (Some(9), Some(ScoreValue::Centiseeds(-31)), Some(1000)));
        assert!(has_score(line) && has_score(b"info depth 9 multipv 1 score cp 5"));
        assert!(!has_score(b"info depth 9 multipv 12 score cp 5") && !has_score(b"info depth 9 nodes 1"));
        let mate = b"info score mate 3 depth x";
        assert_eq!(read_info(mate, Dialect::Uci), (None, Some(ScoreValue::Mate(5)), None));
        assert_eq!(read_info(mate, Dialect::Ugi), (None, Some(ScoreValue::Mate(3)), None));
        assert_eq!(read_info(b"info score cp 99999999999", Dialect::Uci), (None, None, None));
        assert_eq!(read_info(b"info score \xff", Dialect::Uci), (None, None, None));
    }
}
