//! Endgame tables: their values against published ones, their files, and what becomes of files that are not whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use empiki::rules::lanes;
use empiki::rules::two_row::Board;
use empiki::tablebase::Bounds;
use empiki::tablebase::build::{self, Progress};
use empiki::tablebase::file::{self, LayerFile, TableError};
use empiki::tablebase::games::{self, TableGame};
use empiki::tablebase::layer::Layer;
use empiki::tablebase::probe::Tables;
use empiki::tablebase::verify;
use empiki::units::{OptionSpec, OptionValues, Variant};
use pretty_assertions::assert_eq;

/// The rule options of a game as its tables see them.
fn options(variant: Variant) -> &'static [OptionSpec] {
    use empiki::rules::Rules;
    match variant {
        Variant::Wuri => empiki::rules::wuri::Wuri::<true>::OPTIONS,
        _ => empiki::rules::urim::Urim::<6, true>::OPTIONS,
    }
}

fn game(variant: Variant, changes: &[(&str, &str)]) -> Box<dyn TableGame> {
    let mut values = OptionValues::new(options(variant));
    for (name, value) in changes {
        values.set(name, value).expect("an option").expect("a value");
    }
    games::open(variant, &values).expect("a game with tables")
}

fn data(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).expect("it is there")
}

/// Lines that are no comments, as numbers and what else stands in them.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect())
}

/// An empty folder, gone at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("there is room");
        Folder(path)
    }

    /// Tables built into it.
    fn with(name: &str, game: &dyn TableGame, seeds: u8) -> Folder {
        let folder = Folder::new(name);
        build::into_files(game, seeds, None, &folder.0, 2, &|_| ()).expect("they are built");
        folder
    }

    /// All files by their names.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(&self.0).expect("it is there").map(|entry| entry.expect("it can be read").path());
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        entries.map(|path| (name(&path), fs::read(&path).expect("it can be read"))).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn academic_values_are_the_published_ones() {
    let rules = [("Wuri_GrandSlam", "illegal-unless-only"), ("Wuri_RepetitionAward", "split")];
    let layers = build::in_memory(&*game(Variant::Wuri, &rules), 12, None, 2);
    let text = data("awari-endgames.txt");
    for row in rows(&text).filter(|row| row[0].parse::<usize>().is_ok_and(|seeds| seeds < layers.len())) {
        let layer = &layers[row[0].parse::<usize>().expect("a number")];
        let values = layer.histogram().into_iter().map(|(bounds, count)| {
            assert!(bounds.is_exact(), "{bounds:?}");
            format!("{}:{count}", i16::from(bounds.lower) - i16::from(layer.seeds()))
        });
        assert_eq!(values.collect::<Vec<_>>(), row[1..]);
    }
}

/// The boards of the list are those where the other has an empty pit.
#[test]
fn as_many_boards_have_a_forced_value_as_another_solver_found() {
    let game = game(Variant::Wuri, &[]);
    let layers = build::in_memory(&*game, 13, None, 2);
    let text = data("wuri-bounds.txt");
    for row in rows(&text) {
        let [seeds, forced, boards] = [0, 1, 2].map(|column| row[column].parse::<u64>().expect("a number"));
        let Some(layer) = layers.get(seeds as usize) else { continue };
        let has_gap = |board: Board| lanes::count(lanes::occupied(board.other)) < 6;
        let ranks = (0..game.count(seeds as u8)).filter(|&rank| game.board(seeds as u8, rank).is_some_and(has_gap));
        let exact: Vec<bool> = ranks.map(|rank| layer.bounds(rank).expect("a board").is_exact()).collect();
        assert_eq!((exact.iter().filter(|&&is| is).count() as u64, exact.len() as u64), (forced, boards), "{seeds}");
    }
}

fn bounds_of<'a>(game: &'a dyn TableGame, layers: &'a [Layer]) -> impl Fn(Board) -> Option<Bounds> {
    |board| layers[usize::from(game.seeds(board))].bounds(game.rank(board))
}

fn agrees(game: &dyn TableGame, layers: &[Layer], boards: u64) {
    for seeds in 0..layers.len() as u8 {
        let places = verify::sample(game.count(seeds), boards);
        let (agree, disagreement) = verify::first_disagreement(game, seeds, places, false, bounds_of(game, layers));
        assert_eq!(disagreement, None, "{}", game.ruleset());
        assert!(agree > 0);
    }
}

#[test]
fn every_board_agrees_with_its_moves_under_all_house_rules() {
    let slams = ["no-capture", "illegal", "illegal-unless-only", "capture"];
    for slam in slams {
        for award in ["own-row", "split"] {
            let game = game(Variant::Wuri, &[("Wuri_GrandSlam", slam), ("Wuri_RepetitionAward", award)]);
            agrees(&*game, &build::in_memory(&*game, 6, None, 1), u64::MAX);
        }
        for award in ["own-row", "unfed"] {
            for variant in [Variant::Urim, Variant::Urim7] {
                let game = game(variant, &[("Urim_GrandSlam", slam), ("Urim_NoMoveAward", award)]);
                agrees(&*game, &build::in_memory(&*game, 5, None, 1), u64::MAX);
            }
        }
    }
}

#[test]
fn boards_of_larger_layers_agree_with_their_moves() {
    for (variant, seeds) in [(Variant::Wuri, 11), (Variant::Urim, 11), (Variant::Urim7, 9)] {
        let game = game(variant, &[]);
        agrees(&*game, &build::in_memory(&*game, seeds, None, 2), 10_000);
    }
}

#[test]
fn a_wrong_bound_would_be_found() {
    let game = game(Variant::Wuri, &[]);
    let layers = build::in_memory(&*game, 4, None, 1);
    for rank in (0..game.count(4)).step_by(97) {
        let target = game.board(4, rank).expect("Wuri has every board");
        let wrong = |board: Board| {
            let bounds = bounds_of(&*game, &layers)(board)?;
            let lower = bounds.lower.checked_sub(1).unwrap_or(1);
            Some(if board == target { Bounds { lower, ..bounds } } else { bounds })
        };
        let (_, disagreement) = verify::first_disagreement(&*game, 4, 0..game.count(4), false, wrong);
        assert!(disagreement.is_some(), "{target:?}");
    }
}

#[test]
fn no_game_of_urim_has_more_than_seventeen_seeds_in_a_pit() {
    let game = game(Variant::Urim, &[]);
    for seeds in [17, 18, 19] {
        let absent = (0..200_000).filter(|&rank| game.board(seeds, rank).is_none()).count();
        assert_eq!(absent > 0, seeds > 17);
    }
    // With 18 seeds each of the twelve pits may hold them all, with 19 one more lies anywhere.
    assert_eq!([17, 18, 19].map(|seeds| game.count_absent(seeds)), [0, 12, 12 * 12]);
}

#[test]
fn files_hold_what_was_built_and_do_not_depend_on_the_threads() {
    for (variant, seeds) in [(Variant::Wuri, 10), (Variant::Urim7, 7)] {
        let game = game(variant, &[]);
        let folder = Folder::with(&format!("tables-two-{}", variant.name()), &*game, seeds);
        let alone = Folder::new(&format!("tables-one-{}", variant.name()));
        build::into_files(&*game, seeds, None, &alone.0, 1, &|_| ()).expect("they are built");
        assert!(folder.files() == alone.files());
        for layer in build::in_memory(&*game, seeds, None, 1) {
            let file = LayerFile::open_layer(&folder.0, &*game, layer.seeds()).expect("it is whole");
            assert!(file.read(2).expect("it is whole") == layer);
        }
    }
}

#[test]
fn a_build_goes_on_at_what_is_missing_or_damaged() {
    let game = game(Variant::Wuri, &[]);
    let folder = Folder::with("tables-resumed", &*game, 7);
    let whole = folder.files();
    fs::remove_file(file::path(&folder.0, &*game, 3)).expect("it was there");
    let damaged = file::path(&folder.0, &*game, 6);
    let bytes = fs::read(&damaged).expect("it is there");
    fs::write(&damaged, &bytes[..bytes.len() - 1]).expect("there is room");
    fs::write(folder.0.join("wuri-05.part"), "broken off").expect("there is room");
    let seen = std::sync::Mutex::new(Vec::new());
    let watch = |progress| match progress {
        Progress::Found(seeds) => seen.lock().expect("no panic").push(("found", seeds)),
        Progress::Damaged(seeds) => seen.lock().expect("no panic").push(("damaged", seeds)),
        Progress::Built { seeds, .. } => seen.lock().expect("no panic").push(("built", seeds)),
        Progress::Begun(_) | Progress::Steps(_) => {}
    };
    build::into_files(&*game, 7, None, &folder.0, 1, &watch).expect("they are built");
    let found = [0, 1, 2].map(|seeds| ("found", seeds)).to_vec();
    let rest = [("built", 3), ("found", 4), ("found", 5), ("damaged", 6), ("built", 6), ("found", 7)];
    assert_eq!(seen.into_inner().expect("no panic"), [found, rest.to_vec()].concat());
    fs::remove_file(folder.0.join("wuri-05.part")).expect("nobody has touched it");
    assert!(folder.files() == whole);
}

#[test]
fn no_byte_of_a_file_can_be_changed_unnoticed() {
    let game = game(Variant::Urim, &[("Urim_GrandSlam", "illegal")]);
    let folder = Folder::with("tables-flipped", &*game, 2);
    let path = file::path(&folder.0, &*game, 2);
    let bytes = fs::read(&path).expect("it is there");
    let read = || LayerFile::open_layer(&folder.0, &*game, 2).and_then(|file| file.read(1));
    assert!(read().is_ok());
    for place in 0..bytes.len() {
        for bit in [0, 3, 7] {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            fs::write(&path, &changed).expect("there is room");
            let error = read().expect_err("a changed byte").to_string();
            assert!(error.starts_with(&path.display().to_string()) && !error.contains('\n'), "byte {place}: {error}");
        }
        fs::write(&path, &bytes[..place]).expect("there is room");
        assert!(matches!(read(), Err(TableError::Damaged { .. })), "cut off at {place}");
    }
    fs::write(&path, [&bytes[..], &[0]].concat()).expect("there is room");
    assert!(matches!(read(), Err(TableError::Damaged { .. })));
}

#[test]
fn tables_of_other_rules_are_refused() {
    let wuri = game(Variant::Wuri, &[]);
    let folder = Folder::with("tables-foreign", &*wuri, 3);
    let whole = folder.files();
    let other = game(Variant::Wuri, &[("Wuri_Repetition", "3")]);
    let error =
        build::into_files(&*other, 3, None, &folder.0, 1, &|_| ()).expect_err("they are of other rules").to_string();
    assert!(error.ends_with("wuri-00.table: a table of `wuri`, wanted one of `wuri;Repetition=3`"), "{error}");
    assert!(folder.files() == whole);
    let (tables, errors) = Tables::of_layers(Vec::new()).with_files(&*other, &folder.0);
    assert_eq!((tables.largest(), errors.len()), (None, 4));
    // A table that has another number of seeds than its name says.
    fs::copy(file::path(&folder.0, &*wuri, 2), file::path(&folder.0, &*wuri, 3)).expect("there is room");
    let error = LayerFile::open_layer(&folder.0, &*wuri, 3).expect_err("two seeds").to_string();
    assert!(error.ends_with("wuri-03.table: a table of 2 seeds, wanted 3"), "{error}");
}

#[test]
fn files_and_memory_are_asked_alike() {
    let game = game(Variant::Wuri, &[]);
    let folder = Folder::with("tables-asked", &*game, 9);
    let layers = build::in_memory(&*game, 9, None, 1);
    let (tables, errors) = Tables::of_layers(layers[..=5].to_vec()).with_files(&*game, &folder.0);
    assert!(errors.is_empty());
    assert_eq!(tables.largest(), Some(9));
    for (layer, seeds) in layers.iter().zip(0..) {
        for rank in verify::sample(game.count(seeds), 5_000) {
            let board = game.board(seeds, rank).expect("Wuri has every board");
            assert_eq!(tables.probe::<6>(board.banked(3)), layer.bounds(rank));
        }
    }
    assert_eq!(tables.probe::<6>(Board { own: 10, other: 0 }), None);
}

#[test]
fn a_file_that_shrinks_is_left_out_and_the_rest_goes_on() {
    let game = game(Variant::Wuri, &[]);
    let folder = Folder::with("tables-shrunk", &*game, 9);
    let (tables, _) = Tables::of_layers(Vec::new()).with_files(&*game, &folder.0);
    let first = game.board(9, 0).expect("a board");
    let last = game.board(9, game.count(9) - 1).expect("a board");
    assert!(tables.probe::<6>(first).is_some());
    let path = file::path(&folder.0, &*game, 9);
    let length = fs::metadata(&path).expect("it is there").len();
    fs::OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(length / 2)).expect("it can be cut");
    let copy = tables.clone();
    assert_eq!(copy.probe::<6>(last), None);
    assert_eq!((tables.has(9), tables.probe::<6>(first)), (false, None));
    let complaints = tables.complaints();
    assert!(complaints.len() == 1 && complaints[0].contains("wuri-09.table"), "{complaints:?}");
    assert_eq!(tables.complaints(), Vec::<String>::new());
    assert!(tables.probe::<6>(game.board(7, 5).expect("a board")).is_some());
}

#[test]
fn a_damaged_block_is_noticed_when_it_is_asked_for() {
    let game = game(Variant::Wuri, &[]);
    let folder = Folder::with("tables-block", &*game, 9);
    let path = file::path(&folder.0, &*game, 9);
    let mut bytes = fs::read(&path).expect("it is there");
    *bytes.last_mut().expect("it is not empty") ^= 0x10;
    fs::write(&path, bytes).expect("there is room");
    let (tables, errors) = Tables::of_layers(Vec::new()).with_files(&*game, &folder.0);
    assert!(errors.is_empty());
    assert!(tables.probe::<6>(game.board(9, 0).expect("a board")).is_some());
    assert_eq!(tables.probe::<6>(game.board(9, game.count(9) - 1).expect("a board")), None);
    assert_eq!(tables.complaints().len(), 1);
}

#[test]
fn a_layer_in_memory_stands_in_for_a_file_that_is_damaged() {
    let game = game(Variant::Wuri, &[]);
    let folder = Folder::with("tables-stand-in", &*game, 3);
    fs::write(file::path(&folder.0, &*game, 2), "no table").expect("there is room");
    let (tables, errors) = Tables::of_layers(build::in_memory(&*game, 2, None, 1)).with_files(&*game, &folder.0);
    assert_eq!((errors.len(), tables.largest(), tables.has(2)), (1, Some(3), true));
    let (tables, errors) = Tables::of_layers(Vec::new()).with_files(&*game, &folder.0);
    assert_eq!((errors.len(), tables.largest(), tables.has(2)), (1, Some(3), false));
}

/// After `FbAaBcCdDeEfAbBcCdDeE` North forces all three by the plain bounds, and yet his only move repeats a position: the bounds
/// hold where the history is empty.
#[test]
fn bounds_are_those_of_a_game_that_begins_there() {
    let game = game(Variant::Wuri, &[]);
    let tables = Tables::of_layers(build::in_memory(&*game, 3, None, 1));
    let (board, _) = game.read("1-0-0-0-0-2-0-0-0-0-0-0-22-23-S").expect("a position");
    assert_eq!(tables.probe::<6>(board), Some(Bounds { lower: 0, upper: 0 }));
}

#[test]
fn what_widens_a_layer_for_want_of_names_stays_true() {
    // More pairs of bounds than a byte can tell apart, the rare ones last.
    let seeds = 24;
    let pairs = (0..=24_u8).flat_map(|lower| (lower..=24).map(move |upper| (2 * lower, 2 * upper)));
    let (lower, upper): (Vec<u8>, Vec<u8>) =
        pairs.enumerate().flat_map(|(place, pair)| vec![pair; 1 + (place < 200) as usize]).unzip();
    let wanted: Vec<Bounds> = lower.iter().zip(&upper).map(|(&lower, &upper)| Bounds { lower, upper }).collect();
    let layer = Layer::new(empiki::tablebase::Draft { seeds, lower, upper });
    assert_eq!(layer.palette().len(), 256);
    let found: Vec<Bounds> = (0..wanted.len() as u64).map(|rank| layer.bounds(rank).expect("a board")).collect();
    assert!(
        found.iter().zip(&wanted).all(|(found, wanted)| found.lower <= wanted.lower && found.upper >= wanted.upper)
    );
    assert!(found.iter().zip(&wanted).filter(|(found, wanted)| found == wanted).count() >= 200 + 255);
}
