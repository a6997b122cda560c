//! The session on standard input and output. The only place that writes to standard output while the protocol runs.

use std::io;
use std::sync::Arc;
use std::thread;

use anyhow::{Context as _, Result};

use super::intake::Intake;
use super::options::Options;
use super::session::Session;
use crate::search::control::StopBoard;

/// Speaks the protocol on standard input and output, to the end.
///
/// # Errors
/// If the engine cannot be set up: no memory for the table, or no thread.
pub async fn serve(options: Options) -> Result<()> {
    let board = Arc::new(StopBoard::new());
    let (intake, inbound) = Intake::new(Arc::clone(&board));
    // A plain thread: a pending read of the runtime's own standard input could not be cancelled and would hold the process at exit.
    thread::Builder::new()
        .name("stdin".to_owned())
        .spawn(move || intake.read(io::stdin().lock()))
        .context("no thread for the input")?;
    Session::new(io::stdout(), options, board)?.serve(inbound).await;
    Ok(())
}
