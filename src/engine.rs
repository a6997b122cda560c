//! The engine between protocol and search: the game on the table, the session, and the running job.

pub mod answers;
pub mod bench;
mod course;
pub mod game;
pub mod intake;
pub mod options;
pub mod queue;
pub mod running;
pub mod session;
pub mod stdio;
