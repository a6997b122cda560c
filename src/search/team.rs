//! Several threads at one search: they share the table, and the first one alone decides and tells.
//!
//! The others search the same root on their own, so what they find stands in the table when the first one comes there, and each puts
//! off what another is looking at ([`super::places`]). They are started for each search: that costs microseconds, and none is left
//! waiting between searches.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::control::Control;
use super::places::Places;
use super::workers::STACK;

/// The most threads of one search.
pub const MOST_THREADS: usize = 256;

/// Moves between two looks at what the others do.
const SHIFT: u64 = 1024;

/// What the threads of one search share beside the table.
pub(super) struct Team<'a> {
    control: &'a Control,
    /// Moves that may be made in all.
    limit: u64,
    /// Moves that were granted to some thread.
    granted: AtomicU64,
    /// Moves made, as far as the threads have told.
    made: AtomicU64,
    /// Positions that the endgame tables knew, likewise.
    hits: AtomicU64,
    /// How deep the first thread looks now.
    depth: AtomicU8,
    /// The first thread has come to its end.
    over: AtomicBool,
    /// One of the others has panicked.
    failed: AtomicBool,
    /// Where its threads are, if there are more than one.
    pub places: Option<Places>,
}

/// What a thread brings home from a panic.
type Panic = Box<dyn Any + Send>;

impl<'a> Team<'a> {
    /// A team of so many threads that may make so many moves.
    pub fn new(control: &'a Control, limit: u64, threads: usize) -> Team<'a> {
        Team {
            control,
            limit,
            granted: AtomicU64::new(0),
            made: AtomicU64::new(0),
            hits: AtomicU64::new(0),
            depth: AtomicU8::new(0),
            over: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            places: (threads > 1).then(Places::new),
        }
    }

    /// Counts moves that a thread has made, and positions that the endgame tables knew.
    pub fn tell(&self, made: u64, hits: u64) {
        self.hits.fetch_add(hits, Relaxed);
        let before = self.made.fetch_add(made, Relaxed);
        self.control.publish(before + made);
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
    pub fn next_shift(&self) -> u64 {
        if self.control.should_stop() || self.over.load(Relaxed) || self.failed.load(Relaxed) {
            return 0;
        }
        let share = |granted: u64| SHIFT.min(self.limit - granted);
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

    fn work(team: &Team<'_>) {
        loop {
            match team.next_shift() {
                0 => break,
                moves => team.tell(moves, 0),
            }
        }
    }

    #[test]
    fn a_team_makes_all_moves_of_its_limit_and_no_more() {
        for limit in [0, 1, 1023, 1024, 1025, 1_000_000] {
            let control = Control::alone();
            let team = Team::new(&control, limit, 4);
            team.search(vec![|| work(&team); 3], || {
                work(&team);
                team.check()
            });
            assert_eq!((team.made(), control.nodes().0), (limit, limit));
        }
    }

    #[test]
    fn the_end_of_the_first_is_the_end_of_all() {
        let control = Control::alone();
        let team = Team::new(&control, u64::MAX, 4);
        team.search(vec![|| work(&team); 3], || team.check());
        assert_eq!(team.next_shift(), 0);
    }

    #[test]
    fn a_panic_of_one_ends_all() {
        let control = Control::alone();
        let team = Team::new(&control, u64::MAX, 4);
        let others: Vec<Box<dyn FnOnce() + Send>> =
            vec![Box::new(|| work(&team)), Box::new(|| panic!("an error of the engine, made for the test"))];
        let ended = catch_unwind(AssertUnwindSafe(|| {
            team.search(others, || {
                work(&team);
                team.check()
            })
        }));
        assert!(ended.is_err());
        let team = Team::new(&control, u64::MAX, 4);
        let ended = catch_unwind(AssertUnwindSafe(|| team.search(vec![|| work(&team); 3], || panic!("the first one"))));
        assert!(ended.is_err());
    }
}
