//! What is seen of a match while it is played: a bar on a terminal, else a line for each game.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the running line is printed where there is no terminal.
const GAMES_A_LINE: usize = 20;

/// Tells the user how a match goes on.
pub struct Progress {
    bar: Option<ProgressBar>,
    all: usize,
    played: usize,
    started: Instant,
}

impl Progress {
    /// A match of so many games, some of which were played before.
    pub fn new(all: usize, before: usize) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(u64::try_from(all).ok(), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left  {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(u64::try_from(before).unwrap_or(0));
            bar.reset_eta();
            bar
        });
        Progress { bar, all, played: 0, started: Instant::now() }
    }

    /// A game has ended; `done` have in all.
    pub fn game(&mut self, done: usize, line: &str, has_fault: bool, running: impl FnOnce() -> String) {
        self.played += 1;
        match &self.bar {
            Some(bar) => {
                if has_fault {
                    bar.println(line);
                }
                bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
                bar.set_message(running());
            }
            None => {
                // That nobody reads is no reason to end a match.
                let mut out = io::stdout().lock();
                let _ = writeln!(out, "{line}");
                if self.played.is_multiple_of(GAMES_A_LINE) {
                    let pace = self.played as f64 / self.started.elapsed().as_secs_f64().max(1e-3);
                    let left = self.all.saturating_sub(done) as f64 / pace;
                    let (all, running) = (self.all, running());
                    let line = format!("played {done}/{all}, {pace:.2} games a second, {left:.0} s left  {running}");
                    let _ = writeln!(out, "{}", line.trim_end());
                }
            }
        }
    }

    /// The match is over.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
