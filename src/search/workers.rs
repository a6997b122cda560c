//! The thread that searches: it lives as long as its owner and takes one job after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use super::table::{Table, TableError};
use crate::units::Mebibytes;

/// What a job finds at its worker.
pub struct Context {
    /// The transposition table.
    pub table: Table,
}

/// Something that a worker does: a search, or a perft or bench that is not to run elsewhere.
pub type Job = Box<dyn FnOnce(&mut Context) + Send>;

/// A worker could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SearcherError {
    /// There is not enough memory for the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system gives no thread.
    #[error("no thread for the search: {0}")]
    Thread(#[from] std::io::Error),
}

/// The stack of a worker: a search of full depth with a large frame a ply needs a tenth of it.
pub(super) const STACK: usize = 8 << 20;

/// A table and the thread that searches with it.
pub struct Searcher {
    mailbox: mpsc::Sender<Job>,
}

impl Searcher {
    /// A searcher with an empty table of this size. Its thread ends after its last job once the searcher is dropped.
    ///
    /// # Errors
    /// If there is no memory or no thread to be had.
    pub fn new(hash: Mebibytes) -> Result<Searcher, SearcherError> {
        let mut context = Context { table: Table::new(hash)? };
        let (mailbox, jobs) = mpsc::channel::<Job>();
        thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(move || {
            for job in jobs {
                // The table stays usable: its entries are whole at any moment. All else a job brings itself.
                let _ = catch_unwind(AssertUnwindSafe(|| job(&mut context)));
            }
        })?;
        Ok(Searcher { mailbox })
    }

    /// Hands a job over. It begins when all jobs before it are done; this does not wait for it. A job that panics ends, and the
    /// next one begins.
    ///
    /// # Panics
    /// If the worker is gone, which it never is while its owner lives.
    pub fn start(&self, job: Job) {
        self.mailbox.send(job).expect("the worker lives as long as its searcher");
    }

    /// Makes the table empty and of another size, after the jobs before; waits until it is done.
    ///
    /// # Errors
    /// If the memory cannot be had; the table is then empty and of its old size.
    pub fn resize(&self, hash: Mebibytes) -> Result<(), TableError> {
        self.wait_for(move |context| context.table.resize(hash))
    }

    /// Forgets everything, after the jobs before; waits until it is done. The next search is then as the first one.
    pub fn clear(&self) {
        self.wait_for(|context| context.table.clear());
    }

    fn wait_for<T: Send + 'static>(&self, work: impl FnOnce(&mut Context) -> T + Send + 'static) -> T {
        let (sender, answer) = mpsc::sync_channel(1);
        self.start(Box::new(move |context| sender.send(work(context)).expect("someone waits for the answer")));
        answer.recv().expect("work on the table does not panic")
    }
}
