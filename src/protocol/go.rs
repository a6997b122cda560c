//! The grammar of `go`: any mix of limits, in which one bad limit does not spoil the others.

use std::time::Duration;

use nom::bytes::complete::tag;
use nom::character::complete::digit1;
use nom::combinator::{all_consuming, map_res, opt};
use nom::{IResult, Parser};

use super::command::Go;
use super::error::{ParseError, Quote};
use super::moves;
use super::words::Words;
use crate::units::{Depth, MoveText, Nodes, Player};

/// The longest time that a limit can be, 365 days: a longer one is read as this, so that it can be added to any moment.
pub const LONGEST_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Complaints kept for one line: nobody learns from the rest, and a long line of nonsense gets a short answer.
const COMPLAINTS: usize = 16;

pub(super) const COUNT: &str = "a whole number";

#[derive(Clone, Copy)]
enum Keyword {
    Depth,
    Nodes,
    MoveTime,
    Mate,
    Infinite,
    Ponder,
    SearchMoves,
    Clock(Player),
    Increment(Player),
    MovesToGo,
    Perft,
}

const KEYWORDS: [(&str, Keyword); 17] = [
    ("depth", Keyword::Depth),
    ("nodes", Keyword::Nodes),
    ("movetime", Keyword::MoveTime),
    ("mate", Keyword::Mate),
    ("infinite", Keyword::Infinite),
    ("ponder", Keyword::Ponder),
    ("searchmoves", Keyword::SearchMoves),
    ("wtime", Keyword::Clock(Player::South)),
    ("btime", Keyword::Clock(Player::North)),
    ("winc", Keyword::Increment(Player::South)),
    ("binc", Keyword::Increment(Player::North)),
    ("p1time", Keyword::Clock(Player::South)),
    ("p2time", Keyword::Clock(Player::North)),
    ("p1inc", Keyword::Increment(Player::South)),
    ("p2inc", Keyword::Increment(Player::North)),
    ("movestogo", Keyword::MovesToGo),
    ("perft", Keyword::Perft),
];

fn keyword(word: &[u8]) -> Option<(&'static str, Keyword)> {
    KEYWORDS.into_iter().find(|(name, _)| name.as_bytes() == word)
}

/// Reads what follows the word `go`.
pub(super) fn read(mut words: Words<'_>) -> Go {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let outcome = match keyword(word) {
            Some((name, keyword)) => read_limit(name, keyword, &mut words, &mut go),
            None => Err(ParseError::Unwanted { context: "go", read: Quote::new(word), wanted: "a limit: try help go" }),
        };
        if let Err(complaint) = outcome {
            // What follows a mistake belongs to it, up to the next keyword.
            while argument(&mut words).is_some() {}
            if go.complaints.len() < COMPLAINTS {
                go.complaints.push(complaint);
            }
        }
    }
    go.shortest = !go.complaints.is_empty() && !go.has_limit();
    go
}

fn read_limit(name: &'static str, keyword: Keyword, words: &mut Words<'_>, go: &mut Go) -> Result<(), ParseError> {
    match keyword {
        Keyword::Depth => go.depth = Some(depth(read_count(name, words)?)),
        Keyword::Nodes => go.nodes = Some(Nodes(read_count(name, words)?)),
        Keyword::MoveTime => go.movetime = Some(time(read_count(name, words)?)),
        Keyword::Mate => go.mate = Some(small(read_count(name, words)?)),
        Keyword::Infinite => go.infinite = true,
        Keyword::Ponder => go.ponder = true,
        Keyword::SearchMoves => go.searchmoves.extend(read_searchmoves(name, words)?),
        Keyword::Clock(player) => go.clock[player] = Some(time(read_clock(name, words)?)),
        Keyword::Increment(player) => go.increment[player] = time(read_count(name, words)?),
        Keyword::MovesToGo => go.movestogo = Some(small(read_count(name, words)?)).filter(|&moves| moves > 0),
        Keyword::Perft => go.perft = Some(depth(read_count(name, words)?)),
    }
    Ok(())
}

/// The next word, unless it is a keyword: the letters of `depth` could be a list of moves, and are not.
fn argument<'a>(words: &mut Words<'a>) -> Option<&'a [u8]> {
    let mut ahead = *words;
    let word = ahead.next().filter(|word| keyword(word).is_none())?;
    *words = ahead;
    Some(word)
}

fn read_searchmoves(context: &'static str, words: &mut Words<'_>) -> Result<Vec<MoveText>, ParseError> {
    let mut list = Vec::new();
    while let Some(word) = argument(words) {
        moves::read_joined(word, &mut list)?;
    }
    if list.is_empty() { Err(ParseError::Missing { context, wanted: "a list of moves" }) } else { Ok(list) }
}

fn read_count(context: &'static str, words: &mut Words<'_>) -> Result<u64, ParseError> {
    let word = argument(words).ok_or(ParseError::Missing { context, wanted: COUNT })?;
    count(context, word)
}

fn read_clock(context: &'static str, words: &mut Words<'_>) -> Result<u64, ParseError> {
    let word = argument(words).ok_or(ParseError::Missing { context, wanted: COUNT })?;
    match (opt(tag("-")), digits).parse(word) {
        Ok(([], (Some(_), _))) => Ok(0),
        _ => count(context, word),
    }
}

/// Reads a word that is a whole number; one beyond the type is the largest.
pub(super) fn count(context: &'static str, word: &[u8]) -> Result<u64, ParseError> {
    match all_consuming(digits).parse(word) {
        Ok((_, number)) => Ok(number),
        Err(_) => Err(ParseError::Unwanted { context, read: Quote::new(word), wanted: COUNT }),
    }
}

fn digits(input: &[u8]) -> IResult<&[u8], u64> {
    map_res(digit1, |digits: &[u8]| std::str::from_utf8(digits).map(|text| text.parse().unwrap_or(u64::MAX)))
        .parse(input)
}

/// So many plies, or as many as can be said.
pub(super) fn depth(number: u64) -> Depth {
    Depth(u16::try_from(number).unwrap_or(u16::MAX))
}

/// So many, or as many as can be said.
pub(super) fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn time(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds).min(LONGEST_TIME)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::moves::parse_moves;
    use super::*;
    use crate::units::PerPlayer;

    fn go(line: &str) -> Go {
        read(Words::new(line.as_bytes()))
    }

    fn complaints(line: &str) -> Vec<String> {
        go(line).complaints.iter().map(ToString::to_string).collect()
    }

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn searchmoves(list: &str) -> Vec<MoveText> {
        parse_moves(list.as_bytes()).unwrap()
    }

    #[test]
    fn a_bare_go_has_no_limit() {
        assert_eq!(go(" "), Go::default());
    }

    #[test]
    fn limits_come_in_any_mix() {
        let wanted = Go {
            depth: Some(Depth(9)),
            nodes: Some(Nodes(1000)),
            movetime: Some(ms(250)),
            mate: Some(3),
            infinite: true,
            ponder: true,
            ..Go::default()
        };
        assert_eq!(go("depth 9 movetime 250 ponder mate 3 infinite nodes 1000"), wanted);
    }

    #[test]
    fn both_families_of_clock_words_mean_the_same() {
        let wanted = Go {
            clock: PerPlayer { south: Some(ms(60_000)), north: Some(ms(50_000)) },
            increment: PerPlayer { south: ms(100), north: ms(200) },
            movestogo: Some(12),
            ..Go::default()
        };
        assert_eq!(go("wtime 60000 btime 50000 winc 100 binc 200 movestogo 12"), wanted);
        assert_eq!(go("p1time 60000 p2time 50000 p1inc 100 p2inc 200 movestogo 12"), wanted);
    }

    #[test]
    fn one_clock_alone_leaves_the_other_unknown() {
        assert_eq!(go("btime 5").clock, PerPlayer { south: None, north: Some(ms(5)) });
    }

    #[test]
    fn a_clock_below_zero_is_zero_and_another_limit_below_zero_is_a_mistake() {
        assert_eq!(go("wtime -17 btime -0").clock, PerPlayer { south: Some(ms(0)), north: Some(ms(0)) });
        assert_eq!(complaints("wtime --1"), ["wtime `--1`: wanted a whole number"]);
        assert_eq!(complaints("winc -5"), ["winc `-5`: wanted a whole number"]);
        assert_eq!(complaints("movetime -5"), ["movetime `-5`: wanted a whole number"]);
    }

    #[test]
    fn moves_to_go_of_zero_are_not_known() {
        assert_eq!(go("wtime 5 movestogo 0").movestogo, None);
    }

    #[test]
    fn numbers_beyond_their_type_are_the_largest() {
        let line = "depth 65536 nodes 99999999999999999999 mate 4294967296 movetime 18446744073709551615 perft 99999";
        let wanted = Go {
            depth: Some(Depth(u16::MAX)),
            nodes: Some(Nodes(u64::MAX)),
            mate: Some(u32::MAX),
            movetime: Some(LONGEST_TIME),
            perft: Some(Depth(u16::MAX)),
            ..Go::default()
        };
        assert_eq!(go(line), wanted);
    }

    #[test]
    fn a_keyword_ends_the_list_of_moves() {
        let wanted = Go { searchmoves: searchmoves("A B< C"), depth: Some(Depth(4)), ..Go::default() };
        assert_eq!(go("searchmoves A B<C depth 4"), wanted);
        assert_eq!(go("depth 4 searchmoves AB<C"), wanted);
        assert_eq!(go("searchmoves A depth 4 searchmoves B<C"), wanted);
    }

    #[test]
    fn letters_that_only_begin_like_a_keyword_are_moves() {
        assert_eq!(go("searchmoves depths").searchmoves, searchmoves("d e p t h s"));
    }

    #[test]
    fn a_bad_list_of_moves_is_left_out_whole() {
        let read = go("searchmoves A ? B depth 4");
        assert_eq!((read.searchmoves, read.depth, read.shortest), (Vec::new(), Some(Depth(4)), false));
        assert_eq!(
            complaints("searchmoves A ? B depth 4"),
            ["move 2 `?`: wanted a pit letter and its signs, @ and sixteen counts, or 0000"]
        );
        assert_eq!(complaints("searchmoves infinite"), ["searchmoves: wanted a list of moves, read nothing"]);
    }

    #[test]
    fn a_bad_limit_is_dropped_and_the_others_hold() {
        let read = go("depth 12x nodes 500");
        assert_eq!((read.depth, read.nodes, read.shortest), (None, Some(Nodes(500)), false));
        assert_eq!(complaints("depth 12x nodes 500"), ["depth `12x`: wanted a whole number"]);
        assert_eq!(complaints("depth nodes 500"), ["depth: wanted a whole number, read nothing"]);
        assert_eq!(complaints("nodes 500 depth"), ["depth: wanted a whole number, read nothing"]);
    }

    #[test]
    fn an_unknown_word_is_dropped_with_what_follows_it() {
        let read = go("dept 5 6 nodes 500 hello");
        assert_eq!((read.depth, read.nodes, read.shortest), (None, Some(Nodes(500)), false));
        assert_eq!(
            complaints("dept 5 6 nodes 500 hello"),
            ["go `dept`: wanted a limit: try help go", "go `hello`: wanted a limit: try help go"]
        );
    }

    #[test]
    fn the_search_is_shortest_only_if_a_limit_was_dropped_and_none_is_left() {
        for line in ["depth 12x", "movetime -5", "ponder depth", "winc 5 wtime x", "hello", "searchmoves ?", "perft"] {
            assert!(go(line).shortest, "{line}");
        }
        for line in ["", "ponder", "infinite depth 12x", "btime 5 wtime x", "perft 3 depth x"] {
            assert!(!go(line).shortest, "{line}");
        }
    }

    #[test]
    fn a_line_of_nonsense_gets_few_complaints() {
        assert_eq!(go(&"depth x ".repeat(1000)).complaints.len(), COMPLAINTS);
    }
}
