//! What questions are answered with. Nothing here changes anything.

use anyhow::{Result, bail};

use super::game::Game;
use super::options::Options;
use super::running::Terms;
use crate::protocol::{Command, Dialect, Query, Reply, Response, help};
use crate::rules::outcome::Outcome;
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
        Command::LegalMoves => Reply::LegalMoves(game.legal_moves()),
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

/// Why a search takes the time that it takes, for `debug on`.
pub fn describe_terms(terms: &Terms) -> String {
    let bound =
        |time: Option<std::time::Duration>| time.map_or("none".to_owned(), |time| format!("{} ms", time.as_millis()));
    let open = match (terms.infinite, terms.ponder) {
        (true, _) => "until stop",
        (_, true) => "until stop or ponderhit",
        _ => "by itself",
    };
    format!(
        "time: no new iteration after {}, answer after {}; ends {open}",
        bound(terms.time.soft),
        bound(terms.time.hard)
    )
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
        lines.push(format!("{mover} to move: {}", game.legal_moves().join(" ")));
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
