//! One stretch as a graph: the open states of a layer at one threshold, the moves between them, and what is cut out of it.

use crate::rules::lanes::mix;
use crate::units::{PerPlayer, Player};

/// For each node a list of others, all in one piece of memory.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { starts: vec![0], items: Vec::new() }
    }
}

impl Lists {
    /// No lists, with room for so many short ones.
    fn with_room(lists: usize) -> Lists {
        let mut starts = Vec::with_capacity(lists + 1);
        starts.push(0);
        Lists { starts, items: Vec::with_capacity(2 * lists) }
    }

    /// Adds an item to the list that is not closed yet.
    pub(super) fn push(&mut self, item: u32) {
        self.items.push(item);
    }

    /// Closes a list.
    pub(super) fn close(&mut self) {
        self.starts.push(self.items.len() as u32);
    }

    /// Adds a whole list.
    pub(super) fn extend(&mut self, items: impl Iterator<Item = u32>) {
        self.items.extend(items);
        self.close();
    }

    /// The list of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.items[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// For each node those that have it in their list.
    fn reversed(&self) -> Lists {
        let count = self.starts.len() - 1;
        let mut starts = vec![0; count + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for node in 0..count {
            starts[node + 1] += starts[node];
        }
        let mut ends = starts.clone();
        let mut items = vec![0; self.items.len()];
        for node in 0..count as u32 {
            for &item in self.of(node) {
                let end = &mut ends[item as usize];
                items[*end as usize] = node;
                *end += 1;
            }
        }
        Lists { starts, items }
    }
}

/// A state of a stretch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Who is to move.
    pub(super) mover: Player,
    /// Whose colour it has: who wins if the game ends here by repetition.
    pub(super) gains: Player,
    /// The mover may leave for something that is not known well enough.
    pub(super) open_exit: bool,
    /// What tells it from all others, in every part of the stretch.
    pub(super) name: u32,
    /// Who is known to win from here with the present history.
    pub(super) known: Option<Player>,
}

/// States and the moves between them. Moves that lose for sure are left out.
#[derive(Clone, Debug)]
pub(super) struct LayerGraph {
    /// The states.
    pub(super) nodes: Vec<Node>,
    /// Where each leads to.
    pub(super) next: Lists,
    /// Where each comes from.
    pub(super) back: Lists,
}

/// What is cut out of a stretch, with what is known of the moves that lead out of it.
#[derive(Debug)]
pub(super) struct Part {
    /// The states that are left.
    pub(super) layer_graph: LayerGraph,
    /// States that are won by a single move.
    pub(super) won: Vec<(u32, Player)>,
    /// Who may win more than in the whole.
    pub(super) gainers: PerPlayer<bool>,
    /// What lies behind a leak depends on the history.
    pub(super) vague: bool,
}

impl Part {
    /// A whole stretch of which nothing is known yet.
    pub(super) fn whole(layer_graph: LayerGraph) -> Part {
        Part { layer_graph, won: Vec::new(), gainers: PerPlayer { south: true, north: true }, vague: false }
    }
}

impl LayerGraph {
    /// A stretch with these states and moves.
    pub(super) fn new(nodes: Vec<Node>, next: Lists) -> LayerGraph {
        let back = next.reversed();
        LayerGraph { nodes, next, back }
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All states.
    pub(super) fn all(&self) -> std::ops::Range<u32> {
        0..self.nodes.len() as u32
    }

    /// What a pass over the whole costs.
    pub(super) fn size(&self) -> u64 {
        (self.nodes.len() + self.next.items.len()) as u64
    }

    /// A number of the set of states and their leaks, so long that no two sets ever share it.
    pub(super) fn digest(&self) -> u128 {
        let digest = |node: &Node| {
            let name = u64::from(node.name) << 1 | u64::from(node.open_exit);
            u128::from(mix(name, 1, 2)) << 64 | u128::from(mix(name, 3, 4))
        };
        self.nodes.iter().map(digest).fold(0, u128::wrapping_add)
    }

    /// The part that holds `members` only, in their order.
    ///
    /// `verdicts` tells who wins where a move leads out of it; where that is not known, the move is a leak.
    pub(super) fn part(&self, members: &[u32], verdicts: &[Option<Player>], places: &mut Places) -> Part {
        places.enter(members);
        let mut part = Part {
            vague: false,
            gainers: PerPlayer::default(),
            ..Part::whole(LayerGraph::new(Vec::new(), Lists::default()))
        };
        let mut nodes = Vec::with_capacity(members.len());
        let mut next = Lists::with_room(members.len());
        for (place, &member) in (0..).zip(members) {
            let mut node = self.nodes[member as usize];
            let mut wins = false;
            for &to in self.next.of(member) {
                match (places.of(to), verdicts[to as usize]) {
                    (Some(inside), _) => next.push(inside),
                    (None, Some(winner)) => {
                        part.gainers[winner] = true;
                        wins |= winner == node.mover;
                    }
                    (None, None) => {
                        node.open_exit = true;
                        part.vague = true;
                    }
                }
            }
            next.close();
            if wins {
                part.won.push((place, node.mover));
            }
            nodes.push(node);
        }
        places.leave(members);
        Part { layer_graph: LayerGraph::new(nodes, next), ..part }
    }

    /// The strongly connected components of the states without a verdict that can be reached from `roots`, each one before those
    /// that lead to it.
    pub(super) fn components(&self, roots: impl Iterator<Item = u32>, verdicts: &[Option<Player>]) -> Vec<Vec<u32>> {
        let unmet = vec![0; self.len()];
        let mut walk = Walk {
            layer_graph: self,
            verdicts,
            number: unmet.clone(),
            low: unmet,
            count: 0,
            stack: Vec::new(),
            found: Vec::new(),
        };
        for root in roots {
            if verdicts[root as usize].is_none() && walk.number[root as usize] == 0 {
                walk.from(root);
            }
        }
        walk.found
    }
}

/// Scratch for [`LayerGraph::part`]: where the states of a stretch stand in a part of it.
pub(super) struct Places(Vec<u32>);

impl Places {
    /// Scratch for a stretch of so many states.
    pub(super) fn new(states: usize) -> Places {
        Places(vec![u32::MAX; states])
    }

    fn enter(&mut self, members: &[u32]) {
        for (place, &member) in (0..).zip(members) {
            self.0[member as usize] = place;
        }
    }

    fn leave(&mut self, members: &[u32]) {
        for &member in members {
            self.0[member as usize] = u32::MAX;
        }
    }

    fn of(&self, node: u32) -> Option<u32> {
        let place = self.0[node as usize];
        (place != u32::MAX).then_some(place)
    }
}

/// Tarjan's search for strongly connected components, with a stack of its own since paths are long.
struct Walk<'a> {
    layer_graph: &'a LayerGraph,
    verdicts: &'a [Option<Player>],
    /// In what order states were met, from 1; 0 for those that were not.
    number: Vec<u32>,
    /// The earliest state that is known to be reached; `u32::MAX` where the component is complete.
    low: Vec<u32>,
    count: u32,
    stack: Vec<u32>,
    found: Vec<Vec<u32>>,
}

impl Walk<'_> {
    fn meet(&mut self, node: u32) {
        self.count += 1;
        self.number[node as usize] = self.count;
        self.low[node as usize] = self.count;
        self.stack.push(node);
    }

    fn from(&mut self, root: u32) {
        let mut path = vec![(root, 0)];
        self.meet(root);
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if let Some(&to) = self.layer_graph.next.of(node).get(*edge) {
                *edge += 1;
                if self.verdicts[to as usize].is_some() {
                    continue;
                }
                if self.number[to as usize] == 0 {
                    self.meet(to);
                    path.push((to, 0));
                } else if self.low[to as usize] != u32::MAX {
                    self.low[node as usize] = self.low[node as usize].min(self.number[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                self.low[before as usize] = self.low[before as usize].min(self.low[node as usize]);
            }
            if self.low[node as usize] == self.number[node as usize] {
                self.complete(node);
            }
        }
    }

    /// Takes the component whose first state is `first` off the stack.
    fn complete(&mut self, first: u32) {
        let start = self.stack.iter().rposition(|&node| node == first).expect("on the stack");
        let component = self.stack.split_off(start);
        for &node in &component {
            self.low[node as usize] = u32::MAX;
        }
        self.found.push(component);
    }
}
