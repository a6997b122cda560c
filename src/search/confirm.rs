//! A claim about a root move walked through once more, with the true history.
//!
//! A table entry holds for the way on which it was found. Where a position of its subtree has come up before on another way, the game may end
//! there (G4), so a proof that rests on table entries may have a hole (graph history interaction: M. Campbell 1985; A. Kishimoto and M. Müller
//! 2004). Here the table only says which move to try first. A part of the proof counts again on another way if none of the positions that it
//! goes through has come up there.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::alpha_beta::Tree;
use super::{MAX_DEPTH, Searchable};
use crate::rules::outcome::Reason;
use crate::rules::{Child, Move};
use crate::units::Key;

/// What one side is said to be able to force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Claim {
    /// The least balance of match points for that side.
    pub balance: i8,
    /// The plies within which the game is over.
    pub within: Option<usize>,
}

/// The depths at which a claim without a number of plies is tried.
const DEPTHS: [usize; 12] = [4, 8, 12, 16, 20, 28, 36, 48, 64, 90, 128, MAX_DEPTH];
/// A proof through more positions is not kept.
const MOST_POSITIONS: usize = 512;
/// Nodes that a claim may always cost; beyond that a share of all that the search has made.
const FREE_NODES: u64 = 20_000;
const SHARE: u64 = 8;

/// What is known of a claim at a node.
#[derive(Clone)]
struct Answer {
    /// `None` where the depth or the nodes did not reach.
    holds: Option<bool>,
    /// The ply of the earliest position that it rests on.
    path_dependency: u32,
    /// The positions that it goes through since the history was last empty.
    through: Vec<Key>,
}

impl Answer {
    const OPEN: Answer = Answer { holds: None, path_dependency: u32::MAX, through: Vec::new() };

    fn sure(holds: bool) -> Answer {
        Answer { holds: Some(holds), ..Answer::OPEN }
    }
}

/// Answers by position, whether the claimant moves there, and the plies that are left if they count.
type Memory = HashMap<(Key, bool, usize), Vec<(bool, Rc<[Key]>)>>;

struct Walk<'t, 'a, G: Searchable> {
    tree: &'t mut Tree<'a, G>,
    claim: Claim,
    memory: Memory,
    /// The count of nodes at which to give up.
    limit: u64,
}

impl<G: Searchable> Tree<'_, G> {
    /// Whether a claim holds after a move of the root: one of the player who made it, or of the other one.
    pub fn confirms(&mut self, child: &Child<G::Position>, claim: Claim, by_mover: bool) -> bool {
        let limit = self.nodes() + FREE_NODES.max(self.nodes() / SHARE);
        let mut walk = Walk { tree: self, claim, memory: Memory::new(), limit };
        let answer = match claim.within {
            Some(plies) => walk.child(child, !by_mover, plies),
            None => {
                let tries = DEPTHS.iter().map(|&depth| walk.child(child, !by_mover, depth));
                tries.into_iter().find(|answer| answer.holds.is_some()).unwrap_or(Answer::OPEN)
            }
        };
        answer.holds == Some(true)
    }
}

impl<G: Searchable> Walk<'_, '_, G> {
    /// Whether this balance, seen by the player to move, grants the claim.
    fn grants(&self, balance: i8, claimant_moves: bool) -> bool {
        if claimant_moves { balance >= self.claim.balance } else { -balance >= self.claim.balance }
    }

    fn ended(&self, position: &G::Position, reason: Reason, claimant_moves: bool) -> bool {
        self.grants(self.tree.balance(position, reason), claimant_moves)
    }

    /// The claim at a child; `left` plies after it.
    fn child(&mut self, child: &Child<G::Position>, claimant_moves: bool, left: usize) -> Answer {
        if let Some(reason) = child.end {
            return Answer::sure(self.ended(&child.position, reason, claimant_moves));
        }
        if self.claim.within.is_none()
            && child.irreversible
            && let Some((worst, best)) = self.tree.known(&child.position)
        {
            let (worst, best) = (self.grants(worst, claimant_moves), self.grants(best, claimant_moves));
            if worst == best {
                return Answer::sure(worst);
            }
        }
        let key = self.tree.rules.repetition_key(&child.position);
        self.tree.history.push(key, child.irreversible);
        let answer = match self.tree.history.verdict(self.tree.draws) {
            Some(verdict) => Answer {
                path_dependency: verdict.path_dependency as u32,
                through: vec![key],
                ..Answer::sure(self.ended(&child.position, verdict.reason, claimant_moves))
            },
            None => self.node(&child.position, key, claimant_moves, left),
        };
        self.tree.history.pop();
        if child.irreversible { Answer { through: Vec::new(), ..answer } } else { answer }
    }

    fn node(&mut self, position: &G::Position, key: Key, claimant_moves: bool, left: usize) -> Answer {
        let (worst, best) = self.tree.result_bounds(position);
        let (worst, best) = (self.grants(worst, claimant_moves), self.grants(best, claimant_moves));
        if worst == best && !(best && self.claim.within.is_some()) {
            return Answer::sure(best);
        }
        let name = (self.tree.rules.key(position), claimant_moves, self.claim.within.map_or(0, |_| left));
        let here = self.tree.history.plies();
        // Near the limits of quiet plies and length a proof of another way may come too late.
        let counts = self.tree.counts_may_end(left as u8);
        if let Some(answer) = self.remembered(&name).filter(|_| !counts) {
            return answer;
        }
        if !self.tree.rules.has_move(position) {
            return Answer::sure(self.ended(position, Reason::NoMove, claimant_moves));
        }
        if left == 0 {
            return if self.claim.within.is_some() {
                Answer { through: vec![key], ..Answer::sure(false) }
            } else {
                Answer::OPEN
            };
        }
        let mut all = Answer { through: vec![key], ..Answer::sure(!claimant_moves) };
        let mut open = false;
        for (_, child) in self.children(position) {
            if self.tree.nodes() >= self.limit || !self.tree.count() {
                return Answer::OPEN;
            }
            let answer = self.child(&child, !claimant_moves, left - 1);
            match answer.holds {
                None => open = true,
                Some(holds) if holds == claimant_moves => {
                    all = answer;
                    all.through.push(key);
                    open = false;
                    break;
                }
                Some(_) => {
                    all.path_dependency = all.path_dependency.min(answer.path_dependency);
                    all.through.extend(answer.through);
                }
            }
        }
        if open {
            return Answer::OPEN;
        }
        // A repetition of the node itself comes about on every way to it.
        if all.path_dependency >= here {
            all.path_dependency = u32::MAX;
            all.through.sort_unstable();
            all.through.dedup();
            if let (Some(holds), true) = (all.holds, all.through.len() <= MOST_POSITIONS) {
                self.memory.entry(name).or_default().push((holds, all.through.clone().into()));
            }
        }
        all
    }

    /// What was found out before about a node, on a way that does not matter.
    fn remembered(&self, name: &(Key, bool, usize)) -> Option<Answer> {
        let before = |through: &[Key]| self.tree.history.before().any(|key| through.binary_search(&key).is_ok());
        let (holds, through) = self.memory.get(name)?.iter().find(|(_, through)| !before(through))?;
        Some(Answer { through: through.to_vec(), ..Answer::sure(*holds) })
    }

    /// The moves of a node: the one that the table knows, then those that end or capture, then the others.
    fn children(&self, position: &G::Position) -> Vec<(Move, Child<G::Position>)> {
        let mut children = Vec::new();
        let _ = self.tree.rules.expand(position, |mv, child| -> ControlFlow<()> {
            children.push((mv, *child));
            ControlFlow::Continue(())
        });
        let known = self.tree.remembered_move(position);
        children
            .sort_by_key(|(mv, child)| (Some(*mv) != known, child.end.is_none(), std::cmp::Reverse(child.captured)));
        children
    }
}
