//! What a client may send: sense and nonsense, in any order.

use std::sync::OnceLock;

use empiki::engine::options::Options;
use empiki::protocol::{Command, parse};
use empiki::units::{OptionKind, Phase, Variant};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::known::LONG;
use super::world::World;
use crate::common::{self, Rng};

/// Lines that stand as they are.
const QUESTIONS: [&str; 14] = [
    "isready",
    "isready",
    "fen",
    "fen",
    "state",
    "legalmoves",
    "result",
    "d",
    "eval",
    "query p1turn",
    "query gameover",
    "query result",
    "help undo",
    "register me",
];
const ORDERS: [&str; 12] = [
    "uci",
    "ugi",
    "ucinewgame",
    "uginewgame",
    "debug on",
    "debug off",
    "undo",
    "undo 2",
    "undo 0",
    "undo 99",
    "moves",
    "position startpos",
];
const JOBS: [&str; 9] =
    ["perft 1", "perft 2", "perft 0", "go perft 2", "go perft 1 ponder", "endless", "endless A", "bench 1", "perft 3"];
/// Jobs that have to be stopped.
const LONG_JOBS: [&str; 6] = [
    "perft 60",
    "go perft 60",
    "bench 60",
    "go depth 190 nodes 9000000000",
    "go movetime 600000",
    "go nodes 99999999999",
];
const LIMITS: [&str; 22] = [
    "depth 1",
    "depth 2",
    "depth 3",
    "depth 0",
    "nodes 1",
    "nodes 40",
    "nodes 300",
    "nodes 0",
    "movetime 1",
    "movetime 3",
    "movetime 0",
    "mate 1",
    "mate 2",
    "mate 0",
    "infinite",
    "ponder",
    "wtime 1 btime 1",
    "p1time 4 p1inc 2",
    "movestogo 3",
    "depth 12x",
    "movetime -5",
    "hello",
];
const NONSENSE: [&str; 16] = [
    "",
    " \t",
    "hello",
    "go_on",
    "undo x",
    "position",
    "position fen",
    "position fen 1-2-S",
    "position startpos moves ?",
    "setoption",
    "setoption name Mind Reading value true",
    "query",
    "trace",
    "perft",
    "perft x",
    "debug maybe",
];

/// One thing to send, before it is known what is on the table.
#[derive(Clone, Debug)]
pub enum Say {
    /// A line as it is.
    Line(&'static str),
    /// A job that has to be stopped.
    Long(&'static str),
    /// Set an option: which, and which value.
    Option(u8, u8),
    /// Another game.
    Variant(u8),
    /// Set up a position, and some moves.
    Position(u8, Vec<u8>),
    /// Some moves.
    Moves(Vec<u8>),
    /// A question about a move.
    About(&'static str, u8),
    /// A search with limits, and the moves to look at.
    Go(Vec<&'static str>, Vec<u8>),
    /// Something with a byte too many in it.
    Marred(Box<Say>, u8, u8),
}

/// A line and whether all answers are waited for before the next one.
pub type Step = (Say, bool);

fn any_say() -> impl Strategy<Value = Say> {
    let plain = prop_oneof![
        5 => select(&QUESTIONS[..]).prop_map(Say::Line),
        3 => select(&ORDERS[..]).prop_map(Say::Line),
        2 => select(&JOBS[..]).prop_map(Say::Line),
        1 => select(&LONG_JOBS[..]).prop_map(Say::Long),
        3 => Just(Say::Line("stop")),
        2 => Just(Say::Line("ponderhit")),
        1 => select(&NONSENSE[..]).prop_map(Say::Line),
        3 => any::<(u8, u8)>().prop_map(|(which, value)| Say::Option(which, value)),
        2 => any::<u8>().prop_map(Say::Variant),
        2 => (any::<u8>(), vec(any::<u8>(), 0..4)).prop_map(|(token, moves)| Say::Position(token, moves)),
        2 => vec(any::<u8>(), 0..4).prop_map(Say::Moves),
        1 => (select(&["trace", "query islegal", "endless"][..]), any::<u8>()).prop_map(|(word, at)| Say::About(word, at)),
        6 => (vec(select(&LIMITS[..]), 0..3), vec(any::<u8>(), 0..3)).prop_map(|(limits, moves)| Say::Go(limits, moves)),
    ];
    let marred = |(say, at, byte)| Say::Marred(Box::new(say), at, byte);
    prop_oneof![
        19 => plain.clone(),
        1 => (plain, any::<u8>(), select(&[b'x', b' ', b'\t', 0, 0xFF, b'?'][..])).prop_map(marred),
    ]
}

/// A dialogue whose steps are waited for with this chance; perhaps it ends in `quit`.
pub fn any_dialogue(waits: f64) -> impl Strategy<Value = (Vec<Step>, bool)> {
    (vec((any_say(), prop::bool::weighted(waits)), 1..16), any::<bool>())
}

/// What is sent at once.
pub type Burst = Vec<Vec<u8>>;

/// The bytes of a dialogue, with moves that are legal where they are meant to be. What runs too long is stopped before it is
/// waited for.
pub fn written(settings: &[(&str, &str)], steps: &[Step]) -> Vec<Burst> {
    let mut world = World::new(settings);
    let mut bursts = vec![Burst::new()];
    let mut runs_long = false;
    for (say, waits) in steps {
        let line = write(&world, say);
        if let Ok(Some(command)) = parse(&line) {
            runs_long |= runs_on(say) || is_long(&command);
            if is_change(&command) {
                world = world.carry_out(&command).0.unwrap_or(world);
            }
        }
        let burst = bursts.last_mut().expect("there is one");
        burst.push(line);
        if *waits {
            if std::mem::take(&mut runs_long) {
                burst.push(b"stop".to_vec());
            }
            bursts.push(Burst::new());
        }
    }
    if runs_long {
        bursts.last_mut().expect("there is one").push(b"stop".to_vec());
    }
    bursts
}

fn runs_on(say: &Say) -> bool {
    match say {
        Say::Long(_) => true,
        Say::Marred(say, ..) => runs_on(say),
        _ => false,
    }
}

/// A line that was marred may still be read as a long job.
fn is_long(command: &Command) -> bool {
    match command {
        Command::Perft(depth) => *depth >= LONG,
        Command::Bench(depth) => depth.is_none(),
        Command::Go(go) => go.perft.is_some_and(|depth| depth >= LONG),
        _ => false,
    }
}

fn is_change(command: &Command) -> bool {
    matches!(command, Command::SetOption { .. } | Command::Position { .. } | Command::Moves(_) | Command::Undo(_))
}

fn write(world: &World, say: &Say) -> Vec<u8> {
    let text = match say {
        Say::Line(line) | Say::Long(line) => (*line).to_owned(),
        Say::Option(which, value) => setting(*which, *value),
        Say::Variant(which) => {
            format!("setoption name UCI_Variant value {}", Variant::ALL[usize::from(*which) % Variant::ALL.len()])
        }
        Say::Position(which, moves) => set_up(world, *which, moves),
        Say::Moves(moves) => format!("moves {}", played(world, "", moves)),
        Say::About(word, at) => format!("{word} {}", pick(world, *at)),
        Say::Go(limits, moves) => {
            let moves: Vec<String> = moves.iter().map(|&at| pick(world, at)).collect();
            let list = if moves.is_empty() { String::new() } else { format!(" searchmoves {}", moves.join(" ")) };
            format!("go {}{list}", limits.join(" "))
        }
        Say::Marred(say, at, byte) => {
            let mut line = write(world, say);
            line.insert(usize::from(*at) % (line.len() + 1), *byte);
            return line;
        }
    };
    text.into_bytes()
}

/// A move: mostly a legal one.
fn pick(world: &World, at: u8) -> String {
    let legal = world.legal_moves();
    let index = usize::from(at);
    if at >= 240 || legal.is_empty() {
        return ["g", "Z", "0000", "K*", "A", "b<", "@1-2"][index % 7].to_owned();
    }
    if world.phase() == Phase::Arrange {
        let counts: Vec<String> =
            (0..16).map(|pit| if (pit + index).is_multiple_of(2) { "4" } else { "0" }.to_owned()).collect();
        return format!("@{}", counts.join("-"));
    }
    let chosen = legal[index % legal.len()].clone();
    if index.is_multiple_of(5) { chosen.to_lowercase() } else { chosen }
}

/// Some moves, one after the other, from the position that a line sets up.
fn played(world: &World, place: &str, moves: &[u8]) -> String {
    let go_on = |line: &str| match parse(line.as_bytes()) {
        Ok(Some(command)) => world.carry_out(&command).0,
        _ => None,
    };
    let mut list = String::new();
    for &at in moves {
        let line = if place.is_empty() { format!("moves {list}") } else { format!("{place} moves {list}") };
        let next = match go_on(&line) {
            Some(there) => pick(&there, at),
            None => pick(world, at),
        };
        list += &next;
        list += if at % 4 == 3 && !next.starts_with('@') { "" } else { " " };
    }
    list
}

fn set_up(world: &World, which: u8, moves: &[u8]) -> String {
    let variant = if which >= 250 { Variant::Wuri } else { world.variant() };
    let tokens = tokens(variant);
    let place = match usize::from(which) % 8 {
        0 | 1 => "position startpos".to_owned(),
        _ => format!("position fen {}", tokens[usize::from(which) / 8 % tokens.len()]),
    };
    format!("{place} moves {}", played(world, &place, moves))
}

/// Positions of a game: from its middle, and from the ends of games that were played at random.
fn tokens(variant: Variant) -> &'static [String] {
    static TOKENS: [OnceLock<Vec<String>>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];
    let index = Variant::ALL.iter().position(|&other| other == variant).expect("every variant is there");
    TOKENS[index].get_or_init(|| {
        let mut tokens = Vec::new();
        for seed in 1..=7 {
            let mut rng = Rng::new(seed);
            let mut game = common::open(variant, "");
            let mut course = Vec::new();
            while game.outcome().is_none() && course.len() < 200 {
                course.push(game.token());
                let legal = common::legal_words(&*game);
                game.play(&[common::written(&legal[rng.below(legal.len())])]).expect("a legal move");
            }
            course.push(game.token());
            tokens.push(course[course.len() / 2].clone());
            tokens.extend(course.iter().rev().take(3).cloned());
        }
        tokens
    })
}

/// An option and a value that is quick to set; sometimes one that it cannot have.
fn setting(which: u8, value: u8) -> String {
    let specs = Options::specs();
    let spec = specs[usize::from(which) % specs.len()];
    let number = i64::from(value % 4);
    let value = match spec.kind {
        _ if value >= 245 => "7 of nine".to_owned(),
        OptionKind::Check { .. } => value.is_multiple_of(2).to_string(),
        // So much is lost on the way that no clock leaves more than a moment.
        OptionKind::Spin { max, .. } if spec.name == "Move Overhead" => (max - number).to_string(),
        OptionKind::Spin { min, .. } if value % 4 == 3 => (min - 1).to_string(),
        OptionKind::Spin { min, .. } => (min + number).to_string(),
        OptionKind::Combo { choices } => choices[usize::from(value) % choices.len()].to_owned(),
        OptionKind::Button => return format!("setoption name {}", spec.name),
        OptionKind::Text { .. } => "a text".to_owned(),
    };
    let name = if which.is_multiple_of(3) { spec.name.to_uppercase() } else { spec.name.to_owned() };
    format!("setoption name {name} value {value}")
}
