//! The session: what is asked is answered, what is commanded is done, in the order that the client can rely on.
//!
//! `stop`, `ponderhit`, `debug` and `quit` act when they are read. All else is carried out in the order read: jobs and commands that
//! change something wait for what runs before them; questions wait only behind such a command, and not even there while a search
//! runs that nobody but the client can end.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use tokio::sync::mpsc;

use super::answers;
use super::bench;
use super::game::{self, Game, SearchRequest, Work};
use super::intake::{Inbound, Message, Ticket};
use super::options::{Effect, Mode, Options};
use super::queue::{self, Line, Queue, Waiting};
use super::running::{Ended, Kind, Running, Terms, Told, info_line};
use crate::protocol::{Command, Dialect, Go, Reply};
use crate::search::control::{Control, StopBoard};
use crate::search::info::{Event, Report};
use crate::search::workers::Searcher;
use crate::units::Depth;

/// The time of a move where a tournament gives three seconds (O19).
const BLITZ: Duration = Duration::from_secs(3);
/// The state between protocol and search.
pub struct Session<W> {
    out: W,
    dialect: Dialect,
    debug: bool,
    options: Options,
    game: Box<dyn Game>,
    searcher: Searcher,
    board: Arc<StopBoard>,
    told: mpsc::UnboundedSender<(Ticket, Told)>,
    hears: mpsc::UnboundedReceiver<(Ticket, Told)>,
    queue: Queue,
    running: Option<Running>,
    /// The moment of the last `bestmove`: time does not run before it.
    last_answer: Instant,
    /// No more lines will come.
    ended: bool,
    /// `quit` was read, or nobody reads what is written.
    quitting: bool,
}

/// The game that the options say, at its start.
fn open(options: &Options) -> Box<dyn Game> {
    let mut game = game::open(options.variant(), options.rules(options.variant()));
    game.limit_arrangements(options.arrangement_cap());
    game
}

impl<W: Write> Session<W> {
    /// A session with these options, that writes to `out` and whose stops come over `board`.
    ///
    /// # Errors
    /// If there is no memory for the table or no thread for the search.
    pub fn new(out: W, options: Options, board: Arc<StopBoard>) -> Result<Session<W>> {
        let searcher = Searcher::new(options.hash()).context("the search cannot be set up")?;
        let (told, hears) = mpsc::unbounded_channel();
        let game = open(&options);
        Ok(Session {
            out,
            dialect: Dialect::default(),
            debug: false,
            options,
            game,
            searcher,
            board,
            told,
            hears,
            queue: Queue::default(),
            running: None,
            last_answer: Instant::now(),
            ended: false,
            quitting: false,
        })
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
                () = at_deadline => self.answer(),
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
            running.control.abandon();
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
            Message::Command(Command::Stop, _) => self.stop(),
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
    fn stop(&mut self) -> io::Result<()> {
        let stopped = self.running.as_ref().is_some_and(|running| self.board.is_stopped(running.ticket));
        if stopped { self.answer() } else { Ok(()) }
    }

    fn ponder_hit(&mut self, ticket: Ticket, arrived: Instant) -> io::Result<()> {
        self.queue.ponder_hit(ticket, arrived);
        match &mut self.running {
            Some(running) if running.ticket == ticket && !running.answered => {
                running.ponder_hit(arrived);
                if running.finished && !running.open { self.answer() } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    fn end_of_input(&mut self) -> io::Result<()> {
        self.ended = true;
        if self.waits_for_the_client() { self.answer() } else { Ok(()) }
    }

    fn quit(&mut self) -> io::Result<()> {
        self.quitting = true;
        self.queue.drop_for_quit();
        self.stop()
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
        let only_the_game = matches!(command, Command::Position { .. } | Command::Moves(_) | Command::Undo(_));
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
            Command::Moves(moves) => self.game.play(&moves),
            Command::Undo(_) if self.options.mode() == Some(Mode::Binding) => {
                return self.say_error("undo: nothing is taken back while Omweso_Mode is binding");
            }
            Command::Undo(turns) => self.game.undo(turns),
            question => answers::answer(&*self.game, &question).and_then(|replies| Ok(self.say_all(replies)?)),
        };
        match changed {
            Ok(()) => Ok(()),
            Err(error) => match error.downcast::<io::Error>() {
                Ok(closed) => Err(closed),
                Err(error) => self.say_error(format_args!("{error:#}")),
            },
        }
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
            Ok(Effect::Reopen) => {
                self.game = open(&self.options);
                self.searcher.clear();
                let (ruleset, startpos) = (self.game.ruleset().to_owned(), self.game.token());
                let name = self.options.variant().name().to_owned();
                self.say(&Reply::Variant { name, ruleset, startpos })
            }
        }
    }

    // Jobs.

    fn start(&mut self, mut go: Go, ticket: Ticket, arrived: Instant) -> io::Result<()> {
        let complaints: Vec<Reply> = go.complaints.iter().map(Reply::error).collect();
        self.say_all(complaints)?;
        if let Some(depth) = go.perft {
            return self.start_perft(depth, ticket);
        }
        if let Some((index, refused)) = self.refused_search_move(&go) {
            let text = &go.searchmoves[index];
            self.say_error(format_args!("searchmoves {} `{text}`: {refused}: the list was dropped", index + 1))?;
            go.searchmoves.clear();
            go.shortest |= !go.has_limit();
        }
        let overhead = self.options.move_overhead();
        let longest = (self.options.mode() == Some(Mode::Blitz)).then(|| BLITZ.saturating_sub(overhead));
        let terms = Terms::of(&go, self.game.mover(), self.dialect, overhead, longest);
        let control = Arc::new(Control::new(Arc::clone(&self.board), ticket));
        let mut running = Running::new(ticket, Kind::Search, control, arrived.max(self.last_answer));
        running.hold_to(&terms, self.game.ranks(&go.searchmoves, self.options.multi_pv() as usize));
        running.search_moves = go.searchmoves;
        if self.debug {
            self.say(&Reply::InfoString(answers::describe_terms(&terms)))?;
        }
        // One stopped before it began still gives its best move, and so does one that may take no time.
        let stopped = self.board.is_stopped(ticket) || (self.ended && terms.is_open());
        if stopped || (terms.shortest && !terms.is_open()) {
            running.finished = true;
            self.glance(&mut running)?;
            return self.finish(running);
        }
        let told = self.told.clone();
        let events = Box::new(move |event| {
            // The session may be gone before its last search is.
            let _ = told.send((ticket, Told::Search(event)));
        });
        let job = self.game.search(self.request(&running, events));
        self.searcher.start(job);
        self.running = Some(running);
        Ok(())
    }

    fn refused_search_move(&self, go: &Go) -> Option<(usize, crate::rules::Refusal)> {
        let refused = |(index, text)| self.game.check(text).err().map(|refused| (index, refused));
        go.searchmoves.iter().enumerate().find_map(refused)
    }

    fn request(&self, running: &Running, events: Box<dyn Fn(Event) + Send>) -> SearchRequest {
        SearchRequest {
            limits: running.limits.clone(),
            search_moves: running.search_moves.clone(),
            multi_pv: self.options.multi_pv() as usize,
            control: Arc::clone(&running.control),
            started: running.started,
            events,
        }
    }

    /// Looks one ply ahead, here and now.
    fn glance(&mut self, running: &mut Running) -> io::Result<()> {
        let mut request = self.request(running, Box::new(|_| ()));
        request.limits.depth = Some(Depth(1));
        request.control = Arc::new(Control::alone());
        for report in self.game.glance(request) {
            self.tell(running, report)?;
        }
        Ok(())
    }

    fn start_perft(&mut self, depth: Depth, ticket: Ticket) -> io::Result<()> {
        let work = self.game.perft(depth);
        self.start_work("perft", ticket, work)
    }

    /// Starts a job that is no search, if it can be done at all.
    fn start_work(&mut self, name: &'static str, ticket: Ticket, work: Result<Work>) -> io::Result<()> {
        let work = match work {
            Ok(work) => work,
            Err(error) => return self.say_error(format_args!("{error:#}")),
        };
        let control = Arc::new(Control::new(Arc::clone(&self.board), ticket));
        let mut running = Running::new(ticket, Kind::Work(name), Arc::clone(&control), Instant::now());
        if self.board.is_stopped(ticket) {
            running.finished = true;
            return self.finish(running);
        }
        let told = self.told.clone();
        self.searcher.start(Box::new(move |_| {
            // The session may be gone before its last job is.
            let tell = |what| drop(told.send((ticket, what)));
            let ended = catch_unwind(AssertUnwindSafe(|| work(&control, &|reply| tell(Told::Reply(reply)))));
            tell(Told::Done(match ended {
                Ok(Some(last)) => Ended::Whole(last),
                Ok(None) => Ended::Stopped,
                Err(_) => Ended::Failed,
            }));
        }));
        self.running = Some(running);
        Ok(())
    }

    // What jobs say.

    fn hear(&mut self, ticket: Ticket, told: Told) -> io::Result<()> {
        let Some(mut running) = self.running.take_if(|running| running.ticket == ticket) else { return Ok(()) };
        let outcome = match told {
            Told::Search(Event::Report(_)) | Told::Reply(_) if running.answered => Ok(()),
            Told::Search(Event::Report(report)) => self.tell(&mut running, report),
            Told::Reply(reply) => self.say(&reply),
            Told::Search(Event::Finished { panicked, .. }) => {
                running.finished = true;
                if panicked { self.say_error("the search failed: the best move so far stands") } else { Ok(()) }
            }
            Told::Done(ended) => {
                running.finished = true;
                // The worker may see a stop before the session has heard of it.
                match (std::mem::replace(&mut running.answered, true), ended) {
                    (true, _) => Ok(()),
                    (false, Ended::Whole(last)) => self.say(&last),
                    (false, Ended::Stopped) => self.say_stopped(running.kind),
                    (false, Ended::Failed) => self.say_error(format_args!("the {} failed", running.kind.name())),
                }
            }
        };
        let (finished, answered, open) = (running.finished, running.answered, running.open);
        if !(finished && answered) {
            self.running = Some(running);
        }
        outcome?;
        if finished && !answered && !open { self.answer() } else { Ok(()) }
    }

    /// Keeps a line of a search for the answer, and tells its set once that is whole.
    fn tell(&mut self, running: &mut Running, report: Report) -> io::Result<()> {
        let set = running.keep(report);
        self.say_lines(set)
    }

    fn say_lines(&mut self, lines: Vec<Report>) -> io::Result<()> {
        let (joined_pv, dialect) = (self.options.joined_pv(), self.dialect);
        self.say_all(lines.into_iter().map(|report| Reply::Info { line: info_line(report, joined_pv), dialect }))
    }

    /// Answers for the job that runs, from what is known now: the worker may not even get to run.
    fn answer(&mut self) -> io::Result<()> {
        match self.running.take() {
            Some(running) if !running.answered => self.finish(running),
            running => {
                self.running = running;
                Ok(())
            }
        }
    }

    /// Tells the end of a job that has not been answered for.
    fn finish(&mut self, mut running: Running) -> io::Result<()> {
        running.answered = true;
        running.control.abandon();
        let said = match running.kind {
            Kind::Work(_) => self.say_stopped(running.kind),
            Kind::Search => self.say_best_move(&mut running),
        };
        if !running.finished {
            self.running = Some(running);
        }
        said
    }

    fn say_stopped(&mut self, kind: Kind) -> io::Result<()> {
        self.say_error(format_args!("{} was stopped", kind.name()))
    }

    fn say_best_move(&mut self, running: &mut Running) -> io::Result<()> {
        if running.best().is_none() {
            // The search has not got to say anything.
            self.glance(running)?;
        }
        let now = Instant::now();
        self.say_lines(running.news(now))?;
        self.last_answer = now;
        let mut pv = running.best().map(|line| line.pv.clone()).unwrap_or_default().into_iter();
        let best = pv.next();
        let ponder = pv.next().filter(|_| self.options.ponder() && self.dialect == Dialect::Uci);
        self.say(&Reply::BestMove { best, ponder })
    }
}
