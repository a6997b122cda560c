//! The session as protocol.md tells of it, as a machine that may be in several states at once.
//!
//! Nobody knows when the reader reads the next line or when a job comes to its end, so after each line that is heard the model keeps
//! every state that explains all lines so far. If none is left, the session has said something that it must not say, or too early.

use std::collections::HashSet;
use std::iter;

use empiki::protocol::{Command, Go, parse};
use empiki::units::{Depth, Nodes};

use super::known::{Known, Sent, What, is_line};
use super::search::Heard;
use super::world::{World, complaint};

/// A state that explains what was heard.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    /// The present world, by its number.
    world: usize,
    /// How many lines the session has taken up.
    received: usize,
    /// The newest job that has been told to stop.
    stopped: u64,
    debug: bool,
    ended: bool,
    quitting: bool,
    waiting: Vec<Waiting>,
    running: Option<Job>,
    /// The last job was answered for, but it may take it a moment to come to its end.
    lingers: bool,
    /// What comes next, whatever happens.
    owed: Vec<Owed>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Waiting {
    line: usize,
    /// A `ponderhit` has come for it.
    hit: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Job {
    line: usize,
    kind: Kind,
    /// The client alone ends it.
    open: bool,
    pondering: bool,
    infinite: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Search(Search),
    /// A name, and how many lines it has said.
    Work(&'static str, usize),
}

/// A search, and what was heard of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Search {
    /// Its `go`.
    pub line: usize,
    /// Where it searches.
    pub world: usize,
    /// It is too short for more than a look.
    pub depth_one: bool,
    /// Its list of moves was not dropped.
    pub keeps_moves: bool,
    heard: Heard,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Owed {
    Line(String),
    /// The reason for the time of a search.
    Reason,
    /// Perhaps some lines of a search, and its best move.
    End(Search),
}

/// All that is known of one session.
pub struct Model {
    known: Known,
    states: Vec<State>,
}

impl Model {
    /// A session that was started with these settings and has read nothing.
    pub fn new(settings: &[(&str, &str)]) -> Model {
        let start = State {
            world: 0,
            received: 0,
            stopped: 0,
            debug: false,
            ended: false,
            quitting: false,
            waiting: Vec::new(),
            running: None,
            lingers: false,
            owed: Vec::new(),
        };
        Model { known: Known::new(World::new(settings)), states: vec![start] }
    }

    // What comes and goes.

    /// A line is on its way.
    pub fn send(&mut self, line: &[u8]) {
        let what = match parse(line) {
            Ok(None) => What::Nothing,
            Ok(Some(command)) => What::Command(command),
            Err(error) => What::Error(complaint(error)),
        };
        self.known.push(what);
    }

    /// No more lines will come.
    pub fn end(&mut self) {
        self.known.push(What::End);
    }

    /// The session has said a line.
    ///
    /// # Errors
    /// Why no state explains it.
    pub fn hear(&mut self, text: &str) -> Result<(), String> {
        let mut reasons = Vec::new();
        let mut next = HashSet::new();
        for state in self.reached() {
            match self.said(state, text) {
                Ok(states) => next.extend(states),
                Err(reason) => reasons.push(reason),
            }
        }
        if next.is_empty() {
            reasons.sort();
            reasons.dedup();
            return Err(format!("read `{text}`: {}", reasons.join("; or ")));
        }
        self.states = next.into_iter().collect();
        Ok(())
    }

    /// Whether the session may leave it at that until it hears more.
    pub fn is_settled(&mut self) -> bool {
        let states = self.reached();
        states.iter().any(|state| self.is_at_rest(state))
    }

    /// What the session could still be waited for to say.
    pub fn wanted(&mut self) -> String {
        let states = self.reached();
        states.iter().map(|state| format!("{:?} {:?}\n", state.owed, state.running)).collect()
    }

    fn is_at_rest(&self, state: &State) -> bool {
        let waits_for_client = match &state.running {
            None => state.waiting.is_empty(),
            // It has begun for certain, so nothing overtakes it any more.
            Some(Job { open: true, kind: Kind::Search(search), .. }) => {
                search.heard != Heard::default() && !state.ended && !state.quitting
            }
            Some(_) => false,
        };
        state.received == self.known.sent.len() && state.owed.is_empty() && waits_for_client
    }

    // What can happen without a word.

    /// All states that can be reached before the next line is said.
    fn reached(&mut self) -> Vec<State> {
        let mut seen: HashSet<State> = HashSet::new();
        let mut open = self.states.clone();
        while let Some(state) = open.pop() {
            if seen.insert(state.clone()) && state.owed.is_empty() {
                open.extend(self.happens(&state));
            }
        }
        seen.into_iter().collect()
    }

    /// What can happen next where nothing is owed: a line is taken up, or the job that runs ends by itself.
    fn happens(&mut self, state: &State) -> Vec<State> {
        let mut next = Vec::new();
        if state.received < self.known.sent.len() {
            next.extend(self.receive(state.clone()));
        }
        if state.lingers {
            next.extend(self.go_on(State { lingers: false, ..state.clone() }));
        }
        match state.running.clone() {
            Some(Job { kind: Kind::Search(_), open: false, .. }) => next.extend(self.answered(state.clone())),
            Some(Job { kind: Kind::Work(name, said), line, .. }) => {
                let lines = self.known.lines_of(state.world, line);
                if matches!(&*lines, Ok(lines) if lines.len() == said) {
                    let done = State { running: None, ..state.clone() };
                    next.extend(self.go_on(done));
                }
                // The worker sees a stop before the session hears of it.
                if let Some(stopped) = self.stop_ahead(state, self.known.sent[line].ticket) {
                    let mut stopped = State { stopped, running: None, ..state.clone() };
                    stopped.owed.push(Owed::Line(complaint(format_args!("{name} was stopped"))));
                    next.extend(self.go_on(stopped));
                }
            }
            _ => {}
        }
        next
    }

    /// The first stop of a job that has been read, taken up or not, if there is one. A later one may stop what comes after the job.
    fn stop_ahead(&self, state: &State, ticket: u64) -> Option<u64> {
        let is_stop = |sent: &&Sent| matches!(sent.what, What::Command(Command::Stop | Command::Quit));
        let ahead = self.known.sent[state.received..].iter().filter(is_stop).map(|sent| sent.newest);
        iter::once(state.stopped).chain(ahead).find(|&newest| newest >= ticket)
    }

    fn receive(&mut self, mut state: State) -> Vec<State> {
        let line = state.received;
        state.received += 1;
        let Sent { what, newest, newest_ponder, .. } = &self.known.sent[line];
        match what {
            What::Nothing => return vec![state],
            What::Command(Command::Debug(on)) => state.debug = *on,
            What::Command(Command::Stop) => {
                state.stopped = state.stopped.max(*newest);
                return self.stopped(state);
            }
            What::Command(Command::Quit) => {
                state.stopped = state.stopped.max(*newest);
                state.quitting = true;
                state.waiting.retain(|waiting| self.known.outlives_quit(waiting.line));
                return self.stopped(state);
            }
            What::Command(Command::PonderHit) => return self.ponder_hit(state.clone(), *newest_ponder),
            What::End => {
                state.ended = true;
                if state.running.as_ref().is_some_and(|job| job.open) {
                    return self.answered(state);
                }
            }
            What::Command(_) | What::Error(_) => state.waiting.push(Waiting { line, hit: false }),
        }
        self.go_on(state)
    }

    /// A stop is taken up: it ends what runs, if that was read before it.
    fn stopped(&mut self, state: State) -> Vec<State> {
        let ends = state.running.as_ref().is_some_and(|job| self.known.sent[job.line].ticket <= state.stopped);
        if ends { self.answered(state) } else { self.go_on(state) }
    }

    fn ponder_hit(&mut self, mut state: State, ticket: u64) -> Vec<State> {
        if ticket == 0 {
            return self.go_on(state);
        }
        for waiting in &mut state.waiting {
            waiting.hit |= self.known.sent[waiting.line].ticket == ticket;
        }
        if let Some(job) = &mut state.running
            && self.known.sent[job.line].ticket == ticket
            && std::mem::take(&mut job.pondering)
        {
            job.open = job.infinite;
        }
        self.go_on(state)
    }

    /// The job that runs is answered for.
    fn answered(&mut self, mut state: State) -> Vec<State> {
        if let Some(job) = state.running.take() {
            state.lingers = true;
            state.owed.push(match job.kind {
                Kind::Search(search) => Owed::End(search),
                Kind::Work(name, _) => Owed::Line(complaint(format_args!("{name} was stopped"))),
            });
        }
        self.go_on(state)
    }

    // What is carried out.

    /// Carries out all that can be done now.
    fn go_on(&mut self, mut state: State) -> Vec<State> {
        while let Some(front) = state.waiting.first() {
            if !self.is_free_for(&state, front.line) {
                break;
            }
            let front = state.waiting.remove(0);
            if self.known.sent[front.line].ticket > 0 {
                return self.start(state, &front).into_iter().flat_map(|state| self.go_on(state)).collect();
            }
            self.carry_out(&mut state, front.line);
        }
        if state.running.as_ref().is_some_and(|job| job.open) {
            let (questions, rest): (Vec<Waiting>, Vec<Waiting>) =
                state.waiting.drain(..).partition(|waiting| self.known.is_question(waiting.line));
            state.waiting = rest;
            questions.iter().for_each(|question| self.carry_out(&mut state, question.line));
        }
        vec![state]
    }

    /// Whether nothing that runs keeps a line from its turn.
    fn is_free_for(&self, state: &State, line: usize) -> bool {
        let only_the_game = matches!(
            self.known.sent[line].what,
            What::Command(Command::Position { .. } | Command::Moves(_) | Command::Undo(_))
        );
        self.known.is_question(line) || (state.running.is_none() && (!state.lingers || only_the_game || state.quitting))
    }

    fn carry_out(&mut self, state: &mut State, line: usize) {
        let (world, said) = self.known.carry_out(state.world, line);
        state.world = *world;
        state.owed.extend(said.iter().cloned().map(Owed::Line));
    }

    /// Starts a job; a stop of it may have been read already.
    fn start(&mut self, state: State, waiting: &Waiting) -> Vec<State> {
        let ticket = self.known.sent[waiting.line].ticket;
        let mut states = Vec::new();
        if state.stopped < ticket {
            states.push(state.clone());
        }
        if let Some(stopped) = self.stop_ahead(&state, ticket) {
            states.push(State { stopped: stopped.max(state.stopped), ..state });
        }
        for state in &mut states {
            let is_stopped = state.stopped >= ticket;
            match &self.known.sent[waiting.line].what {
                What::Command(Command::Go(go)) => {
                    let go = Go { ponder: go.ponder && !waiting.hit, ..(**go).clone() };
                    self.start_go(state, waiting.line, &go, is_stopped);
                }
                What::Command(Command::Perft(_)) => self.start_work(state, waiting.line, "perft", is_stopped),
                What::Command(Command::Endless(_)) => self.start_work(state, waiting.line, "endless", is_stopped),
                What::Command(Command::Bench(_)) => self.start_work(state, waiting.line, "bench", is_stopped),
                other => panic!("{other:?} is no job"),
            }
        }
        states
    }

    fn start_go(&mut self, state: &mut State, line: usize, go: &Go, is_stopped: bool) {
        state.owed.extend(go.complaints.iter().map(|mistake| Owed::Line(complaint(mistake))));
        if go.perft.is_some() {
            return self.start_work(state, line, "perft", is_stopped);
        }
        let world = &self.known.worlds[state.world];
        let refused = (1..).zip(&go.searchmoves).find_map(|(index, text)| Some((index, text, world.refusal(text)?)));
        if let Some((index, text, refusal)) = &refused {
            let text = format!("searchmoves {index} `{text}`: {refusal}: the list was dropped");
            state.owed.push(Owed::Line(complaint(text)));
        }
        let zero = go.depth == Some(Depth(0))
            || go.nodes == Some(Nodes(0))
            || go.mate == Some(0)
            || go.movetime.is_some_and(|time| time.is_zero());
        let dropped = refused.is_some() || !go.complaints.is_empty();
        let shortest = zero || (dropped && !go.has_limit());
        let infinite = go.infinite || !(go.has_limit() || shortest || world.mode() == "blitz");
        let open = infinite || go.ponder;
        if state.debug {
            state.owed.push(Owed::Reason);
        }
        let keeps_moves = refused.is_none();
        let depth_one = is_stopped || (open && state.ended) || (shortest && !open);
        let search = Search { line, world: state.world, depth_one, keeps_moves, heard: Heard::default() };
        if depth_one {
            state.owed.push(Owed::End(search));
        } else {
            state.running = Some(Job { line, kind: Kind::Search(search), open, pondering: go.ponder, infinite });
        }
    }

    fn start_work(&mut self, state: &mut State, line: usize, name: &'static str, is_stopped: bool) {
        if let Err(error) = &*self.known.lines_of(state.world, line) {
            state.owed.push(Owed::Line(complaint(error)));
        } else if is_stopped {
            state.owed.push(Owed::Line(complaint(format_args!("{name} was stopped"))));
        } else {
            let kind = Kind::Work(name, 0);
            state.running = Some(Job { line, kind, open: false, pondering: false, infinite: false });
        }
    }

    // What is said.

    /// What a state becomes by a line.
    fn said(&mut self, mut state: State, text: &str) -> Result<Vec<State>, String> {
        if !state.owed.is_empty() {
            self.paid(&mut state, text)?;
            return Ok(vec![state]);
        }
        let is_remark = state.debug && is_reason(text);
        let Some(job) = &mut state.running else { return Err("wanted nothing".to_owned()) };
        match &mut job.kind {
            Kind::Search(_) if is_remark => {}
            Kind::Search(search) => {
                let root = self.known.root_of(search);
                search.heard = root.hear(&self.known.worlds[search.world], &search.heard, text)?;
            }
            Kind::Work(_, said) => {
                let (line, index) = (job.line, *said);
                *said += 1;
                let lines = self.known.lines_of(state.world, line);
                let wanted = lines.as_ref().as_ref().ok().and_then(|lines| lines.get(index));
                let wanted = wanted.ok_or("wanted no more of the job")?;
                if !is_line(wanted, text) {
                    return Err(format!("wanted `{wanted}`"));
                }
            }
        }
        Ok(vec![state])
    }

    /// Takes a line off what is owed.
    fn paid(&mut self, state: &mut State, text: &str) -> Result<(), String> {
        match &mut state.owed[0] {
            Owed::Line(wanted) if !is_line(wanted, text) => return Err(format!("wanted `{wanted}`")),
            Owed::Reason if !is_reason(text) => return Err("wanted the reason for a time".to_owned()),
            Owed::End(_) if state.debug && is_reason(text) => return Ok(()),
            Owed::End(search) => {
                let root = self.known.root_of(search);
                if !text.starts_with("bestmove ") {
                    search.heard = root.hear(&self.known.worlds[search.world], &search.heard, text)?;
                    return Ok(());
                }
                root.end(&search.heard, text)?;
            }
            Owed::Line(_) | Owed::Reason => {}
        }
        state.owed.remove(0);
        Ok(())
    }
}

fn is_reason(text: &str) -> bool {
    text.starts_with("info string ") && !text.starts_with("info string error: ")
}
