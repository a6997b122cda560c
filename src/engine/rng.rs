//! Chance that comes out the same for the same seed, on every machine.

/// A generator of numbers (SplitMix64: G. Steele, D. Lea and C. Flood 2014). Good for games, of no use for secrets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of this seed.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next number.
    pub const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, each as likely as any other to within 2^-40 for any bound that a game has; 0 where that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.roll()) * bound as u128;
        usize::try_from(wide >> 64).expect("it is below a usize")
    }

    /// A number from 0 up to but not including 1.
    pub fn fraction(&mut self) -> f64 {
        // The 53 bits that a float holds.
        (self.roll() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts a list in any order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_published_numbers() {
        // The first numbers of the reference implementation for the seed 1234567 (S. Vigna, splitmix64.c).
        let mut rng = Rng::new(1_234_567);
        assert_eq!([rng.roll(), rng.roll()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_it() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[rng.below(6)] += 1;
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
        assert_eq!(rng.below(0), 0);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.fraction())));
    }

    #[test]
    fn a_shuffled_list_keeps_its_members() {
        let mut list: Vec<u32> = (0..50).collect();
        Rng::new(3).shuffle(&mut list);
        assert_ne!(list, (0..50).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..50).collect::<Vec<_>>());
    }
}
