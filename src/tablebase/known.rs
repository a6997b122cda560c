//! What tables tell a search: the results that can still come of a position.

use super::Bounds;
use super::probe::Tables;
use crate::rules::Rules;
use crate::rules::kimasai::Kimasai;
use crate::rules::omweso::Omweso;
use crate::rules::outcome::HalfSeeds;
use crate::rules::two_row::{Board, TwoRow};
use crate::rules::urim::Urim;
use crate::rules::wuri::Wuri;

/// A game that can be asked what its tables know, if it has any.
pub trait Endgames: Rules {
    /// The worst and the best balance of match points that the player to move comes to from here if both sides play on without a
    /// fault and the history is empty here: in a set-up position, and after a capture. Nothing is known of a game without tables.
    #[inline(always)]
    fn known(&self, _tables: &Tables, _position: &Self::Position) -> Option<(i8, i8)> {
        None
    }
}

/// The two-row game, asked for the board's bounds.
#[inline(always)]
fn known_board<G: TwoRow<PITS>, const PITS: usize>(rules: &G, tables: &Tables, board: &Board) -> Option<(i8, i8)> {
    let Bounds { lower, upper } = tables.probe::<PITS>(*board)?;
    let store = HalfSeeds::whole(board.stores().mover.into());
    let with = |bound: u8| rules.balance(store + HalfSeeds(bound.into()));
    Some((with(lower), with(upper)))
}

impl<const STANDARD: bool> Endgames for Wuri<STANDARD> {
    #[inline(always)]
    fn known(&self, tables: &Tables, board: &Board) -> Option<(i8, i8)> {
        known_board::<_, 6>(self, tables, board)
    }
}

impl<const PITS: usize, const STANDARD: bool> Endgames for Urim<PITS, STANDARD>
where
    Urim<PITS, STANDARD>: TwoRow<PITS>,
{
    #[inline(always)]
    fn known(&self, tables: &Tables, board: &Board) -> Option<(i8, i8)> {
        known_board::<_, PITS>(self, tables, board)
    }
}

impl<const STANDARD: bool> Endgames for Omweso<STANDARD> {}

impl<const STANDARD: bool> Endgames for Kimasai<STANDARD> {}
