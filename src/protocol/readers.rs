//! The readers of the commands: what follows the word of a command, as a value.

use super::command::{Command, Go, Query};
use super::error::{ParseError, Quote};
use super::words::{Words, trim_blanks};
use super::{go, moves};
use crate::units::{Depth, MoveText};

/// What follows a command's word, with the word for the errors.
pub(super) struct Arguments<'a> {
    command: &'static str,
    words: Words<'a>,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(command: &'static str, words: Words<'a>) -> Arguments<'a> {
        Arguments { command, words }
    }

    /// The next word, if there is one.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        self.words.next()
    }

    fn word(&mut self, wanted: &'static str) -> Result<&'a [u8], ParseError> {
        self.words.next().ok_or(ParseError::Missing { context: self.command, wanted })
    }

    pub(super) fn unwanted(&self, read: &[u8], wanted: &'static str) -> ParseError {
        ParseError::Unwanted { context: self.command, read: Quote::new(read), wanted }
    }

    fn printable(&self, word: &[u8], wanted: &'static str) -> Result<String, ParseError> {
        match std::str::from_utf8(word) {
            Ok(text) if word.iter().all(u8::is_ascii_graphic) => Ok(text.to_owned()),
            _ => Err(self.unwanted(word, wanted)),
        }
    }

    fn optional<T>(
        &mut self,
        read: impl Fn(&'static str, &[u8]) -> Result<T, ParseError>,
    ) -> Result<Option<T>, ParseError> {
        self.words.next().map(|word| read(self.command, word)).transpose()
    }

    fn one_move(&mut self) -> Result<MoveText, ParseError> {
        let word = self.word("a move")?;
        moves::read_one(self.command, word)
    }

    /// The moves up to the end of the line. The word `moves` may stand anywhere in it: some clients repeat it.
    fn moves(&mut self) -> Result<Vec<MoveText>, ParseError> {
        let mut list = Vec::new();
        self.words.try_for_each(|word| if word == b"moves" { Ok(()) } else { moves::read_joined(word, &mut list) })?;
        Ok(list)
    }

    /// A position: one word, or all words up to `moves` where the first has a stroke, as texts of other programs do.
    fn position_text(&mut self, first: &[u8]) -> Result<String, ParseError> {
        let mut text = self.printable(first, TOKEN)?;
        let mut ahead = self.words;
        while let Some(word) = ahead.next().filter(|word| first.contains(&b'/') && *word != b"moves") {
            text = text + " " + &self.printable(word, TOKEN)?;
            self.words = ahead;
        }
        Ok(text)
    }

    /// The command, if nothing is left on its line.
    pub(super) fn end(mut self, command: Command) -> Result<Command, ParseError> {
        match self.words.next() {
            None => Ok(command),
            Some(word) => Err(self.unwanted(word, "nothing more")),
        }
    }
}

/// What a position can be read from.
const TOKEN: &str = "a position token or startpos";

pub(super) fn debug(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    const WANTED: &str = "on or off";
    let on = match arguments.word(WANTED)? {
        b"on" => true,
        b"off" => false,
        other => return Err(arguments.unwanted(other, WANTED)),
    };
    arguments.end(Command::Debug(on))
}

pub(super) fn setoption(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    const WANTED: &str = "name and the name of an option";
    const NAME: &str = "the name of an option";
    match arguments.word(WANTED)? {
        b"name" => {}
        other => return Err(arguments.unwanted(other, WANTED)),
    }
    let mut name = String::new();
    let mut has_value = false;
    for word in arguments.words.by_ref() {
        if word == b"value" {
            has_value = true;
            break;
        }
        if !word.iter().all(u8::is_ascii_graphic) {
            return Err(ParseError::Unwanted { context: arguments.command, read: Quote::new(word), wanted: NAME });
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.extend(word.iter().copied().map(char::from));
    }
    if name.is_empty() {
        return Err(ParseError::Missing { context: arguments.command, wanted: NAME });
    }
    let value = if has_value { Some(option_value(&arguments)?) } else { None };
    Ok(Command::SetOption { name, value })
}

fn option_value(arguments: &Arguments<'_>) -> Result<String, ParseError> {
    let rest = trim_blanks(arguments.words.rest);
    match std::str::from_utf8(rest) {
        Ok("<empty>") => Ok(String::new()),
        Ok(text) if !text.contains(|c: char| c.is_control() && c != '\t') => Ok(text.to_owned()),
        _ => Err(arguments.unwanted(rest, "a value in UTF-8 without control characters")),
    }
}

pub(super) fn position(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    const WANTED: &str = "startpos or fen TOKEN";
    let token = match arguments.word(WANTED)? {
        b"startpos" => None,
        b"fen" => match arguments.word(TOKEN)? {
            b"startpos" => None,
            token => Some(arguments.position_text(token)?),
        },
        other => return Err(arguments.unwanted(other, WANTED)),
    };
    match arguments.words.next() {
        None | Some(b"moves") => Ok(Command::Position { token, moves: arguments.moves()? }),
        Some(other) => Err(arguments.unwanted(other, "moves LIST or nothing more")),
    }
}

pub(super) fn load(arguments: Arguments<'_>) -> Result<Command, ParseError> {
    const WANTED: &str = "the name of a file in UTF-8 without control characters";
    let rest = trim_blanks(arguments.words.rest);
    let file = match std::str::from_utf8(rest) {
        Ok("") => return Err(ParseError::Missing { context: arguments.command, wanted: "the name of a file" }),
        Ok(text) if !text.contains(char::is_control) => text,
        _ => return Err(arguments.unwanted(rest, WANTED)),
    };
    // A number behind the name tells the game. A name that ends like that needs another number.
    let numbered = file.rsplit_once(' ').filter(|(_, last)| last.bytes().all(|byte| byte.is_ascii_digit()));
    let (file, game) = match numbered {
        Some((file, game)) => (file.trim_end_matches(' '), go::small(go::count(arguments.command, game.as_bytes())?)),
        None => (file, 1),
    };
    Ok(Command::Load { file: file.to_owned(), game })
}

pub(super) fn moves(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    arguments.moves().map(Command::Moves)
}

pub(super) fn undo(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    let count = arguments.optional(go::count)?.map_or(1, go::small);
    arguments.end(Command::Undo(count))
}

pub(super) fn go(arguments: Arguments<'_>) -> Result<Command, ParseError> {
    let read: Go = go::read(arguments.words);
    Ok(Command::Go(Box::new(read)))
}

pub(super) fn query(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    const WANTED: &str = "p1turn, gameover, result or islegal MOVE";
    let query = match arguments.word(WANTED)? {
        b"p1turn" => Query::P1Turn,
        b"gameover" => Query::GameOver,
        b"result" => Query::Result,
        b"islegal" => Query::IsLegal(arguments.one_move()?),
        other => return Err(arguments.unwanted(other, WANTED)),
    };
    arguments.end(Command::Query(query))
}

pub(super) fn trace(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    let text = arguments.one_move()?;
    arguments.end(Command::Trace(text))
}

pub(super) fn endless(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    let text = arguments.optional(moves::read_one)?;
    arguments.end(Command::Endless(text))
}

pub(super) fn perft(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    let word = arguments.word(go::COUNT)?;
    let depth = go::depth(go::count(arguments.command, word)?);
    arguments.end(Command::Perft(depth))
}

pub(super) fn bench(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    let depth: Option<Depth> = arguments.optional(go::count)?.map(go::depth);
    arguments.end(Command::Bench(depth))
}
