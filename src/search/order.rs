//! Which move is looked at first.
//!
//! The move that the table knows, then what wins at once, captures by their seeds, killers, and the rest by history. Killers and
//! history go by how a move starts, so that the many lines of one pit share what is learnt.

use crate::rules::{Child, Move, Rules};

/// A move with what it leads to and how early it is to be looked at.
#[derive(Clone, Copy)]
pub(super) struct Successor<P> {
    pub mv: Move,
    pub child: Child<P>,
    rank: i32,
}

/// How a move starts: pit, seeds, kind and first sign.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Start(u16);

impl Start {
    const COUNT: usize = 1 << 12;
    /// Equal to the start of no move.
    const NONE: Start = Start(u16::MAX);

    #[inline(always)]
    fn of<G: Rules>(rules: &G, position: &G::Position, mv: Move) -> Start {
        let lift = rules.lifted(position, mv);
        Start(
            u16::from(lift.pit.0 & 15)
                | u16::from(lift.seeds & 63) << 4
                | u16::from(mv.is_reversed()) << 10
                | u16::from(mv.is_split()) << 11,
        )
    }
}

const KNOWN: i32 = 1 << 30;
const WINS: i32 = 1 << 29;
const CAPTURES: i32 = 1 << 28;
const KILLERS: i32 = 1 << 27;
/// Above this all history is halved.
const FULL_HISTORY: i32 = 1 << 20;

/// Moves that are picked one by one before the rest is sorted at once: cut-offs come early, but a turn of Omweso may have
/// thousands of lines.
const PICKED: usize = 12;

/// What the search has learnt of moves, wherever they were played.
pub(super) struct Ordering {
    killers: Vec<[Start; 2]>,
    /// By the parity of the ply, so by player.
    history: [Box<[i32; Start::COUNT]>; 2],
}

impl Ordering {
    /// Nothing learnt, for a search of up to `plies` plies.
    pub fn new(plies: usize) -> Ordering {
        let empty = || Box::new([0; Start::COUNT]);
        Ordering { killers: vec![[Start::NONE; 2]; plies + 1], history: [empty(), empty()] }
    }

    /// Collects the moves of a position behind those that `successors` holds.
    #[inline(always)]
    pub fn collect<G: Rules>(
        &self,
        rules: &G,
        position: &G::Position,
        known: Option<Move>,
        ply: usize,
        successors: &mut Vec<Successor<G::Position>>,
    ) {
        let killers = self.killers[ply];
        let history = &self.history[ply % 2];
        let _ = rules.expand(position, |mv, child| -> std::ops::ControlFlow<()> {
            let rank = if known == Some(mv) {
                KNOWN
            } else if let Some(reason) = child.end {
                // The other player is to move in the child.
                -WINS * i32::from(rules.outcome(&child.position, reason).balance().signum())
            } else if child.captured > 0 {
                CAPTURES + i32::from(child.captured)
            } else {
                let start = Start::of(rules, position, mv);
                match killers {
                    [first, _] if start == first => KILLERS + 1,
                    [_, second] if start == second => KILLERS,
                    _ => history[usize::from(start.0)],
                }
            };
            successors.push(Successor { mv, child: *child, rank });
            std::ops::ControlFlow::Continue(())
        });
    }

    /// Learns from a move that cut off.
    #[inline(always)]
    pub fn reward<G: Rules>(
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
        let start = Start::of(rules, position, cut.mv);
        let killers = &mut self.killers[ply];
        if killers[0] != start {
            *killers = [start, killers[0]];
        }
        let history = &mut self.history[ply % 2];
        let merit = &mut history[usize::from(start.0)];
        *merit += i32::from(depth) * i32::from(depth);
        if *merit > FULL_HISTORY {
            history.iter_mut().for_each(|merit| *merit /= 2);
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
        successors[index..].sort_by_key(|successor| std::cmp::Reverse(successor.rank));
    }
}
