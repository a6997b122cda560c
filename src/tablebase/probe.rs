//! Tables asked for bounds: layers in memory and layers in files, with the blocks of the files that were asked for last.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};

use super::file::{BLOCK, LayerFile, TableError};
use super::games::TableGame;
use super::layer::Layer;
use super::retrograde::MOST_SEEDS;
use super::{Bounds, index};
use crate::rules::two_row::Board;

/// Blocks of files that are kept unpacked: 64 MiB.
const KEPT: usize = (64 << 20) / BLOCK;

/// Layers with no more boards than this are read whole.
const SMALL: u64 = 1 << 17;

/// The tables of one game under its rules. A copy shares them and costs nothing.
#[derive(Clone)]
pub struct Tables {
    shared: Arc<Shared>,
    /// Boards with more seeds are not asked for.
    most: u8,
}

struct Shared {
    /// By seeds.
    layers: Vec<Option<Arc<Source>>>,
    kept: Vec<RwLock<Kept>>,
    complaints: Mutex<Vec<String>>,
}

enum Source {
    Memory(Layer),
    File { file: LayerFile, is_lost: AtomicBool },
}

/// A block that was unpacked.
#[derive(Default)]
struct Kept {
    /// Which one: the seeds of its layer and its number there.
    place: Option<(u8, usize)>,
    codes: Vec<u8>,
}

/// The file of a layer, or what it holds if that is little.
fn opened(game: &dyn TableGame, folder: &Path, seeds: u8) -> Result<Source, TableError> {
    let file = LayerFile::open_layer(folder, game, seeds)?;
    Ok(if game.count(seeds) <= SMALL {
        Source::Memory(file.read(1)?)
    } else {
        Source::File { file, is_lost: AtomicBool::new(false) }
    })
}

impl Tables {
    /// Tables of these layers.
    pub fn of_layers(layers: Vec<Layer>) -> Tables {
        Tables::new(layers.into_iter().map(|layer| Some(Arc::new(Source::Memory(layer)))).collect())
    }

    /// These tables with the files of a folder, which may know more than the layers in their place; and what is wrong with files that
    /// are left out.
    pub fn with_files(&self, game: &dyn TableGame, folder: &Path) -> (Tables, Vec<TableError>) {
        let mut sources = self.shared.layers.clone();
        sources.resize_with(usize::from(MOST_SEEDS) + 1, || None);
        let mut errors = Vec::new();
        for (source, seeds) in sources.iter_mut().zip(0..) {
            match opened(game, folder, seeds) {
                Ok(file) => *source = Some(Arc::new(file)),
                Err(error) if error.is_missing() => {}
                Err(error) => errors.push(error),
            }
        }
        (Tables::new(sources), errors)
    }

    fn new(mut layers: Vec<Option<Arc<Source>>>) -> Tables {
        layers.truncate(layers.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        let has_files = layers.iter().flatten().any(|source| matches!(**source, Source::File { .. }));
        let kept = (0..if has_files { KEPT } else { 0 }).map(|_| RwLock::default()).collect();
        Tables { shared: Arc::new(Shared { layers, kept, complaints: Mutex::default() }), most: u8::MAX }
    }

    /// These tables for boards of no more seeds than this.
    pub fn up_to(self, most: u8) -> Tables {
        Tables { most, ..self }
    }

    /// The most seeds that there is a layer for, if there is any.
    #[inline(always)]
    pub fn largest(&self) -> Option<u8> {
        self.shared.layers.len().checked_sub(1).map(|seeds| self.most.min(seeds as u8))
    }

    /// Whether there is a layer for so many seeds.
    pub fn has(&self, seeds: u8) -> bool {
        seeds <= self.most
            && self.shared.layers.get(usize::from(seeds)).is_some_and(|source| match source.as_deref() {
                Some(Source::File { is_lost, .. }) => !is_lost.load(Ordering::Relaxed),
                Some(Source::Memory(_)) => true,
                None => false,
            })
    }

    /// The bounds of a board with `PITS` pits a side, its stores left out of account, if there is a layer for it.
    ///
    /// A layer whose file turns out to be damaged, or has shrunk, is not asked again and leaves a [complaint](Tables::complaints).
    #[inline]
    pub fn probe<const PITS: usize>(&self, board: Board) -> Option<Bounds> {
        let seeds = index::seeds::<PITS>(board);
        if seeds > self.largest()? {
            return None;
        }
        let source = self.shared.layers.get(usize::from(seeds))?.as_deref()?;
        let rank = index::rank::<PITS>(board);
        match source {
            Source::Memory(layer) => layer.bounds(rank),
            Source::File { file, is_lost } => self.look_up(file, is_lost, seeds, usize::try_from(rank).ok()?),
        }
    }

    /// What has gone wrong since the last call, a line each.
    pub fn complaints(&self) -> Vec<String> {
        self.shared.complaints.lock().map(|mut lines| std::mem::take(&mut *lines)).unwrap_or_default()
    }

    fn look_up(&self, file: &LayerFile, is_lost: &AtomicBool, seeds: u8, rank: usize) -> Option<Bounds> {
        if is_lost.load(Ordering::Relaxed) {
            return None;
        }
        let (number, place) = (rank / BLOCK, rank % BLOCK);
        // Layers begin at different places, so that their first blocks do not drive each other out.
        let shelf = &self.shared.kept[(number + usize::from(seeds) * 1021) % self.shared.kept.len()];
        let bounds = |codes: &[u8]| file.header.palette.get(usize::from(*codes.get(place)?)).copied();
        // A panic of another thread cannot leave a block half written: it is exchanged whole.
        let kept = shelf.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        if kept.place == Some((seeds, number)) {
            return bounds(&kept.codes);
        }
        drop(kept);
        match file.read_block(number) {
            Ok(codes) => {
                let found = bounds(&codes);
                let mut kept = shelf.write().unwrap_or_else(|poisoned| poisoned.into_inner());
                *kept = Kept { place: Some((seeds, number)), codes };
                found
            }
            Err(error) => {
                if !is_lost.swap(true, Ordering::Relaxed) {
                    let line = format!("{error}; the table is left out");
                    self.shared.complaints.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(line);
                }
                None
            }
        }
    }
}
