//! What follows from the lines that were sent: all that needs no thought about time, each thing found out once.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use empiki::engine::bench;
use empiki::protocol::Command;
use empiki::search::stop::StopHandle;
use empiki::units::{Depth, Phase, Variant};

use super::model::Search;
use super::search::Root;
use super::world::World;
use crate::common::dialogue::is_as;

/// Jobs of this depth are not counted to their end: the dialogue stops them.
pub const LONG: Depth = Depth(9);

/// A world by its number, and a line by its.
type Place = (usize, usize);

/// What was sent, and what comes of it in which world.
pub struct Known {
    /// The lines.
    pub sent: Vec<Sent>,
    /// The worlds that commands have led to.
    pub worlds: Vec<World>,
    changes: HashMap<Place, (usize, Vec<String>)>,
    roots: HashMap<(Place, bool, bool), Rc<Root>>,
    counted: HashMap<Place, Rc<Result<Vec<String>, String>>>,
}

/// One line that was sent, or the end of all.
#[derive(Debug)]
pub struct Sent {
    /// What it says.
    pub what: What,
    /// Its number if it is a job.
    pub ticket: u64,
    /// The newest job that was read up to here.
    pub newest: u64,
    /// The newest `go ponder` that was.
    pub newest_ponder: u64,
}

/// What a line says.
#[derive(Debug)]
pub enum What {
    /// Something to do.
    Command(Command),
    /// A mistake, as it is told.
    Error(String),
    /// A line without a word.
    Nothing,
    /// There are no more lines.
    End,
}

impl Known {
    /// Nothing was sent yet.
    pub fn new(start: World) -> Known {
        Known {
            sent: Vec::new(),
            worlds: vec![start],
            changes: HashMap::new(),
            roots: HashMap::new(),
            counted: HashMap::new(),
        }
    }

    /// Gives a line its place in the order of reading.
    pub fn push(&mut self, what: What) {
        let (mut newest, mut newest_ponder) = self.sent.last().map_or((0, 0), |last| (last.newest, last.newest_ponder));
        let mut ticket = 0;
        if let What::Command(Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::Endless(_)) = what {
            newest += 1;
            ticket = newest;
        }
        if matches!(&what, What::Command(Command::Go(go)) if go.ponder) {
            newest_ponder = ticket;
        }
        self.sent.push(Sent { what, ticket, newest, newest_ponder });
    }

    /// Whether a line changes nothing and starts nothing.
    pub fn is_question(&self, line: usize) -> bool {
        match &self.sent[line].what {
            What::Command(command) => is_question(command),
            // A mistake is told in its turn, and holds nothing up.
            _ => true,
        }
    }

    /// Whether a waiting line is carried out even after a `quit`.
    pub fn outlives_quit(&self, line: usize) -> bool {
        matches!(
            self.sent[line].what,
            What::Command(Command::Go(_) | Command::Position { .. } | Command::Moves(_) | Command::Undo(_))
        )
    }

    /// Carries out a line that is no job: the number of the world that follows, and what is said.
    pub fn carry_out(&mut self, world: usize, line: usize) -> &(usize, Vec<String>) {
        let key = (world, line);
        if !self.changes.contains_key(&key) {
            let (changed, said) = match &self.sent[line].what {
                What::Error(error) => (None, vec![error.clone()]),
                What::Command(command) => self.worlds[world].carry_out(command),
                other => panic!("{other:?} is not carried out"),
            };
            let world = changed.map_or(world, |changed| {
                self.worlds.push(changed);
                self.worlds.len() - 1
            });
            self.changes.insert(key, (world, said));
        }
        &self.changes[&key]
    }

    /// What a search is asked.
    pub fn root_of(&mut self, search: &Search) -> Rc<Root> {
        let &Search { line, world, depth_one, keeps_moves, .. } = search;
        let root = self.roots.entry(((world, line), depth_one, keeps_moves)).or_insert_with(|| {
            let What::Command(Command::Go(go)) = &self.sent[line].what else { panic!("a search is a go") };
            let mut go = (**go).clone();
            if !keeps_moves {
                go.searchmoves.clear();
            }
            Rc::new(Root::new(&self.worlds[world], &go, depth_one))
        });
        Rc::clone(root)
    }

    /// What a job says that is no search.
    pub fn lines_of(&mut self, number: usize, line: usize) -> Rc<Result<Vec<String>, String>> {
        if let Some(known) = self.counted.get(&(number, line)) {
            return Rc::clone(known);
        }
        let What::Command(command) = &self.sent[line].what else { panic!("a job is a command") };
        let command = match command {
            Command::Go(go) => Command::Perft(go.perft.expect("a count of leaves")),
            other => other.clone(),
        };
        let world = &self.worlds[number];
        let lines = match command {
            Command::Bench(depth) => Ok(bench_lines(depth)),
            Command::Perft(depth) if depth >= LONG && world.phase() != Phase::Over => {
                // Not counted: it may be stopped at any of its lines. What is refused at once is known all the same.
                let lines = world.legal_moves().into_iter().chain(["Nodes searched".to_owned()]);
                let lines = lines.map(|name| name + ": *").collect();
                world.counted(&Command::Perft(Depth(0))).map(|_| lines)
            }
            short => world.counted(&short),
        };
        let lines = Rc::new(lines);
        self.counted.insert((number, line), Rc::clone(&lines));
        lines
    }
}

fn is_question(command: &Command) -> bool {
    !matches!(
        command,
        Command::Go(_)
            | Command::Perft(_)
            | Command::Bench(_)
            | Command::Endless(_)
            | Command::Handshake(_)
            | Command::NewGame
            | Command::SetOption { .. }
            | Command::Position { .. }
            | Command::Moves(_)
            | Command::Undo(_)
    )
}

/// Whether a line is the wanted one; `*` behind a name stands for a count.
pub fn is_line(wanted: &str, text: &str) -> bool {
    match wanted.strip_suffix(": *") {
        Some(name) => text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).is_some_and(is_count),
        None => is_as(wanted, text),
    }
}

fn is_count(text: &str) -> bool {
    text.parse::<u64>().is_ok()
}

/// The lines of a bench to this depth. It counts the same on every run, so a short one is counted once.
fn bench_lines(depth: Option<Depth>) -> Vec<String> {
    static COUNTS: [OnceLock<Vec<String>>; 2] = [const { OnceLock::new() }; 2];
    let line = |variant: Variant, nodes: &str| format!("bench {variant} nodes {nodes} time * nps *");
    let Some(known) = depth.and_then(|depth| COUNTS.get(usize::from(depth.0))) else {
        let total = "bench total nodes *".to_owned();
        return Variant::ALL.map(|variant| line(variant, "*")).into_iter().chain([total]).collect();
    };
    let count = || {
        let stop = Arc::new(StopHandle::alone());
        let counts = Variant::ALL.map(|variant| bench::run(variant, depth, &stop).expect("memory").expect("whole"));
        let lines = counts.iter().map(|count| line(count.variant, &count.nodes.0.to_string()));
        lines.chain([bench::total(&counts)]).collect()
    };
    known.get_or_init(count).clone()
}
