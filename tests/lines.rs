//! The lines that searches tell, in every game: legal to their last move, ranked as promised, with chances that add up.

mod common;

use std::sync::{Arc, Mutex};

use common::{Rng, converse, open};
use empiki::engine::game::{Game, SearchRequest};
use empiki::eval::LARGEST;
use empiki::protocol::{WinDrawLoss, parse_moves};
use empiki::search::info::{Event, Report};
use empiki::search::stop::StopHandle;
use empiki::search::table::Table;
use empiki::units::{Bound, Depth, Mebibytes, MoveText, Nodes, Phase, ScoreValue, Variant};
use pretty_assertions::assert_eq;

/// Games with rule options, of which some make draws, repetitions and ends by counts come soon.
const GAMES: [(Variant, &str); 10] = [
    (Variant::Wuri, ""),
    (Variant::Wuri, "Wuri_Repetition=3 Wuri_GrandSlam=illegal-unless-only"),
    (Variant::Urim, ""),
    (Variant::Urim, "Urim_Seeds=4 Urim_Repetition=3 Urim_NoMoveAward=unfed"),
    (Variant::Urim7, ""),
    (Variant::Omweso, ""),
    (Variant::Omweso, "Omweso_QuietPlies=6"),
    (Variant::Omweso, "Omweso_LapLimit=40 Omweso_Akakyala=true"),
    (Variant::Kimasai, ""),
    (Variant::Kimasai, "Kimasai_Endless=annul"),
];

/// Plays random moves until so many plies or the end; the end itself is taken back.
fn play_by_lot(game: &mut dyn Game, plies: usize, rng: &mut Rng) {
    for _ in 0..plies {
        let legal = game.legal_moves();
        game.play(std::slice::from_ref(&legal[rng.below(legal.len())])).expect("a legal move");
        if game.outcome().is_some() {
            game.undo(1).expect("it was played");
            return;
        }
    }
}

/// Everything that a search tells.
fn reports(game: &dyn Game, table: &mut Table, limits: (Option<Depth>, Option<Nodes>), lines: usize) -> Vec<Report> {
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let mut request = SearchRequest::new(Arc::new(StopHandle::alone()));
    (request.limits.depth, request.limits.nodes) = limits;
    request.multi_pv = lines;
    request.events = Box::new(move |event| {
        if let Event::Lines(lines) = event {
            kept.lock().expect("no panic").extend(lines);
        }
    });
    game.search_now(table, request);
    std::mem::take(&mut *told.lock().expect("no panic"))
}

/// Plays a line out and takes it back: each move is legal, and none stands behind the end of the game.
fn follow(game: &mut dyn Game, report: &Report) {
    let token = game.token();
    let mut over = false;
    for (index, text) in report.pv.iter().enumerate() {
        assert!(!over, "{token}: {report:?} goes past the end of the game");
        game.play(std::slice::from_ref(text)).unwrap_or_else(|error| panic!("{token}: {error:#} in {report:?}"));
        assert!(game.token() != token || index > 0, "a move changes the position");
        over = game.outcome().is_some();
    }
    if let (ScoreValue::Mate(plies), Bound::Exact) = (report.score, report.bound) {
        assert!(over && report.pv.len() == plies.unsigned_abs() as usize, "{token}: {report:?} does not end the game");
    }
    game.undo(u32::try_from(report.pv.len()).expect("a short line")).expect("it was played");
    assert_eq!(game.token(), token);
}

/// What lines are ranked by, as far as a score tells: a mate does not tell its points, which outrank its plies.
fn worth(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Centiseeds(value) => value.clamp(-LARGEST - 1, LARGEST + 1),
        ScoreValue::Mate(plies) if plies > 0 => LARGEST + 1,
        ScoreValue::Mate(_) => -LARGEST - 1,
    }
}

/// Holds each set of lines to what `MultiPV` promises: one full set a depth, its ranks in order, its first moves distinct.
fn hold_sets(told: &[Report], ranks: usize, token: &str) {
    assert_eq!(told.len() % ranks, 0, "{token}: only full sets");
    let mut before = None;
    for set in told.chunks(ranks) {
        let context = || format!("{token}: {set:#?}");
        assert!(set.iter().zip(1..).all(|(line, rank)| line.multipv == rank), "{}", context());
        assert!(set.iter().all(|line| line.depth == set[0].depth), "{}", context());
        // Nothing is sorted where nothing was searched.
        assert!(set[0].depth == Depth(0) || set.is_sorted_by_key(|line| -worth(line.score)), "{}", context());
        let mut first: Vec<String> = set.iter().filter_map(|line| line.pv.first()).map(MoveText::to_string).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), ranks, "{}", context());
        assert!(before.is_none_or(|depth| set[0].depth > depth), "one set a depth: {}", context());
        before = Some(set[0].depth);
    }
}

fn hold_chances(game: &dyn Game, report: &Report) {
    let WinDrawLoss { win, draw, loss } = game.wdl(report);
    assert_eq!(win + draw + loss, 1000, "{report:?}");
    match (report.score, report.bound) {
        (ScoreValue::Mate(plies), bound) if bound == Bound::Exact || (bound == Bound::Lower) == (plies > 0) => {
            let proved = if plies > 0 { (1000, 0, 0) } else { (0, 0, 1000) };
            assert_eq!((win, draw, loss), proved, "{report:?}");
        }
        (ScoreValue::Centiseeds(tabled), Bound::Exact) if tabled.abs() > LARGEST => {
            let known = if tabled > 0 { (1000, 0, 0) } else { (0, 0, 1000) };
            assert_eq!((win, draw, loss), known, "{report:?}");
        }
        (ScoreValue::Centiseeds(0), Bound::Exact) if report.proven => assert_eq!(draw, 1000, "{report:?}"),
        _ => assert!(win < 1000 && loss < 1000, "{report:?}"),
    }
}

#[test]
fn every_line_of_every_search_can_be_played_and_its_set_is_full_distinct_and_sorted() {
    let mut rng = Rng::new(61);
    for (variant, options) in GAMES {
        let (deepest, longest_game) = if variant == Variant::Omweso { (6, 40) } else { (9, 90) };
        // Kept from search to search, so that what was found on other paths is met again.
        let mut table = Table::new(Mebibytes(1)).expect("a mebibyte");
        let mut game = open(variant, options);
        for _ in 0..12 {
            game.set_up(None, &[]).expect("the start");
            play_by_lot(&mut *game, rng.below(longest_game), &mut rng);
            if rng.below(3) == 0 {
                // Without its history.
                let token = game.token();
                game.set_up(Some(&token), &[]).expect("the token of a position");
                if game.outcome().is_some() {
                    continue;
                }
            }
            let wanted = [1, 1, 2, 5, 64][rng.below(5)];
            let ranks = wanted.min(game.legal_moves().len());
            let depth = Depth(u16::try_from(1 + rng.below(deepest)).expect("small"));
            let limits = if rng.below(4) == 0 { (None, Some(Nodes(3000))) } else { (Some(depth), None) };
            let told = reports(&*game, &mut table, limits, wanted);
            assert!(!told.is_empty());
            for report in &told {
                follow(&mut *game, report);
                hold_chances(&*game, report);
            }
            if ranks > 1 {
                hold_sets(&told, ranks, &game.token());
            } else {
                assert!(told.iter().all(|line| line.multipv == 1));
            }
        }
    }
}

#[test]
fn lines_near_a_repetition_end_with_it() {
    // A few seeds that go round: nearly every line comes back to where it was.
    let mut game = open(Variant::Wuri, "");
    let mut table = Table::new(Mebibytes(1)).expect("a mebibyte");
    let mut ended_by_repetition = 0;
    for token in
        ["0-0-0-0-0-1-1-0-0-0-0-0-22-24-S", "1-0-0-0-0-1-1-0-0-0-0-1-22-22-S", "0-2-0-0-1-0-0-0-1-0-0-1-21-22-N"]
    {
        for played in 0..6 {
            game.set_up(Some(token), &[]).expect("a position");
            play_by_lot(&mut *game, played, &mut Rng::new(9));
            for report in reports(&*game, &mut table, (Some(Depth(24)), None), 3) {
                follow(&mut *game, &report);
                game.play(&report.pv).expect("a line");
                let ends = |outcome: empiki::rules::outcome::Outcome| outcome.reason.word() == "repetition";
                ended_by_repetition += usize::from(game.outcome().is_some_and(ends));
                game.undo(u32::try_from(report.pv.len()).expect("a short line")).expect("it was played");
            }
        }
    }
    assert!(ended_by_repetition > 10, "{ended_by_repetition} lines ended by repetition");
}

/// The words of the `info depth` lines and of the `bestmove` that a session told.
fn told(script: &str) -> (Vec<Vec<String>>, String) {
    let answers = converse(script.as_bytes());
    let words = |line: &str| line.split(' ').map(str::to_owned).collect();
    let infos = answers.lines().filter(|line| line.starts_with("info depth ")).map(words).collect();
    (infos, answers.lines().last().expect("a best move").to_owned())
}

fn after<'w>(words: &'w [String], word: &str) -> &'w [String] {
    let at = words.iter().position(|other| other == word).unwrap_or_else(|| panic!("no {word} in {words:?}"));
    &words[at + 1..]
}

#[test]
fn the_best_move_is_that_of_line_one_of_the_last_set() {
    for variant in Variant::ALL {
        for limit in ["depth 4", "nodes 5000", "movetime 20", "depth 0"] {
            let name = variant.name();
            let (infos, best) =
                told(&format!("setoption name UCI_Variant value {name}\nsetoption name MultiPV value 3\ngo {limit}\n"));
            let last = &infos[infos.len() - 3..];
            let ranks: Vec<&str> = last.iter().map(|words| after(words, "multipv")[0].as_str()).collect();
            assert_eq!(ranks, ["1", "2", "3"], "{name} {limit}");
            assert_eq!(best, format!("bestmove {}", after(&last[0], "pv")[0]), "{name} {limit}");
            let count = |word: &str| last.iter().map(|words| after(words, word)[0].clone()).collect::<Vec<_>>();
            for word in ["depth", "nodes", "time"] {
                let counts = count(word);
                assert!(counts.iter().all(|count| *count == counts[0]), "{name} {limit} {word}: {last:?}");
            }
        }
    }
}

#[test]
fn a_wanted_mate_ends_the_search_as_soon_as_it_is_found_or_cannot_be() {
    // South's B and North's only answer end the game.
    let win = "position fen 0-1-0-2-0-0-0-0-0-0-0-1-24-20-S\n";
    for (script, depth, score) in [
        (format!("{win}go mate 1\n"), "2", "1"),
        (format!("ugi\n{win}go mate 2\n"), "2", "2"),
        // In plies now: none within one.
        (format!("ugi\n{win}go mate 1\n"), "1", ""),
        ("go mate 2\n".to_owned(), "4", ""),
    ] {
        let (infos, best) = told(&script);
        let last = infos.last().expect("an info");
        assert_eq!(after(last, "depth")[0], depth, "{script}");
        match score {
            "" => assert!(!last.contains(&"mate".to_owned()), "{last:?}"),
            plies => assert_eq!(after(last, "mate")[0], plies, "{script}"),
        }
        assert_ne!(best, "bestmove 0000");
    }
}

#[test]
fn a_joined_line_is_one_word_with_the_same_moves() {
    for variant in Variant::ALL {
        let set = format!("setoption name UCI_Variant value {}\n", variant.name());
        let (plain, best) = told(&format!("{set}go depth 4\n"));
        let (joined, same) = told(&format!("{set}setoption name JoinedPv value true\ngo depth 4\n"));
        assert_eq!(best, same);
        let mut lists: Vec<&[String]> = plain.iter().map(|words| after(words, "pv")).collect();
        let mut words: Vec<&[String]> = joined.iter().map(|words| after(words, "pv")).collect();
        // The last line may be told again with its final counts.
        lists.dedup();
        words.dedup();
        assert_eq!(lists.len(), words.len());
        for (list, word) in lists.into_iter().zip(words) {
            assert_eq!(word, [list.concat()]);
            assert_eq!(parse_moves(word[0].as_bytes()), parse_moves(list.join(" ").as_bytes()));
        }
    }
}

#[test]
fn chances_are_told_when_they_are_asked_for_and_at_no_other_time() {
    let show = "setoption name UCI_ShowWDL value true\n";
    for variant in Variant::ALL {
        let set = format!("setoption name UCI_Variant value {}\n", variant.name());
        let (silent, _) = told(&format!("{set}go depth 3\n"));
        assert!(silent.iter().all(|words| !words.contains(&"wdl".to_owned())), "{silent:?}");
        let (telling, _) = told(&format!("{set}{show}go depth 3\n"));
        for words in telling {
            let wdl: Vec<u32> = after(&words, "wdl")[..3].iter().map(|word| word.parse().expect("a number")).collect();
            assert_eq!(wdl.iter().sum::<u32>(), 1000, "{words:?}");
        }
    }
    let last = |position: &str| {
        let (infos, _) = told(&format!("{show}position fen {position}\ngo depth 30\n"));
        after(infos.last().expect("an info"), "wdl")[..3].join(" ")
    };
    assert_eq!(last("0-1-0-2-0-0-0-0-0-0-0-1-24-20-S"), "1000 0 0");
    assert_eq!(last("0-0-1-2-0-0-0-0-0-0-0-1-24-20-N"), "0 0 1000");
    // Over already: South has 25; a draw; and a draw that both sides can only complete.
    assert_eq!(last("0-0-0-0-0-0-4-4-4-4-4-3-25-0-N"), "0 0 1000");
    assert_eq!(last("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"), "0 1000 0");
}

#[test]
fn a_line_of_an_arrangement_lays_out_seeds() {
    let mut game = open(Variant::Omweso, "Omweso_Arrangement=open");
    let mut table = Table::new(Mebibytes(1)).expect("a mebibyte");
    assert_eq!(game.phase(), Phase::Arrange);
    for report in reports(&*game, &mut table, (Some(Depth(3)), None), 2) {
        follow(&mut *game, &report);
        hold_chances(&*game, &report);
        assert_eq!((report.pv.len(), report.multipv), (1, 1));
    }
}
