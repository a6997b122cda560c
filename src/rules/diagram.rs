//! The drawn board, South at the bottom, as a person at a terminal sees it.

use super::Rules;
use crate::units::{Pit, Player};

/// The lines of a drawn board: each pit under or over its letter, and what else the token shows at each owner's right and, with
/// its name and South's first, in a line below.
///
/// No line is empty and none ends in white space.
pub fn draw<G: Rules>(rules: &G, position: &G::Position, mover: Player) -> Vec<String> {
    let fields = rules.fields(position);
    let pits = fields.pits.by_player(mover);
    let extra = fields.extra.by_player(mover);
    let columns = G::LAYOUT.pits / G::LAYOUT.rows;
    let row = |player: Player, row: usize, cell: &dyn Fn(usize) -> String| {
        let from = row * columns;
        let mut cells: Vec<String> = (from..from + columns).map(cell).collect();
        if player == Player::North {
            // North's pits run from right to left for who looks from the south.
            cells.reverse();
        }
        format!("     {}", cells.concat())
    };
    let letters = |player: Player, at: usize| row(player, at, &|pit| format!("{:>4}", Pit(pit as u8).letter(player)));
    let seeds = |player: Player, at: usize| row(player, at, &|pit| format!("{:>4}", pits[player][pit]));
    let mut lines = Vec::new();
    for at in (0..G::LAYOUT.rows).rev() {
        lines.push(letters(Player::North, at));
        lines.push(seeds(Player::North, at));
    }
    let width = 4 * columns;
    lines.push(format!("  {:>2} {:width$}  {:>2}", extra.north, "", extra.south));
    for at in 0..G::LAYOUT.rows {
        lines.push(seeds(Player::South, at));
        lines.push(letters(Player::South, at));
    }
    lines.push(format!("{} {}-{}", G::LAYOUT.extra, extra.south, extra.north));
    lines
}
