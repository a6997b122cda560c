//! Principal variation search of one tree.
//!
//! At full width the value is to a given depth that of plain alpha-beta. What keeps it so is told where it is done: the result bounds,
//! the table, and the path. What is left out otherwise stands in [`super::reduce`].

use std::mem;
use std::ops::{ControlFlow, Neg};

use super::MAX_DEPTH;
use super::Searchable;
use super::busy::{self, BusySlot, MoveQueue};
use super::order::{Ordering, Successor, pick};
use super::reduce::{DECIDED_PLIES, margin, reduction};
use super::score::{Objective, Score};
use super::shared::Shared;
use super::table::{Entry, Table};
use crate::rules::history::{DrawLimits, History};
use crate::rules::outcome::Reason;
use crate::rules::{Child, Move};
use crate::tablebase::probe::Tables;
use crate::units::{Bound, Key};

/// The scores that still matter: a value at or outside an end need only be known to be so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The window that only asks whether a value is above `alpha`.
    #[inline(always)]
    pub fn above(alpha: Score) -> Window {
        Window { alpha, beta: alpha.next() }
    }

    #[inline(always)]
    fn contains(self, score: Score) -> bool {
        score > self.alpha && score < self.beta
    }
}

impl Neg for Window {
    type Output = Window;

    /// The same window seen by the other player.
    #[inline(always)]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The value of a node, and the path that it depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub score: Score,
    /// The earliest position of the game's history that the score depends on, by its ply from the set-up; [`Value::NOTHING`] if it
    /// holds on any path.
    pub path_dependency: u32,
    /// No evaluation went into the score, so a deeper search would find the same.
    pub proven: bool,
    /// The plies from the root within which the winner can end a won game, whatever the loser gives up to last longer (U11, O16);
    /// [`Value::NEVER`] if that is not known.
    pub over_by: u16,
}

impl Value {
    /// No position of the path.
    pub const NOTHING: u32 = u32::MAX;
    /// No ply of a line.
    pub const NEVER: u16 = u16::MAX;

    /// A score that is final and holds on any path.
    #[inline(always)]
    pub fn proven(score: Score) -> Value {
        Value { score, path_dependency: Value::NOTHING, proven: true, over_by: Value::NEVER }
    }

    /// The score of a game that is over `ply` plies below the root.
    #[inline(always)]
    fn over(score: Score, ply: usize) -> Value {
        Value { over_by: ply as u16, ..Value::proven(score) }
    }

    /// A guess.
    #[inline(always)]
    fn open(score: Score) -> Value {
        Value { proven: false, ..Value::proven(score) }
    }

    /// The value of a node before any of its children was looked at.
    pub const NONE: Value =
        Value { score: Score(-Score::INFINITE.0), path_dependency: Value::NOTHING, proven: true, over_by: 0 };

    /// Takes the value of one more child into that of its node, both seen by the player who moves at the node.
    #[inline(always)]
    pub fn include(&mut self, child: Value) {
        // A winner goes the way of his best move; a loser may go any way.
        self.over_by = match child.score > self.score {
            true if child.score > Score::DRAW => child.over_by,
            false if self.score > Score::DRAW => self.over_by,
            _ => self.over_by.max(child.over_by),
        };
        self.score = self.score.max(child.score);
        self.path_dependency = self.path_dependency.min(child.path_dependency);
        self.proven &= child.proven;
    }
}

impl Value {
    /// Whether the winner can end the game within the distance that the score tells.
    #[inline(always)]
    pub fn is_firm(&self) -> bool {
        self.over_by <= self.score.over_by()
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline(always)]
    fn neg(self) -> Value {
        Value { score: -self.score, ..self }
    }
}

/// A tree that is being searched by one thread.
pub(super) struct Tree<'a, G: Searchable> {
    pub rules: G,
    pub table: &'a Table,
    endgames: Option<&'a Tables>,
    pub shared: &'a Shared<'a>,
    pub objective: Objective,
    /// The thread is the first one.
    pub leads: bool,
    /// What sets the entries of this kind of search apart in the table.
    pub salt: u64,
    /// A table entry cuts off only at its own depth; at full width each value is then that of plain alpha-beta.
    pub exact: bool,
    /// No move is searched less deep than the others, and no entry counts that comes from a search where some were.
    pub full_width: bool,
    /// Moves made so far by this thread.
    nodes: u64,
    /// How many of them the team knows of.
    told: u64,
    /// Positions that the endgame tables knew, and the team does not know of.
    hits: u64,
    /// The count of moves at which to ask the team again.
    next_poll: u64,
    /// The search is to end; what the functions return is void then.
    pub stopped: bool,
    /// The longest line so far.
    pub longest: usize,
    pub ordering: Ordering,
    /// The best line from each ply on; that of a ply counts after a full-window search there.
    pub lines: Vec<Vec<Move>>,
    pub history: History,
    pub draws: DrawLimits,
    /// The ply of the root in the history.
    root_ply: u32,
    /// The moves of all nodes of the present path, one node behind the other: a turn of Omweso may have thousands.
    successors: Vec<Successor<G::Position>>,
}

impl<'a, G: Searchable> Tree<'a, G> {
    pub fn new(
        rules: G,
        table: &'a Table,
        endgames: Option<&'a Tables>,
        shared: &'a Shared<'a>,
        history: History,
    ) -> Tree<'a, G> {
        Tree {
            rules,
            table,
            endgames,
            shared,
            objective: Objective::default(),
            leads: false,
            salt: 0,
            exact: false,
            full_width: false,
            nodes: 0,
            told: 0,
            hits: 0,
            next_poll: 0,
            stopped: false,
            longest: 0,
            ordering: Ordering::new(MAX_DEPTH + 1),
            lines: vec![Vec::new(); MAX_DEPTH + 2],
            draws: rules.draw_limits(),
            root_ply: history.plies(),
            history,
            successors: Vec::with_capacity(1024),
        }
    }

    /// Counts a move that is about to be made; `false` if it may not be, because the search is to end. Nodes are counted here
    /// and nowhere else.
    #[inline(always)]
    pub fn count(&mut self) -> bool {
        if self.nodes == self.next_poll && !self.poll() {
            return false;
        }
        self.nodes += 1;
        true
    }

    #[cold]
    fn poll(&mut self) -> bool {
        self.tell_nodes();
        let granted = self.shared.next_batch();
        self.next_poll = self.nodes + granted;
        self.stopped = granted == 0;
        !self.stopped
    }

    /// Tells the team of the moves that it does not know of, and returns how many all threads have told.
    pub fn tell_nodes(&mut self) -> u64 {
        self.shared.tell(self.nodes - self.told, mem::take(&mut self.hits));
        self.told = self.nodes;
        self.shared.made()
    }

    /// Moves made so far by this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Moves made so far by all threads, as far as the others have told.
    pub fn all_nodes(&self) -> u64 {
        self.shared.made() + (self.nodes - self.told)
    }

    /// Positions that the endgame tables knew, for all threads as far as the others have told.
    pub fn all_hits(&self) -> u64 {
        self.shared.hits() + self.hits
    }

    /// The value of a child for the player who moved there, in its parent's `window`; the parent is `ply` plies below the root
    /// and `depth` is what is left at the parent. With `PV` the best line from the child on is kept.
    pub fn after<const PV: bool>(
        &mut self,
        child: &Child<G::Position>,
        window: Window,
        depth: u8,
        ply: usize,
    ) -> Value {
        if !self.count() {
            return Value::NONE;
        }
        let ply = ply + 1;
        self.longest = self.longest.max(ply);
        if PV {
            self.lines[ply].clear();
        }
        if depth <= 1 {
            return -self.leaf(child, ply);
        }
        if let Some(reason) = child.end {
            return -Value::over(self.ended(&child.position, reason, ply), ply);
        }
        if let Some(value) = self.tabled(child, -window, ply) {
            return -value;
        }
        self.history.push(self.rules.repetition_key(&child.position), child.irreversible);
        let value = match self.history.verdict(self.draws) {
            Some(verdict) => {
                let score = self.ended(&child.position, verdict.reason, ply);
                Value { path_dependency: verdict.path_dependency as u32, ..Value::over(score, ply) }
            }
            None => self.node::<PV>(&child.position, -window, depth - 1, ply),
        };
        self.history.pop();
        -value
    }

    /// What the endgame tables say of a child, for the player to move there, where that decides it or lies outside the window. They
    /// are asked only where the history begins anew, since they know of none.
    #[inline(always)]
    fn tabled(&mut self, child: &Child<G::Position>, window: Window, ply: usize) -> Option<Value> {
        if !child.irreversible {
            return None;
        }
        let (worst, best) = self.known(&child.position)?;
        self.hits += 1;
        let (lowest, highest) = (Score::tabled(worst, ply), Score::tabled(best, ply));
        if worst == best || highest <= window.alpha {
            Some(Value::proven(highest))
        } else {
            (lowest >= window.beta).then(|| Value::proven(lowest))
        }
    }

    /// The worst and the best result that an endgame table knows of a position without its history.
    #[inline(always)]
    pub fn known(&self, position: &G::Position) -> Option<(i8, i8)> {
        Some(self.objective.counts_both(self.rules.known(self.endgames?, position)?))
    }

    /// The worst and the best result that the seeds left can still bring about.
    #[inline(always)]
    pub fn result_bounds(&self, position: &G::Position) -> (i8, i8) {
        self.objective.counts_both(self.rules.result_bounds(position))
    }

    /// What a position is worth without looking further.
    #[inline(always)]
    fn evaluation(&self, position: &G::Position) -> Score {
        Score::evaluation(self.result_bounds(position), self.rules.evaluate(position))
    }

    /// What a game that ended in this position counts for the player to move.
    #[inline(always)]
    pub fn balance(&self, position: &G::Position, reason: Reason) -> i8 {
        self.objective.counts(self.rules.outcome(position, reason).balance())
    }

    #[inline(always)]
    fn ended(&self, position: &G::Position, reason: Reason, ply: usize) -> Score {
        Score::decided(self.balance(position, reason), ply)
    }

    /// The name of a position in the table.
    #[inline(always)]
    fn key(&self, position: &G::Position) -> Key {
        Key(self.rules.key(position).0 ^ self.salt)
    }

    /// The move that the table knows for a position.
    pub fn remembered_move(&self, position: &G::Position) -> Option<Move> {
        self.table.probe(self.key(position), 0).map(|entry| entry.mv)
    }

    /// The value of a child that is looked at no further, for the player to move there (G6).
    #[inline(always)]
    fn leaf(&mut self, child: &Child<G::Position>, ply: usize) -> Value {
        if let Some(reason) = child.end {
            return Value::over(self.ended(&child.position, reason, ply), ply);
        }
        if self.may_be_drawn(child) {
            self.history.push(self.rules.repetition_key(&child.position), child.irreversible);
            let verdict = self.history.verdict(self.draws);
            self.history.pop();
            if let Some(verdict) = verdict {
                let score = self.ended(&child.position, verdict.reason, ply);
                return Value { path_dependency: verdict.path_dependency as u32, ..Value::over(score, ply) };
            }
        }
        if !self.rules.has_move(&child.position) {
            return Value::over(self.ended(&child.position, Reason::NoMove, ply), ply);
        }
        Value::open(match self.known(&child.position) {
            Some((worst, best)) if child.irreversible && worst == best => {
                self.hits += 1;
                return Value::proven(Score::tabled(worst, ply));
            }
            Some(results) => {
                let value = self.rules.evaluate(&child.position);
                Score::expected(results, self.result_bounds(&child.position), value)
            }
            None => self.evaluation(&child.position),
        })
    }

    /// Whether the history can end the game at this child: a cheap look before the key is made.
    #[inline(always)]
    fn may_be_drawn(&self, child: &Child<G::Position>) -> bool {
        let quiet = if child.irreversible { 0 } else { self.history.quiet() + 1 };
        // A position comes back after two plies at the earliest.
        quiet >= 2 * (self.draws.repetition - 1)
            || self.draws.quiet.is_some_and(|limit| quiet >= limit)
            || self.draws.length.is_some_and(|limit| self.history.plies() + 1 >= limit)
    }

    /// The value of an unfinished node for the player to move there, with at least one ply left.
    fn node<const PV: bool>(&mut self, position: &G::Position, window: Window, depth: u8, ply: usize) -> Value {
        // What the seeds left can still decide. A game that ends here for want of a move is within these bounds too.
        let (lowest, highest) = Score::bounds(self.result_bounds(position), ply);
        if highest <= window.alpha {
            return Value::proven(highest);
        }
        if lowest >= window.beta {
            return Value::proven(lowest);
        }
        if !PV && let Some(value) = self.reverse_futility(position, window, depth) {
            return value;
        }
        if depth == 1 {
            self.frontier::<PV>(position, window, ply)
        } else {
            self.inner::<PV>(position, window, depth, ply)
        }
    }

    /// Reverse futility pruning: the value of a node whose evaluation is so far above the window that few plies will not change that.
    /// Not where the window asks for a win or a loss: evaluations know of none.
    #[inline(always)]
    fn reverse_futility(&self, position: &G::Position, window: Window, depth: u8) -> Option<Value> {
        let margin = margin(G::SEARCH_PARAMS, depth).filter(|_| !self.full_width && window.beta.is_open())?;
        let least = self.evaluation(position).moved(-margin);
        let holds = least >= window.beta && self.rules.has_move(position);
        holds.then_some(Value::open(least))
    }

    /// A node with one ply left: its children are evaluated as they are made, and neither ordered nor kept.
    fn frontier<const PV: bool>(&mut self, position: &G::Position, window: Window, ply: usize) -> Value {
        let rules = self.rules;
        let mut best = Value::NONE;
        let mut any = false;
        self.longest = self.longest.max(ply + 1);
        let cut = rules.expand(position, |mv, child| {
            any = true;
            if !self.count() {
                return ControlFlow::Break(Value::NONE);
            }
            let value = -self.leaf(child, ply + 1);
            if value.score >= window.beta {
                return ControlFlow::Break(value);
            }
            if PV && value.score > window.alpha.max(best.score) {
                self.lines[ply].clear();
                self.lines[ply].push(mv);
            }
            best.include(value);
            ControlFlow::Continue(())
        });
        if !any {
            return Value::over(self.ended(position, Reason::NoMove, ply), ply);
        }
        match cut {
            ControlFlow::Break(value) => self.dissolved(value, ply),
            ControlFlow::Continue(()) => self.dissolved(best, ply),
        }
    }

    /// A node with more than one ply left.
    fn inner<const PV: bool>(&mut self, position: &G::Position, window: Window, depth: u8, ply: usize) -> Value {
        let key = self.key(position);
        let known = self.table.probe(key, ply);
        // At nodes of the principal variation the line must be found, not only its value.
        if let Some(entry) = known.filter(|entry| !PV && self.cuts_off(entry, window, depth)) {
            let over_by = if entry.firm { entry.score.over_by() } else { Value::NEVER };
            return Value { proven: entry.proven, over_by, ..Value::proven(entry.score) };
        }
        let base = self.successors.len();
        self.ordering.collect(&self.rules, position, known.map(|entry| entry.mv), ply, &mut self.successors);
        if self.successors.len() == base {
            return Value::over(self.ended(position, Reason::NoMove, ply), ply);
        }
        let (value, best) = self.children::<PV>(position, base, window, depth, ply);
        self.successors.truncate(base);
        if self.stopped {
            return value;
        }
        let value = self.dissolved(value, ply);
        // A score that depends on the path to this node is not one of the position, so it does not enter the table.
        if value.path_dependency == Value::NOTHING {
            let bound = match value.score {
                score if score >= window.beta => Bound::Lower,
                score if score <= window.alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let Value { score, proven, .. } = value;
            let (full_width, firm) = (self.full_width, value.is_firm());
            self.table.store(key, ply, &Entry { mv: best, score, depth, bound, proven, full_width, firm });
        }
        value
    }

    /// Looks at the moves of a node from `base` on, and tells its value and its best move.
    #[inline(always)]
    fn children<const PV: bool>(
        &mut self,
        position: &G::Position,
        base: usize,
        window: Window,
        depth: u8,
        ply: usize,
    ) -> (Value, Move) {
        let count = self.successors.len() - base;
        let mut best = Value::NONE;
        let mut best_move = self.successors[base].mv;
        let busy = self.shared.busy.as_ref().filter(|_| depth >= busy::LEAST_DEPTH);
        let mut queue = MoveQueue::new(count);
        while let Some((index, again)) = queue.next() {
            if !again {
                pick(&mut self.successors[base..], index);
            }
            let successor = self.successors[base + index];
            let place = busy.map(|busy| busy.of(self.rules.key(&successor.child.position), depth));
            // Before the first move is known there is no window to look at the others with.
            if index > 0 && !again && place.is_some_and(BusySlot::is_busy) && queue.defer(index) {
                continue;
            }
            let _guard = place.map(BusySlot::enter);
            let alpha = window.alpha.max(best.score);
            let window = Window { alpha, ..window };
            let value = match self.late_move_reduction::<PV>(&successor.child, index, alpha, depth, ply) {
                Some(value) => value,
                None => self.try_move::<PV>(&successor.child, window, index == 0, depth, ply),
            };
            if self.stopped {
                break;
            }
            if value.score > best.score {
                best_move = successor.mv;
            }
            if value.score >= window.beta {
                self.ordering.update(&self.rules, position, &successor, depth, ply);
                // The cut rests on this child alone.
                return (value, best_move);
            }
            if PV && value.score > alpha {
                self.extend_line(successor.mv, ply);
            }
            best.include(value);
        }
        (best, best_move)
    }

    /// Late move reduction: the value of a late and quiet child after a shallower search, if that shows it no better than what is known.
    #[inline(always)]
    fn late_move_reduction<const PV: bool>(
        &mut self,
        child: &Child<G::Position>,
        index: usize,
        alpha: Score,
        depth: u8,
        ply: usize,
    ) -> Option<Value> {
        if self.full_width || child.captured > 0 || child.end.is_some() {
            return None;
        }
        // Near the end of the line an evaluation tells nothing of how a game is won or lost, and by how many points.
        if alpha.is_decided() && depth <= DECIDED_PLIES {
            return None;
        }
        // On the principal variation there is more to lose.
        let reduction = reduction(G::SEARCH_PARAMS, depth, index).saturating_sub(u8::from(PV));
        if reduction == 0 {
            return None;
        }
        let value = self.after::<false>(child, Window::above(alpha), depth - reduction, ply);
        (self.stopped || value.score <= alpha).then_some(value)
    }

    /// The value of a child, looked at in full if it is the first, else asked first whether it is better than what is known.
    #[inline(always)]
    pub fn try_move<const PV: bool>(
        &mut self,
        child: &Child<G::Position>,
        window: Window,
        first: bool,
        depth: u8,
        ply: usize,
    ) -> Value {
        if !PV {
            return self.after::<false>(child, window, depth, ply);
        }
        if !first {
            let value = self.after::<false>(child, Window::above(window.alpha), depth, ply);
            if self.stopped || !window.contains(value.score) {
                // Nothing is known of the line.
                self.lines[ply + 1].clear();
                return value;
            }
        }
        self.after::<true>(child, window, depth, ply)
    }

    /// Makes the best line of a ply a move and the best line after it.
    pub fn extend_line(&mut self, mv: Move, ply: usize) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// The value outside its node: a repetition of the node itself comes about on every path to it.
    #[inline(always)]
    fn dissolved(&self, value: Value, ply: usize) -> Value {
        let path_dependency =
            if value.path_dependency >= self.root_ply + ply as u32 { Value::NOTHING } else { value.path_dependency };
        Value { path_dependency, ..value }
    }

    /// Whether a table entry decides a node.
    #[inline(always)]
    fn cuts_off(&self, entry: &Entry, window: Window, depth: u8) -> bool {
        if self.full_width && !entry.full_width && !entry.proven {
            return false;
        }
        let deep_enough = match (entry.proven, self.exact) {
            // What is settled was so with that many plies left, and is with more.
            (true, true) => entry.depth <= depth,
            (false, true) => entry.depth == depth,
            (true, false) => true,
            (false, false) => entry.depth >= depth,
        };
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= window.beta,
            Bound::Upper => entry.score <= window.alpha,
        };
        // The key does not hold the counts of plies; near their limits an entry may have been found where they were lower.
        deep_enough && decides && !self.counts_may_end(entry.depth.max(depth))
    }

    /// Whether quiet plies or length can end the game within `depth` plies.
    #[inline(always)]
    pub fn counts_may_end(&self, depth: u8) -> bool {
        let depth = u32::from(depth);
        self.draws.quiet.is_some_and(|limit| self.history.quiet() + depth >= limit)
            || self.draws.length.is_some_and(|limit| self.history.plies() + depth >= limit)
    }
}
