//! Empiki, a headless engine for traditional mancala games.

pub mod protocol;
pub mod units;
