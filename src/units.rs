//! The words that every room shares: pits, players, counts, and the text forms that the protocol hands to the games.
//!
//! Nothing here knows a rule. A type stands where two numbers could be swapped; a plain number stays where it could not.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// One of the two players. South sits at the bottom of the drawn board (G1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The player at the bottom, with capital letters; player one for tournament managers.
    South,
    /// The player at the top, with small letters; player two.
    North,
}

impl Player {
    /// Both players, South first.
    pub const BOTH: [Player; 2] = [Player::South, Player::North];
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::South => Player::North,
            Player::North => Player::South,
        }
    }
}

/// A value for each player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PerPlayer<T> {
    /// South's.
    pub south: T,
    /// North's.
    pub north: T,
}

impl<T> Index<Player> for PerPlayer<T> {
    type Output = T;

    fn index(&self, player: Player) -> &T {
        match player {
            Player::South => &self.south,
            Player::North => &self.north,
        }
    }
}

impl<T> IndexMut<Player> for PerPlayer<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::South => &mut self.south,
            Player::North => &mut self.north,
        }
    }
}

/// A value for the player to move and for the other one: how a board is seen from inside, where South and North do not exist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PerSeat<T> {
    /// The player to move.
    pub mover: T,
    /// The player who is not to move.
    pub other: T,
}

impl<T> PerSeat<T> {
    /// The same values seen by the other player.
    #[must_use]
    pub fn swapped(self) -> PerSeat<T> {
        PerSeat { mover: self.other, other: self.mover }
    }

    /// The values by name, when `mover` is to move.
    pub fn by_player(self, mover: Player) -> PerPlayer<T> {
        match mover {
            Player::South => PerPlayer { south: self.mover, north: self.other },
            Player::North => PerPlayer { south: self.other, north: self.mover },
        }
    }
}

impl<T> PerPlayer<T> {
    /// The values by seat, when `mover` is to move.
    pub fn by_seat(self, mover: Player) -> PerSeat<T> {
        match mover {
            Player::South => PerSeat { mover: self.south, other: self.north },
            Player::North => PerSeat { mover: self.north, other: self.south },
        }
    }
}

/// A pit of one player by its letter: 0 is that player's first letter (G2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pit(pub u8);

impl Pit {
    /// The letter as `player` writes it: capital for South, small for North.
    pub fn letter(self, player: Player) -> char {
        let base = match player {
            Player::South => b'A',
            Player::North => b'a',
        };
        char::from(base + self.0)
    }

    /// The pit with this letter, in either case.
    pub fn from_letter(letter: char) -> Option<Pit> {
        let letter = letter.to_ascii_lowercase();
        // A checked conversion, so that no character beyond ASCII can alias a letter.
        let code = u8::try_from(letter).ok()?;
        code.is_ascii_lowercase().then(|| Pit(code - b'a'))
    }
}

/// Plies to look ahead, or looked ahead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Depth(pub u16);

/// Turns played since the set-up position, or from the root of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Ply(pub u32);

/// Made moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Nodes(pub u64);

/// Memory in units of 1,048,576 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mebibytes(pub u32);

/// A 64-bit hash of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key(pub u64);

/// What a search says a position is worth, seen by the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreValue {
    /// Hundredths of a seed; 0 also for a proved draw.
    Centiseeds(i32),
    /// A win, or where negative a loss, that ends the game within so many plies; both are proved. 0 where it is over and lost.
    Mate(i32),
}

impl ScoreValue {
    /// The score as one number: hundredths of a seed, and a mate beyond all of them, the sooner the further.
    pub fn number(self) -> i32 {
        const MATE: i32 = 1 << 24;
        match self {
            ScoreValue::Centiseeds(value) => value.clamp(-MATE / 2, MATE / 2),
            // What other engines write may be any number.
            ScoreValue::Mate(plies) if plies > 0 => MATE - plies.min(MATE / 4),
            ScoreValue::Mate(plies) => -MATE - plies.max(-MATE / 4),
        }
    }
}

impl Ord for ScoreValue {
    fn cmp(&self, other: &ScoreValue) -> Ordering {
        self.number().cmp(&other.number())
    }
}

impl PartialOrd for ScoreValue {
    fn partial_cmp(&self, other: &ScoreValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for ScoreValue {
    fn default() -> ScoreValue {
        ScoreValue::Centiseeds(0)
    }
}

/// On which side of a score that was found the true one lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// It is the score itself.
    #[default]
    Exact,
    /// It is the score or more.
    Lower,
    /// It is the score or less.
    Upper,
}

/// What kind of turn a position calls for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The mover is to lay out his seeds.
    Arrange,
    /// An ordinary turn; in Kimasai one of phase one.
    Sow,
    /// A turn of Kimasai's phase two.
    Raid,
    /// The game is over.
    Over,
}

/// A game that the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Oware in the Abapa form.
    Wuri,
    /// Urim on two rows of six pits.
    Urim,
    /// Urim on two rows of seven pits.
    Urim7,
    /// Ugandan four-row mancala.
    Omweso,
    /// Bao la Kimasai, four-row mancala of the Maasai in two phases.
    Kimasai,
}

impl Variant {
    /// Every game, in the order of the rule books.
    pub const ALL: [Variant; 5] = [Variant::Wuri, Variant::Urim, Variant::Urim7, Variant::Omweso, Variant::Kimasai];

    /// The name in `UCI_Variant`, in records and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Wuri => "wuri",
            Variant::Urim => "urim",
            Variant::Urim7 => "urim7",
            Variant::Omweso => "omweso",
            Variant::Kimasai => "kimasai",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The way round that a lap is sown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Counter-clockwise seen from above; `>` at a choice of Omweso.
    CounterClockwise,
    /// Clockwise seen from above; `<` at a choice of Omweso.
    Clockwise,
}

impl Direction {
    /// The sign that a move carries for this direction.
    pub const fn sign(self) -> char {
        match self {
            Direction::CounterClockwise => '>',
            Direction::Clockwise => '<',
        }
    }
}

/// A move as it was written, before any game has looked at it.
///
/// Whether the pit exists, holds seeds or has a choice of directions is for the rules to say.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MoveText {
    /// `0000`, no move.
    Null,
    /// A pit, with what follows its letter.
    Sow {
        /// The ASCII letter as it was read, in either case.
        letter: char,
        /// `*` was there: okwesera (O14).
        split: bool,
        /// One direction for each choice (O10), as far as they were written.
        signs: Vec<Direction>,
    },
    /// `@` and sixteen counts in letter order (O3).
    Arrange([u8; 16]),
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveText::Null => f.write_str("0000"),
            MoveText::Sow { letter, split, signs } => {
                write!(f, "{letter}{}", if *split { "*" } else { "" })?;
                signs.iter().try_for_each(|direction| write!(f, "{}", direction.sign()))
            }
            MoveText::Arrange(pits) => {
                let counts: Vec<String> = pits.iter().map(u8::to_string).collect();
                write!(f, "@{}", counts.join("-"))
            }
        }
    }
}

/// Compares with a move as it is written.
impl<T: AsRef<str>> PartialEq<T> for MoveText {
    fn eq(&self, written: &T) -> bool {
        let text = self.to_string();
        text == written.as_ref()
    }
}

/// Moves as they are written, with something between them.
pub fn join_moves(moves: &[MoveText], between: &str) -> String {
    moves.iter().map(MoveText::to_string).collect::<Vec<_>>().join(between)
}

/// One option of the protocol, declared once in the layer that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The name as it is listed; read without regard to case.
    pub name: &'static str,
    /// What it may be set to, and what it is at the start.
    pub kind: OptionKind,
    /// One line for people, without a full stop.
    pub about: &'static str,
}

/// The kinds of option that UCI knows, with their defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number in a range, both ends included.
    Spin {
        /// The value at the start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of some words; the first is the default.
    Combo {
        /// The words, default first.
        choices: &'static [&'static str],
    },
    /// Something to do, without a value.
    Button,
    /// Free text.
    Text {
        /// The value at the start.
        default: &'static str,
    },
}

/// What an option is set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// Of a check.
    Check(bool),
    /// Of a spin.
    Spin(i64),
    /// Of a combo: the index among its choices.
    Choice(usize),
    /// Of a button, which holds nothing.
    Pressed,
    /// Of free text.
    Text(String),
}

impl OptionSpec {
    /// The value at the start.
    pub fn default_value(&self) -> OptionValue {
        match self.kind {
            OptionKind::Check { default } => OptionValue::Check(default),
            OptionKind::Spin { default, .. } => OptionValue::Spin(default),
            OptionKind::Combo { .. } => OptionValue::Choice(0),
            OptionKind::Button => OptionValue::Pressed,
            OptionKind::Text { default } => OptionValue::Text(default.to_owned()),
        }
    }

    /// Reads a value as `setoption` gives it.
    ///
    /// # Errors
    /// What was wanted instead, when `text` is no value of this option.
    pub fn read(&self, text: &str) -> Result<OptionValue, String> {
        let wanted = |what: String| format!("option {} is `{text}`: wanted {what}", self.name);
        match self.kind {
            OptionKind::Check { .. } => match text {
                "true" => Ok(OptionValue::Check(true)),
                "false" => Ok(OptionValue::Check(false)),
                _ => Err(wanted("true or false".to_owned())),
            },
            OptionKind::Spin { min, max, .. } => text
                .parse()
                .ok()
                .filter(|value| (min..=max).contains(value))
                .map(OptionValue::Spin)
                .ok_or_else(|| wanted(format!("a whole number from {min} to {max}"))),
            OptionKind::Combo { choices } => choices
                .iter()
                .position(|choice| choice.eq_ignore_ascii_case(text))
                .map(OptionValue::Choice)
                .ok_or_else(|| wanted(format!("one of {}", choices.join(", ")))),
            OptionKind::Button => Ok(OptionValue::Pressed),
            OptionKind::Text { .. } => Ok(OptionValue::Text(text.to_owned())),
        }
    }

    /// A value of this option as `setoption` would give it.
    pub fn write(&self, value: &OptionValue) -> String {
        match (self.kind, value) {
            (OptionKind::Combo { choices }, OptionValue::Choice(index)) => choices[*index].to_owned(),
            (_, OptionValue::Check(value)) => value.to_string(),
            (_, OptionValue::Spin(value)) => value.to_string(),
            (_, OptionValue::Text(text)) => text.clone(),
            (_, OptionValue::Pressed | OptionValue::Choice(_)) => String::new(),
        }
    }
}

/// The values of a list of options, each at its default until it is set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionValues {
    specs: &'static [OptionSpec],
    values: Vec<OptionValue>,
}

impl OptionValues {
    /// Every option of `specs` at its default.
    pub fn new(specs: &'static [OptionSpec]) -> OptionValues {
        OptionValues { specs, values: specs.iter().map(OptionSpec::default_value).collect() }
    }

    /// The options with their values, in the order of their declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&'static OptionSpec, &OptionValue)> {
        self.specs.iter().zip(&self.values)
    }

    /// Sets the option called `name`, read without regard to case; tells whether its value is another one now, or `None` if
    /// there is no such option here.
    ///
    /// # Errors
    /// What was wanted instead of `text`; the old value stays.
    pub fn set(&mut self, name: &str, text: &str) -> Option<Result<bool, String>> {
        let index = self.specs.iter().position(|spec| spec.name.eq_ignore_ascii_case(name))?;
        Some(self.specs[index].read(text).map(|value| {
            let changed = self.values[index] != value;
            self.values[index] = value;
            changed
        }))
    }

    /// The value of the option called `name`.
    ///
    /// # Panics
    /// If there is no such option: names are written in the code that declares them.
    pub fn get(&self, name: &str) -> &OptionValue {
        let index = self.specs.iter().position(|spec| spec.name == name);
        &self.values[index.expect("an option is read where it is declared")]
    }

    /// The value of a check.
    ///
    /// # Panics
    /// If there is no check of this name.
    pub fn check(&self, name: &str) -> bool {
        match self.get(name) {
            OptionValue::Check(value) => *value,
            other => panic!("{name} is a check, not {other:?}"),
        }
    }

    /// The value of a spin.
    ///
    /// # Panics
    /// If there is no spin of this name.
    pub fn spin(&self, name: &str) -> i64 {
        match self.get(name) {
            OptionValue::Spin(value) => *value,
            other => panic!("{name} is a spin, not {other:?}"),
        }
    }

    /// The index of a combo's choice.
    ///
    /// # Panics
    /// If there is no combo of this name.
    pub fn choice(&self, name: &str) -> usize {
        match self.get(name) {
            OptionValue::Choice(index) => *index,
            other => panic!("{name} is a combo, not {other:?}"),
        }
    }

    /// The value of a free text.
    ///
    /// # Panics
    /// If there is no text of this name.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            OptionValue::Text(text) => text,
            other => panic!("{name} is a text, not {other:?}"),
        }
    }
}
