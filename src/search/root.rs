//! The root: its moves, the lines that are reported, and iterative deepening.

use std::ops::ControlFlow;

use super::Searchable;
use super::alpha_beta::{Tree, Value, Window};
use super::confirm::Claim;
use super::score::Score;
use crate::rules::{Child, Move};
use crate::units::Bound;

/// From this depth on the first window is a narrow one around the score of the iteration before.
const ASPIRATION_DEPTH: u8 = 5;

/// A move of the root.
#[derive(Clone)]
pub(super) struct RootMove<P> {
    pub mv: Move,
    child: Child<P>,
    /// Its score in this iteration, or below all others if it is only known not to be the best.
    pub score: Score,
    pub bound: Bound,
    /// The winner can end the game within the distance that the score tells.
    pub firm: bool,
    /// The last score that was said to be firm, and whether it was confirmed.
    confirmed: Option<(Score, bool)>,
    /// The best line, which begins with the move.
    pub line: Vec<Move>,
    /// Nothing deeper can change the score of the move.
    pub holds: bool,
    /// Nothing deeper can change the score, nor that another move is better.
    pub proven: bool,
}

impl<P: Copy> RootMove<P> {
    /// Whether the game can be won within the distance that the score tells, with the true history. Asked by the first thread alone, which
    /// tells of it.
    fn confirm_mate<G: Searchable<Position = P>>(&mut self, tree: &mut Tree<'_, G>) -> bool {
        let Some((balance, plies)) = self.score.decision().filter(|_| tree.leads) else { return false };
        if let Some((score, true)) = self.confirmed
            && score == self.score
        {
            return true;
        }
        let claim = Claim { balance: 1, within: Some((plies as usize).saturating_sub(1)) };
        let holds = tree.confirms(&self.child, claim, balance > 0);
        self.confirmed = Some((self.score, holds));
        holds
    }

    /// Whether the move keeps what its score tells, with the true history.
    pub fn confirm_result<G: Searchable<Position = P>>(&self, tree: &mut Tree<'_, G>) -> bool {
        let balance = self.score.balance().unwrap_or(0);
        tree.confirms(&self.child, Claim { balance, within: None }, true)
    }
}

/// The moves of the root, the best in front.
#[derive(Clone)]
pub(super) struct Root<P> {
    pub moves: Vec<RootMove<P>>,
}

/// The search was told to end.
pub(super) struct Stopped;

impl<P: Copy> Root<P> {
    /// The legal moves of a position, captures first, or those of them that are wanted; all if none is.
    pub fn new<G: Searchable<Position = P>>(rules: &G, position: &P, wanted: &[Move]) -> Root<P> {
        let mut moves = Vec::new();
        let _ = rules.expand(position, |mv, child| -> ControlFlow<()> {
            if wanted.is_empty() || wanted.contains(&mv) {
                moves.push(RootMove {
                    mv,
                    child: *child,
                    score: Score::DRAW,
                    bound: Bound::Exact,
                    firm: false,
                    confirmed: None,
                    line: vec![mv],
                    holds: false,
                    proven: false,
                });
            }
            ControlFlow::Continue(())
        });
        moves.sort_by_key(|root| std::cmp::Reverse(root.child.captured));
        Root { moves }
    }

    /// Finds the best of the moves from `rank` on and brings it there. `improved` is told of each move that takes the lead
    /// while others are still to be looked at.
    pub fn search_rank<G: Searchable<Position = P>>(
        &mut self,
        tree: &mut Tree<'_, G>,
        rank: usize,
        depth: u8,
        mut improved: impl FnMut(&Tree<'_, G>, &RootMove<P>),
    ) -> Result<(), Stopped> {
        let expected = self.moves[rank].score;
        let mut margin = G::SEARCH_PARAMS.aspiration;
        let mut window = match expected.decision() {
            None if depth >= ASPIRATION_DEPTH => {
                Window { alpha: expected.moved(-margin), beta: expected.moved(margin) }
            }
            _ => Window::FULL,
        };
        loop {
            let score = self.search_window(tree, rank, window, depth, &mut improved)?.score;
            // Stable, so the moves that are not the best keep their order.
            self.moves[rank..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if score <= window.alpha {
                window.alpha = score.moved(-margin);
            } else if score >= window.beta {
                window.beta = score.moved(margin);
            } else {
                return Ok(());
            }
            margin *= 4;
            if margin > 16 * G::SEARCH_PARAMS.aspiration {
                window = Window::FULL;
            }
        }
    }

    fn search_window<G: Searchable<Position = P>>(
        &mut self,
        tree: &mut Tree<'_, G>,
        rank: usize,
        window: Window,
        depth: u8,
        improved: &mut impl FnMut(&Tree<'_, G>, &RootMove<P>),
    ) -> Result<Value, Stopped> {
        let mut best = Value::NONE;
        for (index, root) in self.moves[rank..].iter_mut().enumerate() {
            let alpha = window.alpha.max(best.score);
            let value = tree.try_move::<true>(&root.child, Window { alpha, ..window }, index == 0, depth, 0);
            if tree.stopped {
                return Err(Stopped);
            }
            best.include(value);
            if index > 0 && value.score <= alpha {
                root.score = -Score::INFINITE;
                continue;
            }
            tree.extend_line(root.mv, 0);
            root.score = value.score;
            root.firm = value.is_firm() && root.confirm_mate(tree);
            root.holds = value.proven;
            root.line.clone_from(&tree.lines[0]);
            root.bound = match value.score {
                score if score <= window.alpha => Bound::Upper,
                score if score >= window.beta => Bound::Lower,
                _ => Bound::Exact,
            };
            if index > 0 {
                improved(tree, root);
            }
            if value.score >= window.beta {
                break;
            }
        }
        // Whether the best is settled hangs on the moves that it was held against too.
        for root in &mut self.moves[rank..] {
            root.proven = best.proven;
        }
        Ok(best)
    }
}
