//! The shared state of a search with several threads. The main thread alone decides and reports.
//!
//! Helper threads search the same root on their own, so the transposition table holds their results when the main thread comes there, and
//! each thread defers nodes that another one is searching ([`super::busy`]). Threads are started for each search: that costs
//! microseconds, and none is left waiting between searches.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::busy::BusyTable;
use super::stop::StopHandle;
use super::workers::STACK;

/// The most threads of one search.
pub const MOST_THREADS: usize = 256;

/// Nodes of a batch: a thread asks again after each.
const BATCH: u64 = 1024;

/// What the threads of one search share beside the transposition table.
pub(super) struct Shared<'a> {
    stop: &'a StopHandle,
    /// The node limit of all threads together.
    limit: u64,
    /// Nodes granted to threads.
    granted: AtomicU64,
    /// Nodes searched, as far as the threads have reported.
    made: AtomicU64,
    /// Tablebase hits, likewise.
    hits: AtomicU64,
    /// The iteration of the main thread.
    depth: AtomicU8,
    /// The main thread has ended.
    over: AtomicBool,
    /// A helper thread has panicked.
    failed: AtomicBool,
    /// The busy table, if there is more than one thread.
    pub busy: Option<BusyTable>,
}

/// What a thread brings home from a panic.
type Panic = Box<dyn Any + Send>;

impl<'a> Shared<'a> {
    /// A team of so many threads that may make so many moves.
    pub fn new(stop: &'a StopHandle, limit: u64, threads: usize) -> Shared<'a> {
        Shared {
            stop,
            limit,
            granted: AtomicU64::new(0),
            made: AtomicU64::new(0),
            hits: AtomicU64::new(0),
            depth: AtomicU8::new(0),
            over: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            busy: (threads > 1).then(BusyTable::new),
        }
    }

    /// Counts moves that a thread has made, and positions that the endgame tables knew.
    pub fn tell(&self, made: u64, hits: u64) {
        self.hits.fetch_add(hits, Relaxed);
        let before = self.made.fetch_add(made, Relaxed);
        self.stop.publish(before + made);
    }

    /// Moves made, as far as the threads have told.
    pub fn made(&self) -> u64 {
        self.made.load(Relaxed)
    }

    /// Positions that the endgame tables knew, as far as the threads have told.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// The first thread begins to look so many plies ahead.
    pub fn deepen(&self, depth: u8) {
        self.depth.store(depth, Relaxed);
    }

    /// How many plies ahead the first thread looks, as far as it has told.
    pub fn depth(&self) -> u8 {
        self.depth.load(Relaxed)
    }

    /// How many moves a thread may make before it asks again; none when the search is to end. All grants together are no more than
    /// the limit, so with one thread it is kept to the move.
    pub fn next_batch(&self) -> u64 {
        if self.stop.should_stop() || self.over.load(Relaxed) || self.failed.load(Relaxed) {
            return 0;
        }
        let share = |granted: u64| BATCH.min(self.limit - granted);
        let grant = self.granted.fetch_update(Relaxed, Relaxed, |granted| Some(granted + share(granted)));
        share(grant.expect("there is always a next count"))
    }

    /// Runs the first thread's work here and that of the others beside it, and waits until all have ended. Where the system gives
    /// no more threads, fewer search.
    ///
    /// A panic of any of them ends all, and is that of this call unless the first one has finished before.
    pub fn search(&self, others: Vec<impl FnOnce() + Send>, first: impl FnOnce() -> Result<(), Failed>) {
        let outcome = thread::scope(|scope| {
            for work in others {
                let guarded = || {
                    if catch_unwind(AssertUnwindSafe(work)).is_err() {
                        self.failed.store(true, Relaxed);
                    }
                };
                let named = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
                if named.spawn_scoped(scope, guarded).is_err() {
                    break;
                }
            }
            let outcome = catch_unwind(AssertUnwindSafe(first));
            self.over.store(true, Relaxed);
            outcome
        });
        match outcome {
            Ok(Ok(())) => {}
            Ok(Err(Failed)) => resume_unwind(Box::new("another thread of the search panicked") as Panic),
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Whether all threads are well.
    ///
    /// # Errors
    /// If one has panicked.
    pub fn check(&self) -> Result<(), Failed> {
        if self.failed.load(Relaxed) { Err(Failed) } else { Ok(()) }
    }
}

/// A thread has panicked.
pub(super) struct Failed;

#[cfg(test)]
mod tests {
    use super::*;

    fn work(shared: &Shared<'_>) {
        loop {
            match shared.next_batch() {
                0 => break,
                moves => shared.tell(moves, 0),
            }
        }
    }

    #[test]
    fn a_team_makes_all_moves_of_its_limit_and_no_more() {
        for limit in [0, 1, 1023, 1024, 1025, 1_000_000] {
            let stop = StopHandle::alone();
            let shared = Shared::new(&stop, limit, 4);
            shared.search(vec![|| work(&shared); 3], || {
                work(&shared);
                shared.check()
            });
            assert_eq!((shared.made(), stop.nodes().0), (limit, limit));
        }
    }

    #[test]
    fn the_end_of_the_first_is_the_end_of_all() {
        let stop = StopHandle::alone();
        let shared = Shared::new(&stop, u64::MAX, 4);
        shared.search(vec![|| work(&shared); 3], || shared.check());
        assert_eq!(shared.next_batch(), 0);
    }

    #[test]
    fn a_panic_of_one_ends_all() {
        let stop = StopHandle::alone();
        let shared = Shared::new(&stop, u64::MAX, 4);
        let others: Vec<Box<dyn FnOnce() + Send>> =
            vec![Box::new(|| work(&shared)), Box::new(|| panic!("an error of the engine, made for the test"))];
        let ended = catch_unwind(AssertUnwindSafe(|| {
            shared.search(others, || {
                work(&shared);
                shared.check()
            })
        }));
        assert!(ended.is_err());
        let shared = Shared::new(&stop, u64::MAX, 4);
        let ended =
            catch_unwind(AssertUnwindSafe(|| shared.search(vec![|| work(&shared); 3], || panic!("the first one"))));
        assert!(ended.is_err());
    }
}
