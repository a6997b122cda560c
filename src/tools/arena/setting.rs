//! What all games of a match have in common.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::spec::{number, pairs};
use crate::engine::game::{self, Game};
use crate::engine::options::Options;
use crate::units::{OptionValues, Variant};

/// The game that is played and its house rules.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The game.
    pub variant: Variant,
    /// Its rule options.
    pub rules: OptionValues,
    /// The ruleset word.
    pub ruleset: String,
    /// The most seeds that an arrangement may put in one pit (O3).
    pub cap: u8,
    /// The most time of a move, if the way of playing has one (O19).
    pub move_time: Option<Duration>,
    /// What ends a game before the rules do.
    pub adjudication: Adjudication,
}

impl Setting {
    /// The setting of these options.
    pub fn new(options: &Options) -> Setting {
        let variant = options.variant();
        Setting {
            variant,
            rules: options.rules(variant).clone(),
            ruleset: options.ruleset(),
            cap: options.arrangement_cap(),
            move_time: options.move_time(),
            adjudication: Adjudication::default(),
        }
    }

    /// A game on the table: the referee.
    pub fn open(&self) -> Box<dyn Game> {
        let mut game = game::open(self.variant, &self.rules);
        game.limit_arrangements(self.cap);
        game
    }

    /// What engines are told of the setting: the game, and each rule option that is not at its default.
    pub fn announced(&self) -> Vec<(String, String)> {
        let mut options = vec![("UCI_Variant".to_owned(), self.variant.name().to_owned())];
        let unusual = self.rules.iter().filter(|(spec, value)| **value != spec.default_value());
        options.extend(unusual.map(|(spec, value)| (spec.name.to_owned(), spec.write(value))));
        if self.variant == Variant::Omweso {
            options.push(("Omweso_ArrangementCap".to_owned(), self.cap.to_string()));
        }
        options
    }
}

/// What ends a game before the rules do; nothing unless it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// When both engines hold it for drawn.
    pub draw: Option<Draw>,
    /// When an engine holds its own game for lost.
    pub resign: Option<Resign>,
}

/// A game is drawn when every score of so many moves of both sides in a row is near zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// Moves of each side.
    pub moves: u32,
    /// Hundredths of a seed that a score may differ from 0.
    pub score: i32,
    /// Plies that are played before.
    pub plies: u32,
}

/// A game is lost for the engine whose own scores were this low for so many of its moves in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resign {
    /// Moves of that side.
    pub moves: u32,
    /// Hundredths of a seed below 0.
    pub score: i32,
}

impl Draw {
    /// Reads `moves=N score=N plies=N`.
    ///
    /// # Errors
    /// Which word is wrong, or missing.
    pub fn read(text: &str) -> Result<Draw> {
        let [moves, score, plies] = values("--draw", text, ["moves", "score", "plies"], [None, None, Some(0)])?;
        Ok(Draw { moves: moves.max(1), score: i32::try_from(score)?, plies })
    }
}

impl Resign {
    /// Reads `score=N moves=N`.
    ///
    /// # Errors
    /// Which word is wrong, or missing.
    pub fn read(text: &str) -> Result<Resign> {
        let [moves, score] = values("--resign", text, ["moves", "score"], [None, None])?;
        Ok(Resign { moves: moves.max(1), score: i32::try_from(score)? })
    }
}

fn values<const N: usize>(flag: &str, text: &str, keys: [&str; N], mut values: [Option<u32>; N]) -> Result<[u32; N]> {
    for (key, value) in pairs(text).with_context(|| flag.to_owned())? {
        match keys.iter().position(|known| *known == key) {
            Some(index) => values[index] = Some(number(&key, &value).with_context(|| flag.to_owned())?),
            None => bail!("{flag}: `{key}` is no key: wanted {}", keys.join(", ")),
        }
    }
    let mut found = [0; N];
    for ((found, value), key) in found.iter_mut().zip(values).zip(keys) {
        *found = value.with_context(|| format!("{flag}: wanted {key}=N"))?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjudication_is_read_or_its_mistake_named() {
        assert_eq!(Draw::read("moves=8 score=10 plies=40").unwrap(), Draw { moves: 8, score: 10, plies: 40 });
        assert_eq!(Resign::read("score=900 moves=3").unwrap(), Resign { moves: 3, score: 900 });
        assert_eq!(Resign::read("score=900").unwrap_err().to_string(), "--resign: wanted moves=N");
        assert!(Draw::read("moves=8 score=10 ply=40").unwrap_err().to_string().contains("`ply` is no key"));
    }

    #[test]
    fn engines_are_told_the_game_and_its_unusual_rules() {
        let mut options = Options::default();
        options.play(Variant::Omweso);
        options.set("Omweso_Reverse", Some("false")).unwrap();
        let announced: Vec<String> =
            Setting::new(&options).announced().iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(announced, ["UCI_Variant=omweso", "Omweso_Reverse=false", "Omweso_ArrangementCap=10"]);
    }
}
