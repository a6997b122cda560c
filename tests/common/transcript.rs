//! Transcripts that `--log` has written, replayed in this process.
//!
//! What was sent is sent again, each line once all was answered that had been answered before it, and the answers are compared. What
//! may differ from run to run is not: times, speeds, counts of nodes and how full the table is; and of a search that a clock, a stop or
//! an earlier one of these may have led elsewhere, all but that it ends in a best move. Where an `info` line of a search stands
//! among other answers does not matter either, nor does what a version says of itself and its options.

use std::io::{BufReader, Write};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use empiki::engine::line_reader::LineReader;
use empiki::engine::options::Options;
use empiki::engine::session::Session;
use empiki::protocol::{Command, Go, parse};
use empiki::search::stop::StopSignals;

use super::dialogue::bytes;

/// The longest that an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// One session of a transcript.
#[derive(Debug, Default)]
struct Recorded {
    /// `NAME=VALUE` of the command line.
    options: Vec<String>,
    lines: Vec<Line>,
}

#[derive(Debug)]
enum Line {
    Sent(Vec<u8>),
    Answered(String),
}

/// Replays each session of a transcript.
///
/// # Errors
/// What cannot be read, or which answers differ.
pub fn replay(text: &str) -> Result<(), String> {
    let sessions = read(text)?;
    if sessions.is_empty() {
        return Err("there is no session".to_owned());
    }
    sessions.iter().try_for_each(replay_session)
}

fn read(text: &str) -> Result<Vec<Recorded>, String> {
    let mut sessions: Vec<Recorded> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = || format!("line {number} `{line}`: wanted TIME > or < or #, and a text");
        let (time, rest) = line.split_once(' ').ok_or_else(wrong)?;
        time.parse::<f64>().map_err(|_| wrong())?;
        let (sign, escaped) = rest.split_once(' ').unwrap_or((rest, ""));
        let text = bytes(escaped);
        if sign == "#" && escaped.starts_with("Empiki ") {
            sessions.push(Recorded::default());
            continue;
        }
        let session = sessions.last_mut().ok_or_else(wrong)?;
        match sign {
            ">" => session.lines.push(Line::Sent(text)),
            "<" => session.lines.push(Line::Answered(String::from_utf8(text).map_err(|_| wrong())?)),
            "#" if escaped == "a line that is too long" => session.lines.push(Line::Sent(vec![b'x'; (1 << 20) + 1])),
            "#" => session.options.extend(escaped.strip_prefix("option ").map(str::to_owned)),
            _ => return Err(wrong()),
        }
    }
    Ok(sessions)
}

fn replay_session(recorded: &Recorded) -> Result<(), String> {
    let exact = exact_searches(recorded);
    let wanted: Vec<&str> = recorded.lines.iter().filter_map(answer).collect();
    let answers = Conversation::start(&recorded.options)?.hold(&recorded.lines)?;
    let read: Vec<&str> = answers.iter().map(String::as_str).collect();
    let (wanted, read) = (Digest::of(&wanted, &exact), Digest::of(&read, &exact));
    compare("an answer", &wanted.others, &read.others)?;
    compare("what a job tells", &wanted.jobs, &read.jobs)?;
    compare("a best move", &wanted.best_moves, &read.best_moves)?;
    let searches = wanted.searches.iter().zip(&read.searches);
    searches.into_iter().try_for_each(|(wanted, read)| compare("a search", wanted, read))
}

/// Compares one kind of answers, which have an order of their own.
fn compare(kind: &str, wanted: &[String], read: &[String]) -> Result<(), String> {
    let nothing = "nothing more".to_owned();
    let length = wanted.len().max(read.len());
    let pairs = (0..length).map(|at| (wanted.get(at).unwrap_or(&nothing), read.get(at).unwrap_or(&nothing)));
    match pairs.into_iter().find(|(wanted, read)| wanted != read) {
        Some((wanted, read)) => Err(format!("{kind}: wanted `{wanted}`, read `{read}`")),
        None => Ok(()),
    }
}

fn answer(line: &Line) -> Option<&str> {
    match line {
        Line::Answered(text) => Some(text),
        Line::Sent(_) => None,
    }
}

/// For each search in the order of its `go`: whether it takes the same course on every run.
fn exact_searches(recorded: &Recorded) -> Vec<bool> {
    let mut searches: Vec<bool> = Vec::new();
    let mut ended = 0;
    let mut strayed = false;
    let mut shared =
        recorded.options.iter().filter_map(|option| option.split_once('=')).any(|(name, value)| is_racy(name, value));
    for line in &recorded.lines {
        let command = match line {
            Line::Answered(text) => {
                ended += usize::from(text.starts_with("bestmove "));
                continue;
            }
            Line::Sent(text) => parse(text),
        };
        match command {
            Ok(Some(Command::Go(go))) if go.perft.is_none() => {
                strayed |= shared || !is_exact(&go);
                searches.push(!strayed);
            }
            Ok(Some(Command::Stop | Command::Quit)) if ended < searches.len() => {
                searches[ended..].fill(false);
                strayed = true;
            }
            Ok(Some(Command::NewGame)) => strayed = false,
            Ok(Some(Command::SetOption { name, value })) => {
                let is = |other: &str| name.eq_ignore_ascii_case(other);
                strayed &= !is("Clear Hash") && !is("UCI_Variant");
                shared |= is_racy(&name, &value.unwrap_or_default());
            }
            _ => {}
        }
    }
    searches
}

/// Whether searches differ from run to run with this option: threads race each other, and three seconds a move is a clock.
fn is_racy(name: &str, value: &str) -> bool {
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    is("Threads") && value != "1" || is("Omweso_Mode") && value.eq_ignore_ascii_case("blitz")
}

fn is_exact(go: &Go) -> bool {
    let is_timed = go.movetime.is_some() || go.clock.south.is_some() || go.clock.north.is_some();
    let is_bounded = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.shortest;
    is_bounded && !is_timed && !go.infinite && !go.ponder
}

/// Answers without what differs from run to run, each kind in its order. A question may be answered before or after the end of what
/// runs beside it.
#[derive(Default)]
struct Digest {
    /// The different lines of each search that is always the same.
    searches: Vec<Vec<String>>,
    best_moves: Vec<String>,
    /// The lines of counts, of the bench and of looks for endless turns.
    jobs: Vec<String>,
    others: Vec<String>,
}

impl Digest {
    fn of(answers: &[&str], exact: &[bool]) -> Digest {
        let mut digest = Digest { searches: vec![Vec::new(); exact.len() + 1], ..Digest::default() };
        for answer in answers {
            let number = digest.best_moves.len();
            let is_exact = exact.get(number).copied().unwrap_or(false);
            let line = without_counts(answer);
            if answer.starts_with("bestmove ") {
                digest.best_moves.push(if is_exact { line } else { "bestmove *".to_owned() });
            } else if is_of_a_job(answer) {
                digest.jobs.push(line);
            } else if is_essential(answer) {
                digest.others.push(line);
            } else if is_exact && answer.starts_with("info depth ") && !digest.searches[number].contains(&line) {
                // The last ones are told again with their final counts.
                digest.searches[number].push(line);
            }
        }
        digest
    }
}

/// Whether a job that is no search says so.
fn is_of_a_job(answer: &str) -> bool {
    let is_count = |(name, count): (&str, &str)| !name.contains(' ') && count.parse::<u64>().is_ok();
    ["Nodes searched: ", "bench ", "endless "].iter().any(|word| answer.starts_with(word))
        || answer.split_once(": ").is_some_and(is_count)
        || (answer.starts_with("info string error: ") && answer.ends_with(" was stopped"))
}

/// Whether an answer comes at the same place in every run, and says the same in every version.
fn is_essential(answer: &str) -> bool {
    !["info depth ", "info string time: ", "id ", "option name "].iter().any(|word| answer.starts_with(word))
}

/// Whether an answer comes without a job that a stop could end.
fn is_prompt(answer: &str) -> bool {
    is_essential(answer) && !answer.starts_with("bestmove ") && !is_of_a_job(answer)
}

/// A line with `*` for each count that differs from run to run.
fn without_counts(line: &str) -> String {
    const COUNTS: [&str; 5] = ["nodes", "nps", "hashfull", "time", "seldepth"];
    if !line.starts_with("info depth ") && !line.starts_with("bench ") {
        return line.to_owned();
    }
    let mut before = "";
    let words =
        line.split(' ').map(|word| if COUNTS.contains(&std::mem::replace(&mut before, word)) { "*" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// A session that answers while it is talked to.
struct Conversation {
    input: std::io::PipeWriter,
    output: mpsc::Receiver<String>,
}

/// An output that hands each line over.
struct Lines(mpsc::Sender<String>);

impl Write for Lines {
    fn write(&mut self, lines: &[u8]) -> std::io::Result<usize> {
        let text = std::str::from_utf8(lines).expect("every line is UTF-8");
        text.lines().for_each(|line| drop(self.0.send(line.to_owned())));
        Ok(lines.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Conversation {
    /// Waits until there are so many answers of a kind.
    fn wait_for(&self, count: usize, kind: impl Fn(&str) -> bool, answers: &mut Vec<String>) -> Result<(), String> {
        while answers.iter().filter(|answer| kind(answer)).count() < count {
            let answer = self.output.recv_timeout(PATIENCE);
            answers.push(answer.map_err(|_| format!("wanted {count} answers, read {answers:#?}"))?);
        }
        Ok(())
    }

    fn start(settings: &[String]) -> Result<Conversation, String> {
        let mut options = Options::default();
        for setting in settings {
            let (name, value) =
                setting.split_once('=').ok_or_else(|| format!("option `{setting}`: wanted NAME=VALUE"))?;
            options.set(name, Some(value))?;
        }
        let (reader, input) = std::io::pipe().expect("a pipe");
        let (sender, output) = mpsc::channel();
        let board = Arc::new(StopSignals::new());
        let (line_reader, inbound) = LineReader::new(Arc::clone(&board));
        std::thread::spawn(move || line_reader.read(BufReader::new(reader)));
        std::thread::spawn(move || {
            let session = Session::new(Lines(sender), options, board).expect("there is memory");
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
            runtime.block_on(session.serve(inbound));
        });
        Ok(Conversation { input, output })
    }

    /// Sends what was sent and returns all answers.
    fn hold(mut self, lines: &[Line]) -> Result<Vec<String>, String> {
        let mut answers: Vec<String> = Vec::new();
        let mut wanted = 0;
        for line in lines {
            let text = match line {
                Line::Answered(text) => {
                    wanted += usize::from(is_essential(text));
                    continue;
                }
                Line::Sent(text) => text,
            };
            self.wait_for(wanted, is_essential, &mut answers)?;
            if parse(text) == Ok(Some(Command::Quit)) {
                // It drops what waits, so what was answered had been carried out before it was heard.
                let all = lines.iter().filter_map(answer).filter(|answer| is_prompt(answer)).count();
                self.wait_for(all, is_prompt, &mut answers)?;
            }
            // A session that has ended reads no more.
            let _ = self.input.write_all(&[text, &b"\n"[..]].concat());
        }
        drop(self.input);
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(answer) => answers.push(answer),
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(answers),
                Err(mpsc::RecvTimeoutError::Timeout) => return Err("the session does not end".to_owned()),
            }
        }
    }
}
