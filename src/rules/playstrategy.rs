//! The position text that PlayStrategy writes for Oware, read as our token.
//!
//! ```text
//! 4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1
//! north's row      / south's row      south north side turn
//! ```
//!
//! Both rows run from left to right as South sees them, so North's begins with pit `f`. `4S` is a pit of four seeds, in either case, and
//! a bare number a run of so many empty pits. Then come the seeds in the stores, South's first, the side to move and the number of
//! the turn, which is of no use here. An older form has a letter for each pit and store, `A` to `Z` for 1 to 26 and `a` to `z`
//! for 27 to 52, digits for empty pits, and no turn: `DDDDDD/DDDDDD 0 0 S`.

use std::fmt::Write as _;

use super::notation::{PositionError, quote};

/// Pits in a row.
const PITS: usize = 6;

/// Whether a position text is one of these, right or wrong: no token has a stroke.
pub fn is_text(text: &str) -> bool {
    text.contains('/')
}

/// The token of a position text.
///
/// # Errors
/// What was read and what was wanted. The seeds are not counted here.
pub fn token_of(text: &str) -> Result<String, PositionError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ([board, south, north, side] | [board, south, north, side, _]) = words[..] else {
        return Err(wrong("text", text, "ROW/ROW, two stores, S or N, and perhaps the number of the turn"));
    };
    if let Some(turn) = words.get(4).filter(|turn| !is_number(turn)) {
        return Err(wrong("turn", turn, "a number"));
    }
    let Some((upper, lower)) = board.split_once('/') else {
        return Err(wrong("board", board, "two rows and a stroke"));
    };
    let mut seeds = row(lower)?;
    seeds.extend(row(upper)?.into_iter().rev());
    seeds.push(store(south)?);
    seeds.push(store(north)?);
    if !matches!(side, "S" | "N") {
        return Err(wrong("side", side, "S or N"));
    }
    let mut token = String::new();
    for seeds in seeds {
        write!(token, "{seeds}-").expect("a string takes all");
    }
    Ok(token + side)
}

fn row(text: &str) -> Result<Vec<u8>, PositionError> {
    let wanted = "six pits, as 4S,4S,2,1S,4S or DD2AD";
    let mut pits = Vec::new();
    let parts: Vec<&str> = if text.contains(',') { text.split(',').collect() } else { text.split("").collect() };
    for part in parts.into_iter().filter(|part| !part.is_empty() || text.contains(',')) {
        match (part.parse(), pit(part, text.contains(','))) {
            (Ok(empty @ 1..=PITS), _) if is_number(part) => pits.resize(pits.len() + empty, 0),
            (_, Some(seeds)) => pits.push(seeds),
            _ => return Err(wrong("row", text, wanted)),
        }
    }
    if pits.len() == PITS { Ok(pits) } else { Err(wrong("row", text, wanted)) }
}

/// A pit that holds seeds: a number and `S`, or in the older form a letter.
fn pit(text: &str, has_numbers: bool) -> Option<u8> {
    if has_numbers { number(text.strip_suffix(['S', 's'])?) } else { letter(text) }
}

fn store(text: &str) -> Result<u8, PositionError> {
    number(text).or_else(|| letter(text)).ok_or_else(|| wrong("store", text, "a number of seeds"))
}

fn letter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [letter @ b'A'..=b'Z'] => Some(letter - b'A' + 1),
        [letter @ b'a'..=b'z'] => Some(letter - b'a' + 27),
        _ => None,
    }
}

fn number(text: &str) -> Option<u8> {
    text.parse().ok().filter(|_| is_number(text))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn wrong(part: &'static str, text: &str, wanted: &'static str) -> PositionError {
    PositionError::Foreign { part, text: quote(text), wanted }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn both_forms_are_read_with_the_upper_row_from_right_to_left() {
        for (text, token) in [
            ("4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
            ("DDDDDD/DDDDDD 0 0 S", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
            ("1s,1s,4s,4s,4s,4s/4s,4s,1s,1s,4s,4s 4 8 N 11", "4-4-1-1-4-4-4-4-4-4-1-1-4-8-N"),
            ("5,13s/4s,1,1s,2,3s 27 2 S 50", "4-0-1-0-0-3-13-0-0-0-0-0-27-2-S"),
            ("11S,5/2,23S,3 11 3 S 50", "0-0-23-0-0-0-0-0-0-0-0-11-11-3-S"),
            ("5M/D1A2C a B S", "4-0-1-0-0-3-13-0-0-0-0-0-27-2-S"),
            ("6/6 24 24 N", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-N"),
        ] {
            assert_eq!(token_of(text).as_deref(), Ok(token), "{text}");
        }
    }

    #[test]
    fn what_is_no_such_text_is_refused_with_what_was_wanted() {
        for (text, part) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "text"),
            ("4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0", "text"),
            ("4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S 0 0 S 1", "row"),
            ("4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S,4S 0 0 S 1", "row"),
            ("4S,4S,4S,4S,4S,/4S,4S,4S,4S,4S,4S 0 0 S 1", "row"),
            ("4S,4S,4S,4S,4S,+4S/4S,4S,4S,4S,4S,4S 0 0 S 1", "row"),
            ("4S,4S,4S,4S,4S,300S/4S,4S,4S,4S,4S,4S 0 0 S 1", "row"),
            ("DDDDDD/DDDD\u{e9}D 0 0 S", "row"),
            ("DDDDDD/0DDDDDD 0 0 S", "row"),
            ("DDDDDD/DDDDDD/ 0 0 S", "row"),
            ("DDDDDD/DDDDDD 0 -1 S", "store"),
            ("DDDDDD/DDDDDD 0 0 w", "side"),
            ("DDDDDD/DDDDDD 0 0 S x", "turn"),
        ] {
            let error = token_of(text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("position {part} `")), "{text}: {error}");
            assert!(error.contains(": wanted ") && error.is_ascii(), "{text}: {error}");
        }
    }
}
