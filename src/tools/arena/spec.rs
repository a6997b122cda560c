//! How engines and conditions are written on the command line: words of the form `KEY=VALUE`, blanks inside quotes.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail, ensure};

use crate::protocol::Dialect;

/// An engine of a match, as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// What tables and records call it.
    pub name: String,
    /// Who plays.
    pub program: Program,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// Its options, in the order of writing.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub terms: Terms,
    /// Where it runs.
    pub directory: Option<PathBuf>,
}

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Program {
    /// A legal move by lot.
    Random,
    /// The winning move, else the one that captures most without losing at once.
    Greedy,
    /// A child process: the program and its arguments.
    Command(Vec<String>),
}

/// How long an engine may think, and how long it is waited for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Time for the whole game, and what each move adds.
    pub clock: Option<(Duration, Duration)>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u16>,
    /// How late an answer may be and still count.
    pub margin: Duration,
    /// How long an engine is waited for before its first game.
    pub start_up: Duration,
    /// How long an engine is waited for that has no time, or has used it up.
    pub hang: Duration,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            clock: None,
            movetime: None,
            nodes: None,
            depth: None,
            margin: Duration::from_millis(50),
            start_up: Duration::from_secs(10),
            hang: Duration::from_secs(60),
        }
    }
}

impl Terms {
    /// Whether anything ends a search.
    pub const fn has_limit(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|(base, more)| format!("{}+{}", base.as_secs_f64(), more.as_secs_f64())));
        parts.extend(self.movetime.map(|time| format!("{}/move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        f.write_str(if parts.is_empty() { "-" } else { "" })?;
        f.write_str(&parts.join(","))
    }
}

impl EngineSpec {
    /// Reads an engine; what stands in `each` holds where the engine itself says nothing. No move of a program takes
    /// longer than `move_time`.
    ///
    /// # Errors
    /// Which word is wrong and what was wanted.
    pub fn read(text: &str, each: &str, move_time: Option<Duration>) -> Result<EngineSpec> {
        let mut draft = Draft::default();
        draft.read_all(each).context("--each")?;
        let fault = || format!("--engine `{text}`");
        draft.read_all(text).with_context(fault)?;
        draft.finish(move_time).with_context(fault)
    }
}

#[derive(Default)]
struct Draft {
    name: Option<String>,
    command: Option<String>,
    ugi: bool,
    options: Vec<(String, String)>,
    terms: Terms,
    directory: Option<PathBuf>,
}

impl Draft {
    fn read_all(&mut self, text: &str) -> Result<()> {
        pairs(text)?.into_iter().try_for_each(|(key, value)| self.read(&key, &value))
    }

    fn read(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "name" => self.name = Some(value.to_owned()),
            "cmd" => self.command = Some(value.to_owned()),
            "dir" => self.directory = Some(value.into()),
            "proto" => {
                self.ugi = match value {
                    "uci" => false,
                    "ugi" => true,
                    _ => bail!("proto is `{value}`: wanted uci or ugi"),
                }
            }
            "tc" => (self.terms.clock, self.terms.movetime) = (Some(clock(value)?), None),
            "st" => (self.terms.movetime, self.terms.clock) = (Some(seconds("st", value)?), None),
            "nodes" => self.terms.nodes = Some(number("nodes", value)?),
            "depth" => self.terms.depth = Some(number("depth", value)?),
            "margin" => self.terms.margin = Duration::from_millis(number("margin", value)?),
            "start" => self.terms.start_up = seconds("start", value)?,
            "hang" => self.terms.hang = seconds("hang", value)?,
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => self.set_option(name, value),
                _ => bail!(
                    "`{key}` is no key: wanted name, cmd, dir, proto, option.NAME, tc, st, nodes, depth, margin, start or hang"
                ),
            },
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.options.push((name.to_owned(), value.to_owned()));
    }

    fn finish(self, move_time: Option<Duration>) -> Result<EngineSpec> {
        let command =
            self.command.ok_or_else(|| anyhow!("wanted cmd=PROGRAM, cmd=builtin:random or cmd=builtin:greedy"))?;
        let program = program(&command)?;
        let name = self.name.unwrap_or_else(|| default_name(&program));
        let is_plain = |letter: char| !letter.is_control() && letter != '"' && letter != '\\';
        ensure!(!name.trim().is_empty() && name.chars().all(is_plain), "name is `{name}`: wanted plain text");
        let is_one_line = |text: &str| !text.contains(['\n', '\r']);
        let options = &self.options;
        ensure!(options.iter().all(|(name, value)| is_one_line(name) && is_one_line(value)), "an option is one line");
        let mut terms = self.terms;
        let is_timed = matches!(program, Program::Command(_));
        if is_timed {
            terms.movetime = terms.movetime.into_iter().chain(move_time).min();
        }
        ensure!(!is_timed || terms.has_limit(), "`{name}` may think for ever: wanted tc, st, nodes or depth");
        let dialect = if self.ugi { Dialect::Ugi } else { Dialect::Uci };
        Ok(EngineSpec { name, program, dialect, options: self.options, terms, directory: self.directory })
    }
}

fn program(command: &str) -> Result<Program> {
    Ok(match command {
        "builtin:random" => Program::Random,
        "builtin:greedy" => Program::Greedy,
        _ => {
            ensure!(!command.starts_with("builtin:"), "cmd is `{command}`: wanted builtin:random or builtin:greedy");
            let words = words(command)?;
            ensure!(!words.is_empty(), "cmd is empty");
            Program::Command(words)
        }
    })
}

fn default_name(program: &Program) -> String {
    match program {
        Program::Random => "random".to_owned(),
        Program::Greedy => "greedy".to_owned(),
        Program::Command(words) => {
            let stem = std::path::Path::new(&words[0]).file_stem();
            stem.map_or_else(|| words[0].clone(), |stem| stem.to_string_lossy().into_owned())
        }
    }
}

fn clock(value: &str) -> Result<(Duration, Duration)> {
    let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
    Ok((seconds("tc", base)?, seconds("tc", increment)?))
}

/// Reads seconds, with a fraction or without.
fn seconds(key: &str, value: &str) -> Result<Duration> {
    let read = value.parse::<f64>().ok().filter(|seconds| (0.0..1e9).contains(seconds));
    read.map(Duration::from_secs_f64).ok_or_else(|| anyhow!("{key} is `{value}`: wanted seconds, as 5 or 0.1"))
}

/// Reads a whole number.
///
/// # Errors
/// What was read and what was wanted.
pub fn number<T: FromStr>(key: &str, value: &str) -> Result<T> {
    value.parse().map_err(|_| anyhow!("{key} is `{value}`: wanted a whole number"))
}

/// The words `KEY=VALUE` of a text.
///
/// # Errors
/// The first word that is none, or a quote without its end.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>> {
    let pair = |word: String| match word.split_once('=') {
        Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
        None => bail!("`{word}`: wanted KEY=VALUE"),
    };
    words(text)?.into_iter().map(pair).collect()
}

/// Splits at blanks outside of quotes, single or double; the quotes go.
fn words(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(end) if letter == end => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    ensure!(quote.is_none(), "a quote in `{text}` has no end");
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_read_with_what_holds_for_each() {
        let text = r#"name=A cmd="./a --size '1 2'" proto=ugi option.Hash=16 "option.Move Overhead=5""#;
        let spec = EngineSpec::read(text, "tc=5+0.05 option.Hash=8 option.Threads=1", None).unwrap();
        assert_eq!(spec.program, Program::Command(vec!["./a".into(), "--size".into(), "1 2".into()]));
        assert_eq!((spec.name.as_str(), spec.dialect), ("A", Dialect::Ugi));
        assert_eq!(spec.terms.clock, Some((Duration::from_secs(5), Duration::from_millis(50))));
        let options: Vec<String> = spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["Threads=1", "Hash=16", "Move Overhead=5"]);
        assert_eq!(spec.terms.to_string(), "5+0.05");
    }

    #[test]
    fn no_move_of_a_program_takes_longer_than_the_way_of_playing_allows() {
        let blitz = Some(Duration::from_secs(3));
        let terms = |text: &str| EngineSpec::read(text, "", blitz).unwrap().terms.to_string();
        assert_eq!(terms("cmd=./a"), "3/move");
        assert_eq!(terms("cmd=./a st=0.5"), "0.5/move");
        assert_eq!(terms("cmd=./a st=60 nodes=9"), "3/move,nodes=9");
        assert_eq!(terms("cmd=./a tc=60+1"), "60+1,3/move");
        assert_eq!(terms("cmd=builtin:greedy"), "-", "one that needs no time has none");
    }

    #[test]
    fn a_mistake_is_named() {
        let error = |text: &str| format!("{:#}", EngineSpec::read(text, "", None).unwrap_err());
        assert!(error("cmd=./a").contains("wanted tc, st, nodes or depth"));
        assert!(error("name=A nodes=1").contains("wanted cmd=PROGRAM"));
        assert!(error("cmd=./a tc=-5").contains("tc is `-5`: wanted seconds"));
        assert!(error("cmd=./a depth=1x").contains("depth is `1x`: wanted a whole number"));
        assert!(error("cmd=./a colour=red").contains("`colour` is no key"));
        assert!(error("cmd='./a").contains("has no end"));
        assert!(error("cmd=builtin:best").contains("builtin:random"));
    }
}
