//! Bounds that know what a repetition pays: how far a layer's plain bounds can be tightened.
//!
//! The plain bounds of a position say what a player can force if a cycle is worth nothing to him. Under the own-row rule (W8, U9)
//! a cycle pays each player his row, so the truth lies between. Here is what closes most of the gap.
//!
//! # What is asked
//!
//! All seeds of a layer lie in the pits, and no capture leads back to it. So a game that stays in the layer is one *stretch* and
//! begins with an empty history; it ends by a capture, whose worth the layer below knows, by a missing move, or by a repetition.
//! A true state of a stretch is a board together with the player to move. For a threshold r, South wants r seeds or more and North wants
//! to keep him below; the game is finite, so one of them succeeds from each state. The plain bounds settle some states; the
//! others are *open*. The same board with North to move, at threshold n + 1 - r, is the same question with the names changed:
//! thresholds up to half of the seeds ask all there is.
//!
//! A state is *South's colour* if South's row holds r or more in it, else North's: who has it gets what he wants if the game
//! ends there by repetition.
//!
//! # Steering: strategies that need no history
//!
//! South wins the states of `mu Y. nu Z. (South's colour and CPre(Z)) or CPre(Y)`, where `CPre(A)` are the states from which South
//! can make sure that the next one lies in A or that the stretch is left for r seeds or more ([`positional`]). His strategy there
//! looks at the state alone. *Why it is sound:* each state joins Y in some round. A state of North's colour joins by `CPre(Y)`, so the
//! strategy leads from it to states of earlier rounds, and from a state of South's colour never to a later round. So the round never
//! grows and falls at each state of North's colour; none of these comes up twice, not even with North's help. The first state that does,
//! for the second or the third time, has South's colour. The same holds for North with the colours exchanged. The plain bounds are the
//! case without Z.
//!
//! *Entered late:* the strategy never leaves its winning set before the stretch ends. So it holds just as well if the game has been
//! elsewhere before, as long as no state *of the set* is in the history. A search that walks through open states only and stops
//! where it enters the set of either player may take these for settled.
//!
//! # Search: strategies that need it
//!
//! What is open after that is split into strongly connected components ([`layer_graph`]). A component that has been left cannot be
//! entered again without passing through a settled state, so who enters a later one finds no state in it visited. Hence what
//! is found for a later component holds for those before it, and only the states of the same component matter for the history. Such a
//! component is searched with the true history ([`exact`]), for repetition at the second time only. Four things make that short:
//!
//! - A state that was visited ends the game for the player whose colour it has. So it is taken out, the moves to it are settled,
//!   and what is left of the component is steered and split anew: the same game on a smaller graph, and the argument above again.
//! - A visited state of South's colour never hurts South: until it comes up the game is as without it, and then he has won. So what
//!   South is known to win, with some history, he also wins with more states of his colour in it. In particular he wins each state
//!   from which he can keep to states of his colour until he comes to one that he is known to win.
//! - What is left of a component depends on which states are left, not on the order in which the others were visited, so results are
//!   kept by that set. A result is not kept where a way out of the set was not searched to its end.
//! - A proof rarely needs many visited states, so their number is limited, and the limit raised step by step.
//!
//! The search is bounded by work, never by time, so bounds are the same on every machine. What it does not finish
//! stays open, and what it finds is used for other layers only: a strategy with a history is no set to be entered late.

mod exact;
mod layer_graph;
mod positional;

use std::ops::ControlFlow;

use super::layer::Layer;
use super::{Draft, index};
use crate::rules::two_row::{Board, TwoRow};
use crate::units::Player;
use exact::Solver;
use layer_graph::{LayerGraph, Lists, Node};

/// What may be spent on a layer, counted in nodes and edges of graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The layers of more seeds are steered and not searched.
    pub most_seeds: u8,
    /// On the search of one position, in each of its rounds.
    pub each: u64,
    /// On all searches; with 0 there is none, and positions are steered only.
    pub all: u64,
}

impl Effort {
    /// Steers and does not search: a few passes over the open positions.
    pub const NONE: Effort = Effort { most_seeds: 0, each: 0, all: 0 };
    /// Enough for every position up to seven seeds, in some tens of milliseconds for all of them.
    pub const SHORT: Effort = Effort { most_seeds: 7, each: 1_000_000, all: 2_000_000 };
    /// Enough for nearly every position up to nine seeds; eight seeds on twelve pits take some tens of seconds.
    pub const LONG: Effort = Effort { most_seeds: u8::MAX, each: 20_000_000, all: 1_000_000_000 };
}

/// Tightens the bounds of a layer as [`super::retrograde::solve`] leaves them, and no others: what a search has found would be taken
/// for steered. `lower` are the layers below; the better they are known, the more is found here.
///
/// Does nothing where a cycle is shared evenly, since plain bounds are exact then.
///
/// # Panics
/// If `lower` lacks a layer.
pub fn refine<G: TwoRow<PITS>, const PITS: usize>(rules: &G, draft: &mut Draft, lower: &[Layer], effort: Effort) {
    if rules.splits_cycles() {
        return;
    }
    let moves = Moves::new::<G, PITS>(rules, draft, lower);
    let searched = rules.draw_limits().repetition == 2 && draft.seeds <= effort.most_seeds;
    let mut solver = Solver::new(if searched { effort } else { Effort::NONE });
    // The bounds stay plain until all thresholds are done: what was searched must not pass for steered.
    let mut found = Vec::new();
    for threshold in 1..=draft.seeds.div_ceil(2) {
        let open = moves.open_at(threshold);
        let winners = solver.winners(open.layer_graph);
        for (&(place, mover), winner) in open.states.iter().zip(winners) {
            let Some(winner) = winner else { continue };
            found.push((moves.ranks[place as usize] as usize, moves.wanted(threshold, mover), winner == mover));
        }
    }
    for (rank, seeds, forced) in found {
        if forced {
            draft.lower[rank] = draft.lower[rank].max(2 * seeds);
        } else {
            draft.upper[rank] = draft.upper[rank].min(2 * (seeds - 1));
        }
    }
}

/// The boards of a layer whose bounds differ, and the moves between them.
struct Moves {
    /// The seeds of the layer.
    seeds: u8,
    /// The ranks of the boards, ascending.
    ranks: Vec<u32>,
    /// What the mover of each can force, and what he can hope for at most.
    bounds: Vec<(u8, u8)>,
    /// Where each leads to without a capture, by place in `ranks`.
    next: Lists,
    /// The seeds in the mover's row.
    rows: Vec<u8>,
    /// What the mover can hope for at most if he captures now.
    hopes: Vec<u8>,
}

/// The open states at one threshold.
struct Open {
    /// A board by its place in [`Moves::ranks`], and who is to move.
    states: Vec<(u32, Player)>,
    layer_graph: LayerGraph,
}

impl Moves {
    fn new<G: TwoRow<PITS>, const PITS: usize>(rules: &G, draft: &Draft, lower: &[Layer]) -> Moves {
        let bounds = draft.lower.iter().zip(&draft.upper).map(|(lower, upper)| (lower / 2, upper / 2));
        let (ranks, bounds) = (0..).zip(bounds).filter(|(_, (lower, upper))| lower < upper).unzip();
        let seeds = draft.seeds;
        let mut moves = Moves { seeds, ranks, bounds, next: Lists::default(), rows: Vec::new(), hopes: Vec::new() };
        for &rank in &moves.ranks {
            let board = index::unrank::<PITS>(seeds, rank.into());
            let mut hope = 0;
            let _ = rules.expand(&board, |_, child| -> ControlFlow<()> {
                if child.captured > 0 {
                    hope = hope.max(seeds - forced::<PITS>(child.position, lower));
                } else if let Ok(place) = moves.ranks.binary_search(&(index::rank::<PITS>(child.position) as u32)) {
                    // Moves to settled boards win nothing, or the bounds would say so.
                    moves.next.push(place as u32);
                }
                ControlFlow::Continue(())
            });
            moves.next.close();
            moves.rows.push(board.rows::<PITS>().mover);
            moves.hopes.push(hope);
        }
        moves
    }

    /// The seeds that a mover wants, where South wants so many as the threshold says and North enough to deny him.
    fn wanted(&self, threshold: u8, mover: Player) -> u8 {
        match mover {
            Player::South => threshold,
            Player::North => self.seeds + 1 - threshold,
        }
    }

    /// The states that are open at a threshold of South's.
    fn open_at(&self, threshold: u8) -> Open {
        let mut states = Vec::new();
        let mut names = [vec![u32::MAX; self.ranks.len()], vec![u32::MAX; self.ranks.len()]];
        for mover in Player::BOTH {
            let seeds = self.wanted(threshold, mover);
            for (place, &(lower, upper)) in (0..).zip(&self.bounds) {
                if lower < seeds && seeds <= upper {
                    names[mover as usize][place as usize] = states.len() as u32;
                    states.push((place, mover));
                }
            }
        }
        let mut nodes = Vec::with_capacity(states.len());
        let mut next = Lists::default();
        for (&(place, mover), name) in states.iter().zip(0..) {
            let seeds = self.wanted(threshold, mover);
            let gains = if self.rows[place as usize] >= seeds { mover } else { !mover };
            // A capture that surely pays would have settled the state, so one that may pay is not known well enough.
            nodes.push(Node { mover, gains, open_exit: self.hopes[place as usize] >= seeds, name, known: None });
            let names = &names[!mover as usize];
            next.extend(self.next.of(place).iter().map(|&to| names[to as usize]).filter(|&name| name != u32::MAX));
        }
        Open { states, layer_graph: LayerGraph::new(nodes, next) }
    }
}

/// What the mover of a board of a finished layer can force at least.
fn forced<const PITS: usize>(board: Board, lower: &[Layer]) -> u8 {
    let layer = &lower[usize::from(index::seeds::<PITS>(board))];
    layer.bounds(index::rank::<PITS>(board)).map_or(0, |bounds| bounds.lower / 2)
}
