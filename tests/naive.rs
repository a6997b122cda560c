//! The games against the same ones played by hand, on random positions far from any opening and through whole random games.

mod by_hand;
mod common;

use std::ops::ControlFlow;

use by_hand::{Board, Book, ByHand, Engine, HandTable, Rules as _, Table as _};
use common::{Rng, open, option_values, written};
use empiki::engine::game::{Game, rule_options};
use empiki::rules::kimasai::Kimasai;
use empiki::rules::notation::{Fields, write_move, write_position};
use empiki::rules::omweso::Omweso;
use empiki::rules::outcome::Reason;
use empiki::rules::trace::{Endless, EndlessWatcher};
use empiki::rules::{Move, Rules};
use empiki::units::{OptionKind, PerSeat, Player, Variant};
use pretty_assertions::assert_eq;
use proptest::prelude::*;

/// Seeds strewn over a few or many pits and two stores: each seed falls where its number says.
fn strewn(places: usize, seeds: usize) -> impl Strategy<Value = Vec<usize>> {
    let order = Just((0..places).collect::<Vec<usize>>()).prop_shuffle();
    (order, 1..=places, prop::collection::vec(any::<prop::sample::Index>(), seeds)).prop_map(
        move |(order, spread, falls)| {
            let mut counts = vec![0; places];
            for fall in falls {
                counts[order[fall.index(spread)]] += 1;
            }
            counts
        },
    )
}

fn player() -> impl Strategy<Value = usize> {
    0..2_usize
}

/// A board with these pits of South, then of North.
fn board(counts: &[usize], pits: usize, extra: [usize; 2], mover: usize, mark: Option<usize>) -> Board {
    Board { pits: [counts[..pits].to_vec(), counts[pits..2 * pits].to_vec()], extra, mover, mark }
}

/// A board on two rows whose last two counts are the stores; what a pit of Urim cannot hold goes there too.
fn two_rows(variant: Variant, counts: &[usize], mover: usize) -> Board {
    let pits = counts.len() / 2 - 1;
    let most = if variant == Variant::Wuri { usize::MAX } else { 17 };
    let mut board = board(counts, pits, [counts[2 * pits], counts[2 * pits + 1]], mover, None);
    for player in 0..2 {
        for pit in &mut board.pits[player] {
            board.extra[player] += pit.saturating_sub(most);
            *pit = (*pit).min(most);
        }
    }
    board
}

/// Holds what is said of a position, its legal moves, and where they lead, against what is found by hand.
fn agree(variant: Variant, board: &Board) {
    let token = board.token();
    let mut game = open(variant, "");
    game.set_up(Some(&token), &[]).unwrap_or_else(|error| panic!("{token}: {error:#}"));
    let mut by_hand = HandTable::new(Book::new(variant, "", None));
    assert!(by_hand.set_up(Some(&token)));
    let found = game.outcome().map_or_else(|| "none".to_owned(), |outcome| outcome.describe(game.mover()));
    assert_eq!(found, by_hand.result(), "{token}");
    assert_eq!(common::legal_words(&*game).join(" "), by_hand.moves(), "{token}");
    for turn in by_hand.turns() {
        play_and_compare(&mut *game, &token, &turn.name, &turn.after.token());
    }
}

fn play_and_compare(game: &mut dyn Game, before: &str, name: &str, after: &str) {
    game.play(&[written(name)]).unwrap_or_else(|error| panic!("{before}: {error:#}"));
    assert_eq!(game.token(), after, "{before} after {name}");
    game.undo(1).expect("a move was played");
}

/// One of the values of each rule option; about half of the options keep their default.
fn house_rules(variant: Variant, rng: &mut Rng) -> String {
    let mut options = Vec::new();
    for spec in rule_options(variant).iter().filter(|spec| !spec.name.ends_with("Arrangement")) {
        let value = match spec.kind {
            _ if rng.below(2) == 0 => continue,
            OptionKind::Combo { choices } => choices[rng.below(choices.len())].to_owned(),
            OptionKind::Check { default } => (!default).to_string(),
            _ if spec.name.ends_with("LapLimit") => (1 + rng.below(40)).to_string(),
            _ => rng.below(12).to_string(),
        };
        options.push(format!("{}={value}", spec.name));
    }
    options.join(" ")
}

/// Plays random games under random house rules to their end, all that can be asked being the same at each ply.
fn games_run_as_by_hand(variant: Variant, games: u64) {
    for seed in 0..games {
        let mut rng = Rng::new(seed + 1);
        let options = house_rules(variant, &mut rng);
        let mut game = Engine.open(variant, &options);
        let mut by_hand = ByHand.open(variant, &options);
        loop {
            let said = |table: &dyn by_hand::Table| [table.token(), table.moves(), table.result()];
            assert_eq!(said(&*game), said(&*by_hand), "{variant} {options}");
            let moves = game.moves();
            if game.result() != "none" {
                break;
            }
            let moves: Vec<&str> = moves.split(' ').collect();
            let mv = moves[rng.below(moves.len())];
            assert!(game.play(mv) && by_hand.play(mv), "{mv} at {}", game.token());
        }
    }
}

#[test]
fn whole_games_of_wuri_run_as_by_hand() {
    games_run_as_by_hand(Variant::Wuri, 600);
}

#[test]
fn whole_games_of_urim_run_as_by_hand() {
    games_run_as_by_hand(Variant::Urim, 600);
    games_run_as_by_hand(Variant::Urim7, 600);
}

#[test]
fn whole_games_of_omweso_run_as_by_hand() {
    games_run_as_by_hand(Variant::Omweso, 1500);
}

#[test]
fn whole_games_of_kimasai_run_as_by_hand() {
    games_run_as_by_hand(Variant::Kimasai, 200);
}

/// Each cycle of so many laps is told (O20).
const TOLD: u32 = 4096;
/// Turns of each game that are held against those made by hand.
const TURNS: usize = 1000;

/// Seeds scattered over the pits of one side.
fn scattered(rng: &mut Rng, seeds: u8) -> [u8; 16] {
    let mut pits = [0; 16];
    (0..seeds).for_each(|_| pits[rng.below(16)] += 1);
    pits
}

/// Turns that never end need about thirty seeds on their own side, in many pits.
fn fields_of_omweso(rng: &mut Rng) -> Fields {
    let own = 20 + rng.below(25) as u8;
    Fields {
        pits: PerSeat { mover: scattered(rng, own), other: scattered(rng, 64 - own) },
        extra: PerSeat { mover: rng.below(3) as u8, other: rng.below(3) as u8 },
        mark: [None, Some(0), Some(1)][rng.below(3)],
    }
}

/// In phase one, since turns of the other end.
fn fields_of_kimasai(rng: &mut Rng) -> Fields {
    let own = 20 + rng.below(21) as u8;
    let extra = PerSeat { mover: 1 + rng.below(8) as u8, other: rng.below(8) as u8 };
    let left = 64 - own - extra.mover - extra.other;
    Fields { pits: PerSeat { mover: scattered(rng, own), other: scattered(rng, left) }, extra, mark: None }
}

/// The turns that never end, legal or not.
fn never_ending<G: Rules>(rules: &G, position: &G::Position) -> Vec<Move> {
    let mut others = Vec::new();
    let _ = rules.expand(position, |mv, child| -> ControlFlow<()> {
        if child.end != Some(Reason::Endless) {
            others.push(mv);
        }
        ControlFlow::Continue(())
    });
    rules.sowings(position).into_iter().filter(|mv| !others.contains(mv)).collect()
}

/// Holds what is told of never-ending turns of random boards against the same turns made by hand, seed by seed. Counts
/// the cycles that are told, and apart from them those that are too long to be seen within the limit.
fn cycles_are_told<G: Rules>(random: impl Fn(&mut Rng) -> Fields) -> [usize; 2] {
    let rules = G::with_options(&option_values(G::VARIANT, ""));
    let book = Book::new(G::VARIANT, "", None);
    let mut rng = Rng::new(14);
    let (mut turns, mut cycles) = (0, [0, 0]);
    while turns < TURNS {
        let position = rules.assemble(&random(&mut rng)).expect("its seeds add up");
        for mv in never_ending(&rules, &position) {
            turns += 1;
            let token = write_position(&rules, &position, Player::South);
            let written = write_move(&rules, &position, Player::South, mv).to_string();
            let mut watcher = EndlessWatcher::default();
            rules.play(&position, mv, &mut watcher);
            let found = watcher.found.expect("it never ends");
            let board = Board::read(&token, book.pits()).expect("a position");
            // Enough for a cycle that begins with a capture beyond the limit.
            let cycle = book.cycle(&board, &written, 2 * TOLD as usize).map(|laps| laps as u32);
            match cycle.filter(|&laps| laps <= TOLD) {
                Some(laps) => {
                    assert_eq!(found, Endless::Cycle(laps), "{token} {written}");
                    cycles[usize::from(laps > TOLD / 2)] += 1;
                }
                None => assert!(!matches!(found, Endless::Cycle(..=TOLD)), "{token} {written}: {found:?}"),
            }
        }
    }
    cycles
}

#[test]
fn every_cycle_of_omweso_is_told_with_its_length() {
    assert!(cycles_are_told::<Omweso<true>>(fields_of_omweso).into_iter().all(|count| count > 0));
}

#[test]
fn every_cycle_of_kimasai_is_told_with_its_length() {
    assert!(cycles_are_told::<Kimasai<true>>(fields_of_kimasai).into_iter().all(|count| count > 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn wuri_sows_and_captures_as_by_hand(counts in strewn(14, 48), mover in player()) {
        agree(Variant::Wuri, &two_rows(Variant::Wuri, &counts, mover));
    }

    #[test]
    fn urim_sows_and_captures_as_by_hand(counts in strewn(14, 36), mover in player()) {
        agree(Variant::Urim, &two_rows(Variant::Urim, &counts, mover));
    }

    #[test]
    fn urim_on_seven_pits_sows_and_captures_as_by_hand(counts in strewn(16, 42), mover in player()) {
        agree(Variant::Urim7, &two_rows(Variant::Urim7, &counts, mover));
    }

    #[test]
    fn an_unfed_row_is_fed_as_by_hand(counts in strewn(8, 42), mover in player()) {
        let mut full = vec![0; 16];
        full[7 * mover..7 * mover + 7].copy_from_slice(&counts[..7]);
        full[14] = counts[7];
        agree(Variant::Urim7, &two_rows(Variant::Urim7, &full, mover));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn kimasai_moves_as_by_hand_in_phase_one(
        (south, north) in (0..25_usize, 0..25_usize),
        falls in prop::collection::vec(0..32_usize, 64),
        mover in player(),
        opening in any::<bool>(),
    ) {
        let mut counts = vec![0; 32];
        falls[south + north..].iter().for_each(|&pit| counts[pit] += 1);
        agree(Variant::Kimasai, &board(&counts, 16, [south, north], mover, opening.then_some(0)));
    }

    #[test]
    fn kimasai_moves_as_by_hand_in_phase_two(counts in strewn(32, 64), mover in player()) {
        agree(Variant::Kimasai, &board(&counts, 16, [0, 0], mover, None));
    }

    #[test]
    fn omweso_moves_as_by_hand(
        counts in strewn(32, 64),
        mover in player(),
        extra in (0..3_usize, 0..3_usize),
        mark in prop::option::weighted(0.2, 0..2_usize),
    ) {
        agree(Variant::Omweso, &board(&counts, 16, extra.into(), mover, mark));
    }
}
