//! The grammar of moves and of lists of moves.
//!
//! ```text
//! move        = "0000" | "@" count 15 ("-" count) | letter ["*"] { "<" | ">" }
//! list        = { move } , with or without blanks between two moves
//! ```
//!
//! Only `0000` right after an arrangement needs its blank, for its digits would go on the last count.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while};
use nom::character::complete::{char, satisfy, u8 as count};
use nom::combinator::{map, opt, value};
use nom::multi::fill;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::error::{ParseError, Quote};
use super::words::Words;
use crate::units::{Direction, MoveText};

const MOVE: &str = "a pit letter and its signs, @ and sixteen counts, or 0000";
const ARRANGEMENT: &str = "sixteen counts joined by - after the @";

/// Reads a list of moves, separated by blanks, joined or both, and nothing else.
///
/// # Errors
/// The first part that is no move, with its place in the list.
///
/// ```
/// use empiki::protocol::parse_moves;
///
/// let moves = parse_moves(b"FfBeD K* B<>").unwrap();
/// let written: Vec<String> = moves.iter().map(ToString::to_string).collect();
/// assert_eq!(written, ["F", "f", "B", "e", "D", "K*", "B<>"]);
/// ```
pub fn parse_moves(list: &[u8]) -> Result<Vec<MoveText>, ParseError> {
    let mut moves = Vec::new();
    Words::new(list).try_for_each(|word| read_joined(word, &mut moves))?;
    Ok(moves)
}

/// The most moves in a list. No game is as long; a move takes 32 times the space of its text, which a long session would never give back.
pub const MOST_MOVES: usize = 1 << 14;

/// Adds the moves of one word to `moves`.
pub(super) fn read_joined(mut word: &[u8], moves: &mut Vec<MoveText>) -> Result<(), ParseError> {
    while !word.is_empty() {
        let Ok((rest, text)) = move_text(word) else {
            let wanted = if word.starts_with(b"@") { ARRANGEMENT } else { MOVE };
            return Err(ParseError::Move { index: moves.len() + 1, read: Quote::new(word), wanted });
        };
        if moves.len() == MOST_MOVES {
            return Err(ParseError::TooManyMoves { most: MOST_MOVES });
        }
        moves.push(text);
        word = rest;
    }
    Ok(())
}

/// Reads a word that is one move and nothing else.
pub(super) fn read_one(context: &'static str, word: &[u8]) -> Result<MoveText, ParseError> {
    match move_text(word) {
        Ok(([], text)) => Ok(text),
        Ok(_) | Err(_) => Err(ParseError::Unwanted {
            context,
            read: Quote::new(word),
            wanted: "one move: a pit letter and its signs, @ and sixteen counts, or 0000",
        }),
    }
}

fn move_text(input: &[u8]) -> IResult<&[u8], MoveText> {
    alt((sow, arrangement, value(MoveText::Null, tag("0000")))).parse(input)
}

fn sow(input: &[u8]) -> IResult<&[u8], MoveText> {
    let letter = satisfy(|letter| letter.is_ascii_alphabetic());
    let parts = (letter, opt(char('*')), signs);
    map(parts, |(letter, star, signs)| MoveText::Sow { letter, split: star.is_some(), signs }).parse(input)
}

fn signs(input: &[u8]) -> IResult<&[u8], Vec<Direction>> {
    map(take_while(|byte| byte == b'<' || byte == b'>'), |signs: &[u8]| signs.iter().map(direction).collect())
        .parse(input)
}

fn direction(sign: &u8) -> Direction {
    if *sign == b'<' { Direction::Clockwise } else { Direction::CounterClockwise }
}

fn arrangement(input: &[u8]) -> IResult<&[u8], MoveText> {
    let mut pits = [0; 16];
    let [first, others @ ..] = &mut pits;
    let (input, first_count) = preceded(char('@'), count).parse(input)?;
    *first = first_count;
    let (input, ()) = fill(preceded(char('-'), count), others).parse(input)?;
    Ok((input, MoveText::Arrange(pits)))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn sown(letter: char, split: bool, signs: &str) -> MoveText {
        MoveText::Sow { letter, split, signs: signs.bytes().map(|sign| direction(&sign)).collect() }
    }

    fn error(list: &str) -> String {
        parse_moves(list.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn moves_are_joined_or_separated_or_both() {
        let moves = vec![sown('B', false, "<"), sown('E', false, "><"), sown('K', true, ""), sown('f', false, "")];
        for list in ["B< E>< K* f", "B<E><K*f", " B<E><\tK*  f\r\n"] {
            assert_eq!(parse_moves(list.as_bytes()), Ok(moves.clone()), "{list:?}");
        }
    }

    #[test]
    fn an_empty_list_is_a_list() {
        assert_eq!(parse_moves(b" \t "), Ok(Vec::new()));
    }

    #[test]
    fn a_list_longer_than_any_game_is_refused() {
        let list = |moves| b"A".repeat(moves);
        assert_eq!(parse_moves(&list(MOST_MOVES)).map(|moves| moves.len()), Ok(MOST_MOVES));
        assert_eq!(parse_moves(&list(MOST_MOVES + 1)), Err(ParseError::TooManyMoves { most: 16_384 }));
    }

    #[test]
    fn four_zeros_are_no_move() {
        assert_eq!(parse_moves(b"0000A0000"), Ok(vec![MoveText::Null, sown('A', false, ""), MoveText::Null]));
    }

    #[test]
    fn an_arrangement_has_sixteen_counts() {
        let list = b"@17-15-0-0-0-0-0-0-0-0-0-0-0-0-0-0@0-1-2-3-4-5-6-7-8-9-10-11-12-13-14-255a";
        let mut first = [0; 16];
        (first[0], first[1]) = (17, 15);
        let second = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255];
        let moves = vec![MoveText::Arrange(first), MoveText::Arrange(second), sown('a', false, "")];
        assert_eq!(parse_moves(list), Ok(moves));
    }

    #[test]
    fn an_arrangement_that_is_not_one_names_what_it_wants() {
        assert_eq!(error("A @"), "move 2 `@`: wanted sixteen counts joined by - after the @");
        assert_eq!(error("@1-2-3"), "move 1 `@1-2-3`: wanted sixteen counts joined by - after the @");
        let too_many = "@1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-256";
        assert_eq!(error(too_many), format!("move 1 `{too_many}`: wanted sixteen counts joined by - after the @"));
        assert_eq!(
            error("@1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-16-17"),
            "move 2 `-17`: wanted a pit letter and its signs, @ and sixteen counts, or 0000"
        );
    }

    #[test]
    fn an_error_counts_the_moves_before_it() {
        let wanted = "wanted a pit letter and its signs, @ and sixteen counts, or 0000";
        assert_eq!(error("Ff ?B"), format!("move 3 `?B`: {wanted}"));
        assert_eq!(error("Ff?B"), format!("move 3 `?B`: {wanted}"));
        assert_eq!(error("A < B"), format!("move 2 `<`: {wanted}"));
        assert_eq!(error("A<*"), format!("move 2 `*`: {wanted}"));
        assert_eq!(error("000"), format!("move 1 `000`: {wanted}"));
        assert_eq!(error("e2e4"), format!("move 2 `2e4`: {wanted}"));
    }
}
