//! The transcript that `--log` writes, and its replay.

mod common;
mod harness;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::transcript;
use harness::{Engine, is_best_move, run};
use pretty_assertions::assert_eq;

/// A file of a test, gone before and after it.
struct LogFile(PathBuf);

impl LogFile {
    fn new(name: &str) -> LogFile {
        let file = LogFile(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
        let _ = fs::remove_file(&file.0);
        file
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("an ASCII path")
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).expect("a log in UTF-8")
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Talks to an engine in many ways, to the end.
fn talk(mut engine: Engine) {
    engine.send("uci\nsetoption name MultiPV value 2\nisready");
    engine.until(|line| line == "readyok");
    engine.send("position startpos moves F f\ngo depth 5\nd\nperft 3");
    engine.until(|line| line.starts_with("Nodes searched: "));
    engine.send_bytes(b"\t\xFFhello \\ \r\n\n  \nundo x\nsetoption name UCI_EngineAbout value \xC3\xA9\n");
    engine.send_bytes(&[vec![b'z'; (1 << 20) + 2], b"\n".to_vec()].concat());
    engine.send("debug on\ngo infinite");
    // Long enough for the search to be under way.
    thread::sleep(Duration::from_millis(100));
    engine.send("isready\nstop\ngo movetime 30\ngo wtime 200 btime 200\nucinewgame\ndebug off\ngo nodes 4000\nresult");
    engine.until(|line| line == "result none");
    engine
        .send("setoption name UCI_Variant value omweso\ngo depth 3\ngo ponder depth 4\nfen\nponderhit\nstate\nbench 3");
    engine.until(|line| line.starts_with("bench total "));
    engine.send("go infinite\nquit");
    assert!(engine.finish().iter().any(|line| is_best_move(line)));
}

#[test]
fn a_log_has_both_directions_with_rising_times_and_can_be_replayed() {
    let log = LogFile::new("both.log");
    talk(Engine::with_arguments(&["--option", "Hash=2", "--option", "UCI_Variant=urim", "--log", log.path()]));
    talk(Engine::with_arguments(&["--log", log.path()]));
    let text = log.text();
    let mut before = 0.0;
    for line in text.lines() {
        let (time, rest) = line.split_once(' ').expect("a time");
        let time: f64 = time.parse().expect("seconds");
        assert!(time >= before || rest.starts_with("# Empiki "), "{line}");
        assert!(["> ", "< ", "# "].iter().any(|sign| rest.starts_with(sign)) || rest == ">", "{line}");
        before = time;
    }
    assert!(text.contains(" > \\t\\xFFhello \\\\ \\r\n"), "{text}");
    assert!(text.contains(" # option UCI_Variant=urim\n") && text.contains(" # a line that is too long\n"));
    assert_eq!(text.matches(" # Empiki ").count(), 2, "the second session stands behind the first");
    assert_eq!(transcript::replay(&text), Ok(()));
}

#[test]
fn a_replay_tells_of_each_answer_that_is_another_one() {
    let log = LogFile::new("changed.log");
    let mut engine = Engine::with_arguments(&["--log", log.path()]);
    engine.send("position startpos moves F\nfen\ngo depth 6\nmoves x\ngo movetime 10\nlegalmoves");
    engine.until(|line| line.starts_with("legalmoves"));
    engine.end_input();
    engine.finish();
    let text = log.text();
    assert_eq!(transcript::replay(&text), Ok(()));
    let changes: [(&str, &str); 5] = [
        (" < fen 4-4-4-4-4-0", " < fen 4-4-4-4-0-4"),
        (" < legalmoves a b", " < legalmoves a"),
        ("move 1 `x`", "move 2 `x`"),
        (" score cp ", " score cp 1"),
        (" pv ", " pv a "),
    ];
    for (right, wrong) in changes {
        let changed = text.replacen(right, wrong, 1);
        assert_ne!(changed, text, "{right}");
        assert!(transcript::replay(&changed).is_err(), "{right} became {wrong}");
    }
    assert!(transcript::replay(&format!("{text}9.0 < readyok\n")).is_err(), "an answer that did not come");
    let best = text.lines().find(|line| line.contains(" < bestmove ")).expect("a best move");
    let other = format!("{}{}", &best[..best.len() - 1], if best.ends_with('a') { 'b' } else { 'a' });
    assert!(transcript::replay(&text.replacen(best, &other, 1)).is_err(), "the best move of a search by depth");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_log_with_one_line_and_the_session_goes_on() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_empiki"))
        .args(["--log", "/dev/full"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"isready\nfen\ngo depth 3\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(said.starts_with("readyok\nfen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n") && said.contains("\nbestmove "), "{said}");
    let complaints = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(complaints.starts_with("error: the log ends here: ") && complaints.lines().count() == 1, "{complaints}");
}

#[test]
fn a_log_that_cannot_be_opened_or_is_asked_of_a_subcommand_is_one_error() {
    for arguments in [&["--log", "/no/such/directory/log"][..], &["--log", "log", "bench", "1"]] {
        let output = run(arguments);
        assert!(!output.status.success() && output.stdout.is_empty());
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{arguments:?}");
    }
}
