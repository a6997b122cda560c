//! The line that tells how a search stands.

use std::fmt;
use std::time::Duration;

use super::command::Dialect;
use crate::units::{Bound, Depth, MoveText, Nodes, ScoreValue, join_moves};

/// What a search found so far for one line of play, as `info` tells it.
///
/// Numbers are written as integers; what is `None` or empty is left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoLine {
    /// Plies searched.
    pub depth: Depth,
    /// The deepest ply reached.
    pub seldepth: Option<Depth>,
    /// The rank of this line, the best is 1.
    pub multipv: Option<u32>,
    /// What the line is worth to the mover.
    pub score: ScoreValue,
    /// Whether it is worth just that.
    pub bound: Bound,
    /// The chances, with option `UCI_ShowWDL`.
    pub wdl: Option<WinDrawLoss>,
    /// Moves made.
    pub nodes: Nodes,
    /// Moves made in a second.
    pub nps: u64,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u16>,
    /// Positions found in a table of endings.
    pub tbhits: Option<u64>,
    /// Time since the search began.
    pub time: Duration,
    /// The line itself, moves in their written form.
    pub pv: Vec<MoveText>,
    /// Write the moves without blanks (option `JoinedPv`).
    pub joined_pv: bool,
}

/// Chances in thousandths, together 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinDrawLoss {
    /// Of a win.
    pub win: u16,
    /// Of a draw.
    pub draw: u16,
    /// Of a loss.
    pub loss: u16,
}

impl InfoLine {
    /// The text of the line in this dialect, without its end.
    ///
    /// ```
    /// use empiki::protocol::{Dialect, InfoLine, parse_moves};
    /// use empiki::units::ScoreValue;
    ///
    /// let pv = parse_moves(b"A b").expect("moves");
    /// let line = InfoLine { score: ScoreValue::Mate(5), pv, ..InfoLine::default() };
    /// let text = |dialect| line.in_dialect(dialect).to_string();
    /// assert_eq!(text(Dialect::Uci), "info depth 0 score mate 3 nodes 0 nps 0 time 0 pv A b");
    /// assert_eq!(text(Dialect::Ugi), "info depth 0 score mate 5 nodes 0 nps 0 time 0 pv A b");
    /// ```
    pub fn in_dialect(&self, dialect: Dialect) -> impl fmt::Display + '_ {
        Written { line: self, dialect }
    }
}

/// A score as it stands behind the word `score` in this dialect.
fn score_text(score: ScoreValue, dialect: Dialect) -> String {
    match (score, dialect) {
        (ScoreValue::Centiseeds(score), _) => format!("cp {score}"),
        (ScoreValue::Mate(plies), Dialect::Ugi) => format!("mate {plies}"),
        (ScoreValue::Mate(plies), Dialect::Uci) => format!("mate {}", moves_of_the_mover(plies)),
    }
}

/// The mover's own moves within so many plies, rounded up on both sides of zero: a game of sowing can be lost by one's
/// own last move, which chess does not know, and an odd count rounded down would promise an end too early.
fn moves_of_the_mover(plies: i32) -> i32 {
    (plies / 2).saturating_add(plies % 2)
}

struct Written<'a> {
    line: &'a InfoLine,
    dialect: Dialect,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        write!(f, "info depth {}", line.depth.0)?;
        optional(f, "seldepth", line.seldepth.map(|depth| depth.0))?;
        optional(f, "multipv", line.multipv)?;
        write!(f, " score {}", score_text(line.score, self.dialect))?;
        f.write_str(match line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })?;
        if let Some(WinDrawLoss { win, draw, loss }) = line.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write!(f, " nodes {} nps {}", line.nodes.0, line.nps)?;
        optional(f, "hashfull", line.hashfull)?;
        optional(f, "tbhits", line.tbhits)?;
        write!(f, " time {}", line.time.as_millis())?;
        if !line.pv.is_empty() {
            write!(f, " pv {}", join_moves(&line.pv, if line.joined_pv { "" } else { " " }))?;
        }
        Ok(())
    }
}

fn optional(f: &mut fmt::Formatter<'_>, word: &str, number: Option<impl fmt::Display>) -> fmt::Result {
    number.map_or(Ok(()), |number| write!(f, " {word} {number}"))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::protocol::parse_moves;

    fn full() -> InfoLine {
        InfoLine {
            depth: Depth(12),
            seldepth: Some(Depth(31)),
            multipv: Some(1),
            score: ScoreValue::Centiseeds(-150),
            bound: Bound::Upper,
            wdl: Some(WinDrawLoss { win: 100, draw: 50, loss: 850 }),
            nodes: Nodes(123_456),
            nps: 1_234_560,
            hashfull: Some(7),
            tbhits: Some(3),
            time: Duration::from_micros(100_900),
            pv: parse_moves(b"F f B< K*").expect("moves"),
            joined_pv: false,
        }
    }

    #[test]
    fn a_full_line_has_everything_in_the_usual_order() {
        assert_eq!(
            full().in_dialect(Dialect::Uci).to_string(),
            "info depth 12 seldepth 31 multipv 1 score cp -150 upperbound wdl 100 50 850 nodes 123456 nps 1234560 \
             hashfull 7 tbhits 3 time 100 pv F f B< K*"
        );
    }

    #[test]
    fn the_moves_of_a_line_can_be_joined() {
        let line = InfoLine { joined_pv: true, bound: Bound::Lower, ..full() };
        let text = line.in_dialect(Dialect::Ugi).to_string();
        assert!(text.contains(" score cp -150 lowerbound ") && text.ends_with(" pv FfB<K*"), "{text}");
    }

    #[test]
    fn a_finished_position_has_a_short_line_without_a_trailing_word() {
        let line = InfoLine { score: ScoreValue::Mate(0), ..InfoLine::default() };
        assert_eq!(line.in_dialect(Dialect::Uci).to_string(), "info depth 0 score mate 0 nodes 0 nps 0 time 0");
    }

    #[test]
    fn a_mate_counts_the_movers_moves_after_uci_and_plies_after_ugi() {
        let mates = [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (-1, -1), (-2, -1), (-3, -2), (-4, -2)];
        for (plies, moves) in mates.into_iter().chain([(i32::MAX, 1 << 30), (i32::MIN, -(1 << 30))]) {
            assert_eq!(score_text(ScoreValue::Mate(plies), Dialect::Uci), format!("mate {moves}"));
            assert_eq!(score_text(ScoreValue::Mate(plies), Dialect::Ugi), format!("mate {plies}"));
        }
    }
}
