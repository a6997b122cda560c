//! The keys of a game so far: repetition and counts of plies live here, never in a position.

use super::outcome::Reason;
use crate::units::Key;

/// When a game ends by what has gone before (W8, U9, O17, K12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawLimits {
    /// The game ends when a position comes up for this many times since the last capture.
    pub repetition: u32,
    /// The game is drawn after this many plies without a capture.
    pub quiet: Option<u32>,
    /// The game is drawn after this many plies.
    pub length: Option<u32>,
}

/// A game that ended by its history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Repetition, quiet or length.
    pub reason: Reason,
    /// The ply of the earliest position that the verdict rests on; 0 is the set-up position.
    pub path_dependency: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    /// Plies since the counts last began anew.
    quiet: u32,
}

/// Every position of a game by its repetition key, the set-up position first (G4).
///
/// A search pushes and pops here as it makes and takes back moves.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
    /// How many entries fall in each class of keys, so that a new key is seen to be new without a walk.
    seen: Box<[u32; History::CLASSES]>,
}

impl History {
    const CLASSES: usize = 1 << 12;

    /// The history of a game that was just set up: its position has come up once.
    pub fn new(key: Key) -> History {
        let mut history = History { entries: Vec::with_capacity(256), seen: Box::new([0; History::CLASSES]) };
        history.push(key, true);
        history
    }

    fn class(key: Key) -> usize {
        key.0 as usize % History::CLASSES
    }

    /// Adds the position that a ply led to; `irreversible` where the counts of repetition and quiet plies begin anew, as after a
    /// capture.
    pub fn push(&mut self, key: Key, irreversible: bool) {
        let quiet = if irreversible { 0 } else { self.quiet() + 1 };
        self.entries.push(Entry { key, quiet });
        self.seen[History::class(key)] += 1;
    }

    /// Takes the last position back.
    ///
    /// # Panics
    /// If only the set-up position is left.
    pub fn pop(&mut self) {
        assert!(self.entries.len() > 1, "the set-up position stays");
        let entry = self.entries.pop().expect("more than one entry");
        self.seen[History::class(entry.key)] -= 1;
    }

    /// Plies played since the set-up position.
    pub fn plies(&self) -> u32 {
        u32::try_from(self.entries.len() - 1).expect("a game is shorter than four billion plies")
    }

    /// Plies since the counts last began anew.
    pub fn quiet(&self) -> u32 {
        self.entries.last().map_or(0, |entry| entry.quiet)
    }

    /// The keys of the positions before the last one, since the counts last began anew.
    pub fn before(&self) -> impl Iterator<Item = Key> {
        let last = self.entries.len() - 1;
        self.entries[last - self.quiet() as usize..last].iter().map(|entry| entry.key)
    }

    /// How the history ends the game at its last position, in the order of G6.
    pub fn verdict(&self, limits: DrawLimits) -> Option<Verdict> {
        if let Some(path_dependency) = self.repeated(limits.repetition) {
            return Some(Verdict { reason: Reason::Repetition, path_dependency });
        }
        // Counts rest on every ply, so on the set-up.
        if limits.quiet.is_some_and(|limit| self.quiet() >= limit) {
            return Some(Verdict { reason: Reason::Quiet, path_dependency: 0 });
        }
        if limits.length.is_some_and(|limit| self.plies() >= limit) {
            return Some(Verdict { reason: Reason::Length, path_dependency: 0 });
        }
        None
    }

    /// The ply of the earliest of `times` occurrences of the last position since the counts began anew.
    fn repeated(&self, times: u32) -> Option<usize> {
        let last = self.entries.last()?;
        if self.seen[History::class(last.key)] < times {
            return None;
        }
        let newest = self.entries.len() - 1;
        let oldest = newest - last.quiet as usize;
        // The same player is to move at every second ply only.
        (oldest..newest)
            .rev()
            .skip(1)
            .step_by(2)
            .filter(|&ply| self.entries[ply].key == last.key)
            .nth(times.checked_sub(2)? as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWICE: DrawLimits = DrawLimits { repetition: 2, quiet: None, length: None };

    #[test]
    fn a_position_repeats_only_for_the_same_player_and_since_the_last_capture() {
        let mut history = History::new(Key(1));
        history.push(Key(1), false);
        assert_eq!(history.verdict(TWICE), None, "the other player is to move");
        history.push(Key(1), false);
        assert_eq!(history.verdict(TWICE), Some(Verdict { reason: Reason::Repetition, path_dependency: 0 }));
        assert_eq!(history.verdict(DrawLimits { repetition: 3, ..TWICE }), None);
        history.pop();
        history.push(Key(1), true);
        assert_eq!(history.verdict(TWICE), None, "a capture starts anew");
    }

    #[test]
    fn a_third_time_rests_on_the_first() {
        let mut history = History::new(Key(9));
        for key in [5, 6, 5, 6, 5] {
            history.push(Key(key), false);
        }
        let thrice = DrawLimits { repetition: 3, ..TWICE };
        assert_eq!(history.verdict(thrice), Some(Verdict { reason: Reason::Repetition, path_dependency: 1 }));
    }

    #[test]
    fn quiet_plies_count_from_a_capture_and_length_from_the_set_up() {
        let mut history = History::new(Key(0));
        history.push(Key(1), true);
        history.push(Key(2), false);
        history.push(Key(3), false);
        let reason =
            |quiet, length| history.verdict(DrawLimits { quiet, length, ..TWICE }).map(|verdict| verdict.reason);
        assert_eq!(reason(Some(3), Some(4)), None);
        assert_eq!(reason(Some(2), Some(3)), Some(Reason::Quiet));
        assert_eq!(reason(Some(3), Some(3)), Some(Reason::Length));
    }
}
