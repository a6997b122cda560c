//! What several tests share: the data files, written moves, and games opened by variant name.

#![allow(dead_code, reason = "each test takes what it needs")]

pub mod dialogue;
pub mod transcript;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use empiki::engine::game::{self, Game};
use empiki::engine::line_reader::LineReader;
use empiki::engine::options::Options;
use empiki::engine::session::Session;
use empiki::protocol::legal_list;
use empiki::search::stop::StopSignals;
use empiki::units::{Direction, MoveText, OptionValues, Variant};

/// The text of a file in `tests/data`.
pub fn data(name: &str) -> String {
    let path = data_dir().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names in `tests/data` that start with `prefix`, sorted.
pub fn data_files(prefix: &str) -> Vec<String> {
    let entries = fs::read_dir(data_dir()).expect("tests/data is there");
    let names = entries.map(|entry| entry.expect("a readable entry").file_name().into_string().expect("an ASCII name"));
    let mut names: Vec<String> = names.filter(|name| name.starts_with(prefix)).collect();
    names.sort();
    names
}

fn data_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The variant called `name`.
pub fn variant(name: &str) -> Variant {
    *Variant::ALL.iter().find(|variant| variant.name() == name).unwrap_or_else(|| panic!("a variant, not {name}"))
}

/// A game with options written as `NAME=VALUE`, separated by blanks.
pub fn open(variant: Variant, options: &str) -> Box<dyn Game> {
    game::open(variant, &option_values(variant, options))
}

/// Rule options written as `NAME=VALUE`, separated by blanks.
pub fn option_values(variant: Variant, options: &str) -> OptionValues {
    let mut values = OptionValues::new(game::rule_options(variant));
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("NAME=VALUE");
        values.set(name, value).expect("a rule option").expect("one of its values");
    }
    values
}

/// The legal moves of a game as the protocol lists them.
pub fn legal_words(game: &dyn Game) -> Vec<String> {
    legal_list(game.phase(), &game.legal_moves()).split_whitespace().map(str::to_owned).collect()
}

/// A written move: a letter, perhaps `*`, perhaps signs. Read apart from the protocol's own parser.
pub fn written(text: &str) -> MoveText {
    let mut rest = text.chars();
    let letter = rest.next().expect("a letter");
    let rest = rest.as_str();
    let signs = rest.trim_start_matches('*').chars().map(|sign| match sign {
        '<' => Direction::Clockwise,
        '>' => Direction::CounterClockwise,
        other => panic!("a sign, not {other}"),
    });
    MoveText::Sow { letter, split: rest.starts_with('*'), signs: signs.collect() }
}

/// A small generator of random numbers, the same on every run.
pub struct Rng(u64);

impl Rng {
    /// Dice that begin anywhere but always fall the same way for the same seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `sides`.
    pub fn below(&mut self, sides: usize) -> usize {
        // Marsaglia's xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }
}

/// What a session of its own answers to these bytes, to the end of the input. Plays in this process.
pub fn converse(input: &[u8]) -> String {
    let board = Arc::new(StopSignals::new());
    let (line_reader, inbound) = LineReader::new(Arc::clone(&board));
    let out = Shared::default();
    let session = Session::new(out.clone(), Options::default(), board).expect("there is memory");
    let input = input.to_vec();
    let reader = std::thread::spawn(move || line_reader.read(&input[..]));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(session.serve(inbound));
    reader.join().expect("the reader does not panic");
    let bytes = out.0.lock().expect("nobody panicked").clone();
    String::from_utf8(bytes).expect("every line is UTF-8")
}

/// A place to write to that can be read later.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
