//! Game records: the text of the Oware programs, which is that of chess with the pits of Oware.
//!
//! ```text
//! [Variant "Oware Abapa"]
//! [Event "?"]
//! [Site "?"]
//! [Date "2026.01.31"]
//! [Round "1.1"]
//! [South "Empiki"]
//! [North "greedy"]
//! [Result "26-14"]
//! [FEN "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"]
//! [Ruleset "wuri"]
//! [TimeControl "5+0.05"]
//! [Termination "count"]
//! [Points "1-0"]
//!
//! 1. D { +0.40/12 0.105s n=51234 } c+2 2. F ... 26-14
//! ```
//!
//! What the tags hold:
//!
//! - Variant: `Oware Abapa` for Wuri, as the Oware programs call it, else the name in `UCI_Variant`.
//! - Result: the seeds of both sides where a game of two rows came to its end; in other games their match points. Where something
//!   else than the rules ended the game `1-0`, `0-1` or `1/2-1/2`; `*` where nothing did.
//! - Points: the match points. Without this tag a game of Wuri gives one to the side with more seeds.
//! - FEN: the token of the set-up position. Left out where it is the start. In Wuri the text of PlayStrategy is read as well.
//! - Ruleset: the ruleset word. Without it the default rules hold.
//! - Termination: the reason word of `result`, or in other words what else ended the game. `third-void` is a game of a match
//!   that is void by the rules and lost by the player whose turn voided it (O18a).
//!
//! A move is written as the protocol writes it, `+n` after it tells the seeds that it captured. A pair of turns has a number,
//! whoever begins. A comment follows its move; it gives the score for the player who made it, in seeds or as `+M` and `-M` with the
//! plies to the end, then a stroke and the depth, the time in seconds and the nodes, each of them where it is known, and then any
//! other words. Where the first of those could be taken for one of these, `;` stands before them.

mod read;

use std::fmt;
use std::iter;
use std::time::Duration;

use crate::rules::outcome::{HalfSeeds, Outcome, Reason};
use crate::units::{Depth, Direction, MoveText, Nodes, PerPlayer, Player, ScoreValue, Variant};

pub use read::{RecordError, RecordReader, is_records, read_records};

/// What the Oware programs call the game that is `wuri` here.
const OWARE: &str = "Oware Abapa";
/// A tag whose value nobody knows.
pub const UNKNOWN: &str = "?";
/// What stands in a comment before other words that could be taken for a score, a time or nodes.
const BEFORE_REMARK: &str = ";";
/// What is said to have ended a void game that a match holds for lost (O18a).
pub const THIRD_VOID: &str = "third-void";
/// No line of a written record is longer, as far as its words allow.
const WIDTH: usize = 80;

/// A game as it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The game.
    pub variant: Variant,
    /// The ruleset word.
    pub ruleset: String,
    /// The tournament, or [`UNKNOWN`] as all the tags after it.
    pub event: String,
    /// Where it was.
    pub site: String,
    /// When it began, as `2026.01.31`.
    pub date: String,
    /// Which game of the tournament. The games of a pair share what stands before the last full stop, as `17.1` and `17.2`.
    pub round: String,
    /// Who played.
    pub players: PerPlayer<String>,
    /// The token of the set-up position; `None` for the start.
    pub start: Option<String>,
    /// The time control, as the runner writes it.
    pub time_control: Option<String>,
    /// What came of it.
    pub result: GameResult,
    /// Any other tags, in their order.
    pub other_tags: Vec<(String, String)>,
    /// The turns.
    pub moves: Vec<MoveRecord>,
    /// Where it was read.
    pub lines: RecordLines,
}

/// Where the parts of a record stand in its file, from 1; 0 for what was not read from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordLines {
    /// Its first line.
    pub first: usize,
    /// The tag with the set-up position.
    pub start: usize,
    /// The tag with the ruleset.
    pub ruleset: usize,
    /// The tag with the result.
    pub result: usize,
    /// Its last line.
    pub last: usize,
}

/// What came of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// It was broken off, perhaps for this reason.
    Unfinished(Option<String>),
    /// It ended by the rules.
    Rules {
        /// Why. Records of other programs may not tell.
        reason: Option<Reason>,
        /// What each side ended with. Told in games of two rows.
        seeds: Option<PerPlayer<HalfSeeds>>,
        /// Match points.
        points: PerPlayer<u8>,
    },
    /// Something else ended it: a fault of a player, or somebody's judgement.
    Judged {
        /// What it was, in one line that is not the word of a [`Reason`]: those stand for the rules.
        why: String,
        /// Match points.
        points: PerPlayer<u8>,
    },
}

impl GameResult {
    /// The result of a game that is over by the rules, when `mover` is to move in its last position.
    pub fn by_rules(variant: Variant, outcome: &Outcome, mover: Player) -> GameResult {
        GameResult::Rules {
            reason: Some(outcome.reason),
            seeds: has_two_rows(variant).then(|| outcome.seeds.by_player(mover)),
            points: outcome.points.by_player(mover),
        }
    }

    /// The result of a void game that is lost by the player whose turn voided it, as others of the match before (O18a).
    pub fn third_void(loser: Player) -> GameResult {
        let mut points = PerPlayer { south: 0, north: 0 };
        points[!loser] = 1;
        GameResult::Judged { why: THIRD_VOID.to_owned(), points }
    }

    /// Match points, if anything came of the game.
    pub const fn points(&self) -> Option<PerPlayer<u8>> {
        match self {
            GameResult::Unfinished(_) => None,
            GameResult::Rules { points, .. } | GameResult::Judged { points, .. } => Some(*points),
        }
    }

    /// Whether the game does not count in a match (O15, K11): a turn that never ends gave nobody a point.
    pub fn is_void(&self) -> bool {
        matches!(self, GameResult::Rules { reason: Some(Reason::Endless), points, .. } if points.south == points.north)
    }

    /// The tag with the reason, where there is one.
    pub fn termination(&self) -> Option<&str> {
        match self {
            GameResult::Unfinished(why) => why.as_deref(),
            GameResult::Rules { reason, .. } => reason.map(Reason::word),
            GameResult::Judged { why, .. } => Some(why),
        }
    }
}

/// The text of the tag with the result, which also closes the moves.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Unfinished(_) => f.write_str("*"),
            GameResult::Rules { seeds: Some(seeds), .. } => write!(f, "{}-{}", seeds.south, seeds.north),
            GameResult::Rules { points, .. } => write!(f, "{}-{}", points.south, points.north),
            GameResult::Judged { points, .. } => f.write_str(match points.south.cmp(&points.north) {
                std::cmp::Ordering::Greater => "1-0",
                std::cmp::Ordering::Equal => "1/2-1/2",
                std::cmp::Ordering::Less => "0-1",
            }),
        }
    }
}

/// A turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRecord {
    /// The move; written in the case of the side that made it.
    pub text: MoveText,
    /// The seeds that it captured.
    pub captured: u16,
    /// What the player thought of it.
    pub comment: Option<MoveComment>,
    /// Where it was read, from 1; 0 for what was not read.
    pub line: usize,
}

/// What a player thought of a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveComment {
    /// Plies looked ahead.
    pub depth: Option<Depth>,
    /// What the player took the position to be worth to himself.
    pub score: Option<ScoreValue>,
    /// The time of the turn; written in whole milliseconds.
    pub time: Option<Duration>,
    /// Moves made in the search.
    pub nodes: Option<Nodes>,
    /// Any other words, with one blank between two and without braces.
    pub remark: String,
}

impl MoveRecord {
    /// A turn of which no more is known.
    pub const fn new(text: MoveText, captured: u16) -> MoveRecord {
        MoveRecord { text, captured, comment: None, line: 0 }
    }
}

impl GameRecord {
    /// A game between these players that has not begun.
    pub fn new(variant: Variant, ruleset: &str, players: PerPlayer<String>) -> GameRecord {
        let unknown = || UNKNOWN.to_owned();
        GameRecord {
            variant,
            ruleset: ruleset.to_owned(),
            event: unknown(),
            site: unknown(),
            date: unknown(),
            round: unknown(),
            players,
            start: None,
            time_control: None,
            result: GameResult::Unfinished(None),
            other_tags: Vec::new(),
            moves: Vec::new(),
            lines: RecordLines::default(),
        }
    }

    /// The value of a tag that has no field of its own.
    pub fn other_tag(&self, name: &str) -> Option<&str> {
        self.other_tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The side that moves first, by what its token says.
    pub fn starter(&self) -> Player {
        let names_north = |token: &str| token.split('-').any(|field| field == "N");
        if self.start.as_deref().is_some_and(names_north) { Player::North } else { Player::South }
    }

    /// The side that makes the move of this index.
    pub fn mover(&self, index: usize) -> Player {
        if index.is_multiple_of(2) { self.starter() } else { !self.starter() }
    }

    /// The tags in the order in which they are written: first those that the Oware programs expect.
    fn tags(&self) -> Vec<(&str, String)> {
        let variant = if self.variant == Variant::Wuri { OWARE } else { self.variant.name() };
        let result = self.result.to_string();
        let mut tags = vec![
            ("Variant", variant.to_owned()),
            ("Event", self.event.clone()),
            ("Site", self.site.clone()),
            ("Date", self.date.clone()),
            ("Round", self.round.clone()),
            ("South", self.players.south.clone()),
            ("North", self.players.north.clone()),
            ("Result", result),
        ];
        tags.extend(self.start.clone().map(|token| ("FEN", token)));
        tags.push(("Ruleset", self.ruleset.clone()));
        tags.extend(self.time_control.clone().map(|control| ("TimeControl", control)));
        tags.extend(self.result.termination().map(|why| ("Termination", why.to_owned())));
        tags.extend(self.result.points().map(|points| ("Points", format!("{}-{}", points.south, points.north))));
        tags.extend(self.other_tags.iter().map(|(name, value)| (name.as_str(), value.clone())));
        tags
    }

    /// The words of the moves, with the result at the end.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (index, turn) in self.moves.iter().enumerate() {
            if index.is_multiple_of(2) {
                words.push(format!("{}.", index / 2 + 1));
            }
            let mut text = written_by(&turn.text, self.mover(index)).to_string();
            if turn.captured > 0 {
                text.push_str(&format!("+{}", turn.captured));
            }
            words.push(text);
            if let Some(comment) = &turn.comment {
                words.extend(iter::once("{".to_owned()).chain(comment.words()).chain(["}".to_owned()]));
            }
        }
        words.push(self.result.to_string());
        words
    }
}

/// The record with an empty line between tags and moves and one at the end, so that records can be written one after another.
impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        let mut width = 0;
        for word in self.words() {
            let length = word.chars().count();
            if width + 1 + length > WIDTH || width == 0 {
                write!(f, "\n{word}")?;
                width = length;
            } else {
                write!(f, " {word}")?;
                width += 1 + length;
            }
        }
        f.write_str("\n\n")
    }
}

impl MoveComment {
    /// The words of the comment, without its braces.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let score = self.score.map(score_word).unwrap_or_default();
        let depth = self.depth.map(|Depth(depth)| format!("/{depth}")).unwrap_or_default();
        words.extend(Some(score + &depth).filter(|view| !view.is_empty()));
        words.extend(self.time.map(|time| format!("{}.{:03}s", time.as_secs(), time.subsec_millis())));
        words.extend(self.nodes.map(|Nodes(nodes)| format!("n={nodes}")));
        let mut remark = read::comment_words(&self.remark).map(str::to_owned).peekable();
        words.extend(remark.peek().filter(|first| read::is_no_remark(first)).map(|_| BEFORE_REMARK.to_owned()));
        words.extend(remark);
        words
    }
}

/// A score as it stands in records: in seeds with two places, or `+M` and `-M` with the plies to a proved end.
pub fn score_word(score: ScoreValue) -> String {
    match score {
        ScoreValue::Centiseeds(value) => {
            let sign = if value < 0 { '-' } else { '+' };
            format!("{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
        }
        ScoreValue::Mate(plies) => format!("{}M{}", if plies > 0 { '+' } else { '-' }, plies.unsigned_abs()),
    }
}

/// The move as this player writes it: letters in his case, no `>` at the end.
pub fn written_by(text: &MoveText, player: Player) -> MoveText {
    let MoveText::Sow { letter, split, signs } = text else { return text.clone() };
    let letter = match player {
        Player::South => letter.to_ascii_uppercase(),
        Player::North => letter.to_ascii_lowercase(),
    };
    let chosen = signs.iter().rposition(|sign| *sign == Direction::Clockwise).map_or(0, |last| last + 1);
    MoveText::Sow { letter, split: *split, signs: signs[..chosen].to_vec() }
}

/// Whether the game has stores, so that its result is a count of seeds.
const fn has_two_rows(variant: Variant) -> bool {
    matches!(variant, Variant::Wuri | Variant::Urim | Variant::Urim7)
}
