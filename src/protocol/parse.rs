//! One line of bytes to one command.
//!
//! A line is words and blanks. The first word is looked up in the table of commands, exactly as it is written there;
//! the command's own reader takes the rest, and all of it.

use super::command::Command;
use super::error::{ParseError, Quote};
use super::readers::Arguments;
use super::table;
use super::words::Words;

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
    (entry.read)(Arguments::new(entry.help.name(), words)).map(Some)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::command::{Dialect, Query};
    use super::super::moves;
    use super::*;
    use crate::units::{Depth, MoveText};

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
