//! The search: iterative deepening of a principal variation search, on threads of its own.
//!
//! [`job`] makes a [`SearchJob`] into something that a [`Searcher`](workers::Searcher) runs; [`search_now`] runs it where it is called. Both tell
//! what they find as [`Event`]s. With one thread the same job on a table in the same state makes the same moves. With more of them
//! ([`shared`]) chance decides which finds what first: the scores then differ by what stands in the table, and promise the same.
//!
//! # What the scores promise
//!
//! A score that tells a win or a loss is a proof of it, but for the doubts below. All others are heuristic: a late and quiet move is
//! searched less deep than the rest unless it proves good. A search for a win within so many plies leaves nothing out, so that
//! it can tell that there is none; nor does one whose root a table knows, nor [`SearchJob::exact`], where the score of an iteration is that of plain alpha-beta to
//! its depth. The rules for draws are played in the tree to the letter (G4, G6), and there is no quiescence. The window cuts off, and
//! so do the result bounds: what the seeds left can still decide bounds the score of a node for certain. The table cuts off where no
//! line is wanted, and there lies all that is not certain of a proof:
//!
//! - An entry from a deeper search counts too. That is another value and a better one; [`SearchJob::exact`] takes an entry at its own
//!   depth alone. Entries of searches that leave something out count only in such, unless they are settled.
//! - A score that rests on a position before its node, as a repetition does, never enters the table, and near the limits of quiet
//!   plies and length no entry counts. But a score that was found where no position of its subtree had come up before is used also
//!   where one has.
//! - Two positions with the same key of 64 bits are taken for one.

pub mod arrange;
pub mod info;
pub mod limits;
pub mod score;
pub mod shared;
pub mod stop;
pub mod table;
pub mod workers;

mod alpha_beta;
mod busy;
mod confirm;
mod order;
mod reduce;
mod root;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use crate::eval::Evaluate;
use crate::rules::Move;
use crate::rules::history::History;
use crate::rules::notation::write_move;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::trace::Nobody;
use crate::tablebase::known::Endgames;
use crate::tablebase::probe::Tables;
use crate::units::{Bound, Depth, MoveText, Nodes, Player, ScoreValue};
use alpha_beta::Tree;
use info::{End, Event, Report};
use limits::Limits;
use root::{Root, RootMove};
use score::{Objective, Score};
use shared::{Failed, MOST_THREADS, Shared};
use stop::StopHandle;
use table::Table;
use workers::Job;

/// A game that can be searched: it has rules, an evaluation, and tables of its endgames or none.
pub trait Searchable: Evaluate + Endgames {}

impl<G: Evaluate + Endgames> Searchable for G {}

/// No iteration is deeper than this.
pub const MAX_DEPTH: usize = 200;

/// All that a search needs to know. It is a copy, so nothing changes under the search.
pub struct SearchJob<G: Searchable> {
    /// The game.
    pub rules: G,
    /// The root.
    pub position: G::Position,
    /// Who is to move there.
    pub mover: Player,
    /// How the game came there; its last position is the root.
    pub history: History,
    /// How the game ended, if it is over at the root.
    pub outcome: Option<Outcome>,
    /// How far to go.
    pub limits: Limits,
    /// How many lines to find.
    pub multi_pv: usize,
    /// How many threads search.
    pub threads: usize,
    /// The search is of full width and a table entry counts at its own depth alone, so that the scores are those of plain
    /// alpha-beta.
    pub exact: bool,
    /// What a won game is worth.
    pub objective: Objective,
    /// What is known of endgames, if anything.
    pub tables: Option<Tables>,
    /// How to end it from outside.
    pub stop: Arc<StopHandle>,
    /// What times are counted from.
    pub started: Instant,
    /// Who is told.
    pub events: Box<dyn Fn(Event) + Send>,
}

impl<G: Searchable> SearchJob<G> {
    /// A search without limits and endgame tables of a position that was just set up, of which nobody is told.
    pub fn new(rules: G, position: G::Position, mover: Player) -> SearchJob<G> {
        SearchJob {
            rules,
            position,
            mover,
            history: History::new(rules.repetition_key(&position)),
            outcome: rules.terminal(&position).map(|reason| rules.outcome(&position, reason)),
            limits: Limits::default(),
            multi_pv: 1,
            threads: 1,
            exact: false,
            objective: Objective::default(),
            tables: None,
            stop: Arc::new(StopHandle::alone()),
            started: Instant::now(),
            events: Box::new(|_| ()),
        }
    }
}

impl<G: Searchable> SearchJob<G> {
    /// What sets the table entries of searches apart whose scores differ in meaning: by the aim, by the tables that are asked, and by whether
    /// a win within so many plies is wanted. 0 for a plain one.
    fn kind(&self) -> u64 {
        let tables = self.tables.as_ref().and_then(Tables::largest).map_or(0, |largest| 1 + u64::from(largest));
        let kind = u64::from(self.objective == Objective::Win)
            | u64::from(self.limits.win_within.is_some()) << 1
            | tables << 2;
        kind.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The search as a job for a worker. A panic is caught and told as the end of the search.
pub fn job<G: Searchable>(search: SearchJob<G>) -> Job {
    guarded(search, search_now)
}

/// Some way to carry out a search, as a job that catches its panics.
fn guarded<G: Searchable>(
    search: SearchJob<G>,
    carry_out: impl FnOnce(&mut Table, &SearchJob<G>) -> Summary + Send + 'static,
) -> Job {
    Box::new(move |context| {
        // The table stays usable: its entries are whole at any moment.
        let result = catch_unwind(AssertUnwindSafe(|| carry_out(&mut context.table, &search)));
        if result.is_err() {
            (search.events)(Event::Finished {
                nodes: search.stop.nodes(),
                time: search.started.elapsed(),
                seldepth: Depth(0),
                hashfull: context.table.full(),
                why: End::Panicked,
            });
        }
    })
}

/// What a search found in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The lines of the last complete iteration by rank, or the one line that took the lead after it.
    pub lines: Vec<Report>,
    /// Moves made in all.
    pub nodes: Nodes,
}

/// Searches here and now.
pub fn search_now<G: Searchable>(table: &mut Table, search: &SearchJob<G>) -> Summary {
    table.age();
    let table = &*table;
    let mut reporter = Reporter { search, lines: Vec::new() };
    let root = match search.outcome {
        Some(_) => Root { moves: Vec::new() },
        None => Root::new(&search.rules, &search.position, &search.limits.search_moves),
    };
    // Where there is nothing to choose there is nothing to share.
    let threads = if root.moves.is_empty() { 1 } else { search.threads.clamp(1, MOST_THREADS) };
    let shared = Shared::new(&search.stop, search.limits.nodes.map_or(u64::MAX, |nodes| nodes.0), threads);
    let tree = || {
        let mut tree = Tree::new(search.rules, table, search.tables.as_ref(), &shared, search.history.clone());
        tree.objective = search.objective;
        tree.salt = search.kind();
        tree.exact = search.exact;
        // That there is no win within so many plies is known only where nothing was left out. And where tables reach, what is left to
        // find is what the history spoils, deep in a narrow tree.
        tree.full_width = search.exact || search.limits.win_within.is_some() || tree.known(&search.position).is_some();
        tree
    };
    let ranks = search.multi_pv.clamp(1, root.moves.len().max(1));
    let help = |index: usize| {
        let (tree, root) = (tree(), root.clone());
        move || assist(tree, root, ranks, index)
    };
    shared.search((1..threads).map(help).collect(), || lead(search, tree(), root.clone(), &shared, &mut reporter));
    Summary { lines: reporter.lines, nodes: Nodes(shared.made()) }
}

/// The work of the main thread: it decides, reports what is found and that the search is over, without waiting for the helpers.
fn lead<G: Searchable>(
    search: &SearchJob<G>,
    mut tree: Tree<'_, G>,
    mut root: Root<G::Position>,
    shared: &Shared<'_>,
    reporter: &mut Reporter<'_, G>,
) -> Result<(), Failed> {
    tree.leads = true;
    let why = if root.moves.is_empty() {
        reporter.over(&tree);
        End::NoMove
    } else {
        deepen(search, &mut tree, &mut root, reporter)
    };
    let nodes = Nodes(tree.tell_nodes());
    shared.check()?;
    (search.events)(Event::Finished {
        nodes,
        time: search.started.elapsed(),
        seldepth: Depth(tree.longest as u16),
        hashfull: tree.table.full(),
        why,
    });
    Ok(())
}

/// The work of a helper thread: it is never behind the iteration of the main thread, and every other helper keeps a ply ahead, since a
/// helper that repeats the main thread's node gets a table hit.
fn assist<G: Searchable>(mut tree: Tree<'_, G>, mut root: Root<G::Position>, ranks: usize, index: usize) {
    let ahead = index as u8 % 2;
    let mut depth = 0;
    while usize::from(depth) < MAX_DEPTH {
        depth = (depth + 1).max(tree.shared.depth() + ahead).min(MAX_DEPTH as u8);
        for rank in 0..ranks {
            if root.search_rank(&mut tree, rank, depth, |_, _| ()).is_err() {
                tree.tell_nodes();
                return;
            }
        }
        if root.moves[..ranks].iter().all(|line| line.proven) {
            break;
        }
    }
    tree.tell_nodes();
}

/// Iterates from depth to depth until there is a reason to end, and tells it.
fn deepen<G: Searchable>(
    search: &SearchJob<G>,
    tree: &mut Tree<'_, G>,
    root: &mut Root<G::Position>,
    reporter: &mut Reporter<'_, G>,
) -> End {
    let ranks = search.multi_pv.clamp(1, root.moves.len());
    let deepest = search.limits.depth.map_or(MAX_DEPTH, |depth| MAX_DEPTH.min(depth.0.into())) as u8;
    let mut why = End::Depth;
    'deepening: for depth in 1..=deepest {
        tree.shared.deepen(depth);
        for rank in 0..ranks {
            let improved = |tree: &Tree<'_, G>, best: &RootMove<G::Position>| {
                // With more lines a rank that changes alone would be a set that does not fit together.
                if ranks == 1 {
                    reporter.lead(tree, depth, best);
                }
            };
            if root.search_rank(tree, rank, depth, improved).is_err() {
                why = if search.stop.should_stop() { End::Stopped } else { End::Nodes };
                break 'deepening;
            }
        }
        root.moves[..ranks].sort_by_key(|line| std::cmp::Reverse(line.score));
        reporter.iteration(tree, depth, &root.moves[..ranks]);
        if let Some(enough) = enough(search, tree, root, ranks, depth) {
            why = enough;
            break;
        }
    }
    if reporter.lines.is_empty() {
        reporter.first_moves(tree, &root.moves[..ranks]);
    }
    why
}

/// Where a table knows the result of the root, and the best move promises no less, no iteration is deeper than this: after a look as far
/// for what repetition may spoil, and after a short one where nothing can be spoilt.
const fn deep_enough(best: i8) -> u8 {
    if best < 0 { 16 } else { 48 }
}

/// Why a deeper iteration is not wanted or could not tell more, if so.
fn enough<G: Searchable>(
    search: &SearchJob<G>,
    tree: &mut Tree<'_, G>,
    root: &Root<G::Position>,
    ranks: usize,
    depth: u8,
) -> Option<End> {
    let lines = &root.moves[..ranks];
    let known = tree.known(&search.position).filter(|_| search.history.quiet() == 0);
    let result_bounds = tree.result_bounds(&search.position);
    let (worst, best) = known.unwrap_or(result_bounds);
    let is_known = known.is_some() && worst == best;
    // The best result is proved by a line that comes to it within the depth, or to a table that knows it; the worst one likewise where it is a
    // loss, since a win that is the worst result leaves something to look for.
    let is_proved = |line: &RootMove<G::Position>| match line.score.balance() {
        Some(balance) => {
            let is_within = line.score.decision().is_none_or(|(_, plies)| plies <= i32::from(depth));
            is_within && (balance == best || (balance == worst && balance < 0))
        }
        None => best == 0 && line.score == Score::DRAW && line.holds,
    };
    let wins_within = |plies: Depth| {
        let found = |(balance, distance): (i8, i32)| balance > 0 && distance <= i32::from(plies.0);
        lines[0].score.decision().is_some_and(found) || u16::from(depth) >= plies.0
    };
    // Where there is nothing to choose a clock is not spent.
    let only_move = root.moves.len() == 1 && search.stop.has_soft_deadline();
    let reasons = [
        (lines.iter().all(|line| line.proven || is_proved(line)) && lines[0].confirm_result(tree), End::Proven),
        (is_known && lines[0].score.promises(best, result_bounds) && depth >= deep_enough(best), End::Proven),
        (search.limits.win_within.is_some_and(wins_within), End::WinWithin),
        (only_move, End::OnlyMove),
        (search.stop.soft_deadline_passed(), End::SoftDeadline),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// Reports what is found, and remembers it.
struct Reporter<'a, G: Searchable> {
    search: &'a SearchJob<G>,
    lines: Vec<Report>,
}

impl<G: Searchable> Reporter<'_, G> {
    fn report(&self, tree: &Tree<'_, G>, depth: u8, score: ScoreValue, bound: Bound, line: &[Move]) -> Report {
        Report {
            proven: false,
            depth: Depth(depth.into()),
            seldepth: Depth(tree.longest as u16),
            multipv: 1,
            score,
            bound,
            nodes: Nodes(tree.all_nodes()),
            time: self.search.started.elapsed(),
            hashfull: tree.table.full(),
            tbhits: tree.all_hits(),
            pv: self.write(line),
        }
    }

    /// The line of a move at the root.
    fn root_line(&self, tree: &Tree<'_, G>, depth: u8, root: &RootMove<G::Position>) -> Report {
        let report = self.report(tree, depth, root.score.value(root.firm), root.bound, &root.line);
        Report { proven: root.proven, ..report }
    }

    /// A line as its players write it.
    fn write(&self, line: &[Move]) -> Vec<MoveText> {
        let rules = &self.search.rules;
        let (mut position, mut mover) = (self.search.position, self.search.mover);
        let write = |&mv: &Move| {
            let text = write_move(rules, &position, mover, mv);
            position = rules.play(&position, mv, &mut Nobody).position;
            mover = !mover;
            text
        };
        line.iter().map(write).collect()
    }

    fn tell(&mut self, lines: Vec<Report>) {
        (self.search.events)(Event::Lines(lines.clone()));
        self.lines = lines;
    }

    /// The game is over at the root.
    fn over(&mut self, tree: &Tree<'_, G>) {
        let Self { search, .. } = self;
        let outcome = search.outcome.unwrap_or_else(|| search.rules.outcome(&search.position, Reason::NoMove));
        let score = Score::decided(search.objective.counts(outcome.balance()), 0).value(true);
        self.tell(vec![Report { proven: true, ..self.report(tree, 0, score, Bound::Exact, &[]) }]);
    }

    /// The search ended before it knew anything: moves that are at least legal.
    fn first_moves(&mut self, tree: &Tree<'_, G>, moves: &[RootMove<G::Position>]) {
        let score = ScoreValue::Centiseeds(self.search.rules.evaluate(&self.search.position));
        let lines = moves.iter().map(|root| self.report(tree, 0, score, Bound::Exact, &[root.mv]));
        self.tell(ranked(lines));
    }

    /// An iteration is complete.
    fn iteration(&mut self, tree: &Tree<'_, G>, depth: u8, best: &[RootMove<G::Position>]) {
        let lines = best.iter().map(|root| self.root_line(tree, depth, root));
        self.tell(ranked(lines));
    }

    /// Another move has taken the lead within an iteration.
    fn lead(&mut self, tree: &Tree<'_, G>, depth: u8, best: &RootMove<G::Position>) {
        let report = self.root_line(tree, depth, best);
        // The same move again is no news until the iteration is complete.
        if self.lines.first().is_none_or(|line| line.pv[0] != report.pv[0]) {
            self.tell(vec![report]);
        }
    }
}

fn ranked(lines: impl Iterator<Item = Report>) -> Vec<Report> {
    lines.zip(1..).map(|(line, rank)| Report { multipv: rank, ..line }).collect()
}
