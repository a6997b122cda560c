//! Tight bounds of small endgames against play with the whole history, and each claim that needs none against its strategy.
//!
//! Boards are numbered here by a map of their own, and their moves come from [`Rules::expand`] alone.

mod common;

use std::collections::HashMap;
use std::ops::ControlFlow;

use common::{open, option_values, written};
use empiki::rules::outcome::Reason;
use empiki::rules::two_row::{Board, TwoRow};
use empiki::rules::urim::Urim;
use empiki::rules::wuri::Wuri;
use empiki::rules::{Rules, lanes};
use empiki::tablebase::layer::Layer;
use empiki::tablebase::refine::{Effort, refine};
use empiki::tablebase::{Draft, index, retrograde};
use empiki::units::{PerSeat, Variant};

/// Every rule for grand slams, as options are written without the game's name.
const SLAMS: [&str; 4] = ["no-capture", "illegal", "illegal-unless-only", "capture"];

/// Enough to finish every search in layers as small as here.
const ENDLESS: Effort = Effort { most_seeds: u8::MAX, each: u64::MAX, all: u64::MAX };

/// A move by what it leads to: the seeds that are left, and the board by its number.
#[derive(Clone, Copy)]
struct Way {
    seeds: usize,
    to: usize,
}

/// All boards with few seeds and the moves between them.
struct World {
    pits: usize,
    /// A position that comes up for this many times ends the game.
    repetition: u8,
    boards: Vec<Vec<Board>>,
    ways: Vec<Vec<Vec<Way>>>,
    /// What the mover gets where he has no move.
    awards: Vec<Vec<u8>>,
}

impl World {
    fn new<G: Rules<Position = Board>>(rules: &G, most: u8) -> World {
        let pits = G::LAYOUT.pits;
        let boards: Vec<Vec<Board>> = (0..=most).map(|seeds| all_boards(pits, seeds)).collect();
        let numbers: HashMap<Board, usize> =
            boards.iter().flat_map(|layer| layer.iter().enumerate().map(|(number, &board)| (board, number))).collect();
        let mut world = World {
            pits,
            repetition: rules.draw_limits().repetition as u8,
            boards,
            ways: Vec::new(),
            awards: Vec::new(),
        };
        for layer in &world.boards {
            world.ways.push(layer.iter().map(|board| ways(rules, board, &numbers)).collect());
            // Without a store, what the mover has in the end is what he gets of the pits.
            let award = |board| rules.outcome(board, Reason::NoMove).seeds.mover.0 / 2;
            world.awards.push(layer.iter().map(|board| award(board) as u8).collect());
        }
        world
    }

    /// The seeds in the first player's row.
    fn row(&self, seeds: usize, number: usize, first_moves: bool) -> u8 {
        let board = self.boards[seeds][number];
        lanes::sum(if first_moves { board.own } else { board.other } & lanes::lowest(self.pits))
    }

    /// What the mover of each board gets when both play their best and nothing was played before, by trying everything.
    fn true_values(&self) -> Vec<Vec<u8>> {
        let mut values: Vec<Vec<u8>> = Vec::new();
        for seeds in 0..self.boards.len() {
            let mut seen = vec![[0; 2]; self.boards[seeds].len()];
            let mut value = |number| {
                let forces = |&wanted: &u8| self.gets(&values, seeds, number, true, wanted, &mut seen);
                (1..=seeds as u8).take_while(forces).last().unwrap_or(0)
            };
            let layer = (0..self.boards[seeds].len()).map(&mut value).collect();
            values.push(layer);
        }
        values
    }

    /// What the mover of each board can force, and what the other can, where going round counts nothing: the least fixed point of
    /// looking one move ahead, swept over a layer until nothing changes.
    fn forced_values(&self) -> Vec<Vec<[u8; 2]>> {
        let mut forced: Vec<Vec<[u8; 2]>> = Vec::new();
        for (seeds, all_ways) in self.ways.iter().enumerate() {
            let mut layer = vec![[0; 2]; all_ways.len()];
            loop {
                let mut changed = false;
                for (number, ways) in all_ways.iter().enumerate() {
                    let beyond = |way: &Way| if way.seeds == seeds { layer[way.to] } else { forced[way.seeds][way.to] };
                    let mover = |way: &Way| (seeds - way.seeds) as u8 + beyond(way)[1];
                    let award = self.awards[seeds][number];
                    let now = [
                        ways.iter().map(mover).max().unwrap_or(award),
                        ways.iter().map(|way| beyond(way)[0]).min().unwrap_or(seeds as u8 - award),
                    ];
                    changed |= layer[number] != now;
                    layer[number] = now;
                }
                if !changed {
                    break;
                }
            }
            forced.push(layer);
        }
        forced
    }

    /// Whether the first player gets so many seeds when these states were seen before.
    fn gets(
        &self,
        values: &[Vec<u8>],
        seeds: usize,
        number: usize,
        first_moves: bool,
        wanted: u8,
        seen: &mut Vec<[u8; 2]>,
    ) -> bool {
        if seen[number][usize::from(first_moves)] + 1 == self.repetition {
            return self.row(seeds, number, first_moves) >= wanted;
        }
        let ways = &self.ways[seeds][number];
        if ways.is_empty() {
            let award = self.awards[seeds][number];
            return if first_moves { award } else { seeds as u8 - award } >= wanted;
        }
        seen[number][usize::from(first_moves)] += 1;
        let mut pays = |way: &Way| {
            if way.seeds == seeds {
                self.gets(values, seeds, way.to, !first_moves, wanted, seen)
            } else {
                let value = values[way.seeds][way.to];
                (if first_moves { seeds as u8 - value } else { value }) >= wanted
            }
        };
        let (leaving, staying): (Vec<Way>, Vec<Way>) = ways.iter().partition(|way| way.seeds < seeds);
        let mut ways = leaving.iter().chain(&staying);
        let gets = if first_moves { ways.any(&mut pays) } else { ways.all(&mut pays) };
        seen[number][usize::from(first_moves)] -= 1;
        gets
    }
}

/// All ways to lay so many seeds into two rows.
fn all_boards(pits: usize, seeds: u8) -> Vec<Board> {
    let mut rows: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 1..2 * pits {
        let longer = |row: Vec<u8>| (0..=seeds - row.iter().sum::<u8>()).map(move |more| [&row[..], &[more]].concat());
        rows = rows.into_iter().flat_map(longer).collect();
    }
    let whole = |row: Vec<u8>| {
        let row = [&row[..], &[seeds - row.iter().sum::<u8>()]].concat();
        Board::new(PerSeat { mover: &row[..pits], other: &row[pits..] }, PerSeat { mover: 0, other: 0 })
    };
    rows.into_iter().map(whole).collect()
}

fn ways<G: Rules<Position = Board>>(rules: &G, board: &Board, numbers: &HashMap<Board, usize>) -> Vec<Way> {
    let mut ways = Vec::new();
    let _ = rules.expand(board, |_, child| -> ControlFlow<()> {
        let pits = lanes::lowest(7);
        let (own, other) = (child.position.own & pits, child.position.other & pits);
        let seeds = usize::from(lanes::sum(own) + lanes::sum(other));
        ways.push(Way { seeds, to: numbers[&Board { own, other }] });
        ControlFlow::Continue(())
    });
    ways
}

/// The layers up to `most` seeds; plain ones without an effort.
fn drafts<G: TwoRow<PITS>, const PITS: usize>(rules: &G, most: u8, effort: Option<Effort>) -> Vec<Draft> {
    let (mut drafts, mut layers) = (Vec::new(), Vec::new());
    for seeds in 0..=most {
        let mut draft = retrograde::solve(rules, seeds, &layers, 1, &|_| ());
        if let Some(effort) = effort {
            refine(rules, &mut draft, &layers, effort);
        }
        layers.push(Layer::new(draft.clone()));
        drafts.push(draft);
    }
    drafts
}

/// The bounds of a board in whole seeds.
fn bounds<const PITS: usize>(drafts: &[Draft], board: Board) -> (u8, u8) {
    let draft = &drafts[usize::from(index::seeds::<PITS>(board))];
    let rank = index::rank::<PITS>(board) as usize;
    (draft.lower[rank] / 2, draft.upper[rank] / 2)
}

fn rules<G: Rules>(options: &str) -> G {
    G::with_options(&option_values(G::VARIANT, options))
}

/// The true value lies within all bounds; searched ones name it where a search was made and finished.
fn truth_lies_within<G: TwoRow<PITS>, const PITS: usize>(options: &str, most: u8) {
    let rules: G = rules(options);
    let world = World::new(&rules, most);
    let values = world.true_values();
    let [plain, steered, searched] =
        [None, Some(Effort::NONE), Some(ENDLESS)].map(|effort| drafts(&rules, most, effort));
    for (layer, values) in world.boards.iter().zip(&values) {
        for (&board, value) in layer.iter().zip(values) {
            let [plain, steered, searched] = [&plain, &steered, &searched].map(|drafts| bounds::<PITS>(drafts, board));
            assert!((plain.0..=plain.1).contains(value), "{options}: {board:?} is {value}, plain {plain:?}");
            assert!((steered.0..=steered.1).contains(value), "{options}: {board:?} is {value}, steered {steered:?}");
            assert!(plain.0 <= steered.0 && steered.1 <= plain.1, "{options}: {board:?}");
            if world.repetition == 2 {
                assert_eq!(searched, (*value, *value), "{options}: {board:?}");
            } else {
                assert_eq!(searched, steered, "{options}: {board:?}");
            }
        }
    }
}

#[test]
fn the_truth_lies_within_the_bounds_of_wuri() {
    for slam in SLAMS {
        truth_lies_within::<Wuri<false>, 6>(&format!("Wuri_GrandSlam={slam}"), 3);
        truth_lies_within::<Wuri<false>, 6>(&format!("Wuri_GrandSlam={slam} Wuri_Repetition=3"), 2);
    }
}

#[test]
fn the_truth_lies_within_the_bounds_of_urim() {
    for slam in SLAMS {
        for award in ["own-row", "unfed"] {
            let options = format!("Urim_GrandSlam={slam} Urim_NoMoveAward={award}");
            truth_lies_within::<Urim<6, false>, 6>(&options, 3);
            truth_lies_within::<Urim<7, false>, 7>(&options, 3);
            truth_lies_within::<Urim<6, false>, 6>(&format!("{options} Urim_Repetition=3"), 2);
            truth_lies_within::<Urim<7, false>, 7>(&format!("{options} Urim_Repetition=3"), 2);
        }
    }
}

/// The plain bounds are what looking ahead finds, on every board.
fn plain_bounds_are_the_fixed_point<G: TwoRow<PITS>, const PITS: usize>(options: &str, most: u8) {
    let rules: G = rules(options);
    let world = World::new(&rules, most);
    let plain = drafts(&rules, most, None);
    for (seeds, (layer, forced)) in (0..).zip(world.boards.iter().zip(world.forced_values())) {
        for (&board, [mover, other]) in layer.iter().zip(forced) {
            assert_eq!(bounds::<PITS>(&plain, board), (mover, seeds - other), "{options}: {board:?}");
        }
    }
}

#[test]
fn plain_bounds_of_wuri_are_those_of_a_forward_solver() {
    for slam in SLAMS {
        plain_bounds_are_the_fixed_point::<Wuri<false>, 6>(&format!("Wuri_GrandSlam={slam}"), 6);
    }
}

#[test]
fn plain_bounds_of_urim_are_those_of_a_forward_solver() {
    for slam in SLAMS {
        for award in ["own-row", "unfed"] {
            let options = format!("Urim_GrandSlam={slam} Urim_NoMoveAward={award}");
            plain_bounds_are_the_fixed_point::<Urim<6, false>, 6>(&options, 6);
            plain_bounds_are_the_fixed_point::<Urim<7, false>, 7>(&options, 6);
        }
    }
}

/// How the first player forces so many seeds without looking at the history.
struct Strategy<'a> {
    world: &'a World,
    drafts: &'a [Draft],
    seeds: usize,
    wanted: u8,
    /// For each state that he is said to win the round in which it joined; none yet for `u32::MAX`.
    rounds: HashMap<(usize, bool), u32>,
    /// Where he moves to within the layer; elsewhere he leaves it.
    moves: HashMap<(usize, bool), usize>,
}

impl<'a> Strategy<'a> {
    /// The states that the bounds call won.
    fn claimed<const PITS: usize>(world: &'a World, drafts: &'a [Draft], seeds: usize, wanted: u8) -> Strategy<'a> {
        let mut rounds = HashMap::new();
        for (number, &board) in world.boards[seeds].iter().enumerate() {
            let (lower, upper) = bounds::<PITS>(drafts, board);
            if lower >= wanted {
                rounds.insert((number, true), u32::MAX);
            }
            if seeds as u8 - upper >= wanted {
                rounds.insert((number, false), u32::MAX);
            }
        }
        Strategy { world, drafts, seeds, wanted, rounds, moves: HashMap::new() }
    }

    /// Whether leaving the layer like this is enough for the first player.
    fn leaving_pays<const PITS: usize>(&self, way: &Way, first_moves: bool) -> bool {
        let (lower, upper) = bounds::<PITS>(self.drafts, self.world.boards[way.seeds][way.to]);
        (if first_moves { self.seeds as u8 - upper } else { lower }) >= self.wanted
    }

    /// Whether the first player can see to it that the next state is one of these or the layer is left for enough; and where
    /// he moves to, if he stays.
    fn controls<const PITS: usize>(
        &self,
        state: (usize, bool),
        inside: impl Fn((usize, bool)) -> bool,
    ) -> (bool, Option<usize>) {
        let (number, first_moves) = state;
        let ways = &self.world.ways[self.seeds][number];
        if ways.is_empty() {
            let award = self.world.awards[self.seeds][number];
            let award = if first_moves { award } else { self.seeds as u8 - award };
            return (award >= self.wanted, None);
        }
        let stays = |way: &&Way| way.seeds == self.seeds;
        let good = |way: &Way| match stays(&way) {
            true => inside((way.to, !first_moves)),
            false => self.leaving_pays::<PITS>(way, first_moves),
        };
        if !first_moves {
            return (ways.iter().all(good), None);
        }
        let leaves = ways.iter().any(|way| !stays(&way) && good(way));
        let to = ways.iter().filter(stays).find(|way| good(way)).map(|way| way.to).filter(|_| !leaves);
        (leaves || to.is_some(), to)
    }

    fn has_enough(&self, (number, first_moves): (usize, bool)) -> bool {
        self.world.row(self.seeds, number, first_moves) >= self.wanted
    }

    /// Finds a strategy for each claim, round by round; tells whether there is one.
    fn work_out<const PITS: usize>(&mut self) -> bool {
        for round in 0.. {
            let mut joining: Vec<(usize, bool)> =
                self.rounds.iter().filter(|&(_, &joined)| joined == u32::MAX).map(|(&state, _)| state).collect();
            if joining.is_empty() {
                return true;
            }
            let joined = |state| self.rounds.get(&state).is_some_and(|&joined| joined < round);
            loop {
                let set: std::collections::HashSet<(usize, bool)> = joining.iter().copied().collect();
                let stays = |&state: &(usize, bool)| {
                    self.controls::<PITS>(state, joined).0
                        || self.has_enough(state)
                            && self.controls::<PITS>(state, |to| joined(to) || set.contains(&to)).0
                };
                let before = joining.len();
                joining.retain(stays);
                if joining.len() == before {
                    break;
                }
            }
            if joining.is_empty() {
                return false;
            }
            let set: std::collections::HashSet<(usize, bool)> = joining.iter().copied().collect();
            let moves: Vec<_> = joining
                .iter()
                .map(|&state| match self.controls::<PITS>(state, joined) {
                    (true, to) => (state, to),
                    _ => (state, self.controls::<PITS>(state, |to| joined(to) || set.contains(&to)).1),
                })
                .collect();
            for (state, to) in moves {
                self.rounds.insert(state, round);
                self.moves.extend(to.map(|to| (state, to)));
            }
        }
        unreachable!("rounds without end")
    }

    /// Whatever the second player does, the first one stays among won states or leaves the layer for enough; and no cycle holds a
    /// state in which he has too little, since the round never grows and falls at each such state.
    fn holds<const PITS: usize>(&self) {
        for (&state, &round) in &self.rounds {
            let (number, first_moves) = state;
            let ways = &self.world.ways[self.seeds][number];
            let played: Vec<Way> = match self.moves.get(&state) {
                Some(&to) => vec![Way { seeds: self.seeds, to }],
                None if first_moves => {
                    assert!(self.controls::<PITS>(state, |_| false).0, "no way out of {state:?}");
                    continue;
                }
                None => ways.clone(),
            };
            for way in played {
                if way.seeds < self.seeds {
                    assert!(self.leaving_pays::<PITS>(&way, first_moves), "{state:?}");
                    continue;
                }
                let after = self.rounds[&(way.to, !first_moves)];
                assert!(after < round || after == round && self.has_enough(state), "{state:?}");
            }
        }
    }
}

fn steered_claims_have_strategies<G: TwoRow<PITS>, const PITS: usize>(options: &str, most: u8) {
    let rules: G = rules(options);
    let world = World::new(&rules, most);
    let drafts = drafts(&rules, most, Some(Effort::NONE));
    for seeds in 1..=usize::from(most) {
        for wanted in 1..=seeds as u8 {
            let mut strategy = Strategy::claimed::<PITS>(&world, &drafts, seeds, wanted);
            assert!(strategy.work_out::<PITS>(), "{options}: {seeds} seeds, {wanted} wanted");
            strategy.holds::<PITS>();
        }
    }
}

#[test]
fn what_is_steered_to_has_a_strategy_without_a_history() {
    steered_claims_have_strategies::<Wuri<true>, 6>("", 6);
    steered_claims_have_strategies::<Wuri<false>, 6>("Wuri_GrandSlam=capture Wuri_Repetition=3", 5);
    steered_claims_have_strategies::<Urim<6, true>, 6>("", 5);
    steered_claims_have_strategies::<Urim<6, false>, 6>("Urim_GrandSlam=illegal Urim_NoMoveAward=unfed", 5);
    steered_claims_have_strategies::<Urim<7, true>, 7>("", 4);
}

/// With little effort every position up to seven seeds is exact. Returns the layers.
fn small_layers_are_exact<G: TwoRow<PITS>, const PITS: usize>() -> Vec<Draft> {
    let drafts = drafts::<G, PITS>(&rules(""), 8, Some(Effort::SHORT));
    for draft in &drafts[..=7] {
        assert_eq!(draft.lower, draft.upper, "{} seeds", draft.seeds);
    }
    drafts
}

/// A visited position in which a player has enough in his row never hurts him; so what the next position is worth to him there, he
/// can have here. And what a capture is sure to bring is not left lying.
fn neighbours_agree<G: TwoRow<PITS>, const PITS: usize>(drafts: &[Draft]) {
    let rules: G = rules("");
    let plain = self::drafts(&rules, 8, None);
    let mut rng = common::Rng::new(7);
    for draft in &drafts[7..] {
        for _ in 0..2_000 {
            let rank = rng.below(draft.lower.len());
            let board = index::unrank::<PITS>(draft.seeds, rank as u64);
            let (lower, upper) = bounds::<PITS>(drafts, board);
            let (plain_lower, plain_upper) = bounds::<PITS>(&plain, board);
            assert!(plain_lower <= lower && lower <= upper && upper <= plain_upper, "{board:?}");
            let row = board.rows::<PITS>().mover;
            let _ = rules.expand(&board, |_, child| -> ControlFlow<()> {
                let sure = draft.seeds - bounds::<PITS>(drafts, child.position).1;
                let carried = if child.captured > 0 { sure } else { sure.min(row) };
                assert!(carried <= upper, "{board:?} is worth {upper} at most, yet {carried} can be had");
                assert!(child.captured == 0 || carried <= lower, "{board:?}");
                ControlFlow::Continue(())
            });
        }
    }
}

#[test]
fn seven_seeds_are_exact_in_wuri_and_agree_with_their_neighbours() {
    neighbours_agree::<Wuri<true>, 6>(&small_layers_are_exact::<Wuri<true>, 6>());
}

#[test]
fn seven_seeds_are_exact_in_urim_and_agree_with_their_neighbours() {
    neighbours_agree::<Urim<6, true>, 6>(&small_layers_are_exact::<Urim<6, true>, 6>());
    neighbours_agree::<Urim<7, true>, 7>(&small_layers_are_exact::<Urim<7, true>, 7>());
}

#[test]
fn bounds_speak_of_an_empty_history_only() {
    let mut game = open(Variant::Wuri, "");
    game.set_up(Some("1-0-0-0-0-2-0-0-0-0-0-0-22-23-S"), &[]).expect("a position");
    for letter in "FbAaBcCdDeEfAbBcCdDeE".chars() {
        game.play(&[written(&letter.to_string())]).expect("a legal move");
    }
    let token = game.token();
    assert!(token.ends_with("-22-23-N"), "{token}");
    let counts: Vec<u8> = token.split('-').take(12).map(|count| count.parse().expect("a count")).collect();
    let board = Board::new(PerSeat { mover: &counts[6..], other: &counts[..6] }, PerSeat { mover: 0, other: 0 });
    let plain = drafts::<Wuri<true>, 6>(&rules(""), 3, None);
    assert_eq!(bounds::<6>(&plain, board), (3, 3), "{token}");
    // Yet his only move repeats.
    let moves = common::legal_words(&*game);
    assert_eq!(moves.len(), 1, "{token}");
    game.play(&[written(&moves[0])]).expect("a legal move");
    let result = game.outcome().expect("the end").describe(game.mover());
    assert!(result.contains("reason repetition"), "{result}");
    assert!(result.starts_with("south") && result.contains("seeds 25-23"), "{result}");
}
