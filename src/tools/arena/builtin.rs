//! The players that need no engine: one by lot, one that takes what it can.

use anyhow::{Context as _, Result};

use crate::engine::dice::Dice;
use crate::engine::game::Game;
use crate::protocol::parse_moves;
use crate::rules::arrangement::SEEDS;
use crate::units::{MoveText, Phase, Player};

/// A legal move by lot. Seeds are laid out by lot too, within the cap.
///
/// # Errors
/// If the game is over.
pub fn random(game: &dyn Game, cap: u8, dice: &mut Dice) -> Result<MoveText> {
    if game.phase() == Phase::Arrange {
        let mut pits = [0; 16];
        let mut left = SEEDS;
        while left > 0 {
            let pit = &mut pits[dice.below(16)];
            if *pit < cap {
                *pit += 1;
                left -= 1;
            }
        }
        return Ok(MoveText::Arrange(pits));
    }
    let moves = game.legal_moves();
    let chosen = moves.get(dice.below(moves.len())).context("the game is over")?;
    read(chosen)
}

/// The move that wins, else the one that captures most, ties by canonical order. Seeds are laid out as in the fixed start.
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
    let mut best: Option<(u8, MoveText)> = None;
    for written in game.legal_moves() {
        let text = read(&written)?;
        game.play(std::slice::from_ref(&text))?;
        let (captured, wins) = (game.captured(), is_won(game, mover));
        game.undo(1)?;
        if wins {
            return Ok(text);
        }
        if best.as_ref().is_none_or(|(most, _)| captured > *most) {
            best = Some((captured, text));
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

fn read(written: &str) -> Result<MoveText> {
    parse_moves(written.as_bytes())?.pop().with_context(|| format!("no move in `{written}`"))
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

    /// What a move captures, counted by its trace.
    fn captured(game: &dyn Game, text: &MoveText) -> u32 {
        let steps = game.trace(text).unwrap().steps;
        let captures = steps.iter().filter_map(|step| step.strip_prefix("capture "));
        captures.flat_map(|pits| pits.split(' ').filter_map(|word| word.parse::<u32>().ok())).sum()
    }

    #[test]
    fn the_greedy_player_wins_if_it_can_and_else_takes_most() {
        let mut dice = Dice::new(3);
        for variant in Variant::ALL {
            let mut game = game::open(variant, &OptionValues::new(game::rule_options(variant)));
            while game.outcome().is_none() {
                let (before, mover) = (game.token(), game.mover());
                let chosen = greedy(&mut *game, 10).unwrap();
                assert_eq!(game.token(), before, "the game is as it was");
                let moves: Vec<MoveText> = game.legal_moves().iter().map(|written| read(written).unwrap()).collect();
                let mut wins = moves.iter().filter(|text| {
                    game.play(std::slice::from_ref(text)).unwrap();
                    let won = is_won(&*game, mover);
                    game.undo(1).unwrap();
                    won
                });
                let best = wins.next().or_else(|| {
                    let most = moves.iter().map(|text| captured(&*game, text)).max();
                    moves.iter().find(|text| Some(captured(&*game, text)) == most)
                });
                assert_eq!(Some(&chosen), best, "{before}");
                let next = if dice.below(2) == 0 { chosen } else { random(&*game, 10, &mut dice).unwrap() };
                game.play(&[next]).unwrap();
            }
        }
    }

    #[test]
    fn the_random_player_plays_every_game_to_its_end() {
        let mut dice = Dice::new(5);
        for variant in Variant::ALL {
            let mut game = game::open(variant, &OptionValues::new(game::rule_options(variant)));
            while game.outcome().is_none() {
                let text = random(&*game, 10, &mut dice).unwrap();
                game.play(&[text]).unwrap();
            }
            assert!(random(&*game, 10, &mut dice).is_err());
        }
    }
}
