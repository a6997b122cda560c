//! A layer as a file.
//!
//! ```text
//!  8 bytes  EmpikiTB        2  version         1  pits a side     1  seeds
//!  2  length of the ruleset word   2  pairs of bounds   4  boards a block   4  blocks
//!  the ruleset word, the pairs (2 bytes each), for each block its length and its checksum (4 bytes each)
//!  4  checksum of all so far, then the blocks without a gap
//! ```
//!
//! Numbers are little-endian, checksums CRC-32. A block is a stream of DEFLATE with the codes of so many boards in the order of
//! their ranks. The same layer always makes the same file.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::games::TableGame;
use super::layer::Layer;
use super::retrograde::MOST_SEEDS;
use super::{Bounds, parallel};

const MAGIC: &[u8; 8] = b"EmpikiTB";
/// Raised with each change of the format, and of what the bounds are.
const VERSION: u16 = 1;
/// Boards a block: few enough that one is unpacked in some ten microseconds.
pub(super) const BLOCK: usize = 4096;
/// How hard blocks are packed, of 10. The next levels save 3 and 5 of 100 bytes and take two and three times as long.
const EFFORT: u8 = 1;
/// The fixed part of a header.
const FIXED: usize = 24;

/// Why a file of a table cannot be used or made.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// A layer of another game, or of other house rules.
    #[error("{}: a table of `{found}`, wanted one of `{wanted}`", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The ruleset word in the file.
        found: String,
        /// The one that is played.
        wanted: String,
    },
    /// Not what was written.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

impl TableError {
    /// Turns what the system says of a file into an error.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> TableError + '_ {
        |error| TableError::Io { path: path.to_owned(), error }
    }

    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, TableError::Io { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }
}

/// The file of a layer.
pub fn path(folder: &Path, game: &dyn TableGame, seeds: u8) -> PathBuf {
    folder.join(format!("{}-{seeds:02}.{ENDING}", game.variant().name()))
}

/// How the names of files of tables end.
pub const ENDING: &str = "table";

/// Where a block lies in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub start: u64,
    pub length: usize,
    checksum: u32,
}

/// What a file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The ruleset word.
    pub ruleset: String,
    /// Pits a side.
    pub pits: u8,
    /// Seeds in the pits of each board.
    pub seeds: u8,
    /// The pairs of bounds by their codes.
    pub palette: Vec<Bounds>,
    pub(super) blocks: Vec<Block>,
    /// The boards of the layer.
    pub(super) boards: usize,
}

impl Header {
    /// Reads the header at the beginning of a file that is `length` bytes long, of which `bytes` are the first.
    ///
    /// # Errors
    /// What is wrong with it, or how many bytes it takes to know.
    fn parse(bytes: &[u8], length: u64, count: impl Fn(u8, u8) -> u64) -> Result<Header, Refused> {
        let mut rest = Bytes { bytes, needed: FIXED };
        if rest.take(8)? != MAGIC {
            return Err(Refused::because("no table"));
        }
        let version = rest.number(2)?;
        if version != usize::from(VERSION) {
            return Err(Refused::because(format!("a table of format {version}, wanted {VERSION}")));
        }
        let (pits, seeds) = (rest.number(1)? as u8, rest.number(1)? as u8);
        let (word, pairs) = (rest.number(2)?, rest.number(2)?);
        let (size, blocks) = (rest.number(4)?, rest.number(4)?);
        let is_known = (pits == 6 || pits == 7) && seeds <= MOST_SEEDS && (1..=256).contains(&pairs) && size == BLOCK;
        let boards = if is_known { usize::try_from(count(pits, seeds)).unwrap_or(0) } else { 0 };
        if !is_known || blocks != boards.div_ceil(BLOCK) {
            return Err(Refused::because("damaged: the header contradicts itself"));
        }
        let whole = FIXED + word + 2 * pairs + 8 * blocks + 4;
        rest.needed = whole;
        let ruleset = String::from_utf8_lossy(rest.take(word)?).into_owned();
        let palette = rest.take(2 * pairs)?.chunks(2).map(|pair| Bounds { lower: pair[0], upper: pair[1] });
        let palette: Vec<Bounds> = palette.collect();
        let mut start = whole as u64;
        let mut places = Vec::with_capacity(blocks);
        for _ in 0..blocks {
            let (length, checksum) = (rest.number(4)?, rest.number(4)? as u32);
            places.push(Block { start, length, checksum });
            start += length as u64;
        }
        if rest.number(4)? as u32 != crc32fast::hash(&bytes[..whole - 4]) {
            return Err(Refused::because("damaged: the checksum of the header does not match"));
        }
        if palette.iter().any(|bounds| bounds.lower > bounds.upper || bounds.upper > 2 * seeds) {
            return Err(Refused::because("damaged: it has bounds that no board has"));
        }
        if start != length {
            return Err(Refused::because(format!("damaged: it is {length} bytes long, wanted {start}")));
        }
        Ok(Header { ruleset, pits, seeds, palette, blocks: places, boards })
    }

    /// The codes of a block from its bytes.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn unpack(&self, number: usize, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let damaged = |what| format!("damaged: block {number} {what}");
        if crc32fast::hash(bytes) != self.blocks[number].checksum {
            return Err(damaged("does not match its checksum"));
        }
        let wanted = BLOCK.min(self.boards - number * BLOCK);
        let codes = miniz_oxide::inflate::decompress_to_vec_with_limit(bytes, wanted);
        let codes = codes.map_err(|_| damaged("cannot be unpacked"))?;
        let known = codes.iter().all(|&code| usize::from(code) < self.palette.len());
        if codes.len() != wanted || !known { Err(damaged("has not the codes of its boards")) } else { Ok(codes) }
    }
}

/// A header that cannot be read.
enum Refused {
    /// It is longer than what was given.
    Needs(usize),
    Because(String),
}

impl Refused {
    fn because(what: impl Into<String>) -> Refused {
        Refused::Because(what.into())
    }
}

/// What is left to read of a header.
struct Bytes<'a> {
    bytes: &'a [u8],
    /// How long the part is that is being read, from the beginning of the file.
    needed: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Refused> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(Refused::Needs(self.needed))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn number(&mut self, bytes: usize) -> Result<usize, Refused> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }
}

/// A file of a table that has been opened, its header read.
#[derive(Debug)]
pub struct LayerFile {
    /// Where it lies.
    pub path: PathBuf,
    /// What it says of itself.
    pub header: Header,
    file: File,
}

impl LayerFile {
    /// Opens a file and reads its header. Its blocks are checked as they are read.
    ///
    /// # Errors
    /// If it cannot be read, or is no table, or a damaged or truncated one.
    pub fn open(path: &Path) -> Result<LayerFile, TableError> {
        let file = File::open(path).map_err(TableError::io(path))?;
        let length = file.metadata().map_err(TableError::io(path))?.len();
        let damaged = |what| TableError::Damaged { path: path.to_owned(), what };
        let count =
            |pits, seeds| if pits == 6 { super::index::count::<6>(seeds) } else { super::index::count::<7>(seeds) };
        let mut needed = FIXED;
        loop {
            if needed as u64 > length {
                return Err(damaged(format!("damaged: it is {length} bytes long, its header takes {needed}")));
            }
            let mut bytes = vec![0; needed];
            read_exact_at(LayerHandle { file: &file, path }, &mut bytes, 0).map_err(TableError::io(path))?;
            match Header::parse(&bytes, length, count) {
                Ok(header) => return Ok(LayerFile { path: path.to_owned(), header, file }),
                Err(Refused::Needs(more)) if more > needed => needed = more,
                Err(Refused::Needs(_)) => return Err(damaged("damaged: its header has no end".to_owned())),
                Err(Refused::Because(what)) => return Err(damaged(what)),
            }
        }
    }

    /// Opens the file of a layer of this game.
    ///
    /// # Errors
    /// As [`LayerFile::open`], or if it is a layer of other rules or with another number of seeds.
    pub fn open_layer(folder: &Path, game: &dyn TableGame, seeds: u8) -> Result<LayerFile, TableError> {
        let file = LayerFile::open(&path(folder, game, seeds))?;
        if file.header.ruleset != game.ruleset() || file.header.pits != game.pits() {
            let (found, wanted) = (file.header.ruleset, game.ruleset().to_owned());
            return Err(TableError::Foreign { path: file.path, found, wanted });
        }
        if file.header.seeds != seeds {
            let what = format!("a table of {} seeds, wanted {seeds}", file.header.seeds);
            return Err(TableError::Damaged { path: file.path, what });
        }
        Ok(file)
    }

    /// Reads one block.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub(super) fn read_block(&self, number: usize) -> Result<Vec<u8>, TableError> {
        let block = self.header.blocks[number];
        let mut bytes = vec![0; block.length];
        let handle = LayerHandle { file: &self.file, path: &self.path };
        read_exact_at(handle, &mut bytes, block.start).map_err(TableError::io(&self.path))?;
        let damaged = |what| TableError::Damaged { path: self.path.clone(), what };
        self.header.unpack(number, &bytes).map_err(damaged)
    }

    /// Reads all of it, with so many threads.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn read(&self, threads: usize) -> Result<Layer, TableError> {
        let blocks = parallel::map(threads, self.header.blocks.len(), |number| self.read_block(number));
        let mut codes = Vec::with_capacity(self.header.boards);
        for block in blocks {
            codes.extend(block?);
        }
        let layer = Layer::from_parts(self.header.seeds, self.header.palette.clone(), codes);
        Ok(layer.expect("each block has been checked"))
    }

    /// How long the file is.
    pub fn length(&self) -> u64 {
        self.header.blocks.last().map_or(0, |block| block.start + block.length as u64)
    }
}

/// Writes a layer beside its place, has it stored, checks it and gives it its name.
///
/// # Errors
/// If the system says no, or what can be read is not what was written.
pub fn write(folder: &Path, game: &dyn TableGame, layer: &Layer, threads: usize) -> Result<u64, TableError> {
    let path = path(folder, game, layer.seeds());
    let beside = path.with_extension("part");
    let chunks: Vec<&[u8]> = layer.codes().chunks(BLOCK).collect();
    let blocks =
        parallel::map(threads, chunks.len(), |number| miniz_oxide::deflate::compress_to_vec(chunks[number], EFFORT));
    let mut bytes = header(game, layer, &blocks);
    bytes.extend(blocks.iter().flatten());
    drop(blocks);
    let store = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(&bytes)?;
        file.sync_all()
    };
    store().map_err(TableError::io(&beside))?;
    let stored = fs::read(&beside).map_err(TableError::io(&beside))?;
    if stored != bytes {
        return Err(TableError::Damaged { path: beside, what: "it reads otherwise than it was written".to_owned() });
    }
    fs::rename(&beside, &path).map_err(TableError::io(&path))?;
    // The name must be stored too; not every system can be asked for that.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(bytes.len() as u64)
}

fn header(game: &dyn TableGame, layer: &Layer, blocks: &[Vec<u8>]) -> Vec<u8> {
    let word = game.ruleset().as_bytes();
    let small = |length: usize| u16::try_from(length).expect("words and palettes are short").to_le_bytes();
    let large = |length: usize| u32::try_from(length).expect("a block is short and blocks are few").to_le_bytes();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([game.pits(), layer.seeds()]);
    bytes.extend([small(word.len()), small(layer.palette().len())].concat());
    bytes.extend([large(BLOCK), large(blocks.len())].concat());
    bytes.extend(word);
    bytes.extend(layer.palette().iter().flat_map(|bounds| [bounds.lower, bounds.upper]));
    bytes.extend(blocks.iter().flat_map(|block| [large(block.len()), crc32fast::hash(block).to_le_bytes()].concat()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Reads at a place, whatever else reads the file.
#[cfg(unix)]
fn read_exact_at(LayerHandle { file, .. }: LayerHandle<'_>, bytes: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

/// Reads at a place, whatever else reads the file: by a handle of its own, since a place belongs to a handle.
#[cfg(not(unix))]
fn read_exact_at(LayerHandle { path, .. }: LayerHandle<'_>, bytes: &mut [u8], place: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _};
    let mut file = File::open(path)?;
    file.seek(io::SeekFrom::Start(place))?;
    file.read_exact(bytes)
}

/// A file that is open, and where it lies.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "one system needs the one, another the other")]
struct LayerHandle<'a> {
    file: &'a File,
    path: &'a Path,
}
