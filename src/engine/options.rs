//! Every option in one place: the engine's own and the rule options of each game, each declared in the layer it belongs to.

use std::path::Path;
use std::time::Duration;

use super::game::rule_options;
use super::strength::{STRONGEST, WEAKEST};
use crate::rules::arrangement::CAPS;
use crate::rules::ruleset;
use crate::search::score::Objective;
use crate::search::shared::MOST_THREADS;
use crate::tablebase::retrograde::MOST_SEEDS;
use crate::units::{Mebibytes, OptionKind, OptionSpec, OptionValues, Variant};

const VARIANT: &str = "UCI_Variant";
const HASH: &str = "Hash";
const THREADS: &str = "Threads";
const CLEAR_HASH: &str = "Clear Hash";
const MULTI_PV: &str = "MultiPV";
const PONDER: &str = "Ponder";
const MOVE_OVERHEAD: &str = "Move Overhead";
const JOINED_PV: &str = "JoinedPv";
const SHOW_WDL: &str = "UCI_ShowWDL";
const ABOUT: &str = "UCI_EngineAbout";
const MODE: &str = "Omweso_Mode";
const TABLEBASE_PATH: &str = "TablebasePath";
const PROBE_LIMIT: &str = "TablebaseProbeLimit";
const AIM: &str = "Aim";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const STRENGTH_SEED: &str = "Strength_Seed";
const ARRANGEMENT_CAP: &str = "Omweso_ArrangementCap";

/// The most memory that the table may be given, in mebibytes.
const MOST_HASH: i64 = 65_536;

const VARIANT_NAMES: [&str; Variant::ALL.len()] = {
    let mut names = [""; Variant::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Variant::ALL[index].name();
        index += 1;
    }
    names
};

/// The options that belong to no game.
const ENGINE: &[OptionSpec] = &[
    OptionSpec {
        name: HASH,
        kind: OptionKind::Spin { default: 16, min: 1, max: MOST_HASH },
        about: "memory of the transposition table in MiB",
    },
    OptionSpec {
        name: THREADS,
        kind: OptionKind::Spin { default: 1, min: 1, max: MOST_THREADS as i64 },
        about: "how many threads search",
    },
    OptionSpec {
        name: TABLEBASE_PATH,
        kind: OptionKind::Text { default: "" },
        about: "a folder of endgame tables to add to the small ones that are built in",
    },
    OptionSpec {
        name: PROBE_LIMIT,
        kind: OptionKind::Spin { default: MOST_SEEDS as i64, min: 0, max: MOST_SEEDS as i64 },
        about: "the most seeds in the pits with which the search uses endgame tables, 0 for never",
    },
    OptionSpec { name: CLEAR_HASH, kind: OptionKind::Button, about: "clears the transposition table" },
    OptionSpec {
        name: MULTI_PV,
        kind: OptionKind::Spin { default: 1, min: 1, max: 64 },
        about: "how many best lines to report",
    },
    OptionSpec {
        name: PONDER,
        kind: OptionKind::Check { default: false },
        about: "adds the expected answer to `bestmove` in the UCI dialect",
    },
    OptionSpec {
        name: MOVE_OVERHEAD,
        kind: OptionKind::Spin { default: 10, min: 0, max: 5000 },
        about: "milliseconds of each move on a clock that are lost on the way to the client",
    },
    OptionSpec {
        name: JOINED_PV,
        kind: OptionKind::Check { default: false },
        about: "writes the moves of `pv` without spaces between them",
    },
    OptionSpec {
        name: AIM,
        kind: OptionKind::Combo { choices: &["points", "win"] },
        about: "what a won game is worth to the search: its match points, or the same for each win (U11, O16)",
    },
    OptionSpec {
        name: LIMIT_STRENGTH,
        kind: OptionKind::Check { default: false },
        about: "plays no better than `UCI_Elo` says",
    },
    OptionSpec {
        name: ELO,
        kind: OptionKind::Spin { default: STRONGEST, min: WEAKEST, max: STRONGEST },
        about: "the level of `UCI_LimitStrength`, on a scale of this engine alone",
    },
    OptionSpec {
        name: STRENGTH_SEED,
        kind: OptionKind::Spin { default: 0, min: 0, max: u32::MAX as i64 },
        about: "the same number repeats the random choices of a level; with 0 they differ at each start",
    },
    OptionSpec {
        name: VARIANT,
        kind: OptionKind::Combo { choices: &VARIANT_NAMES },
        about: "the game; setting it returns to its start position",
    },
    OptionSpec {
        name: SHOW_WDL,
        kind: OptionKind::Check { default: false },
        about: "adds the probabilities of win, draw and loss to `info` lines, in thousandths",
    },
    OptionSpec {
        name: ABOUT,
        kind: OptionKind::Text { default: "Empiki, an engine for traditional mancala games" },
        about: "who this is; setting it changes nothing",
    },
    // These two change no rule of the game, so they are no part of the ruleset (G7).
    OptionSpec {
        name: MODE,
        kind: OptionKind::Combo { choices: Mode::CHOICES },
        about: "the way of playing: untimed, without take-backs, or at three seconds a move (O19)",
    },
    OptionSpec {
        name: ARRANGEMENT_CAP,
        kind: OptionKind::Spin { default: 10, min: *CAPS.start() as i64, max: *CAPS.end() as i64 },
        about: "the most seeds that an arrangement may put in one pit (O3)",
    },
];

/// The time of a move in blitz (O19).
const BLITZ: Duration = Duration::from_secs(3);

/// The ways of playing Omweso (O19).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Untimed.
    Counting,
    /// Nothing is taken back.
    Binding,
    /// Three seconds a move.
    Blitz,
}

impl Mode {
    const ALL: [Mode; 3] = [Mode::Counting, Mode::Binding, Mode::Blitz];
    const CHOICES: &'static [&'static str] = &["counting", "binding", "blitz"];
}

/// What follows from setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing that needs doing.
    Nothing,
    /// The table is to be given this much memory.
    Resize(Mebibytes),
    /// The table is to be cleared.
    Clear,
    /// The endgame tables are in another folder.
    OpenTables,
    /// The game is to be opened anew (G7).
    Reopen,
    /// Arrangements have another limit.
    LimitArrangements,
}

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    engine: OptionValues,
    /// By variant, in the order of [`Variant::ALL`].
    rules: Vec<OptionValues>,
}

impl Default for Options {
    fn default() -> Options {
        let rules = Variant::ALL.iter().map(|&variant| OptionValues::new(rule_options(variant)));
        Options { engine: OptionValues::new(ENGINE), rules: rules.collect() }
    }
}

impl Options {
    /// Every option, in the order in which they are listed.
    pub fn specs() -> Vec<OptionSpec> {
        let mut specs = ENGINE.to_vec();
        for spec in Variant::ALL.iter().flat_map(|&variant| rule_options(variant)) {
            // Variants of one game share their options.
            if !specs.contains(spec) {
                specs.push(*spec);
            }
        }
        specs
    }

    /// Sets an option by its name, read without regard to case, and tells what follows from it.
    ///
    /// # Errors
    /// If there is no such option, or what was wanted instead of the value; nothing changes then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, String> {
        if let Some(changed) = self.engine.set(name, value.unwrap_or_default()) {
            return changed.map(|changed| self.engine_effect(name, changed));
        }
        let present = self.variant();
        let mut effect = None;
        for (variant, values) in Variant::ALL.into_iter().zip(&mut self.rules) {
            if let Some(changed) = values.set(name, value.unwrap_or_default()) {
                let reopens = changed? && variant == present;
                effect = if reopens { Some(Effect::Reopen) } else { effect.or(Some(Effect::Nothing)) };
            }
        }
        effect.ok_or_else(|| format!("no option is called `{name}`: `uci` lists them all"))
    }

    fn engine_effect(&self, name: &str, changed: bool) -> Effect {
        if name.eq_ignore_ascii_case(VARIANT) {
            Effect::Reopen
        } else if name.eq_ignore_ascii_case(ARRANGEMENT_CAP) {
            Effect::LimitArrangements
        } else if name.eq_ignore_ascii_case(TABLEBASE_PATH) {
            Effect::OpenTables
        } else if name.eq_ignore_ascii_case(CLEAR_HASH)
            || changed && [AIM, PROBE_LIMIT].iter().any(|other| name.eq_ignore_ascii_case(other))
        {
            Effect::Clear
        } else if name.eq_ignore_ascii_case(HASH) && changed {
            Effect::Resize(self.hash())
        } else {
            Effect::Nothing
        }
    }

    /// The game that is played.
    pub fn variant(&self) -> Variant {
        Variant::ALL[self.engine.choice(VARIANT)]
    }

    /// Sets the game that is played.
    pub fn play(&mut self, variant: Variant) {
        let set = self.engine.set(VARIANT, variant.name());
        debug_assert!(matches!(set, Some(Ok(_))), "every variant is a choice");
    }

    /// The rule options of a game.
    pub fn rules(&self, variant: Variant) -> &OptionValues {
        let index = Variant::ALL.iter().position(|&other| other == variant);
        &self.rules[index.expect("every variant is in the list of all")]
    }

    /// The ruleset word of the game that is played.
    pub fn ruleset(&self) -> String {
        ruleset(self.variant(), self.rules(self.variant()))
    }

    /// The memory of the table.
    pub fn hash(&self) -> Mebibytes {
        Mebibytes(self.small(HASH))
    }

    /// How many threads search.
    pub fn threads(&self) -> u32 {
        self.small(THREADS)
    }

    /// How many lines a search tells.
    pub fn multi_pv(&self) -> u32 {
        self.small(MULTI_PV)
    }

    /// Whether `bestmove` tells the expected answer.
    pub fn ponder(&self) -> bool {
        self.engine.check(PONDER)
    }

    /// The folder of endgame tables, if one is named.
    pub fn tablebase_path(&self) -> Option<&Path> {
        Some(self.engine.text(TABLEBASE_PATH)).filter(|path| !path.is_empty()).map(Path::new)
    }

    /// The most seeds with which endgame tables are asked.
    pub fn probe_limit(&self) -> u8 {
        u8::try_from(self.small(PROBE_LIMIT)).expect("a spin stays in its range")
    }

    /// What a won game is worth to the search.
    pub fn objective(&self) -> Objective {
        [Objective::Points, Objective::Win][self.engine.choice(AIM)]
    }

    /// The level that is not to be surpassed, if there is one.
    pub fn elo(&self) -> Option<i64> {
        self.engine.check(LIMIT_STRENGTH).then(|| self.engine.spin(ELO))
    }

    /// What the choices of a level follow from; `None` for other ones in each process.
    pub fn strength_seed(&self) -> Option<u32> {
        Some(self.small(STRENGTH_SEED)).filter(|&seed| seed > 0)
    }

    /// What each move on a clock loses on its way.
    pub fn move_overhead(&self) -> Duration {
        Duration::from_millis(self.small(MOVE_OVERHEAD).into())
    }

    /// Whether the moves of a line are written without blanks.
    pub fn joined_pv(&self) -> bool {
        self.engine.check(JOINED_PV)
    }

    /// Whether lines tell the chances.
    pub fn show_wdl(&self) -> bool {
        self.engine.check(SHOW_WDL)
    }

    /// The way of playing, which only Omweso knows.
    pub fn mode(&self) -> Option<Mode> {
        (self.variant() == Variant::Omweso).then(|| Mode::ALL[self.engine.choice(MODE)])
    }

    /// The most time of a move that the way of playing allows.
    pub fn move_time(&self) -> Option<Duration> {
        (self.mode() == Some(Mode::Blitz)).then_some(BLITZ)
    }

    /// The most seeds that an arrangement may put in one pit.
    pub fn arrangement_cap(&self) -> u8 {
        u8::try_from(self.small(ARRANGEMENT_CAP)).expect("a spin stays in its range")
    }

    fn small(&self, name: &str) -> u32 {
        u32::try_from(self.engine.spin(name)).expect("a spin stays in its range")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_without_regard_to_case_and_values_are_checked() {
        let mut options = Options::default();
        assert_eq!(options.set("hash", Some("64")), Ok(Effect::Resize(Mebibytes(64))));
        assert_eq!(options.set("HASH", Some("64")), Ok(Effect::Nothing));
        assert!(options.set("Hash", Some("64 MiB")).is_err());
        assert!(options.set("Hash", None).is_err());
        assert_eq!(options.hash(), Mebibytes(64));
        assert_eq!(options.set("clear hash", None), Ok(Effect::Clear));
        assert!(options.set("Mind Reading", Some("true")).unwrap_err().contains("Mind Reading"));
    }

    #[test]
    fn only_a_new_value_of_the_present_game_opens_it_anew() {
        let mut options = Options::default();
        assert_eq!(options.set("wuri_repetition", Some("2")), Ok(Effect::Nothing));
        assert_eq!(options.set("Wuri_Repetition", Some("3")), Ok(Effect::Reopen));
        assert_eq!(options.set("Omweso_Reverse", Some("false")), Ok(Effect::Nothing));
        assert_eq!(options.ruleset(), "wuri;Repetition=3");
        assert_eq!(options.set("UCI_Variant", Some("omweso")), Ok(Effect::Reopen));
        assert_eq!(options.ruleset(), "omweso;Reverse=false", "it was kept");
        assert_eq!(options.set("UCI_Variant", Some("omweso")), Ok(Effect::Reopen), "also when it is the same");
    }
}
