//! Reading game records.
//!
//! ```text
//! file    = { record }
//! record  = tag { tag } { number | move [ "+" count ] | comment | variation } [ result ]
//! tag     = "[" name '"' { any but '"' and '\', or one of them after '\' } '"' "]"
//! number  = digits "." { "." }
//! comment = "{" any but "}" "}"
//! variation = "(" { comment | variation | any } ")"
//! ```
//!
//! Only a game that was broken off may lack the result at its end. So a file that was cut off shows it.

use std::time::Duration;

use thiserror::Error;

use super::{BEFORE_REMARK, GameRecord, GameResult, MoveComment, MoveRecord, OWARE, RecordLines, has_two_rows};
use crate::protocol::{Quote, parse_moves};
use crate::rules::outcome::{HalfSeeds, Reason};
use crate::rules::playstrategy;
use crate::units::{Depth, MoveText, Nodes, PerPlayer, ScoreValue, Variant};

/// What is wrong with the text of a record, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What was read and what was wanted.
    pub what: String,
}

/// Whether a text is meant to be records: they begin with a tag.
pub fn is_records(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('[')
}

/// Reads the records of a file.
///
/// # Errors
/// The first line that is wrong, and why. It never panics.
pub fn read_records(text: &str) -> Result<Vec<GameRecord>, RecordError> {
    RecordReader::new(text).collect()
}

/// Reads one record after another, and tells how far the good ones go.
#[derive(Clone, Debug)]
pub struct RecordReader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    good: usize,
    failed: bool,
}

impl<'t> RecordReader<'t> {
    /// A reader of this text.
    pub const fn new(text: &'t str) -> RecordReader<'t> {
        RecordReader { text, at: 0, line: 1, good: 0, failed: false }
    }

    /// How many bytes of the text the records take up that were read so far: what a run may keep that goes on with a file that was
    /// cut off.
    pub const fn good_bytes(&self) -> usize {
        self.good
    }

    fn error<T>(&self, what: impl Into<String>) -> Result<T, RecordError> {
        Err(RecordError { line: self.line, what: what.into() })
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next_char(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        self.line += usize::from(next == '\n');
        Some(next)
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|next| next.is_whitespace() || next == '\u{feff}') {
            self.next_char();
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let begin = self.at;
        while self.peek().is_some_and(&wanted) {
            self.next_char();
        }
        &self.text[begin..self.at]
    }

    fn expect(&mut self, wanted: char, context: &str) -> Result<(), RecordError> {
        if self.peek() == Some(wanted) {
            self.next_char();
            return Ok(());
        }
        let read = self.take_while(|next| !next.is_whitespace());
        self.error(format!("{context} `{}`: wanted `{wanted}`", Quote::new(read.as_bytes())))
    }

    /// The name and the value of a tag.
    fn tag(&mut self) -> Result<(String, String), RecordError> {
        self.expect('[', "a tag")?;
        self.skip_blanks();
        let name = self.take_while(|next| next.is_alphanumeric() || next == '_');
        if name.is_empty() {
            return self.error("a tag without a name");
        }
        self.skip_blanks();
        self.expect('"', "the value of a tag")?;
        let begin = self.line;
        let mut value = String::new();
        loop {
            match self.next_char() {
                Some('"') => break,
                Some('\\') => value.extend(self.next_char().filter(|next| !next.is_control())),
                Some(next) if !next.is_control() => value.push(next),
                _ => return Err(RecordError { line: begin, what: format!("tag {name}: its value has no end") }),
            }
        }
        self.skip_blanks();
        self.expect(']', "a tag").map_err(|error| RecordError { line: begin, ..error })?;
        Ok((name.to_owned(), value))
    }

    /// What stands between the brace that is next and the one that closes it.
    fn braces(&mut self) -> Result<&'t str, RecordError> {
        let begin = self.line;
        self.next_char();
        let inside = self.take_while(|next| next != '}');
        if self.next_char().is_none() {
            return Err(RecordError { line: begin, what: "a comment that has no end".to_owned() });
        }
        Ok(inside)
    }

    /// Passes over a variation. Counted, not nested: a file may hold any number of brackets.
    fn variation(&mut self) -> Result<(), RecordError> {
        let begin = self.line;
        let mut open = 0usize;
        loop {
            match self.peek() {
                Some('{') => {
                    self.braces()?;
                    continue;
                }
                Some('(') => open += 1,
                Some(')') => open -= 1,
                Some(_) => (),
                None => return Err(RecordError { line: begin, what: "a variation that has no end".to_owned() }),
            }
            self.next_char();
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// The moves, and the result that closed them.
    fn moves(&mut self) -> Result<(Vec<MoveRecord>, Option<&'t str>), RecordError> {
        let mut moves: Vec<MoveRecord> = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some('[') => return Ok((moves, None)),
                Some('(') => self.variation()?,
                Some('{') => {
                    let words = self.braces()?;
                    match moves.last_mut() {
                        Some(turn) => turn.comment = Some(read_comment(words)),
                        None => return self.error("a comment before the first move"),
                    }
                }
                Some(_) => {
                    let word = self.take_while(|next| !next.is_whitespace() && !"{}()[".contains(next));
                    // The result first: half a seed looks like the number of a move.
                    if word == "*" || is_result(word) {
                        return Ok((moves, Some(word)));
                    }
                    let rest = without_number(word);
                    if rest.len() < word.len() {
                        // A number may stand right before its move.
                        self.at -= rest.len();
                        continue;
                    }
                    match read_move(word, self.line) {
                        Some(turn) => moves.push(turn),
                        None if word.is_empty() => {
                            let read = self.next_char().map_or(String::new(), String::from);
                            return self.error(format!("`{}`: wanted a move", Quote::new(read.as_bytes())));
                        }
                        None => {
                            let read = Quote::new(word.as_bytes());
                            return self.error(format!("`{read}`: wanted a move, its number, a comment or the result"));
                        }
                    }
                }
            }
        }
    }

    fn record(&mut self) -> Result<GameRecord, RecordError> {
        let mut lines = RecordLines { first: self.line, ..RecordLines::default() };
        let mut tags = Vec::new();
        loop {
            self.skip_blanks();
            if !tags.is_empty() && self.peek() != Some('[') {
                break;
            }
            let line = self.line;
            let (name, value) = self.tag()?;
            if tags.iter().any(|tag: &Tag| tag.name == name) {
                return Err(RecordError { line, what: format!("tag {name} stands here a second time") });
            }
            tags.push(Tag { name, value, line });
        }
        let (moves, closed_by) = self.moves()?;
        lines.last = self.line;
        let record = Tags(tags).record(moves, lines)?;
        let result = record.result.to_string();
        let is_closed = match closed_by {
            Some(word) => word == result,
            None => matches!(record.result, GameResult::Unfinished(_)),
        };
        if !is_closed {
            let read = closed_by.map_or("nothing".to_owned(), |word| format!("`{}`", Quote::new(word.as_bytes())));
            return self.error(format!("at the end of the moves {read}: wanted the result `{result}`"));
        }
        Ok(record)
    }
}

impl Iterator for RecordReader<'_> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        if self.failed || self.peek().is_none() {
            return None;
        }
        let record = self.record();
        match record {
            Ok(_) => self.good = self.at,
            Err(_) => self.failed = true,
        }
        Some(record)
    }
}

/// What stands in a word behind the number of a move.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// Whether a word of the moves is the result: two numbers, perhaps with halves, and a stroke.
fn is_result(word: &str) -> bool {
    word == "1/2-1/2"
        || word.split_once('-').is_some_and(|(south, north)| half_seeds(south).and(half_seeds(north)).is_some())
}

fn half_seeds(text: &str) -> Option<HalfSeeds> {
    let (whole, half) = text.strip_suffix(".5").map_or((text, 0), |whole| (whole, 1));
    let whole: u16 = number(whole)?;
    Some(HalfSeeds(whole.checked_mul(2)?.checked_add(half)?))
}

/// A plain number: digits and nothing else.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { text.parse().ok() } else { None }
}

/// One move with the seeds that it captured.
fn read_move(word: &str, line: usize) -> Option<MoveRecord> {
    let (text, captured) = match word.split_once('+') {
        Some((text, captured)) => (text, number(captured)?),
        None => (word, 0),
    };
    let mut moves = parse_moves(text.as_bytes()).ok()?;
    let text = moves.pop().filter(|text| moves.is_empty() && *text != MoveText::Null)?;
    Some(MoveRecord { line, ..MoveRecord::new(text, captured) })
}

/// A comment: what is known of its first words, the others as they are.
fn read_comment(text: &str) -> MoveComment {
    let mut comment = MoveComment::default();
    let mut words = comment_words(text).peekable();
    if let Some((score, depth)) = words.peek().and_then(|word| view(word)) {
        (comment.score, comment.depth) = (score, depth);
        words.next();
    }
    comment.time = words.peek().and_then(|word| seconds(word));
    if comment.time.is_some() {
        words.next();
    }
    comment.nodes = words.peek().and_then(|word| nodes(word));
    if comment.nodes.is_some() {
        words.next();
    }
    words.next_if_eq(&BEFORE_REMARK);
    comment.remark = words.collect::<Vec<_>>().join(" ");
    comment
}

/// The words of a comment. A brace is none, since the next one closes the comment.
pub(super) fn comment_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|next: char| next.is_whitespace() || "{}".contains(next)).filter(|word| !word.is_empty())
}

/// Whether a word at the beginning of a remark would not be read as one.
pub(super) fn is_no_remark(word: &str) -> bool {
    word == BEFORE_REMARK || view(word).is_some() || seconds(word).is_some() || nodes(word).is_some()
}

/// The score and the depth of a word like `+0.40/12`, `-M3` or `/12`.
fn view(word: &str) -> Option<(Option<ScoreValue>, Option<Depth>)> {
    let (score, depth) = match word.split_once('/') {
        Some((score, depth)) => (score, Some(Depth(number(depth)?))),
        None => (word, None),
    };
    match score {
        "" => depth.is_some().then_some((None, depth)),
        _ => Some((Some(read_score(score)?), depth)),
    }
}

fn read_score(word: &str) -> Option<ScoreValue> {
    let (sign, value) =
        word.strip_prefix('+').map_or_else(|| Some((-1, word.strip_prefix('-')?)), |value| Some((1, value)))?;
    if let Some(plies) = value.strip_prefix('M') {
        return Some(ScoreValue::Mate(i32::try_from(sign * i64::from(number::<u32>(plies)?)).ok()?));
    }
    let (seeds, hundredths) = value.split_once('.')?;
    let hundredths = if hundredths.len() == 2 { number::<u32>(hundredths)? } else { return None };
    let value = 100 * i64::from(number::<u32>(seeds)?) + i64::from(hundredths);
    Some(ScoreValue::Centiseeds(i32::try_from(sign * value).ok()?))
}

fn nodes(word: &str) -> Option<Nodes> {
    number(word.strip_prefix("n=")?).map(Nodes)
}

fn seconds(word: &str) -> Option<Duration> {
    let (seconds, millis) = word.strip_suffix('s')?.split_once('.')?;
    let millis: u64 = if millis.len() == 3 { number(millis)? } else { return None };
    Some(Duration::from_secs(number(seconds)?).saturating_add(Duration::from_millis(millis)))
}

struct Tag {
    name: String,
    value: String,
    line: usize,
}

/// The tags of a record that have not been made into a field of it.
struct Tags(Vec<Tag>);

impl Tags {
    fn take(&mut self, name: &str) -> Option<Tag> {
        self.0.iter().position(|tag| tag.name == name).map(|index| self.0.remove(index))
    }

    /// A tag whose value is a word, for which blanks around it mean nothing.
    fn take_word(&mut self, name: &str) -> Option<Tag> {
        self.take(name).map(|tag| Tag { value: tag.value.trim().to_owned(), ..tag })
    }

    fn text(&mut self, name: &str) -> String {
        self.take(name).map_or(super::UNKNOWN.to_owned(), |tag| tag.value)
    }

    fn record(mut self, moves: Vec<MoveRecord>, mut lines: RecordLines) -> Result<GameRecord, RecordError> {
        let variant = self.variant(lines.first)?;
        let ruleset = match self.take_word("Ruleset") {
            Some(tag) => {
                lines.ruleset = tag.line;
                tag.value
            }
            None => variant.name().to_owned(),
        };
        let result = self.result(variant, &mut lines)?;
        let start = match self.take_word("FEN") {
            Some(tag) => {
                lines.start = tag.line;
                Some(start_token(variant, tag)?)
            }
            None => None,
        };
        Ok(GameRecord {
            variant,
            ruleset,
            event: self.text("Event"),
            site: self.text("Site"),
            date: self.text("Date"),
            round: self.text("Round"),
            players: PerPlayer { south: self.text("South"), north: self.text("North") },
            start,
            time_control: self.take("TimeControl").map(|tag| tag.value),
            result,
            other_tags: self.0.into_iter().map(|tag| (tag.name, tag.value)).collect(),
            moves,
            lines,
        })
    }

    fn variant(&mut self, first: usize) -> Result<Variant, RecordError> {
        let Some(Tag { value, line, .. }) = self.take_word("Variant") else {
            return Err(RecordError { line: first, what: "a game without a tag Variant".to_owned() });
        };
        let named = |variant: &Variant| variant.name().eq_ignore_ascii_case(&value);
        let is_oware = ["Oware", OWARE].iter().any(|name| name.eq_ignore_ascii_case(&value));
        let found = Variant::ALL.into_iter().find(named).or(is_oware.then_some(Variant::Wuri));
        found.ok_or_else(|| {
            let names = Variant::ALL.map(Variant::name).join(", ");
            let read = Quote::new(value.as_bytes());
            RecordError { line, what: format!("tag Variant `{read}`: wanted {OWARE}, {names}") }
        })
    }

    fn result(&mut self, variant: Variant, lines: &mut RecordLines) -> Result<GameResult, RecordError> {
        let Some(Tag { value, line, .. }) = self.take_word("Result") else {
            return Err(RecordError { line: lines.first, what: "a game without a tag Result".to_owned() });
        };
        lines.result = line;
        let why = self.take("Termination").map(|tag| tag.value);
        if value == "*" {
            return Ok(GameResult::Unfinished(why));
        }
        let reason = why.as_deref().map(|why| reason_of(why.trim()));
        let given = self.points()?;
        let refused = |wanted: &str| {
            let read = Quote::new(value.as_bytes());
            RecordError { line, what: format!("tag Result `{read}`: wanted {wanted}") }
        };
        if let Some(None) = reason {
            let points = match value.as_str() {
                "1-0" => PerPlayer { south: 1, north: 0 },
                "0-1" => PerPlayer { south: 0, north: 1 },
                "1/2-1/2" => PerPlayer { south: 0, north: 0 },
                _ => return Err(refused("1-0, 0-1 or 1/2-1/2, since no rule ended the game")),
            };
            let given = given.unwrap_or(points);
            if given.south.cmp(&given.north) != points.south.cmp(&points.north) {
                return Err(refused("what the tag Points says"));
            }
            return Ok(GameResult::Judged { why: why.unwrap_or_default(), points: given });
        }
        let reason = reason.flatten();
        let numbers = value.split_once('-');
        if has_two_rows(variant) {
            let seeds = numbers
                .and_then(|(south, north)| Some(PerPlayer { south: half_seeds(south)?, north: half_seeds(north)? }));
            let seeds = seeds.ok_or_else(|| refused("the seeds of South and North, as 26-14"))?;
            let points = given.or((variant == Variant::Wuri).then(|| winner_takes_one(seeds)));
            let points = points.ok_or_else(|| refused("a tag Points beside it"))?;
            return Ok(GameResult::Rules { reason, seeds: Some(seeds), points });
        }
        let points = read_points(&value).ok_or_else(|| refused("the match points of South and North, as 2-0"))?;
        if given.is_some_and(|given| given != points) {
            return Err(refused("what the tag Points says"));
        }
        Ok(GameResult::Rules { reason, seeds: None, points })
    }

    fn points(&mut self) -> Result<Option<PerPlayer<u8>>, RecordError> {
        let Some(Tag { value, line, .. }) = self.take_word("Points") else { return Ok(None) };
        let wanted = || {
            let read = Quote::new(value.as_bytes());
            RecordError { line, what: format!("tag Points `{read}`: wanted those of South and North, as 2-0") }
        };
        read_points(&value).map(Some).ok_or_else(wanted)
    }
}

fn read_points(text: &str) -> Option<PerPlayer<u8>> {
    let (south, north) = text.split_once('-')?;
    Some(PerPlayer { south: number(south)?, north: number(north)? })
}

/// The token of a set-up position, also where other programs have written it in their way.
fn start_token(variant: Variant, tag: Tag) -> Result<String, RecordError> {
    if variant != Variant::Wuri || !playstrategy::is_text(&tag.value) {
        return Ok(tag.value);
    }
    playstrategy::token_of(&tag.value).map_err(|error| RecordError { line: tag.line, what: error.to_string() })
}

/// W9.
fn winner_takes_one(seeds: PerPlayer<HalfSeeds>) -> PerPlayer<u8> {
    PerPlayer { south: u8::from(seeds.south > seeds.north), north: u8::from(seeds.north > seeds.south) }
}

fn reason_of(word: &str) -> Option<Reason> {
    Reason::ALL.into_iter().find(|reason| reason.word() == word)
}
