//! What the subcommands do.

pub mod analysis;
pub mod arena;
pub mod datagen;

pub mod elo;
pub mod openings;
pub mod parallel;
pub mod pool;
pub mod ratings;
pub mod tablebase;

mod commands;

use std::fmt;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use crate::engine::options::Options;
use crate::engine::{bench, game};
use crate::search::stop::StopHandle;
use crate::units::{Depth, Variant};

pub use commands::{run_analyse, run_datagen, run_extract, run_openings, run_ratings, run_replay};

/// Runs the bench of one variant, or of all, and prints what it counted.
///
/// # Errors
/// If there is no memory for the table, or nobody reads what is printed.
pub fn run_bench(depth: Option<Depth>, variant: Option<Variant>) -> Result<()> {
    let stop = Arc::new(StopHandle::alone());
    let variants = Variant::ALL.into_iter().filter(|&each| variant.is_none_or(|wanted| wanted == each));
    let mut counts = Vec::new();
    for variant in variants {
        if let Some(count) = bench::run(variant, depth, &stop)? {
            print(bench::line(&count))?;
            counts.push(count);
        }
    }
    Ok(print(bench::total(&counts))?)
}

/// Counts leaf positions under the chosen rules and prints how many, and how fast.
///
/// # Errors
/// If the token is no position of the game, the leaves are too deep, or nobody reads what is printed.
pub fn run_perft(options: &Options, depth: Depth, position: Option<&str>, made: bool) -> Result<()> {
    let variant = options.variant();
    let mut game = game::open(variant, options.rules(variant));
    game.set_up(position, &[])?;
    let started = Instant::now();
    let leaves = game.leaves(depth, made)?;
    let time = started.elapsed();
    let per_second = u128::from(leaves) * 1_000_000 / time.as_micros().max(1);
    let what = if made { "made" } else { "counted" };
    let (ruleset, time) = (game.ruleset(), time.as_millis());
    Ok(print(format_args!("perft {ruleset} leaves {leaves} {what} time {time} per second {per_second}"))?)
}

/// Prints a line. Not by the macro, which panics where nobody reads.
fn print(line: impl fmt::Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
