//! Perft: counting the leaves of the game tree, the checksum of the rules.

use std::hint::black_box;
use std::ops::ControlFlow;

use super::{Move, Rules};

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

/// The count below each root move of an unfinished position, in canonical order, until `visit` breaks.
pub fn divide<G: Rules, B>(
    rules: &G,
    position: &G::Position,
    depth: u16,
    mut visit: impl FnMut(Move, u64) -> ControlFlow<B>,
) -> ControlFlow<B> {
    rules.expand(position, |mv, child| {
        let leaves = match child.end {
            None => perft(rules, &child.position, depth.saturating_sub(1)),
            Some(_) => u64::from(depth <= 1),
        };
        visit(mv, leaves)
    })
}
