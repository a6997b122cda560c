//! Stop signals of searches, and the handle that a session keeps of a running one.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::units::Nodes;

/// Which searches have been told to stop. Each search has a ticket, given out in rising order from 1.
#[derive(Debug, Default)]
pub struct StopSignals {
    stopped_through: AtomicU64,
}

impl StopSignals {
    /// Signals of which none is set.
    pub fn new() -> StopSignals {
        StopSignals::default()
    }

    /// Stops every search up to and including the one with this ticket, also those that have not begun.
    pub fn stop_through(&self, ticket: u64) {
        self.stopped_through.fetch_max(ticket, Relaxed);
    }

    /// Whether the search with this ticket has been told to stop.
    pub fn is_stopped(&self, ticket: u64) -> bool {
        self.stopped_through.load(Relaxed) >= ticket
    }
}

/// The stop handle of one search, shared by the session and the worker.
#[derive(Debug)]
pub struct StopHandle {
    board: Arc<StopSignals>,
    ticket: u64,
    abandoned: AtomicBool,
    /// What the deadline is counted from.
    epoch: Instant,
    /// Nanoseconds after the epoch, [`StopHandle::NEVER`] without a deadline.
    soft_deadline: AtomicU64,
    nodes: AtomicU64,
}

impl StopHandle {
    const NEVER: u64 = u64::MAX;

    /// The handle of the search with this ticket.
    pub fn new(board: Arc<StopSignals>, ticket: u64) -> StopHandle {
        StopHandle {
            board,
            ticket,
            abandoned: AtomicBool::new(false),
            epoch: Instant::now(),
            soft_deadline: AtomicU64::new(StopHandle::NEVER),
            nodes: AtomicU64::new(0),
        }
    }

    /// The handle of a search that nobody else can stop.
    pub fn alone() -> StopHandle {
        StopHandle::new(Arc::new(StopSignals::new()), 1)
    }

    /// Ends the search because nobody waits for it any more.
    pub fn abandon(&self) {
        self.abandoned.store(true, Relaxed);
    }

    /// Does some work, such as the search itself, and abandons the search if that takes longer than `time`.
    pub fn abandon_after<T>(&self, time: Duration, work: impl FnOnce() -> T) -> T {
        thread::scope(|scope| {
            let (over, ended) = mpsc::channel::<()>();
            scope.spawn(move || {
                if ended.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                    self.abandon();
                }
            });
            let done = work();
            drop(over);
            done
        })
    }

    /// Whether the search is to end at once: it was stopped or abandoned.
    pub fn should_stop(&self) -> bool {
        self.abandoned.load(Relaxed) || self.board.is_stopped(self.ticket)
    }

    /// Sets or lifts the time after which no new iteration is begun. This may happen while the search runs, as `ponderhit` does.
    pub fn set_soft_deadline(&self, deadline: Option<Instant>) {
        let after = |deadline: Instant| deadline.saturating_duration_since(self.epoch);
        let nanos = deadline.map_or(StopHandle::NEVER, |deadline| nanos(after(deadline)));
        self.soft_deadline.store(nanos, Relaxed);
    }

    /// Whether there is a time after which no new iteration is begun.
    pub fn has_soft_deadline(&self) -> bool {
        self.soft_deadline.load(Relaxed) != StopHandle::NEVER
    }

    /// Whether that time is over.
    pub fn soft_deadline_passed(&self) -> bool {
        let deadline = self.soft_deadline.load(Relaxed);
        deadline != StopHandle::NEVER && nanos(self.epoch.elapsed()) >= deadline
    }

    /// The moves made so far, as far as the workers have told.
    pub fn nodes(&self) -> Nodes {
        Nodes(self.nodes.load(Relaxed))
    }

    pub(super) fn publish(&self, nodes: u64) {
        // Of several threads the one that counted less may come later.
        self.nodes.fetch_max(nodes, Relaxed);
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(StopHandle::NEVER - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_ends_its_search_and_all_before_it() {
        let board = Arc::new(StopSignals::new());
        let searches: Vec<StopHandle> = (1..=3).map(|ticket| StopHandle::new(Arc::clone(&board), ticket)).collect();
        board.stop_through(2);
        board.stop_through(1);
        let stopped: Vec<bool> = searches.iter().map(StopHandle::should_stop).collect();
        assert_eq!(stopped, [true, true, false]);
        searches[2].abandon();
        assert!(searches[2].should_stop());
    }

    #[test]
    fn a_soft_deadline_can_come_and_go() {
        let stop = StopHandle::alone();
        assert!(!stop.has_soft_deadline() && !stop.soft_deadline_passed());
        stop.set_soft_deadline(Some(Instant::now()));
        assert!(stop.has_soft_deadline() && stop.soft_deadline_passed());
        stop.set_soft_deadline(Some(Instant::now() + Duration::from_secs(3600)));
        assert!(stop.has_soft_deadline() && !stop.soft_deadline_passed());
        stop.set_soft_deadline(None);
        assert!(!stop.has_soft_deadline());
    }
}
