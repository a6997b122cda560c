//! Taking up a recorded game at its end.

use std::fs::{self, File};
use std::io::Read as _;

use anyhow::{Context as _, Result, ensure};

use super::game::Game;
use super::replay::replay;
use crate::record::RecordReader;

/// The largest file that is read, in bytes: the session answers nothing while it reads.
const LARGEST: u64 = 64 << 20;

/// The game of this number in a file of records, from 1, played over to its last position.
///
/// # Errors
/// If there is no such file or game, if the game is not as the rules have it, or was played under another ruleset than `wanted`.
pub fn load(file: &str, number: u32, wanted: &str) -> Result<Box<dyn Game>> {
    let text = read(file).with_context(|| format!("load `{file}`"))?;
    let place = number.checked_sub(1).and_then(|place| usize::try_from(place).ok());
    let record = place.and_then(|place| RecordReader::new(&text).nth(place));
    let record = record.with_context(|| format!("load `{file}`: there is no game {number}"))?;
    let context = || format!("load `{file}`: game {number}");
    let record = record.with_context(context)?;
    ensure!(record.ruleset == wanted, "{}: ruleset `{}`: wanted `{wanted}`", context(), record.ruleset);
    Ok(replay(&record).with_context(context)?.game)
}

/// The text of a plain file. Bytes that are no UTF-8 are replaced: where they matter, a line names them.
fn read(file: &str) -> Result<String> {
    // Anything else may be without an end, or wait for one who writes.
    ensure!(fs::metadata(file)?.is_file(), "wanted a plain file");
    let mut bytes = Vec::new();
    File::open(file)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= LARGEST, "wanted a file of at most {} MiB", LARGEST >> 20);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
