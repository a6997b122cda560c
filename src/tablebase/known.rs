//! What tables tell a search: the results that can still come of a position.

use super::probe::Tables;
use super::{Bounds, index};
use crate::rules::Rules;
use crate::rules::kimasai::Kimasai;
use crate::rules::omweso::Omweso;
use crate::rules::outcome::HalfSeeds;
use crate::rules::two_row::{Board, TwoRow};
use crate::rules::urim::Urim;
use crate::rules::wuri::Wuri;

/// A game that can be asked what its tables know, if it has any.
pub trait Endgames: Rules {
    /// The tables of the game; nothing for a game without.
    type Tables: Clone + Default + Send + Sync + 'static;

    /// The tables of this game from those that any game on two rows may have.
    fn take(tables: Option<Tables>) -> Self::Tables;

    /// The worst and the best balance of match points that the player to move comes to from here if both sides play on without a
    /// fault and the history is empty here: in a set-up position, and after a capture.
    fn known(&self, tables: &Self::Tables, position: &Self::Position) -> Option<(i8, i8)>;
}

/// The two-row game, asked for the board's bounds.
#[inline(always)]
fn known_board<G: TwoRow<PITS>, const PITS: usize>(
    rules: &G,
    tables: &Option<Tables>,
    board: &Board,
) -> Option<(i8, i8)> {
    let tables = tables.as_ref()?;
    if index::seeds::<PITS>(*board) > tables.largest()? {
        return None;
    }
    let Bounds { lower, upper } = tables.probe::<PITS>(*board)?;
    let store = HalfSeeds::whole(board.stores().mover.into());
    let with = |bound: u8| rules.balance(store + HalfSeeds(bound.into()));
    Some((with(lower), with(upper)))
}

impl<const STANDARD: bool> Endgames for Wuri<STANDARD> {
    type Tables = Option<Tables>;

    fn take(tables: Option<Tables>) -> Option<Tables> {
        tables
    }

    #[inline(always)]
    fn known(&self, tables: &Option<Tables>, board: &Board) -> Option<(i8, i8)> {
        known_board::<_, 6>(self, tables, board)
    }
}

impl<const PITS: usize, const STANDARD: bool> Endgames for Urim<PITS, STANDARD>
where
    Urim<PITS, STANDARD>: TwoRow<PITS>,
{
    type Tables = Option<Tables>;

    fn take(tables: Option<Tables>) -> Option<Tables> {
        tables
    }

    #[inline(always)]
    fn known(&self, tables: &Option<Tables>, board: &Board) -> Option<(i8, i8)> {
        known_board::<_, PITS>(self, tables, board)
    }
}

impl<const STANDARD: bool> Endgames for Omweso<STANDARD> {
    type Tables = ();

    fn take(_: Option<Tables>) {}

    #[inline(always)]
    fn known(&self, _: &(), _: &Self::Position) -> Option<(i8, i8)> {
        None
    }
}

impl<const STANDARD: bool> Endgames for Kimasai<STANDARD> {
    type Tables = ();

    fn take(_: Option<Tables>) {}

    #[inline(always)]
    fn known(&self, _: &(), _: &Self::Position) -> Option<(i8, i8)> {
        None
    }
}
