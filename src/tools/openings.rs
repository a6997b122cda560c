//! Opening suites: positions from which a match between equals is open.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::{Result, bail};

use crate::engine::dice::Dice;
use crate::engine::game::{self, Game, SearchRequest};
use crate::protocol::parse_moves;
use crate::search::control::Control;
use crate::search::table::Table;
use crate::units::{Depth, Mebibytes, OptionValues, Phase, ScoreValue, Variant};

/// What is wanted of a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SuiteRequest {
    /// How many positions.
    pub count: usize,
    /// Plies played at random from the start.
    pub plies: u32,
    /// The seed of chance.
    pub seed: u64,
    /// How deep each position is searched, at least the three plies within which nobody may have won.
    pub depth: Depth,
    /// The most that a position may be worth to either side, in hundredths of a seed.
    pub bound: i32,
}

/// Nobody may have a forced win within so many plies.
const NO_WIN_WITHIN: Depth = Depth(3);
/// The memory of the table for the searches, which are short.
const HASH: Mebibytes = Mebibytes(4);
/// So many positions are tried for each one that is wanted.
const TRIES: usize = 1000;

/// Makes a suite of the game under these rules: tokens of different positions, the same for the same request.
///
/// Each is reached by random plies from the start; the search finds no forced win in it, and its score is within the bound.
///
/// # Errors
/// If there are not enough such positions, or no memory for the search.
pub fn suite(variant: Variant, rules: &OptionValues, request: &SuiteRequest) -> Result<Vec<String>> {
    let mut dice = Dice::new(request.seed);
    let mut table = Table::new(HASH)?;
    let mut game = game::open(variant, rules);
    let (mut seen, mut tokens) = (HashSet::new(), Vec::new());
    for _ in 0..request.count.saturating_mul(TRIES) {
        if tokens.len() == request.count {
            break;
        }
        if !wander(game.as_mut(), request.plies, &mut dice)? {
            continue;
        }
        let token = game.token();
        if seen.insert(token.clone()) && is_open(game.as_ref(), &mut table, request) {
            tokens.push(token);
        }
    }
    if tokens.len() < request.count {
        let (found, wanted) = (tokens.len(), request.count);
        bail!("{found} of {wanted} positions found: more plies or a wider bound give more");
    }
    Ok(tokens)
}

/// Plays so many plies at random from the start; tells whether the game goes on after them.
fn wander(game: &mut dyn Game, plies: u32, dice: &mut Dice) -> Result<bool> {
    game.set_up(None, &[])?;
    if game.phase() == Phase::Arrange {
        bail!("seeds are being arranged: there are no random plies");
    }
    for _ in 0..plies {
        let moves = game.legal_moves();
        let Some(text) = moves.get(dice.below(moves.len())) else { return Ok(false) };
        game.play(&parse_moves(text.as_bytes())?)?;
    }
    Ok(game.outcome().is_none())
}

/// Whether nobody wins by force, and neither side is far ahead.
fn is_open(game: &dyn Game, table: &mut Table, request: &SuiteRequest) -> bool {
    // What is found must not depend on the positions that were tried before.
    table.clear();
    let mut search = SearchRequest::new(Arc::new(Control::alone()));
    search.limits.depth = Some(request.depth.max(NO_WIN_WITHIN));
    let summary = game.search_now(table, search);
    summary.lines.first().is_some_and(|line| match line.score {
        ScoreValue::Centiseeds(value) => value.abs() <= request.bound,
        ScoreValue::Mate(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::rule_options;

    const REQUEST: SuiteRequest = SuiteRequest { count: 8, plies: 6, seed: 1, depth: Depth(3), bound: 200 };

    fn made(variant: Variant, request: &SuiteRequest) -> Result<Vec<String>> {
        suite(variant, &OptionValues::new(rule_options(variant)), request)
    }

    #[test]
    fn a_seed_makes_the_same_suite_again_and_another_one_another() {
        for variant in Variant::ALL {
            let tokens = made(variant, &REQUEST).unwrap();
            assert_eq!(tokens.iter().collect::<HashSet<_>>().len(), 8, "{tokens:?}");
            assert_eq!(made(variant, &REQUEST).unwrap(), tokens);
            assert_ne!(made(variant, &SuiteRequest { seed: 2, ..REQUEST }).unwrap(), tokens);
        }
    }

    #[test]
    fn a_suite_that_cannot_be_is_refused() {
        let few = made(Variant::Wuri, &SuiteRequest { plies: 1, ..REQUEST }).unwrap_err();
        assert!(few.to_string().contains("of 8 positions"), "{few}");
        let mut open = OptionValues::new(rule_options(Variant::Omweso));
        open.set("Omweso_Arrangement", "open").unwrap().unwrap();
        assert!(suite(Variant::Omweso, &open, &REQUEST).is_err());
    }
}
