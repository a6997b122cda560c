//! What a search may say: any numbers, but lawful moves, within its limits, and a best move that its last lines bear out.

use std::cmp::Reverse;
use std::iter::Peekable;
use std::str::Split;

use empiki::protocol::{Dialect, Go};
use empiki::units::Phase;

use super::world::World;

/// What a search was asked.
pub struct Root {
    /// The moves that it may look at, as they are written; none when the game is over.
    allowed: Vec<String>,
    arranging: bool,
    /// How many lines make a set.
    ranks: usize,
    depth: Option<u64>,
    nodes: Option<u64>,
    joined_pv: bool,
    tells_ponder: bool,
}

/// What a search has said so far of its newest set of lines.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Heard {
    set: Vec<Line>,
}

/// One `info depth` line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Line {
    depth: u64,
    rank: usize,
    score: Score,
    nodes: u64,
    time: u64,
    pv: Vec<String>,
}

/// Scores are in order: losses, the sooner the worse, then hundredths of a seed, then wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Score {
    Lost(i64),
    Centiseeds(i64),
    Won(Reverse<i64>),
}

impl Root {
    /// What is asked by a `go` whose moves are all legal. A glance looks one ply ahead.
    pub fn new(world: &World, go: &Go, depth_one: bool) -> Root {
        let arranging = world.phase() == Phase::Arrange;
        let mut allowed = world.legal_moves();
        if !arranging && !go.searchmoves.is_empty() {
            let wanted: Vec<String> = go.searchmoves.iter().map(|text| world.canonical(text)).collect();
            allowed.retain(|played| wanted.contains(played));
        }
        let lines = usize::try_from(world.number("MultiPV")).expect("a small number");
        let ranks = if arranging || allowed.is_empty() { 1 } else { lines.min(allowed.len()) };
        Root {
            ranks,
            allowed,
            arranging,
            depth: if depth_one { Some(1) } else { go.depth.map(|depth| depth.0.into()) },
            nodes: go.nodes.map(|nodes| nodes.0),
            joined_pv: world.check("JoinedPv"),
            tells_ponder: world.check("Ponder") && world.dialect == Dialect::Uci,
        }
    }

    /// What is known after another line, which is wrong if it is not lawful.
    pub fn hear(&self, world: &World, heard: &Heard, text: &str) -> Result<Heard, String> {
        let line = self.read(world, text)?;
        let mut set = heard.set.clone();
        if line.rank == 1 {
            if !set.is_empty() && set.len() != self.ranks {
                return Err(format!("a set of {} lines instead of {}", set.len(), self.ranks));
            }
            if let Some(before) = set.first() {
                wrong(line.nodes < before.nodes || line.time < before.time, "nodes or time fall")?;
                wrong(line.depth < before.depth, "the depth falls")?;
            }
            set.clear();
        }
        wrong(line.rank != set.len() + 1 || line.rank > self.ranks, "a rank out of order")?;
        if let Some(before) = set.last() {
            wrong(line.depth != before.depth, "a set of several depths")?;
            wrong(line.score > before.score, "a better line of a lower rank")?;
            wrong(set.iter().any(|other| other.pv.first() == line.pv.first()), "a move of two ranks")?;
        }
        set.push(line);
        Ok(Heard { set })
    }

    fn read(&self, world: &World, text: &str) -> Result<Line, String> {
        let line = parsed(text).ok_or("no line of a search")?;
        // As little as possible is a look one ply ahead.
        wrong(self.depth.is_some_and(|most| line.depth > most.max(1)), "deeper than was asked")?;
        wrong(!self.arranging && self.nodes.is_some_and(|most| line.nodes > most), "more nodes than were asked")?;
        if self.allowed.is_empty() {
            wrong(line.depth > 0 || !line.pv.is_empty(), "a line where the game is over")?;
            return Ok(line);
        }
        wrong(self.joined_pv && line.pv.len() > 1, "blanks in a joined line")?;
        let played = world.can_play(&line.pv.join(" "))?;
        wrong(!self.joined_pv && played != line.pv, "moves joined or written in another way")?;
        let is_allowed = |first: &String| self.arranging || self.allowed.contains(first);
        wrong(!played.first().is_some_and(is_allowed), "a first move that was not asked for")?;
        Ok(Line { pv: played, ..line })
    }

    /// Whether a best move follows from what was heard.
    pub fn end(&self, heard: &Heard, text: &str) -> Result<(), String> {
        let first = heard.set.first().ok_or("a best move without a line before it")?;
        wrong(heard.set.len() != self.ranks, "a best move after half a set of lines")?;
        let best = first.pv.first().map_or("0000", String::as_str);
        let ponder = first.pv.get(1).filter(|_| self.tells_ponder);
        let wanted = ponder.map_or(format!("bestmove {best}"), |ponder| format!("bestmove {best} ponder {ponder}"));
        if text == wanted { Ok(()) } else { Err(format!("wanted `{wanted}`")) }
    }
}

fn wrong(is_wrong: bool, what: &str) -> Result<(), String> {
    if is_wrong { Err(what.to_owned()) } else { Ok(()) }
}

/// A line in the form that is promised, its moves as they stand.
fn parsed(text: &str) -> Option<Line> {
    let (numbers, pv) = match text.split_once(" pv ") {
        Some((numbers, pv)) => (numbers, pv.split(' ').map(str::to_owned).collect()),
        None => (text, Vec::new()),
    };
    let mut words = Words(numbers.strip_prefix("info ")?.split(' ').peekable());
    let depth = words.number("depth")?;
    words.number("seldepth")?;
    let rank = usize::try_from(words.number("multipv")?).ok()?;
    let score = words.score()?;
    words.0.next_if(|word| matches!(*word, "lowerbound" | "upperbound"));
    if words.0.next_if_eq(&"wdl").is_some() {
        let wdl: Vec<u64> = words.0.by_ref().take(3).filter_map(|word| word.parse().ok()).collect();
        (wdl.len() == 3 && wdl.iter().sum::<u64>() == 1000).then_some(())?;
    }
    let nodes = words.number("nodes")?;
    words.number("nps")?;
    words.number("hashfull").filter(|&full| full <= 1000)?;
    words.number("tbhits")?;
    let time = words.number("time")?;
    words.0.next().is_none().then_some(Line { depth, rank, score, nodes, time, pv })
}

/// The words that are left of a line.
struct Words<'a>(Peekable<Split<'a, char>>);

impl Words<'_> {
    /// The whole number behind this word.
    fn number(&mut self, word: &str) -> Option<u64> {
        self.0.next_if_eq(&word)?;
        self.0.next()?.parse().ok()
    }

    fn score(&mut self) -> Option<Score> {
        self.0.next_if_eq(&"score")?;
        let kind = self.0.next()?;
        let number: i64 = self.0.next()?.parse().ok()?;
        match kind {
            "cp" => Some(Score::Centiseeds(number)),
            "mate" if number > 0 => Some(Score::Won(Reverse(number))),
            // A loss in more moves is the better one; a game that is lost already is the worst.
            "mate" => Some(Score::Lost(-number)),
            _ => None,
        }
    }
}
