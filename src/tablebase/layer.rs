//! A finished layer: one byte a board, through a palette of the pairs of bounds that the layer has.

use std::collections::BTreeMap;

use super::{Bounds, Draft};

/// As many pairs as a byte can tell apart.
const COLOURS: usize = 256;

/// The bounds of all boards with so many seeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    seeds: u8,
    palette: Vec<Bounds>,
    codes: Vec<u8>,
}

impl Layer {
    /// Lays a draft away. Should it have more pairs of bounds than a byte can name, the rarest are widened, which keeps them true.
    pub fn new(draft: Draft) -> Layer {
        let side = 2 * usize::from(draft.seeds) + 1;
        let mut counts = vec![0_u64; side * side];
        for (&lower, &upper) in draft.lower.iter().zip(&draft.upper) {
            counts[usize::from(lower) * side + usize::from(upper)] += 1;
        }
        let pair = |place: usize| Bounds { lower: (place / side) as u8, upper: (place % side) as u8 };
        let mut places: Vec<usize> = (0..counts.len()).filter(|&place| counts[place] > 0).collect();
        // The commonest first; whatever is the same everywhere decides between equals.
        places.sort_by_key(|&place| (std::cmp::Reverse(counts[place]), place));
        let palette = widened(&places.iter().map(|&place| pair(place)).collect::<Vec<_>>(), draft.seeds);
        let mut names = vec![0; counts.len()];
        for place in places {
            names[place] = nearest(&palette, pair(place));
        }
        let Draft { seeds, mut lower, upper } = draft;
        for (lower, upper) in lower.iter_mut().zip(upper) {
            *lower = names[usize::from(*lower) * side + usize::from(upper)];
        }
        Layer { seeds, palette, codes: lower }
    }

    /// A layer from its parts; `None` if a code has no bounds.
    pub fn from_parts(seeds: u8, palette: Vec<Bounds>, codes: Vec<u8>) -> Option<Layer> {
        let known = codes.iter().all(|&code| usize::from(code) < palette.len());
        known.then_some(Layer { seeds, palette, codes })
    }

    /// The seeds in the pits of each board.
    pub fn seeds(&self) -> u8 {
        self.seeds
    }

    /// The pairs of bounds that codes stand for.
    pub fn palette(&self) -> &[Bounds] {
        &self.palette
    }

    /// The code of each board, in the order of their ranks.
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// The bounds of the board with this rank.
    pub fn bounds(&self, rank: u64) -> Option<Bounds> {
        let code = self.codes.get(usize::try_from(rank).ok()?)?;
        self.palette.get(usize::from(*code)).copied()
    }

    /// How many boards have each pair of bounds.
    pub fn histogram(&self) -> BTreeMap<Bounds, u64> {
        let mut counts = vec![0_u64; COLOURS];
        self.codes.iter().for_each(|&code| counts[usize::from(code)] += 1);
        self.palette.iter().copied().zip(counts).filter(|&(_, count)| count > 0).collect()
    }
}

/// The pairs that get a name: all of them, or the commonest and one that holds for every board.
fn widened(pairs: &[Bounds], seeds: u8) -> Vec<Bounds> {
    if pairs.len() <= COLOURS {
        return pairs.to_vec();
    }
    let mut palette = pairs[..COLOURS - 1].to_vec();
    palette.push(Bounds { lower: 0, upper: 2 * seeds });
    palette
}

/// The name of the narrowest pair of the palette that does not say more than this one.
fn nearest(palette: &[Bounds], pair: Bounds) -> u8 {
    let true_of_it = |(_, named): &(usize, &Bounds)| named.lower <= pair.lower && named.upper >= pair.upper;
    let named = palette.iter().enumerate().filter(true_of_it).min_by_key(|(_, named)| named.upper - named.lower);
    named.map_or(0, |(name, _)| name as u8)
}
