//! Endgame tables built, checked and asked on the command line.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use std::{fmt, fs};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print;
use crate::engine::game;
use crate::engine::options::Options;
use crate::rules::Child;
use crate::rules::outcome::HalfSeeds;
use crate::rules::two_row::Board;
use crate::tablebase::Bounds;
use crate::tablebase::build::{self, Progress};
use crate::tablebase::file::{self, LayerFile};
use crate::tablebase::games::{self, MOST_REFINED, TableGame};
use crate::tablebase::layer::Layer;
use crate::tablebase::probe::Tables;
use crate::tablebase::refine::Effort;
use crate::tablebase::verify as check;
use crate::units::Variant;

const MEBIBYTE: u64 = 1 << 20;

/// Builds the tables of the chosen game and rules into files and tells how it goes on.
///
/// # Errors
/// If the game has no tables or none so large, the system says no, the folder holds tables of other rules, or nobody reads what
/// is printed.
pub fn build(options: &Options, seeds: u8, folder: &Path, threads: Option<usize>) -> Result<()> {
    let variant = options.variant();
    let game = games::open(variant, options.rules(variant));
    let game = game.with_context(|| format!("{}: only Wuri and Urim have tables", variant.name()))?;
    ensure!(build::is_possible(seeds), "--seeds {seeds}: tables go no further than 30");
    let threads = threads.unwrap_or_else(processors).max(1);
    let boards: u64 = (0..=seeds).map(|seeds| game.count(seeds)).sum();
    let (word, memory) = (game.ruleset(), build::memory(&*game, seeds) / MEBIBYTE);
    print(format_args!("build {word} seeds {seeds} boards {boards} memory {memory} MiB threads {threads}"))?;
    let started = Instant::now();
    let watcher = Watcher::new(&*game, seeds, boards);
    let built =
        build::into_files(&*game, seeds, Some(Effort::LONG), folder, threads, &|progress| watcher.see(progress));
    watcher.bar.finish_and_clear();
    built?;
    let time = started.elapsed();
    Ok(print(format_args!("build {word} layers {} time {} ms", u32::from(seeds) + 1, time.as_millis()))?)
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Tells how a build goes on: a bar on a terminal, and a line for each layer.
struct Watcher<'a> {
    game: &'a dyn TableGame,
    bar: ProgressBar,
}

/// The steps of a layer for each of its boards.
const STEPS: u64 = 3;

impl Watcher<'_> {
    fn new(game: &dyn TableGame, seeds: u8, boards: u64) -> Watcher<'_> {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(STEPS * boards), target);
        let style = ProgressStyle::with_template("{bar:30} {percent} of 100, {eta} left  {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(format!("0 of {seeds} seeds"));
        Watcher { game, bar }
    }

    fn see(&self, progress: Progress) {
        match progress {
            Progress::Steps(steps) => self.bar.inc(steps),
            Progress::Begun(seeds) => self.bar.set_message(format!("{seeds} seeds")),
            Progress::Damaged(seeds) => self.tell(&format!("layer {seeds} is damaged and built again")),
            Progress::Found(seeds) => {
                self.is_done(seeds);
                self.tell(&format!("layer {seeds} found"));
            }
            Progress::Built { seeds, times: (solved, stored), bytes } => {
                self.is_done(seeds);
                let boards = self.game.count(seeds);
                let pace = per_second(boards, solved);
                let (solved, stored) = (solved.as_millis(), stored.as_millis());
                let times = format!("solved {solved} ms stored {stored} ms bytes {bytes} boards per second {pace}");
                self.tell(&format!("layer {seeds} boards {boards} {times}"));
            }
        }
    }

    /// Not every layer takes all steps that it might.
    fn is_done(&self, seeds: u8) {
        self.bar.set_position(STEPS * (0..=seeds).map(|seeds| self.game.count(seeds)).sum::<u64>());
    }

    fn tell(&self, line: &str) {
        // That nobody reads is no reason to end a build.
        self.bar.suspend(|| print(line).unwrap_or_default());
    }
}

fn per_second(count: u64, time: Duration) -> u128 {
    u128::from(count) * 1_000_000 / time.as_micros().max(1)
}

/// The tables of one ruleset in a folder.
struct Shelf {
    game: Box<dyn TableGame>,
    layers: Vec<u8>,
}

/// The tables in a folder, in the order of their names; with `variant` those of one game.
fn shelves(folder: &Path, variant: Option<Variant>) -> Result<Vec<Shelf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<PathBuf>>>();
    let mut paths = paths.with_context(|| folder.display().to_string())?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == file::ENDING));
    paths.sort();
    let mut words: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for path in &paths {
        let header = LayerFile::open(path)?.header;
        words.entry(header.ruleset).or_default().push(header.seeds);
    }
    let mut shelves = Vec::new();
    for (word, mut layers) in words {
        let (found, options) = game::parse_ruleset(&word)?;
        layers.sort_unstable();
        let game = games::open(found, &options).with_context(|| format!("{word}: there are no such tables"))?;
        if variant.is_none_or(|wanted| wanted == found) {
            shelves.push(Shelf { game, layers });
        }
    }
    ensure!(!shelves.is_empty(), "{}: no tables{}", folder.display(), variant.map_or("", |_| " of this game"));
    Ok(shelves)
}

/// Reads all tables of a folder and holds boards of each layer against their moves.
///
/// # Errors
/// If a file is damaged or foreign, a board does not agree, or nobody reads what is printed.
pub fn verify(folder: &Path, variant: Option<Variant>, boards: u64) -> Result<()> {
    for Shelf { game, layers } in shelves(folder, variant)? {
        let word = game.ruleset();
        let mut read: Vec<Layer> = Vec::new();
        for seeds in layers {
            let layer = LayerFile::open_layer(folder, &*game, seeds)?.read(processors())?;
            ensure!(usize::from(seeds) == read.len(), "{word}: the layer of {} seeds is missing", read.len());
            read.push(layer);
            let probe = |board: Board| read[usize::from(game.seeds(board))].bounds(game.rank(board));
            let places = check::sample(game.count(seeds), boards);
            let (agree, disagreement) = check::first_disagreement(&*game, seeds, places, seeds <= MOST_REFINED, probe);
            if let Some(check::Disagreement { board, found, wanted }) = disagreement {
                bail!("{word}: layer {seeds}: {board:?} has {found:?}, its moves give {wanted:?}");
            }
            print(format_args!("verify {word} layer {seeds} agree {agree}"))?;
        }
    }
    Ok(())
}

/// Prints the bounds of a position and of each of its moves; without a token, those of each line of the input.
///
/// # Errors
/// If there are no tables, or of more than one game and none was chosen, the token is no position, or nobody reads what is printed.
pub fn probe(folder: &Path, variant: Option<Variant>, token: Option<&str>) -> Result<()> {
    let shelves = shelves(folder, variant)?;
    let [Shelf { game, .. }] = &shelves[..] else {
        let words: Vec<&str> = shelves.iter().map(|shelf| shelf.game.ruleset()).collect();
        bail!("{}: tables of {}: choose with --variant", folder.display(), words.join(" and "));
    };
    let (tables, errors) = Tables::of_layers(Vec::new()).with_files(&**game, folder);
    if let Some(error) = errors.into_iter().next() {
        return Err(error.into());
    }
    match token {
        Some(token) => tell(&**game, &tables, token),
        None => io::stdin().lock().lines().try_for_each(|line| tell(&**game, &tables, line?.trim())),
    }
}

fn tell(game: &dyn TableGame, tables: &Tables, token: &str) -> Result<()> {
    let (board, mover) = game.read(token).map_err(|error| anyhow!("position {token}: {error}"))?;
    let seeds = game.seeds(board);
    let look = |board: Board| if game.pits() == 6 { tables.probe::<6>(board) } else { tables.probe::<7>(board) };
    let root = look(board);
    print(format_args!("position {token} seeds {seeds} {}", written(root)))?;
    let moves = game.moves(board, mover);
    let set_up = |child: &Child<Board>| look(child.position).map(|bounds| bounds.of_the_other(seeds));
    // A table knows positions without a history (G4), and those in which nothing more is played.
    let holds = |child: &Child<Board>| child.captured > 0 || game.moves(child.position, !mover).is_empty();
    let told = moves.iter().map(|(_, child)| set_up(child).filter(|_| holds(child))).collect();
    for ((name, child), bounds) in moves.iter().zip(fitting(root, seeds, told)) {
        let apart = set_up(child).filter(|_| !holds(child));
        let apart = apart.map_or_else(String::new, |bounds| format!(" set-up {}", written(Some(bounds))));
        print(format_args!("move {name} captured {} {}{apart}", child.captured, written(bounds)))?;
    }
    if let Some(line) = tables.complaints().into_iter().next() {
        bail!(line);
    }
    Ok(())
}

/// What the bounds of a position say of its moves, of some of which bounds are told: no move gives more than the position,
/// and one gives as much.
fn fitting(root: Option<Bounds>, seeds: u8, told: Vec<Option<Bounds>>) -> Vec<Option<Bounds>> {
    let Some(root) = root else { return told };
    let anything = Bounds { lower: 0, upper: 2 * seeds };
    let mut all: Vec<Bounds> = told.into_iter().map(|bounds| bounds.unwrap_or(anything)).collect();
    all.iter_mut().for_each(|bounds| bounds.upper = bounds.upper.min(root.upper));
    let mut enough = all.iter_mut().filter(|bounds| bounds.upper >= root.lower);
    if let (Some(only), None) = (enough.next(), enough.next()) {
        only.lower = only.lower.max(root.lower);
    }
    all.into_iter().map(Some).collect()
}

fn written(bounds: Option<Bounds>) -> String {
    bounds.map_or("unknown".to_owned(), |Bounds { lower, upper }| {
        format!("lower {} upper {}", HalfSeeds(lower.into()), HalfSeeds(upper.into()))
    })
}

/// Prints for each layer how large it is, how much of it is known, and how many boards are worth what.
///
/// # Errors
/// If there are no tables or one is damaged, or nobody reads what is printed.
pub fn info(folder: &Path, variant: Option<Variant>) -> Result<()> {
    for Shelf { game, layers } in shelves(folder, variant)? {
        let (mut boards, mut bytes) = (0, 0);
        for &seeds in &layers {
            let file = LayerFile::open_layer(folder, &*game, seeds)?;
            let census = Census::of(&*game, &file.read(processors())?);
            print(format_args!(
                "layer {} {seeds} boards {} bytes {} {census}",
                game.ruleset(),
                census.boards,
                file.length()
            ))?;
            print(format_args!("  values {}", pairs(&census.values)))?;
            print(format_args!("  widths {}", pairs(&census.widths)))?;
            boards += census.boards;
            bytes += file.length();
        }
        print(format_args!("tables {} layers {} boards {boards} bytes {bytes}", game.ruleset(), layers.len()))?;
    }
    Ok(())
}

/// What the boards of a layer are worth.
struct Census {
    boards: u64,
    /// How many boards of known value have which difference of seeds.
    values: BTreeMap<i16, u64>,
    /// How many boards have bounds that are so far apart.
    widths: BTreeMap<HalfSeeds, u64>,
}

impl Census {
    fn of(game: &dyn TableGame, layer: &Layer) -> Census {
        let mut census = Census { boards: 0, values: BTreeMap::new(), widths: BTreeMap::new() };
        // Boards that no game has stand in the table with this pair.
        let nowhere = Bounds { lower: 0, upper: 0 };
        for (bounds, mut count) in layer.histogram() {
            if bounds == nowhere {
                count -= game.count_absent(layer.seeds());
            }
            census.boards += count;
            *census.widths.entry(HalfSeeds((bounds.upper - bounds.lower).into())).or_default() += count;
            if bounds.is_exact() {
                *census.values.entry(i16::from(bounds.lower) - i16::from(layer.seeds())).or_default() += count;
            }
        }
        census
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact: u64 = self.values.values().sum();
        let open: f64 = self.widths.iter().map(|(width, &count)| f64::from(width.0) / 2.0 * count as f64).sum();
        let boards = self.boards as f64;
        write!(f, "exact {:.2} of 100, mean width {:.3}", 100.0 * exact as f64 / boards, open / boards)
    }
}

fn pairs(counts: &BTreeMap<impl fmt::Display, u64>) -> String {
    counts.iter().map(|(value, count)| format!("{value}:{count}")).collect::<Vec<_>>().join(" ")
}
