//! The tournament manager: it lets engines play each other, with the rules as the only referee.
//!
//! ```text
//!  spec, setting, openings, schedule      what is to be played: text to values
//!        worker                           one game after another: it has engines of its own
//!          duel                           one game: the referee
//!            contestant -> child, builtin who moves: a process under time-outs, or a player of our own
//!  standing -> report, progress           what came of it, for people and programs
//!  book                                   the record on disk, and a match that goes on from it
//! ```
//!
//! The runner's main task alone counts and writes; workers tell it what they have played.

pub(super) mod builtin;
mod child;
mod fault;
mod game;
mod group;
mod match_log;
mod match_player;
pub(super) mod openings;
mod progress;
mod report;
mod schedule;
pub(super) mod setting;
mod spec;
mod standings;
mod worker;

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinSet;

use self::match_log::{Done, MatchLog};
use self::openings::Openings;
use self::progress::Progress;
use self::schedule::{ByPoints, Schedule, Task, Tournament};
use self::setting::{Draw, Resign, Setting};
use self::spec::{EngineSpec, Program};
use self::standings::Standings;
use self::worker::{Finished, Match, Told};
use super::elo::{Decision, Sprt};
use super::print;
use crate::engine::options::Options;

/// What a match is asked for, as it was written on the command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// Each engine.
    pub engines: Vec<String>,
    /// What holds for every engine.
    pub each: String,
    /// Who meets whom.
    pub tournament: String,
    /// Games of each pairing, or the most games of a match.
    pub games: Option<usize>,
    /// Matches by points.
    pub by_points: Option<String>,
    /// Matches of each pairing.
    pub matches: usize,
    /// Games at a time.
    pub concurrency: usize,
    /// Where games begin.
    pub openings: String,
    /// Where chance begins.
    pub seed: u64,
    /// The file of the record.
    pub record: Option<PathBuf>,
    /// Whether to go on from the record.
    pub resume: bool,
    /// The file of the summary.
    pub json: Option<PathBuf>,
    /// The test that may end the match.
    pub sprt: Option<String>,
    /// When a game is drawn before its end.
    pub draw: Option<String>,
    /// When a game is lost before its end.
    pub resign: Option<String>,
}

/// The most games of a match to a number of points, where none are told.
const MATCH_LIMIT: usize = 100;

/// Plays a match and prints its table.
///
/// # Errors
/// What is wrong with the request, or what stands in the way of the match. Faults of engines are none: they lose games.
pub fn run(request: &Request, options: &Options) -> Result<()> {
    let prepared = Prepared::read(request, options)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
    runtime.block_on(prepared.play(request))
}

/// A match that is ready to be played.
struct Prepared {
    schedule: Schedule,
    shared: Match,
    standings: Standings,
    sprt: Option<Sprt>,
    match_log: Option<MatchLog>,
    plays_matches: bool,
}

impl Prepared {
    fn read(request: &Request, options: &Options) -> Result<Prepared> {
        let mut setting = Setting::new(options);
        let engines = read_engines(request, setting.move_time)?;
        setting.adjudication.draw = request.draw.as_deref().map(Draw::read).transpose()?;
        setting.adjudication.resign = request.resign.as_deref().map(Resign::read).transpose()?;
        let by_points = request.by_points.as_deref().map(|text| ByPoints::read(text, setting.variant)).transpose()?;
        let sprt = request.sprt.as_deref().map(read_sprt).transpose()?;
        let plays_matches = by_points.is_some();
        ensure!(sprt.is_none() || engines.len() == 2, "--sprt: wanted two engines, not {}", engines.len());
        ensure!(sprt.is_none() || !plays_matches, "--sprt counts games, --match counts matches: wanted one of them");
        ensure!(request.concurrency > 0, "--concurrency is 0: wanted at least one game at a time");
        let games = request.games.or(plays_matches.then_some(MATCH_LIMIT)).context("wanted --games N")?;
        ensure!(games > 0, "--games is 0: wanted at least one");
        let is_paired = plays_matches || games % 2 == 0;
        ensure!(is_paired, "--games is {games}: each opening is played from both sides, so wanted an even number");
        let tournament = Tournament::read(&request.tournament)?;
        let matches = by_points.map(|by_points| (by_points, request.matches));
        let schedule = Schedule::new(tournament, engines.len(), games, matches, request.seed);
        let openings = Openings::read(&request.openings, &setting, request.seed, schedule.openings())?;
        let names = engines.iter().map(|engine| engine.name.clone()).collect();
        let standings = Standings::new(names, schedule.pairings().to_vec(), plays_matches);
        let shared = Match {
            announced: Arc::new(setting.announced()),
            setting,
            engines,
            openings,
            records: request.record.is_some(),
            tasks: Mutex::new(VecDeque::new()),
        };
        let mut prepared = Prepared { schedule, shared, standings, sprt, match_log: None, plays_matches };
        prepared.open_book(request)?;
        Ok(prepared)
    }

    /// Opens the record; where the match goes on, its games are counted and not played again.
    fn open_book(&mut self, request: &Request) -> Result<()> {
        let mut done = Done::new(Vec::new())?;
        match &request.record {
            None => ensure!(!request.resume, "--resume goes on from a record: wanted --record FILE"),
            Some(path) if request.resume => {
                let (match_log, records) = MatchLog::resume(path)?;
                self.match_log = Some(match_log);
                done = Done::new(records).with_context(|| format!("record {}", path.display()))?;
            }
            Some(path) if path.exists() => {
                bail!("record {}: it is there already: --resume goes on from it", path.display())
            }
            Some(path) => self.match_log = Some(MatchLog::create(path)?),
        }
        let mut tasks = VecDeque::new();
        for task in self.schedule.tasks() {
            let left = self.count_done(task, &mut done).context("the record that is to go on")?;
            tasks.extend(left);
        }
        done.finish().context("the record that is to go on")?;
        self.shared.tasks = Mutex::new(tasks);
        Ok(())
    }

    /// Counts what the record has of a task; returns what is left of it.
    fn count_done(&mut self, task: Task, done: &mut Done) -> Result<Option<Task>> {
        match task {
            Task::Game(scheduled) => match self.take_done(&scheduled, done)? {
                Some(result) => {
                    self.standings.add(&scheduled, &result);
                    Ok(None)
                }
                None => Ok(Some(Task::Game(scheduled))),
            },
            Task::Match(mut points) => {
                while let Some(scheduled) = points.next() {
                    let Some(result) = self.take_done(&scheduled, done)? else { return Ok(Some(Task::Match(points))) };
                    self.standings.add(&scheduled, &result);
                    points.count(result.in_match());
                }
                self.standings.add_match(&points);
                Ok(None)
            }
        }
    }

    fn take_done(&self, scheduled: &schedule::ScheduledGame, done: &mut Done) -> Result<Option<standings::Result>> {
        let (first, second) = (&self.shared.engines[scheduled.first].name, &self.shared.engines[scheduled.second].name);
        done.take(&self.shared.setting, scheduled, self.shared.openings.get(scheduled.opening), (first, second))
    }

    async fn play(self, request: &Request) -> Result<()> {
        let interrupted = group::listen().context("no signals")?;
        for engine in &self.shared.engines {
            // A name that was mistyped is told at once, not once a game.
            if let Program::Command(words) = &engine.program {
                child::Child::spawn(engine, words)?.kill().await;
            }
        }
        let shared = Arc::new(self.shared);
        let mut progress = Progress::new(self.schedule.games(), self.standings.games);
        let (sender, mut told) = mpsc::channel(request.concurrency.max(16));
        let mut workers = JoinSet::new();
        let is_decided = |standings: &Standings| decision(standings, self.sprt.as_ref()) != Decision::Open;
        if !is_decided(&self.standings) {
            for _ in 0..request.concurrency {
                workers.spawn(worker::work(Arc::clone(&shared), sender.clone()));
            }
        }
        drop(sender);
        let mut counting = Counting { standings: self.standings, match_log: self.match_log, sprt: self.sprt };
        let ended = tokio::select! {
            ended = counting.listen(&mut told, &mut progress) => ended,
            () = interrupted => Ok(false),
        };
        // Games in play are dropped, and with them their engines; otherwise engines are given the time to quit.
        if !matches!(ended, Ok(true)) {
            workers.shutdown().await;
        }
        while workers.join_next().await.is_some() {}
        let kept = counting.take_the_rest(&mut told);
        progress.finish();
        let Counting { standings, sprt, .. } = counting;
        if let Some(path) = &request.json {
            let is_whole = matches!(ended, Ok(true)) || is_decided(&standings);
            let text = report::json(&standings, sprt.as_ref(), &shared.setting.ruleset, is_whole, self.plays_matches);
            fs::write(path, text).with_context(|| format!("summary {}", path.display()))?;
        }
        print(report::table(&standings, sprt.as_ref(), self.plays_matches))?;
        kept?;
        ended.map(|_| ())
    }
}

fn read_engines(request: &Request, move_time: Option<Duration>) -> Result<Vec<Arc<EngineSpec>>> {
    let read = |text: &String| EngineSpec::read(text, &request.each, move_time).map(Arc::new);
    let engines: Vec<Arc<EngineSpec>> = request.engines.iter().map(read).collect::<Result<_>>()?;
    ensure!(engines.len() >= 2, "wanted at least two engines, --engine for each");
    let mut names = HashSet::new();
    for engine in &engines {
        ensure!(names.insert(&engine.name), "two engines are called `{}`: wanted name=NAME", engine.name);
    }
    Ok(engines)
}

fn read_sprt(text: &str) -> Result<Sprt> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    for (key, value) in spec::pairs(text).context("--sprt")? {
        let value: f64 = value.parse().with_context(|| format!("--sprt: {key} is `{value}`: wanted a number"))?;
        match key.as_str() {
            "elo0" => elo0 = Some(value),
            "elo1" => elo1 = Some(value),
            "alpha" => alpha = value,
            "beta" => beta = value,
            _ => bail!("--sprt: `{key}` is no key: wanted elo0, elo1, alpha or beta"),
        }
    }
    let (elo0, elo1) = elo0.zip(elo1).context("--sprt: wanted elo0=N elo1=N")?;
    Sprt::new(elo0, elo1, alpha, beta).context("--sprt")
}

fn decision(standings: &Standings, sprt: Option<&Sprt>) -> Decision {
    match (sprt, standings.meetings.as_slice()) {
        (Some(sprt), [meeting]) => sprt.decide(&meeting.in_order),
        _ => Decision::Open,
    }
}

/// The one place that counts and writes.
struct Counting {
    standings: Standings,
    match_log: Option<MatchLog>,
    sprt: Option<Sprt>,
}

impl Counting {
    /// Counts what workers tell until they are done; tells whether they are, or the test has ended the match before.
    async fn listen(&mut self, told: &mut Receiver<Told>, progress: &mut Progress) -> Result<bool> {
        while let Some(news) = told.recv().await {
            self.count(news, Some(&mut *progress))?;
            if decision(&self.standings, self.sprt.as_ref()) != Decision::Open {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts what had been played when the match was ended.
    fn take_the_rest(&mut self, told: &mut Receiver<Told>) -> Result<()> {
        while let Ok(news) = told.try_recv() {
            self.count(news, None)?;
        }
        Ok(())
    }

    fn count(&mut self, news: Told, progress: Option<&mut Progress>) -> Result<()> {
        match news {
            Told::Failed(error) => Err(error),
            Told::Match(points) => {
                self.standings.add_match(&points);
                Ok(())
            }
            Told::Game(finished) => {
                let Finished { scheduled, played, result, first_is_south, record } = *finished;
                if let (Some(match_log), Some(record)) = (&mut self.match_log, &record) {
                    match_log.add(record)?;
                }
                self.standings.add(&scheduled, &result);
                if let Some(progress) = progress {
                    let line = report::game_line(&self.standings, &scheduled, &played, first_is_south);
                    let running = || report::running_words(&self.standings, self.sprt.as_ref());
                    progress.game(self.standings.games, &line, result.fault.is_some(), running);
                }
                Ok(())
            }
        }
    }
}
