//! Whole matches by the real program: what an engine may do to it, what a crash leaves, and what comes out at the end.
#![cfg(unix)]

mod common;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use common::Rng;
use empiki::engine::replay::replay;
use empiki::record::{GameRecord, read_records};
use pretty_assertions::assert_eq;

const EMPIKI: &str = env!("CARGO_BIN_EXE_empiki");
/// No match here takes nearly as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine that passes on what the real one says, until it does what its first argument names. It leaves its process number and
/// that of the real engine in the file of its third argument.
const FAKE: &str = r#"
import os, signal, subprocess, sys, time

behaviour, engine, pids = sys.argv[1:4]
signal.signal(signal.SIGTERM, signal.SIG_IGN)
real = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
with open(pids, "a") as file:
    file.write(f"{os.getpid()}\n{real.pid}\n")

def say(text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data):]

def forever():
    while True:
        time.sleep(60)

def ask(line):
    real.stdin.write(line)
    real.stdin.flush()
    for answer in real.stdout:
        say(answer)
        if answer.startswith((b"uciok", b"ugiok", b"readyok")):
            return

def best_move():
    real.stdin.write(b"go depth 1\n")
    real.stdin.flush()
    for answer in real.stdout:
        if answer.startswith(b"bestmove"):
            return answer.split()[1].decode()

moves = 0
if behaviour == "mute":
    forever()
for line in iter(sys.stdin.buffer.readline, b""):
    word = line.split()[:1]
    if word == [b"quit"]:
        break
    if word in ([b"ucinewgame"], [b"uginewgame"]):
        moves = 0
    if word != [b"go"]:
        if word in ([b"uci"], [b"ugi"], [b"isready"]):
            ask(line)
        else:
            real.stdin.write(line)
        continue
    best = best_move()
    moves += 1
    if behaviour == "lie":
        say("info depth 99 score mate 1 pv A\ninfo string result south reason count\nresponse p1win\nresult south\n")
    elif behaviour == "halves":
        for part in ("info depth 1 sco", "re cp 5\nbest", "mo", "ve "):
            say(part)
            time.sleep(0.005)
    elif behaviour == "slow":
        time.sleep(0.05)
    elif behaviour == "dawdle":
        time.sleep(3.2)
    if moves == 3:
        if behaviour == "crash":
            sys.exit(3)
        if behaviour == "hang":
            forever()
        if behaviour == "flood":
            while True:
                say("info string the same again and again\n" * 1000)
        if behaviour == "long":
            while True:
                say("info string the same again and again" * 1000)
        if behaviour == "illegal":
            best = "Z"
        if behaviour == "gives-up":
            best = "0000"
        if behaviour == "no-move":
            best = "e2e4?!"
        if behaviour == "broken":
            say(b"\xff\xfe\x00\n")
            best = ""
        if behaviour == "double":
            say(f"bestmove {best}\n" * 2)
            continue
        if behaviour == "late":
            time.sleep(0.6)
    say(f"{best}\n" if behaviour == "halves" else f"bestmove {best}\n")
"#;

/// A directory of its own for one test, which goes when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("empiki-arena-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory for the test");
        fs::write(path.join("fake.py"), FAKE).expect("the fake engine");
        Scratch(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_owned()
    }

    /// A fake engine in the words of `--engine`.
    fn fake(&self, behaviour: &str, terms: &str) -> String {
        let (script, pids) = (self.file("fake.py"), self.file("pids"));
        format!("name=fake cmd=\"python3 '{script}' {behaviour} '{EMPIKI}' '{pids}'\" {terms}")
    }

    fn records(&self, name: &str) -> Vec<GameRecord> {
        let text = fs::read_to_string(self.0.join(name)).expect("a record");
        read_records(&text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Every process that a fake engine was, and its real engine, is gone.
    fn assert_no_child_is_left(&self) {
        // On a busy machine one that never comes up may be killed before it has written anything.
        let pids = fs::read_to_string(self.0.join("pids")).unwrap_or_default();
        let started = Instant::now();
        for pid in pids.lines() {
            while is_alive(pid) {
                assert!(started.elapsed() < Duration::from_secs(10), "process {pid} is left");
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn is_alive(pid: &str) -> bool {
    // One that has ended and that its new parent has not looked at yet is no longer there for us.
    let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().expect("ps runs");
    let state = String::from_utf8_lossy(&state.stdout);
    !state.trim().is_empty() && !state.trim_start().starts_with('Z')
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(EMPIKI);
    command.arg("match").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Waits for a program; one that does not end is killed.
fn finish(child: Child) -> Output {
    let pid = child.id().to_string();
    let (sender, done) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    match done.recv_timeout(PATIENCE) {
        Ok(output) => output.expect("it can be waited for"),
        Err(_) => {
            kill("-KILL", &pid);
            panic!("the match does not end");
        }
    }
}

fn kill(signal: &str, pid: &str) {
    Command::new("kill").args([signal, pid]).status().expect("kill runs");
}

/// What a match prints that comes to its end.
fn play(arguments: &[&str]) -> String {
    let output = finish(start(arguments));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn assert_clean(records: &[GameRecord]) {
    for record in records {
        if let Err(error) = replay(record) {
            panic!("round {}: {error}", record.round);
        }
    }
}

/// Four games of a fake engine against the greedy player: what was printed, after the record and the processes were looked at.
fn four_games(behaviour: &str, terms: &str) -> String {
    let scratch = Scratch::new(behaviour);
    let (fake, record) = (scratch.fake(behaviour, terms), scratch.file("games.ogn"));
    let arguments = [
        "--engine",
        &fake,
        "--engine",
        "cmd=builtin:greedy",
        "--games",
        "4",
        "--concurrency",
        "2",
        "--record",
        &record,
    ];
    let text = play(&[&arguments[..], &["--openings", "random:4"]].concat());
    let records = scratch.records("games.ogn");
    assert_eq!(records.len(), 4, "{text}");
    assert_clean(&records);
    scratch.assert_no_child_is_left();
    text
}

#[track_caller]
fn assert_loses(behaviour: &str, terms: &str, fault: &str, detail: &str) {
    let text = four_games(behaviour, terms);
    assert!(text.contains(&format!("faults of fake: {fault} 4")), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(detail)).count(), 4, "{text}");
    assert!(text.contains("+0 =0 -4") || text.contains("pairs 0: 2, 0.5: 0"), "{text}");
}

// What an engine may do.

#[test]
fn an_engine_that_crashes_loses_and_is_started_again() {
    assert_loses("crash", "depth=1", "crash", "crash: exit status: 3");
}

#[test]
fn an_engine_that_hangs_loses_with_a_clock_or_without() {
    assert_loses("hang", "depth=1 hang=0.5", "hang", "hang: no move after");
    assert_loses("hang", "tc=1+0.2", "hang", "hang: no move after");
}

#[test]
fn an_engine_that_never_comes_up_loses() {
    assert_loses("mute", "depth=1 start=0.3", "start-up", "start-up: no uciok within 300 ms");
    assert_loses("mute", "depth=1 start=0.3 proto=ugi", "start-up", "start-up: no ugiok within 300 ms");
}

#[test]
fn an_engine_that_floods_loses() {
    assert_loses("flood", "depth=1", "flood", "flood: more than");
    assert_loses("long", "depth=1", "flood", "flood: a line of more than");
}

#[test]
fn an_engine_that_plays_illegally_loses() {
    assert_loses("illegal", "depth=1", "illegal-move", "illegal-move: `Z`: pits are");
    assert_loses("gives-up", "depth=1", "illegal-move", "illegal-move: `0000`");
    assert_loses("no-move", "depth=1", "illegal-move", "illegal-move: `e2e4?!` is no move");
}

#[test]
fn an_engine_with_broken_output_loses() {
    assert_loses("broken", "depth=1", "broken-output", "broken-output: `bestmove`");
    assert_loses("double", "depth=1", "broken-output", "broken-output: a best move that nobody asked for");
}

#[test]
fn an_engine_that_is_late_loses_on_time() {
    assert_loses("late", "st=0.3 margin=50", "time", "time: ");
    assert_loses("late", "tc=0.3+0.1", "time", "time: ");
}

/// Without a clock, and with one that has time enough.
#[test]
fn the_referee_keeps_the_three_seconds_of_blitz() {
    let scratch = Scratch::new("blitz");
    let [one, other] = [("one", ""), ("other", "tc=60")]
        .map(|(name, terms)| scratch.fake("dawdle", terms).replace("name=fake", &format!("name={name}")));
    let arguments = ["--variant", "omweso", "--option", "Omweso_Mode=blitz", "--games", "2", "--concurrency", "2"];
    let text = play(&[&arguments[..], &["--engine", &one, "--engine", &other]].concat());
    for name in ["one", "other"] {
        assert!(text.contains(&format!("faults of {name}: time 1")), "{text}");
    }
    assert_eq!(text.lines().filter(|line| line.contains("after 0 plies, time: ")).count(), 2, "{text}");
    scratch.assert_no_child_is_left();
}

#[test]
fn what_an_engine_claims_is_not_believed() {
    let text = four_games("lie", "depth=1");
    assert!(!text.contains("faults of"), "{text}");
    assert!(
        text.lines().filter(|line| line.starts_with("game ")).all(|line| !line.contains("after 0 plies")),
        "{text}"
    );
}

#[test]
fn an_engine_that_answers_in_halves_is_understood() {
    let text = four_games("halves", "st=1");
    assert!(!text.contains("faults of"), "{text}");
}

// The end of a match before its time.

#[test]
fn an_interrupt_keeps_the_record_and_prints_the_table() {
    let scratch = Scratch::new("interrupt");
    let (fake, record) = (scratch.fake("slow", "depth=1"), scratch.file("games.ogn"));
    let mut child = start(&[
        "--engine",
        &fake,
        "--engine",
        "cmd=builtin:greedy",
        "--engine",
        "cmd=builtin:random",
        "--games",
        "100",
        "--concurrency",
        "2",
        "--record",
        &record,
    ]);
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("UTF-8");
    assert!(first.starts_with("game "), "{first}");
    kill("-INT", &child.id().to_string());
    let rest: Vec<String> = lines.map(|line| line.expect("UTF-8")).collect();
    let output = finish(child);
    assert!(output.status.success(), "{output:?}");
    assert!(rest.iter().any(|line| line.starts_with("rank ")), "{rest:#?}");
    assert!(!rest.iter().any(|line| line.contains("crash")), "{rest:#?}");
    let records = scratch.records("games.ogn");
    let told = 1 + rest.iter().filter(|line| line.starts_with("game ")).count();
    assert!((told..300).contains(&records.len()), "{} of {told}", records.len());
    assert_clean(&records);
    scratch.assert_no_child_is_left();
}

#[test]
fn a_match_that_was_killed_goes_on_from_its_record() {
    let scratch = Scratch::new("resume");
    let arguments = |record: &'static str| {
        let words =
            ["--engine", "cmd=builtin:greedy", "--engine", "cmd=builtin:random", "--games", "300", "--seed", "9"];
        let more = ["--variant", "omweso", "--openings", "random:5", "--concurrency", "3", "--resume", "--record"];
        let all = words.into_iter().chain(more).map(str::to_owned);
        all.chain([scratch.file(record)]).collect::<Vec<String>>()
    };
    fn words(arguments: &[String]) -> Vec<&str> {
        arguments.iter().map(String::as_str).collect()
    }
    let mut rng = Rng::new(4);
    let broken = arguments("broken.ogn");
    for _ in 0..12 {
        let mut child = start(&words(&broken));
        thread::sleep(Duration::from_millis(20 + rng.below(80) as u64));
        child.kill().expect("it can be killed");
        child.wait().expect("it has ended");
        // A kill in the middle of a write leaves the beginning of a game.
        let path = Path::new(&scratch.0).join("broken.ogn");
        if let Ok(text) = fs::read(&path) {
            let length = text.len().saturating_sub(rng.below(300));
            fs::write(&path, &text[..length]).expect("it can be written");
        }
    }
    let text = play(&words(&broken));
    assert!(text.contains(" 300 "), "{text}");
    let whole = arguments("whole.ogn");
    play(&words(&whole));
    let by_round = |records: Vec<GameRecord>| {
        assert_eq!(records.len(), 300);
        assert_clean(&records);
        let games = records.into_iter().map(|game| {
            let moves: Vec<String> = game.moves.iter().map(|turn| turn.text.to_string()).collect();
            (game.round, (game.players.south, moves, game.result))
        });
        games.collect::<HashMap<_, _>>()
    };
    let (broken, whole) = (by_round(scratch.records("broken.ogn")), by_round(scratch.records("whole.ogn")));
    assert_eq!(broken.len(), 300, "every game has a round of its own");
    assert!(broken == whole, "the same seed gives the same games");
}

#[test]
fn a_match_goes_on_whatever_its_engines_are_called() {
    let scratch = Scratch::new("names");
    let record = scratch.file("games.ogn");
    let engines = ["--engine", "name=' [1. A} 1-0 ' cmd=builtin:greedy", "--engine", "name=* cmd=builtin:random"];
    let more = ["--openings", "random:6", "--resume", "--record", &record, "--games"];
    for games in ["2", "6"] {
        play(&[&engines[..], &more, &[games]].concat());
    }
    assert_eq!(scratch.records("games.ogn").len(), 6);
}

#[test]
fn a_record_of_another_match_is_refused() {
    let scratch = Scratch::new("another");
    let record = scratch.file("games.ogn");
    let arguments = ["--engine", "cmd=builtin:greedy", "--engine", "cmd=builtin:random", "--record", &record];
    let random = [&arguments[..], &["--openings", "random:6", "--games", "4"]].concat();
    play(&random);
    let refused = |more: &[&str]| error_of(&[&random[..], more].concat());
    assert!(refused(&[]).contains("it is there already"));
    assert!(refused(&["--resume", "--seed", "2"]).contains("is of another match"));
    assert!(refused(&["--resume", "--variant", "urim"]).contains("is of another match"));
    let fewer = [&arguments[..], &["--openings", "random:6", "--games", "2", "--resume"]].concat();
    assert!(error_of(&fewer).contains("is no game of this match"));
    let more = [&arguments[..], &["--openings", "random:6", "--games", "8", "--resume"]].concat();
    assert!(play(&more).contains(" 8 "), "a match may become longer");
    assert_eq!(scratch.records("games.ogn").len(), 8);
}

// What comes out.

fn error_of(arguments: &[&str]) -> String {
    let output = finish(start(arguments));
    assert!(!output.status.success());
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_test_ends_the_match_when_it_is_decided_whatever_is_played_at_a_time() {
    let decided = |concurrency: &str| {
        let text = play(&[
            "--engine",
            "cmd=builtin:greedy",
            "--engine",
            "cmd=builtin:random",
            "--games",
            "2000",
            "--openings",
            "random:4",
            "--sprt",
            "elo0=0 elo1=50",
            "--concurrency",
            concurrency,
        ]);
        text.lines().last().expect("a line").to_owned()
    };
    let alone = decided("1");
    assert!(alone.starts_with("sprt elo0 0 elo1 50: LLR ") && alone.ends_with("elo1 accepted"), "{alone}");
    assert_eq!(decided("4"), alone);
}

#[test]
fn a_round_robin_has_a_cross_table_and_a_summary() {
    let scratch = Scratch::new("table");
    let json = scratch.file("summary.json");
    let three =
        ["--engine", "cmd=builtin:greedy", "--engine", "cmd=builtin:random", "--engine", "name=r2 cmd=builtin:random"];
    let text = play(&[&three[..], &["--games", "10", "--openings", "random:3", "--json", &json]].concat());
    assert_eq!(text.lines().filter(|line| line.starts_with("game ")).count(), 30, "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("/10")).count(), 3, "{text}");
    let gauntlet =
        play(&[&three[..], &["--games", "10", "--openings", "random:3", "--tournament", "gauntlet"]].concat());
    assert_eq!(gauntlet.lines().filter(|line| line.starts_with("game ")).count(), 20, "{gauntlet}");
    let check = "import json, sys\n\
        it = json.load(open(sys.argv[1]))\n\
        assert it['games'] == 30 and it['finished'] and len(it['engines']) == 3 and len(it['pairings']) == 3, it\n\
        assert sum(it['pairings'][0]['pairs']) == 5, it";
    let status = Command::new("python3").args(["-c", check, &json]).status().expect("python3 runs");
    assert!(status.success());
}

#[test]
fn a_match_by_points_is_played_by_the_rule_book() {
    let scratch = Scratch::new("points");
    for (variant, more) in [("omweso", "points"), ("urim", "points"), ("urim7", "points=4"), ("wuri", "points=3")] {
        let record = scratch.file(variant);
        let text = play(&[
            "--engine",
            "cmd=builtin:greedy",
            "--engine",
            "cmd=builtin:random",
            "--match",
            more,
            "--matches",
            "3",
            "--variant",
            variant,
            "--openings",
            "random:2",
            "--concurrency",
            "2",
            "--record",
            &record,
        ]);
        let line = text.lines().find(|line| line.starts_with("matches greedy - random: ")).expect("a line of matches");
        let numbers: Vec<u64> =
            line.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
        assert_eq!(numbers[..3].iter().sum::<u64>(), 3, "{line}");
        let records = scratch.records(variant);
        assert_clean(&records);
        // Without void games the sides change with every game of a match.
        let of_first: Vec<&GameRecord> = records.iter().filter(|game| game.round.starts_with("1.")).collect();
        for pair in of_first.windows(2).filter(|pair| !pair[0].result.is_void()) {
            assert_eq!(pair[0].players.south, pair[1].players.north, "{}", pair[1].round);
        }
        let total: u64 =
            records.iter().filter_map(|game| game.result.points()).map(|it| u64::from(it.south + it.north)).sum();
        assert_eq!(numbers[3] + numbers[4], total, "{line}");
    }
}

/// The games of a record by their match, in order.
fn by_match(records: Vec<GameRecord>) -> BTreeMap<String, Vec<GameRecord>> {
    let mut matches: BTreeMap<String, Vec<GameRecord>> = BTreeMap::new();
    for record in records {
        let (number, _) = record.round.split_once('.').expect("a round of a match");
        matches.entry(number.to_owned()).or_default().push(record);
    }
    matches
}

#[test]
fn an_akawumbi_ends_a_match_before_its_points_are_reached() {
    let scratch = Scratch::new("akawumbi");
    let (record, openings) = (scratch.file("games.ogn"), scratch.file("openings.txt"));
    let position = "2-17-3-2-0-3-1-1-3-4-0-12-0-10-0-3-2-0-0-0-0-0-0-0-1-0-0-0-0-0-0-0-2-2-S";
    fs::write(&openings, position).expect("it can be written");
    let engines = ["--engine", "cmd=builtin:greedy", "--engine", "cmd=builtin:random", "--variant", "omweso"];
    let more =
        ["--match", "points=1000", "--games", "60", "--matches", "5", "--openings", &openings, "--record", &record];
    let text = play(&[&engines[..], &more].concat());
    let records = scratch.records("games.ogn");
    assert_clean(&records);
    let is_akawumbi = |game: &GameRecord| game.result.termination() == Some("akawumbi");
    for (number, games) in by_match(records) {
        let first = games.iter().position(is_akawumbi);
        assert_eq!(first, Some(games.len() - 1), "match {number}");
        assert!(games.len() < 60, "match {number}");
    }
    assert!(text.contains(", 0 without a winner;"), "{text}");
}

/// O18a, with a limit of laps at which many a turn is never-ending; and a match that goes on counts the same.
#[test]
fn the_third_game_that_a_player_voids_in_a_match_is_lost_by_him() {
    let scratch = Scratch::new("voids");
    let arguments = |record: &str| {
        let engines = ["--engine", "cmd=builtin:greedy", "--engine", "cmd=builtin:random", "--variant", "omweso"];
        let rules = ["--option", "Omweso_LapLimit=9", "--match", "points=40", "--games", "60", "--matches", "4"];
        let all = engines.into_iter().chain(rules).map(str::to_owned);
        all.chain(["--resume".to_owned(), "--record".to_owned(), scratch.file(record)]).collect::<Vec<String>>()
    };
    fn play_all(arguments: &[String]) -> String {
        play(&arguments.iter().map(String::as_str).collect::<Vec<&str>>())
    }
    let whole = play_all(&arguments("whole.ogn"));
    let records = scratch.records("whole.ogn");
    assert_clean(&records);
    let mut lost = 0;
    for games in by_match(records.clone()).values() {
        let mut voids: HashMap<&str, u32> = HashMap::new();
        for (index, game) in games.iter().enumerate() {
            let voider = game.moves.len().checked_sub(1).map(|last| game.mover(last)).expect("a move");
            let count = voids.entry(game.players[voider].as_str()).or_default();
            let is_lost = game.result.termination() == Some("third-void");
            assert!(!is_lost || *count == 2, "round {}", game.round);
            assert!(!game.result.is_void() || *count < 2, "round {}", game.round);
            if is_lost {
                lost += 1;
                let points = game.result.points().expect("points");
                assert_eq!((points[voider], points[!voider]), (0, 1), "round {}", game.round);
            }
            *count += u32::from(game.result.is_void());
            let Some(next) = games.get(index + 1) else { continue };
            assert_eq!(next.players.south == game.players.south, game.result.is_void(), "round {}", next.round);
        }
    }
    assert!(lost >= 8, "{lost}");
    let table =
        |text: &str| text.lines().skip_while(|line| !line.starts_with("rank ")).map(str::to_owned).collect::<Vec<_>>();
    for kept in (1..records.len()).step_by(17) {
        let text: String = records[..kept].iter().map(ToString::to_string).collect();
        fs::write(scratch.file("part.ogn"), text).expect("it can be written");
        assert_eq!(table(&play_all(&arguments("part.ogn"))), table(&whole), "{kept} games");
        assert_eq!(scratch.records("part.ogn").len(), records.len());
    }
}

#[test]
fn games_are_adjudicated_only_when_that_is_asked_for() {
    let engines = ["--engine", "name=a cmd=EMPIKI depth=2", "--engine", "name=b cmd=EMPIKI depth=1"];
    let engines = engines.map(|word| word.replace("EMPIKI", &format!("'{EMPIKI}'")));
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    let common = [&engines[..], &["--games", "4", "--openings", "random:6"]].concat();
    let text = play(&[&common[..], &["--resign", "score=100 moves=2"]].concat());
    assert!(text.lines().any(|line| line.starts_with("game ") && line.ends_with("resign")), "{text}");
    let text = play(&[&common[..], &["--draw", "score=100000 moves=2 plies=12"]].concat());
    let drawn = |line: &&str| line.ends_with("drawn after 12 plies, adjudicated-draw");
    assert_eq!(text.lines().filter(drawn).count(), 4, "{text}");
    assert!(!play(&common).contains("adjudicated"));
}

#[test]
fn laid_out_seeds_and_clocks_of_both_dialects_work_in_a_match() {
    let scratch = Scratch::new("dialects");
    let record = scratch.file("games.ogn");
    let (a, b) = (format!("name=a cmd='{EMPIKI}' proto=ugi"), format!("name=b cmd='{EMPIKI}' option.Hash=2"));
    let arguments =
        ["--engine", &a, "--engine", &b, "--each", "tc=1+0.1 margin=1000", "--games", "2", "--record", &record];
    let more = ["--variant", "omweso", "--option", "Omweso_Arrangement=open", "--openings", "random:1"];
    let text = play(&[&arguments[..], &more].concat());
    assert!(!text.contains("faults of"), "{text}");
    let records = scratch.records("games.ogn");
    assert_clean(&records);
    for record in &records {
        assert_eq!(record.ruleset, "omweso;Arrangement=open");
        assert!(record.moves[..2].iter().all(|turn| turn.text.to_string().starts_with('@')));
    }
}

#[test]
fn a_mistake_on_the_command_line_is_told_in_one_line() {
    let two = ["--engine", "cmd=builtin:greedy", "--engine", "cmd=builtin:random"];
    let wrong: [(&[&str], &str); 9] = [
        (&["--games", "3"], "wanted an even number"),
        (&[], "wanted --games N"),
        (&["--games", "2", "--openings", "nowhere.txt"], "openings nowhere.txt"),
        (&["--games", "2", "--openings", "random:x"], "wanted a whole number"),
        (&["--games", "2", "--engine", "name=x cmd=./no-such-program depth=1"], "cannot run `./no-such-program`"),
        (&["--games", "2", "--engine", "cmd=builtin:random"], "two engines are called `random`"),
        (&["--games", "2", "--sprt", "elo0=5 elo1=0"], "wanted two numbers"),
        (&["--games", "2", "--resume"], "wanted --record FILE"),
        (&["--games", "2", "--match", "points"], "wanted points=N"),
    ];
    for (more, wanted) in wrong {
        let error = error_of(&[&two[..], more].concat());
        assert!(error.contains(wanted), "{more:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{more:?}: {error}");
    }
}
