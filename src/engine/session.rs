//! The session: what is asked is answered, what is commanded is done, in the order that the client can rely on.
//!
//! `stop`, `ponderhit`, `debug` and `quit` act when they are read. All else is carried out in the order read: jobs and commands that
//! change something wait for what runs before them; questions wait only behind such a command, and not even there while a search
//! runs that nobody but the client can end.

mod jobs;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result};
use tokio::sync::mpsc;

use super::answers;
use super::bench;
use super::endgames;
use super::game::{self, Game};
use super::line_reader::{Inbound, Message, Ticket};
use super::loading;
use super::options::{Effect, Mode, Options};
use super::queue::{self, Line, Queue, Waiting};
use super::running::{Running, Told};
use crate::protocol::{Command, Dialect, Reply};
use crate::search::stop::StopSignals;
use crate::search::workers::Searcher;
use crate::tablebase::probe::Tables;

/// The state between protocol and search.
pub struct Session<W> {
    out: W,
    dialect: Dialect,
    debug: bool,
    options: Options,
    game: Box<dyn Game>,
    /// The endgame tables of the game, and what was wrong with those that were left out.
    tables: Option<Tables>,
    table_errors: Vec<String>,
    searcher: Searcher,
    board: Arc<StopSignals>,
    told: mpsc::UnboundedSender<(Ticket, Told)>,
    hears: mpsc::UnboundedReceiver<(Ticket, Told)>,
    queue: Queue,
    running: Option<Running>,
    /// What a limited strength chooses by where no number is given.
    own_seed: u64,
    /// The moment of the last `bestmove`: time does not run before it.
    last_answer: Instant,
    /// No more lines will come.
    ended: bool,
    /// `quit` was read, or nobody reads what is written.
    quitting: bool,
}

/// The game that the options say, at its start.
fn open(options: &Options) -> Box<dyn Game> {
    game::open(options.variant(), options.rules(options.variant()))
}

impl<W: Write> Session<W> {
    /// A session with these options, that writes to `out` and whose stops come over `board`.
    ///
    /// # Errors
    /// If there is no memory for the table or no thread for the search.
    pub fn new(out: W, options: Options, board: Arc<StopSignals>) -> Result<Session<W>> {
        let searcher = Searcher::new(options.hash()).context("the search cannot be set up")?;
        let (told, hears) = mpsc::unbounded_channel();
        let game = open(&options);
        let mut session = Session {
            out,
            dialect: Dialect::default(),
            debug: false,
            options,
            game,
            tables: None,
            table_errors: Vec::new(),
            searcher,
            board,
            told,
            hears,
            queue: Queue::default(),
            running: None,
            own_seed: RandomState::new().build_hasher().finish(),
            last_answer: Instant::now(),
            ended: false,
            quitting: false,
        };
        session.open_tables();
        Ok(session)
    }

    /// Serves one client to the end: `quit`, the end of its lines, or the end of its reading.
    pub async fn serve(mut self, mut inbound: mpsc::Receiver<Inbound>) {
        while !self.is_over() {
            // Nothing is ready before the far end of time.
            let deadline =
                self.running.as_ref().filter(|running| !running.answered).and_then(|running| running.deadline);
            let at_deadline = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                    None => std::future::pending().await,
                }
            };
            let outcome = tokio::select! {
                biased;
                Some((ticket, told)) = self.hears.recv() => self.hear(ticket, told),
                // Before the lines: a client that never pauses is not to put its answer off.
                () = at_deadline => self.answer(Some("hard deadline")),
                line = inbound.recv(), if !self.ended && self.has_room() => match line {
                    Some(line) => self.receive(line),
                    None => self.end_of_input(),
                },
            };
            let outcome = outcome.and_then(|()| self.go_on());
            if outcome.is_err() {
                // Nobody reads any more.
                self.abandon();
                return;
            }
        }
        self.abandon();
    }

    fn is_over(&self) -> bool {
        let at_rest = self.queue.is_empty() && self.running.as_ref().is_none_or(|running| running.answered);
        (self.ended || self.quitting) && at_rest
    }

    fn abandon(&self) {
        if let Some(running) = &self.running {
            running.stop.abandon();
        }
    }

    /// Whether the next line is read. With a full queue it is only while nothing but a line can make room.
    fn has_room(&self) -> bool {
        !self.queue.is_full() || self.waits_for_the_client()
    }

    /// Whether a search runs that the client alone can end, and has not ended.
    fn waits_for_the_client(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.open && !running.answered)
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        self.out.write_all(reply.to_lines().as_bytes())?;
        self.out.flush()
    }

    fn say_all(&mut self, replies: impl IntoIterator<Item = Reply>) -> io::Result<()> {
        replies.into_iter().try_for_each(|reply| self.say(&reply))
    }

    fn say_error(&mut self, error: impl std::fmt::Display) -> io::Result<()> {
        self.say(&Reply::error(error))
    }

    // What comes in.

    fn receive(&mut self, line: Inbound) -> io::Result<()> {
        match line.message {
            Message::End => self.end_of_input(),
            Message::PonderHit(ticket) => self.ponder_hit(ticket, line.arrived),
            Message::Command(Command::Stop, _) => self.stop("stop"),
            Message::Command(Command::Quit, _) => self.quit(),
            Message::Command(Command::Debug(on), _) => {
                self.debug = on;
                Ok(())
            }
            Message::Command(..) | Message::Error(_) if self.queue.is_full() => self.say_error(format_args!(
                "{} lines or {} bytes wait: the line was dropped",
                queue::MOST_LINES,
                queue::MOST_BYTES
            )),
            Message::Command(command, ticket) => {
                self.queue.push(Waiting {
                    line: Line::Command(command),
                    ticket,
                    arrived: line.arrived,
                    size: line.size,
                });
                Ok(())
            }
            Message::Error(reply) => {
                self.queue.push(Waiting {
                    line: Line::Error(reply),
                    ticket: 0,
                    arrived: line.arrived,
                    size: line.size,
                });
                Ok(())
            }
        }
    }

    /// The board has the stop already; what runs is answered for now.
    fn stop(&mut self, by: &'static str) -> io::Result<()> {
        let stopped = self.running.as_ref().is_some_and(|running| self.board.is_stopped(running.ticket));
        if stopped { self.answer(Some(by)) } else { Ok(()) }
    }

    fn ponder_hit(&mut self, ticket: Ticket, arrived: Instant) -> io::Result<()> {
        self.queue.ponder_hit(ticket, arrived);
        match &mut self.running {
            Some(running) if running.ticket == ticket && !running.answered => {
                let waited = running.ponder_hit(arrived);
                let (answered, hit) = (running.finished && !running.open, answers::describe_hit(running));
                if self.debug && waited {
                    self.say(&Reply::InfoString(hit))?;
                }
                if answered { self.answer(Some("ponderhit")) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    fn end_of_input(&mut self) -> io::Result<()> {
        self.ended = true;
        if self.waits_for_the_client() { self.answer(Some("end of input")) } else { Ok(()) }
    }

    fn quit(&mut self) -> io::Result<()> {
        self.quitting = true;
        self.queue.drop_for_quit();
        self.stop("quit")
    }

    // What is carried out.

    /// Does all that can be done now.
    fn go_on(&mut self) -> io::Result<()> {
        while let Some(next) = self.queue.front() {
            if !self.is_free_for(&next.line) {
                break;
            }
            let next = self.queue.pop().expect("there is a next one");
            self.carry_out(next)?;
        }
        if self.waits_for_the_client() {
            for question in self.queue.take_questions() {
                self.carry_out(question)?;
            }
        }
        Ok(())
    }

    /// Whether nothing that runs keeps the line at the front from its turn.
    fn is_free_for(&self, line: &Line) -> bool {
        let (Some(running), Line::Command(command)) = (&self.running, line) else { return true };
        if answers::is_question(command) {
            return true;
        }
        // Positions are copied into a job: once it is answered for, they may change.
        let only_the_game =
            matches!(command, Command::Position { .. } | Command::Load { .. } | Command::Moves(_) | Command::Undo(_));
        running.answered && (only_the_game || self.quitting)
    }

    fn carry_out(&mut self, next: Waiting) -> io::Result<()> {
        let command = match next.line {
            Line::Command(command) => command,
            Line::Error(reply) => return self.say(&reply),
        };
        let changed = match command {
            Command::Go(go) => return self.start(*go, next.ticket, next.arrived),
            Command::Perft(depth) => return self.start_perft(depth, next.ticket),
            Command::Endless(mv) => {
                let work = self.game.endless(mv.as_ref());
                return self.start_work("endless", next.ticket, work);
            }
            Command::Bench(depth) => return self.start_work("bench", next.ticket, Ok(bench::work(depth))),
            Command::Handshake(dialect) => {
                self.dialect = dialect;
                return self.say(&answers::handshake(dialect));
            }
            Command::NewGame => {
                self.searcher.clear();
                Ok(())
            }
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::Position { token, moves } => self.game.set_up(token.as_deref(), &moves),
            Command::Load { file, game } => self.load(&file, game),
            Command::Moves(moves) => self.game.play(&moves),
            Command::Undo(_) if self.options.mode() == Some(Mode::Binding) => {
                return self.say_error("undo: nothing is taken back while Omweso_Mode is binding");
            }
            Command::Undo(turns) => self.game.undo(turns),
            Command::IsReady => {
                let _ = endgames::built_in(self.options.variant(), self.options.rules(self.options.variant()));
                self.tell_table_errors()?;
                return self.say(&Reply::ReadyOk);
            }
            question => match answers::answer(&*self.game, &question) {
                Ok(replies) => return self.say_all(replies),
                Err(error) => Err(error),
            },
        };
        match changed {
            Ok(()) => Ok(()),
            Err(error) => self.say_error(format_args!("{error:#}")),
        }
    }

    /// Gives the game on the table what belongs to the session.
    fn furnish(&mut self) {
        self.game.limit_arrangements(self.options.arrangement_cap());
        self.game.use_tables(self.tables.clone());
    }

    /// Opens the endgame tables of the game on the table.
    fn open_tables(&mut self) {
        let variant = self.options.variant();
        let rules = self.options.rules(variant);
        (self.tables, self.table_errors) = match self.options.tablebase_path() {
            Some(folder) => endgames::open(variant, rules, folder),
            None => (None, Vec::new()),
        };
        if self.tables.is_none() {
            endgames::prepare(variant, rules);
        }
        self.furnish();
    }

    /// Tells what was wrong with endgame tables since this was told last: they are left out.
    fn tell_table_errors(&mut self) -> io::Result<()> {
        let lost = self.tables.as_ref().map(Tables::complaints).unwrap_or_default();
        let errors: Vec<String> = self.table_errors.drain(..).chain(lost).collect();
        errors.iter().try_for_each(|error| self.say_error(error))
    }

    fn load(&mut self, file: &str, number: u32) -> Result<()> {
        self.game = loading::load(file, number, self.game.ruleset())?;
        self.furnish();
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match self.options.set(name, value) {
            Err(error) => self.say_error(error),
            Ok(Effect::Nothing) => Ok(()),
            Ok(Effect::Clear) => {
                self.searcher.clear();
                Ok(())
            }
            Ok(Effect::Resize(size)) => match self.searcher.resize(size) {
                Ok(()) => Ok(()),
                Err(error) => self.say_error(error),
            },
            Ok(Effect::LimitArrangements) => {
                self.game.limit_arrangements(self.options.arrangement_cap());
                Ok(())
            }
            Ok(Effect::OpenTables) => {
                self.open_tables();
                self.searcher.clear();
                self.tell_table_errors()
            }
            Ok(Effect::Reopen) => {
                self.game = open(&self.options);
                self.open_tables();
                self.searcher.clear();
                self.tell_table_errors()?;
                let (ruleset, startpos) = (self.game.ruleset().to_owned(), self.game.token());
                let name = self.options.variant().name().to_owned();
                self.say(&Reply::Variant { name, ruleset, startpos })
            }
        }
    }
}
