//! `scripts/replay_trace.py` replays a few moves of each variant; by hand it is run with many.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use empiki::units::Variant;

#[test]
fn traces_are_replayed_by_a_script_that_knows_no_rule() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/replay_trace.py");
    let engine = env!("CARGO_BIN_EXE_empiki");
    let run = Command::new("python3").arg(script).args(["--moves", "200", "--engine", engine]).output();
    let output = match run {
        // Where there is no Python, the traces of `tests/laws.rs` are what is left.
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        other => other.expect("the script starts"),
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().count(), Variant::ALL.len(), "{said}");
    assert!(said.lines().all(|line| line.contains(": 200 moves")), "{said}");
}
