//! Tables built, in memory or into files.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::file::{self, LayerFile, TableError};
use super::games::TableGame;
use super::layer::Layer;
use super::refine::Effort;
use super::retrograde::MOST_SEEDS;

/// What a build has come to.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// A layer was there, whole.
    Found(u8),
    /// The file of a layer is not whole and the layer is built again.
    Damaged(u8),
    /// A layer is begun.
    Begun(u8),
    /// So many more steps are done; a layer has three for each of its boards at the most.
    Steps(u64),
    /// A layer was built and is in its place.
    Built {
        /// Its seeds.
        seeds: u8,
        /// How long it took to work out, and to pack and store.
        times: (Duration, Duration),
        /// The bytes of its file.
        bytes: u64,
    },
}

/// Whether the tables of a game can go so far.
pub fn is_possible(seeds: u8) -> bool {
    seeds <= MOST_SEEDS
}

/// About how much memory, in bytes, it takes to build the layers up to this one.
pub fn memory(game: &dyn TableGame, seeds: u8) -> u64 {
    let finished: u64 = (0..seeds).map(|seeds| game.count(seeds)).sum();
    // Two bytes a board while it is worked out and three for a moment after that; rows and boards in hand take little.
    finished + 3 * game.count(seeds) + (64 << 20)
}

/// The layers up to this one, in memory, the small ones tightened with so much effort.
///
/// # Panics
/// If it is not [possible](is_possible).
pub fn in_memory(game: &dyn TableGame, seeds: u8, effort: Option<Effort>, threads: usize) -> Vec<Layer> {
    let mut layers = Vec::with_capacity(usize::from(seeds) + 1);
    for _ in 0..=seeds {
        let layer = game.next_layer(&layers, effort, threads, &|_| ());
        layers.push(layer);
    }
    layers
}

/// Builds the layers up to this one into files of a folder, which is made if it is missing, the small ones tightened with so much effort.
/// What is there and whole stays.
///
/// The files are the same byte for byte for any number of threads, however often the build was broken off.
///
/// # Errors
/// If the system says no, or the folder holds tables of other rules.
///
/// # Panics
/// If it is not [possible](is_possible).
pub fn into_files(
    game: &dyn TableGame,
    seeds: u8,
    effort: Option<Effort>,
    folder: &Path,
    threads: usize,
    watch: &(dyn Fn(Progress) + Sync),
) -> Result<(), TableError> {
    fs::create_dir_all(folder).map_err(TableError::io(folder))?;
    let mut layers: Vec<Layer> = Vec::with_capacity(usize::from(seeds) + 1);
    for seeds in 0..=seeds {
        let layer = match found(game, seeds, folder, threads, watch)? {
            Some(layer) => layer,
            None => built(game, &layers, effort, folder, threads, watch)?,
        };
        layers.push(layer);
    }
    Ok(())
}

/// The layer that is there, if it is whole.
fn found(
    game: &dyn TableGame,
    seeds: u8,
    folder: &Path,
    threads: usize,
    watch: &(dyn Fn(Progress) + Sync),
) -> Result<Option<Layer>, TableError> {
    match LayerFile::open_layer(folder, game, seeds).and_then(|file| file.read(threads)) {
        Ok(layer) => {
            watch(Progress::Found(seeds));
            Ok(Some(layer))
        }
        Err(error) if error.is_missing() => Ok(None),
        Err(TableError::Damaged { .. }) => {
            watch(Progress::Damaged(seeds));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The next layer, built and stored.
fn built(
    game: &dyn TableGame,
    finished: &[Layer],
    effort: Option<Effort>,
    folder: &Path,
    threads: usize,
    watch: &(dyn Fn(Progress) + Sync),
) -> Result<Layer, TableError> {
    watch(Progress::Begun(finished.len() as u8));
    let started = Instant::now();
    let layer = game.next_layer(finished, effort, threads, &|steps| watch(Progress::Steps(steps)));
    let solved = started.elapsed();
    let bytes = file::write(folder, game, &layer, threads)?;
    let times = (solved, started.elapsed() - solved);
    watch(Progress::Built { seeds: layer.seeds(), times, bytes });
    Ok(layer)
}
