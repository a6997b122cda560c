//! Findings as text for people, as CSV and as JSON.

use std::fmt::Write as _;

use super::{Finding, Played, Task, score_word};
use crate::search::info::Report;
use crate::units::{MoveText, PerPlayer, Player, ScoreValue, join_moves};

/// How findings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A line for each position, a title and a summary for each record.
    Text,
    /// A line of values for each position below a line of names.
    Csv,
    /// A list with an object for each position.
    Json,
}

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        match name {
            "text" => Some(Format::Text),
            "csv" => Some(Format::Csv),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

/// Writes the findings of tasks, which come in their order.
#[derive(Clone, Debug)]
pub struct Writer {
    format: Format,
    /// The record that is being written, from 1.
    game: usize,
    written: usize,
    losses: PerPlayer<Losses>,
}

/// What a player gave away in a game.
#[derive(Clone, Copy, Debug, Default)]
struct Losses {
    moves: i32,
    mistakes: i32,
    blunders: i32,
    lost: i32,
}

impl Writer {
    /// A writer of this format.
    pub fn new(format: Format) -> Writer {
        Writer { format, game: 0, written: 0, losses: PerPlayer::default() }
    }

    /// The lines before the first finding.
    pub fn head(&self) -> Vec<String> {
        match self.format {
            Format::Text => Vec::new(),
            Format::Csv => {
                vec!["game,ply,line,side,token,played,played_score,best,score,depth,lost,mark,pv,result".to_owned()]
            }
            Format::Json => vec!["[".to_owned()],
        }
    }

    /// The lines of a finding.
    pub fn lines(&mut self, task: &Task, finding: &Finding) -> Vec<String> {
        self.written += 1;
        match self.format {
            Format::Text => self.text(task, finding),
            Format::Csv => vec![csv(task, finding)],
            // The comma stands before all but the first one, so that none has to know whether it is the last.
            Format::Json => {
                let comma = if self.written > 1 { "," } else { "" };
                vec![format!("{comma}{}", object(task, finding))]
            }
        }
    }

    /// The lines after the last finding.
    pub fn foot(&self) -> Vec<String> {
        if self.format == Format::Json { vec!["]".to_owned()] } else { Vec::new() }
    }

    fn text(&mut self, task: &Task, finding: &Finding) -> Vec<String> {
        let Some(title) = &task.title else {
            return vec![format!("{} {}", finding.token, in_words(finding))];
        };
        let mut lines = Vec::new();
        if self.game != task.game {
            self.game = task.game;
            self.losses = PerPlayer::default();
            lines.push(format!("game {} line {} {}: {title}", task.game, task.line, task.ruleset));
        }
        let number = task.turns / 2 + 1;
        let dots = if task.turns.is_multiple_of(2) { "." } else { "..." };
        match &finding.played {
            Some(played) => {
                self.count(finding.mover, played);
                let text = format!("{}{}", played.text, played.mark());
                lines.push(format!(
                    "{number:>4}{dots:<3} {text:<8} {:>7} {}",
                    score_word(played.score),
                    in_words(finding)
                ));
            }
            None => {
                lines.push(format!("     end {}", in_words(finding)));
                lines.extend(Player::BOTH.map(|player| self.losses[player].summary(player)));
            }
        }
        lines
    }

    fn count(&mut self, mover: Player, played: &Played) {
        let losses = &mut self.losses[mover];
        losses.moves += 1;
        losses.lost += played.lost;
        losses.mistakes += i32::from(played.mark() == "?");
        losses.blunders += i32::from(played.mark() == "??");
    }
}

impl Losses {
    fn summary(&self, player: Player) -> String {
        let Losses { moves, mistakes, blunders, lost } = self;
        let mean = lost / (*moves).max(1);
        format!(
            "{}: moves {moves} mistakes {mistakes} blunders {blunders} lost a move {}",
            side(player),
            score_word(ScoreValue::Centiseeds(mean)).trim_start_matches('+')
        )
    }
}

const fn side(player: Player) -> &'static str {
    match player {
        Player::South => "south",
        Player::North => "north",
    }
}

/// The best move, what it is worth and what was given away; or how the game ended.
fn in_words(finding: &Finding) -> String {
    let mut words = match (&finding.best, &finding.outcome) {
        (Some(best), _) => format!("best {}", view(best)),
        (None, Some(outcome)) => outcome.clone(),
        (None, None) => String::new(),
    };
    if let Some(Played { lost: lost @ 1.., .. }) = finding.played {
        let lost = score_word(ScoreValue::Centiseeds(lost));
        let _ = write!(words, " lost {}", lost.trim_start_matches('+'));
    }
    words
}

fn view(best: &Report) -> String {
    format!(
        "{} {}/{}",
        best.pv.first().map_or("-".to_owned(), MoveText::to_string),
        score_word(best.score),
        best.depth.0
    )
}

fn csv(task: &Task, finding: &Finding) -> String {
    let Finding { mover, token, best, played, outcome } = finding;
    let of_played = |value: fn(&Played) -> String| played.as_ref().map_or_else(String::new, value);
    let of_best = |value: fn(&Report) -> String| best.as_ref().map_or_else(String::new, value);
    // No value has a comma or a quotation mark in it.
    [
        task.game.to_string(),
        (task.turns + 1).to_string(),
        task.line.to_string(),
        side(*mover).to_owned(),
        token.clone(),
        of_played(|played| played.text.clone()),
        of_played(|played| score_word(played.score)),
        of_best(|best| best.pv.first().map_or_else(String::new, MoveText::to_string)),
        of_best(|best| score_word(best.score)),
        of_best(|best| best.depth.0.to_string()),
        of_played(|played| played.lost.to_string()),
        of_played(|played| played.mark().to_owned()),
        of_best(|best| join_moves(&best.pv, " ")),
        outcome.clone().unwrap_or_default(),
    ]
    .join(",")
}

/// An object of JSON. As in CSV, no value has a character that must be escaped: they are words of the protocol.
fn object(task: &Task, finding: &Finding) -> String {
    let Finding { mover, token, best, played, outcome } = finding;
    let (game, ply, line, side, ruleset) = (task.game, task.turns + 1, task.line, side(*mover), &task.ruleset);
    let mut fields = vec![format!(
        r#""game": {game}, "ply": {ply}, "line": {line}, "side": "{side}", "token": "{token}", "ruleset": "{ruleset}""#
    )];
    if let Some(played) = played {
        let (text, worth, lost, mark) = (&played.text, score(played.score), played.lost, played.mark());
        fields.push(format!(r#""played": {{"move": "{text}", "score": {worth}, "lost": {lost}, "mark": "{mark}"}}"#));
    }
    if let Some(best) = best {
        let moves: Vec<String> = best.pv.iter().map(|text| format!("\"{text}\"")).collect();
        let (worth, depth, nodes, moves) = (score(best.score), best.depth.0, best.nodes.0, moves.join(", "));
        fields.push(format!(r#""best": {{"score": {worth}, "depth": {depth}, "nodes": {nodes}, "pv": [{moves}]}}"#));
    }
    if let Some(outcome) = outcome {
        fields.push(format!(r#""result": "{outcome}""#));
    }
    format!("{{{}}}", fields.join(", "))
}

fn score(score: ScoreValue) -> String {
    match score {
        ScoreValue::Centiseeds(value) => format!(r#"{{"cp": {value}}}"#),
        ScoreValue::Mate(plies) => format!(r#"{{"mate": {plies}}}"#),
    }
}
