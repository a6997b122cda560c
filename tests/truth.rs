//! Positions that can be played to their ends: the best move keeps what can be forced in points, and a mate that is told is one.

mod common;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use common::Rng;
use empiki::engine::endgames;
use empiki::engine::game::SearchRequest;
use empiki::rules::history::History;
use empiki::rules::kimasai::Kimasai;
use empiki::rules::notation::{read_position, write_position};
use empiki::rules::omweso::Omweso;
use empiki::rules::outcome::Reason;
use empiki::rules::trace::Nobody;
use empiki::rules::two_row::Board;
use empiki::rules::urim::Urim;
use empiki::rules::wuri::Wuri;
use empiki::rules::{Child, Rules};
use empiki::search::info::Report;
use empiki::search::score::Objective;
use empiki::search::stop::StopHandle;
use empiki::search::table::Table;
use empiki::search::{SearchJob, Searchable, search_now};
use empiki::tablebase::probe::Tables;
use empiki::units::{Bound, Depth, Key, Mebibytes, Nodes, OptionValues, PerSeat, Player, ScoreValue, Variant};

fn standard<G: Rules>() -> G {
    G::with_options(&OptionValues::new(G::OPTIONS))
}

/// What can be forced by the rules alone: lines are played to their ends, with their history (G4).
///
/// A proof is remembered with the positions that it goes through since the counts began anew, and counts again where none of them has come up
/// before.
struct Brute<'a, G: Rules> {
    rules: G,
    history: History,
    /// The balance in question, for the player who wants it.
    balance: i8,
    ends: Ends<'a, G::Position>,
    proofs: HashMap<(Key, bool, usize), Vec<Kept>>,
    visited: u64,
}

/// What was proved, and the positions that the proof goes through.
type Kept = (bool, Rc<[Key]>);

/// Where lines end.
#[derive(Clone, Copy)]
enum Ends<'a, P> {
    /// Within so many plies: a line that goes on fails.
    Within(usize),
    /// Whenever they do. A position that a capture leads to is worth what this says, its history being empty.
    Ever(&'a dyn Fn(&P) -> i8),
}

struct Proof {
    /// `None` where the depth or the patience did not reach.
    holds: Option<bool>,
    /// The ply of the earliest position that it rests on.
    path_dependency: usize,
    through: Vec<Key>,
}

impl Proof {
    const OPEN: Proof = Proof { holds: None, path_dependency: usize::MAX, through: Vec::new() };

    fn sure(holds: bool) -> Proof {
        Proof { holds: Some(holds), ..Proof::OPEN }
    }
}

/// Positions that are looked at for one question.
const PATIENCE: u64 = 400_000;

impl<G: Rules> Brute<'_, G> {
    /// Whether the player to move (`wants`), or else the other one, gets the balance from a position at the end of a history.
    fn forces(
        rules: G,
        history: &History,
        position: &G::Position,
        wants: bool,
        balance: i8,
        ends: Ends<'_, G::Position>,
    ) -> Option<bool> {
        let mut brute = Brute { rules, history: history.clone(), balance, ends, proofs: HashMap::new(), visited: 0 };
        let depths = match ends {
            Ends::Within(plies) => vec![plies],
            Ends::Ever(_) => vec![2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 50, 60, 80, 100, 150],
        };
        depths.into_iter().find_map(|depth| brute.node(position, wants, depth).holds)
    }

    /// The same after a move.
    fn forces_after(
        rules: G,
        history: &History,
        child: &Child<G::Position>,
        wants: bool,
        balance: i8,
        ends: Ends<'_, G::Position>,
    ) -> Option<bool> {
        let mut history = history.clone();
        history.push(rules.repetition_key(&child.position), child.irreversible);
        let verdict = history.verdict(rules.draw_limits()).map(|verdict| verdict.reason);
        match (child.end.or(verdict), ends) {
            (Some(reason), _) => {
                let mine = rules.outcome(&child.position, reason).balance();
                Some(if wants { mine >= balance } else { -mine >= balance })
            }
            (None, Ends::Ever(value)) if child.irreversible => {
                let mine = value(&child.position);
                Some(if wants { mine >= balance } else { -mine >= balance })
            }
            _ => Brute::forces(rules, &history, &child.position, wants, balance, ends),
        }
    }

    fn gets(&self, balance: i8, wants: bool) -> bool {
        if wants { balance >= self.balance } else { -balance >= self.balance }
    }

    fn node(&mut self, position: &G::Position, wants: bool, depth: usize) -> Proof {
        self.visited += 1;
        let in_time = matches!(self.ends, Ends::Within(_));
        // What the seeds left can bring.
        let (worst, best) = self.rules.result_bounds(position);
        let (worst, best) = (self.gets(worst, wants), self.gets(best, wants));
        if worst == best && !(best && in_time) {
            return Proof::sure(best);
        }
        let name = (self.rules.key(position), wants, if in_time { depth } else { 0 });
        if let Some(known) = self.proofs.get(&name) {
            let earlier: Vec<Key> = self.history.before().collect();
            let fits = |through: &[Key]| !earlier.iter().any(|key| through.contains(key));
            if let Some((holds, through)) = known.iter().find(|(_, through)| fits(through)) {
                return Proof { through: through.to_vec(), ..Proof::sure(*holds) };
            }
        }
        if !self.rules.has_move(position) {
            return Proof::sure(self.gets(self.rules.outcome(position, Reason::NoMove).balance(), wants));
        }
        let key = self.rules.repetition_key(position);
        if depth == 0 && in_time {
            return Proof { through: vec![key], ..Proof::sure(false) };
        }
        if depth == 0 || self.visited > PATIENCE {
            return Proof::OPEN;
        }
        let mut children = Vec::new();
        let _ = self.rules.expand(position, |_, child| -> ControlFlow<()> {
            children.push(*child);
            ControlFlow::Continue(())
        });
        // First what is over soonest, then what would be best if nothing had come up before.
        children.sort_by_key(|child| {
            let spoils = matches!(self.ends, Ends::Ever(value) if self.gets(value(&child.position), !wants) != wants);
            (child.end.is_none() && !child.irreversible, spoils, std::cmp::Reverse(child.captured))
        });
        let mut all = Proof { through: vec![key], ..Proof::sure(!wants) };
        let mut open = false;
        for child in &children {
            let proof = self.child(child, !wants, depth - 1);
            match proof.holds {
                None => open = true,
                Some(holds) if holds == wants => {
                    all = proof;
                    all.through.push(key);
                    open = false;
                    break;
                }
                Some(_) => {
                    all.path_dependency = all.path_dependency.min(proof.path_dependency);
                    all.through.extend(proof.through);
                }
            }
        }
        if open {
            return Proof::OPEN;
        }
        if let Some(holds) = all.holds
            && all.path_dependency >= self.history.plies() as usize
        {
            all.path_dependency = usize::MAX;
            all.through.sort_unstable();
            all.through.dedup();
            if all.through.len() < 600 {
                self.proofs.entry(name).or_default().push((holds, all.through.clone().into()));
            }
        }
        all
    }

    fn child(&mut self, child: &Child<G::Position>, wants: bool, depth: usize) -> Proof {
        if let Some(reason) = child.end {
            return Proof::sure(self.gets(self.rules.outcome(&child.position, reason).balance(), wants));
        }
        if let (Ends::Ever(value), true) = (self.ends, child.irreversible) {
            return Proof::sure(self.gets(value(&child.position), wants));
        }
        let key = self.rules.repetition_key(&child.position);
        self.history.push(key, child.irreversible);
        let proof = match self.history.verdict(self.rules.draw_limits()) {
            Some(verdict) => {
                let holds = self.gets(self.rules.outcome(&child.position, verdict.reason).balance(), wants);
                Proof { holds: Some(holds), path_dependency: verdict.path_dependency, through: vec![key] }
            }
            None => self.node(&child.position, wants, depth),
        };
        self.history.pop();
        if child.irreversible { Proof { through: Vec::new(), ..proof } } else { proof }
    }
}

/// One way to search.
#[derive(Clone, Copy, Debug)]
struct Way {
    tables: bool,
    objective: Objective,
    multi_pv: usize,
    threads: usize,
    nodes: u64,
}

impl Way {
    const PLAIN: Way = Way { tables: false, objective: Objective::Points, multi_pv: 1, threads: 1, nodes: 200_000 };
}

/// With and without tables, one line and three, for points and for the win, and with two threads.
fn ways() -> impl Iterator<Item = Way> {
    let all = [true, false].into_iter().flat_map(|tables| {
        let of_aim = move |objective| [1, 3].map(|multi_pv| Way { tables, objective, multi_pv, ..Way::PLAIN });
        [Objective::Points, Objective::Win].into_iter().flat_map(of_aim)
    });
    all.chain([Way { threads: 2, ..Way::PLAIN }])
}

/// What one set of positions came to.
#[derive(Default)]
struct Found {
    wrong: Vec<String>,
    /// Best moves that were checked, mates that were checked, and questions that were too hard to check.
    moves: usize,
    mates: usize,
    open: usize,
}

impl Found {
    fn check(&mut self, holds: Option<bool>, what: impl FnOnce() -> String) {
        match holds {
            Some(true) => {}
            Some(false) => self.wrong.push(what()),
            None => self.open += 1,
        }
    }

    /// Holds each mate that is told against the rules, and of lines with more plies than `most` none.
    fn check_mates<G: Rules>(
        &mut self,
        rules: G,
        history: &History,
        position: &G::Position,
        lines: &[Report],
        most: u32,
    ) {
        let mates = lines.iter().filter(|line| line.bound == Bound::Exact).filter_map(|line| match line.score {
            ScoreValue::Mate(plies) if plies.unsigned_abs() <= most => Some((line, plies)),
            _ => None,
        });
        for (line, plies) in mates {
            self.mates += 1;
            let ends = Ends::Within(plies.unsigned_abs() as usize - 1);
            let child = after(rules, position, line);
            let wins = Brute::forces_after(rules, history, &child, plies < 0, 1, ends);
            self.check(wins, || format!("mate {plies} is none: {:?}", line.pv));
        }
    }
}

fn after<G: Rules>(rules: G, position: &G::Position, line: &Report) -> Child<G::Position> {
    let mv = rules.resolve(position, &line.pv[0]).expect("a legal move");
    rules.play(position, mv, &mut Nobody)
}

/// Nothing was wrong, and not much was too hard to check.
fn all_is_true(found: &Found, least: usize) {
    assert!(found.wrong.is_empty(), "{} wrong:\n{}", found.wrong.len(), found.wrong.join("\n"));
    assert!(found.moves >= least && found.open * 8 < found.moves, "{} moves, {} open", found.moves, found.open);
}

/// A game on two rows with what a test needs of it.
struct TwoRows<G: Rules> {
    rules: G,
    tables: Tables,
    pits: usize,
    total: u8,
    /// Stores that points hang on.
    marks: &'static [u8],
}

impl<G: Searchable + Rules<Position = Board>> TwoRows<G> {
    fn new(variant: Variant, pits: usize, total: u8, marks: &'static [u8]) -> TwoRows<G> {
        let tables = endgames::built_in(variant, &OptionValues::new(G::OPTIONS)).expect("tables");
        TwoRows { rules: standard(), tables, pits, total, marks }
    }

    /// An unfinished board with three to seven seeds in the pits and a store near one of the marks.
    fn random(&self, rng: &mut Rng) -> Board {
        loop {
            let seeds = 3 + rng.below(5) as u8;
            let mut pits = vec![0_u8; 2 * self.pits];
            (0..seeds).for_each(|_| pits[rng.below(2 * self.pits)] += 1);
            let mark = self.marks[rng.below(self.marks.len())];
            let store = mark.saturating_sub(rng.below(usize::from(seeds) + 1) as u8).min(self.total - seeds);
            let stores = PerSeat { mover: store, other: self.total - seeds - store };
            let board = Board::new(PerSeat { mover: &pits[..self.pits], other: &pits[self.pits..] }, stores);
            if self.rules.terminal(&board).is_none() {
                return board;
            }
        }
    }

    /// What a table says of a board whose history is empty.
    fn value(&self, board: &Board) -> i8 {
        let (lower, upper) = self.rules.known(&self.tables, board).expect("few seeds");
        assert_eq!(lower, upper, "up to seven seeds all is known");
        lower
    }

    fn search(&self, board: &Board, way: Way) -> SearchJob<G> {
        let mut search = SearchJob::new(self.rules, *board, Player::South);
        search.tables = way.tables.then(|| self.tables.clone());
        search.limits.depth = Some(Depth(40));
        search.limits.nodes = Some(Nodes(way.nodes));
        (search.objective, search.multi_pv, search.threads) = (way.objective, way.multi_pv, way.threads);
        search
    }

    fn survey(&self, positions: usize) -> Found {
        let mut rng = Rng::new(11);
        let mut found = Found::default();
        for _ in 0..positions {
            let board = self.random(&mut rng);
            let history = History::new(self.rules.repetition_key(&board));
            let value = |board: &Board| self.value(board);
            let (ends, forced) = (Ends::Ever(&value), self.value(&board));
            let truth = |balance| Brute::forces(self.rules, &history, &board, true, balance, ends);
            let (Some(kept), Some(more)) = (truth(forced), truth(forced + 1)) else {
                found.open += 1;
                continue;
            };
            assert!(kept && !more, "{board:?}: the table has {forced}");
            let mut answers = HashMap::new();
            let mut keeps = |line: &Report, wanted| {
                let answer = || {
                    let child = after(self.rules, &board, line);
                    Brute::forces_after(self.rules, &history, &child, false, wanted, ends)
                };
                *answers.entry((line.pv[0].to_string(), wanted)).or_insert_with(answer)
            };
            for way in ways() {
                let token = write_position(&self.rules, &board, Player::South);
                let before = found.wrong.len();
                let search = |way| search_now(&mut table(), &self.search(&board, way));
                let summary = search(way);
                found.check_mates(self.rules, &history, &board, &summary.lines, u32::MAX);
                // A lost game is lost whatever is played, where points do not count.
                let wanted = if way.objective == Objective::Win { forced.signum() } else { forced };
                if way.objective == Objective::Points || wanted >= 0 {
                    found.moves += 1;
                    let mut best = summary.lines[0].clone();
                    // A search that was cut short is given more nodes.
                    if keeps(&best, wanted) == Some(false) && summary.nodes.0 >= way.nodes {
                        best = search(Way { nodes: 50 * way.nodes, ..way }).lines.remove(0);
                    }
                    found.check(keeps(&best, wanted), || format!("{} gives less than {wanted}: {best:?}", best.pv[0]));
                }
                found.wrong[before..].iter_mut().for_each(|line| line.insert_str(0, &format!("{token} {way:?}: ")));
            }
        }
        found
    }

    /// A search for a mate finds the same on a table that another search has filled.
    fn mates_do_not_hang_on_the_table(&self, positions: usize) {
        let mut rng = Rng::new(13);
        let mut mates = 0;
        for _ in 0..positions {
            let board = self.random(&mut rng);
            let mut for_mate = self.search(&board, Way { objective: Objective::Win, ..Way::PLAIN });
            for_mate.limits.depth = None;
            for_mate.limits.win_within = Some(Depth(15));
            let mut plain = self.search(&board, Way { tables: true, ..Way::PLAIN });
            plain.limits.depth = Some(Depth(30));
            let told = |memory: &mut Table| search_now(memory, &for_mate).lines[0].score;
            let (fresh, mut filled) = (told(&mut table()), table());
            search_now(&mut filled, &plain);
            assert_eq!(told(&mut filled), fresh, "{}", write_position(&self.rules, &board, Player::South));
            mates += usize::from(matches!(fresh, ScoreValue::Mate(_)));
        }
        assert!(mates * 20 > positions, "{mates} mates");
    }
}

fn wuri() -> TwoRows<Wuri<true>> {
    TwoRows::new(Variant::Wuri, 6, 48, &[24])
}

fn urim() -> TwoRows<Urim<6, true>> {
    TwoRows::new(Variant::Urim, 6, 36, &[9, 18, 27])
}

fn urim7() -> TwoRows<Urim<7, true>> {
    TwoRows::new(Variant::Urim7, 7, 42, &[10, 21, 32])
}

fn table() -> Table {
    Table::new(Mebibytes(1)).expect("a mebibyte")
}

/// What can be forced within so many plies of a game on four rows, in points.
const HORIZON: usize = 6;

/// Positions of random games at most six plies before their end, searched.
fn four_rows<G: Searchable>(positions: usize, depth: u16) -> Found {
    let rules: G = standard();
    let mut rng = Rng::new(17);
    let mut found = Found::default();
    for number in 0..positions {
        let mut game = vec![(rules.start(), History::new(rules.repetition_key(&rules.start())))];
        loop {
            let (position, mut history) = game.last().expect("a start").clone();
            let mut children = Vec::new();
            let _ = rules.expand(&position, |_, child| -> ControlFlow<()> {
                children.push(*child);
                ControlFlow::Continue(())
            });
            let child = children[rng.below(children.len())];
            history.push(rules.repetition_key(&child.position), child.irreversible);
            let over = child.end.is_some() || history.verdict(rules.draw_limits()).is_some();
            if over || !rules.has_move(&child.position) {
                break;
            }
            game.push((child.position, history));
        }
        let (position, history) = &game[game.len().saturating_sub(1 + number % HORIZON)];
        let within = Ends::Within(HORIZON);
        let forced = [12, 2, 1, 0, -1, -2]
            .into_iter()
            .find(|&balance| Brute::forces(rules, history, position, true, balance, within) == Some(true));
        for multi_pv in [1, 3] {
            let mut search = SearchJob::new(rules, *position, Player::South);
            search.history = history.clone();
            search.limits.depth = Some(Depth(depth));
            search.multi_pv = multi_pv;
            let lines = search_now(&mut table(), &search).lines;
            let token = write_position(&rules, position, Player::South);
            let before = found.wrong.len();
            found.moves += 1;
            if let Some(forced) = forced {
                let child = after(rules, position, &lines[0]);
                let spoilt = Brute::forces_after(rules, history, &child, true, 1 - forced, within);
                found.check(spoilt.map(|spoilt| !spoilt), || format!("{} gives less than {forced}", lines[0].pv[0]));
            }
            found.check_mates(rules, history, position, &lines, 8);
            found.wrong[before..].iter_mut().for_each(|line| line.insert_str(0, &format!("{token}: ")));
        }
    }
    found
}

#[test]
fn the_best_move_keeps_what_can_be_forced() {
    all_is_true(&wuri().survey(30), 150);
    all_is_true(&urim().survey(30), 150);
    all_is_true(&urim7().survey(30), 150);
}

#[test]
fn the_best_move_keeps_what_can_be_forced_on_four_rows() {
    all_is_true(&four_rows::<Omweso<true>>(40, 10), 80);
    all_is_true(&four_rows::<Kimasai<true>>(40, 10), 80);
}

#[test]
fn a_search_for_a_mate_does_not_hang_on_the_table() {
    wuri().mates_do_not_hang_on_the_table(60);
    urim().mates_do_not_hang_on_the_table(60);
    urim7().mates_do_not_hang_on_the_table(60);
}

/// Tests of thousands of positions, an hour of CPU time in all: to be run after a change of the search.
mod thousands {
    use super::*;

    #[test]
    #[ignore = "800 positions a game: run after a change of the search"]
    fn a_search_for_a_mate_does_not_hang_on_the_table() {
        wuri().mates_do_not_hang_on_the_table(800);
        urim().mates_do_not_hang_on_the_table(800);
        urim7().mates_do_not_hang_on_the_table(800);
    }

    #[test]
    #[ignore = "500 positions: run after a change of the search"]
    fn omweso() {
        all_is_true(&four_rows::<Omweso<true>>(500, 10), 1000);
    }

    #[test]
    #[ignore = "500 positions: run after a change of the search"]
    fn kimasai() {
        all_is_true(&four_rows::<Kimasai<true>>(500, 10), 1000);
    }

    #[test]
    #[ignore = "2,000 positions: run after a change of the search"]
    fn wuri_in_each_way_of_searching() {
        all_is_true(&wuri().survey(2000), 10_000);
    }

    #[test]
    #[ignore = "2,000 positions: run after a change of the search"]
    fn urim_in_each_way_of_searching() {
        all_is_true(&urim().survey(2000), 10_000);
    }

    #[test]
    #[ignore = "2,000 positions: run after a change of the search"]
    fn urim7_in_each_way_of_searching() {
        all_is_true(&urim7().survey(2000), 10_000);
    }
}

/// Two points that one move keeps (U11), with tables and without: it was given away for one point at once.
#[test]
fn two_points_are_not_given_away_for_one() {
    let urim = urim();
    for (token, wanted) in [
        ("1-0-0-0-1-1-0-0-0-0-0-1-26-6-S", "A"),
        ("0-0-0-0-1-1-1-1-0-0-0-0-26-6-S", "F"),
        ("0-0-0-1-0-2-0-1-0-0-0-0-25-7-S", "F"),
        ("0-0-0-1-0-1-1-0-1-0-0-0-25-7-S", "F"),
    ] {
        let (board, _) = read_position(&urim.rules, token).expect("a position");
        for way in ways().filter(|way| way.objective == Objective::Points) {
            let lines = search_now(&mut table(), &urim.search(&board, way)).lines;
            assert_eq!(lines[0].pv[0], wanted, "{token} {way:?}");
        }
    }
}

/// With a history: North to move has played `e`, and of South's moves E alone keeps two points.
#[test]
fn two_points_are_kept_after_a_move_too() {
    let mut game = common::open(Variant::Urim, "");
    game.set_up(Some("2-0-0-1-1-0-0-0-0-0-1-1-21-9-N"), &[common::written("e")]).expect("a position");
    let mut request = SearchRequest::new(Arc::new(StopHandle::alone()));
    request.limits.depth = Some(Depth(40));
    let line = &game.search_now(&mut table(), request).lines[0];
    assert_eq!((line.pv[0].to_string(), line.score), ("E".to_owned(), ScoreValue::Mate(14)));
}

/// Nobody can force an end within eleven plies of the first position, or four of the second; each was told once, from entries of other
/// searches in the table.
#[test]
fn no_mate_is_told_from_what_another_search_has_left() {
    for (variant, token, table_seeds, never) in [
        (Variant::Urim, "0-0-0-0-2-0-0-1-1-0-3-0-4-25-N", 0, 11),
        (Variant::Urim7, "2-0-0-0-0-2-0-0-1-0-0-0-0-1-30-6-N", u8::MAX, 4),
    ] {
        let mut game = common::open(variant, "");
        game.set_up(Some(token), &[]).expect("a position");
        let mut memory = table();
        let mut score = |depth: Option<Depth>, win_within: Option<Depth>| {
            let mut request = SearchRequest::new(Arc::new(StopHandle::alone()));
            (request.limits.depth, request.limits.win_within, request.table_seeds) = (depth, win_within, table_seeds);
            game.search_now(&mut memory, request).lines[0].score
        };
        let scores = [score(None, Some(Depth(15))), score(Some(Depth(30)), None), score(None, Some(Depth(15)))];
        assert_eq!(scores[0], scores[2], "{token}");
        let is_told = |score: &ScoreValue| matches!(score, ScoreValue::Mate(plies) if plies.unsigned_abs() <= never);
        assert!(!scores.iter().any(is_told), "{token}: {scores:?}");
    }
}
