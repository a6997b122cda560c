//! Searches that ask the endgame tables: what they may believe, and where they must not.

mod common;

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use common::Rng;
use empiki::engine::endgames;
use empiki::engine::game::{self, SearchRequest};
use empiki::protocol::parse_moves;
use empiki::rules::history::History;
use empiki::rules::notation::read_position;
use empiki::rules::outcome::Reason;
use empiki::rules::two_row::Board;
use empiki::rules::{Rules, urim::Urim, wuri::Wuri};
use empiki::search::stop::StopHandle;
use empiki::search::table::Table;
use empiki::search::{SearchJob, Searchable, Summary, search_now};
use empiki::tablebase::probe::Tables;
use empiki::tablebase::refine::Effort;
use empiki::tablebase::{build, games};
use empiki::units::{Depth, Mebibytes, Nodes, OptionValues, PerSeat, Player, ScoreValue, Variant};

fn standard<G: Rules>() -> G {
    G::with_options(&OptionValues::new(G::OPTIONS))
}

fn table() -> Table {
    Table::new(Mebibytes(1)).expect("a mebibyte")
}

/// The value of a position by the rules alone, its history being empty: each line played to its end.
struct Played<G> {
    rules: G,
    history: History,
}

impl<G: Rules> Played<G> {
    fn balance(rules: G, position: &G::Position) -> i8 {
        let history = History::new(rules.repetition_key(position));
        Played { rules, history }.node(position, i8::MIN + 1, i8::MAX)
    }

    fn node(&mut self, position: &G::Position, alpha: i8, beta: i8) -> i8 {
        let rules = self.rules;
        if !rules.has_move(position) {
            return rules.outcome(position, Reason::NoMove).balance();
        }
        let mut best = i8::MIN + 1;
        let _ = rules.expand(position, |_, child| {
            self.history.push(rules.repetition_key(&child.position), child.irreversible);
            let end = child.end.or_else(|| self.history.verdict(rules.draw_limits()).map(|verdict| verdict.reason));
            let value = match end {
                Some(reason) => -rules.outcome(&child.position, reason).balance(),
                None => -self.node(&child.position, -beta, -alpha.max(best)),
            };
            self.history.pop();
            best = best.max(value);
            if best >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best
    }
}

fn searched<G: Searchable + Rules<Position = Board>>(rules: G, variant: Variant, board: Board, depth: u16) -> Summary {
    let options = OptionValues::new(G::OPTIONS);
    let mut search = SearchJob::new(rules, board, Player::South);
    search.tables = endgames::built_in(variant, &options);
    search.limits.depth = Some(Depth(depth));
    search_now(&mut table(), &search)
}

/// Random boards with few seeds and a close game, searched with tables: what the search calls decided is so.
fn decided_is_decided<G: Searchable + Rules<Position = Board>, const PITS: usize>(
    variant: Variant,
    total: u8,
    most: u8,
) {
    let rules: G = standard();
    let mut rng = Rng::new(11);
    let mut decided = 0;
    for _ in 0..200 {
        let seeds = 2 + rng.below(usize::from(most) - 1) as u8;
        let mut pits = vec![0_u8; 2 * PITS];
        (0..seeds).for_each(|_| pits[rng.below(2 * PITS)] += 1);
        let store = (total - seeds) / 2 + rng.below(3) as u8 - 1;
        let stores = PerSeat { mover: store, other: total - seeds - store };
        let board = Board::new(PerSeat { mover: &pits[..PITS], other: &pits[PITS..] }, stores);
        if rules.terminal(&board).is_some() {
            continue;
        }
        let truth = Played::balance(rules, &board);
        let line = &searched(rules, variant, board, 24).lines[0];
        let told = match line.score {
            ScoreValue::Mate(plies) if plies > 0 => 1,
            ScoreValue::Mate(_) => -1,
            ScoreValue::Centiseeds(value) if value > 20_000 => 1,
            ScoreValue::Centiseeds(value) if value < -20_000 => -1,
            ScoreValue::Centiseeds(_) if line.proven => 0,
            ScoreValue::Centiseeds(_) => continue,
        };
        decided += 1;
        assert_eq!(told, truth.signum(), "{pits:?} {store} {line:?}");
    }
    assert!(decided > 100, "{decided} decided");
}

#[test]
fn what_the_tables_decide_is_what_comes_of_it() {
    decided_is_decided::<Wuri<true>, 6>(Variant::Wuri, 48, 3);
    decided_is_decided::<Urim<6, true>, 6>(Variant::Urim, 36, 3);
    decided_is_decided::<Urim<7, true>, 7>(Variant::Urim7, 42, 3);
}

#[test]
fn no_table_is_believed_where_the_game_has_been_before() {
    // W8: North could force three seeds if nothing had been before, but his only move repeats, and South wins by 25 to 23.
    let mut wuri = game::open(Variant::Wuri, &OptionValues::new(game::rule_options(Variant::Wuri)));
    let moves = parse_moves(b"FbAaBcCdDeEfAbBcCdDeE").expect("moves");
    wuri.set_up(Some("1-0-0-0-0-2-0-0-0-0-0-0-22-23-S"), &moves).expect("a game");
    assert!(wuri.outcome().is_none());
    let mut request = game::SearchRequest::new(Arc::new(StopHandle::alone()));
    request.limits.depth = Some(Depth(20));
    let summary = wuri.search_now(&mut table(), request);
    assert_eq!(summary.lines[0].score, ScoreValue::Mate(-1));
}

#[test]
fn a_won_endgame_is_played_at_once() {
    let rules: Wuri<true> = standard();
    // South needs two of eight.
    let (board, _) = read_position(&rules, "0-2-0-0-1-1-1-0-2-0-0-1-23-17-S").expect("a position");
    let summary = searched(rules, Variant::Wuri, board, 200);
    assert!(summary.nodes.0 < 100_000, "{summary:?}");
}

#[test]
fn tables_of_more_seeds_than_the_limit_are_not_asked() {
    let mut game = game::open(Variant::Wuri, &OptionValues::new(game::rule_options(Variant::Wuri)));
    // Ten seeds in the pits: the next capture leaves eight or seven.
    game.set_up(Some("0-2-0-0-1-1-1-0-2-0-0-3-22-16-S"), &[]).expect("a position");
    let hits = |limit: u8| {
        let mut request = SearchRequest::new(Arc::new(StopHandle::alone()));
        request.limits.depth = Some(Depth(8));
        request.table_seeds = limit;
        game.search_now(&mut table(), request).lines[0].tbhits
    };
    assert_eq!((hits(0), hits(8) > 0), (0, true));
    let few = endgames::built_in(Variant::Wuri, &OptionValues::new(Wuri::<true>::OPTIONS)).expect("tables").up_to(5);
    assert_eq!((few.largest(), few.has(5), few.has(6)), (Some(5), true, false));
}

#[test]
fn a_win_within_a_number_of_moves_is_searched_for_without_tables() {
    // The table knows at the first capture that South wins, and not how soon.
    let mut wuri = game::open(Variant::Wuri, &OptionValues::new(game::rule_options(Variant::Wuri)));
    wuri.set_up(Some("0-0-0-0-2-0-1-0-0-0-2-0-22-21-S"), &[]).expect("a position");
    let score = |win_within: Option<u16>| {
        let mut request = game::SearchRequest::new(Arc::new(StopHandle::alone()));
        (request.limits.win_within, request.limits.depth) = (win_within.map(Depth), Some(Depth(30)));
        wuri.search_now(&mut table(), request).lines[0].score
    };
    assert!(matches!(score(None), ScoreValue::Centiseeds(20_001..)));
    assert!(matches!(score(Some(14)), ScoreValue::Mate(1..=14)));
}

/// Random boards that the mover wins by these tables, and by the least that is enough: his side is played by searches of so many nodes,
/// and the other's by searches too, which put off what is lost and take every repetition that pays. He wins them all.
fn won_is_won<const PITS: usize>(variant: Variant, tables: &Tables, seeds: RangeInclusive<u8>, games: u32, nodes: u64) {
    let options = OptionValues::new(game::rule_options(variant));
    let total: u8 = match variant {
        Variant::Wuri => 48,
        Variant::Urim => 36,
        _ => 42,
    };
    let mut rng = Rng::new(12);
    let mut memory = [Mebibytes(16); 2].map(|size| Table::new(size).expect("sixteen mebibytes"));
    let mut played = 0;
    while played < games {
        let count = seeds.start() + rng.below(seeds.clone().count()) as u8;
        let mut pits = vec![0_u8; 2 * PITS];
        (0..count).for_each(|_| pits[rng.below(2 * PITS)] += 1);
        let rows = PerSeat { mover: &pits[..PITS], other: &pits[PITS..] };
        let bounds = tables.probe::<PITS>(Board::new(rows, PerSeat { mover: 0, other: 0 })).expect("a table");
        let forced = bounds.lower / 2;
        // One seed more than half, with all that the table gives.
        let store = total / 2 + 1 - forced;
        if forced == 0 || store > total - count {
            continue;
        }
        let counts: Vec<String> = pits.iter().chain(&[store, total - count - store]).map(u8::to_string).collect();
        let token = format!("{}-S", counts.join("-"));
        let mut playing = game::open(variant, &options);
        playing.use_tables(Some(tables.clone()));
        playing.set_up(Some(&token), &[]).expect("a position");
        if playing.outcome().is_some() {
            continue;
        }
        while playing.outcome().is_none() {
            let mut request = game::SearchRequest::new(Arc::new(StopHandle::alone()));
            request.limits.nodes = Some(Nodes(nodes));
            let summary = playing.search_now(&mut memory[usize::from(playing.mover() == Player::North)], request);
            playing.play(&summary.lines[0].pv[..1]).expect("a legal one");
        }
        let outcome = playing.outcome().expect("it is over");
        let is_north = playing.mover() == Player::North;
        assert!(outcome.balance() != 0 && (outcome.balance() < 0) == is_north, "game {played}, {token}: {outcome:?}");
        played += 1;
        memory.iter_mut().for_each(Table::clear);
    }
}

#[test]
fn who_has_won_by_the_tables_wins_against_one_who_goes_round() {
    for (variant, seeds) in [(Variant::Wuri, 6..=8), (Variant::Urim, 6..=8)] {
        let tables = endgames::built_in(variant, &OptionValues::new(game::rule_options(variant))).expect("tables");
        won_is_won::<6>(variant, &tables, seeds, 30, 5_000);
    }
    let tables = endgames::built_in(Variant::Urim7, &OptionValues::new(game::rule_options(Variant::Urim7)));
    won_is_won::<7>(Variant::Urim7, &tables.expect("tables"), 5..=7, 30, 5_000);
}

#[test]
#[ignore = "builds tables of twelve seeds and plays 400 games; to be run by hand after a change of the search"]
fn two_hundred_won_positions_of_ten_to_twelve_seeds_are_won() {
    for variant in [Variant::Wuri, Variant::Urim] {
        let game = games::open(variant, &OptionValues::new(game::rule_options(variant))).expect("a game with tables");
        let tables = Tables::of_layers(build::in_memory(&*game, 12, Some(Effort::LONG), 2));
        won_is_won::<6>(variant, &tables, 10..=12, 200, 200_000);
    }
}
