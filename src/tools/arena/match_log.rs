//! The record of a match on disk: written a game at a time, and read again when the match goes on.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail, ensure};

use super::fault::Fault;
use super::game::{Ending, Made, Played};
use super::openings::Opening;
use super::schedule::ScheduledGame;
use super::setting::Setting;
use super::spec::EngineSpec;
use super::standings;
use crate::engine::game::Game;
use crate::engine::replay::replay;
use crate::record::{GameRecord, GameResult, MoveComment, MoveRecord, read_records, written_by};
use crate::rules::outcome::Reason;
use crate::units::{Depth, Nodes, PerPlayer, Player};

/// The file that games are added to.
pub struct MatchLog {
    file: File,
}

impl MatchLog {
    /// Opens a new record.
    ///
    /// # Errors
    /// If there is one by this name already: no game is ever overwritten.
    pub fn create(path: &Path) -> Result<MatchLog> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.with_context(|| format!("record {}", path.display()))?;
        Ok(MatchLog { file })
    }

    /// Opens the record of a match that is to go on, or a new one if there is none. A last game that was cut short in the middle
    /// of its writing is taken off. Returns the games that are there, each held against the rules.
    ///
    /// # Errors
    /// If it cannot be read, or which line is no right record.
    pub fn resume(path: &Path) -> Result<(MatchLog, Vec<GameRecord>)> {
        let fault = || format!("record {}", path.display());
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).with_context(fault)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(fault)?;
        let whole = whole_games(&bytes);
        if whole < bytes.len() {
            file.set_len(u64::try_from(whole)?).with_context(fault)?;
            file.seek(SeekFrom::End(0)).with_context(fault)?;
        }
        let text = std::str::from_utf8(&bytes[..whole]).with_context(fault)?;
        let records = read_records(text).with_context(fault)?;
        for record in &records {
            replay(record).with_context(fault)?;
        }
        Ok((MatchLog { file }, records))
    }

    /// Adds a game, in one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &GameRecord) -> Result<()> {
        self.file.write_all(record.to_string().as_bytes()).context("the record")
    }
}

/// How much of a record is whole games: each is two blocks, tags and moves, with an empty line after both.
fn whole_games(bytes: &[u8]) -> usize {
    let (mut whole, mut blocks, mut at) = (0, 0, 0);
    while let Some(length) = bytes[at..].windows(2).position(|pair| pair == b"\n\n") {
        at += length + 2;
        blocks += 1;
        if blocks % 2 == 0 {
            whole = at;
        }
    }
    whole
}

/// The record of a game that was played; `game` is in its last position.
pub fn record(
    setting: &Setting,
    engines: &PerPlayer<&EngineSpec>,
    scheduled: &ScheduledGame,
    opening: &Opening,
    played: &Played,
    game: &dyn Game,
) -> GameRecord {
    let names = PerPlayer { south: engines.south.name.clone(), north: engines.north.name.clone() };
    let mut record = GameRecord::new(setting.variant, &setting.ruleset, names);
    record.event = "empiki match".to_owned();
    record.date = today();
    record.round.clone_from(&scheduled.round);
    record.start.clone_from(&opening.token);
    let (south, north) = (engines.south.terms.to_string(), engines.north.terms.to_string());
    record.time_control = Some(if south == north { south } else { format!("{south}:{north}") });
    record.result = match (&played.ending, game.outcome()) {
        (Ending::Rules(_), Some(outcome)) => GameResult::by_rules(setting.variant, &outcome, game.mover()),
        // An engine may have said anything, and a tag is one line.
        (ending, _) => {
            let why = ending.to_string().replace(char::is_control, " ");
            GameResult::Judged { why, points: played.points }
        }
    };
    record.moves = played.moves.iter().map(move_record).collect();
    record
}

fn move_record(made: &Made) -> MoveRecord {
    let comment = match &made.answer {
        None => MoveComment { remark: "book".to_owned(), ..MoveComment::default() },
        Some(answer) => MoveComment {
            depth: answer.depth.map(Depth),
            score: answer.score,
            time: Some(answer.time),
            nodes: answer.nodes.map(Nodes),
            remark: String::new(),
        },
    };
    MoveRecord { comment: Some(comment), ..MoveRecord::new(made.text.clone(), u16::from(made.captured)) }
}

/// The games of a record by their names in the schedule.
pub struct Done {
    games: HashMap<String, GameRecord>,
}

impl Done {
    /// The games of a record.
    ///
    /// # Errors
    /// If two have the same name.
    pub fn new(records: Vec<GameRecord>) -> Result<Done> {
        let mut games = HashMap::new();
        for record in records {
            let (line, round) = (record.lines.first, record.round.clone());
            ensure!(games.insert(round.clone(), record).is_none(), "line {line}: round {round} is there twice");
        }
        Ok(Done { games })
    }

    /// Takes out what came of a game, if it is there and is the game of the schedule.
    ///
    /// # Errors
    /// If it is a game of another match.
    pub fn take(
        &mut self,
        setting: &Setting,
        scheduled: &ScheduledGame,
        opening: &Opening,
        names: (&str, &str),
    ) -> Result<Option<standings::Result>> {
        let Some(record) = self.games.remove(&scheduled.round) else { return Ok(None) };
        let line = record.lines.first;
        let first = match opening.starter {
            Player::South => (record.players.south.as_str(), record.players.north.as_str()),
            Player::North => (record.players.north.as_str(), record.players.south.as_str()),
        };
        let moves = record.moves.iter().map(|turn| written_by(&turn.text, Player::South));
        let opened = opening.moves.iter().map(|text| written_by(text, Player::South));
        let is_the_same = record.ruleset == setting.ruleset
            && first == names
            && record.start == opening.token
            && moves.take(opening.moves.len()).eq(opened);
        let round = &scheduled.round;
        ensure!(is_the_same, "line {line}: round {round} is of another match: engines, opening, seed or rules differ");
        let Some(points) = record.result.points() else { bail!("line {line}: round {round} was broken off") };
        let (reason, fault) = match &record.result {
            GameResult::Rules { reason, .. } => (*reason, None),
            GameResult::Judged { why, .. } => (None, Fault::word_in(why)),
            GameResult::Unfinished(_) => (None, None),
        };
        Ok(Some(standings::Result {
            points: standings::by_turn(points, opening.starter == Player::South),
            // The last turn did it, and turns alternate.
            voided_by: record.result.is_void().then(|| (record.moves.len() + 1) % 2),
            wins_match: reason.is_some_and(Reason::wins_match),
            fault,
        }))
    }

    /// Makes sure that every game of the record was taken.
    ///
    /// # Errors
    /// If one is none of the schedule.
    pub fn finish(&self) -> Result<()> {
        match self.games.values().min_by_key(|record| record.lines.first) {
            None => Ok(()),
            Some(record) => bail!("line {}: round {} is no game of this match", record.lines.first, record.round),
        }
    }
}

/// The day by universal time, as `2026.01.31`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    format!("{year}.{month:02}.{day:02}")
}

/// Year, month and day of a count of days since the beginning of 1970 in the Gregorian calendar.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_was_cut_short_is_no_whole_game() {
        let game = b"[Round \"1.1\"]\n\n1. A a\n2. B 25-20\n\n";
        let mut file = game.to_vec();
        for length in 0..game.len() {
            file.extend_from_slice(&game[..length]);
            assert_eq!(whole_games(&file), game.len(), "{length}");
            file.truncate(game.len());
        }
        file.extend_from_slice(game);
        assert_eq!(whole_games(&file), 2 * game.len());
        assert_eq!(whole_games(b""), 0);
    }

    #[test]
    fn days_are_counted_by_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(19_782), (2024, 2, 29));
        assert_eq!(date(20_818), (2026, 12, 31));
    }
}
