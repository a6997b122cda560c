//! Who wins from a state when the history is kept.

use std::collections::HashMap;

use super::Effort;
use super::layer_graph::{LayerGraph, Part, Places};
use super::positional::{positional, settle};
use crate::units::Player;

#[cfg(test)]
mod tests;

/// Winners by state; `None` where nobody is known to win.
type Winners = Vec<Option<Player>>;

/// By how much the limit on visited states is raised from round to round.
const STEP: u32 = 2;
/// A limit after which components with fewer states than [`SMALL`] go on with [`HIGH`]: to search them in vain once more would
/// cost more than it could save.
const LOW: u32 = 3;
/// See [`LOW`].
const SMALL: usize = 600;
/// See [`LOW`].
const HIGH: u32 = 40;
/// No limit is higher than this, so that the stack of the program is always deep enough.
const HIGHEST: u32 = 80;

/// A limit on visited states that was never reached.
const BOUNDLESS: u32 = u32::MAX;

/// A state whose winner is asked for.
#[derive(Clone, Copy, Debug)]
struct Query {
    node: u32,
    /// With this winner nothing else need be found out.
    moot: Option<Player>,
}

impl Query {
    fn is_moot(&self, winners: &[Option<Player>]) -> bool {
        self.moot.is_some() && winners[self.node as usize] == self.moot
    }
}

/// What came of a search.
#[derive(Clone, Copy, Debug)]
enum Found {
    Won(Player),
    /// Nothing, with so many more states allowed in the history.
    Nothing(u32),
}

/// A search with the true history, depth first.
#[derive(Debug)]
pub(super) struct Solver {
    effort: Effort,
    /// What is left of it for the state in hand.
    left: u64,
    /// What is left of it for all.
    all_left: u64,
    /// States in the history now, and how many may be.
    depth: u32,
    deepest: u32,
    /// A state was left open because of `deepest`.
    cut: bool,
    /// Results by what is left of a component and the state to start from.
    memory: HashMap<(u128, u32), Found>,
}

impl Solver {
    /// A solver with so much to spend.
    pub(super) fn new(effort: Effort) -> Solver {
        Solver { effort, left: 0, all_left: effort.all, depth: 0, deepest: 0, cut: false, memory: HashMap::new() }
    }

    /// The winners of a stretch from an empty history.
    pub(super) fn winners(&mut self, layer_graph: LayerGraph) -> Winners {
        let part = Part::whole(layer_graph);
        if self.all_left == 0 {
            return positional(&part);
        }
        // Names are those of this stretch.
        self.memory.clear();
        let queries: Vec<Query> = part.layer_graph.all().map(|node| Query { node, moot: None }).collect();
        self.resolve(&part, &queries)
    }

    fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
        self.all_left = self.all_left.saturating_sub(work);
    }

    /// Whether the state in hand has had its share.
    fn is_spent(&self) -> bool {
        self.depth > 0 && (self.left == 0 || self.all_left == 0)
    }

    /// Steers, and searches the components that this leaves, the last ones first.
    fn resolve(&mut self, part: &Part, queries: &[Query]) -> Winners {
        let layer_graph = &part.layer_graph;
        self.spend(layer_graph.size());
        let known: Winners = layer_graph.nodes.iter().map(|node| node.known).collect();
        if queries.iter().any(|query| query.is_moot(&known)) {
            return known;
        }
        let gained = part.gainers.south || part.gainers.north;
        let mut winners = if gained { positional(part) } else { vec![None; layer_graph.len()] };
        if queries.iter().any(|query| query.is_moot(&winners)) {
            return winners;
        }
        let components = layer_graph.components(queries.iter().map(|query| query.node), &winners);
        let wanted = wanted(layer_graph, queries, &components);
        let mut places = Places::new(layer_graph.len());
        for component in &components {
            if self.is_spent() {
                break;
            }
            let asked = || component.iter().filter_map(|&node| wanted[node as usize]);
            if let [node] = component[..] {
                winners[node as usize] = known[node as usize].or_else(|| best(layer_graph, node, &winners));
            } else if component.len() == layer_graph.len() {
                self.untie(part, &asked().collect::<Vec<_>>(), &mut winners);
                break;
            } else {
                let mut inner = layer_graph.part(component, &winners, &mut places);
                // Where nothing was visited yet, what lies behind a leak does not depend on it.
                inner.vague = part.vague || (inner.vague && self.depth > 0);
                let inside = (0..).zip(component).filter_map(|(place, &node)| Some((place, wanted[node as usize]?)));
                let inside: Vec<Query> = inside.map(|(node, query)| Query { node, moot: query.moot }).collect();
                let found = self.resolve(&inner, &inside);
                for (&node, winner) in component.iter().zip(found) {
                    winners[node as usize] = winner.or(known[node as usize]);
                }
            }
            if asked().any(|query| query.is_moot(&winners)) {
                break;
            }
        }
        winners
    }

    /// Searches a stretch that is one component, and in which steering wins nothing.
    fn untie(&mut self, part: &Part, queries: &[Query], winners: &mut Winners) {
        let layer_graph = &part.layer_graph;
        for player in Player::BOTH {
            let mut sure: Winners =
                layer_graph.nodes.iter().map(|node| node.known.filter(|&known| known == player)).collect();
            if sure.iter().any(Option::is_some) {
                settle(layer_graph, &mut sure, player);
                for (winner, sure) in winners.iter_mut().zip(sure) {
                    *winner = winner.or(sure);
                }
            }
        }
        if queries.iter().any(|query| query.is_moot(winners)) {
            return;
        }
        let mut places = Places::new(layer_graph.len());
        if self.depth == 0 {
            return self.in_rounds(part, queries, winners, &mut places);
        }
        let digest = layer_graph.digest();
        for query in queries {
            if winners[query.node as usize].is_some() {
                continue;
            }
            if let Some(winner) = self.remembered(part, digest, query.node, winners, &mut places) {
                winners[query.node as usize] = Some(winner);
                settle(layer_graph, winners, winner);
                if query.is_moot(winners) {
                    return;
                }
            }
        }
    }

    /// Searches from an empty history, with few visited states for all queries first, then with more.
    fn in_rounds(&mut self, part: &Part, queries: &[Query], winners: &mut Winners, places: &mut Places) {
        let mut open: Vec<u32> = queries.iter().map(|query| query.node).collect();
        self.deepest = 1;
        while !open.is_empty() && self.deepest <= HIGHEST {
            let mut later = Vec::new();
            for &node in &open {
                if winners[node as usize].is_some() || self.all_left == 0 {
                    continue;
                }
                self.left = self.effort.each;
                self.cut = false;
                if let Some(winner) = self.visit(part, node, winners, places) {
                    winners[node as usize] = Some(winner);
                    settle(&part.layer_graph, winners, winner);
                } else if self.cut && self.left > 0 {
                    later.push(node);
                }
            }
            open = later;
            let jumps = part.layer_graph.len() < SMALL && (LOW..HIGH).contains(&self.deepest);
            self.deepest = if jumps { HIGH } else { self.deepest + STEP };
        }
    }

    /// [`Solver::visit`], unless its result is known already or the history is full.
    fn remembered(
        &mut self,
        part: &Part,
        digest: u128,
        node: u32,
        known: &Winners,
        places: &mut Places,
    ) -> Option<Player> {
        let room = self.deepest.saturating_sub(self.depth);
        let entry = (digest, part.layer_graph.nodes[node as usize].name);
        match self.memory.get(&entry) {
            Some(&Found::Won(winner)) if !part.vague => return Some(winner),
            Some(&Found::Nothing(tried)) if tried >= room => {
                self.cut |= tried < BOUNDLESS;
                return None;
            }
            _ => {}
        }
        if room == 0 {
            self.cut = true;
            return None;
        }
        let cut_before = std::mem::take(&mut self.cut);
        let winner = self.visit(part, node, known, places);
        let tried = if self.cut { room } else { BOUNDLESS };
        self.cut |= cut_before;
        match winner {
            Some(winner) if !part.vague => {
                self.memory.insert(entry, Found::Won(winner));
            }
            None if !self.is_spent() => {
                self.memory.insert(entry, Found::Nothing(tried));
            }
            _ => {}
        }
        winner
    }

    /// Plays on from a state, which then stands in the history. `known` are winners before that.
    fn visit(&mut self, part: &Part, node: u32, known: &Winners, places: &mut Places) -> Option<Player> {
        let layer_graph = &part.layer_graph;
        let here = layer_graph.nodes[node as usize];
        // Standing in the history, it cannot hurt the player whose colour it has.
        let still: Winners = known.iter().map(|winner| winner.filter(|&winner| winner == here.gains)).collect();
        if let Some(winner) = best(layer_graph, node, &still) {
            return Some(winner);
        }
        let mut winners = vec![None; layer_graph.len()];
        winners[node as usize] = Some(here.gains);
        let members: Vec<u32> = layer_graph.all().filter(|&other| other != node).collect();
        let mut rest = layer_graph.part(&members, &winners, places);
        rest.vague = part.vague;
        for (state, &member) in rest.layer_graph.nodes.iter_mut().zip(&members) {
            state.known = still[member as usize];
        }
        let place = |to: u32| if to < node { to } else { to - 1 };
        let next = layer_graph.next.of(node);
        let queries: Vec<Query> = next.iter().map(|&to| Query { node: place(to), moot: Some(here.mover) }).collect();
        self.depth += 1;
        let found = self.resolve(&rest, &queries);
        self.depth -= 1;
        for &to in next {
            winners[to as usize] = found[place(to) as usize];
        }
        best(layer_graph, node, &winners)
    }
}

/// The states that are asked for, or lead out of one component into another.
fn wanted(layer_graph: &LayerGraph, queries: &[Query], components: &[Vec<u32>]) -> Vec<Option<Query>> {
    let mut wanted: Vec<Option<Query>> = vec![None; layer_graph.len()];
    for query in queries {
        wanted[query.node as usize] = Some(*query);
    }
    let mut home = vec![0; layer_graph.len()];
    for (number, component) in (0..).zip(components) {
        component.iter().for_each(|&node| home[node as usize] = number);
    }
    for (number, component) in (0..).zip(components) {
        for &to in component.iter().flat_map(|&node| layer_graph.next.of(node)) {
            if home[to as usize] != number && wanted[to as usize].is_none() {
                wanted[to as usize] = Some(Query { node: to, moot: None });
            }
        }
    }
    wanted
}

/// The winner of a state by what is known of those that it leads to.
fn best(layer_graph: &LayerGraph, node: u32, winners: &[Option<Player>]) -> Option<Player> {
    let here = layer_graph.nodes[node as usize];
    let mut lost = !here.open_exit;
    for &to in layer_graph.next.of(node) {
        match winners[to as usize] {
            Some(winner) if winner == here.mover => return Some(winner),
            Some(_) => {}
            None => lost = false,
        }
    }
    lost.then_some(!here.mover)
}
