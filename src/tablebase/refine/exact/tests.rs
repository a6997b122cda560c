//! The search held against play with the whole history, on small graphs where anything can lead anywhere.

use proptest::prelude::*;

use super::super::layer_graph::{LayerGraph, Lists, Node};
use super::*;

const ENOUGH: Effort = Effort { most_seeds: u8::MAX, each: u64::MAX, all: u64::MAX };

/// States with their moves; a state with a leak has a way out that wins for its mover or for the other.
#[derive(Clone, Debug)]
struct Graph {
    nodes: Vec<Node>,
    next: Vec<Vec<u32>>,
}

impl Graph {
    fn layer_graph(&self) -> LayerGraph {
        let mut next = Lists::default();
        self.next.iter().for_each(|list| next.extend(list.iter().copied()));
        LayerGraph::new(self.nodes.clone(), next)
    }

    /// Who wins from a state, by trying everything. `kind` tells for which movers their leak is a win.
    fn played_out(&self, node: u32, history: &mut Vec<u32>, kind: &[bool]) -> Player {
        let here = self.nodes[node as usize];
        if history.contains(&node) {
            return here.gains;
        }
        if here.open_exit && kind[node as usize] {
            return here.mover;
        }
        history.push(node);
        let wins = self.next[node as usize].iter().any(|&to| self.played_out(to, history, kind) == here.mover);
        history.pop();
        if wins { here.mover } else { !here.mover }
    }

    /// Claims nothing that playing it out does not bear out, whatever the leaks are worth.
    fn claims_hold(&self, winners: &[Option<Player>]) -> Result<(), TestCaseError> {
        for kind in [true, false] {
            // Leaks that are worth the same to one player, then such that are worth the same to each mover.
            for fixed in [Some(Player::South), None] {
                let worth = |node: &Node| fixed.map_or(kind, |player| (node.mover == player) == kind);
                let kinds: Vec<bool> = self.nodes.iter().map(worth).collect();
                for (node, winner) in (0..).zip(winners) {
                    if let Some(winner) = winner {
                        prop_assert_eq!(*winner, self.played_out(node, &mut Vec::new(), &kinds), "state {}", node);
                    }
                }
            }
        }
        Ok(())
    }
}

fn player(south: bool) -> Player {
    if south { Player::South } else { Player::North }
}

/// Graphs in which movers take turns, as on a board. Leaks are as rare as `open_exits` of 100.
fn graphs(open_exits: u8) -> impl Strategy<Value = Graph> {
    let node = (any::<bool>(), 0..100_u8, prop::collection::vec(any::<prop::sample::Index>(), 0..=3));
    prop::collection::vec(node, 2..=11).prop_map(move |list| {
        let count = list.len();
        let south = |node: usize| node.is_multiple_of(2);
        let mut graph = Graph { nodes: Vec::new(), next: Vec::new() };
        for (at, (gains, open_exit, moves)) in list.into_iter().enumerate() {
            let ends = (0..count).filter(|&to| south(to) != south(at)).collect::<Vec<_>>();
            let mut next: Vec<u32> = moves.iter().map(|to| *to.get(&ends) as u32).collect();
            next.sort_unstable();
            next.dedup();
            graph.nodes.push(Node {
                mover: player(south(at)),
                gains: player(gains),
                open_exit: open_exit < open_exits,
                name: at as u32,
                known: None,
            });
            graph.next.push(next);
        }
        graph
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_winner_is_found_with_the_history_that_he_has(graph in graphs(0)) {
        let winners = Solver::new(ENOUGH).winners(graph.layer_graph());
        prop_assert!(winners.iter().all(Option::is_some), "{:?}", winners);
        graph.claims_hold(&winners)?;
    }

    #[test]
    fn steering_claims_only_what_holds(graph in graphs(0)) {
        let winners = Solver::new(Effort::NONE).winners(graph.layer_graph());
        graph.claims_hold(&winners)?;
    }

    #[test]
    fn what_is_not_known_well_enough_is_claimed_by_nobody(graph in graphs(15)) {
        graph.claims_hold(&Solver::new(ENOUGH).winners(graph.layer_graph()))?;
        graph.claims_hold(&Solver::new(Effort::NONE).winners(graph.layer_graph()))?;
    }

    #[test]
    fn a_search_that_is_cut_short_claims_nothing_wrong(graph in graphs(0), each in 0..200_u64, all in 0..600_u64) {
        graph.claims_hold(&Solver::new(Effort { most_seeds: u8::MAX, each, all }).winners(graph.layer_graph()))?;
    }
}
