//! The session on standard input and output. The only place that writes to standard output while the protocol runs.

use std::io;
use std::sync::Arc;
use std::thread;

use anyhow::{Context as _, Result};

use super::line_reader::LineReader;
use super::log::{Log, Logged};
use super::options::Options;
use super::session::Session;
use crate::search::stop::StopSignals;

/// Speaks the protocol on standard input and output, to the end, and puts it down in a transcript if there is one.
///
/// # Errors
/// If the engine cannot be set up: no memory for the table, or no thread.
pub async fn serve(options: Options, log: Option<Log>) -> Result<()> {
    let board = Arc::new(StopSignals::new());
    let (line_reader, inbound) = LineReader::new(Arc::clone(&board));
    // A plain thread: a pending read of the runtime's own standard input could not be cancelled and would hold the process at exit.
    thread::Builder::new()
        .name("stdin".to_owned())
        .spawn({
            let line_reader = line_reader.logged(log.clone());
            move || line_reader.read(io::stdin().lock())
        })
        .context("no thread for the input")?;
    Session::new(Logged::new(io::stdout(), log.clone()), options, board)?.serve(inbound).await;
    if let Some(log) = log {
        log.finish();
    }
    Ok(())
}
