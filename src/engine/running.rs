//! The job that runs for the session: how it may end, what it has told so far, and when its time is up.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::line_reader::Ticket;
use super::strength::StrengthLimit;
use crate::protocol::{Dialect, Go, InfoLine, Reply, WinDrawLoss};
use crate::search::info::{End, Event, Report};
use crate::search::limits::{Limits, TimeBudget, budget};
use crate::search::stop::StopHandle;
use crate::units::{Depth, MoveText, Nodes, Player};

/// What a job tells the session.
#[derive(Debug)]
pub enum Told {
    /// A search does.
    Search(Event),
    /// Another job has this to say to the client.
    Reply(Reply),
    /// Another job is done.
    Done(Ended),
}

/// How a job that is no search came to its end.
#[derive(Debug)]
pub enum Ended {
    /// By itself, with this to say at the last.
    Whole(Reply),
    /// It was stopped.
    Stopped,
    /// It panicked.
    Failed,
}

/// What kind of job runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A search: it ends in a `bestmove`.
    Search,
    /// Another one, by this name.
    Work(&'static str),
}

impl Kind {
    /// What errors call it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Search => "search",
            Kind::Work(name) => name,
        }
    }
}

/// How a search may end, as its `go` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// What the search counts itself; its moves at the root are still to be filled in.
    pub limits: Limits,
    /// How long it may take.
    pub time: Time,
    /// `infinite`, or nothing at all: only `stop` ends it.
    pub infinite: bool,
    /// `ponder`: only `stop` or `ponderhit` ends it.
    pub ponder: bool,
    /// The search is to be as short as possible.
    pub shortest: bool,
}

/// The time of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Time {
    /// No new iteration begins after this.
    pub soft: Option<Duration>,
    /// The best move is told after this.
    pub hard: Option<Duration>,
}

impl Terms {
    /// The terms of a `go` for the player to move. No search but an `infinite` one takes longer than `longest`.
    pub fn of(go: &Go, mover: Player, dialect: Dialect, overhead: Duration, longest: Option<Duration>) -> Terms {
        let win_within = go.mate.map(|moves| match dialect {
            // A game of sowing may end by the loser's move too, and that is still the same move of the winner.
            Dialect::Uci => moves.saturating_mul(2),
            Dialect::Ugi => moves,
        });
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            win_within: win_within.map(|plies| Depth(u16::try_from(plies).unwrap_or(u16::MAX))),
            search_moves: Vec::new(),
        };
        let zero = go.depth == Some(Depth(0))
            || go.nodes == Some(Nodes(0))
            || go.mate == Some(0)
            || go.movetime == Some(Duration::ZERO);
        let mut time = time_of(go, mover, overhead);
        if let Some(longest) = longest {
            time.hard = Some(time.hard.map_or(longest, |hard| hard.min(longest)));
        }
        let shortest = go.shortest || zero;
        if shortest {
            // Holds after a `ponderhit`, when nothing else may be left to end the search.
            time.hard = Some(Duration::ZERO);
        }
        Terms {
            limits,
            time,
            infinite: go.infinite || !(go.has_limit() || go.shortest || longest.is_some()),
            ponder: go.ponder,
            shortest,
        }
    }

    /// Whether only the client can end the search.
    pub fn is_open(&self) -> bool {
        self.infinite || self.ponder
    }
}

/// The time that a `go` allows. Of clock and `movetime` the shorter one holds.
fn time_of(go: &Go, mover: Player, overhead: Duration) -> Time {
    // A clock that was not told is taken to stand like the other one.
    let clock = go.clock[mover].or(go.clock[!mover]);
    let shared = clock.map(|clock| budget(clock, go.increment[mover], go.movestogo, overhead));
    let TimeBudget { soft, hard } = shared.unwrap_or(TimeBudget { soft: Duration::MAX, hard: Duration::MAX });
    let hard = hard.min(go.movetime.unwrap_or(Duration::MAX));
    let told = |time: Duration| (time < Duration::MAX).then_some(time);
    Time { soft: told(soft.min(hard)).filter(|_| shared.is_some()), hard: told(hard) }
}

/// The job that runs, or that was answered for and has not yet come back.
pub struct Running {
    /// Its number.
    pub ticket: Ticket,
    /// What it is.
    pub kind: Kind,
    /// How to end it.
    pub stop: Arc<StopHandle>,
    /// What its times are counted from.
    pub started: Instant,
    /// The client alone ends it.
    pub open: bool,
    /// The moves that it is held to at the root; all if empty.
    pub search_moves: Vec<MoveText>,
    /// What it counts itself.
    pub limits: Limits,
    /// It was told its end; whatever it says is not heard any more.
    pub answered: bool,
    /// The worker is done with it.
    pub finished: bool,
    /// Why the worker ended a search.
    pub why: Option<End>,
    /// When to answer for it. Not while it is open.
    pub deadline: Option<Instant>,
    /// How long it may take.
    pub time: Time,
    /// It waits for a `ponderhit`.
    pondering: bool,
    /// It stays open after `ponderhit`.
    infinite: bool,
    /// The newest line of each rank.
    pub lines: Vec<Report>,
    /// What keeps it from the best move.
    pub strength_limit: Option<StrengthLimit>,
}

impl Running {
    /// A job about to begin.
    pub fn new(ticket: Ticket, kind: Kind, stop: Arc<StopHandle>, started: Instant) -> Running {
        Running {
            ticket,
            kind,
            stop,
            started,
            open: false,
            search_moves: Vec::new(),
            limits: Limits::default(),
            pondering: false,
            infinite: false,
            answered: false,
            finished: false,
            why: None,
            deadline: None,
            time: Time::default(),
            lines: Vec::new(),
            strength_limit: None,
        }
    }

    /// Holds the job to the terms of a search.
    pub fn hold_to(&mut self, terms: &Terms) {
        self.limits = terms.limits.clone();
        self.time = terms.time;
        self.pondering = terms.ponder;
        self.infinite = terms.infinite;
        self.open = terms.is_open();
        if !self.open {
            self.start_clock(self.started);
        }
    }

    /// `ponderhit`: from now on, or from its start if that is later, the search is on its time. Says whether it waited for that:
    /// a second one means nothing, nor does one for a job that never ponders.
    pub fn ponder_hit(&mut self, arrived: Instant) -> bool {
        let waited = std::mem::take(&mut self.pondering);
        if waited {
            self.open = self.infinite;
            if !self.open {
                self.start_clock(arrived.max(self.started));
            }
        }
        waited
    }

    fn start_clock(&mut self, from: Instant) {
        self.deadline = self.time.hard.and_then(|hard| from.checked_add(hard));
        self.stop.set_soft_deadline(self.time.soft.and_then(|soft| from.checked_add(soft)));
    }

    /// Puts the line of an index before the others.
    pub fn lead_with(&mut self, chosen: usize) {
        if let Some(better) = self.lines.get_mut(..=chosen) {
            better.rotate_right(1);
        }
        for (line, rank) in self.lines.iter_mut().zip(1..) {
            line.multipv = rank;
        }
    }

    /// The lines to answer with, their counts brought up to now; empty if they stand as they were told, unless they have `changed`.
    pub fn news(&mut self, now: Instant, changed: bool) -> Vec<Report> {
        let nodes = self.stop.nodes();
        let time = now.saturating_duration_since(self.started);
        let is_news = |line: &Report| line.nodes < nodes || line.time.as_millis() < time.as_millis();
        if !changed && !self.lines.iter().any(is_news) {
            return Vec::new();
        }
        for line in &mut self.lines {
            line.nodes = line.nodes.max(nodes);
            line.time = time;
        }
        self.lines.clone()
    }

    /// The best line, if there is one yet.
    pub fn best(&self) -> Option<&Report> {
        self.lines.first()
    }
}

/// A report in the words of the protocol.
pub fn info_line(report: Report, wdl: Option<WinDrawLoss>, joined_pv: bool) -> InfoLine {
    let micros = report.time.as_micros().max(1);
    let nodes_per_second = u128::from(report.nodes.0) * 1_000_000 / micros;
    InfoLine {
        depth: report.depth,
        seldepth: Some(report.seldepth),
        multipv: Some(report.multipv),
        score: report.score,
        bound: report.bound,
        wdl,
        nodes: report.nodes,
        nps: u64::try_from(nodes_per_second).unwrap_or(u64::MAX),
        hashfull: Some(report.hashfull),
        tbhits: Some(report.tbhits),
        time: report.time,
        pv: report.pv,
        joined_pv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::PerPlayer;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn terms(go: &Go) -> Terms {
        Terms::of(go, Player::North, Dialect::Uci, ms(10), None)
    }

    #[test]
    fn a_bare_go_is_infinite_and_a_dropped_limit_makes_it_short() {
        assert!(terms(&Go::default()).infinite);
        let dropped = terms(&Go { shortest: true, ..Go::default() });
        assert!(!dropped.infinite && dropped.shortest);
        assert!(terms(&Go { nodes: Some(Nodes(0)), ..Go::default() }).shortest);
        assert!(terms(&Go { infinite: true, depth: Some(Depth(3)), ..Go::default() }).is_open());
    }

    #[test]
    fn the_shorter_of_clock_and_movetime_holds() {
        let clock = PerPlayer { south: Some(ms(1)), north: Some(ms(60_000)) };
        let both = Go { clock, movetime: Some(ms(40)), ..Go::default() };
        assert_eq!(terms(&both).time, Time { soft: Some(ms(40)), hard: Some(ms(40)) });
        let alone = Go { movetime: Some(ms(40)), ..Go::default() };
        assert_eq!(terms(&alone).time, Time { soft: None, hard: Some(ms(40)) });
        let other = Go { clock: PerPlayer { south: Some(ms(60_000)), north: None }, ..Go::default() };
        assert!(terms(&other).time.hard.is_some_and(|hard| hard > ms(100)), "the other clock stands in");
    }

    #[test]
    fn a_longest_time_caps_all_but_an_infinite_search() {
        let capped = |go: &Go| Terms::of(go, Player::South, Dialect::Uci, ms(10), Some(ms(2990)));
        assert_eq!(capped(&Go::default()).time.hard, Some(ms(2990)));
        assert!(!capped(&Go::default()).is_open(), "a bare go");
        assert_eq!(capped(&Go { depth: Some(Depth(9)), ..Go::default() }).time.hard, Some(ms(2990)));
        assert_eq!(capped(&Go { movetime: Some(ms(40)), ..Go::default() }).time.hard, Some(ms(40)));
        assert!(capped(&Go { infinite: true, ..Go::default() }).infinite);
        let ponder = capped(&Go { ponder: true, ..Go::default() });
        assert!(ponder.is_open() && !ponder.infinite && ponder.time.hard.is_some(), "the cap runs after ponderhit");
    }

    #[test]
    fn a_shortest_search_that_pondered_has_no_time_after_ponderhit() {
        let dropped = terms(&Go { ponder: true, shortest: true, ..Go::default() });
        assert!(dropped.is_open());
        assert_eq!(dropped.time.hard, Some(Duration::ZERO));
    }

    #[test]
    fn a_mate_is_counted_as_the_dialect_counts() {
        let go = Go { mate: Some(3), ..Go::default() };
        assert_eq!(terms(&go).limits.win_within, Some(Depth(6)));
        let most = Go { mate: Some(u32::MAX), ..Go::default() };
        assert_eq!(terms(&most).limits.win_within, Some(Depth(u16::MAX)));
        let ugi = Terms::of(&go, Player::South, Dialect::Ugi, ms(0), None);
        assert_eq!(ugi.limits.win_within, Some(Depth(3)));
    }
}
