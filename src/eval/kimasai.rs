//! Bao la Kimasai: the difference of the cows, the inner rows that must not run empty, and the pits to move from.

use super::{Evaluate, LARGEST};
use crate::rules::four_row::{Ring, high, low, sum};
use crate::rules::kimasai::{Kimasai, Position};
use crate::rules::lanes;

/// The worth of a cow on the own side or in reserve.
const COW: i32 = 100;
/// Of an own inner pit with cows: the last one must not run empty (K10).
const INNER: i32 = 30;
/// Of an own outer pit with cows, which is a move and cannot be taken.
const OUTER: i32 = 15;

/// What the pits of one side are worth to it.
#[inline(always)]
fn pits(own: Ring) -> i32 {
    INNER * lanes::count(lanes::occupied(low(own))) as i32 + OUTER * lanes::count(lanes::occupied(high(own))) as i32
}

/// What the cows of one side are worth to it.
#[inline(always)]
fn cows(own: Ring, reserve: u8) -> i32 {
    COW * (i32::from(sum(own)) + i32::from(reserve))
}

impl<const STANDARD: bool> Evaluate for Kimasai<STANDARD> {
    #[inline(always)]
    fn evaluate(&self, position: &Position) -> i32 {
        let Position { own, other, reserves, .. } = *position;
        let value = cows(own, reserves.mover) - cows(other, reserves.other) + pits(own) - pits(other);
        // Both sides can win to the end, so the prospects bound nothing.
        value.clamp(-LARGEST, LARGEST)
    }
}
