//! What a player can force by a strategy that looks at the state alone.

use super::layer_graph::{LayerGraph, Part};
use crate::units::Player;

/// The winner of each state that a player wins by steering. Only those who may gain are looked at.
pub(super) fn positional(part: &Part) -> Vec<Option<Player>> {
    let mut steering = Steering::new(&part.layer_graph);
    for &(node, winner) in &part.won {
        steering.decide(node, winner);
    }
    for node in part.layer_graph.all() {
        let state = part.layer_graph.nodes[node as usize];
        if steering.left[node as usize] == 0 && !state.open_exit {
            steering.decide(node, !state.mover);
        }
    }
    steering.attract();
    // A cage of one player opens none for the other, from whom it only takes moves.
    for player in Player::BOTH {
        while part.gainers[player] && steering.safe_set(player) {}
    }
    steering.verdicts
}

/// Gives a player all states from which he can keep to his colour until he comes to one that he is known to win.
pub(super) fn settle(layer_graph: &LayerGraph, verdicts: &mut [Option<Player>], player: Player) {
    let mut steering = Steering::new(layer_graph);
    let known = |node: u32| verdicts[node as usize] == Some(player);
    let out: Vec<u32> = layer_graph.all().filter(|&node| !known(node) && !steering.may_stay(node, player)).collect();
    for node in layer_graph.all() {
        steering.stays[node as usize] = if known(node) { FOR_EVER } else { steering.left[node as usize] };
    }
    steering.expel(out, player);
    for (verdict, stays) in verdicts.iter_mut().zip(steering.stays) {
        if stays > 0 {
            *verdict = Some(player);
        }
    }
}

/// In [`Steering::stays`]: in the set whatever becomes of its moves.
const FOR_EVER: u32 = u32::MAX;

struct Steering<'a> {
    layer_graph: &'a LayerGraph,
    verdicts: Vec<Option<Player>>,
    /// How many moves of a state lead to states without a verdict.
    left: Vec<u32>,
    /// States whose verdict is not yet told to those that lead there.
    fresh: Vec<u32>,
    /// How many moves of a state of a shrinking set may stay in it; 0 outside.
    stays: Vec<u32>,
}

impl<'a> Steering<'a> {
    fn new(layer_graph: &'a LayerGraph) -> Self {
        let left = layer_graph.all().map(|node| layer_graph.next.of(node).len() as u32).collect();
        let verdicts = vec![None; layer_graph.len()];
        Steering { layer_graph, verdicts, left, fresh: Vec::new(), stays: vec![0; layer_graph.len()] }
    }

    fn decide(&mut self, node: u32, winner: Player) {
        if self.verdicts[node as usize].is_none() {
            self.verdicts[node as usize] = Some(winner);
            self.fresh.push(node);
        }
    }

    /// Carries verdicts back to those who can move there, and to those who have nothing else.
    fn attract(&mut self) {
        while let Some(node) = self.fresh.pop() {
            let Some(winner) = self.verdicts[node as usize] else { continue };
            for &from in self.layer_graph.back.of(node) {
                self.left[from as usize] -= 1;
                let before = self.layer_graph.nodes[from as usize];
                if before.mover == winner || (self.left[from as usize] == 0 && !before.open_exit) {
                    self.decide(from, winner);
                }
            }
        }
    }

    /// Finds the largest set of states of a player's colour in which he can keep the game, and gives it to him; tells whether
    /// there is one.
    fn safe_set(&mut self, player: Player) -> bool {
        let mut out = Vec::new();
        for node in self.layer_graph.all() {
            let open = self.verdicts[node as usize].is_none();
            let inside = open && self.may_stay(node, player);
            self.stays[node as usize] = if inside { self.left[node as usize] } else { 0 };
            if open && !inside {
                out.push(node);
            }
        }
        self.expel(out, player);
        for node in self.layer_graph.all() {
            if self.stays[node as usize] > 0 {
                self.decide(node, player);
            }
        }
        let found = !self.fresh.is_empty();
        self.attract();
        found
    }

    /// Whether a state has a player's colour and a move, and its mover cannot leave for something unknown against his will.
    fn may_stay(&self, node: u32, player: Player) -> bool {
        let state = self.layer_graph.nodes[node as usize];
        state.gains == player && self.left[node as usize] > 0 && (state.mover == player || !state.open_exit)
    }

    /// Shrinks a set to those states from which the player can keep to it; `out` are the states outside.
    fn expel(&mut self, mut out: Vec<u32>, player: Player) {
        for &node in &out {
            self.stays[node as usize] = 0;
        }
        while let Some(node) = out.pop() {
            for &from in self.layer_graph.back.of(node) {
                let stays = &mut self.stays[from as usize];
                if *stays == 0 || *stays == FOR_EVER {
                    continue;
                }
                *stays = if self.layer_graph.nodes[from as usize].mover == player { *stays - 1 } else { 0 };
                if *stays == 0 {
                    out.push(from);
                }
            }
        }
    }
}
