//! The words of a line.

use nom::bytes::complete::{take_while, take_while1};
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// The words that are left of a line.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a [u8]) -> Words<'a> {
        Words { rest: line }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (rest, word) = word(self.rest).ok()?;
        self.rest = rest;
        Some(word)
    }
}

fn word(input: &[u8]) -> IResult<&[u8], &[u8]> {
    preceded(take_while(is_blank), take_while1(|byte| !is_blank(byte))).parse(input)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0B' | b'\x0C' | b'\0')
}

pub(super) fn trim_blanks(text: &[u8]) -> &[u8] {
    let Some(first) = text.iter().position(|&byte| !is_blank(byte)) else { return &[] };
    let last = text.iter().rposition(|&byte| !is_blank(byte)).unwrap_or(first);
    text.get(first..=last).unwrap_or(&[])
}
