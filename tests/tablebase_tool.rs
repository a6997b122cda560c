//! `empiki tablebase` as the real program runs it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

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
    let mut child = command(&["probe", folder.text()]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{token}\n4-4-4-4-4-4-4-4-4-4-4-4-0-0-N").expect("it reads");
    drop(input);
    let Output { stdout, status, .. } = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(stdout).expect("it prints text");
    assert!(status.success(), "{text}");
    assert_eq!(printed(&["probe", folder.text(), token]), wanted);
    let (first, second) = text.split_at(wanted.len());
    assert_eq!(first, wanted);
    assert!(second.starts_with("position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-N seeds 48 unknown\nmove a captured 0 unknown\n"));
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
