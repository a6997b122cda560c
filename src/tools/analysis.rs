//! Positions of records and lists searched one by one: what was best, and what the move that was played gave away.

mod write;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::engine::game::{Game, SearchRequest, open_ruleset};
use crate::engine::options::Options;
use crate::engine::replay::replay;
use crate::eval::LARGEST;
use crate::protocol::parse_moves;
use crate::record::{GameRecord, is_records, read_records, score_word, written_by};
use crate::search::info::Report;
use crate::search::stop::StopHandle;
use crate::search::table::Table;
use crate::units::{Depth, MoveText, Nodes, Player, ScoreValue};

pub use write::{Format, Writer};

/// How far each position is searched; the first limit that is reached ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchLimits {
    /// Plies.
    pub depth: Option<Depth>,
    /// Moves made.
    pub nodes: Option<Nodes>,
    /// Time.
    pub time: Option<Duration>,
}

/// A position to be searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The record it is from, or which of the positions in a list; from 1.
    pub game: usize,
    /// Turns before it, as the file tells them.
    pub turns: usize,
    /// Where it stands in the file.
    pub line: usize,
    /// The rules.
    pub ruleset: String,
    /// The set-up position; `None` for the start.
    pub start: Option<String>,
    /// The turns from there on. Later ones may follow.
    pub moves: Arc<[MoveText]>,
    /// Who made the record: the names of the players, and its result.
    pub title: Option<Arc<str>>,
    /// Whether a move was played here.
    pub is_played: bool,
}

/// What was found out about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Who is to move.
    pub mover: Player,
    /// The position.
    pub token: String,
    /// The search, if the game goes on there.
    pub best: Option<Report>,
    /// The move that was played.
    pub played: Option<Played>,
    /// How the game ended, in the words of `result`.
    pub outcome: Option<String>,
}

/// A move that was played, held against the best one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub text: String,
    /// What it is worth by a search as deep as that of the best move.
    pub score: ScoreValue,
    /// What it gave away, in hundredths of a seed; 1000 at most, as where a proved win is left.
    pub lost: i32,
}

impl Played {
    /// `?` for a mistake, `??` for a blunder, nothing for all else.
    pub const fn mark(&self) -> &'static str {
        match self.lost {
            BLUNDER.. => "??",
            MISTAKE.. => "?",
            _ => "",
        }
    }
}

/// A move that gives away so much is a mistake, in hundredths of a seed.
const MISTAKE: i32 = 100;
/// And so much a blunder.
const BLUNDER: i32 = 300;
/// What a proved win is worth where moves are compared: more than all seeds, and all wins the same, for they all win.
const PROVED: i32 = 10_000;
/// No move gives away more than this, so that the mean of a game is not that of its one overlooked win.
const MOST_LOST: i32 = 1000;

/// The positions of a text: those of each record before each move and at the end, or those of a list, one token a line.
///
/// A line of a list is a token, any other position text that the game knows, or `startpos`, perhaps followed by `moves` and a list of moves; an empty line or one that begins
/// with `#` is passed over. A list is read under the rules of `options`.
///
/// # Errors
/// What is wrong in which line.
pub fn tasks(text: &str, options: &Options) -> Result<Vec<Task>> {
    if is_records(text) {
        let records = read_records(text)?;
        let tasks = (1..).zip(&records).map(|(number, record)| tasks_of_record(number, record));
        return Ok(tasks.collect::<Result<Vec<_>>>()?.concat());
    }
    let ruleset = options.ruleset();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    (1..).zip(lines).map(|(number, (line, words))| task_of_line(number, line, words, &ruleset)).collect()
}

fn tasks_of_record(number: usize, record: &GameRecord) -> Result<Vec<Task>> {
    replay(record).with_context(|| format!("game {number}"))?;
    let moves: Arc<[MoveText]> = record.moves.iter().map(|turn| turn.text.clone()).collect();
    let title = format!("{} - {} {}", record.players.south, record.players.north, record.result);
    let title: Arc<str> = title.into();
    let task = |turns: usize| Task {
        game: number,
        turns,
        line: record.moves.get(turns).map_or(record.lines.last, |turn| turn.line),
        ruleset: record.ruleset.clone(),
        start: record.start.clone(),
        moves: Arc::clone(&moves),
        title: Some(Arc::clone(&title)),
        is_played: turns < moves.len(),
    };
    Ok((0..=moves.len()).map(task).collect())
}

fn task_of_line(number: usize, line: usize, words: &str, ruleset: &str) -> Result<Task> {
    let (token, list) = words.split_once(" moves ").unwrap_or((words, ""));
    let start = Some(token.trim()).filter(|token| *token != "startpos").map(str::to_owned);
    let moves = parse_moves(list.as_bytes()).with_context(|| format!("line {line}"))?;
    let mut game = open_ruleset(ruleset)?;
    game.set_up(start.as_deref(), &moves).with_context(|| format!("line {line}"))?;
    Ok(Task {
        game: number,
        turns: moves.len(),
        line,
        ruleset: ruleset.to_owned(),
        start,
        moves: moves.into(),
        title: None,
        is_played: false,
    })
}

/// Searches a position, and the move that was played there if that is another one than the best.
///
/// With limits in plies or nodes the same task gives the same finding, whatever the table held before.
///
/// # Errors
/// If the task is no position; those of [`tasks`] are.
pub fn analyse(table: &mut Table, task: &Task, limits: &SearchLimits) -> Result<Finding> {
    table.clear();
    let mut game = open_ruleset(&task.ruleset)?;
    game.set_up(task.start.as_deref(), &task.moves[..task.turns])?;
    let mover = game.mover();
    let best = match game.outcome() {
        None => Some(search(game.as_ref(), table, limits, Vec::new())?),
        Some(_) => None,
    };
    let played = match (&best, task.moves.get(task.turns).filter(|_| task.is_played)) {
        (Some(best), Some(text)) => Some(hold_against(game.as_ref(), table, limits, best, &written_by(text, mover))?),
        _ => None,
    };
    let outcome = game.outcome().map(|outcome| outcome.describe(mover));
    Ok(Finding { mover, token: game.token(), best, played, outcome })
}

fn hold_against(
    game: &dyn Game,
    table: &mut Table,
    limits: &SearchLimits,
    best: &Report,
    text: &MoveText,
) -> Result<Played> {
    let written = text.to_string();
    if best.pv.first() == Some(text) || matches!(text, MoveText::Arrange(_)) {
        return Ok(Played { text: written, score: best.score, lost: 0 });
    }
    let as_deep = SearchLimits { depth: Some(best.depth), ..*limits };
    let score = search(game, table, &as_deep, vec![text.clone()])?.score;
    let lost = (worth(best.score) - worth(score)).clamp(0, MOST_LOST);
    Ok(Played { text: written, score, lost })
}

fn worth(score: ScoreValue) -> i32 {
    match score.number() {
        decided if decided.abs() > LARGEST => PROVED * decided.signum(),
        open => open.clamp(1 - PROVED, PROVED - 1),
    }
}

/// The best line of a position, among some moves or all.
fn search(game: &dyn Game, table: &mut Table, limits: &SearchLimits, moves: Vec<MoveText>) -> Result<Report> {
    let stop = Arc::new(StopHandle::alone());
    let mut request = SearchRequest::new(Arc::clone(&stop));
    (request.limits.depth, request.limits.nodes, request.search_moves) = (limits.depth, limits.nodes, moves);
    let summary = match limits.time {
        None => game.search_now(table, request),
        Some(time) => stop.abandon_after(time, || game.search_now(table, request)),
    };
    summary.lines.into_iter().next().context("the search found no line")
}

/// Checks that the limits end a search.
///
/// # Errors
/// If there is none.
pub fn check_limits(limits: &SearchLimits) -> Result<()> {
    let is_limited = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
    ensure!(is_limited, "wanted at least one of --depth, --nodes and --movetime");
    Ok(())
}
