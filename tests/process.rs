//! The real program over pipes: what a client can rely on, whatever it sends and whenever it leaves.

mod common;
mod harness;

use std::thread;
use std::time::{Duration, Instant};

use common::Rng;
use harness::{Engine, best_moves, errors, is_best_move, printed, run};
use pretty_assertions::assert_eq;

const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
const AFTER_F: &str = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N";

/// Long enough for a search to be under way, and for a wrong answer to show.
fn a_while() {
    thread::sleep(Duration::from_millis(100));
}

/// A move that South, or North, can write.
fn is_move_of(side: char, text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_uppercase() == (side == 'S') && letter.is_ascii_alphabetic())
}

// Handshakes.

#[test]
fn each_dialect_shakes_hands_with_name_author_and_complete_options() {
    for dialect in ["uci", "ugi"] {
        let mut engine = Engine::start();
        engine.send(dialect);
        let lines = engine.until(|line| line == format!("{dialect}ok"));
        assert!(lines[0].starts_with("id name Empiki "), "{lines:#?}");
        assert!(lines[1].starts_with("id author "), "{lines:#?}");
        let options = &lines[2..lines.len() - 1];
        assert!(options.len() >= 8, "{options:#?}");
        for option in options {
            assert!(is_complete_option(option), "{option}");
        }
        engine.send("quit");
        assert_eq!(engine.finish(), Vec::<String>::new());
    }
}

fn is_complete_option(line: &str) -> bool {
    let Some((_, typed)) = line.strip_prefix("option name ").and_then(|rest| rest.split_once(" type ")) else {
        return false;
    };
    let words: Vec<&str> = typed.split(' ').collect();
    let number = |index: usize| words[index].parse::<i64>().expect("a number");
    match words[0] {
        "button" => words.len() == 1,
        "check" => words[1] == "default" && ["true", "false"].contains(&words[2]) && words.len() == 3,
        "spin" => {
            let keys = (words[1], words[3], words[5]) == ("default", "min", "max");
            keys && words.len() == 7 && (number(4)..=number(6)).contains(&number(2))
        }
        "combo" => words[1] == "default" && typed.contains(&format!(" var {}", words[2])),
        "string" => words[1] == "default" && words.len() > 2,
        _ => false,
    }
}

#[test]
fn commands_work_before_any_handshake() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("fen"), START);
    engine.send("go depth 3");
    assert!(is_move_of('S', &engine.best_move()));
    engine.send("stop\nponderhit\nstop\nquit");
    assert_eq!(engine.finish(), Vec::<String>::new(), "without a search neither means anything");
}

#[test]
fn nothing_is_said_before_the_first_command() {
    let engine = Engine::start();
    a_while();
    let mut engine = engine;
    assert_eq!(engine.before_ready(), Vec::<String>::new());
    engine.end_input();
    assert_eq!(engine.finish(), Vec::<String>::new());
}

// Searches.

#[test]
fn a_piped_search_of_a_second_tells_how_it_stands_and_then_a_legal_move() {
    let mut engine = Engine::start();
    let legal = "a b c d e f";
    let started = Instant::now();
    engine.send("position startpos moves F\ngo movetime 1000");
    engine.end_input();
    let lines = engine.until(is_best_move);
    assert!(started.elapsed() >= Duration::from_millis(1000), "{:?}", started.elapsed());
    assert!(lines.iter().filter(|line| line.starts_with("info depth ")).count() > 3, "{lines:#?}");
    assert!(legal.contains(&best_moves(&lines)[0]), "{lines:#?}");
    let last = &lines[lines.len() - 2];
    let word_after = |key: &str| last.split(' ').skip_while(|word| *word != key).nth(1);
    let time = word_after("time").and_then(|time| time.parse().ok());
    assert!(time.is_some_and(|time: u64| time >= 1000), "the last info has the time of the best move: {last}");
    assert_eq!(word_after("pv"), Some(&*best_moves(&lines)[0]), "and its line: {last}");
    assert_eq!(engine.finish(), Vec::<String>::new());
}

#[test]
fn an_infinite_search_ends_at_its_stop_with_one_best_move_each_time() {
    for variant in ["wuri", "omweso"] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        for index in 0..50 {
            engine.send("go infinite");
            if index % 10 == 0 {
                a_while();
            }
            engine.send("stop");
            let best = engine.best_move();
            assert!(is_move_of('S', &best), "{best}");
            assert_eq!(engine.before_ready(), Vec::<String>::new());
        }
        engine.send("quit");
        assert_eq!(engine.finish(), Vec::<String>::new());
    }
}

#[test]
fn several_threads_stop_as_one_does_and_never_pass_the_limit_of_nodes() {
    for variant in ["urim7", "kimasai"] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name UCI_Variant value {variant}\nsetoption name Threads value 4"));
        for index in 0..20 {
            // The new number waits for the search and is good for the next one.
            engine.send(&format!("go infinite\nsetoption name Threads value {}", [1, 3, 4][index % 3]));
            if index % 5 == 0 {
                a_while();
            }
            engine.send("stop");
            let best = engine.best_move();
            assert!(is_move_of('S', &best), "{best}");
            assert_eq!(engine.before_ready(), Vec::<String>::new());
        }
        engine.send("setoption name Threads value 4\ngo nodes 50000\ngo depth 4\ngo ponder movetime 5\nponderhit\ngo mate 1\nquit");
        let lines = engine.finish();
        assert_eq!((best_moves(&lines).len(), errors(&lines).len()), (4, 0), "{lines:#?}");
        let limited = lines.iter().take_while(|line| !is_best_move(line));
        for line in limited {
            let nodes = line.split_once(" nodes ").and_then(|(_, rest)| rest.split(' ').next());
            assert!(nodes.is_some_and(|nodes| nodes.parse().is_ok_and(|nodes: u64| nodes <= 50_000)), "{line}");
        }
    }
}

#[test]
fn an_arrangement_is_searched_for_until_the_stop_as_well() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Variant value omweso\nsetoption name Omweso_Arrangement value open");
    for index in 0..40 {
        engine.send("go infinite");
        if index % 10 == 0 {
            a_while();
        }
        engine.send("stop");
        let best = engine.best_move();
        assert!(best.starts_with('@'), "{best}");
        assert_eq!(engine.before_ready(), Vec::<String>::new());
    }
    // No arrangement proves a win, so there is no more to find than in as many rounds as the win has plies.
    engine.send("debug on\ngo mate 1");
    let lines = engine.until(is_best_move);
    assert!(lines[lines.len() - 2].starts_with("info depth 2 "), "{lines:#?}");
    assert!(
        lines.iter().any(|line| line.starts_with("info string time: ended ") && line.ends_with(" by mate")),
        "{lines:#?}"
    );
    engine.send("go infinite\ngo ponder movetime 5\nponderhit\ngo depth 2\ngo movetime 5\nstop\ngo nodes 1");
    for _ in 0..5 {
        assert!(engine.best_move().starts_with('@'));
    }
    engine.send("quit");
    assert_eq!(engine.finish(), Vec::<String>::new());
}

#[test]
fn a_finished_position_is_searched_until_the_stop_as_well() {
    let mut engine = Engine::start();
    engine.send("position fen 0-0-0-0-0-0-0-0-0-0-0-0-30-18-S\ngo infinite");
    a_while();
    assert!(!engine.before_ready().iter().any(|line| is_best_move(line)));
    engine.send("stop");
    assert_eq!(engine.best_move(), "0000");
    engine.send("go depth 5\ngo movetime 50");
    assert_eq!((engine.best_move(), engine.best_move()), ("0000".to_owned(), "0000".to_owned()));
}

#[test]
fn questions_are_answered_while_a_search_runs() {
    // One search that the client alone can end, and one that would go on for long.
    for go in ["go infinite", "go movetime 600000"] {
        let mut engine = Engine::start();
        engine.send(&format!("position startpos moves F\n{go}"));
        for _ in 0..20 {
            let lines = engine.before_ready();
            assert!(!lines.iter().any(|line| is_best_move(line)), "{lines:#?}");
        }
        assert_eq!(engine.ask("fen"), AFTER_F);
        assert_eq!(engine.ask("legalmoves"), "a b c d e f");
        assert_eq!(engine.ask("result"), "none");
        assert!(engine.ask("state").starts_with(AFTER_F));
        assert!(engine.ask("eval").starts_with("cp "));
        for (question, last) in [
            ("d", "North to move: a b c d e f"),
            ("query gameover", "response false"),
            ("query islegal a", "response true"),
            ("trace a", "trace a fen 4-4-4-4-4-0-0-6-6-6-5-5-0-0-S"),
        ] {
            engine.send(question);
            let lines = engine.until(|line| line == last);
            assert!(!lines.iter().any(|line| is_best_move(line)), "{lines:#?}");
        }
        engine.send("stop");
        assert!(is_move_of('N', &engine.best_move()));
    }
}

#[test]
fn a_question_behind_a_command_that_waits_for_the_search_waits_too() {
    let mut engine = Engine::start();
    engine.send("go movetime 300\nposition startpos moves F\nfen");
    let lines = engine.until(|line| line.starts_with("fen "));
    assert_eq!(lines.last().map(String::as_str), Some(&*format!("fen {AFTER_F}")));
    assert_eq!(best_moves(&lines).len(), 1, "{lines:#?}");
    // Not behind a search that nobody else can end.
    engine.send("position startpos\ngo infinite\nposition startpos moves F\nfen");
    let lines = engine.until(|line| line.starts_with("fen "));
    assert_eq!(lines.last().map(String::as_str), Some(&*format!("fen {START}")));
    engine.send("stop\nfen");
    let lines = engine.until(|line| line.starts_with("fen "));
    assert_eq!(lines.last().map(String::as_str), Some(&*format!("fen {AFTER_F}")));
    assert_eq!(best_moves(&lines).len(), 1, "{lines:#?}");
}

#[test]
fn stop_position_and_go_may_come_in_one_write() {
    let mut engine = Engine::start();
    engine.send("position startpos\ngo infinite");
    let sides = ['S', 'N'];
    for turn in 0..200 {
        if turn % 20 == 0 {
            a_while();
        }
        let moves = ["moves F", ""][turn % 2];
        engine.send(&format!("stop\nposition startpos {moves}\ngo infinite"));
        let best = engine.best_move();
        assert!(is_move_of(sides[turn % 2], &best), "turn {turn}: {best}");
    }
    engine.send("stop");
    assert!(is_move_of('S', &engine.best_move()));
    engine.send("quit");
    assert_eq!(engine.finish(), Vec::<String>::new());
}

#[test]
fn a_stop_ends_every_search_read_before_it_and_none_after() {
    let mut engine = Engine::start();
    engine.send("go infinite\ngo infinite\ngo depth 60\nposition startpos moves F\ngo infinite\nstop\ngo depth 4");
    let found: Vec<String> = (0..5).map(|_| engine.best_move()).collect();
    let sides: Vec<bool> = found.iter().map(|best| is_move_of('S', best)).collect();
    assert_eq!(sides, [true, true, true, false, false], "{found:?}");
    assert_eq!(engine.before_ready(), Vec::<String>::new());
}

#[test]
fn bounded_searches_may_be_piped_one_behind_the_other() {
    let mut engine = Engine::start();
    engine.send("go depth 5\nposition startpos moves F\ngo movetime 100");
    engine.end_input();
    let found = best_moves(&engine.finish());
    assert!(found.len() == 2 && is_move_of('S', &found[0]) && is_move_of('N', &found[1]), "{found:?}");
}

#[test]
fn as_little_as_possible_is_one_info_and_a_best_move() {
    let mut engine = Engine::start();
    for go in ["go depth 0", "go nodes 0", "go movetime 0", "go mate 0", "go wtime 0 btime 0"] {
        engine.send(go);
        let lines = engine.until(is_best_move);
        assert!(lines.iter().any(|line| line.starts_with("info depth ")), "{go}: {lines:#?}");
    }
    engine.send("go depth 12x movetime -5");
    let lines = engine.until(is_best_move);
    assert_eq!(errors(&lines).len(), 2, "{lines:#?}");
    engine.send("go nodes 12345");
    let lines = engine.until(is_best_move);
    assert!(lines[lines.len() - 2].contains(" nodes 12345 "), "exactly so many nodes: {lines:#?}");
}

// Pondering.

#[test]
fn pondering_goes_on_until_the_hit_and_then_on_its_own_time() {
    let mut engine = Engine::start();
    engine.send("go ponder movetime 50");
    a_while();
    let lines = engine.before_ready();
    assert!(!lines.iter().any(|line| is_best_move(line)), "{lines:#?}");
    let hit = Instant::now();
    engine.send("ponderhit");
    assert!(is_move_of('S', &engine.best_move()));
    assert!(hit.elapsed() >= Duration::from_millis(50), "time runs from the hit: {:?}", hit.elapsed());
    // A limit that was reached while pondering waits for the hit.
    engine.send("go ponder depth 3");
    a_while();
    assert!(!engine.before_ready().iter().any(|line| is_best_move(line)));
    engine.send("ponderhit");
    assert!(is_move_of('S', &engine.best_move()));
}

#[test]
fn debug_tells_what_a_hit_makes_of_the_time_and_acts_on_the_search_that_runs() {
    let mut engine = Engine::start();
    // The tables are there then, and the search is over before the hit.
    engine.before_ready();
    engine.send("go ponder depth 3 movetime 60000");
    a_while();
    engine.send("debug on\nponderhit");
    let lines = engine.until(is_best_move);
    let told: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("info string time: ")).collect();
    assert_eq!(told.len(), 2, "{lines:#?}");
    assert_eq!(told[0], "ponderhit, from here on no new iteration after none, answer after 60000 ms");
    assert!(told[1].ends_with(" ms by depth, then ponderhit"), "{told:?}");
    assert!(lines[lines.len() - 2].starts_with("info depth 3 "), "the counts come last: {lines:#?}");
}

#[test]
fn a_hit_out_of_order_does_nothing() {
    let mut engine = Engine::start();
    engine.send("ponderhit\ngo infinite\nponderhit");
    a_while();
    assert!(!engine.before_ready().iter().any(|line| is_best_move(line)));
    engine.send("stop\nponderhit");
    engine.best_move();
    // The stop came first.
    engine.send("go ponder depth 4\nstop\nponderhit");
    engine.best_move();
    assert_eq!(engine.before_ready(), Vec::<String>::new());
    // It means the newest `go ponder`, also where that is still in line.
    engine.send("go depth 8\ngo ponder depth 3\nponderhit");
    engine.best_move();
    engine.best_move();
    assert_eq!(engine.before_ready(), Vec::<String>::new());
    // A count of moves does not ponder.
    engine.send("debug on\ngo perft 14 ponder\nponderhit");
    assert_eq!(engine.before_ready(), Vec::<String>::new());
    engine.send("stop");
    assert_eq!(engine.until(|line| line.starts_with("info string error: ")), ["info string error: perft was stopped"]);
}

#[test]
fn a_second_hit_gives_no_second_helping_of_time() {
    let mut engine = Engine::start();
    engine.send("go ponder movetime 400");
    a_while();
    engine.send("ponderhit");
    let hit = Instant::now();
    let mut lines = Vec::new();
    while hit.elapsed() < Duration::from_secs(3) && !lines.iter().any(|line: &String| is_best_move(line)) {
        engine.send("ponderhit");
        lines.extend(engine.before_ready());
        thread::sleep(Duration::from_millis(20));
    }
    assert!(lines.iter().any(|line| is_best_move(line)), "hits without end put the answer off without end");
}

// The ends of the conversation.

#[test]
fn at_the_end_of_input_bounded_searches_finish_and_unbounded_ones_are_stopped() {
    for (script, answers) in [
        ("go depth 6\ngo nodes 20000\ngo movetime 100", 3),
        ("go infinite", 1),
        ("go ponder", 1),
        ("go", 1),
        ("go depth 5\ngo infinite\ngo ponder movetime 20\ngo depth 4", 4),
        ("", 0),
        ("isready", 0),
    ] {
        let mut engine = Engine::start();
        engine.send_bytes(script.as_bytes());
        // `send_bytes` adds no line feed: the last line counts without it.
        engine.end_input();
        let lines = engine.finish();
        assert_eq!(best_moves(&lines).len(), answers, "{script}: {lines:#?}");
        if script.starts_with("go depth 5") {
            let depth_reached = |depth: &str| lines.iter().any(|line| line.starts_with(depth));
            assert!(depth_reached("info depth 5 ") && depth_reached("info depth 4 "), "{lines:#?}");
        }
    }
}

#[test]
fn a_client_that_closes_its_end_during_a_search_still_gets_the_answer() {
    for (go, at_once) in [("go infinite", true), ("go movetime 500", false)] {
        let mut engine = Engine::start();
        let started = Instant::now();
        engine.send(go);
        engine.until(|line| line.starts_with("info depth 5 "));
        engine.end_input();
        assert_eq!(best_moves(&engine.finish()).len(), 1);
        assert!(at_once || started.elapsed() >= Duration::from_millis(500));
    }
}

#[test]
fn jobs_in_line_at_the_end_of_input_are_done() {
    let mut engine = Engine::start();
    engine.send("perft 3\ngo perft 3\nbench 2\ngo depth 3\nfen");
    engine.end_input();
    let lines = engine.finish();
    let counts = lines.iter().filter(|line| line.starts_with("Nodes searched: ")).count();
    assert_eq!((counts, best_moves(&lines).len(), errors(&lines).len()), (2, 1, 0), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("bench total nodes ")), "{lines:#?}");
}

#[test]
fn a_quit_lets_each_search_read_before_it_print_its_best_move() {
    let mut engine = Engine::start();
    engine.send(
        "go movetime 600000\nposition startpos moves F\nisready\ngo depth 60\nsetoption name Hash value 2\nposition startpos\n\
         perft 20\ngo infinite\nmoves F\ngo ponder\nundo\ngo movetime 600000\nfen\nquit\ngo depth 1\nisready",
    );
    let lines = engine.finish();
    let found = best_moves(&lines);
    let sides: Vec<bool> = found.iter().map(|best| is_move_of('S', best)).collect();
    assert_eq!(sides, [true, false, true, false, true], "{lines:#?}");
    assert!(!found.contains(&"0000".to_owned()), "{found:?}");
}

#[test]
fn a_closed_output_ends_the_program_without_a_word() {
    for script in ["go infinite", "go movetime 600000", "isready", "uci", "d", "perft 12", "bench"] {
        let (mut engine, stdout) = Engine::without_reader(&[]);
        drop(stdout);
        engine.send(script);
        // The input stays open: the output alone tells that nobody is there.
        engine.end();
    }
    for arguments in [&["bench", "3"][..], &["perft", "3"], &["--help"], &["--version"]] {
        let (engine, stdout) = Engine::without_reader(arguments);
        drop(stdout);
        engine.end();
    }
}

// Strange bytes.

#[test]
fn strange_lines_are_answered_with_one_error_or_ignored() {
    let long = |byte: u8, length: usize| vec![byte; length];
    let moves = |count: usize| [b"position startpos moves ", &*b"F ".repeat(count)].concat();
    let lines: [(&str, Vec<u8>, usize); 24] = [
        ("nothing", Vec::new(), 0),
        ("a carriage return", b"\r".to_vec(), 0),
        ("blanks", b" \t \r".to_vec(), 0),
        ("NUL", b"\0\0\0".to_vec(), 0),
        ("a byte order mark", b"\xEF\xBB\xBF".to_vec(), 0),
        ("an unknown word", b"xyzzy".to_vec(), 1),
        ("capitals", b"UCI".to_vec(), 1),
        ("bytes over 0x7F", b"\x80\xFF\xFE\xC3\x28".to_vec(), 1),
        ("bytes over 0x7F in a command", b"position fen \xC3\xA9\x80".to_vec(), 1),
        ("UTF-8", "prêt?".as_bytes().to_vec(), 1),
        ("control characters", b"\x01\x02\x1B[31m\x07".to_vec(), 1),
        ("every byte", (0..=255).filter(|&byte| byte != b'\n').collect(), 1),
        ("a chess position", b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_vec(), 1),
        ("a chess move", b"position startpos moves e2e4".to_vec(), 1),
        ("an illegal move", b"position startpos moves A b A".to_vec(), 1),
        ("seeds that do not add up", b"position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-1-S".to_vec(), 1),
        ("an unknown option", b"setoption name Mind Reading value true".to_vec(), 1),
        ("an option without a value", b"setoption name Hash".to_vec(), 1),
        ("a value out of range", b"setoption name Hash value 0".to_vec(), 1),
        ("a long word", long(b'x', 1_000_000), 1),
        ("a long line of bytes over 0x7F", long(0x9f, 1 << 20), 1),
        ("a line of a megabyte of moves", moves(500_000), 1),
        ("a line that is too long", long(b'x', (1 << 20) + 1), 1),
        ("a line that is much too long", long(b' ', 5 << 20), 1),
    ];
    let mut engine = Engine::start();
    engine.send("position startpos moves F");
    for end in ["\n", "\r\n"] {
        for (name, line, wanted) in &lines {
            engine.send_bytes(&[line, end.as_bytes()].concat());
            let said = engine.before_ready();
            assert_eq!((said.len(), errors(&said).len()), (*wanted, *wanted), "{name}: {said:#?}");
            assert!(said.iter().all(|line| line.len() < 600), "{name}: {said:#?}");
            assert_eq!(engine.ask("fen"), AFTER_F, "{name}: the old position stays");
        }
    }
    engine.send_bytes(b"\t  isready \t\0\r\n");
    assert_eq!(engine.next().as_deref(), Some("readyok"), "blanks of any kind around a word do not matter");
    engine.send("quit");
    assert_eq!(engine.finish(), Vec::<String>::new());
}

#[test]
fn strange_lines_do_not_disturb_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send_bytes(b"\xFF\xFE\n\0\n\n\r\nposition fen 1-2-3\nxyzzy\n");
    engine.send_bytes(&[vec![b'z'; (1 << 20) + 7], b"\n".to_vec()].concat());
    assert!(!engine.before_ready().iter().any(|line| is_best_move(line)));
    engine.send("stop");
    assert!(is_move_of('S', &engine.best_move()));
    assert_eq!(engine.ask("fen"), START);
}

#[test]
fn a_flood_of_questions_does_not_hold_up_the_best_move() {
    let (mut engine, stdout) = Engine::without_reader(&[]);
    let flood = b"isready\n".repeat(2_000_000 / 8);
    engine.send("go movetime 100");
    let questions = flood.len() / 8;
    let reader = thread::spawn(move || {
        use std::io::{BufRead as _, BufReader};
        let lines = BufReader::new(stdout).lines().map(|line| line.expect("a line is UTF-8"));
        let mut before = 0;
        let mut all = 0;
        let mut answered = false;
        for line in lines {
            answered |= is_best_move(&line);
            before += usize::from(!answered && line == "readyok");
            all += usize::from(line == "readyok");
        }
        (before, all)
    });
    engine.send_bytes(&flood);
    engine.end_input();
    engine.end();
    let (before, all) = reader.join().expect("the reader does not panic");
    assert_eq!(all, questions, "every question is answered");
    // They take seconds; those of a tenth of one may come before the best move, and on a busy machine some more.
    assert!(before < questions, "{before} of {questions} came before the best move");
}

// Jobs that are no search.

#[test]
fn a_stopped_job_says_so_in_one_line_and_prints_no_best_move() {
    for variant in ["wuri", "omweso", "kimasai"] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        for job in ["perft 200", "go perft 200", "bench 100"] {
            for turn in 0..15 {
                engine.send(job);
                if turn % 5 == 0 {
                    a_while();
                    assert_eq!(errors(&engine.before_ready()), Vec::<&String>::new());
                }
                engine.send("stop");
                let said = engine.before_ready();
                assert_eq!((errors(&said).len(), best_moves(&said).len()), (1, 0), "{job}: {said:#?}");
                assert!(!said.iter().any(|line| line.starts_with("Nodes searched")), "{job}: {said:#?}");
            }
            // Stopped before it began.
            engine.send(&format!("{job}\nstop"));
            let said = engine.before_ready();
            assert_eq!((errors(&said).len(), said.len()), (1, said.len()), "{job}: {said:#?}");
        }
        engine.send("quit");
        engine.finish();
    }
}

#[test]
fn a_job_that_ends_just_before_its_stop_is_whole_or_stopped_but_not_both() {
    let mut engine = Engine::start();
    for job in ["perft 1", "perft 5", "endless", "endless A"] {
        for turn in 0..100 {
            engine.send(job);
            if turn % 2 == 0 {
                thread::sleep(Duration::from_micros(50 * turn));
            }
            engine.send("stop");
            let said = engine.before_ready();
            let whole = match job {
                "endless" => said.iter().filter(|line| line.starts_with("endless ")).count() == 6,
                "endless A" => said.iter().any(|line| line.starts_with("endless A ")),
                _ => said.iter().any(|line| line.starts_with("Nodes searched")),
            };
            assert_eq!(errors(&said).len(), usize::from(!whole), "{job}: {said:#?}");
        }
    }
}

#[test]
fn the_bench_counts_the_same_each_time_and_in_each_process() {
    let counts = |lines: Vec<&str>| -> Vec<String> {
        let until_time = |line: &str| line.split(" time ").next().map(str::to_owned);
        lines.into_iter().filter_map(until_time).collect()
    };
    let first = printed(&["bench", "4"]);
    let first = counts(first.lines().collect());
    let second = printed(&["bench", "4"]);
    assert_eq!(counts(second.lines().collect()), first);
    let mut engine = Engine::start();
    for turn in 0..3 {
        engine.send("bench 4");
        let lines = engine.until(|line| line.starts_with("bench total"));
        assert_eq!(counts(lines.iter().map(String::as_str).collect()), first, "time {turn} in one process");
        // What lies between does not matter.
        engine.send("position startpos moves F\ngo depth 6");
        engine.best_move();
    }
}

// A long conversation.

#[test]
fn each_go_of_a_long_random_conversation_gets_its_best_move() {
    const LINES: [&str; 37] = [
        "go depth 3",
        "go nodes 500",
        "go movetime 3",
        "go wtime 100 btime 100",
        "go depth 2 searchmoves C",
        "go depth 12x",
        "go mate 1",
        "go infinite\nstop",
        "go ponder movetime 2\nponderhit",
        "go ponder\nstop",
        "go infinite\nposition startpos\nisready\nstop",
        "stop",
        "ponderhit",
        "isready",
        "position startpos",
        "position startpos moves F f",
        "position startpos moves C",
        "moves A a",
        "undo",
        "undo 3",
        "d",
        "legalmoves",
        "setoption name UCI_Variant value omweso",
        "setoption name UCI_Variant value wuri",
        "setoption name Omweso_Arrangement value open",
        "setoption name Omweso_Mode value binding",
        "setoption name Omweso_Mode value blitz",
        "setoption name MultiPV value 3",
        "setoption name Hash value 2",
        "setoption name Threads value 3",
        "setoption name Threads value 1",
        "ucinewgame",
        "perft 2",
        "bench 1",
        "debug on",
        "xyzzy",
        "setoption name Clear Hash",
    ];
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let mut engine = Engine::start();
        let mut asked = 0;
        for _ in 0..400 {
            let line = LINES[rng.below(LINES.len())];
            asked += usize::from(line.starts_with("go"));
            engine.send(line);
        }
        if seed % 2 == 0 {
            engine.send("quit");
        }
        engine.end_input();
        let lines = engine.finish();
        assert_eq!(best_moves(&lines).len(), asked, "seed {seed}");
    }
}

// The command line.

#[test]
fn version_and_help_are_told_and_mistakes_are_one_clear_error() {
    assert_eq!(printed(&["--version"]), concat!("empiki ", env!("CARGO_PKG_VERSION"), "\n"));
    let help = printed(&["--help"]);
    for word in ["bench", "perft", "--option"] {
        assert!(help.contains(word), "{help}");
    }
    for (arguments, named) in [
        (&["--option", "Mind Reading=true"][..], "Mind Reading"),
        (&["--option", "Hash=much"], "much"),
        (&["--option", "Hash"], "NAME=VALUE"),
        (&["--option", "UCI_Variant=chess"], "chess"),
        (&["perft", "4", "--position", "1-2-3"], "15"),
        (&["perft", "201"], "200"),
        (&["perft", "--variant", "chess", "4"], "chess"),
        (&["fly"], "fly"),
    ] {
        let output = run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(error.contains(named), "{arguments:?}: {error}");
        assert_eq!(error.lines().filter(|line| line.to_lowercase().starts_with("error")).count(), 1, "{error}");
    }
}

#[test]
fn options_of_the_command_line_hold_without_a_word() {
    let arguments = ["--option", "UCI_Variant=omweso", "--option", "Omweso_Reverse=false", "--option", "MultiPV=2"];
    let mut engine = Engine::with_arguments(&arguments);
    assert!(engine.ask("state").contains(" ruleset omweso;Reverse=false "));
    engine.send("go depth 1");
    let lines = engine.until(is_best_move);
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:#?}");
}

#[test]
fn the_command_line_counts_leaves_as_the_protocol_does() {
    for variant in ["wuri", "omweso"] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name UCI_Variant value {variant}\nperft 4"));
        let lines = engine.until(|line| line.starts_with("Nodes searched: "));
        let total = lines.last().and_then(|line| line.strip_prefix("Nodes searched: ")).expect("the last line is it");
        for made in [&[][..], &["--made"]] {
            let arguments = [&["perft", "--variant", variant, "4"], made].concat();
            let line = printed(&arguments);
            assert!(line.starts_with(&format!("perft {variant} leaves {total} ")), "{line}");
        }
    }
}
