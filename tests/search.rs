//! The search: held against plain alpha-beta, and what it promises about limits, lines and draws.

mod common;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use common::Rng;
use empiki::rules::history::History;
use empiki::rules::notation::{read_position, write_moves, write_position};
use empiki::rules::omweso::Omweso;
use empiki::rules::outcome::Reason;
use empiki::rules::wuri::Wuri;
use empiki::rules::{Move, Rules};
use empiki::search::info::{End, Event};
use empiki::search::score::Score;
use empiki::search::stop::{StopHandle, StopSignals};
use empiki::search::table::Table;
use empiki::search::workers::Searcher;
use empiki::search::{SearchJob, Searchable, Summary, job, search_now};
use empiki::units::{Bound, Depth, Mebibytes, MoveText, Nodes, OptionValues, Pit, Player, ScoreValue, Variant};

fn wuri() -> Wuri<true> {
    Wuri::with_options(&OptionValues::new(Wuri::<true>::OPTIONS))
}

fn omweso() -> Omweso<true> {
    Omweso::with_options(&OptionValues::new(Omweso::<true>::OPTIONS))
}

/// A game as it stands.
struct Game<G: Rules> {
    position: G::Position,
    mover: Player,
    history: History,
}

impl<G: Rules> Game<G> {
    /// Plays the move of this index in canonical order; tells whether the game is over.
    fn play(&mut self, rules: &G, index: usize) -> bool {
        let mut children = Vec::new();
        let _ = rules.expand(&self.position, |_, child| -> ControlFlow<()> {
            children.push(*child);
            ControlFlow::Continue(())
        });
        let child = children[index];
        self.position = child.position;
        self.mover = !self.mover;
        self.history.push(rules.repetition_key(&child.position), child.irreversible);
        child.end.is_some() || self.history.verdict(rules.draw_limits()).is_some() || !rules.has_move(&child.position)
    }
}

/// A game that was just set up.
fn set_up<G: Rules>(rules: &G, position: G::Position, mover: Player) -> Game<G> {
    Game { position, mover, history: History::new(rules.repetition_key(&position)) }
}

/// Plays so many random plies from the start; begins again where the game ends before.
fn random_game<G: Rules>(rules: &G, plies: usize, rng: &mut Rng) -> Game<G> {
    loop {
        let mut game = set_up(rules, rules.start(), Player::South);
        let over = (0..plies).any(|_| {
            let index = rng.below(rules.count_moves(&game.position) as usize);
            game.play(rules, index)
        });
        if !over {
            return game;
        }
    }
}

fn table() -> Table {
    Table::new(Mebibytes(1)).expect("a mebibyte")
}

fn search_of<G: Searchable>(rules: G, game: &Game<G>) -> SearchJob<G> {
    SearchJob { history: game.history.clone(), ..SearchJob::new(rules, game.position, game.mover) }
}

fn to_depth<G: Searchable>(rules: G, game: &Game<G>, depth: u16) -> Summary {
    let mut search = search_of(rules, game);
    search.limits.depth = Some(Depth(depth));
    search_now(&mut table(), &search)
}

/// Plain alpha-beta: full width, no table, moves in canonical order, the same evaluation and rules for draws (G6).
struct Plain<G: Searchable> {
    rules: G,
    history: History,
}

impl<G: Searchable> Plain<G> {
    fn score(rules: G, game: &Game<G>, depth: usize) -> ScoreValue {
        let mut plain = Plain { rules, history: game.history.clone() };
        plain.node(&game.position, -Score::INFINITE, Score::INFINITE, depth, 0).value(true)
    }

    fn node(&mut self, position: &G::Position, alpha: Score, beta: Score, depth: usize, ply: usize) -> Score {
        let rules = self.rules;
        let ended = |position: &G::Position, reason: Reason, ply| {
            Score::decided(rules.outcome(position, reason).balance(), ply)
        };
        if !rules.has_move(position) {
            return ended(position, Reason::NoMove, ply);
        }
        if depth == 0 {
            return Score::evaluation(rules.result_bounds(position), rules.evaluate(position));
        }
        let mut best = -Score::INFINITE;
        let _ = rules.expand(position, |_, child| {
            self.history.push(rules.repetition_key(&child.position), child.irreversible);
            let end = child.end.or_else(|| self.history.verdict(rules.draw_limits()).map(|verdict| verdict.reason));
            let score = match end {
                Some(reason) => -ended(&child.position, reason, ply + 1),
                None => -self.node(&child.position, -beta, -alpha.max(best), depth - 1, ply + 1),
            };
            self.history.pop();
            best = best.max(score);
            if best >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best
    }
}

/// Searches random positions and holds each score against that of plain alpha-beta. Half of them are set up, half know the game
/// that led to them.
fn scores_are_those_of_plain_alpha_beta<G: Searchable>(rules: G, positions: usize, depth: u16, longest_game: usize) {
    scores_of_threads_are_those_of_plain_alpha_beta(rules, positions, depth, longest_game, 1);
}

fn scores_of_threads_are_those_of_plain_alpha_beta<G: Searchable>(
    rules: G,
    positions: usize,
    depth: u16,
    longest_game: usize,
    threads: usize,
) {
    let mut rng = Rng::new(2024);
    let mut table = Table::new(Mebibytes(16)).expect("sixteen mebibytes");
    let mut wrong = Vec::new();
    for index in 0..positions {
        let plies = rng.below(longest_game);
        let played = random_game(&rules, plies, &mut rng);
        let game = if index % 2 == 0 { played } else { set_up(&rules, played.position, played.mover) };
        let mut search = search_of(rules, &game);
        search.limits.depth = Some(Depth(depth));
        search.exact = true;
        search.threads = threads;
        // The table is kept from position to position: what it knows must not matter.
        let found = search_now(&mut table, &search).lines[0].score;
        let wanted = Plain::score(rules, &game, depth.into());
        if found != wanted {
            let token = write_position(&rules, &game.position, game.mover);
            wrong.push(format!("{token} after {plies} plies: {found:?}, wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {positions} scores differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn wuri_scores_are_those_of_plain_alpha_beta() {
    scores_are_those_of_plain_alpha_beta(wuri(), 20, 8, 80);
}

#[test]
fn omweso_scores_are_those_of_plain_alpha_beta() {
    scores_are_those_of_plain_alpha_beta(omweso(), 20, 5, 60);
}

#[test]
fn scores_under_house_rules_are_those_of_plain_alpha_beta() {
    // Counts that can end the game within the tree, and a third time that needs two more.
    let options = common::option_values(Variant::Omweso, "Omweso_QuietPlies=8");
    scores_are_those_of_plain_alpha_beta(Omweso::<false>::with_options(&options), 20, 5, 30);
    let options =
        common::option_values(Variant::Wuri, "Wuri_Repetition=3 Wuri_RepetitionAward=split Wuri_GrandSlam=capture");
    scores_are_those_of_plain_alpha_beta(Wuri::<false>::with_options(&options), 20, 8, 100);
}

#[test]
fn scores_of_several_threads_are_those_of_plain_alpha_beta() {
    scores_of_threads_are_those_of_plain_alpha_beta(wuri(), 12, 8, 80, 2);
    scores_of_threads_are_those_of_plain_alpha_beta(omweso(), 12, 5, 60, 4);
}

#[test]
#[ignore = "200 positions: run by scripts/exactness.sh"]
fn two_hundred_omweso_scores_are_those_of_plain_alpha_beta() {
    scores_are_those_of_plain_alpha_beta(omweso(), 200, 5, 60);
}

#[test]
#[ignore = "200 positions: run by scripts/exactness.sh"]
fn two_hundred_wuri_scores_are_those_of_plain_alpha_beta() {
    scores_are_those_of_plain_alpha_beta(wuri(), 200, 8, 80);
}

fn stops_at_exact_nodes<G: Searchable>(rules: G) {
    let game = random_game(&rules, 4, &mut Rng::new(1));
    for nodes in [0, 1, 2, 7, 1000, 1023, 1024, 1025, 50_000] {
        let mut search = search_of(rules, &game);
        search.limits.nodes = Some(Nodes(nodes));
        let (first, second) = (search_now(&mut table(), &search), search_now(&mut table(), &search));
        assert_eq!(first.nodes, Nodes(nodes));
        assert_eq!(first.lines[0].pv, second.lines[0].pv);
        assert_eq!(first.lines[0].score, second.lines[0].score);
        assert_eq!(first.lines[0].nodes, second.lines[0].nodes);
        assert!(!first.lines[0].pv.is_empty(), "there is a move to play after {nodes} nodes");
    }
}

#[test]
fn a_cleared_table_is_as_a_new_one() {
    let mut table = table();
    let mut search = SearchJob::new(wuri(), wuri().start(), Player::South);
    search.limits.depth = Some(Depth(12));
    let first = search_now(&mut table, &search);
    let second = search_now(&mut table, &search);
    assert!(second.nodes < first.nodes, "the table helps");
    table.clear();
    assert_eq!(search_now(&mut table, &search).nodes, first.nodes);
}

#[test]
fn a_node_limit_is_exact_and_reproducible() {
    stops_at_exact_nodes(wuri());
    stops_at_exact_nodes(omweso());
}

#[test]
fn several_threads_share_the_moves_of_a_node_limit() {
    for threads in [2, 4] {
        let nodes = Nodes(100_000);
        let reports = Arc::new(Mutex::new(Vec::new()));
        let mut search = SearchJob::new(wuri(), wuri().start(), Player::South);
        search.limits.nodes = Some(nodes);
        search.threads = threads;
        let kept = Arc::clone(&reports);
        search.events = Box::new(move |event| kept.lock().expect("no panic").push(event));
        let summary = search_now(&mut table(), &search);
        // Each thread that was granted moves makes them, unless the first one had found all before.
        assert_eq!((summary.nodes, search.stop.nodes()), (nodes, nodes), "{threads} threads");
        let told: Vec<Event> = reports.lock().expect("no panic").drain(..).collect();
        let (last, lines) = told.split_last().expect("an end");
        assert!(matches!(last, Event::Finished { nodes: all, why: End::Nodes, .. } if *all <= nodes), "{last:?}");
        let counts: Vec<Nodes> = lines
            .iter()
            .flat_map(|event| match event {
                Event::Lines(lines) => lines.iter().map(|report| report.nodes),
                Event::Finished { .. } => panic!("a second end"),
            })
            .collect();
        assert!(counts.is_sorted() && counts.last() <= Some(&nodes), "{counts:?}");
        assert!(!follow(wuri(), &set_up(&wuri(), wuri().start(), Player::South), &summary.lines[0].pv));
    }
}

#[test]
fn what_one_thread_proves_several_prove_too() {
    for threads in [1, 2, 4] {
        let searched = |token: &str| {
            let mut search = search_of(wuri(), &position(token));
            search.threads = threads;
            search.multi_pv = 2;
            search_now(&mut table(), &search).lines
        };
        let win = searched("0-0-0-0-0-1-1-0-0-0-3-3-23-17-S");
        assert_eq!(
            (win[0].score, win[0].pv[0].to_string()),
            (ScoreValue::Mate(1), "F".to_owned()),
            "{threads} threads"
        );
        // The search ends by itself where nothing deeper can change the result.
        for token in ["1-0-0-0-0-0-0-0-0-0-1-0-23-23-S", "0-0-0-0-1-0-0-1-0-0-0-0-23-23-N"] {
            let proven = searched(token);
            assert!(proven[0].depth < Depth(200), "{token}");
            assert_eq!(proven[0].score, Plain::score(wuri(), &position(token), 30), "{token}, {threads} threads");
        }
    }
}

/// Plays a line of text; tells whether the game is over after it.
fn follow<G: Searchable>(rules: G, game: &Game<G>, line: &[MoveText]) -> bool {
    let mut game = Game { position: game.position, mover: game.mover, history: game.history.clone() };
    let mut over = false;
    for text in line {
        assert!(!over, "{line:?} goes past the end of the game");
        let moves = write_moves(&rules, &game.position, game.mover);
        let index = moves.iter().position(|legal| *legal == *text);
        let index = index.unwrap_or_else(|| panic!("{text} of {line:?} is not legal"));
        over = game.play(&rules, index);
    }
    over
}

fn lines_are_legal<G: Searchable>(rules: G, games: usize, depth: u16, longest_game: usize) {
    let mut rng = Rng::new(7);
    let mut table = Table::new(Mebibytes(2)).expect("two mebibytes");
    for _ in 0..games {
        let plies = rng.below(longest_game);
        let game = random_game(&rules, plies, &mut rng);
        let reports = Arc::new(Mutex::new(Vec::new()));
        let mut search = search_of(rules, &game);
        search.limits.depth = Some(Depth(depth));
        search.multi_pv = 1 + rng.below(3);
        let kept = Arc::clone(&reports);
        search.events = Box::new(move |event| {
            if let Event::Lines(lines) = event {
                kept.lock().expect("no panic").extend(lines);
            }
        });
        search_now(&mut table, &search);
        for report in reports.lock().expect("no panic").iter() {
            let over = follow(rules, &game, &report.pv);
            match report.score {
                _ if report.bound != Bound::Exact => {}
                ScoreValue::Mate(plies) => {
                    assert!(over && report.pv.len() == plies.unsigned_abs() as usize, "{report:?}");
                }
                ScoreValue::Centiseeds(_) => assert!(over || report.pv.len() == report.depth.0.into(), "{report:?}"),
            }
        }
    }
}

#[test]
fn every_reported_line_is_legal_and_ends_with_the_game() {
    lines_are_legal(wuri(), 60, 12, 100);
    lines_are_legal(omweso(), 40, 5, 80);
}

fn ranks_are_distinct_and_sorted<G: Searchable>(rules: G, depth: u16) {
    let game = random_game(&rules, 6, &mut Rng::new(3));
    let moves = rules.count_moves(&game.position) as usize;
    let mut search = search_of(rules, &game);
    search.limits.depth = Some(Depth(depth));
    search.exact = true;
    let best = search_now(&mut table(), &search).lines.remove(0);
    search.multi_pv = 500;
    let lines = search_now(&mut table(), &search).lines;
    assert_eq!(lines.len(), moves);
    assert_eq!(lines[0].score, best.score);
    let mut first: Vec<String> = lines.iter().map(|line| line.pv[0].to_string()).collect();
    let worth = |score: ScoreValue| match score {
        ScoreValue::Centiseeds(value) => value,
        ScoreValue::Mate(plies) => plies.signum() * 100_000 - plies,
    };
    assert!(lines.is_sorted_by_key(|line| -worth(line.score)), "{lines:?}");
    assert!(lines.iter().zip(1..).all(|(line, rank)| line.multipv == rank && line.depth == Depth(depth)));
    first.sort();
    first.dedup();
    assert_eq!(first.len(), moves);
}

#[test]
fn several_lines_have_distinct_moves_in_the_order_of_their_scores() {
    ranks_are_distinct_and_sorted(wuri(), 7);
    ranks_are_distinct_and_sorted(omweso(), 4);
}

#[test]
fn search_moves_are_the_only_moves_at_the_root() {
    let game = set_up(&wuri(), wuri().start(), Player::North);
    let mut search = search_of(wuri(), &game);
    search.limits.depth = Some(Depth(6));
    search.limits.search_moves = vec![Move::plain(Pit(1)), Move::plain(Pit(4))];
    search.multi_pv = 6;
    let lines = search_now(&mut table(), &search).lines;
    let mut moves: Vec<String> = lines.iter().map(|line| line.pv[0].to_string()).collect();
    moves.sort();
    assert_eq!(moves, ["b", "e"]);
}

/// An unfinished Wuri game from its token.
fn position(token: &str) -> Game<Wuri<true>> {
    let (position, mover) = read_position(&wuri(), token).expect("a position");
    set_up(&wuri(), position, mover)
}

#[test]
fn a_capture_that_wins_is_a_win_in_one_ply() {
    let summary = to_depth(wuri(), &position("0-0-0-0-0-1-1-0-0-0-3-3-23-17-S"), 20);
    let line = &summary.lines[0];
    assert_eq!(line.score, ScoreValue::Mate(1));
    assert_eq!(line.pv, ["F"]);
    assert!(summary.nodes.0 < 200, "nothing better can be found: {}", summary.nodes.0);
}

#[test]
fn a_finished_root_has_its_result_and_no_move() {
    for (token, score) in [
        ("0-0-0-0-0-0-4-4-4-4-4-3-25-0-N", ScoreValue::Mate(0)),
        ("0-0-0-0-0-0-4-4-4-4-4-3-25-0-S", ScoreValue::Mate(1)),
        ("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", ScoreValue::Centiseeds(0)),
        ("0-0-0-0-0-0-0-1-0-0-0-0-24-23-S", ScoreValue::Centiseeds(0)),
    ] {
        let lines = to_depth(wuri(), &position(token), 5).lines;
        assert_eq!((lines.len(), lines[0].depth, lines[0].score), (1, Depth(0), score), "{token}");
        assert!(lines[0].pv.is_empty());
    }
}

#[test]
fn a_small_endgame_is_searched_to_its_end_and_no_further() {
    let summary = to_depth(wuri(), &position("1-0-0-0-0-0-0-0-0-0-1-0-23-23-S"), 200);
    assert!(summary.lines[0].depth < Depth(200), "{:?}", summary.lines[0]);
}

#[test]
fn a_repetition_counts_for_its_path_alone() {
    // A table that has seen positions where one more turn repeats them must still know what they are worth elsewhere.
    let rules = wuri();
    let mut shared = Table::new(Mebibytes(4)).expect("four mebibytes");
    let mut rng = Rng::new(77);
    for _ in 0..12 {
        let game = random_game(&rules, 90, &mut rng);
        let mut search = search_of(rules, &game);
        search.limits.depth = Some(Depth(9));
        search_now(&mut shared, &search);
        let bare = set_up(&rules, game.position, game.mover);
        let mut search = search_of(rules, &bare);
        search.limits.depth = Some(Depth(9));
        search.exact = true;
        let found = search_now(&mut shared, &search).lines[0].score;
        assert_eq!(found, Plain::score(rules, &bare, 9), "{}", write_position(&rules, &bare.position, bare.mover));
    }
}

#[test]
fn a_wanted_win_ends_the_search_when_it_is_found_or_refuted() {
    let mut search = search_of(wuri(), &position("0-0-0-0-0-1-1-0-0-0-3-3-23-17-S"));
    search.limits.win_within = Some(Depth(3));
    assert_eq!(search_now(&mut table(), &search).lines[0].score, ScoreValue::Mate(1));
    let mut search = SearchJob::new(wuri(), wuri().start(), Player::South);
    search.limits.win_within = Some(Depth(5));
    assert_eq!(search_now(&mut table(), &search).lines[0].depth, Depth(5));
}

/// Starts a search of the start position without limits and hands over its events.
fn endless_search(searcher: &Searcher, stop: &Arc<StopHandle>) -> mpsc::Receiver<Event> {
    let (sender, events) = mpsc::channel();
    let mut search = SearchJob::new(wuri(), wuri().start(), Player::South);
    search.stop = Arc::clone(stop);
    search.events = Box::new(move |event| sender.send(event).expect("the test listens"));
    searcher.start(job(search));
    events
}

fn last(events: &mpsc::Receiver<Event>) -> Event {
    let started = Instant::now();
    let last = std::iter::from_fn(|| events.recv_timeout(Duration::from_secs(20)).ok()).last();
    assert!(started.elapsed() < Duration::from_secs(20), "the search did not end");
    last.expect("an event")
}

#[test]
fn a_stop_ends_the_search_also_before_it_began() {
    let searcher = Searcher::new(Mebibytes(1)).expect("a thread");
    let board = Arc::new(StopSignals::new());
    let controls: Vec<Arc<StopHandle>> =
        (1..=2).map(|ticket| Arc::new(StopHandle::new(Arc::clone(&board), ticket))).collect();
    let first = endless_search(&searcher, &controls[0]);
    let second = endless_search(&searcher, &controls[1]);
    assert!(matches!(first.recv(), Ok(Event::Lines(_))));
    board.stop_through(2);
    assert!(matches!(last(&first), Event::Finished { why: End::Stopped, .. }));
    let Ok(Event::Lines(lines)) = second.recv() else { panic!("one line at least") };
    let report = &lines[0];
    assert_eq!((report.depth, report.nodes, report.pv.len()), (Depth(0), Nodes(0), 1));
    assert!(matches!(last(&second), Event::Finished { nodes: Nodes(0), why: End::Stopped, .. }));
}

#[test]
fn a_soft_deadline_ends_the_search_between_iterations() {
    let searcher = Searcher::new(Mebibytes(1)).expect("a thread");
    let stop = Arc::new(StopHandle::alone());
    stop.set_soft_deadline(Some(Instant::now() + Duration::from_millis(20)));
    let events = endless_search(&searcher, &stop);
    assert!(matches!(last(&events), Event::Finished { why: End::SoftDeadline, .. }));
}

#[test]
fn a_panic_is_caught_and_the_next_search_runs() {
    panic_is_caught(1);
    panic_is_caught(4);
}

fn panic_is_caught(threads: usize) {
    let searcher = Searcher::new(Mebibytes(1)).expect("a thread");
    let (sender, events) = mpsc::channel();
    let mut search = SearchJob::new(wuri(), wuri().start(), Player::South);
    search.threads = threads;
    search.events = Box::new(move |event| match event {
        Event::Lines(lines) if lines[0].depth == Depth(3) => panic!("an error of the engine, made for the test"),
        event => sender.send(event).expect("the test listens"),
    });
    searcher.start(job(search));
    assert!(matches!(last(&events), Event::Finished { why: End::Panicked, .. }));
    searcher.start(Box::new(|_| panic!("another one, in a job that is no search")));
    searcher.resize(Mebibytes(2)).expect("two mebibytes");
    searcher.clear();
    let stop = Arc::new(StopHandle::alone());
    stop.abandon();
    assert!(matches!(last(&endless_search(&searcher, &stop)), Event::Finished { why: End::Stopped, .. }));
}

/// Prints made moves a second, at Hash 16 on one thread.
#[allow(clippy::print_stdout, reason = "a measurement is read by people")]
fn measure<G: Searchable>(rules: G, nodes: u64) {
    let mut rng = Rng::new(5);
    for plies in [0, 6, 12, 20, 30, 40] {
        let game = random_game(&rules, plies, &mut rng);
        let mut table = Table::new(Mebibytes(16)).expect("sixteen mebibytes");
        let mut search = search_of(rules, &game);
        search.limits.nodes = Some(Nodes(nodes));
        let started = Instant::now();
        let summary = search_now(&mut table, &search);
        let millions = summary.nodes.0 as f64 / started.elapsed().as_secs_f64() / 1e6;
        let (depth, token) = (summary.lines[0].depth.0, write_position(&rules, &game.position, game.mover));
        println!("{millions:6.2} million moves a second to depth {depth:2}: {token}");
    }
}

#[test]
#[ignore = "a measurement: run by scripts/speed.sh"]
fn speed() {
    measure(wuri(), 20_000_000);
    measure(omweso(), 10_000_000);
}
