//! What questions are answered with. Nothing here changes anything.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::game::Game;
use super::options::Options;
use super::running::{Running, Terms, Time};
use crate::protocol::{Command, Dialect, Go, Query, Reply, Response, help, legal_list};
use crate::rules::outcome::Outcome;
use crate::search::info::End;
use crate::units::{Phase, Player};

/// Whether a command only asks.
pub fn is_question(command: &Command) -> bool {
    matches!(
        command,
        Command::IsReady
            | Command::Register
            | Command::Draw
            | Command::Fen
            | Command::State
            | Command::LegalMoves
            | Command::Result
            | Command::Query(_)
            | Command::Trace(_)
            | Command::Eval
            | Command::Help(_)
    )
}

/// The answer to a question.
///
/// # Errors
/// If it asks about a move that cannot be played.
pub fn answer(game: &dyn Game, question: &Command) -> Result<Vec<Reply>> {
    let reply = match question {
        Command::IsReady => Reply::ReadyOk,
        Command::Register => return Ok(Vec::new()),
        Command::Draw => Reply::Text(draw(game)),
        Command::Fen => Reply::Fen(game.token()),
        Command::State => state(game),
        Command::LegalMoves => Reply::LegalMoves(game.phase(), game.legal_moves()),
        Command::Result => Reply::Result(result(game)),
        Command::Query(Query::IsLegal(text)) => return Ok(is_legal(game, text)),
        Command::Query(Query::P1Turn) => Reply::Response((game.mover() == Player::South).into()),
        Command::Query(Query::GameOver) => Reply::Response(game.outcome().is_some().into()),
        Command::Query(Query::Result) => Reply::Response(winner(game)),
        Command::Trace(text) => {
            let trace = game.trace(text)?;
            let steps = trace.steps.into_iter().map(Reply::TraceStep);
            return Ok(steps.chain([Reply::TraceEnd { played: trace.played, token: trace.token }]).collect());
        }
        Command::Eval => Reply::Text(evaluation(game)),
        Command::Help(topic) => help(*topic),
        other => bail!("{other:?} is no question"),
    };
    Ok(vec![reply])
}

/// The answer to `uci` or `ugi`.
pub fn handshake(dialect: Dialect) -> Reply {
    Reply::Handshake {
        dialect,
        name: concat!("Empiki ", env!("CARGO_PKG_VERSION")).to_owned(),
        author: "the Empiki authors".to_owned(),
        options: Options::specs(),
    }
}

/// What the time of a search is worked out from.
pub struct Asked<'a> {
    /// The limits.
    pub go: &'a Go,
    /// The player to move.
    pub mover: Player,
    /// What each move on a clock loses on its way.
    pub overhead: Duration,
    /// The longest that any search but an infinite one may take.
    pub longest: Option<Duration>,
}

/// How much time a search has and where that comes from, for `debug on`.
pub fn describe_terms(terms: &Terms, asked: &Asked<'_>) -> String {
    let open = match (terms.infinite, terms.ponder) {
        (true, _) => "until stop",
        (_, true) => "until stop or ponderhit",
        _ => "by itself",
    };
    format!("time: {}{}; ends {open}", describe_sources(asked), describe_time(terms.time))
}

/// How much time a search has from its `ponderhit` on.
pub fn describe_hit(running: &Running) -> String {
    format!("time: ponderhit, from here on {}", describe_time(running.time))
}

/// What ended a search, `by` what if not by its worker alone, and when.
pub fn describe_end(running: &Running, by: Option<&str>, now: Instant) -> String {
    // A worker that was stopped does not know by whom.
    let why = match (running.why.filter(|&why| why != End::Stopped), by) {
        (Some(why), Some(by)) => format!("{}, then {by}", why.words()),
        (Some(why), None) => why.words().to_owned(),
        (None, by) => by.unwrap_or(End::Stopped.words()).to_owned(),
    };
    let time = now.saturating_duration_since(running.started);
    format!("time: ended after {} ms by {why}", time.as_millis())
}

fn describe_time(time: Time) -> String {
    let bound = |time: Option<Duration>| time.map_or("none".to_owned(), |time| format!("{} ms", time.as_millis()));
    format!("no new iteration after {}, answer after {}", bound(time.soft), bound(time.hard))
}

/// The clock and the limits that bound the time, each where it is there.
fn describe_sources(Asked { go, mover, overhead, longest }: &Asked<'_>) -> String {
    let mut text = String::new();
    let of = |owner: Player| if owner == *mover { "own clock" } else { "other clock, the own is not known," };
    if let Some((owner, clock)) = [*mover, !*mover].into_iter().find_map(|owner| Some((owner, go.clock[owner]?))) {
        let (clock, increment) = (clock.as_millis(), go.increment[*mover].as_millis());
        let stop = go.movestogo.map_or(String::new(), |moves| format!(" for {moves} moves"));
        let overhead = overhead.as_millis();
        text += &format!("{} {clock} + {increment} ms{stop}, overhead {overhead} ms: ", of(owner));
    }
    if let Some(time) = go.movetime {
        text += &format!("movetime {} ms: ", time.as_millis());
    }
    if let Some(time) = longest {
        text += &format!("three seconds a move less the overhead, {} ms: ", time.as_millis());
    }
    text
}

fn result(game: &dyn Game) -> String {
    game.outcome().map_or("none".to_owned(), |outcome| outcome.describe(game.mover()))
}

fn winner(game: &dyn Game) -> Response {
    match game.outcome().as_ref().map(Outcome::balance) {
        None => Response::None,
        Some(0) => Response::Draw,
        Some(balance) if (balance > 0) == (game.mover() == Player::South) => Response::P1Win,
        Some(_) => Response::P2Win,
    }
}

fn is_legal(game: &dyn Game, text: &crate::units::MoveText) -> Vec<Reply> {
    match game.check(text) {
        Ok(()) => vec![Reply::Response(Response::True)],
        Err(refusal) => {
            vec![Reply::InfoString(format!("move `{text}`: {refusal}")), Reply::Response(Response::False)]
        }
    }
}

fn state(game: &dyn Game) -> Reply {
    Reply::State {
        token: game.token(),
        ruleset: game.ruleset().to_owned(),
        phase: game.phase(),
        legal: game.legal_moves(),
    }
}

fn draw(game: &dyn Game) -> String {
    let mut lines = game.diagram();
    let mover = match game.mover() {
        Player::South => "South",
        Player::North => "North",
    };
    lines.push(format!("ruleset {}", game.ruleset()));
    lines.push(format!("fen {}", game.token()));
    lines.push(format!("result {}", result(game)));
    if game.outcome().is_none() {
        lines.push(format!("{mover} to move: {}", legal_list(game.phase(), &game.legal_moves())));
    }
    lines.join("\n")
}

fn evaluation(game: &dyn Game) -> String {
    match game.phase() {
        Phase::Over => format!("eval none: the game is over, result {}", result(game)),
        Phase::Arrange => "eval none: seeds are being arranged".to_owned(),
        Phase::Sow | Phase::Raid => format!("eval cp {}", game.evaluation()),
    }
}
