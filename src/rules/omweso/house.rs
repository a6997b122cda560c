//! The house rules of Omweso.

use crate::units::{OptionKind, OptionSpec, OptionValues};

/// The rule options, in the order of the rule book.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Omweso_Start",
        kind: OptionKind::Combo { choices: Start::CHOICES },
        about: "the row in which the seeds of both sides lie at the start (O2)",
    },
    OptionSpec {
        name: "Omweso_Arrangement",
        kind: OptionKind::Combo { choices: Arrangement::CHOICES },
        about: "the first position, or each player lays out his seeds (O3)",
    },
    OptionSpec {
        name: "Omweso_ReverseResow",
        kind: OptionKind::Combo { choices: ReverseResow::CHOICES },
        about: "when captured seeds may be sown clockwise (O11)",
    },
    OptionSpec {
        name: "Omweso_Reverse",
        kind: OptionKind::Check { default: true },
        about: "clockwise captures from the four leftmost pits (O10, O12)",
    },
    OptionSpec {
        name: "Omweso_Okwesera",
        kind: OptionKind::Check { default: true },
        about: "a pit of 3 may be played as 2 and 1 before the first capture (O14)",
    },
    OptionSpec {
        name: "Omweso_LapLimit",
        kind: OptionKind::Spin { default: 4096, min: 1, max: 1_000_000 },
        about: "laps after which a turn is never-ending (O15)",
    },
    OptionSpec {
        name: "Omweso_Endless",
        kind: OptionKind::Combo { choices: EndlessTurn::CHOICES },
        about: "what becomes of a turn that never ends (O15a)",
    },
    OptionSpec {
        name: "Omweso_Akakyala",
        kind: OptionKind::Check { default: false },
        about: "a second capturing turn before the opponent's first wins 2 points (O16)",
    },
    OptionSpec {
        name: "Omweso_Okutema",
        kind: OptionKind::Check { default: true },
        about: "captures at both ends, or of the whole front row, win 2 points (O16)",
    },
    OptionSpec {
        name: "Omweso_Akawumbi",
        kind: OptionKind::Combo { choices: Akawumbi::CHOICES },
        about: "which capture of the last seeds wins 12 points (O16)",
    },
    OptionSpec {
        name: "Omweso_QuietPlies",
        kind: OptionKind::Spin { default: 200, min: 0, max: 10_000 },
        about: "plies without a capture after which the game is drawn, 0 for never (O17)",
    },
];

/// Those that say how the game begins, and nothing of its turns.
pub(super) const OPENING_OPTIONS: &[&str] = &["Omweso_Start", "Omweso_Arrangement"];

/// The row in which the seeds lie at the start (O2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// The outer row of each side.
    Outer,
    /// The inner row.
    Inner,
}

impl Start {
    const ALL: [Start; 2] = [Start::Outer, Start::Inner];
    const CHOICES: &'static [&'static str] = &["outer", "inner"];
}

/// When captured seeds may be sown clockwise (O11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReverseResow {
    /// After a lap that was clockwise itself.
    AfterReverse,
    /// After any lap from one of the four leftmost pits.
    AnyLeft,
    /// Not at all.
    Never,
}

impl ReverseResow {
    const ALL: [ReverseResow; 3] = [ReverseResow::AfterReverse, ReverseResow::AnyLeft, ReverseResow::Never];
    const CHOICES: &'static [&'static str] = &["after-reverse", "any-left", "never"];
}

/// What makes an akawumbi of a turn that leaves the opponent without a seed (O16).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Akawumbi {
    /// Its last capture was in an end column.
    LastAtEnd,
    /// It captured at all.
    AnyZero,
}

impl Akawumbi {
    const ALL: [Akawumbi; 2] = [Akawumbi::LastAtEnd, Akawumbi::AnyZero];
    const CHOICES: &'static [&'static str] = &["last-at-end", "any-zero"];
}

/// What becomes of a turn that never ends, but in a player's own first turn, where it is not legal (O13a, O15a).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndlessTurn {
    /// It annuls the game.
    Annul,
    /// It may not be played.
    Illegal,
    /// Who plays it loses.
    Loses,
}

impl EndlessTurn {
    const ALL: [EndlessTurn; 3] = [EndlessTurn::Annul, EndlessTurn::Illegal, EndlessTurn::Loses];
    const CHOICES: &'static [&'static str] = &["annul", "illegal", "loses"];
}

/// Who lays out the seeds (O3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrangement {
    /// Nobody: the start is O2.
    Fixed,
    /// Each player, one after the other.
    Open,
}

impl Arrangement {
    const ALL: [Arrangement; 2] = [Arrangement::Fixed, Arrangement::Open];
    const CHOICES: &'static [&'static str] = &["fixed", "open"];
}

/// The house rules, but for those that only count plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct House {
    pub(super) start: Start,
    pub(super) arrangement: Arrangement,
    pub(super) reverse_resow: ReverseResow,
    pub(super) reverse: bool,
    pub(super) okwesera: bool,
    pub(super) lap_limit: u32,
    pub(super) endless: EndlessTurn,
    pub(super) akakyala: bool,
    pub(super) okutema: bool,
    pub(super) akawumbi: Akawumbi,
}

impl House {
    /// The default rules.
    pub(super) const STANDARD: House = House {
        start: Start::Outer,
        arrangement: Arrangement::Fixed,
        reverse_resow: ReverseResow::AfterReverse,
        reverse: true,
        okwesera: true,
        lap_limit: 4096,
        endless: EndlessTurn::Annul,
        akakyala: false,
        okutema: true,
        akawumbi: Akawumbi::LastAtEnd,
    };

    /// The rules under these values of [`OPTIONS`].
    pub(super) fn with_options(options: &OptionValues) -> House {
        House {
            start: Start::ALL[options.choice("Omweso_Start")],
            arrangement: Arrangement::ALL[options.choice("Omweso_Arrangement")],
            reverse_resow: ReverseResow::ALL[options.choice("Omweso_ReverseResow")],
            reverse: options.check("Omweso_Reverse"),
            okwesera: options.check("Omweso_Okwesera"),
            lap_limit: u32::try_from(options.spin("Omweso_LapLimit")).expect("a spin stays in its range"),
            endless: EndlessTurn::ALL[options.choice("Omweso_Endless")],
            akakyala: options.check("Omweso_Akakyala"),
            okutema: options.check("Omweso_Okutema"),
            akawumbi: Akawumbi::ALL[options.choice("Omweso_Akawumbi")],
        }
    }

    /// The rules as a number of 31 bits, for keys: no two sets of rules have the same.
    pub(super) const fn bits(self) -> u64 {
        self.reverse_resow as u64
            | (self.reverse as u64) << 2
            | (self.okwesera as u64) << 3
            | (self.akakyala as u64) << 4
            | (self.okutema as u64) << 5
            | (self.akawumbi as u64) << 6
            | (self.arrangement as u64) << 7
            | (self.lap_limit as u64) << 8
            | (self.endless as u64) << 28
            | (self.start as u64) << 30
    }
}
