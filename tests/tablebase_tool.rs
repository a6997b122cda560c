//! `empiki tablebase` as the real program runs it.

mod common;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use common::{Rng, open, variant, written};
use empiki::engine::game::Game;
use empiki::units::{PerPlayer, Player};
use pretty_assertions::assert_eq;

/// A folder of this name, gone at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("an ASCII name")
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("it is there")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_empiki"));
    command.arg("tablebase").args(arguments);
    command
}

fn printed(arguments: &[&str]) -> String {
    let output = command(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

fn refused(arguments: &[&str]) -> String {
    let output = command(arguments).output().expect("the program starts");
    assert!(!output.status.success());
    String::from_utf8(output.stderr).expect("it prints text")
}

fn build(folder: &Folder, seeds: &str) -> String {
    printed(&["build", "--variant", "wuri", "--seeds", seeds, "--out", folder.text()])
}

/// What the program prints for the lines of this input.
fn answered(arguments: &[&str], input: &str) -> String {
    let mut child = command(arguments);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = thread::spawn(move || pipe.write_all(input.as_bytes()).expect("it reads"));
    let Output { stdout, status, .. } = child.wait_with_output().expect("it ends");
    writer.join().expect("it was written");
    let text = String::from_utf8(stdout).expect("it prints text");
    assert!(status.success(), "{text}");
    text
}

#[test]
fn tables_are_built_and_tell_what_they_hold() {
    let folder = Folder::new("tool-built");
    let text = build(&folder, "4");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("build wuri seeds 4 boards 1820 memory "), "{text}");
    assert!(lines[5].starts_with("layer 4 boards 1365 solved "), "{text}");
    assert!(lines[6].starts_with("build wuri layers 5 time "), "{text}");
    assert_eq!(build(&folder, "4").lines().nth(5), Some("layer 4 found"));

    let text = printed(&["verify", folder.text()]);
    assert_eq!(text.lines().last(), Some("verify wuri layer 4 agree 1365"));
    let text = printed(&["info", folder.text(), "--variant", "wuri"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[12].starts_with("layer wuri 4 boards 1365 bytes "), "{text}");
    // Each board up to seven seeds is known.
    assert!(lines[12].contains(" exact 100.00 of 100, "), "{text}");
    assert_eq!(lines[14], "  widths 0:1365", "{text}");
    assert!(lines[15].starts_with("tables wuri layers 5 boards 1820 bytes "), "{text}");
}

#[test]
fn positions_are_probed_by_word_and_by_line() {
    let folder = Folder::new("tool-probed");
    build(&folder, "3");
    let token = "0-0-0-0-0-1-1-1-0-0-0-0-22-23-S";
    let wanted = "\
position 0-0-0-0-0-1-1-1-0-0-0-0-22-23-S seeds 3 lower 2 upper 2
move F captured 2 lower 2 upper 2
";
    let text = answered(&["probe", folder.text()], &format!("{token}\n4-4-4-4-4-4-4-4-4-4-4-4-0-0-N\n"));
    assert_eq!(printed(&["probe", folder.text(), token]), wanted);
    let (first, second) = text.split_at(wanted.len());
    assert_eq!(first, wanted);
    assert!(second.starts_with("position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-N seeds 48 unknown\nmove a captured 0 unknown\n"));
}

/// What a line says of a value, in half seeds: the least and the most.
type Told = (u32, u32);

/// A move, what it captures, what is told of it, and what its position would be worth if it were set up.
struct MoveLine {
    text: String,
    captured: u32,
    told: Told,
    set_up: Option<Told>,
}

/// A position with what is told of it and of its moves.
struct Probed {
    token: String,
    told: Told,
    moves: Vec<MoveLine>,
}

fn half_seeds(word: &str) -> u32 {
    let (whole, half) = word.strip_suffix(".5").map_or((word, 0), |whole| (whole, 1));
    2 * whole.parse::<u32>().expect("a number") + half
}

fn told(words: &[&str]) -> Told {
    let &["lower", lower, "upper", upper] = words else { panic!("{words:?}") };
    (half_seeds(lower), half_seeds(upper))
}

/// The answers to some positions, all of which the tables know.
fn probe_all(folder: &Folder, tokens: &[String]) -> Vec<Probed> {
    let mut all: Vec<Probed> = Vec::new();
    for line in answered(&["probe", folder.text()], &tokens.join("\n")).lines() {
        match line.split(' ').collect::<Vec<&str>>()[..] {
            ["position", token, "seeds", _, ref words @ ..] => {
                all.push(Probed { token: token.to_owned(), told: told(words), moves: Vec::new() });
            }
            ["move", text, "captured", captured, ref words @ ..] => {
                let set_up = match &words[4..] {
                    [] => None,
                    ["set-up", words @ ..] => Some(told(words)),
                    _ => panic!("{line}"),
                };
                let (text, captured) = (text.to_owned(), captured.parse().expect("a number"));
                let line = MoveLine { text, captured, told: told(&words[..4]), set_up };
                all.last_mut().expect("a position").moves.push(line);
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(all.len(), tokens.len());
    all
}

/// A position with so many seeds in pits by lot, the others shared out between the stores.
fn some_position(start: &str, seeds: u32, rng: &mut Rng) -> String {
    let mut fields: Vec<u32> = start.split('-').filter_map(|field| field.parse().ok()).collect();
    let (all, pits) = (fields.iter().sum::<u32>(), fields.len() - 2);
    fields.fill(0);
    (0..seeds).for_each(|_| fields[rng.below(pits)] += 1);
    fields[pits] = (all - seeds) / 2;
    fields[pits + 1] = all - seeds - fields[pits];
    let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
    format!("{}-{}", fields.join("-"), ["S", "N"][rng.below(2)])
}

/// Tables of a game under its rules, and positions with few seeds by lot.
fn world(name: &str, game: &str, options: &str, seeds: u32, count: usize) -> (Folder, Vec<String>) {
    let folder = Folder::new(name);
    let most = seeds.to_string();
    let mut arguments = vec!["build", "--variant", game, "--seeds", &most, "--out", folder.text()];
    options.split_whitespace().for_each(|option| arguments.extend(["--option", option]));
    printed(&arguments);
    let start = open(variant(game), options).token();
    let mut rng = Rng::new(7);
    let tokens = (0..count).map(|_| some_position(&start, 1 + rng.below(seeds as usize) as u32, &mut rng)).collect();
    (folder, tokens)
}

#[test]
fn a_position_is_worth_what_the_best_of_its_moves_is() {
    let mut quiet = 0;
    for (number, (game, options)) in [
        ("wuri", ""),
        ("wuri", "Wuri_RepetitionAward=split"),
        ("wuri", "Wuri_Repetition=3 Wuri_GrandSlam=capture"),
        ("urim", "Urim_NoMoveAward=unfed Urim_Repetition=3"),
        ("urim7", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let (folder, tokens) = world(&format!("tool-fits-{number}"), game, options, 5, 400);
        for Probed { token, told: (lower, upper), moves } in probe_all(&folder, &tokens) {
            assert!(lower <= upper, "{token}");
            let Some(most) = moves.iter().map(|line| line.told.1).max() else { continue };
            let least = moves.iter().map(|line| line.told.0).max().expect("there is a move");
            assert!(lower <= most && most <= upper && least <= upper, "{game} {options}: {token}");
            for line in moves {
                assert!(line.told.0 <= line.told.1, "{game} {options}: {token} {}", line.text);
                assert!(line.captured == 0 || line.set_up.is_none(), "{game} {options}: {token} {}", line.text);
                quiet += usize::from(line.set_up.is_some_and(|set_up| set_up != line.told));
            }
        }
    }
    assert!(quiet > 1000, "{quiet}");
}

/// Whether a player can end with so many half seeds, found by trying everything with the true history.
fn forces(game: &mut dyn Game, player: Player, wanted: u32) -> bool {
    if let Some(outcome) = game.outcome() {
        return u32::from(outcome.seeds.by_player(game.mover())[player].0) >= wanted;
    }
    let moves: Vec<_> = common::legal_words(&*game).iter().map(|text| written(text)).collect();
    let is_his = game.mover() == player;
    let mut gets = |text| {
        game.play(std::slice::from_ref(text)).expect("a legal move");
        let gets = forces(game, player, wanted);
        game.undo(1).expect("it was played");
        gets
    };
    if is_his { moves.iter().any(&mut gets) } else { moves.iter().all(&mut gets) }
}

/// What a player gets of the seeds in the pits, in half seeds.
fn value(game: &mut dyn Game, player: Player, stores: PerPlayer<u32>, seeds: u32) -> u32 {
    let gets = |game: &mut dyn Game, more| forces(game, player, 2 * stores[player] + more);
    (1..=2 * seeds).take_while(|&more| gets(game, more)).last().unwrap_or(0)
}

/// Urim has no end that the stores decide, so seeds in the pits are all that counts.
#[test]
fn what_is_told_of_a_move_holds_with_the_history_that_it_leaves() {
    for (number, options) in ["", "Urim_GrandSlam=capture"].into_iter().enumerate() {
        let (folder, tokens) = world(&format!("tool-holds-{number}"), "urim", options, 3, 60);
        for Probed { token, told, moves } in probe_all(&folder, &tokens) {
            let fields: Vec<u32> = token.split('-').filter_map(|field| field.parse().ok()).collect();
            let (seeds, stores) = (fields[..12].iter().sum(), PerPlayer { south: fields[12], north: fields[13] });
            let mut game = open(variant("urim"), options);
            game.set_up(Some(&token), &[]).expect("a position");
            let mover = game.mover();
            let holds = |(lower, upper): Told, value: u32| (lower..=upper).contains(&value);
            assert!(holds(told, value(&mut *game, mover, stores, seeds)), "{token}");
            for line in moves {
                game.play(&[written(&line.text)]).expect("a legal move");
                assert!(holds(line.told, value(&mut *game, mover, stores, seeds)), "{token} {}", line.text);
                if let Some(set_up) = line.set_up {
                    let mut irreversible = open(variant("urim"), options);
                    irreversible.set_up(Some(&game.token()), &[]).expect("a position");
                    assert!(holds(set_up, value(&mut *irreversible, mover, stores, seeds)), "{token} {}", line.text);
                }
                game.undo(1).expect("it was played");
            }
        }
    }
}

/// In the first one North would have both seeds if what came before were forgotten.
#[test]
fn the_example_of_the_protocol_is_what_the_program_prints() {
    let folder = Folder::new("tool-example");
    build(&folder, "4");
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md")).expect("it is there");
    let example = document.split("```text\n").find(|block| block.starts_with("$ empiki tablebase probe tables "));
    let (example, _) = example.and_then(|block| block.split_once("```")).expect("an example");
    let entries: Vec<&str> = example.split("$ empiki tablebase probe tables ").skip(1).collect();
    assert!(entries[0].starts_with("0-0-0-0-0-1-0-0-0-0-0-1-23-23-S\n"));
    for entry in entries {
        let (token, wanted) = entry.split_once('\n').expect("a token and what is printed");
        assert_eq!(printed(&["probe", folder.text(), token]), wanted);
    }
}

#[test]
fn what_cannot_be_done_is_told_in_a_line() {
    let folder = Folder::new("tool-refused");
    build(&folder, "2");
    let out = folder.text();
    for (arguments, wanted) in [
        (vec!["build", "--variant", "omweso", "--seeds", "3", "--out", out], "omweso: only Wuri and Urim have tables"),
        (vec!["build", "--seeds", "31", "--out", out], "--seeds 31: tables go no further than 30"),
        (
            vec!["build", "--seeds", "2", "--out", out, "--option", "Wuri_GrandSlam=illegal"],
            "wuri-00.table: a table of `wuri`",
        ),
        (vec!["info", out, "--variant", "urim"], "no tables of this game"),
        (vec!["probe", out, "1-2"], "position 1-2: "),
    ] {
        let text = refused(&arguments);
        assert!(text.starts_with("error: ") && text.contains(wanted) && text.lines().count() == 1, "{text}");
    }
    let path = folder.0.join("wuri-02.table");
    let mut bytes = fs::read(&path).expect("it is there");
    *bytes.last_mut().expect("it is not empty") ^= 1;
    fs::write(&path, bytes).expect("there is room");
    for task in ["verify", "info"] {
        let text = refused(&[task, out]);
        assert!(text.contains("wuri-02.table: damaged: block 0 does not match its checksum"), "{text}");
    }
}

#[test]
fn a_build_that_is_killed_goes_on_and_comes_to_the_same() {
    let (killed, whole) = (Folder::new("tool-killed"), Folder::new("tool-whole"));
    build(&whole, "7");
    for pause in [5, 17, 40, 90, 170, 260] {
        let mut child = command(&["build", "--variant", "wuri", "--seeds", "7", "--out", killed.text()]);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        thread::sleep(Duration::from_millis(pause));
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
    }
    build(&killed, "7");
    for seeds in 0..=7 {
        let name = format!("wuri-{seeds:02}.table");
        assert!(killed.file(&name) == whole.file(&name), "{name}");
    }
}
