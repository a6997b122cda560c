//! One layer solved backwards from what is known.
//!
//! Two questions are asked of each board: what can its mover force, and what can the side force that waits? A cycle is worth
//! nothing to him who wants to force something. A mover has what the best of his moves gives him, a waiting side what the worst
//! of the other's moves leaves it, so the answers of a layer are one system of equations, whose least solution is wanted.
//!
//! Captures lead to finished layers, so they are looked up first. Then the levels are gone through from the highest down: when a
//! board is settled at a level, its moves are taken back ([`unmove`]), each mover behind them has at least that level too, and a
//! waiting side has its answer once all moves of the other are settled. No board is settled twice, and the answers do not
//! depend on the order within a level, hence not on how many threads there are.
//!
//! Where a cycle gives each side half (W8), a level counts the half seeds above that half: of the two sides only one can
//! force more than it, and if neither can, half is what they get. So values are exact there.

use std::ops::ControlFlow;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::bytes::Bytes;
use super::layer::Layer;
use super::rows::{Region, Rows};
use super::{Bounds, Draft, index, unmove};
use crate::rules::outcome::{HalfSeeds, Reason};
use crate::rules::two_row::{Board, TwoRow};

/// The most seeds of a layer: a level has five bits, and the highest one stands for no capture.
pub const MOST_SEEDS: u8 = 30;

/// Boards that a thread takes at a time, a multiple of eight.
const CHUNK: usize = 4096;
/// Layers below this size are worked out by one thread: on a busy machine threads wait for each other longer than that takes.
const ALONE: usize = 1 << 18;
/// Boards whose moves are taken back before anything is looked up: so the look-ups can overlap.
const BATCH: usize = 32;

/// The byte of a mover: the level that he has so far, and whether it was passed on already.
const PASSED_ON: u8 = 0x80;
/// The byte of a waiting side: five bits for the worst capture of the other, or the level once it is settled; three for the moves
/// that are not settled, with this value where a settled level was passed on already.
const DONE: u8 = 7;
const LEVEL_SHIFT: u32 = 3;
/// The level of a waiting side whose opponent has no capture.
const NO_CAPTURE: u8 = 31;

/// Works out a layer whose lower layers are finished; `tick` is told of boards as they are done, at most three times each.
///
/// # Panics
/// If `lower` lacks a layer or `seeds` is above [`MOST_SEEDS`].
pub fn solve<G: TwoRow<PITS>, const PITS: usize>(
    rules: &G,
    seeds: u8,
    lower: &[Layer],
    threads: usize,
    tick: &(dyn Fn(u64) + Sync),
) -> Draft {
    assert!(seeds <= MOST_SEEDS && lower.len() >= usize::from(seeds), "layers below {seeds}");
    let size = usize::try_from(index::count::<PITS>(seeds)).expect("a layer fits the memory");
    let solver = Solver::<G, PITS> {
        rules,
        seeds,
        lower,
        levels: Levels::new(rules.splits_cycles(), seeds, lower),
        rows: Rows::new(seeds),
        movers: Bytes::new(size),
        waiters: Bytes::new(size),
        size,
        tick,
    };
    if threads < 2 || size < ALONE {
        solver.run::<false>(1)
    } else {
        solver.run::<true>(threads)
    }
    solver.draft()
}

/// What bounds of lower layers are worth in levels of this one.
struct Levels {
    splits: bool,
    seeds: u8,
    /// For a capture of so many seeds, by the code of the board after it: what he who captures has, and what the other has.
    captures: Vec<[(u8, u8); 256]>,
}

impl Levels {
    fn new(splits: bool, seeds: u8, lower: &[Layer]) -> Levels {
        let mut levels = Levels { splits, seeds, captures: vec![[(0, 0); 256]; usize::from(seeds) + 1] };
        for captured in 1..=seeds {
            let palette = lower[usize::from(seeds - captured)].palette();
            for (code, &Bounds { lower, upper }) in palette.iter().enumerate() {
                let pair = (levels.level(2 * seeds - upper), levels.level(lower));
                levels.captures[usize::from(captured)][code] = pair;
            }
        }
        levels
    }

    /// The level of so many half seeds.
    fn level(&self, half_seeds: u8) -> u8 {
        if self.splits { half_seeds.saturating_sub(self.seeds) } else { half_seeds / 2 }
    }

    /// The bounds of a board by the levels of both sides.
    fn bounds(&self, mover: u8, waiter: u8) -> Bounds {
        if !self.splits {
            return Bounds { lower: 2 * mover, upper: 2 * (self.seeds - waiter) };
        }
        let value = self.seeds + mover - waiter;
        Bounds { lower: value, upper: value }
    }
}

struct Solver<'a, G, const PITS: usize> {
    rules: &'a G,
    seeds: u8,
    lower: &'a [Layer],
    levels: Levels,
    rows: Rows<PITS>,
    movers: Bytes,
    waiters: Bytes,
    size: usize,
    tick: &'a (dyn Fn(u64) + Sync),
}

impl<G: TwoRow<PITS>, const PITS: usize> Solver<'_, G, PITS> {
    /// Fills in all bytes, each stage by all threads before the next one begins.
    fn run<const SHARED: bool>(&self, threads: usize) {
        let stages: Vec<AtomicUsize> = (0..=self.seeds).map(|_| AtomicUsize::new(0)).collect();
        let barrier = Barrier::new(threads);
        let work = || {
            let mut worker = Worker::<G, PITS, SHARED> {
                solver: self,
                movers: vec![],
                waiters: vec![],
                behind: vec![],
                passed_on: 0,
            };
            for (done, next) in stages.iter().enumerate() {
                // The highest stage number is the lowest level, and level 0 needs no work.
                let level = self.seeds + 1 - done as u8;
                while let Some(region) = self.claim(next) {
                    if done == 0 { self.look_ahead(region) } else { worker.settle(level, region) }
                }
                barrier.wait();
            }
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(work)));
            work();
        });
    }

    /// The next boards of a stage.
    fn claim(&self, next: &AtomicUsize) -> Option<Region> {
        let start = next.fetch_add(CHUNK, Ordering::Relaxed);
        (start < self.size).then(|| Region { start, end: (start + CHUNK).min(self.size) })
    }

    /// Looks at all moves of some boards: the captures, and how many others there are.
    fn look_ahead(&self, region: Region) {
        let mut movers = [0; CHUNK];
        let mut waiters = [0; CHUNK];
        let bytes = movers.iter_mut().zip(&mut waiters);
        self.rows.each_board(region, bytes, |board, (mover, waiter)| (*mover, *waiter) = self.first_bytes(board));
        self.movers.fill(region.start, &movers[..region.end - region.start]);
        self.waiters.fill(region.start, &waiters[..region.end - region.start]);
        (self.tick)((region.end - region.start) as u64);
    }

    #[inline(always)]
    fn first_bytes(&self, board: Board) -> (u8, u8) {
        let (mut best, mut worst) = (0, NO_CAPTURE);
        let (mut moves, mut quiet) = (0, 0);
        let _ = self.rules.expand(&board, |_, child| -> ControlFlow<()> {
            moves += 1;
            if child.captured == 0 {
                quiet += 1;
            } else {
                let captured = usize::from(child.captured);
                let codes = self.lower[usize::from(self.seeds) - captured].codes();
                let code = codes[index::rank::<PITS>(child.position) as usize];
                let (mover, waiter) = self.levels.captures[captured][usize::from(code)];
                best = best.max(mover);
                worst = worst.min(waiter);
            }
            ControlFlow::Continue(())
        });
        if moves == 0 || !exists::<G, PITS>(board) {
            return self.end_of_game(board);
        }
        (best, worst << LEVEL_SHIFT | quiet)
    }

    /// The bytes of a board without a legal move, or of one that no game has.
    #[cold]
    fn end_of_game(&self, board: Board) -> (u8, u8) {
        if !exists::<G, PITS>(board) {
            return (0, self.seeds << LEVEL_SHIFT | DONE);
        }
        let (mover, other) = awards(self.rules, board);
        (self.levels.level(mover), self.levels.level(other) << LEVEL_SHIFT)
    }

    fn draft(self) -> Draft {
        let settled = |byte: u8| match byte & 7 {
            0 => byte >> LEVEL_SHIFT,
            DONE if byte >> LEVEL_SHIFT != NO_CAPTURE => byte >> LEVEL_SHIFT,
            _ => 0,
        };
        let mut lower = Vec::with_capacity(self.size);
        let mut upper = Vec::with_capacity(self.size);
        for (movers, waiters) in self.movers.words().zip(self.waiters.words()) {
            for (mover, waiter) in movers.to_le_bytes().into_iter().zip(waiters.to_le_bytes()) {
                let bounds = self.levels.bounds(mover & !PASSED_ON, settled(waiter));
                lower.push(bounds.lower);
                upper.push(bounds.upper);
            }
        }
        lower.truncate(self.size);
        upper.truncate(self.size);
        Draft { seeds: self.seeds, lower, upper }
    }
}

/// Whether no pit holds more than it may.
pub fn exists<G: TwoRow<PITS>, const PITS: usize>(board: Board) -> bool {
    (0..2 * PITS).all(|pit| board.seeds_at::<PITS>(pit) <= G::FULL)
}

/// What each side gets of the seeds in the pits, in half seeds, if the mover of a board without stores has no move.
pub fn awards<G: TwoRow<PITS>, const PITS: usize>(rules: &G, board: Board) -> (u8, u8) {
    // The seeds that are missing must be somewhere, for a rule may give away all that are left.
    let missing = index::seeds::<PITS>(rules.start()) - index::seeds::<PITS>(board);
    let seeds = rules.outcome(&board.banked(missing), Reason::NoMove).seeds;
    let half_seeds = |HalfSeeds(count)| u8::try_from(count).expect("no game has so many seeds");
    (half_seeds(seeds.mover) - 2 * missing, half_seeds(seeds.other))
}

/// One thread at work on the levels.
struct Worker<'a, G, const PITS: usize, const SHARED: bool> {
    solver: &'a Solver<'a, G, PITS>,
    /// Boards whose mover is settled at the present level, which is not passed on yet.
    movers: Vec<Board>,
    /// Boards whose waiting side is.
    waiters: Vec<Board>,
    /// Where a batch of moves taken back leads to.
    behind: Vec<(usize, Board)>,
    /// How many boards of this region have been passed on.
    passed_on: u64,
}

impl<G: TwoRow<PITS>, const PITS: usize, const SHARED: bool> Worker<'_, G, PITS, SHARED> {
    /// Settles all that follows from those boards of a region that were known to come to this level.
    fn settle(&mut self, level: u8, region: Region) {
        let solver = self.solver;
        let mut found = solver.movers.equal_to(level, region);
        solver.rows.each_at(region, &mut found, |board| self.movers.push(board));
        let mut found = solver.waiters.equal_to(level << LEVEL_SHIFT, region);
        solver.rows.each_at(region, &mut found, |board| self.waiters.push(board));
        while !(self.movers.is_empty() && self.waiters.is_empty()) {
            self.pass_on_movers(level);
            self.pass_on_waiters(level);
        }
        (solver.tick)(std::mem::take(&mut self.passed_on));
    }

    /// Takes back the moves that lead to settled movers: those who wait there are one answer nearer.
    fn pass_on_movers(&mut self, level: u8) {
        let Worker { solver, movers, waiters, behind, passed_on } = self;
        *passed_on += take_back(solver.rules, movers, behind);
        solver.waiters.touch(behind);
        for (place, board) in behind.drain(..) {
            let settled = solver.waiters.update::<SHARED>(place, |byte| {
                let worst = byte >> LEVEL_SHIFT;
                match byte & 7 {
                    // A side that can be left with nothing is never settled.
                    _ if worst == 0 => None,
                    1 if worst >= level => Some(level << LEVEL_SHIFT | DONE),
                    _ => Some(byte - 1),
                }
            });
            if settled == Some(level << LEVEL_SHIFT | DONE) {
                waiters.push(board);
            }
        }
    }

    /// Takes back the moves that lead to settled waiting sides: their movers have this level, if nothing better.
    fn pass_on_waiters(&mut self, level: u8) {
        let Worker { solver, movers, waiters, behind, passed_on } = self;
        *passed_on += take_back(solver.rules, waiters, behind);
        solver.movers.touch(behind);
        for (place, board) in behind.drain(..) {
            let raised = solver.movers.update::<SHARED>(place, |byte| (byte < level).then_some(level | PASSED_ON));
            if raised.is_some() {
                movers.push(board);
            }
        }
    }
}

/// Takes back the moves that lead to the last of these boards, and says how many these are.
#[inline(always)]
fn take_back<G: TwoRow<PITS>, const PITS: usize>(
    rules: &G,
    boards: &mut Vec<Board>,
    behind: &mut Vec<(usize, Board)>,
) -> u64 {
    let last = boards.len().saturating_sub(BATCH);
    let count = boards.len() - last;
    for board in boards.drain(last..) {
        unmove::each(rules, board, |before| behind.push((index::rank::<PITS>(before) as usize, before)));
    }
    count as u64
}
