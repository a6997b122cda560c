//! The engine between protocol and search: the game on the table, the session, and the running job.

pub mod game;
