//! The scripts do what they say, with the real program; those that measure are run small, and their figures are looked at by hand.

use std::io::{ErrorKind, Read as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use empiki::engine::game;
use empiki::protocol::parse_moves;
use empiki::units::{OptionValues, Variant};
use pretty_assertions::assert_eq;

const EMPIKI: &str = env!("CARGO_BIN_EXE_empiki");
/// No script here takes nearly as long, but the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a script left behind.
struct Done {
    status: ExitStatus,
    said: String,
    complained: String,
}

impl Done {
    /// What a script said that went well.
    fn well(self) -> String {
        assert!(self.status.success(), "{}\n{}{}", self.status, self.said, self.complained);
        self.said
    }
}

/// What runs a script of this name.
fn interpreter(script: &str) -> &'static str {
    match script.rsplit_once('.') {
        Some((_, "py")) => "python3",
        Some((_, "js")) => "node",
        _ => "sh",
    }
}

/// Runs a script to its end; `None` where there is nothing to run it with. Its output must fit in a pipe.
fn run(script: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Option<Done> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(script);
    let path = path.to_str().expect("UTF-8");
    run_program(interpreter(script), &[&[path], arguments].concat(), environment)
}

/// Runs a program, in the root of the package, to its end; `None` where there is no such program.
fn run_program(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Option<Done> {
    let started = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("EMPIKI", EMPIKI)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match started {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        other => other.expect("the script starts"),
    };
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().expect("the child is known") {
            Some(status) => break status,
            None if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(5)),
            None => {
                child.kill().expect("the child is known");
                panic!("{program} {arguments:?} did not end within {PATIENCE:?}");
            }
        }
    };
    let (mut said, mut complained) = (String::new(), String::new());
    child.stdout.take().expect("a pipe was asked for").read_to_string(&mut said).expect("UTF-8");
    child.stderr.take().expect("a pipe was asked for").read_to_string(&mut complained).expect("UTF-8");
    Some(Done { status, said, complained })
}

#[test]
fn traces_are_replayed_by_a_script_that_knows_no_rule() {
    // Where there is no Python, the traces of `tests/laws.rs` are what is left.
    let Some(done) = run("replay_trace.py", &["--moves", "200", "--engine", EMPIKI], &[]) else { return };
    let said = done.well();
    assert_eq!(said.lines().count(), Variant::ALL.len(), "{said}");
    assert!(said.lines().all(|line| line.contains(": 200 moves")), "{said}");
}

/// The clients, each with a program that ends well where the library that it needs is installed.
const CLIENTS: [(&str, &str); 3] = [
    ("clients/own.py", "import sys"),
    ("clients/python_chess.py", "import chess.engine"),
    ("clients/node_uci.js", "require('node-uci')"),
];

/// Whether an interpreter is there and ends this program well.
fn has(script: &str, program: &str) -> bool {
    let flag = if interpreter(script) == "node" { "-e" } else { "-c" };
    run_program(interpreter(script), &[flag, program], &[]).is_some_and(|done| done.status.success())
}

#[test]
fn the_clients_play_whole_games_and_tell_the_best_lines() {
    for (client, _) in CLIENTS.iter().filter(|(client, library)| has(client, library)) {
        for variant in Variant::ALL {
            let name = variant.to_string();
            let arguments = ["--engine", EMPIKI, "--variant", &name, "--seconds", "0.1", "--lines", "3"];
            let said = run(client, &arguments, &[]).expect("its interpreter is there").well();
            let (moves, said) = said.split_once('\n').expect("a first line");
            let (plies, moves) = moves.split_once(" plies: ").expect("the count of the moves");
            let moves = parse_moves(moves.as_bytes()).expect("a list of moves");
            assert_eq!(moves.len().to_string(), plies);
            let mut game = game::open(variant, &OptionValues::new(game::rule_options(variant)));
            game.play(&moves).expect("the moves are legal");
            assert!(game.outcome().is_some(), "{client} {name}: the game has not ended");
            for depth in 1..=6 {
                for line in 1..=3 {
                    let wanted = format!("\ndepth {depth} line {line} score ");
                    assert!(said.contains(&wanted), "{client} {name}: no {wanted:?}: {said}");
                }
            }
        }
    }
}

#[test]
fn the_client_of_ones_own_tells_how_a_game_has_ended_and_ponders() {
    let Some(done) = run("clients/own.py", &["--engine", EMPIKI, "--seconds", "0.2"], &[]) else { return };
    let said = done.well();
    let [moves, result, expected] = said.lines().take(3).collect::<Vec<_>>()[..] else { panic!("{said}") };
    let (_, moves) = moves.split_once(" plies: ").expect("the count of the moves");
    let mut game = game::open(Variant::Wuri, &OptionValues::new(game::rule_options(Variant::Wuri)));
    game.play(&parse_moves(moves.as_bytes()).expect("a list of moves")).expect("the moves are legal");
    let outcome = game.outcome().expect("the game has ended");
    assert!(result.contains(&format!(" reason {} ", outcome.reason.word())), "{result}: {outcome:?}");
    // Where one side expects no answer of the other rightly in a whole game, it does not ponder.
    assert!(!expected.contains(" 0 "), "{expected}");
}

#[test]
fn the_clients_can_be_read_where_their_libraries_are_missing() {
    for (client, _) in CLIENTS {
        let path = format!("scripts/{client}");
        let arguments = match interpreter(client) {
            "node" => vec!["--check", &path],
            _ => vec!["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", &path],
        };
        if let Some(done) = run_program(interpreter(client), &arguments, &[]) {
            done.well();
        }
    }
}

#[test]
fn the_settings_of_cutegames_are_json() {
    let Some(done) = run_program("python3", &["-m", "json.tool", "scripts/clients/cutegames.json"], &[]) else {
        return;
    };
    let said = done.well();
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/openings/wuri.txt").is_file());
    assert!(said.contains("\"tests/data/openings/wuri.txt\""), "{said}");
}

#[test]
fn moves_are_joined_for_an_engine_that_cannot_read_blanks() {
    let lines = "uci\nposition startpos\nposition startpos moves F f B\nposition fen 4-4-S moves A b\ngo movetime 5\n";
    let joined = "uci\nposition startpos\nposition startpos moves FfB\nposition fen 4-4-S moves Ab\ngo movetime 5\n";
    let Some(done) = run_program("sh", &["-c", "printf %s \"$0\" | sh scripts/clients/joined.sh cat", lines], &[])
    else {
        return;
    };
    assert_eq!(done.well(), joined);
}

#[test]
fn the_client_tells_which_games_there_are() {
    let Some(done) = run("clients/own.py", &["--engine", EMPIKI, "--variant", "chess"], &[]) else { return };
    assert!(!done.status.success());
    assert!(done.complained.contains("var wuri var urim"), "{}", done.complained);
}

#[test]
fn the_shell_is_told_the_best_move_and_nothing_else() {
    // A move that wins at once.
    let position = "fen 2-1-0-3-0-1-1-5-0-0-0-2-12-21-N";
    let Some(done) = run("clients/bestmove.sh", &["wuri", position, "depth 8"], &[]) else { return };
    assert_eq!(done.well(), "f\n");
    let over = "fen 0-0-0-0-0-0-0-0-0-0-0-0-24-24-S";
    assert_eq!(run("clients/bestmove.sh", &["wuri", over], &[]).expect("it ran before").well(), "0000\n");
}

#[test]
fn the_shell_is_told_what_was_wrong() {
    let wrong: [(&[&str], &str); 3] = [
        (&["wuri", "fen 4-4", "depth 3"], "wanted 15"),
        (&["oware", "startpos", "depth 3"], "wanted one of wuri"),
        (&["wuri", "startpos", "depth few"], "`few`"),
    ];
    for (arguments, wanted) in wrong {
        let Some(done) = run("clients/bestmove.sh", arguments, &[]) else { return };
        assert_eq!((done.status.code(), &*done.said), (Some(1), ""), "{arguments:?}");
        assert!(done.complained.contains(wanted), "{arguments:?}: {}", done.complained);
    }
}

#[test]
fn matches_against_peers_are_played() {
    // The engine stands for its peers. That of Omweso has no clock but two seconds a move, which would take too long.
    for peer in ["samurai", "mancalagames"] {
        let quick = [("GAMES", "2"), ("ST", "0.002")];
        let command = if peer == "samurai" { &format!("scripts/clients/joined.sh {EMPIKI}") } else { EMPIKI };
        let Some(done) = run("peers.sh", &[peer, command, "--seed", "2"], &quick) else { return };
        let said = done.well();
        assert!(said.contains(&format!(" {peer} ")) && said.contains("\npairs "), "{said}");
    }
    let done = run("peers.sh", &["nobody", EMPIKI], &[]).expect("it ran before");
    assert_eq!(done.status.code(), Some(2));
}

#[test]
fn the_watch_measures_each_delay_of_each_game() {
    let Some(done) = run("latency.py", &["--times", "5", "--busy", "1", "--hash", "2", EMPIKI], &[]) else { return };
    assert_eq!(done.complained, "");
    for variant in ["wuri", "omweso"] {
        for delay in ["stop", "isready", "d", "in one write", "movetime 50"] {
            assert!(done.said.contains(&format!("\n{variant:8} {delay:14} n ")), "{delay}\n{}", done.said);
        }
    }
}

#[test]
fn the_cost_of_a_large_table_is_measured() {
    let Some(done) = run("memory.py", &["--hash", "8", "--seconds", "1", EMPIKI], &[]) else { return };
    assert_eq!(done.complained, "");
    for size in [8, 7] {
        assert!(done.said.contains(&format!("Hash {size}: ready ")), "{}", done.said);
        assert!(done.said.contains(&format!("Hash {size}: new game ")), "{}", done.said);
    }
    // Memory is no matter of time.
    let resident: Vec<&str> = done.said.lines().filter(|line| line.contains(": resident")).collect();
    assert!(resident.iter().all(|line| line.ends_with("met")), "{}", done.said);
}

#[test]
fn games_on_clocks_are_ended_by_the_rules() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clocks");
    // An earlier run has left its records there, if any.
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory of its own");
    let out = directory.to_str().expect("UTF-8");
    let quick = [("TC", "0.1+0.005"), ("BUSY", "1"), ("MARGIN", "10000"), ("OUT", out)];
    let Some(done) = run("clocks.sh", &["6", "2"], &quick) else { return };
    let said = done.well();
    let ended = said.lines().filter(|line| line.contains("[Termination "));
    let games: u32 =
        ended.map(|line| line.trim().split(' ').next().and_then(|n| n.parse::<u32>().ok()).expect("a count")).sum();
    assert_eq!(games, 12, "six games of each family: {said}");
}

#[test]
fn a_random_session_is_survived() {
    for sizes in [&[][..], &["--sizes"]] {
        let arguments = [&["--lines", "1000", "--seed", "7"], sizes, &[EMPIKI]].concat();
        let Some(done) = run("soak.py", &arguments, &[]) else { return };
        let said = done.well();
        assert!(said.starts_with("soak lines 1000 seed 7 searches "), "{said}");
    }
}

#[test]
fn arrangements_are_bred_and_bred_again_the_same() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let files = ["bred.txt", "bred-again.txt"].map(|name| directory.join(name));
    for file in &files {
        let out = file.to_str().expect("UTF-8");
        let request = ["--engine", EMPIKI, "--rounds", "2", "--nodes", "30", "--out", out];
        let Some(done) = run("arrange.py", &request, &[]) else { return };
        assert!(done.well().starts_with("round 2 searches "));
    }
    let [bred, again] = files.map(|file| std::fs::read_to_string(file).expect("the script has written it"));
    assert_eq!(bred, again);
    let mut lines = bred.lines();
    assert_eq!(lines.next(), Some("ruleset omweso;Arrangement=open"));
    assert!(lines.next().is_some_and(|line| line.starts_with("rounds 2 ") && line.ends_with(" nodes 30 seed 1")));
    let mut kinds = Vec::new();
    for line in lines {
        let (kind, layout) = line.split_once(' ').expect("two words");
        kinds.push(kind);
        let seeds: Vec<u32> = layout.split('-').map(|seeds| seeds.parse().expect("a number")).collect();
        assert_eq!((seeds.len(), seeds.iter().sum::<u32>()), (16, 32), "{line}");
        assert!(seeds.iter().all(|&seeds| seeds <= 10), "{line}");
    }
    assert_eq!(kinds, [["first"; 12].as_slice(), ["answer"; 24].as_slice()].concat());
}
