//! Whether bounds agree with those of the boards that moves lead to.

use super::Bounds;
use super::games::TableGame;
use crate::rules::two_row::Board;
use crate::units::Player;

/// A board whose bounds are not those that its moves give it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The board.
    pub board: Board,
    /// What the table says.
    pub found: Bounds,
    /// What its moves say.
    pub wanted: Bounds,
}

/// What the bounds of a board must be by those of its children, or by the end of the game; `None` if `probe` lacks one.
///
/// He who moves has the best of what each move leaves him, and that is all seeds less what the other has there.
pub fn by_moves(game: &dyn TableGame, board: Board, probe: impl Fn(Board) -> Option<Bounds>) -> Option<Bounds> {
    let seeds = game.seeds(board);
    let moves = game.moves(board, Player::South);
    if moves.is_empty() {
        return Some(game.end(board));
    }
    let mut best = Bounds { lower: 0, upper: 0 };
    for (_, child) in moves {
        let bounds = probe(child.position)?.of_the_other(seeds);
        best.lower = best.lower.max(bounds.lower);
        best.upper = best.upper.max(bounds.upper);
    }
    Some(best)
}

/// Whether bounds agree with the moves of a board; `None` if `probe` lacks what one leads to.
///
/// Plain bounds are those that the moves give. Where they were tightened, a move that stays in the layer says nothing, since it leaves
/// a history behind; but no end and no capture may be worth more than the bounds say.
fn agree(
    game: &dyn TableGame,
    board: Board,
    found: Bounds,
    tightened: bool,
    probe: impl Fn(Board) -> Option<Bounds>,
) -> Option<bool> {
    let seeds = game.seeds(board);
    let moves = game.moves(board, Player::South);
    if !tightened || moves.is_empty() {
        return Some(by_moves(game, board, probe)? == found);
    }
    let mut forced = 0;
    for (_, child) in moves.iter().filter(|(_, child)| child.captured > 0) {
        forced = forced.max(probe(child.position)?.of_the_other(seeds).lower);
    }
    Some(forced <= found.lower && found.lower <= found.upper && found.upper <= 2 * seeds)
}

/// The places of so many boards spread over a layer of `size`, or of all of them if there are no more.
pub fn sample(size: u64, boards: u64) -> impl Iterator<Item = u64> {
    // Multiples of the golden ratio come close to every place and hit none twice in a row.
    let golden = 0x9e37_79b9_7f4a_7c15_u64;
    (0..size.min(boards)).map(move |number| {
        let spread = u128::from(number.wrapping_add(1).wrapping_mul(golden)) * u128::from(size);
        if size <= boards { number } else { (spread >> 64) as u64 }
    })
}

/// The first of some boards of a layer, tightened or plain, that does not agree with its moves; and how many were looked at before it, or in all.
pub fn first_disagreement(
    game: &dyn TableGame,
    seeds: u8,
    places: impl Iterator<Item = u64>,
    tightened: bool,
    probe: impl Fn(Board) -> Option<Bounds>,
) -> (u64, Option<Disagreement>) {
    let mut looked_at = 0;
    for board in places.filter_map(|place| game.board(seeds, place)) {
        let Some(found) = probe(board) else { continue };
        match agree(game, board, found, tightened, &probe) {
            Some(true) => looked_at += 1,
            Some(false) => {
                if let Some(wanted) = by_moves(game, board, &probe) {
                    return (looked_at, Some(Disagreement { board, found, wanted }));
                }
            }
            None => {}
        }
    }
    (looked_at, None)
}
