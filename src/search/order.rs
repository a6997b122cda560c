//! Move ordering.
//!
//! The move that the table knows, then what wins at once, then by what the evaluation says of the child, with some seeds more for
//! captures, for killers, and for moves that have cut off elsewhere. Killers and history go by how a move starts, so that the many
//! lines of one pit share what is learnt.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::score::Score;
use crate::eval::Evaluate;
use crate::rules::{Child, Move, Rules};

/// A move with what it leads to and how early it is to be looked at.
#[derive(Clone, Copy)]
pub(super) struct Successor<P> {
    pub mv: Move,
    pub child: Child<P>,
    rank: i32,
}

/// What history and killers know of a move: pit, seeds, kind and first sign.
#[derive(Clone, Copy, PartialEq, Eq)]
struct MoveIndex(u16);

impl MoveIndex {
    const COUNT: usize = 1 << 12;
    /// The index of no move.
    const NONE: MoveIndex = MoveIndex(u16::MAX);

    #[inline(always)]
    fn of<G: Rules>(rules: &G, position: &G::Position, mv: Move) -> MoveIndex {
        let lift = rules.origin(position, mv);
        MoveIndex(
            u16::from(lift.pit.0 & 15)
                | u16::from(lift.seeds & 63) << 4
                | u16::from(mv.is_reversed()) << 10
                | u16::from(mv.is_split()) << 11,
        )
    }
}

const TRANSPOSITION: i32 = 1 << 30;
const WINS: i32 = 1 << 29;
/// In hundredths of a seed, as all that follow: what a capture promises beyond its seeds.
const CAPTURE: i32 = 200;
/// The newer and the older killer.
const KILLERS: [i32; 2] = [300, 200];
/// The most that history can add.
const HISTORY: i32 = 800;
/// The history score that stands for it; above, all scores are halved.
const FULL_HISTORY: i32 = 1 << 20;

/// Moves that are picked one by one before the rest is sorted at once: cut-offs come early, but a turn of Omweso may have
/// thousands of lines.
const PICKED: usize = 12;

/// What the search has learnt of moves, wherever they were played.
pub(super) struct Ordering {
    killers: Vec<[MoveIndex; 2]>,
    /// By the parity of the ply, so by player.
    history: [Box<[i32; MoveIndex::COUNT]>; 2],
}

impl Ordering {
    /// Nothing learnt, for a search of up to `plies` plies.
    pub fn new(plies: usize) -> Ordering {
        let empty = || Box::new([0; MoveIndex::COUNT]);
        Ordering { killers: vec![[MoveIndex::NONE; 2]; plies + 1], history: [empty(), empty()] }
    }

    /// Collects the moves of a position behind those that `successors` holds.
    #[inline(always)]
    pub fn collect<G: Evaluate>(
        &self,
        rules: &G,
        position: &G::Position,
        known: Option<Move>,
        ply: usize,
        successors: &mut Vec<Successor<G::Position>>,
    ) {
        let evaluation = |child: &G::Position| Score::evaluation(rules.result_bounds(child), rules.evaluate(child)).0;
        let _ = rules.expand(position, |mv, child| -> ControlFlow<()> {
            let rank = match child.end {
                _ if known == Some(mv) => TRANSPOSITION,
                // The other player is to move in the child.
                Some(reason) => -WINS * i32::from(rules.outcome(&child.position, reason).balance().signum()),
                None if child.captured > 0 => CAPTURE - evaluation(&child.position),
                None => self.history_score(MoveIndex::of(rules, position, mv), ply) - evaluation(&child.position),
            };
            successors.push(Successor { mv, child: *child, rank });
            ControlFlow::Continue(())
        });
    }

    /// The history score of a move that captures nothing, or its bonus as a killer.
    #[inline(always)]
    fn history_score(&self, index: MoveIndex, ply: usize) -> i32 {
        match self.killers[ply] {
            [newer, _] if index == newer => KILLERS[0],
            [_, older] if index == older => KILLERS[1],
            _ => self.history[ply % 2][usize::from(index.0)] / (FULL_HISTORY / HISTORY),
        }
    }

    /// Updates killers and history with a move that cut off.
    #[inline(always)]
    pub fn update<G: Rules>(
        &mut self,
        rules: &G,
        position: &G::Position,
        cut: &Successor<G::Position>,
        depth: u8,
        ply: usize,
    ) {
        if cut.child.captured > 0 || cut.child.end.is_some() {
            return;
        }
        let index = MoveIndex::of(rules, position, cut.mv);
        let killers = &mut self.killers[ply];
        if killers[0] != index {
            *killers = [index, killers[0]];
        }
        let history = &mut self.history[ply % 2];
        let history_score = &mut history[usize::from(index.0)];
        *history_score += i32::from(depth) * i32::from(depth);
        if *history_score > FULL_HISTORY {
            history.iter_mut().for_each(|history_score| *history_score /= 2);
        }
    }
}

/// Brings the best of the successors from `index` on to that place.
#[inline(always)]
pub(super) fn pick<P: Copy>(successors: &mut [Successor<P>], index: usize) {
    if index < PICKED {
        let mut best = index;
        for other in index + 1..successors.len() {
            if successors[other].rank > successors[best].rank {
                best = other;
            }
        }
        successors.swap(index, best);
    } else if index == PICKED {
        successors[index..].sort_by_key(|successor| Reverse(successor.rank));
    }
}
