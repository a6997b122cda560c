//! Opening suites: positions from which a match between equals is open.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::{Result, bail, ensure};

use super::datagen::think;
use crate::engine::game::{self, Game, SearchRequest};
use crate::engine::rng::Rng;
use crate::search::stop::StopHandle;
use crate::search::table::Table;
use crate::units::{Depth, Mebibytes, Nodes, OptionValues, Phase, Variant};

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
    /// Games that the engine plays against itself from each position; each side must win a third of them.
    pub games: u32,
    /// The moves that a search of these games makes, give or take a third.
    pub nodes: Nodes,
}

/// Nobody may have a forced win within so many plies.
const NO_WIN_WITHIN: Depth = Depth(3);
/// A search so deep costs next to nothing.
const SHALLOW: Depth = Depth(8);
/// The memory of the table for the searches, which are short.
const HASH: Mebibytes = Mebibytes(4);
/// So many positions are tried for each one that is wanted.
const TRIES: usize = 1000;

/// Makes a suite of the game under these rules: tokens of different positions, the same for the same request. `found` gets each at once, since
/// games take their time.
///
/// Each is reached by random plies from the start; the search finds no forced win in it, its score is within the bound, and
/// either side wins games that begin there.
///
/// # Errors
/// If there are not enough such positions, or no memory for the search, or `found` has one.
pub fn suite(
    variant: Variant,
    rules: &OptionValues,
    request: &SuiteRequest,
    mut found: impl FnMut(String) -> Result<()>,
) -> Result<()> {
    let mut rng = Rng::new(request.seed);
    let mut table = Table::new(HASH)?;
    let mut game = game::open(variant, rules);
    let (mut seen, mut count) = (HashSet::new(), 0);
    for _ in 0..request.count.saturating_mul(TRIES) {
        if count == request.count {
            break;
        }
        if !wander(game.as_mut(), request.plies, &mut rng)? {
            continue;
        }
        let token = game.token();
        let is_new = seen.insert(token.clone());
        if is_new && is_open(game.as_ref(), &mut table, request) && either_wins(game.as_mut(), &mut table, request)? {
            found(token)?;
            count += 1;
        }
    }
    ensure!(
        count == request.count,
        "{count} of {} positions found: more plies or a wider bound give more",
        request.count
    );
    Ok(())
}

/// Plays so many plies at random from the start; tells whether the game goes on after them.
fn wander(game: &mut dyn Game, plies: u32, rng: &mut Rng) -> Result<bool> {
    game.set_up(None, &[])?;
    if game.phase() == Phase::Arrange {
        bail!("seeds are being arranged: there are no random plies");
    }
    for _ in 0..plies {
        let moves = game.legal_moves();
        let Some(text) = moves.get(rng.below(moves.len())) else { return Ok(false) };
        game.play(std::slice::from_ref(text))?;
    }
    Ok(game.outcome().is_none())
}

/// Whether nobody wins by force, and neither side is far ahead; seen from half the depth too where that is much cheaper.
fn is_open(game: &dyn Game, table: &mut Table, request: &SuiteRequest) -> bool {
    // What is found must not depend on the positions that were tried before.
    table.clear();
    let depth = request.depth.max(NO_WIN_WITHIN);
    let depth_one = (depth > SHALLOW).then_some(Depth(depth.0 / 2));
    depth_one.into_iter().chain([depth]).all(|depth| {
        let mut search = SearchRequest::new(Arc::new(StopHandle::alone()));
        search.limits.depth = Some(depth);
        let summary = game.search_now(table, search);
        summary.lines.first().is_some_and(|line| line.score.number().abs() <= request.bound)
    })
}

/// Whether each side wins a third of some games from here. A score tells little of that in a game as sharp as Omweso. The game is left
/// somewhere else.
fn either_wins(game: &mut dyn Game, table: &mut Table, request: &SuiteRequest) -> Result<bool> {
    let token = game.token();
    let mut rng = Rng::new(request.seed);
    // In halves of a game.
    let (mut won, mut lost) = (0, 0);
    for left in (0..request.games).rev() {
        game.set_up(Some(&token), &[])?;
        table.clear();
        let mut shares = || (request.nodes.0 as f64 * (2.0 + 2.0 * rng.fraction()) / 3.0).max(1.0) as u64;
        let nodes = [shares(), shares()];
        for turn in 0.. {
            if let Some(outcome) = game.outcome() {
                let ahead = outcome.balance() * if turn % 2 == 0 { 1 } else { -1 };
                won += u32::from(ahead >= 0) + u32::from(ahead > 0);
                lost += u32::from(ahead <= 0) + u32::from(ahead < 0);
                break;
            }
            let (best, _) = think(game, table, Nodes(nodes[turn % 2]))?;
            game.play(&[best])?;
        }
        if (won.min(lost) + 2 * left) * 3 < 2 * request.games {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game::rule_options;

    const REQUEST: SuiteRequest =
        SuiteRequest { count: 8, plies: 6, seed: 1, depth: Depth(3), bound: 200, games: 0, nodes: Nodes(1) };

    fn made(variant: Variant, request: &SuiteRequest) -> Result<Vec<String>> {
        made_under(variant, &OptionValues::new(rule_options(variant)), request)
    }

    fn made_under(variant: Variant, rules: &OptionValues, request: &SuiteRequest) -> Result<Vec<String>> {
        let mut tokens = Vec::new();
        suite(variant, rules, request, |token| {
            tokens.push(token);
            Ok(())
        })?;
        Ok(tokens)
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
    fn games_show_that_either_side_can_win() {
        let request = SuiteRequest { count: 3, depth: Depth(4), bound: 800, games: 4, nodes: Nodes(300), ..REQUEST };
        let tokens = made(Variant::Omweso, &request).unwrap();
        assert_eq!(made(Variant::Omweso, &request).unwrap(), tokens);
        let mut table = Table::new(HASH).unwrap();
        let mut game = game::open(Variant::Omweso, &OptionValues::new(rule_options(Variant::Omweso)));
        for token in tokens {
            game.set_up(Some(&token), &[]).unwrap();
            assert!(either_wins(game.as_mut(), &mut table, &request).unwrap(), "{token}");
        }
        // North can play a few turns more, and lose.
        game.set_up(Some("8-8-8-8-8-8-8-2-0-0-0-0-0-0-0-0-2-2-2-0-0-0-0-0-0-0-0-0-0-0-0-0-2-2-S"), &[]).unwrap();
        assert!(!either_wins(game.as_mut(), &mut table, &request).unwrap());
    }

    #[test]
    fn a_suite_that_cannot_be_is_refused() {
        let few = made(Variant::Wuri, &SuiteRequest { plies: 1, ..REQUEST }).unwrap_err();
        assert!(few.to_string().contains("of 8 positions"), "{few}");
        let mut open = OptionValues::new(rule_options(Variant::Omweso));
        open.set("Omweso_Arrangement", "open").unwrap().unwrap();
        assert!(made_under(Variant::Omweso, &open, &REQUEST).is_err());
    }
}
