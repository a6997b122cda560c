//! Written dialogues with the engine, replayed in this process.
//!
//! A dialogue is one session. A line that starts with `> ` is sent by the client; every other line is what the engine answers,
//! in order. `...` stands for any number of `info depth` or `option` lines, and `*` in an `info depth`, `info string time` or `bench` line for one whole number. In a
//! line that is sent, `\t`, `\r`, `\0`, `\\` and `\xNN` stand for one byte each.

use super::converse;

/// One session, written down.
#[derive(Debug)]
pub struct Dialogue {
    /// Where it stands: the file, and the number of its first line there.
    pub file: String,
    /// The lines with their numbers in the file.
    pub lines: Vec<(usize, String)>,
}

/// The blocks of a Markdown text that are fenced as `dialogue`.
pub fn blocks(file: &str, text: &str) -> Vec<Dialogue> {
    let mut blocks = Vec::new();
    let mut open: Option<Dialogue> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match &mut open {
            None if line == "```dialogue" => open = Some(Dialogue { file: file.to_owned(), lines: Vec::new() }),
            None => {}
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some(block) => block.lines.push((number, line.to_owned())),
        }
    }
    assert!(open.is_none(), "{file}: a block is not closed");
    blocks
}

/// The sessions of a text file: an empty line ends one, and lines that start with `#` are for the reader.
pub fn sessions(file: &str, text: &str) -> Vec<Dialogue> {
    let mut sessions = vec![Dialogue { file: file.to_owned(), lines: Vec::new() }];
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')) {
        if line.is_empty() {
            sessions.push(Dialogue { file: file.to_owned(), lines: Vec::new() });
        } else {
            sessions.last_mut().expect("there is one").lines.push((number, line.to_owned()));
        }
    }
    sessions.retain(|session| !session.lines.is_empty());
    sessions
}

impl Dialogue {
    /// The lines that the client sends.
    pub fn sent(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|(_, line)| line.strip_prefix("> "))
    }

    /// Sends all lines in one go and compares the answers.
    ///
    /// # Errors
    /// Where the answers first differ, with all of them.
    pub fn replay(&self) -> Result<(), String> {
        let mut input = Vec::new();
        for line in self.sent() {
            input.extend(bytes(line));
            input.push(b'\n');
        }
        let answers = converse(&input);
        let answers: Vec<&str> = answers.lines().collect();
        let wanted: Vec<&(usize, String)> = self.lines.iter().filter(|(_, line)| !line.starts_with("> ")).collect();
        let mut furthest = (0, 0);
        if follows(&wanted, &answers, (0, 0), &mut furthest) {
            return Ok(());
        }
        let (at, answered) = furthest;
        let end = self.lines.last().map_or(0, |(number, _)| number + 1);
        let (number, line) = wanted.get(at).map_or((end, "nothing more"), |(number, line)| (*number, line));
        let read = answers.get(answered).copied().unwrap_or("nothing more");
        let all: String = answers.iter().enumerate().fold(String::new(), |all, (index, answer)| {
            all + if index == answered { "  ! " } else { "    " } + answer + "\n"
        });
        Err(format!("{}:{number}:\n  wanted  {line}\n  read    {read}\n  all answers:\n{all}", self.file))
    }
}

/// Whether the answers from a place on are the wanted ones; keeps the furthest place where they were not.
fn follows(
    wanted: &[&(usize, String)],
    answers: &[&str],
    (at, answered): (usize, usize),
    furthest: &mut (usize, usize),
) -> bool {
    *furthest = (*furthest).max((at, answered));
    match wanted.get(at) {
        None => answered == answers.len(),
        Some((_, line)) if line == "..." => {
            let left_out = answers[answered..].iter().take_while(|answer| may_be_left_out(answer)).count();
            (0..=left_out).any(|count| follows(wanted, answers, (at + 1, answered + count), furthest))
        }
        Some((_, line)) => match answers.get(answered) {
            Some(answer) if is_as(line, answer) => follows(wanted, answers, (at + 1, answered + 1), furthest),
            _ => false,
        },
    }
}

/// Whether `...` can stand for this answer.
fn may_be_left_out(answer: &str) -> bool {
    answer.starts_with("info depth ") || answer.starts_with("option ")
}

/// Whether an answer is as it was written, each `*` of an `info` or `bench` line being a whole number.
pub fn is_as(written: &str, answer: &str) -> bool {
    if !["info depth ", "info string time: ", "bench "].iter().any(|word| written.starts_with(word)) {
        return written == answer;
    }
    let (mut wanted, mut read) = (written.split(' '), answer.split(' '));
    loop {
        match (wanted.next(), read.next()) {
            (None, None) => return true,
            (Some("*"), Some(number)) if number.parse::<i64>().is_ok() => {}
            (Some(word), Some(other)) if word == other => {}
            _ => return false,
        }
    }
}

/// The bytes of a line in which some are escaped.
pub fn bytes(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        let escaped = if byte == b'\\' { rest.next() } else { None };
        bytes.push(match escaped {
            None => byte,
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'0') => 0,
            Some(b'\\') => b'\\',
            Some(b'x') => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                u8::from_str_radix(&digits, 16).unwrap_or_else(|_| panic!("`{line}`: two hexadecimal digits"))
            }
            Some(_) => panic!("`{line}`: an escape that is not known"),
        });
    }
    bytes
}

/// Replays all of these; panics with every difference there is.
pub fn replay_all(dialogues: &[Dialogue]) {
    assert!(!dialogues.is_empty(), "there is something to replay");
    let differences: Vec<String> = dialogues.iter().filter_map(|dialogue| dialogue.replay().err()).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
