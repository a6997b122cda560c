//! A side of a game: an engine that is started when it is needed and again when it has failed, or a built-in player.

use std::sync::Arc;

use super::builtin;
use super::child::{Allowance, Answer, Child};
use super::fault::Fault;
use super::spec::{EngineSpec, Program};
use crate::engine::game::Game;
use crate::engine::rng::Rng;

/// One side of a game.
pub struct MatchPlayer {
    spec: Arc<EngineSpec>,
    settings: Arc<Vec<(String, String)>>,
    cap: u8,
    child: Option<Child>,
    rng: Rng,
}

impl MatchPlayer {
    /// An engine that is still to be started, with what is set in it beside its own options.
    pub fn new(spec: Arc<EngineSpec>, settings: Arc<Vec<(String, String)>>, cap: u8) -> MatchPlayer {
        MatchPlayer { spec, settings, cap, child: None, rng: Rng::new(0) }
    }

    /// The engine as it was written.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Gets ready for a game; `seed` is what a player by lot begins from.
    ///
    /// # Errors
    /// If the engine does not get ready.
    pub async fn prepare(&mut self, seed: u64) -> Result<(), Fault> {
        self.rng = Rng::new(seed);
        if !matches!(self.spec.program, Program::Command(_)) {
            return Ok(());
        }
        if let Some(child) = &mut self.child {
            // One that ended after its last game is started again, and nothing is lost by it.
            if child.new_game(&self.spec.terms).await.is_ok() {
                return Ok(());
            }
            self.kill().await;
        }
        let mut child = Child::start(&self.spec, &self.settings).await?;
        child.new_game(&self.spec.terms).await?;
        self.child = Some(child);
        Ok(())
    }

    /// Chooses a move. The game is as before when this returns.
    ///
    /// # Errors
    /// What the engine did instead.
    pub async fn choose(&mut self, game: &mut dyn Game, orders: &[u8], allowed: Allowance) -> Result<Answer, Fault> {
        let chosen = match (&self.spec.program, &mut self.child) {
            (Program::Random, _) => builtin::random(game, self.cap, &mut self.rng),
            (Program::Greedy, _) => builtin::greedy(game, self.cap),
            (Program::Command(_), Some(child)) => return child.think(orders, allowed).await,
            (Program::Command(_), None) => return Err(Fault::StartUp("it was not started".to_owned())),
        };
        // Between two moves that need no waiting the runner hears what else there is.
        tokio::task::yield_now().await;
        let best = chosen.map_err(|error| Fault::Broken(error.to_string()))?.to_string();
        Ok(Answer { best, ..Answer::default() })
    }

    /// Kills the engine, if it runs; the next game starts it again.
    pub async fn kill(&mut self) {
        if let Some(child) = self.child.take() {
            child.kill().await;
        }
    }

    /// Lets the engine quit.
    pub async fn end(self) {
        if let Some(child) = self.child {
            child.end().await;
        }
    }
}
