//! Empiki, a headless engine for traditional mancala games.
//!
//! The package is this library and one small binary. `README.md` is for those who use the engine, `protocol.md` is what its
//! clients can rely on, and this page is the map for those who read or change it.
//!
//! # The house
//!
//! Each module of the crate is a room, and its own documentation says more.
//!
//! | room | what it is for |
//! |---|---|
//! | [`units`] | the words that every room shares: [`Pit`](units::Pit), [`Player`](units::Player), [`Variant`](units::Variant), counts, moves as they are written, options as they are declared |
//! | [`rules`] | what a game is: the trait [`Rules`](rules::Rules), one file a game in the order of its rule book, and what games share: lanes of seeds, notation, history, results, traces, perft |
//! | [`eval`] | what a position is worth without looking further: the trait [`Evaluate`](eval::Evaluate), one file a game |
//! | [`tablebase`] | what each side can force with few seeds left, in the games on two rows: the numbers of the boards and how their bounds are built |
//! | [`search`] | finding the best move: iterative deepening over any game that has rules and an evaluation, on a thread of its own; its table, its limits, its stops |
//! | [`protocol`] | text to typed values and back; it knows no game |
//! | [`record`] | game records: their text, both ways; whether the rules agree is asked in [`engine::replay`] |
//! | [`engine`] | the state machine between protocol and search: the game on the table, the options, the session and the job that runs |
//! | [`tools`] | what the subcommands do: `bench`, `perft`, and `match` with its [referee](tools::arena) and [statistics](tools::elo), and [data](tools::datagen) to train an evaluation on |
//! | [`cli`] | the command line, and nothing else |
//!
//! `src/main.rs` joins command line, engine and tools.
//!
//! # Who may import what
//!
//! ```text
//!  units <- rules <- eval, tablebase <- search <- engine <- tools <- main -> cli -> units
//!    ^        ^                                      |
//!    |        +------------ record <-----------------+
//!    |                        |                      |
//!    +------------------- protocol <-----------------+
//! ```
//!
//! A room may import every room to its left; `eval` and `tablebase` do not know each other. `protocol` and `cli` import `units`
//! alone, so either can be read, tested and replaced without a game in the room; `record` imports `units`, `rules` and `protocol`;
//! `engine` and what lies right of it may import `protocol`. Of the crates from outside nom is used in
//! `protocol` only, tokio in `engine`, `main` and `tools/arena`, clap in `cli` (and for its trait in `main`), anyhow from `engine` on to the right;
//! the rooms on the left have error types of their own. Standard output is written in `engine/stdio.rs`, in `tools` and in `main`.
//! `tests/layering.rs` holds every `crate::` and `super::` path against this.
//!
//! # Inside and outside of a game
//!
//! Inside, everything is generic over the game and compiled once for each: positions are small `Copy` values seen by the player to
//! move, without a history and without a South or North. Outside stand two objects that hide which game it is:
//! [`Game`](engine::game::Game), which answers every question about the game on the table, and the
//! [`Searcher`](search::workers::Searcher), which runs jobs. [`game::open`](engine::game::open) is where a [`Variant`](units::Variant)
//! becomes a type. Another game is one file in `rules`, one in `eval`, and one arm there.
//!
//! ```
//! use empiki::engine::game;
//! use empiki::protocol::parse_moves;
//! use empiki::units::{OptionValues, Variant};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut house_rules = OptionValues::new(game::rule_options(Variant::Wuri));
//! house_rules.set("Wuri_GrandSlam", "illegal").expect("an option of Wuri")?;
//!
//! let mut wuri = game::open(Variant::Wuri, &house_rules);
//! wuri.play(&parse_moves(b"F f")?)?;
//! assert_eq!(wuri.token(), "5-5-5-5-4-0-5-5-5-5-4-0-0-0-S");
//! assert_eq!(wuri.legal_moves(), ["A", "B", "C", "D", "E"]);
//! assert_eq!(wuri.ruleset(), "wuri;GrandSlam=illegal");
//! assert!(wuri.outcome().is_none());
//! # Ok(())
//! # }
//! ```
//!
//! # From a line to a best move
//!
//! A plain thread reads lines, stamps them with the time, and gives each `go` its ticket and each `stop` its effect
//! ([`engine::line_reader`]). The session ([`engine::session`]) answers questions from its game and hands a search, with a copy of
//! position and history, to the searcher. It then sleeps until a line, a result or the deadline comes. At the deadline or a stop it
//! answers from the last result that it was told and never waits for the search to end. It alone writes.

pub mod cli;
pub mod engine;
pub mod eval;
pub mod protocol;
pub mod record;
pub mod rules;
pub mod search;
pub mod tablebase;
pub mod tools;
pub mod units;
