//! Records held against the rules.

use thiserror::Error;

use crate::engine::game::{Game, open_ruleset};
use crate::record::{GameRecord, GameResult, THIRD_VOID, written_by};
use crate::rules::outcome::{Outcome, Reason};
use crate::units::Player;

/// What a record cannot be by the rules, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct ReplayError {
    /// The line of the file, from 1; 0 for a record that was not read from one.
    pub line: usize,
    /// What was read, and what the rules say.
    pub what: String,
}

/// A game that was played over.
pub struct Replayed {
    /// The game in its last position.
    pub game: Box<dyn Game>,
    /// How it ended by the rules, if it did.
    pub outcome: Option<Outcome>,
    /// Who is to move in the last position.
    pub mover: Player,
}

/// Plays a game over by its own ruleset: every move, what it captured, the result, why the game ended and the points.
///
/// # Errors
/// The first thing that the rules do not know, with its line.
pub fn replay(record: &GameRecord) -> Result<Replayed, ReplayError> {
    let at = |line: usize| move |what: String| ReplayError { line, what };
    let lines = record.lines;
    let ruleset_line = if lines.ruleset > 0 { lines.ruleset } else { lines.first };
    let mut game = open_ruleset(&record.ruleset).map_err(|error| at(ruleset_line)(format!("{error:#}")))?;
    if game.variant() != record.variant {
        let what = format!("ruleset `{}`: the game is {}", record.ruleset, record.variant);
        return Err(at(ruleset_line)(what));
    }
    if let Some(token) = &record.start {
        game.set_up(Some(token), &[]).map_err(|error| at(lines.start)(format!("{error:#}")))?;
    }
    for (index, turn) in record.moves.iter().enumerate() {
        let number = index / 2 + 1;
        let text = written_by(&turn.text, game.mover());
        // Letters of the other side would be read as well, but a record that has them has lost or gained a turn.
        if text.to_string().chars().next() != turn.text.to_string().chars().next() {
            return Err(at(turn.line)(format!("move {number} `{}`: it is the other side's turn", turn.text)));
        }
        game.play(std::slice::from_ref(&turn.text)).map_err(|error| {
            let cause = error.root_cause();
            at(turn.line)(format!("move {number} `{}`: {cause}", turn.text))
        })?;
        let captured = u16::from(game.captured());
        let is_last = index + 1 == record.moves.len();
        if turn.captured != captured && !(is_last && is_with_award(game.as_ref(), turn.captured, captured)) {
            let what = format!("move {number} `{}+{}`: it captures {captured}", turn.text, turn.captured);
            return Err(at(turn.line)(what));
        }
    }
    let (outcome, mover) = (game.outcome(), game.mover());
    check_result(record, outcome.as_ref(), mover).map_err(at(lines.result))?;
    Ok(Replayed { game, outcome, mover })
}

/// Whether more seeds are told than were captured because the Oware programs add those that the end awards.
fn is_with_award(game: &dyn Game, told: u16, captured: u16) -> bool {
    let awards = |outcome: Outcome| matches!(outcome.reason, Reason::NoMove | Reason::Repetition);
    told > captured && game.outcome().is_some_and(awards)
}

/// Holds what a record says came of its game against what did.
fn check_result(record: &GameRecord, outcome: Option<&Outcome>, mover: Player) -> Result<(), String> {
    let told = &record.result;
    match (told, outcome) {
        (GameResult::Judged { why, .. }, None) if why == THIRD_VOID => {
            Err(format!("result `{told}` reason {THIRD_VOID}: by the rules the game is not void"))
        }
        (GameResult::Unfinished(_) | GameResult::Judged { .. }, None) => Ok(()),
        (GameResult::Rules { .. }, None) => {
            Err(format!("result `{told}`: by the rules the game is not over after its last move"))
        }
        (_, Some(outcome)) if agree(told, &GameResult::by_rules(record.variant, outcome, mover)) => Ok(()),
        (_, Some(outcome)) if outcome.is_void() && *told == GameResult::third_void(!mover) => Ok(()),
        (_, Some(outcome)) => {
            let points =
                told.points().map_or_else(String::new, |points| format!(" points {}-{}", points.south, points.north));
            let why = told.termination().map_or_else(String::new, |why| format!(" reason {why}"));
            Err(format!("result `{told}`{why}{points}: by the rules it is {}", outcome.describe(mover)))
        }
    }
}

/// Whether a result is the right one, but for a reason that is not told.
fn agree(told: &GameResult, right: &GameResult) -> bool {
    match told {
        GameResult::Rules { reason: None, seeds, points } => {
            matches!(right, GameResult::Rules { seeds: right_seeds, points: right_points, .. }
                if (seeds, points) == (right_seeds, right_points))
        }
        _ => told == right,
    }
}
