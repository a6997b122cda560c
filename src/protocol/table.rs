//! Every command, declared once: its line, its help and its reader.

use super::command::{Command, CommandHelp, Dialect};
use super::error::ParseError;
use super::readers::{self, Arguments};
use super::reply::Reply;

pub(super) struct Entry {
    pub(super) help: CommandHelp,
    pub(super) read: Reader,
}

type Reader = fn(Arguments<'_>) -> Result<Command, ParseError>;

impl Entry {
    const fn new(usage: &'static str, about: &'static str, read: Reader) -> Entry {
        Entry { help: CommandHelp { usage, about, more: "", examples: &[] }, read }
    }

    const fn examples(mut self, examples: &'static [&'static str]) -> Entry {
        self.help.examples = examples;
        self
    }

    const fn more(mut self, more: &'static str) -> Entry {
        self.help.more = more;
        self
    }
}

pub(super) fn find(name: &[u8]) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.help.name().as_bytes() == name)
}

/// Reads what `help` is asked about.
fn help_topic(mut arguments: Arguments<'_>) -> Result<Command, ParseError> {
    let topic = match arguments.next() {
        None => None,
        Some(word) => Some(&find(word).ok_or_else(|| arguments.unwanted(word, "a command of the list"))?.help),
    };
    arguments.end(Command::Help(topic))
}

/// The help of each command, in the order of the list.
pub fn command_help() -> impl Iterator<Item = &'static CommandHelp> {
    COMMANDS.iter().map(|entry| &entry.help)
}

/// The answer to `help`: a line for each command, or all about one.
pub fn help(topic: Option<&CommandHelp>) -> Reply {
    let Some(CommandHelp { usage, about, more, examples }) = topic else {
        let line = |help: &CommandHelp| format!("{:<42} {}\n", help.usage, help.about);
        return Reply::Text(command_help().map(line).collect());
    };
    let examples: String = examples.iter().map(|example| format!("Example: {example}\n")).collect();
    Reply::Text(format!("{usage}\n{about}\n{more}\n{examples}"))
}

const MOVES: &str = "\
A move is a pit letter in either case, for the side to move decides whose pit it is. Where the game has them, it goes
on with < or > for each choice of direction, or with * to split the pit. @ and sixteen counts joined by - arrange the
seeds; 0000 is no move. Moves are separated by blanks or joined, as in FfBeD.";

const LIMITS: &str = "\
The limits, in any mix; the first one reached ends the search:
  depth N               plies
  nodes N               moves made
  movetime MS           milliseconds for this move
  mate N                a win within N, counted as score mate is
  infinite              no end before stop
  ponder                no end before stop or ponderhit
  wtime MS btime MS winc MS binc MS movestogo N
                        the clocks: w is South, b is North; or p1time, p2time, p1inc, p2inc
  searchmoves LIST      look at these moves only
  perft N               count leaves as the command perft does, and search nothing
A limit that cannot be read is dropped with an error line and the others hold; if none is left, the search is as short
as possible. Without any limit it is infinite.";

const OPTIONS: &str = "\
The name is read without regard to case. The value is the rest of the line with its inner blanks; <empty> is the empty
text. The answer to uci lists all options.";

const POSITIONS: &str = "\
A token is the pits in letter order, two more counts and the side to move, as 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S. In Wuri
the position text of PlayStrategy is read as well. On any error the old position stays.";

const RECORDS: &str = "\
The file holds records in the style of the Oware programs (OGN); GAME counts them from 1. The game is played over, so undo takes
it back. It must have been played under the present ruleset. A name that ends in a blank and digits needs a GAME behind it.";

const QUESTIONS: &str = "\
p1turn: is it South's turn? gameover: is the game over? result: p1win, p2win, draw or none. islegal MOVE: may it be
played?";

static COMMANDS: [Entry; 28] = [
    Entry::new("uci", "List name and options, and speak UCI.", |line| line.end(Command::Handshake(Dialect::Uci))),
    Entry::new("ugi", "List name and options, and speak UGI.", |line| line.end(Command::Handshake(Dialect::Ugi))),
    Entry::new("isready", "Answer readyok once all before it is done.", |line| line.end(Command::IsReady)),
    Entry::new("ucinewgame", "Say that another game begins.", |line| line.end(Command::NewGame)),
    Entry::new("uginewgame", "Say that another game begins.", |line| line.end(Command::NewGame)),
    Entry::new("debug on|off", "Tell more about what happens, or no more.", readers::debug).examples(&["debug on"]),
    Entry::new("setoption name NAME [value VALUE]", "Set an option.", readers::setoption)
        .more(OPTIONS)
        .examples(&["setoption name Hash value 64", "setoption name Clear Hash"]),
    Entry::new("register ...", "Do nothing: there is nothing to register.", |_| Ok(Command::Register)),
    Entry::new("position startpos|fen TOKEN [moves LIST]", "Set up a position and play moves.", readers::position)
        .more(POSITIONS)
        .examples(&["position startpos moves F f", "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"]),
    Entry::new("load FILE [GAME]", "Take up the end of a recorded game.", readers::load)
        .more(RECORDS)
        .examples(&["load games.ogn", "load games.ogn 3"]),
    Entry::new("moves LIST", "Play moves from the present position.", readers::moves)
        .more(MOVES)
        .examples(&["moves FfBeD"]),
    Entry::new("undo [N]", "Take back the last move, or the last N.", readers::undo).examples(&["undo", "undo 2"]),
    Entry::new("go [LIMIT ...]", "Search, and answer with bestmove.", readers::go).more(LIMITS).examples(&[
        "go depth 12",
        "go wtime 60000 btime 60000 winc 500 binc 500",
        "go movetime 500 searchmoves A B",
    ]),
    Entry::new("stop", "End the search and say its best move.", |line| line.end(Command::Stop)),
    Entry::new("ponderhit", "Say that the move pondered on was played.", |line| line.end(Command::PonderHit)),
    Entry::new("d", "Draw the position.", |line| line.end(Command::Draw)),
    Entry::new("fen", "Write the position as a token.", |line| line.end(Command::Fen)),
    Entry::new("state", "Write position, ruleset, phase and moves in a line.", |line| line.end(Command::State)),
    Entry::new("legalmoves", "List the legal moves.", |line| line.end(Command::LegalMoves)),
    Entry::new("result", "Tell whether, how and why the game is over.", |line| line.end(Command::Result)),
    Entry::new("query p1turn|gameover|result|islegal MOVE", "Ask a question of UGI.", readers::query)
        .more(QUESTIONS)
        .examples(&["query p1turn", "query gameover", "query result", "query islegal B"]),
    Entry::new("trace MOVE", "Tell a move step by step, without playing it.", readers::trace)
        .more(MOVES)
        .examples(&["trace B"]),
    Entry::new("endless [MOVE]", "Look for sowings that never end.", readers::endless)
        .examples(&["endless", "endless B"]),
    Entry::new("eval", "Explain the static evaluation.", |line| line.end(Command::Eval)),
    Entry::new("perft N", "Count the positions N plies away.", readers::perft).examples(&["perft 5"]),
    Entry::new("bench [DEPTH]", "Search a fixed set of positions.", readers::bench).examples(&["bench", "bench 8"]),
    Entry::new("quit", "Finish as by stop, and end.", |line| line.end(Command::Quit)),
    Entry::new("help [COMMAND]", "List the commands, or tell about one.", help_topic).examples(&["help", "help go"]),
];

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::command::Go;
    use super::super::parse::parse;
    use super::*;

    fn lines(help: &CommandHelp) -> Vec<&'static str> {
        if help.examples.is_empty() { vec![help.usage] } else { help.examples.to_vec() }
    }

    #[test]
    fn every_command_of_the_table_reads_its_own_examples() {
        for help in command_help() {
            for line in lines(help) {
                assert_eq!(line.split(' ').next(), Some(help.name()), "{line}");
                let command = parse(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}")).unwrap();
                if let Command::Go(go) = command {
                    assert!(go.complaints.is_empty() && *go != Go::default(), "{line}: {go:?}");
                }
            }
        }
    }

    #[test]
    fn every_command_stands_once_in_the_table() {
        let names: Vec<_> = command_help().map(CommandHelp::name).collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| other == &name).count(), 1, "{name}");
        }
    }

    #[test]
    fn help_has_a_line_for_each_command() {
        let Reply::Text(text) = help(None) else { panic!("help is text") };
        assert_eq!(text.lines().count(), COMMANDS.len());
        assert!(text.starts_with("uci                                        List name and options, and speak UCI.\n"));
        for (line, help) in text.lines().zip(command_help()) {
            assert!(line.starts_with(help.usage) && line.ends_with(help.about) && line.len() < 100, "{line}");
        }
    }

    #[test]
    fn help_for_a_command_has_usage_and_examples() {
        let topic = command_help().find(|help| help.name() == "undo");
        assert_eq!(
            help(topic).to_string(),
            "undo [N]\nTake back the last move, or the last N.\nExample: undo\nExample: undo 2"
        );
    }
}
