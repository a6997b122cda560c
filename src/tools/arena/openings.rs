//! Where games begin: the start, the lines of a file in an order by lot, or plies by lot.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use super::builtin;
use super::setting::Setting;
use super::spec::number;
use crate::engine::game::Game;
use crate::engine::replay::replay;
use crate::engine::rng::Rng;
use crate::protocol::parse_moves;
use crate::record::{is_records, read_records};
use crate::units::{MoveText, Player};

/// The most plies by lot.
const MOST_PLIES: u32 = 100;
/// How often plies by lot are tried that end the game or were there before.
const TRIES: usize = 200;

/// Where one game begins: a position, and moves from it that are played for both players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position that is set up, the start of the game without one.
    pub token: Option<String>,
    /// The moves that are played from it.
    pub moves: Vec<MoveText>,
    /// Who is to move in the position that is set up.
    pub starter: Player,
}

/// The openings of a match, by number.
pub struct Openings {
    openings: Vec<Opening>,
}

impl Openings {
    /// Reads how games begin: `startpos`, `random:PLIES` or the name of a file. At least `wanted` are made by lot.
    ///
    /// # Errors
    /// If there is no such file, or which line of it is no position of the game.
    pub fn read(text: &str, setting: &Setting, seed: u64, wanted: usize) -> Result<Openings> {
        let mut game = setting.open();
        let openings = match text.strip_prefix("random:") {
            _ if text == "startpos" => vec![Opening { token: None, moves: Vec::new(), starter: Player::South }],
            Some(plies) => {
                let plies = number("random", plies)?;
                ensure!(plies <= MOST_PLIES, "random is {plies}: wanted at most {MOST_PLIES} plies");
                by_lot(&mut *game, setting.cap, plies, seed, wanted)?
            }
            None => {
                let mut openings = from_file(&mut *game, Path::new(text))?;
                Rng::new(seed).shuffle(&mut openings);
                openings
            }
        };
        Ok(Openings { openings })
    }

    /// The opening of this number. After the last one they begin anew.
    pub fn get(&self, number: usize) -> &Opening {
        &self.openings[number % self.openings.len()]
    }
}

fn from_file(game: &mut dyn Game, path: &Path) -> Result<Vec<Opening>> {
    let text = fs::read_to_string(path).with_context(|| format!("openings {}", path.display()))?;
    if is_records(&text) {
        return from_records(game, &text).with_context(|| format!("openings {}", path.display()));
    }
    let mut openings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let opening = read(game, line).with_context(|| format!("openings {} line {number}", path.display()))?;
            openings.push(opening);
        }
    }
    ensure!(!openings.is_empty(), "openings {}: there are none", path.display());
    Ok(openings)
}

/// The games of a record, each to its last position; those that are over by the rules are left out.
fn from_records(game: &mut dyn Game, text: &str) -> Result<Vec<Opening>> {
    let mut openings = Vec::new();
    for (record, number) in read_records(text)?.into_iter().zip(1..) {
        let (read, wanted) = (&record.ruleset, game.ruleset());
        ensure!(read == wanted, "game {number}: ruleset `{read}`: wanted `{wanted}`");
        if replay(&record).with_context(|| format!("game {number}"))?.outcome.is_none() {
            let starter = record.starter();
            let moves = record.moves.into_iter().map(|turn| turn.text).collect();
            openings.push(Opening { token: record.start, moves, starter });
        }
    }
    ensure!(!openings.is_empty(), "every game is over by the rules");
    Ok(openings)
}

/// Reads `startpos|[fen] TOKEN [moves LIST]`, with any position text that the game knows for the token.
fn read(game: &mut dyn Game, line: &str) -> Result<Opening> {
    let line = line.strip_prefix("fen ").unwrap_or(line).trim_start();
    let (position, moves) = match line.split_once(" moves") {
        Some((position, moves)) => (position.trim_end(), parse_moves(moves.as_bytes())?),
        None => (line, Vec::new()),
    };
    let text = (position != "startpos").then_some(position);
    game.set_up(text, &[])?;
    let starter = game.mover();
    // The engines are told our token, whatever the file has.
    let token = text.map(|_| game.token());
    game.play(&moves)?;
    ensure!(game.outcome().is_none(), "the game is over there");
    Ok(Opening { token, moves, starter })
}

fn by_lot(game: &mut dyn Game, cap: u8, plies: u32, seed: u64, wanted: usize) -> Result<Vec<Opening>> {
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut rng = Rng::new(seed);
    while openings.len() < wanted.max(1) {
        match (0..TRIES).find_map(|_| line_by_lot(game, cap, plies, &mut rng).filter(|_| seen.insert(game.token()))) {
            Some(moves) => openings.push(Opening { token: None, moves, starter: Player::South }),
            // There are no more of this length.
            None if !openings.is_empty() => break,
            None => bail!("random:{plies}: every game is over before that"),
        }
    }
    Ok(openings)
}

/// So many plies from the start, if the game goes on after them.
fn line_by_lot(game: &mut dyn Game, cap: u8, plies: u32, rng: &mut Rng) -> Option<Vec<MoveText>> {
    game.set_up(None, &[]).ok()?;
    let mut moves = Vec::new();
    for _ in 0..plies {
        let text = builtin::random(game, cap, rng).ok()?;
        game.play(std::slice::from_ref(&text)).ok()?;
        moves.push(text);
    }
    game.outcome().is_none().then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::Options;
    use crate::units::Variant;

    fn setting(variant: Variant) -> Setting {
        let mut options = Options::default();
        options.play(variant);
        Setting::new(&options)
    }

    #[test]
    fn plies_by_lot_are_the_same_for_the_same_seed_and_all_different() {
        for variant in Variant::ALL {
            let setting = setting(variant);
            let some = |seed, wanted| Openings::read("random:6", &setting, seed, wanted).unwrap().openings;
            let openings = some(7, 40);
            assert_eq!(openings[..10], some(7, 10));
            assert_ne!(openings, some(8, 40));
            assert_eq!(openings.len(), 40);
        }
        // The start itself is the only opening without a ply.
        assert_eq!(Openings::read("random:0", &setting(Variant::Wuri), 1, 9).unwrap().openings.len(), 1);
    }

    #[test]
    fn openings_of_a_record_are_its_games_that_go_on() {
        let mut game = setting(Variant::Wuri).open();
        let tags = "[Variant \"Oware Abapa\"]\n[Result \"*\"]\n";
        let over = "[Variant \"Oware Abapa\"]\n[FEN \"2-1-0-3-0-1-1-5-0-0-0-2-12-21-N\"]\n[Result \"12-26\"]\n\n1. f+5 12-26\n";
        let text = format!("{tags}\n1. F f *\n{over}{tags}[FEN \"1EEEDD/DDDDD1 1 0 N\"]\n\n1. a *\n");
        assert!(is_records(&text));
        let openings = from_records(&mut *game, &text.replace("1EEEDD/DDDDD1 1 0", "DDEEEE/DDDDD1 0 0")).unwrap();
        assert_eq!(openings.len(), 2);
        assert_eq!((openings[0].token.as_deref(), openings[0].moves.len()), (None, 2));
        assert_eq!(openings[1].token.as_deref(), Some("4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"));
        assert_eq!(openings[1].starter, Player::North);
        assert!(from_records(&mut *game, over).is_err(), "every game is over");
        assert!(from_records(&mut *game, &text).is_err(), "the seeds do not add up");
        let other = text.replace("[Result", "[Ruleset \"wuri;Repetition=3\"]\n[Result");
        assert!(from_records(&mut *game, &other).is_err(), "another ruleset");
    }

    #[test]
    fn an_opening_is_a_position_with_moves_or_without() {
        let mut game = setting(Variant::Wuri).open();
        assert_eq!(read(&mut *game, "startpos moves Ff").unwrap().moves.len(), 2);
        let opening = read(&mut *game, "fen 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N").unwrap();
        assert_eq!((opening.starter, opening.moves.len()), (Player::North, 0));
        let foreign = read(&mut *game, "1,5s,5s,5s,5s,4s/4s,4s,4s,4s,4s,1 0 0 N 1 moves a");
        assert!(foreign.is_err(), "47 seeds");
        let foreign = read(&mut *game, "4s,4s,5s,5s,5s,5s/4s,4s,4s,4s,4s,1 0 0 N 1 moves a").unwrap();
        let token = foreign.token.as_deref();
        assert_eq!((token, foreign.starter), (Some("4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"), Player::North));
        assert!(read(&mut *game, "startpos moves G").is_err());
        assert!(read(&mut *game, "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S").is_err(), "it is over");
    }
}
