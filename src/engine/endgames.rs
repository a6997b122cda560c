//! The endgame tables that a game is played with: small ones that are always there, and files that are added.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::tablebase::games::TableGame;
use crate::tablebase::probe::Tables;
use crate::tablebase::refine::Effort;
use crate::tablebase::{build, games};
use crate::units::{OptionValues, Variant};

/// The most seeds of the tables that are always there: on two rows of six, and of seven.
const BUILT_IN: [u8; 2] = [8, 7];

/// No more rulesets than this are kept: house rules have hundreds of combinations, and each costs less than a tenth of a second.
const MOST_BUILT: usize = 3;

/// What was built in this process last, by ruleset.
static BUILT: Mutex<BTreeMap<String, Tables>> = Mutex::new(BTreeMap::new());

/// The small tables of a variant under these rules with those of a folder; `None` of a game without tables. And what is wrong with
/// files that are left out, a line each.
pub fn open(variant: Variant, rules: &OptionValues, folder: &Path) -> (Option<Tables>, Vec<String>) {
    let Some(game) = games::open(variant, rules) else { return (None, Vec::new()) };
    let (tables, errors) = small(game.as_ref()).with_files(game.as_ref(), folder);
    (Some(tables), errors.iter().map(ToString::to_string).collect())
}

/// The small tables of a variant under these rules; none of a game without tables. They are built when they are first asked for, and
/// who asks meanwhile waits.
pub fn built_in(variant: Variant, options: &OptionValues) -> Option<Tables> {
    let game = games::open(variant, options)?;
    Some(small(game.as_ref()))
}

/// Begins to build the small tables of a variant under these rules, so that they are there when they are asked for.
pub fn prepare(variant: Variant, rules: &OptionValues) {
    let Some(game) = games::open(variant, rules) else { return };
    // Without a thread they are built later.
    let _ = thread::Builder::new().name("tables".to_owned()).spawn(move || small(game.as_ref()));
}

/// The small tables of a game.
fn small(game: &dyn TableGame) -> Tables {
    // Whoever panicked while he held the lock left the map whole.
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if built.len() >= MOST_BUILT && !built.contains_key(game.ruleset()) {
        built.clear();
    }
    let tables = built.entry(game.ruleset().to_owned()).or_insert_with(|| {
        let seeds = BUILT_IN[usize::from(game.pits() == 7)];
        Tables::of_layers(build::in_memory(game, seeds, Some(Effort::SHORT), 1))
    });
    tables.clone()
}
