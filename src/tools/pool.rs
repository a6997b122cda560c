//! A pool of players: who scored what against whom, and how strong that makes each of them.

use super::elo::{GameScore, TWO_SIDED_95, Tally};

/// The results of any number of players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pool {
    names: Vec<String>,
    /// Row by row, each against each; a row is as the player of the row sees it.
    tallies: Vec<Vec<Tally>>,
}

/// How strong a player is in his pool.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The player, by his place in [`Pool::names`].
    pub player: usize,
    /// Logistic Elo above the mean of the pool.
    pub elo: f64,
    /// Half of the interval that holds it with 95 %.
    pub error: f64,
}

/// One unit of the logistic model in Elo.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;
/// The deviation of ratings, in Elo, before any game is known. It is wide enough to move a rating by less than one Elo after a
/// hundred games, and it gives those who won or lost every game a rating at all.
const PRIOR_DEVIATION: f64 = 2000.0;

impl Pool {
    /// Counts a game by its result for the first of two players.
    pub fn add(&mut self, one: &str, other: &str, score: GameScore) {
        let (one, other) = (self.player(one), self.player(other));
        self.tallies[one][other].add(score);
        self.tallies[other][one].add(score.reversed());
    }

    /// The place of a player, given out in the order of their first games.
    fn player(&mut self, name: &str) -> usize {
        if let Some(place) = self.names.iter().position(|known| known == name) {
            return place;
        }
        self.names.push(name.to_owned());
        self.tallies.push(Vec::new());
        let players = self.names.len();
        self.tallies.iter_mut().for_each(|row| row.resize(players, Tally::default()));
        players - 1
    }

    /// The players.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What one player scored against another one.
    pub fn tally(&self, one: usize, other: usize) -> Tally {
        self.tallies[one][other]
    }

    /// What a player scored against all others.
    pub fn total(&self, player: usize) -> Tally {
        let mut total = Tally::default();
        self.tallies[player].iter().for_each(|tally| total += *tally);
        total
    }

    /// The likeliest ratings, the best one first, with the mean of the pool at 0.
    ///
    /// The model is that of Bradley and Terry (1952) with a draw as half a win (D. Hunter, "MM algorithms for generalized
    /// Bradley-Terry models", 2004). Its likelihood has one maximum, found by Newton's steps. The errors come from the curvature
    /// there, relative to the mean; they take a draw for as uncertain as a win or a loss and so are rather too large than too small.
    pub fn ratings(&self) -> Vec<Rating> {
        let players = self.names.len();
        let mut strengths = vec![0.0; players];
        for _ in 0..100 {
            let Some(step) = self.newton_step(&strengths) else { break };
            if step.iter().all(|part| part.abs() < 1e-10) {
                break;
            }
            self.climb(&mut strengths, &step);
        }
        let covariance = inverse(self.curvature(&strengths)).unwrap_or_default();
        let mut ratings: Vec<Rating> = (0..players)
            .map(|player| Rating {
                player,
                elo: strengths[player] * ELO_PER_UNIT,
                error: TWO_SIDED_95 * about_the_mean(&covariance, player).sqrt() * ELO_PER_UNIT,
            })
            .collect();
        ratings.sort_by(|one, other| other.elo.total_cmp(&one.elo));
        ratings
    }

    fn opponents(&self, player: usize) -> impl Iterator<Item = (usize, Tally)> {
        self.tallies[player].iter().copied().enumerate().filter(|(_, tally)| tally.games() > 0)
    }

    fn likelihood(&self, strengths: &[f64]) -> f64 {
        let of_games = (0..strengths.len()).flat_map(|player| {
            self.opponents(player).map(move |(other, tally)| {
                tally.points() * expected(strengths[player] - strengths[other]).max(f64::MIN_POSITIVE).ln()
            })
        });
        let of_prior = strengths.iter().map(|strength| -strength * strength * prior_weight() / 2.0);
        of_games.chain(of_prior).sum()
    }

    fn curvature(&self, strengths: &[f64]) -> Vec<Vec<f64>> {
        let players = strengths.len();
        let mut curvature = vec![vec![0.0; players]; players];
        for player in 0..players {
            curvature[player][player] = prior_weight();
            for (other, tally) in self.opponents(player) {
                let wins = expected(strengths[player] - strengths[other]);
                let weight = tally.games() as f64 * wins * (1.0 - wins);
                curvature[player][player] += weight;
                curvature[player][other] -= weight;
            }
        }
        curvature
    }

    fn newton_step(&self, strengths: &[f64]) -> Option<Vec<f64>> {
        let missing = |player: usize| {
            let of_games = self.opponents(player).map(|(other, tally)| {
                tally.points() - tally.games() as f64 * expected(strengths[player] - strengths[other])
            });
            of_games.sum::<f64>() - strengths[player] * prior_weight()
        };
        let missing: Vec<f64> = (0..strengths.len()).map(missing).collect();
        let inverse = inverse(self.curvature(strengths))?;
        Some(inverse.iter().map(|row| row.iter().zip(&missing).map(|(factor, part)| factor * part).sum()).collect())
    }

    /// Goes the step, or as much of it as leads upwards.
    fn climb(&self, strengths: &mut Vec<f64>, step: &[f64]) {
        let before = self.likelihood(strengths);
        let mut share = 1.0;
        for _ in 0..40 {
            let next: Vec<f64> = strengths.iter().zip(step).map(|(strength, part)| strength + share * part).collect();
            if self.likelihood(&next) >= before {
                *strengths = next;
                return;
            }
            share /= 2.0;
        }
    }

    /// The cross table: a line for each player by rating, with what he scored against each.
    pub fn table(&self) -> Vec<String> {
        let ratings = self.ratings();
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("name".len());
        let mut head =
            format!("{:>3} {:<width$} {:>6} {:>5} {:>6} {:>8} {:>6}", "", "name", "Elo", "+/-", "games", "points", "%");
        (1..=ratings.len()).for_each(|place| head.push_str(&format!(" {place:>13}")));
        let mut lines = vec![head];
        for (place, rating) in (1..).zip(&ratings) {
            let total = self.total(rating.player);
            let percent = total.score().unwrap_or(0.0) * 100.0;
            let name = &self.names[rating.player];
            let (games, points) = (total.games(), total.points());
            let mut line = format!(
                "{place:>3} {name:<width$} {:>+6.0} {:>5.0} {games:>6} {points:>8.1} {percent:>6.1}",
                rating.elo, rating.error
            );
            for other in &ratings {
                let tally = self.tally(rating.player, other.player);
                let cell = match tally.games() {
                    0 => "-".to_owned(),
                    _ => format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses),
                };
                line.push_str(&format!(" {cell:>13}"));
            }
            lines.push(line);
        }
        lines
    }
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

fn prior_weight() -> f64 {
    (ELO_PER_UNIT / PRIOR_DEVIATION).powi(2)
}

/// The variance of a player's strength less the mean strength of all.
fn about_the_mean(covariance: &[Vec<f64>], player: usize) -> f64 {
    let players = covariance.len() as f64;
    let mean_of_row = covariance[player].iter().sum::<f64>() / players;
    let mean_of_all = covariance.iter().flatten().sum::<f64>() / (players * players);
    (covariance[player][player] - 2.0 * mean_of_row + mean_of_all).max(0.0)
}

/// The inverse of a matrix, by elimination with the largest pivot of the column; `None` if it has none.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (place, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| if column == place { 1.0 } else { 0.0 }));
    }
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&one, &other| matrix[one][column].abs().total_cmp(&matrix[other][column].abs()))?;
        matrix.swap(column, pivot);
        let divisor = matrix[column][column];
        if divisor == 0.0 || !divisor.is_finite() {
            return None;
        }
        matrix[column].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = matrix[column].clone();
        for (place, row) in matrix.iter_mut().enumerate() {
            let factor = row[column];
            if place != column && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    Some(matrix.into_iter().map(|mut row| row.split_off(size)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, wanted: f64, within: f64) {
        assert!((value - wanted).abs() <= within, "{value} is not {wanted}");
    }

    fn pool(results: &[(&str, &str, u64, u64, u64)]) -> Pool {
        let mut pool = Pool::default();
        for &(one, other, wins, draws, losses) in results {
            for (count, score) in [(wins, GameScore::Win), (draws, GameScore::Draw), (losses, GameScore::Loss)] {
                (0..count).for_each(|_| pool.add(one, other, score));
            }
        }
        pool
    }

    #[test]
    fn two_players_differ_by_what_their_score_says() {
        // 75 % is 190.85 Elo; its deviation is 173.72 / sqrt(100 * 3/4 * 1/4), and each is half of that from the mean.
        let ratings = pool(&[("a", "b", 70, 10, 20)]).ratings();
        assert_eq!(ratings.iter().map(|rating| rating.player).collect::<Vec<_>>(), [0, 1]);
        near(ratings[0].elo - ratings[1].elo, 190.85, 0.2);
        near(ratings[0].error, 1.96 * 173.72 / 18.75f64.sqrt() / 2.0, 0.1);
    }

    #[test]
    fn four_players_are_rated_as_published() {
        // The worked example of "Bradley-Terry model" in Wikipedia, whose strengths are 0.640, 1.043, 0.660 and 2.270.
        let results = [("a", "b", 2, 0, 3), ("a", "d", 1, 0, 4), ("b", "c", 5, 0, 3), ("c", "d", 1, 0, 3)];
        let ratings = pool(&results).ratings();
        let published = [("d", 2.270), ("b", 1.043), ("c", 0.660), ("a", 0.640)];
        for (rating, (name, strength)) in ratings.iter().zip(published) {
            assert_eq!(pool(&results).names()[rating.player], name);
            near(10f64.powf(rating.elo / 400.0), strength, 0.01 * strength);
        }
    }

    #[test]
    fn everybody_scores_what_is_expected_of_his_rating() {
        let pool =
            pool(&[("a", "b", 60, 20, 20), ("b", "c", 30, 40, 30), ("c", "a", 10, 30, 60), ("d", "a", 5, 5, 10)]);
        let ratings = pool.ratings();
        near(ratings.iter().map(|rating| rating.elo).sum(), 0.0, 1e-6);
        for rating in &ratings {
            let expected: f64 = ratings
                .iter()
                .map(|other| {
                    pool.tally(rating.player, other.player).games() as f64
                        * expected((rating.elo - other.elo) / ELO_PER_UNIT)
                })
                .sum();
            near(expected, pool.total(rating.player).points(), 0.02);
        }
    }

    #[test]
    fn who_won_every_game_still_has_a_rating() {
        let results = [("a", "b", 100, 0, 0), ("c", "d", 3, 0, 0), ("d", "c", 0, 1, 0)];
        let ratings = pool(&results).ratings();
        assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()), "{ratings:?}");
        assert!(ratings[0].elo > 400.0 && ratings[0].error > 100.0, "{ratings:?}");
        assert_eq!(Pool::default().ratings(), []);
    }

    #[test]
    fn the_table_has_a_line_for_each_player() {
        let table = pool(&[("greedy", "random", 18, 1, 1), ("random", "Empiki", 0, 1, 19)]).table();
        let wanted = [
            "    name      Elo   +/-  games   points      %             1             2             3",
            "  1 Empiki",
            "  2 greedy",
            "  3 random",
        ];
        assert_eq!(table.len(), 4);
        assert_eq!(table[0], wanted[0]);
        assert!(table.iter().zip(wanted).all(|(line, wanted)| line.starts_with(wanted)), "{table:#?}");
        assert!(table[3].ends_with("      2.0    5.0     +0 =1 -19     +1 =1 -18             -"), "{table:#?}");
    }
}
