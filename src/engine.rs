//! The engine between protocol and search: the game on the table, the session, and the running job.

pub mod answers;
pub mod bench;
mod course;
pub mod dice;
pub mod endgames;
pub mod game;
pub mod intake;
mod loading;
pub mod log;
pub mod options;
pub mod queue;
pub mod replay;
pub mod running;
pub mod session;
pub mod stdio;
pub mod strength;
