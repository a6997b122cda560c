//! Positions of games that the engine plays against itself, with what the search and the game made of each: what a learned
//! evaluation is trained on.
//!
//! ```text
//! empiki-data 1 ruleset wuri pits 12 games 2 seed 1 nodes 1000 plies 8 openings startpos
//! 4 4 4 4 0 5 5 5 5 4 4 4 0 0 -13 1 9
//! ```
//!
//! After the head each line is a position as its mover sees it: his pits in letter order, those of the other, the last two counts
//! of the token by seat, the score of a search in hundredths of a seed, and how the game ended: match points and seeds, the mover's
//! less the other's. A win or loss that the search has proved scores [`LARGEST`]. Marks of first turns are left out, so the
//! positions that have one are too.
//!
//! A leaf of the search is evaluated whether a capture hangs there or not. So no position is left out for being lively, and of the
//! plies that follow a position some are by lot, as most leaves come about by moves that nobody would play.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};

use super::arena::builtin;
use super::arena::openings::Openings;
use super::arena::setting::Setting;
use super::parallel;
use crate::engine::game::{Game, SearchRequest};
use crate::engine::rng::Rng;
use crate::eval::LARGEST;
use crate::search::stop::StopHandle;
use crate::search::table::Table;
use crate::units::{Mebibytes, MoveText, Nodes, Phase, Player};

/// What is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataRequest {
    /// Games to play.
    pub games: u64,
    /// Moves made by the search for each move that is played.
    pub nodes: Nodes,
    /// The seed of chance.
    pub seed: u64,
    /// A game begins with this many plies by lot or fewer.
    pub plies: u32,
    /// Where games begin before that, in the words of [`Openings::read`].
    pub openings: String,
    /// Games at a time.
    pub threads: usize,
}

/// What was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Made {
    /// Games played to their ends.
    pub games: u64,
    /// Different positions.
    pub positions: u64,
}

/// One ply in so many is by lot.
const BY_LOT: usize = 8;
/// The memory of the table, which is empty before each game.
const HASH: Mebibytes = Mebibytes(1);

/// A position of a game that is not over yet, as a line has it up to the result.
struct Sample {
    board: String,
    score: i32,
    mover: Player,
}

/// A game played to its end.
struct Played {
    samples: Vec<Sample>,
    /// Match points and half seeds, South's less North's; `None` if the game is void.
    result: Option<(i32, i32)>,
}

/// Plays the games and hands over the lines, the head first. The same request gives the same lines however many threads play.
///
/// A position that has come up before is left out, and so are void games.
///
/// # Errors
/// If there are no such openings, seeds are still to be laid out in them, no memory for the tables, or `write` says so.
pub fn generate(setting: &Setting, request: &DataRequest, mut write: impl FnMut(&str) -> Result<()>) -> Result<Made> {
    let openings = Openings::read(&request.openings, setting, request.seed, 1)?;
    let tables = (0..request.threads.max(1)).map(|_| Table::new(HASH)).collect::<Result<Vec<_>, _>>()?;
    let games: Vec<usize> = (0..usize::try_from(request.games)?).collect();
    write(&head(setting, request))?;
    let mut seen = HashSet::new();
    let mut made = Made::default();
    let play = |table: &mut Table, number: &usize| play(setting, request, &openings, table, *number);
    parallel::in_order(tables, &games, play, |played| {
        let Played { samples, result } = played?;
        made.games += 1;
        for Sample { board, score, mover } in result.iter().flat_map(|_| &samples) {
            if seen.insert(board.clone()) {
                let (points, seeds) = result.map_or((0, 0), |result| seen_by(*mover, result));
                write(&format!("{board} {score} {points} {}", seeds / 2))?;
                made.positions += 1;
            }
        }
        Ok(())
    })?;
    Ok(made)
}

fn head(setting: &Setting, request: &DataRequest) -> String {
    let DataRequest { games, nodes, seed, plies, openings, .. } = request;
    let (ruleset, pits, nodes) = (&setting.ruleset, pits(&*setting.open()), nodes.0);
    format!(
        "empiki-data 1 ruleset {ruleset} pits {pits} games {games} seed {seed} nodes {nodes} plies {plies} openings {openings}"
    )
}

/// The pits of both sides together.
fn pits(game: &dyn Game) -> usize {
    // The token counts pits, two more and the side, and perhaps a mark.
    (game.token().split('-').count() - 3) / 2 * 2
}

const fn seen_by(mover: Player, (points, seeds): (i32, i32)) -> (i32, i32) {
    match mover {
        Player::South => (points, seeds),
        Player::North => (-points, -seeds),
    }
}

/// Plays the game of this number.
fn play(
    setting: &Setting,
    request: &DataRequest,
    openings: &Openings,
    table: &mut Table,
    number: usize,
) -> Result<Played> {
    // Each game has dice of its own, so that it does not matter who plays it.
    let mut rng = Rng::new(Rng::new(request.seed).roll() ^ Rng::new(number as u64).roll());
    let mut game = setting.open();
    begin(&mut *game, setting, request, openings, &mut rng)?;
    table.clear();
    let mut samples = Vec::new();
    while game.outcome().is_none() {
        let (best, score) = think(&*game, table, request.nodes)?;
        if let Some(board) = board(&*game) {
            samples.push(Sample { board, score, mover: game.mover() });
        }
        let by_lot = rng.below(BY_LOT) == 0;
        game.play(&[if by_lot { builtin::random(&*game, setting.cap, &mut rng)? } else { best }])?;
    }
    let outcome = game.outcome().context("the game is over")?;
    let (points, seeds) = (outcome.points.by_player(game.mover()), outcome.seeds.by_player(game.mover()));
    let result =
        (i32::from(points.south) - i32::from(points.north), i32::from(seeds.south.0) - i32::from(seeds.north.0));
    Ok(Played { samples, result: (!outcome.is_void()).then_some(result) })
}

/// Sets up an opening and plays some plies by lot, as often as it takes until the game goes on after them.
fn begin(
    game: &mut dyn Game,
    setting: &Setting,
    request: &DataRequest,
    openings: &Openings,
    rng: &mut Rng,
) -> Result<()> {
    const TRIES: usize = 1000;
    for _ in 0..TRIES {
        let opening = openings.get(rng.below(usize::MAX));
        game.set_up(opening.token.as_deref(), &opening.moves)?;
        ensure!(game.phase() != Phase::Arrange, "seeds are being arranged: there are no plies by lot");
        for _ in 0..rng.below(request.plies as usize + 1) {
            if game.outcome().is_none() {
                game.play(&[builtin::random(game, setting.cap, rng)?])?;
            }
        }
        if game.outcome().is_none() {
            return Ok(());
        }
    }
    bail!("plies {}: nearly every game is over before that", request.plies)
}

/// The best move and what it is worth.
pub(super) fn think(game: &dyn Game, table: &mut Table, nodes: Nodes) -> Result<(MoveText, i32)> {
    let mut search = SearchRequest::new(Arc::new(StopHandle::alone()));
    search.limits.nodes = Some(nodes);
    let summary = game.search_now(table, search);
    let line = summary.lines.first().context("a search without a line")?;
    let best = line.pv.first().context("a line without a move")?;
    let score = line.score.number().clamp(-LARGEST, LARGEST);
    Ok((best.clone(), score))
}

/// The counts of a position as its mover sees them; `None` where the token has a mark.
fn board(game: &dyn Game) -> Option<String> {
    let token = game.token();
    let counts: Vec<&str> = token.strip_suffix("-S").or(token.strip_suffix("-N"))?.split('-').collect();
    let (pits, extra) = counts.split_at(counts.len() - 2);
    let (south, north) = pits.split_at(pits.len() / 2);
    let by_seat = match game.mover() {
        Player::South => [south, north, &extra[..1], &extra[1..]],
        Player::North => [north, south, &extra[1..], &extra[..1]],
    };
    Some(by_seat.concat().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::game;
    use crate::engine::options::Options;
    use crate::units::Variant;

    fn request(threads: usize) -> DataRequest {
        DataRequest { games: 6, nodes: Nodes(60), seed: 5, plies: 4, openings: "startpos".to_owned(), threads }
    }

    fn made(variant: Variant, request: &DataRequest) -> Result<(Made, Vec<String>)> {
        let mut options = Options::default();
        options.play(variant);
        let mut lines = Vec::new();
        let made = generate(&Setting::new(&options), request, |line| {
            lines.push(line.to_owned());
            Ok(())
        })?;
        Ok((made, lines))
    }

    fn numbers(line: &str) -> Vec<i32> {
        line.split(' ').map(|word| word.parse().expect("a number")).collect()
    }

    #[test]
    fn a_seed_gives_the_same_lines_whatever_the_threads_and_another_one_others() {
        for variant in Variant::ALL {
            let one = made(variant, &request(1)).unwrap();
            assert_eq!(one, made(variant, &request(3)).unwrap());
            assert_ne!(one.1[1..], made(variant, &DataRequest { seed: 6, ..request(1) }).unwrap().1[1..]);
        }
    }

    #[test]
    fn each_line_is_another_position_of_the_game_with_a_score_and_a_result() {
        for variant in Variant::ALL {
            let (made, lines) = made(variant, &request(1)).unwrap();
            let pits = match variant {
                Variant::Wuri | Variant::Urim => 12,
                Variant::Urim7 => 14,
                Variant::Omweso | Variant::Kimasai => 32,
            };
            let head = format!(
                "empiki-data 1 ruleset {variant} pits {pits} games 6 seed 5 nodes 60 plies 4 openings startpos"
            );
            assert_eq!(lines[0], head);
            assert_eq!((made.games, made.positions), (6, lines.len() as u64 - 1));
            let mut game = game::open(variant, &crate::units::OptionValues::new(game::rule_options(variant)));
            let mut boards = HashSet::new();
            for line in &lines[1..] {
                let values = numbers(line);
                assert_eq!(values.len(), pits + 5, "{line}");
                let counts: Vec<String> = values[..pits + 2].iter().map(i32::to_string).collect();
                let token = format!("{}-S", counts.join("-"));
                game.set_up(Some(&token), &[]).unwrap();
                assert!(game.outcome().is_none(), "{token} is over");
                assert!(values[pits + 2].abs() <= LARGEST && values[pits + 3].abs() <= 12, "{line}");
                assert!(boards.insert(token));
            }
        }
    }

    #[test]
    fn the_result_is_told_as_the_mover_sees_it() {
        // The store of South's that is won already: every position is worth a point to South, and the same seeds.
        let opening = std::env::temp_dir().join(format!("empiki-won-{}.txt", std::process::id()));
        std::fs::write(&opening, "1-1-0-0-0-0-0-0-0-0-2-1-22-21-S\n").unwrap();
        let openings = opening.display().to_string();
        let (_, lines) = made(Variant::Wuri, &DataRequest { games: 1, plies: 0, openings, ..request(1) }).unwrap();
        std::fs::remove_file(&opening).unwrap();
        let ends: Vec<Vec<i32>> = lines[1..].iter().map(|line| numbers(line)[12..].to_vec()).collect();
        assert!(ends.len() > 1, "{lines:?}");
        // South's stores tell who moves: they never go down, and neither do North's.
        for (ply, end) in ends.iter().enumerate() {
            let sign = if ply % 2 == 0 { 1 } else { -1 };
            assert_eq!((sign * end[3], sign * end[4]), (ends[0][3], ends[0][4]), "{lines:?}");
        }
    }

    #[test]
    fn seeds_that_are_still_to_be_laid_out_are_refused() {
        let mut options = Options::default();
        options.play(Variant::Omweso);
        options.set("Omweso_Arrangement", Some("open")).unwrap();
        let refused = generate(&Setting::new(&options), &request(1), |_| Ok(())).unwrap_err();
        assert!(refused.to_string().contains("arranged"), "{refused}");
    }
}
