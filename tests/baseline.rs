//! A fixed opponent to measure the search by: plain alpha-beta on the difference of the seeds.
//!
//! It iterates, looks at the best move so far first and then by what is captured, and has no table, no reductions and nothing learnt. It
//! stays as it is, so that a result against it means the same in every version.

mod common;

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::data;
use empiki::engine::endgames;
use empiki::rules::four_row::sum;
use empiki::rules::history::History;
use empiki::rules::notation::read_position;
use empiki::rules::outcome::Reason;
use empiki::rules::two_row::Board;
use empiki::rules::{Child, Move, Rules};
use empiki::rules::{kimasai, kimasai::Kimasai, omweso, omweso::Omweso, urim::Urim, wuri::Wuri};
use empiki::search::stop::StopHandle;
use empiki::search::table::Table;
use empiki::search::{SearchJob, Searchable, search_now};
use empiki::units::{Mebibytes, Nodes, OptionValues, Player};

/// The seeds of the player to move less those of the other.
trait Difference {
    fn difference(&self) -> i32;
}

impl Difference for Board {
    fn difference(&self) -> i32 {
        let stores = self.stores();
        i32::from(stores.mover) - i32::from(stores.other)
    }
}

impl Difference for omweso::Position {
    fn difference(&self) -> i32 {
        i32::from(sum(self.own)) - i32::from(sum(self.other))
    }
}

impl Difference for kimasai::Position {
    fn difference(&self) -> i32 {
        let side = |ring, reserve: u8| i32::from(sum(ring)) + i32::from(reserve);
        side(self.own, self.reserves.mover) - side(self.other, self.reserves.other)
    }
}

/// What a player may use for a move.
#[derive(Clone, Copy)]
enum Allowance {
    Moves(u64),
    Time(Duration),
}

/// Above every difference; a win counts so much for each match point.
const WIN: i32 = 1000;
const INFINITE: i32 = 1_000_000;

/// The opponent, thinking.
struct Plain<G> {
    rules: G,
    history: History,
    moves: u64,
    most: u64,
    until: Option<Instant>,
}

impl<G: Rules<Position: Difference>> Plain<G> {
    /// The move that it plays.
    fn choose(rules: G, position: &G::Position, history: &History, allowance: Allowance) -> Move {
        let (most, until) = match allowance {
            Allowance::Moves(most) => (most, None),
            Allowance::Time(time) => (u64::MAX, Some(Instant::now() + time)),
        };
        let mut plain = Plain { rules, history: history.clone(), moves: 0, most, until };
        let mut children = plain.children(position);
        'deepening: for depth in 1..100 {
            let mut best = -INFINITE;
            let mut first = 0;
            for (index, (_, child)) in children.iter().enumerate() {
                let Some(score) = plain.after(child, best, INFINITE, depth, 0) else { break 'deepening };
                if score > best {
                    (best, first) = (score, index);
                }
            }
            children[..=first].rotate_right(1);
            if best.abs() >= WIN {
                break;
            }
        }
        children[0].0
    }

    /// The moves with what they lead to, captures first.
    fn children(&self, position: &G::Position) -> Vec<(Move, Child<G::Position>)> {
        let mut children = Vec::with_capacity(16);
        let _ = self.rules.expand(position, |mv, child| -> ControlFlow<()> {
            children.push((mv, *child));
            ControlFlow::Continue(())
        });
        children.sort_by_key(|(_, child)| Reverse(child.captured));
        children
    }

    fn ended(&self, position: &G::Position, reason: Reason, ply: i32) -> i32 {
        let balance = i32::from(self.rules.outcome(position, reason).balance());
        WIN * balance + (WIN / 2 - ply) * balance.signum()
    }

    /// The value of a child for who moved there; `None` if the allowance is used up.
    fn after(&mut self, child: &Child<G::Position>, alpha: i32, beta: i32, depth: u32, ply: i32) -> Option<i32> {
        self.moves += 1;
        let is_late = |until: Instant| self.moves.is_multiple_of(256) && Instant::now() >= until;
        if self.moves > self.most || self.until.is_some_and(is_late) {
            return None;
        }
        self.history.push(self.rules.repetition_key(&child.position), child.irreversible);
        let verdict = self.history.verdict(self.rules.draw_limits()).map(|verdict| verdict.reason);
        let score = match child.end.or(verdict) {
            Some(reason) => Some(-self.ended(&child.position, reason, ply + 1)),
            None => self.node(&child.position, -beta, -alpha, depth - 1, ply + 1).map(|score| -score),
        };
        self.history.pop();
        score
    }

    fn node(&mut self, position: &G::Position, alpha: i32, beta: i32, depth: u32, ply: i32) -> Option<i32> {
        if !self.rules.has_move(position) {
            return Some(self.ended(position, Reason::NoMove, ply));
        }
        if depth == 0 {
            return Some(position.difference());
        }
        let mut best = -INFINITE;
        for (_, child) in self.children(position) {
            best = best.max(self.after(&child, alpha.max(best), beta, depth, ply)?);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// The move that the search plays.
fn searched<G: Searchable>(
    table: &mut Table,
    rules: G,
    stand: (G::Position, Player, &History),
    allowance: Allowance,
) -> Move {
    let (position, mover, history) = stand;
    let mut search = SearchJob { history: history.clone(), ..SearchJob::new(rules, position, mover) };
    search.tables = endgames::built_in(G::VARIANT, &OptionValues::new(G::OPTIONS));
    let stop = Arc::new(StopHandle::alone());
    search.stop = Arc::clone(&stop);
    let summary = match allowance {
        Allowance::Moves(most) => {
            search.limits.nodes = Some(Nodes(most));
            search_now(table, &search)
        }
        Allowance::Time(time) => stop.abandon_after(time, || search_now(table, &search)),
    };
    let text = summary.lines[0].pv[0].clone();
    rules.resolve(&position, &text).expect("a legal move")
}

/// What the search won of one game, in halves of it.
fn play<G: Searchable + Rules<Position: Difference>>(rules: G, token: &str, seat: Player, allowance: Allowance) -> u32 {
    let (mut position, mut mover) = read_position(&rules, token).expect("an opening");
    let mut history = History::new(rules.repetition_key(&position));
    let mut table = Table::new(Mebibytes(16)).expect("16 MiB");
    loop {
        let mv = if mover == seat {
            searched(&mut table, rules, (position, mover, &history), allowance)
        } else {
            Plain::choose(rules, &position, &history, allowance)
        };
        let child = rules.play(&position, mv, &mut empiki::rules::trace::Nobody);
        (position, mover) = (child.position, !mover);
        history.push(rules.repetition_key(&position), child.irreversible);
        let verdict = history.verdict(rules.draw_limits()).map(|verdict| verdict.reason);
        let no_move = || (!rules.has_move(&position)).then_some(Reason::NoMove);
        if let Some(reason) = child.end.or(verdict).or_else(no_move) {
            let balance = rules.outcome(&position, reason).balance();
            let ahead = if mover == seat { balance } else { -balance };
            return (1 + i32::from(ahead.signum())) as u32;
        }
    }
}

/// What the search won of games from the first of the shipped openings, each from both sides, as a share.
fn share<G: Searchable + Rules<Position: Difference>>(openings: usize, allowance: Allowance) -> f64 {
    let rules = G::with_options(&OptionValues::new(G::OPTIONS));
    let file = data(&format!("openings/{}.txt", G::VARIANT.name()));
    let tokens: Vec<&str> = file.lines().take(openings).collect();
    let both = |token: &&str| -> u32 {
        [Player::South, Player::North].into_iter().map(|seat| play(rules, token, seat, allowance)).sum()
    };
    let won: u32 = tokens.iter().map(both).sum();
    f64::from(won) / (4 * tokens.len()) as f64
}

#[test]
fn with_as_many_moves_the_search_beats_plain_alpha_beta() {
    let moves = Allowance::Moves(3000);
    let two_rows = [
        ("wuri", share::<Wuri<true>>(10, moves)),
        ("urim", share::<Urim<6, true>>(10, moves)),
        ("urim7", share::<Urim<7, true>>(10, moves)),
    ];
    assert!(two_rows.iter().all(|(_, share)| *share > 0.9), "{two_rows:?}");
    // The same evaluation, and from most openings one side wins whoever plays it.
    let four_rows = [("omweso", share::<Omweso<true>>(20, moves)), ("kimasai", share::<Kimasai<true>>(20, moves))];
    assert!(four_rows.iter().all(|(_, share)| *share > 0.5), "{four_rows:?}");
}

#[test]
#[allow(clippy::print_stderr, reason = "the figures are what it is run for")]
#[ignore = "plays 200 games at 50 ms a move, by hand, with --nocapture for the shares; Omweso was at 173 and Kimasai at 252"]
fn in_the_same_time_the_search_is_150_points_above_plain_alpha_beta_on_four_rows() {
    let time = Allowance::Time(Duration::from_millis(50));
    let shares = [("omweso", share::<Omweso<true>>(50, time)), ("kimasai", share::<Kimasai<true>>(50, time))];
    for (variant, share) in shares {
        eprintln!("{variant}: {:.1} %, {:+.0} Elo", 100.0 * share, points(share));
    }
    assert!(shares.iter().all(|(_, share)| points(*share) >= 150.0), "{shares:?}");
}

/// What a share of the games says of the difference in Elo.
fn points(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}
