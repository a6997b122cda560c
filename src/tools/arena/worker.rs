//! A worker of a match: it plays one task after another with engines of its own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use tokio::sync::mpsc::Sender;

use super::book;
use super::contestant::Contestant;
use super::duel::{self, Played};
use super::openings::Openings;
use super::schedule::{Fixture, PointsMatch, Task};
use super::setting::Setting;
use super::spec::EngineSpec;
use super::standing;
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
    pub fixture: Fixture,
    /// What was played.
    pub played: Played,
    /// What came of it.
    pub result: standing::Result,
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
    for (_, contestant) in worker.contestants {
        contestant.end().await;
    }
}

struct Worker {
    shared: Arc<Match>,
    told: Sender<Told>,
    game: Box<dyn Game>,
    /// The engines of the last game, by their index.
    contestants: Vec<(usize, Contestant)>,
}

impl Worker {
    async fn carry_out(&mut self, task: Task) -> Result<()> {
        match task {
            Task::Game(fixture) => {
                self.play(fixture).await?;
            }
            Task::Match(mut points) => {
                while let Some(fixture) = points.next() {
                    let result = self.play(fixture).await?;
                    points.count(result.in_match());
                }
                let _ = self.told.send(Told::Match(points)).await;
            }
        }
        Ok(())
    }

    async fn play(&mut self, fixture: Fixture) -> Result<standing::Result> {
        let shared = Arc::clone(&self.shared);
        self.seat(&fixture).await;
        let opening = shared.openings.get(fixture.opening);
        let first_is_south = opening.starter == Player::South;
        let [(_, first), (_, second)] = self.contestants.as_mut_slice() else {
            anyhow::bail!("a game has two sides");
        };
        let (south, north) = if first_is_south { (first, second) } else { (second, first) };
        let specs = PerPlayer { south: fixture.first, north: fixture.second };
        let specs = if first_is_south { specs } else { PerPlayer { south: specs.north, north: specs.south } };
        let sides = PerPlayer { south, north };
        let played = duel::play(&mut *self.game, opening, sides, shared.setting.adjudication, fixture.seed).await?;
        let played = played.judged(|player| fixture.void_loses[standing::turn_of(player, first_is_south)]);
        let result = standing::Result::of(&played, first_is_south);
        let record = shared.records.then(|| {
            let engines = PerPlayer { south: &*shared.engines[specs.south], north: &*shared.engines[specs.north] };
            book::record(&shared.setting, &engines, &fixture, opening, &played, &*self.game)
        });
        let finished = Finished { fixture, played, result, first_is_south, record };
        let _ = self.told.send(Told::Game(Box::new(finished))).await;
        Ok(result)
    }

    /// Puts the two engines of a game in the order of their moves; those that do not play it are let go.
    async fn seat(&mut self, fixture: &Fixture) {
        let mut before = std::mem::take(&mut self.contestants);
        for wanted in [fixture.first, fixture.second] {
            let contestant = match before.iter().position(|(engine, _)| *engine == wanted) {
                Some(index) => before.swap_remove(index).1,
                None => {
                    let spec = Arc::clone(&self.shared.engines[wanted]);
                    Contestant::new(spec, Arc::clone(&self.shared.announced), self.shared.setting.cap)
                }
            };
            self.contestants.push((wanted, contestant));
        }
        for (_, contestant) in before {
            contestant.end().await;
        }
    }
}
