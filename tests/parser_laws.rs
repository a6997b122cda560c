//! Laws of the protocol's parser: what holds for every line, and that what is written can be read back.

use std::time::Duration;

use empiki::protocol::{Command, Go, LONGEST_TIME, parse, parse_moves};
use empiki::units::{Depth, Direction, MoveText, Nodes, PerPlayer};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Words that bring a random line past the first look.
const WORDS: [&str; 38] = [
    "go",
    "position",
    "startpos",
    "fen",
    "moves",
    "setoption",
    "name",
    "value",
    "depth",
    "nodes",
    "movetime",
    "infinite",
    "ponder",
    "mate",
    "searchmoves",
    "wtime",
    "p2inc",
    "movestogo",
    "perft",
    "query",
    "islegal",
    "trace",
    "undo",
    "debug",
    "bench",
    "help",
    "0000",
    "A<>",
    "K*",
    "@1-2",
    "-5",
    "99999999999999999999",
    "\0",
    "\u{e9}",
    "",
    "endless",
    "load",
    "4S,1/DD2",
];

/// Limits that cannot be read, one complaint each.
const BAD_LIMITS: [&str; 6] = ["depth 12x", "movetime -5", "nodes", "hello 5", "mate 1.5", "searchmoves A ? B"];

fn any_direction() -> impl Strategy<Value = Direction> {
    prop_oneof![Just(Direction::Clockwise), Just(Direction::CounterClockwise)]
}

fn any_move() -> impl Strategy<Value = MoveText> {
    let letter = prop_oneof![prop::char::range('A', 'Z'), prop::char::range('a', 'z')];
    prop_oneof![
        1 => Just(MoveText::Null),
        8 => (letter, any::<bool>(), vec(any_direction(), 0..6))
            .prop_map(|(letter, split, signs)| MoveText::Sow { letter, split, signs }),
        1 => any::<[u8; 16]>().prop_map(MoveText::Arrange),
    ]
}

/// Moves with what stands behind each one.
fn any_list() -> impl Strategy<Value = Vec<(MoveText, &'static str)>> {
    vec((any_move(), prop::sample::select(vec!["", "", " ", "\t", "  ", "\r\n"])), 0..40)
}

/// Writes a list, with the one blank that the grammar asks for.
fn write_list(list: &[(MoveText, &str)]) -> (String, Vec<MoveText>) {
    let mut text = String::new();
    let mut after_arrangement = false;
    for (played, separator) in list {
        if after_arrangement && *played == MoveText::Null {
            text.push(' ');
        }
        text += &format!("{played}{separator}");
        after_arrangement = matches!(played, MoveText::Arrange(_)) && separator.is_empty();
    }
    (text, list.iter().map(|(played, _)| played.clone()).collect())
}

fn check_errors(line: &[u8]) -> Result<(), TestCaseError> {
    let errors = match parse(line) {
        Err(error) => vec![error],
        Ok(Some(Command::Go(go))) => go.complaints,
        Ok(_) => Vec::new(),
    };
    for error in errors {
        let text = error.to_string();
        prop_assert!(text.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{text:?}");
        prop_assert!(!text.is_empty() && text.len() < 160 && text.trim() == text, "{text:?}");
    }
    Ok(())
}

/// One limit as it is written, and what it does to a `Go`.
fn any_limit() -> impl Strategy<Value = (String, Go)> {
    let ms = |number: u64| Duration::from_millis(number).min(LONGEST_TIME);
    let go = Go::default;
    prop_oneof![
        any::<u16>().prop_map(move |n| (format!("depth {n}"), Go { depth: Some(Depth(n)), ..go() })),
        any::<u64>().prop_map(move |n| (format!("nodes {n}"), Go { nodes: Some(Nodes(n)), ..go() })),
        any::<u64>().prop_map(move |n| (format!("movetime {n}"), Go { movetime: Some(ms(n)), ..go() })),
        any::<u32>().prop_map(move |n| (format!("mate {n}"), Go { mate: Some(n), ..go() })),
        any::<u16>().prop_map(move |n| (format!("perft {n}"), Go { perft: Some(Depth(n)), ..go() })),
        Just(("infinite".to_owned(), Go { infinite: true, ..go() })),
        Just(("ponder".to_owned(), Go { ponder: true, ..go() })),
        (1..u32::MAX).prop_map(move |n| (format!("movestogo {n}"), Go { movestogo: Some(n), ..go() })),
        (any::<i64>(), prop::sample::select(vec!["wtime", "p1time"])).prop_map(move |(n, word)| {
            let clock = PerPlayer { south: Some(ms(u64::try_from(n).unwrap_or(0))), north: None };
            (format!("{word} {n}"), Go { clock, ..go() })
        }),
        (any::<i64>(), prop::sample::select(vec!["btime", "p2time"])).prop_map(move |(n, word)| {
            let clock = PerPlayer { south: None, north: Some(ms(u64::try_from(n).unwrap_or(0))) };
            (format!("{word} {n}"), Go { clock, ..go() })
        }),
        (1..u32::MAX, prop::sample::select(vec!["winc", "p1inc"])).prop_map(move |(n, word)| {
            let increment = PerPlayer { south: ms(n.into()), north: Duration::ZERO };
            (format!("{word} {n}"), Go { increment, ..go() })
        }),
        (1..u32::MAX, prop::sample::select(vec!["binc", "p2inc"])).prop_map(move |(n, word)| {
            let increment = PerPlayer { south: Duration::ZERO, north: ms(n.into()) };
            (format!("{word} {n}"), Go { increment, ..go() })
        }),
        vec(any_move(), 1..5).prop_map(move |moves| {
            let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
            (format!("searchmoves {}", words.join(" ")), Go { searchmoves: moves, ..go() })
        }),
    ]
}

/// What two mixes of limits say together, the later one last.
fn join(first: Go, second: Go) -> Go {
    let later = |first: Duration, second: Duration| if second.is_zero() { first } else { second };
    Go {
        depth: second.depth.or(first.depth),
        nodes: second.nodes.or(first.nodes),
        movetime: second.movetime.or(first.movetime),
        mate: second.mate.or(first.mate),
        infinite: first.infinite || second.infinite,
        ponder: first.ponder || second.ponder,
        searchmoves: [first.searchmoves, second.searchmoves].concat(),
        clock: PerPlayer {
            south: second.clock.south.or(first.clock.south),
            north: second.clock.north.or(first.clock.north),
        },
        increment: PerPlayer {
            south: later(first.increment.south, second.increment.south),
            north: later(first.increment.north, second.increment.north),
        },
        movestogo: second.movestogo.or(first.movestogo),
        perft: second.perft.or(first.perft),
        shortest: false,
        complaints: Vec::new(),
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_command_or_one_printable_error(line in vec(any::<u8>(), 0..200)) {
        check_errors(&line)?;
    }

    #[test]
    fn any_words_are_a_command_or_one_printable_error(words in vec(prop::sample::select(WORDS.to_vec()), 0..12)) {
        check_errors(words.join(" ").as_bytes())?;
    }

    #[test]
    fn any_bytes_behind_a_command_are_read_or_one_printable_error(
        words in vec(prop::sample::select(WORDS.to_vec()), 1..4),
        rest in vec(any::<u8>(), 0..100),
    ) {
        check_errors(&[words.join(" ").as_bytes(), b" ", &rest].concat())?;
    }

    #[test]
    fn a_written_move_reads_back(played in any_move()) {
        prop_assert_eq!(parse_moves(played.to_string().as_bytes()), Ok(vec![played]));
    }

    #[test]
    fn a_written_list_reads_back_joined_or_separated(list in any_list()) {
        let (text, moves) = write_list(&list);
        prop_assert_eq!(parse_moves(text.as_bytes()), Ok(moves));
    }

    #[test]
    fn a_written_position_reads_back(token in option::of("[!-~]{1,60}"), list in any_list()) {
        prop_assume!(token.as_deref() != Some("startpos"));
        let (text, moves) = write_list(&list);
        let place = token.as_ref().map_or("startpos".to_owned(), |token| format!("fen {token}"));
        // Joined letters that come out as the keyword are the keyword.
        prop_assume!(text.split_whitespace().all(|word| word != "moves"));
        let line = format!("position {place} moves {text}");
        prop_assert_eq!(parse(line.as_bytes()), Ok(Some(Command::Position { token, moves })));
    }

    #[test]
    fn a_written_file_to_load_reads_back(
        words in vec("[!-~\u{a1}-\u{1fff}]{1,12}", 1..4),
        game in option::of(any::<u32>()),
    ) {
        let file = words.join(" ");
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        // A name that ends like a number has to be told with one.
        prop_assume!(game.is_some() || words.len() == 1 || !words.last().is_some_and(is_number));
        let number = game.map_or(String::new(), |game| format!(" {game}"));
        let line = format!("load  {file}{number}\r\n");
        prop_assert_eq!(parse(line.as_bytes()), Ok(Some(Command::Load { file, game: game.unwrap_or(1) })));
    }

    #[test]
    fn a_position_text_of_several_words_reads_back(words in vec("[!-~]{1,12}", 0..5), list in any_list()) {
        prop_assume!(words.iter().all(|word| word != "moves"));
        let (text, moves) = write_list(&list);
        prop_assume!(text.split_whitespace().all(|word| word != "moves"));
        let token = [&["4S/4S".to_owned()][..], &words].concat().join(" ");
        let line = format!("position fen {} moves {text}", token.replace(' ', " \t "));
        prop_assert_eq!(parse(line.as_bytes()), Ok(Some(Command::Position { token: Some(token), moves })));
    }

    #[test]
    fn a_written_option_reads_back(
        words in vec("[!-~]{1,12}", 1..4),
        value in option::of("[!-~\u{a1}-\u{2fff}]([ -~\t\u{a1}-\u{1fff}]{0,40}[!-~])?"),
    ) {
        prop_assume!(words.iter().all(|word| word != "value") && value.as_deref() != Some("<empty>"));
        let name = words.join(" ");
        let setting = value.as_ref().map_or(String::new(), |value| format!(" value {value}"));
        let line = format!("setoption name {name}{setting}\r\n");
        prop_assert_eq!(parse(line.as_bytes()), Ok(Some(Command::SetOption { name, value })));
    }

    #[test]
    fn any_mix_of_limits_reads_back(limits in vec(any_limit(), 0..10)) {
        let words: Vec<&str> = limits.iter().map(|(text, _)| text.as_str()).collect();
        let line = format!("go {}", words.join("  "));
        let wanted = limits.into_iter().map(|(_, go)| go).fold(Go::default(), join);
        prop_assert_eq!(parse(line.as_bytes()), Ok(Some(Command::Go(Box::new(wanted)))));
    }

    #[test]
    fn a_bad_limit_leaves_the_others_as_they_are(
        before in vec(any_limit(), 0..4),
        bad in prop::sample::select(BAD_LIMITS.to_vec()),
        after in vec(any_limit(), 0..4),
    ) {
        // A word behind a list of moves belongs to the list.
        let list_before = before.last().is_some_and(|(text, _)| text.starts_with("searchmoves"));
        prop_assume!(!(list_before && bad.starts_with("hello")));
        let write = |limits: &[(String, Go)]| limits.iter().map(|(text, _)| format!("{text} ")).collect::<String>();
        let line = format!("go {}{bad} {}", write(&before), write(&after));
        let mut wanted = before.into_iter().chain(after).map(|(_, go)| go).fold(Go::default(), join);
        wanted.shortest = !wanted.has_limit();
        let Ok(Some(Command::Go(mut read))) = parse(line.as_bytes()) else { panic!("{line}") };
        prop_assert_eq!(read.complaints.len(), 1);
        read.complaints.clear();
        prop_assert_eq!(*read, wanted);
    }
}
