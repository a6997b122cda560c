//! The players that need no engine: one by lot, one that takes what it can.

use anyhow::{Context as _, Result};

use crate::engine::game::Game;
use crate::engine::rng::Rng;
use crate::rules::arrangement::SEEDS;
use crate::units::{MoveText, Phase, Player};

/// A legal move by lot. Seeds are laid out by lot too, within the cap.
///
/// # Errors
/// If the game is over.
pub fn random(game: &dyn Game, cap: u8, rng: &mut Rng) -> Result<MoveText> {
    if game.phase() == Phase::Arrange {
        let mut pits = [0; 16];
        let mut left = SEEDS;
        while left > 0 {
            let pit = &mut pits[rng.below(16)];
            if *pit < cap {
                *pit += 1;
                left -= 1;
            }
        }
        return Ok(MoveText::Arrange(pits));
    }
    let moves = game.legal_moves();
    moves.get(rng.below(moves.len())).cloned().context("the game is over")
}

/// The move that wins, else of those that do not lose at once the one that captures most, ties by canonical order; of all
/// moves if each one loses. Seeds are laid out as in the fixed start.
///
/// The game is as before when this returns.
///
/// # Errors
/// If the game is over.
pub fn greedy(game: &mut dyn Game, cap: u8) -> Result<MoveText> {
    if game.phase() == Phase::Arrange {
        return Ok(MoveText::Arrange(plain_arrangement(cap)));
    }
    let mover = game.mover();
    let mut best: Option<((bool, u8), MoveText)> = None;
    for text in game.legal_moves() {
        game.play(std::slice::from_ref(&text))?;
        let (wins, worth) = (is_won(game, mover), (!is_won(game, !mover), game.captured()));
        game.undo(1)?;
        if wins {
            return Ok(text);
        }
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, text));
        }
    }
    best.map(|(_, text)| text).context("the game is over")
}

/// Four seeds in each outer pit (O2), or two in every pit where four are not allowed.
fn plain_arrangement(cap: u8) -> [u8; 16] {
    let mut pits = [0; 16];
    if cap >= 4 {
        pits[8..].fill(4);
    } else {
        pits.fill(2);
    }
    pits
}

fn is_won(game: &dyn Game, player: Player) -> bool {
    let points = game.outcome().map(|outcome| outcome.points.by_player(game.mover()));
    points.is_some_and(|points| points[player] > points[!player])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game;
    use crate::units::{OptionValues, Variant};

    fn set_up(variant: Variant, token: &str) -> Box<dyn Game> {
        let mut game = game::open(variant, &OptionValues::new(game::rule_options(variant)));
        game.set_up(Some(token), &[]).unwrap();
        game
    }

    #[test]
    fn the_greedy_player_takes_most_and_the_first_of_equals() {
        // A takes two from a, B three from b and two from a; no other move takes anything.
        let mut game = set_up(Variant::Wuri, "6-6-0-0-0-1-1-2-0-0-4-4-12-12-S");
        let before = game.token();
        assert_eq!(greedy(&mut *game, 10).unwrap().to_string(), "B");
        assert_eq!(game.token(), before);
        let mut game = set_up(Variant::Wuri, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
        assert_eq!(greedy(&mut *game, 10).unwrap().to_string(), "A");
    }

    #[test]
    fn the_greedy_player_does_not_lose_while_it_can_go_on() {
        // Nothing is taken in phase one. The first move, h, empties its own inner row (K10).
        let token = "1-0-2-0-1-0-2-1-2-0-1-0-4-0-1-0-0-0-0-0-0-0-0-6-0-0-1-1-1-4-2-0-17-17-N";
        let mut game = set_up(Variant::Kimasai, token);
        assert_eq!(greedy(&mut *game, 10).unwrap().to_string(), "k");
    }

    /// What a move captures, counted by its trace.
    fn captured(game: &dyn Game, text: &MoveText) -> u32 {
        let steps = game.trace(text).unwrap().steps;
        let captures = steps.iter().filter_map(|step| step.strip_prefix("capture "));
        captures.flat_map(|pits| pits.split(' ').filter_map(|word| word.parse::<u32>().ok())).sum()
    }

    /// Whether a move ends the game at once and this player has won it.
    fn wins(game: &mut dyn Game, text: &MoveText, player: Player) -> bool {
        game.play(std::slice::from_ref(text)).unwrap();
        let won = is_won(game, player);
        game.undo(1).unwrap();
        won
    }

    #[test]
    fn the_greedy_player_wins_if_it_can_and_else_takes_most() {
        let mut rng = Rng::new(3);
        for variant in Variant::ALL {
            let mut game = game::open(variant, &OptionValues::new(game::rule_options(variant)));
            while game.outcome().is_none() {
                let (before, mover) = (game.token(), game.mover());
                let chosen = greedy(&mut *game, 10).unwrap();
                assert_eq!(game.token(), before, "the game is as it was");
                let moves: Vec<MoveText> = game.legal_moves();
                let best = moves.iter().find(|text| wins(&mut *game, text, mover)).or_else(|| {
                    let safe: Vec<&MoveText> = moves.iter().filter(|text| !wins(&mut *game, text, !mover)).collect();
                    let choice = if safe.is_empty() { moves.iter().collect() } else { safe };
                    let most = choice.iter().map(|text| captured(&*game, text)).max();
                    choice.into_iter().find(|text| Some(captured(&*game, text)) == most)
                });
                assert_eq!(Some(&chosen), best, "{before}");
                let next = if rng.below(2) == 0 { chosen } else { random(&*game, 10, &mut rng).unwrap() };
                game.play(&[next]).unwrap();
            }
        }
    }

    #[test]
    fn the_random_player_plays_every_game_to_its_end() {
        let mut rng = Rng::new(5);
        for variant in Variant::ALL {
            let mut game = game::open(variant, &OptionValues::new(game::rule_options(variant)));
            while game.outcome().is_none() {
                let text = random(&*game, 10, &mut rng).unwrap();
                game.play(&[text]).unwrap();
            }
            assert!(random(&*game, 10, &mut rng).is_err());
        }
    }
}
