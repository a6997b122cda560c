//! The jobs of the session: searches, counts and the bench, from their start to what is told of their end.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::Session;
use crate::engine::answers;
use crate::engine::game::{SearchRequest, Work};
use crate::engine::line_reader::Ticket;
use crate::engine::running::{Ended, Kind, Running, Terms, Told, info_line};
use crate::engine::strength::{self, CHOICE, StrengthLimit};
use crate::protocol::{Dialect, Go, Reply};
use crate::search::info::{End, Event, Report};
use crate::search::stop::StopHandle;
use crate::units::Depth;

impl<W: Write> Session<W> {
    pub(super) fn start(&mut self, mut go: Go, ticket: Ticket, arrived: Instant) -> io::Result<()> {
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
        let longest = self.options.move_time().map(|time| time.saturating_sub(overhead));
        let terms = Terms::of(&go, self.game.mover(), self.dialect, overhead, longest);
        let stop = Arc::new(StopHandle::new(Arc::clone(&self.board), ticket));
        let mut running = Running::new(ticket, Kind::Search, stop, arrived.max(self.last_answer));
        running.hold_to(&terms);
        running.search_moves.clone_from(&go.searchmoves);
        if let Some(elo) = self.options.elo() {
            let legal_moves = self.game.legal_moves().len();
            let strength_limit = StrengthLimit::new(self.options.variant(), elo, legal_moves);
            let nodes = running.limits.nodes.map_or(strength_limit.nodes, |nodes| nodes.min(strength_limit.nodes));
            (running.strength_limit, running.limits.nodes) = (Some(strength_limit), Some(nodes));
        }
        if self.debug {
            let asked = answers::Asked { go: &go, mover: self.game.mover(), overhead, longest };
            self.say(&Reply::InfoString(answers::describe_terms(&terms, &asked)))?;
        }
        // One stopped before it began still gives its best move, and so does one that may take no time.
        let stopped = self.board.is_stopped(ticket) || (self.ended && terms.is_open());
        if stopped || (terms.shortest && !terms.is_open()) {
            running.finished = true;
            self.depth_one(&mut running)?;
            return self.finish(running, Some(if stopped { "stop" } else { "zero" }));
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
            multi_pv: self.options.multi_pv().max(running.strength_limit.map_or(1, |_| CHOICE)) as usize,
            // Chance among threads would spoil what a seed repeats.
            threads: running.strength_limit.map_or(self.options.threads(), |_| 1) as usize,
            objective: self.options.objective(),
            table_seeds: self.options.probe_limit(),
            stop: Arc::clone(&running.stop),
            started: running.started,
            events,
        }
    }

    /// Looks one ply ahead, here and now.
    fn depth_one(&mut self, running: &mut Running) -> io::Result<()> {
        let mut request = self.request(running, Box::new(|_| ()));
        request.limits.depth = Some(Depth(1));
        request.stop = Arc::new(StopHandle::alone());
        request.threads = 1;
        let lines = self.game.depth_one(request);
        self.tell(running, lines)
    }

    pub(super) fn start_perft(&mut self, depth: Depth, ticket: Ticket) -> io::Result<()> {
        let work = self.game.perft(depth);
        self.start_work("perft", ticket, work)
    }

    /// Starts a job that is no search, if it can be done at all.
    pub(super) fn start_work(&mut self, name: &'static str, ticket: Ticket, work: Result<Work>) -> io::Result<()> {
        let work = match work {
            Ok(work) => work,
            Err(error) => return self.say_error(format_args!("{error:#}")),
        };
        let stop = Arc::new(StopHandle::new(Arc::clone(&self.board), ticket));
        let mut running = Running::new(ticket, Kind::Work(name), Arc::clone(&stop), Instant::now());
        if self.board.is_stopped(ticket) {
            running.finished = true;
            return self.finish(running, None);
        }
        let told = self.told.clone();
        self.searcher.start(Box::new(move |_| {
            // The session may be gone before its last job is.
            let tell = |what| drop(told.send((ticket, what)));
            let ended = catch_unwind(AssertUnwindSafe(|| work(&stop, &|reply| tell(Told::Reply(reply)))));
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

    pub(super) fn hear(&mut self, ticket: Ticket, told: Told) -> io::Result<()> {
        let Some(mut running) = self.running.take_if(|running| running.ticket == ticket) else { return Ok(()) };
        let outcome = match told {
            Told::Search(Event::Lines(_)) | Told::Reply(_) if running.answered => Ok(()),
            Told::Search(Event::Lines(lines)) => self.tell(&mut running, lines),
            Told::Reply(reply) => self.say(&reply),
            Told::Search(Event::Finished { why, .. }) => {
                running.finished = true;
                running.why = Some(why);
                if why == End::Panicked {
                    self.say_error("the search failed: the best move so far stands")
                } else {
                    Ok(())
                }
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
        if finished && !answered && !open { self.answer(None) } else { Ok(()) }
    }

    /// Tells the lines of a search and keeps them for the answer.
    fn tell(&mut self, running: &mut Running, lines: Vec<Report>) -> io::Result<()> {
        let infos = self.infos(lines.clone());
        running.lines = lines;
        self.say_all(infos)
    }

    /// As many of the lines as the client has asked for.
    fn infos(&self, lines: Vec<Report>) -> Vec<Reply> {
        lines.into_iter().take(self.options.multi_pv() as usize).map(|line| self.info(line)).collect()
    }

    /// A line of the search of the present position, for the client.
    fn info(&self, report: Report) -> Reply {
        let wdl = self.options.show_wdl().then(|| self.game.wdl(&report));
        Reply::Info { line: info_line(report, wdl, self.options.joined_pv()), dialect: self.dialect }
    }

    /// Answers for the job that runs, from what is known now: the worker may not even get to run. `by` tells what else than
    /// the worker is why.
    pub(super) fn answer(&mut self, by: Option<&'static str>) -> io::Result<()> {
        match self.running.take() {
            Some(running) if !running.answered => self.finish(running, by),
            running => {
                self.running = running;
                Ok(())
            }
        }
    }

    /// Tells the end of a job that has not been answered for.
    fn finish(&mut self, mut running: Running, by: Option<&'static str>) -> io::Result<()> {
        running.answered = true;
        running.stop.abandon();
        let said = match running.kind {
            Kind::Work(_) => self.say_stopped(running.kind),
            Kind::Search => self.say_best_move(&mut running, by),
        };
        if !running.finished {
            self.running = Some(running);
        }
        said
    }

    fn say_stopped(&mut self, kind: Kind) -> io::Result<()> {
        self.say_error(format_args!("{} was stopped", kind.name()))
    }

    fn say_best_move(&mut self, running: &mut Running, by: Option<&'static str>) -> io::Result<()> {
        if running.best().is_none() {
            // The search has not got to say anything.
            self.depth_one(running)?;
        }
        let now = Instant::now();
        // The last line before the best move is one with the final counts.
        if self.debug {
            self.say(&Reply::InfoString(answers::describe_end(running, by, now)))?;
        }
        let seed = self.options.strength_seed().map_or(self.own_seed, u64::from);
        let changed = running.strength_limit.is_some_and(|strength_limit| {
            let chosen = strength_limit.choose(&running.lines, &mut strength::rng(seed, &self.game.token()));
            running.lead_with(chosen);
            chosen > 0
        });
        self.say_all(self.infos(running.news(now, changed)))?;
        self.last_answer = now;
        let mut pv = running.best().map(|line| line.pv.clone()).unwrap_or_default().into_iter();
        let best = pv.next();
        let ponder = pv.next().filter(|_| self.options.ponder() && self.dialect == Dialect::Uci);
        self.say(&Reply::BestMove { best, ponder })
    }
}
