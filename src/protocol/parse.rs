//! One line of bytes to one command.
//!
//! A line is words and blanks. The first word is looked up in the table of commands, exactly as it is written there;
//! the command's own reader takes the rest, and all of it.

use nom::bytes::complete::{take_while, take_while1};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::command::{Command, Go, Query};
use super::error::{ParseError, Quote};
use super::table::{self, CommandHelp};
use super::{go, moves};
use crate::units::{Depth, MoveText};

/// What some programs put before the first line of a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads one line, with or without its end; a line without a word is `None`.
///
/// Blanks are the white space of ASCII and NUL; a byte order mark at the start is passed over. Any bytes may come: the
/// answer is a value or an error, never a panic, in time linear in the length. `go` alone keeps its mistakes beside
/// what could be read of it.
///
/// # Errors
/// What was read and what was wanted; the line then means nothing.
pub fn parse(line: &[u8]) -> Result<Option<Command>, ParseError> {
    let mut words = Words::new(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line));
    let Some(name) = words.next() else { return Ok(None) };
    let entry = table::find(name).ok_or_else(|| ParseError::UnknownCommand(Quote::new(name)))?;
    (entry.read)(Arguments { command: entry.help.name(), words }).map(Some)
}

/// The words that are left of a line.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
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

/// What follows a command's word, with the word for the errors.
pub(super) struct Arguments<'a> {
    command: &'static str,
    words: Words<'a>,
}

impl<'a> Arguments<'a> {
    fn word(&mut self, wanted: &'static str) -> Result<&'a [u8], ParseError> {
        self.words.next().ok_or(ParseError::Missing { context: self.command, wanted })
    }

    fn unwanted(&self, read: &[u8], wanted: &'static str) -> ParseError {
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

fn trim_blanks(text: &[u8]) -> &[u8] {
    let Some(first) = text.iter().position(|&byte| !is_blank(byte)) else { return &[] };
    let last = text.iter().rposition(|&byte| !is_blank(byte)).unwrap_or(first);
    text.get(first..=last).unwrap_or(&[])
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

pub(super) fn help(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    let topic: Option<&'static CommandHelp> = match arguments.words.next() {
        None => None,
        Some(word) => Some(&table::find(word).ok_or_else(|| arguments.unwanted(word, "a command of the list"))?.help),
    };
    arguments.end(Command::Help(topic))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::command::Dialect;
    use super::*;

    fn read(line: &str) -> Command {
        parse(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}")).expect("the line has a word")
    }

    fn error(line: &[u8]) -> String {
        parse(line).unwrap_err().to_string()
    }

    fn list(text: &str) -> Vec<MoveText> {
        moves::parse_moves(text.as_bytes()).unwrap()
    }

    fn one(text: &str) -> MoveText {
        list(text).remove(0)
    }

    #[test]
    fn words_without_arguments_are_commands() {
        let commands = [
            ("uci", Command::Handshake(Dialect::Uci)),
            ("ugi", Command::Handshake(Dialect::Ugi)),
            ("isready", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("uginewgame", Command::NewGame),
            ("quit", Command::Quit),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("d", Command::Draw),
            ("fen", Command::Fen),
            ("state", Command::State),
            ("legalmoves", Command::LegalMoves),
            ("result", Command::Result),
            ("eval", Command::Eval),
        ];
        for (line, command) in commands {
            assert_eq!(read(line), command);
            assert_eq!(error(format!("{line} x y").as_bytes()), format!("{line} `x`: wanted nothing more"));
        }
    }

    #[test]
    fn blanks_of_every_kind_do_not_matter() {
        for line in ["isready\r\n", "\tisready \0", " \x0B\x0Cisready", "\u{FEFF}isready"] {
            assert_eq!(read(line), Command::IsReady, "{line:?}");
        }
        for line in ["", "\r\n", " \t\0", "\u{FEFF}"] {
            assert_eq!(parse(line.as_bytes()), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn an_unknown_command_is_one_printable_error() {
        assert_eq!(error(b"foo bar"), "unknown command `foo`: try help");
        assert_eq!(error(b"UCI"), "unknown command `UCI`: try help");
        assert_eq!(error(b"joho go depth 1"), "unknown command `joho`: try help");
        assert_eq!(error(b"\xFF\x80go\x07"), "unknown command `\\xFF\\x80go\\x07`: try help");
        assert_eq!(error(&[b'x'; 1 << 20]), format!("unknown command `{}...`: try help", "x".repeat(40)));
    }

    #[test]
    fn debug_is_on_or_off() {
        assert_eq!(read("debug on"), Command::Debug(true));
        assert_eq!(read("debug off"), Command::Debug(false));
        assert_eq!(error(b"debug"), "debug: wanted on or off, read nothing");
        assert_eq!(error(b"debug maybe"), "debug `maybe`: wanted on or off");
        assert_eq!(error(b"debug on off"), "debug `off`: wanted nothing more");
    }

    #[test]
    fn registration_is_ignored_whatever_it_says() {
        assert_eq!(read("register"), Command::Register);
        assert_eq!(read("register name A code 4\u{20ac}"), Command::Register);
    }

    #[test]
    fn an_option_has_a_name_of_words_and_a_value_of_any_text() {
        let option = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(read("setoption name Hash value 64\r\n"), option("Hash", Some("64")));
        assert_eq!(read("setoption name  Clear \t Hash "), option("Clear Hash", None));
        let path = "C:\\my  files value \u{e9}";
        assert_eq!(read(&format!("setoption name A value  {path}\t")), option("A", Some(path)));
        assert_eq!(read("setoption name A value"), option("A", Some("")));
        assert_eq!(read("setoption name A value <empty>"), option("A", Some("")));
        assert_eq!(read("setoption name name value value"), option("name", Some("value")));
    }

    #[test]
    fn an_option_that_cannot_be_read_is_an_error() {
        assert_eq!(error(b"setoption"), "setoption: wanted name and the name of an option, read nothing");
        assert_eq!(error(b"setoption Hash 64"), "setoption `Hash`: wanted name and the name of an option");
        assert_eq!(error(b"setoption name"), "setoption: wanted the name of an option, read nothing");
        assert_eq!(error(b"setoption name value 3"), "setoption: wanted the name of an option, read nothing");
        assert_eq!(error(b"setoption name H\xE9sh"), "setoption `H\\xE9sh`: wanted the name of an option");
        let wanted = "wanted a value in UTF-8 without control characters";
        assert_eq!(error(b"setoption name A value a\xFF"), format!("setoption `a\\xFF`: {wanted}"));
        assert_eq!(error(b"setoption name A value a\x07b"), format!("setoption `a\\x07b`: {wanted}"));
    }

    #[test]
    fn a_position_is_the_start_or_a_token_with_moves_or_without() {
        let position = |token: Option<&str>, moves: &str| Command::Position {
            token: token.map(str::to_owned),
            moves: list(moves),
        };
        assert_eq!(read("position startpos"), position(None, ""));
        assert_eq!(read("position fen startpos"), position(None, ""));
        assert_eq!(read("position startpos moves"), position(None, ""));
        assert_eq!(read("position startpos moves FfBe D"), position(None, "F f B e D"));
        assert_eq!(read("position startpos moves F moves f"), position(None, "F f"));
        assert_eq!(read("position fen 4-0-S moves moves B<"), position(Some("4-0-S"), "B<"));
        assert_eq!(read("position fen D/D  0 0\tS 1 moves B"), position(Some("D/D 0 0 S 1"), "B"));
        assert_eq!(read("position fen D/D 0"), position(Some("D/D 0"), ""));
    }

    #[test]
    fn a_file_to_load_may_have_blanks_and_a_number() {
        let load = |file: &str, game| Command::Load { file: file.to_owned(), game };
        assert_eq!(read("load games.ogn"), load("games.ogn", 1));
        assert_eq!(read(" load  my  games\u{e9}.ogn 12\r\n"), load("my  games\u{e9}.ogn", 12));
        assert_eq!(read("load 7"), load("7", 1));
        assert_eq!(read("load 7 99999999999"), load("7", u32::MAX));
        assert_eq!(error(b"load"), "load: wanted the name of a file, read nothing");
        assert_eq!(
            error(b"load a\xFF"),
            "load `a\\xFF`: wanted the name of a file in UTF-8 without control characters"
        );
    }

    #[test]
    fn a_position_that_cannot_be_read_is_an_error() {
        assert_eq!(error(b"position"), "position: wanted startpos or fen TOKEN, read nothing");
        assert_eq!(error(b"position 4-0-S"), "position `4-0-S`: wanted startpos or fen TOKEN");
        assert_eq!(error(b"position fen"), "position: wanted a position token or startpos, read nothing");
        assert_eq!(error(b"position fen 4\xFF"), "position `4\\xFF`: wanted a position token or startpos");
        assert_eq!(error(b"position startpos F"), "position `F`: wanted moves LIST or nothing more");
        assert_eq!(error(b"position fen 4-0-S x"), "position `x`: wanted moves LIST or nothing more");
        assert_eq!(error(b"position fen D/D 0 \xFF"), "position `\\xFF`: wanted a position token or startpos");
        assert_eq!(
            error(b"position startpos moves Ff moves g ?"),
            "move 4 `?`: wanted a pit letter and its signs, @ and sixteen counts, or 0000"
        );
    }

    #[test]
    fn moves_go_on_and_undo_goes_back() {
        assert_eq!(read("moves FfB<"), Command::Moves(list("F f B<")));
        assert_eq!(read("moves"), Command::Moves(Vec::new()));
        assert_eq!(read("undo"), Command::Undo(1));
        assert_eq!(read("undo 99999999999999999999"), Command::Undo(u32::MAX));
        assert_eq!(error(b"undo -1"), "undo `-1`: wanted a whole number");
        assert_eq!(error(b"undo 1 2"), "undo `2`: wanted nothing more");
    }

    #[test]
    fn go_is_read_even_with_mistakes() {
        let Command::Go(go) = read("go depth 5 nodes x") else { panic!("go is go") };
        assert_eq!((go.depth, go.nodes, go.complaints.len()), (Some(Depth(5)), None, 1));
        assert_eq!(read("go"), Command::Go(Box::default()));
    }

    #[test]
    fn queries_are_four() {
        assert_eq!(read("query p1turn"), Command::Query(Query::P1Turn));
        assert_eq!(read("query gameover"), Command::Query(Query::GameOver));
        assert_eq!(read("query result"), Command::Query(Query::Result));
        assert_eq!(read("query islegal B<>"), Command::Query(Query::IsLegal(one("B<>"))));
        let wanted = "wanted p1turn, gameover, result or islegal MOVE";
        assert_eq!(error(b"query"), format!("query: {wanted}, read nothing"));
        assert_eq!(error(b"query p3turn"), format!("query `p3turn`: {wanted}"));
        assert_eq!(error(b"query islegal"), "query: wanted a move, read nothing");
        assert_eq!(error(b"query result now"), "query `now`: wanted nothing more");
    }

    #[test]
    fn a_single_move_is_one_move() {
        let wanted = "wanted one move: a pit letter and its signs, @ and sixteen counts, or 0000";
        assert_eq!(read("trace K*"), Command::Trace(one("K*")));
        assert_eq!(read("trace 0000"), Command::Trace(MoveText::Null));
        assert_eq!(error(b"trace"), "trace: wanted a move, read nothing");
        assert_eq!(error(b"trace AB"), format!("trace `AB`: {wanted}"));
        assert_eq!(error(b"trace A B"), "trace `B`: wanted nothing more");
        assert_eq!(read("endless"), Command::Endless(None));
        assert_eq!(read("endless B<"), Command::Endless(Some(one("B<"))));
        assert_eq!(error(b"endless ?"), format!("endless `?`: {wanted}"));
    }

    #[test]
    fn depths_are_whole_numbers() {
        assert_eq!(read("perft 6"), Command::Perft(Depth(6)));
        assert_eq!(error(b"perft"), "perft: wanted a whole number, read nothing");
        assert_eq!(error(b"perft six"), "perft `six`: wanted a whole number");
        assert_eq!(read("bench"), Command::Bench(None));
        assert_eq!(read("bench 70000"), Command::Bench(Some(Depth(u16::MAX))));
        assert_eq!(error(b"bench 8 9"), "bench `9`: wanted nothing more");
    }

    #[test]
    fn help_knows_the_commands() {
        assert_eq!(read("help"), Command::Help(None));
        let Command::Help(Some(topic)) = read("help go") else { panic!("go has help") };
        assert_eq!(topic.name(), "go");
        assert_eq!(error(b"help gone"), "help `gone`: wanted a command of the list");
        assert_eq!(error(b"help go on"), "help `on`: wanted nothing more");
    }

    #[test]
    fn a_very_long_line_is_read_in_little_time() {
        let started = std::time::Instant::now();
        for (command, word) in
            [("position startpos moves ", "Ff"), ("go searchmoves ", "A "), ("setoption name ", "x ")]
        {
            let line = command.to_owned() + &word.repeat(500_000);
            // Lists of moves have an end; of `go` only the limit is dropped.
            assert_eq!(parse(line.as_bytes()).is_ok(), !command.starts_with("position"));
        }
        // A hundred times what it takes, so that only a time that is not linear can fail here.
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    }
}
