//! Ratings from records.

use std::collections::BTreeMap;

use super::elo::{Estimate, GameScore, PairCounts};
use super::pool::Pool;
use crate::record::{GameRecord, UNKNOWN};
use crate::units::{PerPlayer, Player};

/// What a game was to South, if anything came of it. A void game counts as drawn.
pub fn score_of_south(record: &GameRecord) -> Option<GameScore> {
    let PerPlayer { south, north } = record.result.points()?;
    Some(match south.cmp(&north) {
        std::cmp::Ordering::Greater => GameScore::Win,
        std::cmp::Ordering::Equal => GameScore::Draw,
        std::cmp::Ordering::Less => GameScore::Loss,
    })
}

/// All games that something came of.
pub fn pool<'r>(records: impl IntoIterator<Item = &'r GameRecord>) -> Pool {
    let mut pool = Pool::default();
    for record in records {
        if let Some(score) = score_of_south(record) {
            pool.add(&record.players.south, &record.players.north, score);
        }
    }
    pool
}

/// The pairs of games between two players, by their names in alphabetical order, seen by the first one.
///
/// Two games are a pair if they have the same event, round up to the last full stop, set-up and ruleset, and each player had each
/// side once. A round of which nothing is known makes no pair.
pub fn pairs<'r>(records: impl IntoIterator<Item = &'r GameRecord>) -> BTreeMap<(&'r str, &'r str), PairCounts> {
    let mut waiting = BTreeMap::new();
    let mut pairs: BTreeMap<(&str, &str), PairCounts> = BTreeMap::new();
    for record in records {
        let PerPlayer { south, north } = &record.players;
        let (Some(score), true, true) = (score_of_south(record), record.round != UNKNOWN, south != north) else {
            continue;
        };
        let round = record.round.rsplit_once('.').map_or(record.round.as_str(), |(round, _)| round);
        let (names, side, score) = match south < north {
            true => ((south.as_str(), north.as_str()), Player::South, score),
            false => ((north.as_str(), south.as_str()), Player::North, score.reversed()),
        };
        let place = (names, &record.event, round, &record.start, &record.ruleset);
        match waiting.remove(&(place, side == Player::North)) {
            Some(other) => pairs.entry(names).or_default().add(other, score),
            None => {
                waiting.insert((place, side == Player::South), score);
            }
        }
    }
    pairs
}

/// What the pairs of two players say, in a line.
pub fn pair_line(names: (&str, &str), counts: &PairCounts) -> Option<String> {
    let Estimate { elo, error, superiority } = counts.estimate()?;
    let [lost, behind, even, ahead, won] = counts.0;
    Some(format!(
        "{} - {}: pairs {} [{lost}, {behind}, {even}, {ahead}, {won}] Elo {elo:+.1} +/- {error:.1} los {:.1}%",
        names.0,
        names.1,
        counts.pairs(),
        superiority * 100.0
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::units::Variant;

    fn game(round: &str, south: &str, north: &str, points: (u8, u8)) -> GameRecord {
        let players = PerPlayer { south: south.to_owned(), north: north.to_owned() };
        let mut record = GameRecord::new(Variant::Wuri, "wuri", players);
        record.round = round.to_owned();
        let points = PerPlayer { south: points.0, north: points.1 };
        record.result = GameResult::Judged { why: "agreed".to_owned(), points };
        record
    }

    #[test]
    fn games_of_a_round_with_swapped_sides_are_a_pair() {
        let mut records = vec![
            game("1.1", "b", "a", (1, 0)),
            game("1.2", "a", "b", (1, 0)),
            game("2.1", "a", "b", (1, 0)),
            game("3.1", "a", "c", (0, 0)),
            game("2.2", "b", "a", (0, 1)),
            game("3.2", "a", "c", (0, 0)),
            game("?", "a", "b", (1, 0)),
            game("?", "b", "a", (1, 0)),
        ];
        records.push(GameRecord::new(Variant::Wuri, "wuri", records[0].players.clone()));
        let pairs = pairs(&records);
        assert_eq!(pairs.into_iter().collect::<Vec<_>>(), [(("a", "b"), PairCounts([0, 0, 1, 0, 1]))]);
        let pool = pool(&records);
        assert_eq!(pool.names(), ["b", "a", "c"]);
        assert_eq!(pool.total(1).games(), 8);
        assert_eq!(pool.tally(1, 0).wins, 4);
    }
}
