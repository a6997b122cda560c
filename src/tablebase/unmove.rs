//! Moves taken back: from which boards a move that captures nothing leads to a board.
//!
//! The origin of such a move is empty after it, and each pit from there to the last one has got a seed, so one walks on from each
//! empty pit of him who has moved for as long as there are seeds to take back, and may end wherever the last seed would not have
//! captured. Boards on which a pit may fill up (U3) are another matter: a full pit may have got seeds or have been passed over.

use crate::rules::lanes;
use crate::rules::trace::Nobody;
use crate::rules::two_row::{self, Board, GrandSlam, Sown, TwoRow};

/// Visits each board, seen by its mover, from which a legal move that captures nothing leads to `board`; each of them once.
///
/// Stores are taken to be empty. No board is visited twice: another origin would have to be empty before the move as well.
#[inline(always)]
pub fn each<G: TwoRow<PITS>, const PITS: usize>(rules: &G, board: Board, mut visit: impl FnMut(Board)) {
    let sown = board.turned();
    let (own, other) = (lanes::bits(lanes::occupied(sown.own)), lanes::bits(lanes::occupied(sown.other)));
    if other == 0 {
        // Whatever was played has not fed a row that was empty (W5), and cannot have emptied it.
        return;
    }
    let quiet = quiet_landings(rules, sown);
    if has_full_pit::<G, PITS>(sown) {
        return each_past_full_pits::<G, PITS>(sown, quiet, &mut visit);
    }
    let occupied = u32::from(own) | u32::from(other) << PITS;
    let mut origins = !occupied & ((1 << PITS) - 1);
    while origins != 0 {
        let origin = origins.trailing_zeros() as usize;
        origins &= origins - 1;
        let run = from_behind::<PITS>(occupied, origin).trailing_ones() as usize;
        let mut ends = from_behind::<PITS>(quiet, origin) & ((1 << run) - 1);
        while ends != 0 {
            let hand = ends.trailing_zeros() as usize + 1;
            ends &= ends - 1;
            visit(two_row::sowings::<PITS>().unsow(sown, origin, hand));
        }
        if run == 2 * PITS - 1 {
            each_longer_hand::<G, PITS>(sown, quiet, origin, &mut visit);
        }
    }
}

/// The bits of the pits round the board, beginning behind the origin and without it.
#[inline(always)]
const fn from_behind<const PITS: usize>(pits: u32, origin: usize) -> u32 {
    ((pits >> (origin + 1)) | (pits << (2 * PITS - 1 - origin))) & ((1 << (2 * PITS - 1)) - 1)
}

/// A bit for each pit round the board where the last seed may have fallen without a capture.
#[inline(always)]
fn quiet_landings<G: TwoRow<PITS>, const PITS: usize>(rules: &G, sown: Board) -> u32 {
    let mut quiet = (1 << (2 * PITS)) - 1;
    // No pit of another number has ever been taken first (W3, U4).
    let two_or_three = !lanes::occupied((sown.other & lanes::splat(0xfe)) ^ lanes::splat(2)) & lanes::TOPS;
    for pit in two_row::pits_of(two_or_three & lanes::lowest(PITS)) {
        let taken = G::chain(Sown { board: sown, reach: two_row::reach(PITS, PITS + pit) });
        let slam = sown.other & !taken == 0;
        if taken != 0 && !(slam && rules.grand_slam() == GrandSlam::NoCapture) {
            quiet &= !(1 << (PITS + pit));
        }
    }
    quiet
}

/// Hands that went round the whole board and on.
#[cold]
fn each_longer_hand<G: TwoRow<PITS>, const PITS: usize>(
    sown: Board,
    quiet: u32,
    origin: usize,
    visit: &mut impl FnMut(Board),
) {
    let mut before = two_row::sowings::<PITS>().unsow(sown, origin, 2 * PITS - 1);
    for hand in 2 * PITS..=usize::from(G::FULL) {
        let landing = two_row::landing(PITS, origin, hand);
        if before.seeds_at::<PITS>(landing) == 0 {
            return;
        }
        before = two_row::sowings::<PITS>().unsow(sown, origin, hand);
        if quiet & 1 << landing != 0 {
            visit(before);
        }
    }
}

/// Whether a pit holds all that it may.
#[inline(always)]
fn has_full_pit<G: TwoRow<PITS>, const PITS: usize>(board: Board) -> bool {
    // Without a limit nothing is added, and no lane has its top bit set.
    let below = const { lanes::splat(128_u8.saturating_sub(G::FULL)) };
    ((board.own + below) | (board.other + below)) & lanes::TOPS & lanes::lowest(PITS) != 0
}

/// The same as [`each`] where pits are full: each may have got some seeds and been passed over from then on.
#[cold]
fn each_past_full_pits<G: TwoRow<PITS>, const PITS: usize>(sown: Board, quiet: u32, visit: &mut impl FnMut(Board)) {
    let full: Vec<usize> = (0..2 * PITS).filter(|&pit| sown.seeds_at::<PITS>(pit) == G::FULL).collect();
    for origin in (0..PITS).filter(|&pit| sown.seeds_at::<PITS>(pit) == 0) {
        let mut got = vec![0; full.len()];
        loop {
            each_with_seeds_in_full_pits::<G, PITS>(sown, quiet, origin, (&full, &got), visit);
            // The next way to give each full pit at most as many seeds as a hand can have rounds.
            let Some(place) = got.iter().position(|&seeds| seeds < ROUNDS) else { break };
            got[..place].fill(0);
            got[place] += 1;
        }
    }
}

/// No hand goes round a board more often, not even past three full pits.
const ROUNDS: u8 = 3;

/// The boards from which a sowing from `origin` gave each of the full pits just so many seeds.
fn each_with_seeds_in_full_pits<G: TwoRow<PITS>, const PITS: usize>(
    sown: Board,
    quiet: u32,
    origin: usize,
    (full, got): (&[usize], &[u8]),
    visit: &mut impl FnMut(Board),
) {
    let mut before = sown;
    let mut left = got.to_vec();
    let mut hand = 0;
    for step in 0.. {
        let landing = (origin + 1 + step % (2 * PITS - 1)) % (2 * PITS);
        match full.iter().position(|&pit| pit == landing) {
            Some(place) if left[place] == 0 => continue,
            Some(place) => left[place] -= 1,
            None => {}
        }
        hand += 1;
        if before.seeds_at::<PITS>(landing) == 0 || hand > usize::from(G::FULL) {
            return;
        }
        take::<PITS>(&mut before, landing, 1);
        if left.iter().all(|&seeds| seeds == 0) && quiet & 1 << landing != 0 {
            let mut board = before;
            give::<PITS>(&mut board, origin, hand as u64);
            if G::sow(board, origin, &mut Nobody).board == sown {
                visit(board);
            }
        }
    }
}

fn take<const PITS: usize>(board: &mut Board, pit: usize, seeds: u64) {
    if pit < PITS { board.own -= seeds << (8 * pit) } else { board.other -= seeds << (8 * (pit - PITS)) }
}

fn give<const PITS: usize>(board: &mut Board, pit: usize, seeds: u64) {
    if pit < PITS { board.own += seeds << (8 * pit) } else { board.other += seeds << (8 * (pit - PITS)) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::*;
    use crate::rules::urim::Urim;
    use crate::rules::wuri::Wuri;
    use crate::tablebase::index;
    use crate::units::{OptionKind, OptionValues};

    /// A game under each choice of its grand slam rule and of its award; no other option matters to a move.
    fn house_rules<G: TwoRow<PITS>, const PITS: usize>() -> Vec<G> {
        let spec = G::OPTIONS.iter().find(|spec| spec.name.ends_with("_GrandSlam")).expect("both games have it");
        let OptionKind::Combo { choices } = spec.kind else { panic!("a choice") };
        let with = |choice: &&str| {
            let mut options = OptionValues::new(G::OPTIONS);
            options.set(spec.name, choice).expect("an option").expect("a value");
            G::with_options(&options)
        };
        choices.iter().map(with).collect()
    }

    /// The boards that the moves of a board lead to without a capture.
    fn quiet_children<G: TwoRow<PITS>, const PITS: usize>(rules: &G, board: Board) -> Vec<Board> {
        let mut children = Vec::new();
        let _ = rules.expand(&board, |_, child| -> ControlFlow<()> {
            if child.captured == 0 {
                children.push(child.position);
            }
            ControlFlow::Continue(())
        });
        children
    }

    fn taken_back<G: TwoRow<PITS>, const PITS: usize>(rules: &G, board: Board) -> Vec<Board> {
        let mut boards = Vec::new();
        each(rules, board, |before| boards.push(before));
        boards.sort_by_key(|board| (board.other, board.own));
        boards
    }

    fn whole_layers_agree<G: TwoRow<PITS>, const PITS: usize>(most: u8) {
        for (rules, seeds) in house_rules::<G, PITS>().iter().flat_map(|rules| (0..=most).map(move |n| (rules, n))) {
            let mut forward: HashMap<Board, Vec<Board>> = HashMap::new();
            for board in index::boards::<PITS>(seeds) {
                for child in quiet_children(rules, board) {
                    forward.entry(child).or_default().push(board);
                }
            }
            for board in index::boards::<PITS>(seeds) {
                let mut wanted = forward.remove(&board).unwrap_or_default();
                wanted.sort_by_key(|board| (board.other, board.own));
                assert_eq!(taken_back(rules, board), wanted, "{:?} to {board:?}", rules.grand_slam());
            }
        }
    }

    /// Each move forward is found backwards, and each move found backwards goes forward.
    fn moves_agree<G: TwoRow<PITS>, const PITS: usize>(board: Board) {
        for rules in &house_rules::<G, PITS>() {
            for child in quiet_children(rules, board) {
                let before = taken_back(rules, child);
                assert!(before.contains(&board), "{board:?} leads to {child:?}, which was not taken back");
                let distinct = before.windows(2).all(|pair| pair[0] != pair[1]);
                assert!(distinct, "{child:?} is taken back to a board twice");
            }
            for before in taken_back(rules, board) {
                assert!(quiet_children(rules, before).contains(&board), "{before:?} does not lead to {board:?}");
            }
        }
    }

    #[test]
    fn moves_of_whole_layers_are_taken_back() {
        whole_layers_agree::<Wuri<false>, 6>(5);
        whole_layers_agree::<Urim<6, false>, 6>(5);
        whole_layers_agree::<Urim<7, false>, 7>(4);
    }

    fn board<const PITS: usize>(pits: &[u8]) -> Board {
        let half = |row: &[u8]| row.iter().rev().fold(0, |lanes, &seeds| lanes << 8 | u64::from(seeds));
        Board { own: half(&pits[..PITS]), other: half(&pits[PITS..2 * PITS]) }
    }

    /// Pits of which some are empty, most small and a few long hands, which may go round more than once.
    fn pits(longest: u8) -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop_oneof![3 => Just(0), 5 => 1..=4u8, 1 => 5..=longest], 14)
    }

    /// Few seeds but in a few pits that are full or nearly so, of which no more than three fit a game.
    fn nearly_full() -> impl Strategy<Value = Vec<u8>> {
        let rest = prop::collection::vec(prop_oneof![4 => Just(0), 3 => 1..=3u8], 14);
        let full = prop::collection::vec((0..14usize, 14..=17u8), 1..=3);
        (rest, full).prop_map(|(mut pits, full)| {
            full.into_iter().for_each(|(pit, seeds)| pits[pit] = seeds);
            pits
        })
    }

    proptest! {
        #[test]
        fn long_hands_are_taken_back(pits in pits(36)) {
            moves_agree::<Wuri<false>, 6>(board::<6>(&pits));
        }

        #[test]
        fn hands_of_urim_are_taken_back(pits in pits(17)) {
            moves_agree::<Urim<6, false>, 6>(board::<6>(&pits));
            moves_agree::<Urim<7, false>, 7>(board::<7>(&pits));
        }

        #[test]
        fn sowings_past_full_pits_are_taken_back(pits in nearly_full()) {
            moves_agree::<Urim<6, false>, 6>(board::<6>(&pits));
            moves_agree::<Urim<7, false>, 7>(board::<7>(&pits));
        }
    }
}
