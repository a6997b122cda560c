//! Perft: counting the leaves of the game tree, the checksum of the rules.

use std::hint::black_box;
use std::ops::ControlFlow;

use super::{Move, Rules};

/// The most plies that are counted to, more than any count ends for. Each takes its part of the stack.
pub const MOST_PLIES: u16 = 200;

/// Counts the positions `depth` plies below an unfinished position: the moves of the last ply are counted, not made.
///
/// A finished game has no children; repetition, quiet plies and length are not looked at.
pub fn perft<G: Rules>(rules: &G, position: &G::Position, depth: u16) -> u64 {
    match depth {
        0 => 1,
        1 => rules.count_moves(position),
        _ => {
            let mut leaves = 0;
            let _ = rules.expand(position, |_, child| -> ControlFlow<()> {
                if child.end.is_none() {
                    leaves += perft(rules, &child.position, depth - 1);
                }
                ControlFlow::Continue(())
            });
            leaves
        }
    }
}

/// Counts as [`perft`] does, but makes the moves of the last ply too: every leaf is then a made move.
pub fn perft_made<G: Rules>(rules: &G, position: &G::Position, depth: u16) -> u64 {
    let mut leaves = 0;
    let _ = if depth <= 1 {
        rules.expand(position, |_, child| -> ControlFlow<()> {
            // Without this the compiler sees that nobody looks at the child, and does not make it.
            black_box(child);
            leaves += 1;
            ControlFlow::Continue(())
        })
    } else {
        rules.expand(position, |_, child| -> ControlFlow<()> {
            if child.end.is_none() {
                leaves += perft_made(rules, &child.position, depth - 1);
            }
            ControlFlow::Continue(())
        })
    };
    leaves
}

/// The plies of a subtree that is counted without a look at the time: milliseconds, also with many moves a position.
const AT_ONCE: u16 = 4;

/// Counts as [`perft`] does for as long as `go_on` says so; `None` if it was ended.
pub fn perft_while<G: Rules>(rules: &G, position: &G::Position, depth: u16, go_on: &impl Fn() -> bool) -> Option<u64> {
    if depth <= AT_ONCE {
        return go_on().then(|| perft(rules, position, depth));
    }
    let mut leaves = 0;
    let counted = rules.expand(position, |_, child| {
        if child.end.is_none() {
            match perft_while(rules, &child.position, depth - 1, go_on) {
                Some(below) => leaves += below,
                None => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    });
    counted.is_continue().then_some(leaves)
}

/// Hands over the count below each root move of an unfinished position, in canonical order, for a `depth` of at least 1. Tells
/// whether it came to the end before `go_on` ended it.
pub fn divide<G: Rules>(
    rules: &G,
    position: &G::Position,
    depth: u16,
    go_on: &impl Fn() -> bool,
    mut visit: impl FnMut(Move, u64),
) -> bool {
    let counted = rules.expand(position, |mv, child| {
        let leaves = match child.end {
            None => perft_while(rules, &child.position, depth.saturating_sub(1), go_on),
            Some(_) => Some(u64::from(depth <= 1)),
        };
        match leaves {
            Some(leaves) => {
                visit(mv, leaves);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    });
    counted.is_continue()
}
