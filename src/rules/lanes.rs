//! Eight byte counters in one `u64`, sixteen in one `u128`: pits that are sown, compared and summed all at once.
//!
//! Lane 0 is the lowest byte. A lane never reaches 128, since no game has that many seeds; so the top bit of each lane is free
//! to carry the answer to a question about it.

/// The value 1 in each lane.
pub const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of each lane.
pub const TOPS: u64 = ONES << 7;

/// A value repeated in each lane.
pub const fn splat(value: u8) -> u64 {
    ONES * value as u64
}

/// The top bit of each lane that is not empty.
pub const fn occupied(lanes: u64) -> u64 {
    (lanes + splat(0x7f)) & TOPS
}

/// The top bit of each lane that holds two or more.
pub const fn two_or_more(lanes: u64) -> u64 {
    (lanes + splat(0x7e)) & TOPS
}

/// Each lane, or `most` where it holds more.
pub const fn at_most(lanes: u64, most: u8) -> u64 {
    let over = (lanes + splat(0x7f - most)) & TOPS;
    let capped = over - (over >> 7);
    (lanes & !capped) | (splat(most) & capped)
}

/// How many top bits are set.
pub const fn count(tops: u64) -> u64 {
    // No popcount instruction in baseline x86-64: the product adds the lanes up in the highest one.
    (tops >> 7).wrapping_mul(ONES) >> 56
}

/// One bit for each lane whose top bit is set, lane 0 lowest.
pub const fn bits(tops: u64) -> u8 {
    // The product moves the bit of lane n to bit 56 + n, and no two meet.
    ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The sum of all lanes, which must be below 256.
pub const fn sum(lanes: u64) -> u8 {
    (lanes.wrapping_mul(ONES) >> 56) as u8
}

/// The value of one lane.
pub const fn lane(lanes: u64, index: usize) -> u8 {
    (lanes >> (8 * index)) as u8
}

/// A mask of the lowest `count` lanes, up to all eight.
pub const fn lowest(count: usize) -> u64 {
    if count >= 8 { u64::MAX } else { (1 << (8 * count)) - 1 }
}

/// A mask of one lane.
pub const fn mask(index: usize) -> u64 {
    0xff << (8 * index)
}

/// A hash of two words, good in all its bits.
pub const fn mix(first: u64, second: u64, seed: u64) -> u64 {
    // Two rounds of multiply and fold; the constants are the fractions of the golden ratio and of the square root of 3.
    let product = (first ^ seed) as u128 * 0x9e37_79b9_7f4a_7c15_u128;
    let folded = (product as u64) ^ (product >> 64) as u64;
    let product = (second ^ folded) as u128 * 0xbb67_ae85_84ca_a73b_u128;
    (product as u64) ^ (product >> 64) as u64 ^ folded.rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_answered_lane_by_lane() {
        let lanes = u64::from_le_bytes([0, 1, 2, 3, 0, 48, 127, 1]);
        assert_eq!(occupied(lanes).to_le_bytes(), [0, 128, 128, 128, 0, 128, 128, 128]);
        assert_eq!(two_or_more(lanes).to_le_bytes(), [0, 0, 128, 128, 0, 128, 128, 0]);
        assert_eq!(at_most(lanes, 2).to_le_bytes(), [0, 1, 2, 2, 0, 2, 2, 1]);
        assert_eq!((at_most(lanes, 127), at_most(lanes, 0)), (lanes, 0));
        assert_eq!(count(occupied(lanes)), 6);
        assert_eq!(bits(occupied(lanes)), 0b1110_1110);
        assert_eq!(sum(lanes), 182);
        assert_eq!(lane(lanes, 5), 48);
        assert_eq!(lanes & mask(3), 3 << 24);
        assert_eq!((lowest(0), lowest(2), lowest(8)), (0, 0xffff, u64::MAX));
    }
}
