//! Arrangements: how a player of Omweso lays out his seeds before the first sowing (O3).
//!
//! There are far too many to list, so there is no list of them: they are made at random, by heaps as players lay them, and changed
//! by small steps.

use super::Refusal;

/// The seeds that a player lays out.
pub const SEEDS: u8 = 32;

/// How many seeds may lie in one pit: the least and the most that the limit can be set to.
pub const CAPS: std::ops::RangeInclusive<u8> = 2..=SEEDS;

/// The seeds of each pit in letter order.
pub type Layout = [u8; 16];

/// Checks an arrangement against the rules.
///
/// # Errors
/// What is wrong with it.
pub fn check(layout: &Layout, cap: u8) -> Result<(), Refusal> {
    let found: u32 = layout.iter().map(|&seeds| u32::from(seeds)).sum();
    let fullest = layout.iter().copied().max().unwrap_or_default();
    if found != u32::from(SEEDS) {
        Err(Refusal::Arrangement(format!("it has {found} seeds: wanted {SEEDS}")))
    } else if fullest > cap {
        Err(Refusal::Arrangement(format!("it has {fullest} seeds in a pit: wanted {cap} at most")))
    } else {
        Ok(())
    }
}

/// A random arrangement: some heaps, and the rest strewn. `rng` gives a number below the one it is given.
pub fn random(cap: u8, rng: &mut impl FnMut(usize) -> usize) -> Layout {
    let mut layout = Layout::default();
    let mut left = SEEDS;
    for _ in 0..rng(4) {
        let pit = rng(layout.len());
        let heap = left.min(cap - layout[pit]).min(2 + rng(16) as u8);
        layout[pit] += heap;
        left -= heap;
    }
    while left > 0 {
        let pit = rng(layout.len());
        let handful = left.min(cap - layout[pit]).min(1 + rng(4) as u8);
        layout[pit] += handful;
        left -= handful;
    }
    layout
}

/// An arrangement that differs from this one in a few seeds.
pub fn neighbour(layout: &Layout, cap: u8, rng: &mut impl FnMut(usize) -> usize) -> Layout {
    let mut changed = *layout;
    // Most steps are single ones; a few in a row leave the neighbourhood of a layout that nothing small improves.
    for _ in 0..=rng(3) {
        let (from, to) = (rng(changed.len()), rng(changed.len()));
        let room = cap - changed[to];
        if from != to {
            let moved = changed[from].min(room).min(1 + rng(4) as u8);
            changed[from] -= moved;
            changed[to] += moved;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_dice_say_an_arrangement_is_lawful() {
        let mut state = 1_usize;
        let mut rng = |sides: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % sides
        };
        for cap in CAPS {
            let mut layout = random(cap, &mut rng);
            for _ in 0..50 {
                assert_eq!(check(&layout, cap), Ok(()), "{layout:?}");
                layout = neighbour(&layout, cap, &mut rng);
            }
        }
    }

    #[test]
    fn too_many_seeds_in_all_or_in_a_pit_are_refused() {
        let mut layout = [2; 16];
        assert_eq!(check(&layout, 2), Ok(()));
        layout[3] = 3;
        assert!(check(&layout, 10).is_err_and(|refusal| refusal.to_string().contains("33 seeds")));
        layout[4] = 1;
        assert_eq!(check(&layout, 3), Ok(()));
        assert!(check(&layout, 2).is_err_and(|refusal| refusal.to_string().contains("3 seeds in a pit")));
    }
}
