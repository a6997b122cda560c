//! Empiki, a headless engine for traditional mancala games.

pub mod engine;
pub mod eval;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod units;
