//! Empiki, a headless engine for traditional mancala games.

pub mod cli;
pub mod engine;
pub mod eval;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod tools;
pub mod units;
