//! The subcommands that read records and positions, as the real program runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pretty_assertions::assert_eq;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn run(arguments: &[&str], input: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_empiki"));
    command.args(arguments).arg(input).output().expect("the program starts")
}

/// What the program prints, which must end well.
fn printed(arguments: &[&str], input: &Path) -> String {
    let output = run(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

/// A file with this text, gone at the end of the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, text).expect("there is room");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// `tests/golden/analysis.txt` is the analysis of `tests/data/endings.ogn`, whose positions are all won or lost, by a table or within
/// the depth: so no evaluation changes more of it than which of several equally short wins is named.
#[test]
fn the_analysis_of_endings_is_the_one_on_record() {
    let recorded = fs::read_to_string(file("golden/analysis.txt")).expect("the record is there");
    for threads in ["1", "3"] {
        let text = printed(&["analyse", "--depth", "8", "--threads", threads], &file("data/endings.ogn"));
        assert_eq!(text, recorded);
    }
}

#[test]
fn a_move_that_leaves_a_proved_win_is_a_blunder() {
    let csv = printed(&["analyse", "--depth", "8", "--format", "csv"], &file("data/auale.ogn"));
    let line = csv.lines().find(|line| line.starts_with("2,61,")).expect("the game has so many turns");
    let values: Vec<&str> = line.split(',').collect();
    assert_eq!(&values[..4], ["2", "61", "25", "south"]);
    // A leaves North one move, which leaves South none: 26 to 22. What was played is worth a draw.
    assert_eq!((values[5], values[7], values[8], values[10], values[11]), ("B", "A", "+M2", "1000", "??"), "{line}");
    let names = csv.lines().next().expect("a line of names").split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == names));
}

#[test]
fn positions_of_playstrategy_are_read_in_lists_and_records() {
    let list = "1s,1s,4s,4s,4s,4s/4s,4s,1s,1s,4s,4s 4 8 N 11\n4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1 moves F f\n";
    let tokens = "4-4-1-1-4-4-4-4-4-4-1-1-4-8-N\nstartpos moves F f\n";
    let analysed = |name: &str, text: &str| {
        let file = Scratch::new(name, text);
        printed(&["analyse", "--depth", "3", "--format", "csv"], &file.0)
    };
    assert_eq!(analysed("playstrategy.txt", list), analysed("tokens.txt", tokens));
    let record = |fen: &str| format!("[Variant \"Oware\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\n1. f *\n");
    let good = Scratch::new("playstrategy.ogn", &record("1s,1s,4s,4s,4s,4s/4s,4s,1s,1s,4s,4s 4 8 N 11"));
    assert!(printed(&["replay"], &good.0).starts_with("game 1 ok: "));
    let bad = Scratch::new("bad.ogn", &record("1s,1s,4s,4s,4s,4s/4s,4s,1s,1s,4s 4 8 N 11"));
    let told = String::from_utf8(run(&["replay"], &bad.0).stdout).unwrap();
    assert!(told.contains("line 2: position row `4s,4s,1s,1s,4s`"), "{told}");
}

#[test]
fn a_list_is_analysed_under_the_rules_of_the_options() {
    let list = Scratch::new(
        "list.txt",
        "# a comment\nstartpos moves A a\n\n1-0-0-2-0-1-0-0-0-0-1-0-26-5-S\r\n0-0-0-0-0-0-1-0-0-0-0-0-30-5-S\n",
    );
    let text = printed(&["analyse", "--variant", "urim", "--nodes", "3000"], &list.0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("0-4-4-4-3-3-0-4-4-4-3-3-0-0-S best "), "{text}");
    assert_eq!(lines[2], "0-0-0-0-0-0-1-0-0-0-0-0-30-5-S south reason no-move seeds 30-6 points 2-0");
    let json = printed(&["analyse", "--variant", "urim", "--depth", "5", "--format", "json"], &list.0);
    let lines: Vec<&str> = json.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[4]), (5, "[", "]"), "{json}");
    let object = r#"{"game": 2, "ply": 1, "line": 4, "side": "south", "token": "1-0-0-2-0-1-0-0-0-0-1-0-26-5-S""#;
    assert!(lines[2].starts_with(&format!(",{object}")), "{json}");
    let wrong = run(&["analyse", "--depth", "3", "--variant", "wuri"], &list.0);
    assert!(!wrong.status.success());
    let told = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(told.contains("line 4"), "{told}");
    assert!(!run(&["analyse"], &list.0).status.success(), "without a limit it would never end");
}

#[test]
fn replay_says_which_games_are_wrong_and_where() {
    let right = file("data/auale.ogn");
    let text = printed(&["replay"], &right);
    assert!(text.starts_with("game 1 ok: line 1 ruleset wuri moves 26 result north reason count seeds 2-27"), "{text}");
    assert!(text.ends_with("replay games 3 wrong 0\n"), "{text}");
    let games = fs::read_to_string(&right).expect("the record is there");
    // The first game has another result, the last one ends in the middle of a word.
    let changed = games.replacen("2-27", "3-27", 2);
    let changed = Scratch::new("changed.ogn", &changed[..changed.trim_end().len() - 1]);
    let output = run(&["replay"], &changed.0);
    assert!(!output.status.success());
    let text = String::from_utf8(output.stdout).expect("it prints text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("game 1 wrong: line 8: "), "{text}");
    assert!(lines[1].starts_with("game 2 ok: "), "{text}");
    assert!(lines[2].starts_with("game 3 wrong: line "), "{text}");
    assert_eq!(lines[3], "replay games 3 wrong 2");
}

#[test]
fn replay_refuses_games_of_another_ruleset_if_one_is_wanted() {
    let record = file("data/endings.ogn");
    printed(&["replay"], &record);
    let output = run(&["replay", "--ruleset", "urim"], &record);
    assert!(!output.status.success());
    let text = String::from_utf8(output.stdout).expect("it prints text");
    assert!(text.contains("game 1 wrong: line 1: ruleset `wuri`: wanted `urim`"), "{text}");
    assert!(text.contains("game 2 ok"), "{text}");
}

#[test]
fn a_game_can_be_taken_out_of_a_record() {
    let one = printed(&["replay", "--extract", "2"], &file("data/endings.ogn"));
    let one = Scratch::new("one.ogn", &one);
    assert!(printed(&["replay"], &one.0).ends_with("replay games 1 wrong 0\n"));
    for number in ["0", "9"] {
        assert!(!run(&["replay", "--extract", number], &one.0).status.success());
    }
}

#[test]
fn ratings_count_all_games_of_all_files() {
    let record = file("data/endings.ogn");
    let text = printed(&["ratings", &record.display().to_string()], &record);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].starts_with("  1 first"), "{text}");
    assert!(lines[1].contains(" 8 ") && lines[1].ends_with("+4 =0 -4"), "{text}");
}
