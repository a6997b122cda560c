//! The engine between protocol and search: the game on the table, the session, and the running job.

pub mod answers;
pub mod bench;
pub mod endgames;
pub mod game;
pub mod line_reader;
mod loading;
pub mod log;
pub mod options;
pub mod queue;
pub mod replay;
pub mod rng;
pub mod running;
pub mod session;
mod stack;
pub mod stdio;
pub mod strength;
