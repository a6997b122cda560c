//! The games that have tables, their types hidden.

use std::ops::ControlFlow;

use super::layer::Layer;
use super::refine::{Effort, refine};
use super::{Bounds, index, retrograde};
use crate::rules::notation::{PositionError, read_position, write_move};
use crate::rules::two_row::{Board, TwoRow};
use crate::rules::urim::Urim;
use crate::rules::wuri::Wuri;
use crate::rules::{Child, ruleset};
use crate::units::{MoveText, OptionValues, Player, Variant};

/// Layers with more seeds keep their plain bounds: nothing is won by steering there, and their graphs are large.
pub const MOST_REFINED: u8 = 11;

/// A game on two rows under its house rules, and what its tables are made of.
pub trait TableGame: Send + Sync {
    /// The game.
    fn variant(&self) -> Variant;

    /// The ruleset word, which a file of tables carries.
    fn ruleset(&self) -> &str;

    /// Pits a side.
    fn pits(&self) -> u8;

    /// How many boards a layer has.
    fn count(&self, seeds: u8) -> u64;

    /// How many boards of a layer no game can come to, since a pit would hold too much.
    fn count_absent(&self, seeds: u8) -> u64;

    /// The seeds in the pits of a board.
    fn seeds(&self, board: Board) -> u8;

    /// The place of a board in its layer.
    fn rank(&self, board: Board) -> u64;

    /// The board at a place of a layer, its stores empty; `None` if no game can come to it.
    ///
    /// # Panics
    /// If the layer is not so large.
    fn board(&self, seeds: u8, rank: u64) -> Option<Board>;

    /// Works out the layer that follows the finished ones, and tightens its bounds with so much effort if it is
    /// [small](MOST_REFINED); without, they stay plain. `tick` is told of boards as they are done, at most three times each.
    fn next_layer(
        &self,
        finished: &[Layer],
        effort: Option<Effort>,
        threads: usize,
        tick: &(dyn Fn(u64) + Sync),
    ) -> Layer;

    /// All moves of a board as its mover writes them, and what they lead to.
    fn moves(&self, board: Board, mover: Player) -> Vec<(MoveText, Child<Board>)>;

    /// What a board without a move is worth.
    fn end(&self, board: Board) -> Bounds;

    /// The board of a token, and who is to move.
    ///
    /// # Errors
    /// If it is no position of the game.
    fn read(&self, token: &str) -> Result<(Board, Player), PositionError>;
}

/// The game of a variant under these rules, if it has tables.
pub fn open(variant: Variant, options: &OptionValues) -> Option<Box<dyn TableGame>> {
    match variant {
        Variant::Wuri => Some(opened::<Wuri<true>, Wuri<false>, 6>(options)),
        Variant::Urim => Some(opened::<Urim<6, true>, Urim<6, false>, 6>(options)),
        Variant::Urim7 => Some(opened::<Urim<7, true>, Urim<7, false>, 7>(options)),
        Variant::Omweso | Variant::Kimasai => None,
    }
}

/// A game of two types: one for its default rules, which is faster, and one for any.
fn opened<Standard: TwoRow<PITS>, Any: TwoRow<PITS>, const PITS: usize>(options: &OptionValues) -> Box<dyn TableGame> {
    let ruleset = ruleset(Any::VARIANT, options);
    if *options == OptionValues::new(Any::OPTIONS) {
        Box::new(Opened::<Standard, PITS> { rules: Standard::with_options(options), ruleset })
    } else {
        Box::new(Opened::<Any, PITS> { rules: Any::with_options(options), ruleset })
    }
}

struct Opened<G, const PITS: usize> {
    rules: G,
    ruleset: String,
}

impl<G: TwoRow<PITS>, const PITS: usize> TableGame for Opened<G, PITS> {
    fn variant(&self) -> Variant {
        G::VARIANT
    }

    fn ruleset(&self) -> &str {
        &self.ruleset
    }

    fn pits(&self) -> u8 {
        PITS as u8
    }

    fn count(&self, seeds: u8) -> u64 {
        index::count::<PITS>(seeds)
    }

    fn count_absent(&self, seeds: u8) -> u64 {
        // No table has so many seeds that two pits can hold too much.
        let beyond = seeds.checked_sub(G::FULL.saturating_add(1));
        beyond.map_or(0, |rest| 2 * PITS as u64 * index::count::<PITS>(rest))
    }

    fn seeds(&self, board: Board) -> u8 {
        index::seeds::<PITS>(board)
    }

    fn rank(&self, board: Board) -> u64 {
        index::rank::<PITS>(board)
    }

    fn board(&self, seeds: u8, rank: u64) -> Option<Board> {
        let board = index::unrank::<PITS>(seeds, rank);
        retrograde::exists::<G, PITS>(board).then_some(board)
    }

    fn next_layer(
        &self,
        finished: &[Layer],
        effort: Option<Effort>,
        threads: usize,
        tick: &(dyn Fn(u64) + Sync),
    ) -> Layer {
        let seeds = u8::try_from(finished.len()).expect("no game has so many seeds");
        let mut draft = retrograde::solve(&self.rules, seeds, finished, threads, tick);
        if let Some(effort) = effort.filter(|_| seeds <= MOST_REFINED) {
            refine(&self.rules, &mut draft, finished, effort);
        }
        Layer::new(draft)
    }

    fn moves(&self, board: Board, mover: Player) -> Vec<(MoveText, Child<Board>)> {
        let mut moves = Vec::new();
        let _ = self.rules.expand(&board, |mv, child| -> ControlFlow<()> {
            moves.push((write_move(&self.rules, &board, mover, mv), *child));
            ControlFlow::Continue(())
        });
        moves
    }

    fn end(&self, board: Board) -> Bounds {
        let value = retrograde::awards(&self.rules, board).0;
        Bounds { lower: value, upper: value }
    }

    fn read(&self, token: &str) -> Result<(Board, Player), PositionError> {
        read_position(&self.rules, token)
    }
}
