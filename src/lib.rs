//! Empiki, a headless engine for traditional mancala games.

pub mod units;
