//! What the engine says, as values and as lines.

use std::fmt::{self, Write};

use super::command::Dialect;
use super::info::InfoLine;
use crate::units::{MoveText, Nodes, OptionKind, OptionSpec, Phase, join_moves};

/// One answer: a line, or a few that belong together.
///
/// Its text is what a client reads, lines apart by a line feed and none at the end. Whatever the parts hold, no line is
/// empty, ends in white space or has a control character: a tab is written as a blank, another as its escape. Moves,
/// tokens and rulesets are handed in as they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// To `uci` or `ugi`: who this is and what can be set.
    Handshake {
        /// The dialect asked for, which names the last line.
        dialect: Dialect,
        /// Name and version.
        name: String,
        /// The authors.
        author: String,
        /// The options, in the order of the list.
        options: Vec<OptionSpec>,
    },
    /// `readyok`.
    ReadyOk,
    /// `fen TOKEN`.
    Fen(String),
    /// The position in one line for a program.
    State {
        /// The position.
        token: String,
        /// The ruleset in one word.
        ruleset: String,
        /// What kind of turn it is.
        phase: Phase,
        /// The legal moves in canonical order; `@` alone while arranging.
        legal: Vec<MoveText>,
    },
    /// `legalmoves M M M`; `@` alone while arranging.
    LegalMoves(Phase, Vec<MoveText>),
    /// The answer to `query`.
    Response(Response),
    /// `result ...`: what follows the word.
    Result(String),
    /// `MOVE: COUNT`, for one root move of a perft.
    PerftMove(MoveText, Nodes),
    /// `Nodes searched: COUNT`, the last line of a perft.
    PerftTotal(Nodes),
    /// `step ...`: what follows the word.
    TraceStep(String),
    /// The last line of a trace.
    TraceEnd {
        /// The move that was told.
        played: MoveText,
        /// The position after it.
        token: String,
    },
    /// Whether the sowing of a move ends.
    Endless(MoveText, Endless),
    /// How a search stands.
    Info {
        /// What is to be told.
        line: InfoLine,
        /// How a mate is counted.
        dialect: Dialect,
    },
    /// The end of a search.
    BestMove {
        /// The move, or `None` where there is none.
        best: Option<MoveText>,
        /// The expected answer, for UCI with option `Ponder` only; left out when there is no move.
        ponder: Option<MoveText>,
    },
    /// `info string ...` for each line of the text that is not empty.
    InfoString(String),
    /// `info string error: ...`, always one line; a very long text is cut.
    Error(String),
    /// Another game, or other rules, are in force.
    Variant {
        /// The name of the game.
        name: String,
        /// The ruleset in one word.
        ruleset: String,
        /// The start of the game under these rules.
        startpos: String,
    },
    /// Lines for people. Empty ones are left out, so a text can come to nothing.
    Text(String),
}

/// What `query` can be answered with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Yes.
    True,
    /// No.
    False,
    /// South has won.
    P1Win,
    /// North has won.
    P2Win,
    /// Nobody has won, and nobody will.
    Draw,
    /// The game goes on.
    None,
}

impl From<bool> for Response {
    fn from(truth: bool) -> Response {
        if truth { Response::True } else { Response::False }
    }
}

/// Whether a sowing ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    /// It ends.
    No,
    /// It comes back to a lap that it had before, after so many laps.
    Cycle(u64),
    /// It went on for so many laps without an end and without a proof.
    Unproved(u64),
}

impl Reply {
    /// The longest text of an error, in characters: some quote what a client sent, and a line may have a million.
    const ERROR_LENGTH: usize = 400;

    /// The reply that tells an error.
    pub fn error(error: impl fmt::Display) -> Reply {
        Reply::Error(error.to_string())
    }

    /// The lines of the reply, each with its line feed: what goes to the client.
    ///
    /// ```
    /// use empiki::protocol::Reply;
    ///
    /// assert_eq!(Reply::ReadyOk.to_lines(), "readyok\n");
    /// assert_eq!(Reply::Text("two \n\n lines\n".to_owned()).to_lines(), "two\n lines\n");
    /// assert_eq!(Reply::Text("\n".to_owned()).to_lines(), "");
    /// ```
    pub fn to_lines(&self) -> String {
        let mut lines = self.to_string();
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        match self {
            Reply::Handshake { dialect, name, author, options } => {
                write!(out, "id name {}\nid author {}\n", one_line(name), one_line(author))?;
                options.iter().try_for_each(|option| write_option(out, option))?;
                out.write_str(match dialect {
                    Dialect::Uci => "uciok",
                    Dialect::Ugi => "ugiok",
                })
            }
            Reply::ReadyOk => out.write_str("readyok"),
            Reply::Fen(token) => write!(out, "fen {token}"),
            Reply::State { token, ruleset, phase, legal } => {
                write!(
                    out,
                    "state {token} ruleset {ruleset} phase {} legal {}",
                    phase_word(*phase),
                    legal_list(*phase, legal)
                )
            }
            Reply::LegalMoves(phase, legal) => write!(out, "legalmoves {}", legal_list(*phase, legal)),
            Reply::Response(response) => write!(out, "response {}", response.word()),
            Reply::Result(result) => write!(out, "result {result}"),
            Reply::PerftMove(played, Nodes(count)) => write!(out, "{played}: {count}"),
            Reply::PerftTotal(Nodes(count)) => write!(out, "Nodes searched: {count}"),
            Reply::TraceStep(step) => write!(out, "step {step}"),
            Reply::TraceEnd { played, token } => write!(out, "trace {played} fen {token}"),
            Reply::Endless(played, Endless::No) => write!(out, "endless {played} no"),
            Reply::Endless(played, Endless::Cycle(laps)) => write!(out, "endless {played} cycle {laps}"),
            Reply::Endless(played, Endless::Unproved(laps)) => write!(out, "endless {played} unproved {laps}"),
            Reply::Info { line, dialect } => write!(out, "{}", line.in_dialect(*dialect)),
            Reply::BestMove { best: None, .. } => out.write_str("bestmove 0000"),
            Reply::BestMove { best: Some(best), ponder: None } => write!(out, "bestmove {best}"),
            Reply::BestMove { best: Some(best), ponder: Some(answer) } => {
                write!(out, "bestmove {best} ponder {answer}")
            }
            Reply::InfoString(text) => {
                let mut lines = text.lines().filter(|line| !line.trim().is_empty());
                lines.try_for_each(|line| writeln!(out, "info string {line}"))
            }
            Reply::Error(text) => write!(out, "info string error: {}", cut(&one_line(text), Reply::ERROR_LENGTH)),
            Reply::Variant { name, ruleset, startpos } => {
                write!(out, "info string variant {name} ruleset {ruleset} startpos {startpos}")
            }
            Reply::Text(text) => out.write_str(text),
        }
    }
}

/// The legal moves as they are listed: `@` stands for all arrangements (O3).
pub fn legal_list(phase: Phase, legal: &[MoveText]) -> String {
    if phase == Phase::Arrange { "@".to_owned() } else { join_moves(legal, " ") }
}

impl fmt::Display for Reply {
    /// The one place where the promises about lines are kept.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut raw = String::new();
        self.write(&mut raw)?;
        let lines = raw.lines().map(one_line).filter(|line| !line.is_empty());
        for (index, line) in lines.enumerate() {
            if index > 0 {
                f.write_char('\n')?;
            }
            f.write_str(&line)?;
        }
        Ok(())
    }
}

/// The text without white space at its end, and without what would break or spoil a line.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.trim_end().chars() {
        match letter {
            '\t' => line.push(' '),
            // The two separators end a line for some readers though they are no control characters.
            '\u{2028}' | '\u{2029}' => line.extend(letter.escape_unicode()),
            _ if letter.is_control() => line.extend(letter.escape_default()),
            _ => line.push(letter),
        }
    }
    line
}

fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or(text).trim_end()),
        None => text.to_owned(),
    }
}

fn write_option(out: &mut String, option: &OptionSpec) -> fmt::Result {
    write!(out, "option name {} type ", option.name)?;
    match option.kind {
        OptionKind::Check { default } => write!(out, "check default {default}")?,
        OptionKind::Spin { default, min, max } => write!(out, "spin default {default} min {min} max {max}")?,
        OptionKind::Combo { choices } => {
            write!(out, "combo default {}", choices.first().unwrap_or(&""))?;
            choices.iter().try_for_each(|choice| write!(out, " var {choice}"))?;
        }
        OptionKind::Button => out.write_str("button")?,
        OptionKind::Text { default: "" } => out.write_str("string default <empty>")?,
        OptionKind::Text { default } => write!(out, "string default {default}")?,
    }
    out.write_char('\n')
}

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Arrange => "arrange",
        Phase::Sow => "sow",
        Phase::Raid => "raid",
        Phase::Over => "over",
    }
}

impl Response {
    fn word(self) -> &'static str {
        match self {
            Response::True => "true",
            Response::False => "false",
            Response::P1Win => "p1win",
            Response::P2Win => "p2win",
            Response::Draw => "draw",
            Response::None => "none",
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::protocol::parse_moves;
    use crate::units::Depth;

    fn text(words: &str) -> String {
        words.to_owned()
    }

    fn list(words: &str) -> Vec<MoveText> {
        parse_moves(words.as_bytes()).expect("moves")
    }

    fn one(word: &str) -> MoveText {
        list(word).remove(0)
    }

    #[test]
    fn a_handshake_lists_each_kind_of_option_complete() {
        let spec = |name, kind| OptionSpec { name, kind, about: "for the test" };
        let options = vec![
            spec("Hash", OptionKind::Spin { default: 16, min: 1, max: 1024 }),
            spec("UCI_Variant", OptionKind::Combo { choices: &["wuri", "omweso"] }),
            spec("Ponder", OptionKind::Check { default: false }),
            spec("Clear Hash", OptionKind::Button),
            spec("Table Path", OptionKind::Text { default: "" }),
            spec("UCI_EngineAbout", OptionKind::Text { default: "a text" }),
        ];
        let reply = Reply::Handshake { dialect: Dialect::Uci, name: text("Empiki 1"), author: text("A B"), options };
        let lines = [
            "id name Empiki 1",
            "id author A B",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name UCI_Variant type combo default wuri var wuri var omweso",
            "option name Ponder type check default false",
            "option name Clear Hash type button",
            "option name Table Path type string default <empty>",
            "option name UCI_EngineAbout type string default a text",
            "uciok",
        ];
        assert_eq!(reply.to_string(), lines.join("\n"));
    }

    #[test]
    fn the_ugi_handshake_ends_with_its_own_word() {
        let reply =
            Reply::Handshake { dialect: Dialect::Ugi, name: text("Empiki"), author: text("A"), options: Vec::new() };
        assert_eq!(reply.to_lines(), "id name Empiki\nid author A\nugiok\n");
    }

    #[test]
    fn every_short_reply_is_one_line_as_written_in_the_interface() {
        let state =
            |phase, legal| Reply::State { token: text("4-S"), ruleset: text("wuri"), phase, legal: list(legal) };
        let replies = [
            (Reply::ReadyOk, "readyok"),
            (Reply::Fen(text("4-4-S")), "fen 4-4-S"),
            (state(Phase::Sow, "A B<"), "state 4-S ruleset wuri phase sow legal A B<"),
            (state(Phase::Raid, "A"), "state 4-S ruleset wuri phase raid legal A"),
            (state(Phase::Arrange, ""), "state 4-S ruleset wuri phase arrange legal @"),
            (state(Phase::Over, ""), "state 4-S ruleset wuri phase over legal"),
            (Reply::LegalMoves(Phase::Sow, list("A A* A<")), "legalmoves A A* A<"),
            (Reply::LegalMoves(Phase::Over, Vec::new()), "legalmoves"),
            (Reply::LegalMoves(Phase::Arrange, Vec::new()), "legalmoves @"),
            (Reply::Response(true.into()), "response true"),
            (Reply::Response(false.into()), "response false"),
            (Reply::Response(Response::P1Win), "response p1win"),
            (Reply::Response(Response::P2Win), "response p2win"),
            (Reply::Response(Response::Draw), "response draw"),
            (Reply::Response(Response::None), "response none"),
            (Reply::Result(text("none")), "result none"),
            (Reply::PerftMove(one("B<"), Nodes(12)), "B<: 12"),
            (Reply::PerftTotal(Nodes(345)), "Nodes searched: 345"),
            (Reply::TraceStep(text("lap A 4 ccw E 5")), "step lap A 4 ccw E 5"),
            (Reply::TraceEnd { played: one("A"), token: text("0-5-N") }, "trace A fen 0-5-N"),
            (Reply::Endless(one("A"), Endless::No), "endless A no"),
            (Reply::Endless(one("A"), Endless::Cycle(7)), "endless A cycle 7"),
            (Reply::Endless(one("A"), Endless::Unproved(9)), "endless A unproved 9"),
            (Reply::BestMove { best: Some(one("B<")), ponder: None }, "bestmove B<"),
            (Reply::BestMove { best: Some(one("B<")), ponder: Some(one("c")) }, "bestmove B< ponder c"),
            (Reply::BestMove { best: None, ponder: Some(one("c")) }, "bestmove 0000"),
            (Reply::InfoString(text("hello")), "info string hello"),
            (Reply::error("no `x`"), "info string error: no `x`"),
            (
                Reply::Variant { name: text("wuri"), ruleset: text("wuri;X=1"), startpos: text("4-S") },
                "info string variant wuri ruleset wuri;X=1 startpos 4-S",
            ),
        ];
        for (reply, line) in replies {
            assert_eq!(reply.to_string(), line);
        }
    }

    #[test]
    fn an_info_line_is_written_in_its_dialect() {
        let line = InfoLine { depth: Depth(3), score: crate::units::ScoreValue::Mate(-4), ..InfoLine::default() };
        let written = |dialect| Reply::Info { line: line.clone(), dialect }.to_string();
        assert_eq!(written(Dialect::Uci), "info depth 3 score mate -2 nodes 0 nps 0 time 0");
        assert_eq!(written(Dialect::Ugi), "info depth 3 score mate -4 nodes 0 nps 0 time 0");
    }

    #[test]
    fn no_line_is_empty_or_ends_in_white_space_or_breaks_in_two() {
        let drawn = Reply::Text(text("\n a  b \t\r\n\n \n\tc\rd\u{7}\n"));
        assert_eq!(drawn.to_lines(), " a  b\n c\\rd\\u{7}\n");
        assert_eq!(Reply::InfoString(text("one\n\ntwo ")).to_lines(), "info string one\ninfo string two\n");
        assert_eq!(Reply::error("one\nbestmove A\u{2028}").to_lines(), "info string error: one\\nbestmove A\n");
    }

    #[test]
    fn a_long_error_is_cut() {
        let written = Reply::error("\u{e9}".repeat(1000)).to_string();
        assert_eq!(written, format!("info string error: {}...", "\u{e9}".repeat(400)));
    }
}
