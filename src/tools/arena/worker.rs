//! A worker of a match: it plays one task after another with engines of its own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use tokio::sync::mpsc::Sender;

use super::game::{self, Played};
use super::match_log;
use super::match_player::MatchPlayer;
use super::openings::Openings;
use super::schedule::{PointsMatch, ScheduledGame, Task};
use super::setting::Setting;
use super::spec::EngineSpec;
use super::standings;
use crate::engine::game::Game;
use crate::record::GameRecord;
use crate::units::{PerPlayer, Player};

/// What all workers of a match share.
pub struct Match {
    /// What is played.
    pub setting: Setting,
    /// Who plays.
    pub engines: Vec<Arc<EngineSpec>>,
    /// Where games begin.
    pub openings: Openings,
    /// What engines are told of the setting.
    pub announced: Arc<Vec<(String, String)>>,
    /// Whether games are recorded.
    pub records: bool,
    /// What is still to be played.
    pub tasks: Mutex<VecDeque<Task>>,
}

/// What a worker tells.
pub enum Told {
    /// A game has ended.
    Game(Box<Finished>),
    /// A match is over.
    Match(PointsMatch),
    /// It cannot go on.
    Failed(anyhow::Error),
}

/// A game that has ended.
pub struct Finished {
    /// Which game.
    pub scheduled: ScheduledGame,
    /// What was played.
    pub played: Played,
    /// What came of it.
    pub result: standings::Result,
    /// Whether the engine that moved first sat at South.
    pub first_is_south: bool,
    /// Its record, if games are recorded.
    pub record: Option<GameRecord>,
}

/// Plays tasks until there are none, and tells what came of them. Dropped, it kills its engines.
pub async fn work(shared: Arc<Match>, told: Sender<Told>) {
    let mut worker = Worker { game: shared.setting.open(), contestants: Vec::new(), shared, told };
    loop {
        let task = worker.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(task) = task else { break };
        if let Err(error) = worker.carry_out(task).await {
            // Nobody listens any more when the match is being ended.
            let _ = worker.told.send(Told::Failed(error)).await;
            break;
        }
    }
    for (_, match_player) in worker.contestants {
        match_player.end().await;
    }
}

struct Worker {
    shared: Arc<Match>,
    told: Sender<Told>,
    game: Box<dyn Game>,
    /// The engines of the last game, by their index.
    contestants: Vec<(usize, MatchPlayer)>,
}

impl Worker {
    async fn carry_out(&mut self, task: Task) -> Result<()> {
        match task {
            Task::Game(scheduled) => {
                self.play(scheduled).await?;
            }
            Task::Match(mut points) => {
                while let Some(scheduled) = points.next() {
                    let result = self.play(scheduled).await?;
                    points.count(result.in_match());
                }
                let _ = self.told.send(Told::Match(points)).await;
            }
        }
        Ok(())
    }

    async fn play(&mut self, scheduled: ScheduledGame) -> Result<standings::Result> {
        let shared = Arc::clone(&self.shared);
        self.seat(&scheduled).await;
        let opening = shared.openings.get(scheduled.opening);
        let first_is_south = opening.starter == Player::South;
        let [(_, first), (_, second)] = self.contestants.as_mut_slice() else {
            anyhow::bail!("a game has two sides");
        };
        let (south, north) = if first_is_south { (first, second) } else { (second, first) };
        let specs = PerPlayer { south: scheduled.first, north: scheduled.second };
        let specs = if first_is_south { specs } else { PerPlayer { south: specs.north, north: specs.south } };
        let sides = PerPlayer { south, north };
        let played = game::play(&mut *self.game, opening, sides, shared.setting.adjudication, scheduled.seed).await?;
        let played = played.judged(|player| scheduled.void_loses[standings::turn_of(player, first_is_south)]);
        let result = standings::Result::of(&played, first_is_south);
        let record = shared.records.then(|| {
            let engines = PerPlayer { south: &*shared.engines[specs.south], north: &*shared.engines[specs.north] };
            match_log::record(&shared.setting, &engines, &scheduled, opening, &played, &*self.game)
        });
        let finished = Finished { scheduled, played, result, first_is_south, record };
        let _ = self.told.send(Told::Game(Box::new(finished))).await;
        Ok(result)
    }

    /// Puts the two engines of a game in the order of their moves; those that do not play it are let go.
    async fn seat(&mut self, scheduled: &ScheduledGame) {
        let mut before = std::mem::take(&mut self.contestants);
        for wanted in [scheduled.first, scheduled.second] {
            let match_player = match before.iter().position(|(engine, _)| *engine == wanted) {
                Some(index) => before.swap_remove(index).1,
                None => {
                    let spec = Arc::clone(&self.shared.engines[wanted]);
                    MatchPlayer::new(spec, Arc::clone(&self.shared.announced), self.shared.setting.cap)
                }
            };
            self.contestants.push((wanted, match_player));
        }
        for (_, match_player) in before {
            match_player.end().await;
        }
    }
}
