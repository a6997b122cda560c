//! The game on the table: a position with its history, behind one small object for every variant.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail, ensure};

use super::endgames;
use super::stack::{MoveStack, StackEntry, arranged};
use crate::eval;
use crate::protocol::{self, Reply, WinDrawLoss};
use crate::rules::kimasai::Kimasai;
use crate::rules::notation::{read_position, write_move, write_moves, write_position};
use crate::rules::omweso::Omweso;
use crate::rules::outcome::Outcome;
use crate::rules::trace::{Endless, EndlessWatcher, Recorder};
use crate::rules::urim::Urim;
use crate::rules::wuri::Wuri;
use crate::rules::{self, Move, Refusal, Rules, arrangement, diagram, perft, ruleset};
use crate::search::info::{Event, Report};
use crate::search::limits::Limits;
use crate::search::score::Objective;
use crate::search::stop::StopHandle;
use crate::search::table::Table;
use crate::search::workers::Job;
use crate::search::{self, SearchJob, Searchable, Summary, arrange};
use crate::tablebase::probe::Tables;
use crate::units::{Bound, Depth, Mebibytes, MoveText, Nodes, OptionSpec, OptionValues, Phase, Player, Variant};

/// A game on the table: it answers every question about its position.
///
/// Whatever is asked of it either succeeds whole or changes nothing.
pub trait Game: Send {
    /// Which game.
    fn variant(&self) -> Variant;

    /// The ruleset word.
    fn ruleset(&self) -> &str;

    /// Sets up a position, the start without a token, and plays moves from it.
    ///
    /// # Errors
    /// What is wrong with the token or with which move; the old position stays then.
    fn set_up(&mut self, token: Option<&str>, moves: &[MoveText]) -> Result<()>;

    /// Plays moves from the present position.
    ///
    /// # Errors
    /// Which move cannot be played, and why; no move is played then.
    fn play(&mut self, moves: &[MoveText]) -> Result<()>;

    /// Takes turns back.
    ///
    /// # Errors
    /// If fewer have been played since the set-up.
    fn undo(&mut self, turns: u32) -> Result<()>;

    /// The player to move.
    fn mover(&self) -> Player;

    /// The position as its token.
    fn token(&self) -> String;

    /// The legal moves in canonical order; none when the game is over (G8), and while seeds are arranged, of which there is no list.
    fn legal_moves(&self) -> Vec<MoveText>;

    /// What kind of turn it is.
    fn phase(&self) -> Phase;

    /// Sets how many seeds an arrangement may put in one pit (O3). Positions that are set up may have more.
    fn limit_arrangements(&mut self, cap: u8);

    /// Checks one move.
    ///
    /// # Errors
    /// Why it is not legal.
    fn check(&self, text: &MoveText) -> Result<(), Refusal>;

    /// How the game ended, if it is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The seeds that the last turn captured; 0 in a set-up position.
    fn captured(&self) -> u8;

    /// A turn told step by step. The game's own position stays.
    ///
    /// # Errors
    /// Why the move cannot be played.
    fn trace(&self, text: &MoveText) -> Result<Trace>;

    /// The drawn board.
    fn diagram(&self) -> Vec<String>;

    /// The chances of the player to move by a line that a search of the position found: certain where it is proved, else by a
    /// model.
    fn wdl(&self, line: &Report) -> WinDrawLoss;

    /// The evaluation of the position without a search, in hundredths of a seed for the player to move.
    fn evaluation(&self) -> i32;

    /// Lets searches ask these endgame tables, which must be made under the same rules, in place of the small ones that are built in.
    fn use_tables(&mut self, tables: Option<Tables>);

    /// A search of the position, as a job. Moves at the root that are not legal are left out.
    fn search(&self, request: SearchRequest) -> Job;

    /// The same search here and now.
    fn search_now(&self, table: &mut Table, request: SearchRequest) -> Summary;

    /// The lines of a search that is too short to be worth a table or a thread.
    fn depth_one(&self, request: SearchRequest) -> Vec<Report>;

    /// A count of leaves below each move, in canonical order, and of all.
    ///
    /// # Errors
    /// Where leaves cannot be counted.
    fn perft(&self, depth: Depth) -> Result<Work>;

    /// The leaves so many plies below, counted here and now; with `made` the moves of the last ply are made too.
    ///
    /// # Errors
    /// Where they are too deep.
    fn leaves(&self, depth: Depth, made: bool) -> Result<u64>;

    /// Whether the sowing of a move never ends, or of each legal move and each one refused for that.
    ///
    /// # Errors
    /// If the move cannot be played for another reason.
    fn endless(&self, text: Option<&MoveText>) -> Result<Work>;
}

/// What a search of a game's position is asked for.
pub struct SearchRequest {
    /// How far to go; its moves at the root are made from `search_moves`.
    pub limits: Limits,
    /// Look at these moves only; all if empty.
    pub search_moves: Vec<MoveText>,
    /// How many lines to find.
    pub multi_pv: usize,
    /// How many threads search.
    pub threads: usize,
    /// What a won game is worth.
    pub objective: Objective,
    /// With no more seeds in the pits than this endgame tables are asked.
    pub table_seeds: u8,
    /// How to end it from outside.
    pub stop: Arc<StopHandle>,
    /// What times are counted from.
    pub started: Instant,
    /// Who is told.
    pub events: Box<dyn Fn(Event) + Send>,
}

impl SearchRequest {
    /// A search without limits for one line, of which nobody is told.
    pub fn new(stop: Arc<StopHandle>) -> SearchRequest {
        SearchRequest {
            limits: Limits::default(),
            search_moves: Vec::new(),
            multi_pv: 1,
            threads: 1,
            objective: Objective::default(),
            table_seeds: u8::MAX,
            stop,
            started: Instant::now(),
            events: Box::new(|_| ()),
        }
    }
}

/// A job that is no search: it looks at the control from time to time, and tells its replies as it goes. Its last reply is
/// handed back, or `None` if it was stopped: so the client hears either that it came to its end or that it did not.
pub type Work = Box<dyn FnOnce(&Arc<StopHandle>, &dyn Fn(Reply)) -> Option<Reply> + Send>;

/// A turn told step by step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The steps, each without the word `step`.
    pub steps: Vec<String>,
    /// The move as it is written.
    pub played: MoveText,
    /// The position after it.
    pub token: String,
}

/// The rule options of a variant.
pub fn rule_options(variant: Variant) -> &'static [OptionSpec] {
    match variant {
        Variant::Wuri => Wuri::<true>::OPTIONS,
        Variant::Urim => Urim::<6, true>::OPTIONS,
        Variant::Urim7 => Urim::<7, true>::OPTIONS,
        Variant::Omweso => Omweso::<true>::OPTIONS,
        Variant::Kimasai => Kimasai::<true>::OPTIONS,
    }
}

/// Opens a game at its start position.
pub fn open(variant: Variant, options: &OptionValues) -> Box<dyn Game> {
    match variant {
        Variant::Wuri => open_as::<Wuri<true>, Wuri<false>>(options),
        Variant::Urim => open_as::<Urim<6, true>, Urim<6, false>>(options),
        Variant::Urim7 => open_as::<Urim<7, true>, Urim<7, false>>(options),
        Variant::Omweso => open_as::<Omweso<true>, Omweso<false>>(options),
        Variant::Kimasai => open_as::<Kimasai<true>, Kimasai<false>>(options),
    }
}

/// Opens a game as the type that has the default rules of a turn compiled in if these are those, else as the other one.
fn open_as<Standard: Searchable, Chosen: Searchable>(options: &OptionValues) -> Box<dyn Game> {
    let leaves_turns = |name| Standard::OPENING_OPTIONS.contains(&name);
    if options.iter().all(|(spec, value)| *value == spec.default_value() || leaves_turns(spec.name)) {
        OnTheTable::<Standard>::open(options)
    } else {
        OnTheTable::<Chosen>::open(options)
    }
}

/// Opens the game of a ruleset word at its start position.
///
/// # Errors
/// As [`parse_ruleset`].
pub fn open_ruleset(word: &str) -> Result<Box<dyn Game>> {
    let (variant, options) = parse_ruleset(word)?;
    Ok(open(variant, &options))
}

/// The variant of a ruleset word and its rule options.
///
/// # Errors
/// What of the word is no variant, no rule option of it, no value, or not written as [`ruleset`] writes it.
pub fn parse_ruleset(word: &str) -> Result<(Variant, OptionValues)> {
    let mut parts = word.split(';');
    let name = parts.next().unwrap_or_default();
    let variant = Variant::ALL.into_iter().find(|variant| variant.name() == name);
    let variant = variant.with_context(|| format!("ruleset `{word}`: no game is called `{name}`"))?;
    let specs = rule_options(variant);
    let mut options = OptionValues::new(specs);
    for part in parts {
        let set = part.split_once('=').and_then(|(short, value)| {
            let spec = specs.iter().find(|spec| rules::short_name(spec) == short)?;
            options.set(spec.name, value)
        });
        let set = set.with_context(|| format!("ruleset `{word}`: no rule option of {name} is `{part}`"))?;
        set.map_err(|error| anyhow!("ruleset `{word}`: {error}"))?;
    }
    let written = ruleset(variant, &options);
    ensure!(written == word, "ruleset `{word}`: it is written `{written}`");
    Ok((variant, options))
}

/// Refuses a perft that is too deep.
fn ensure_countable(depth: Depth) -> Result<()> {
    ensure!(depth.0 <= perft::MOST_PLIES, "perft {}: wanted at most {} plies", depth.0, perft::MOST_PLIES);
    Ok(())
}

/// A game of one variant under its rules.
struct OnTheTable<G: Searchable> {
    rules: G,
    ruleset: String,
    options: OptionValues,
    /// The endgame tables in place of those that are built in.
    tables: Option<Tables>,
    arrangement_cap: u8,
    stack: MoveStack<G::Position>,
}

impl<G: Searchable> OnTheTable<G> {
    fn open(options: &OptionValues) -> Box<dyn Game> {
        let rules = G::with_options(options);
        let stack = MoveStack::set_up(&rules, rules.start(), Player::South);
        let arrangement_cap = arrangement::SEEDS;
        let (ruleset, options) = (ruleset(G::VARIANT, options), options.clone());
        Box::new(OnTheTable { rules, ruleset, options, tables: None, arrangement_cap, stack })
    }
}

impl<G: Searchable> OnTheTable<G> {
    /// The legal move that was written.
    fn resolved(&self, text: &MoveText) -> Result<Move> {
        let now = self.stack.now();
        let refused = |refusal| anyhow!("move `{text}`: {refusal}");
        match self.phase() {
            Phase::Over => bail!(refused(Refusal::GameOver)),
            Phase::Arrange => bail!("seeds are being arranged: there is no sowing to tell of"),
            Phase::Sow | Phase::Raid => self.rules.resolve(&now.position, text).map_err(refused),
        }
    }

    fn search_job(&self, request: SearchRequest) -> SearchJob<G> {
        let StackEntry { position, outcome, .. } = self.stack.now();
        let resolved = request.search_moves.iter().filter_map(|text| self.rules.resolve(&position, text).ok());
        let mut limits = request.limits;
        limits.search_moves = resolved.collect();
        // How soon a game is won is not in the tables.
        let tables = match limits.win_within {
            None if request.table_seeds > 0 => {
                let tables = self.tables.clone().or_else(|| endgames::built_in(G::VARIANT, &self.options));
                tables.map(|tables| tables.up_to(request.table_seeds))
            }
            _ => None,
        };
        SearchJob {
            rules: self.rules,
            position,
            mover: self.mover(),
            history: self.stack.history.clone(),
            outcome,
            multi_pv: request.multi_pv,
            threads: request.threads,
            exact: false,
            // What is looked for is a win, with however many points.
            objective: if limits.win_within.is_some() { Objective::Win } else { request.objective },
            limits,
            tables,
            stop: request.stop,
            started: request.started,
            events: request.events,
        }
    }
}

impl<G: Searchable> Game for OnTheTable<G> {
    fn variant(&self) -> Variant {
        G::VARIANT
    }

    fn ruleset(&self) -> &str {
        &self.ruleset
    }

    fn set_up(&mut self, token: Option<&str>, moves: &[MoveText]) -> Result<()> {
        let (position, starter) = match token {
            None => (self.rules.start(), Player::South),
            Some(token) => read_position(&self.rules, token)?,
        };
        let mut stack = MoveStack::set_up(&self.rules, position, starter);
        stack.play_all(&self.rules, self.arrangement_cap, moves)?;
        self.stack = stack;
        Ok(())
    }

    fn play(&mut self, moves: &[MoveText]) -> Result<()> {
        let before = self.stack.turns();
        let played = self.stack.play_all(&self.rules, self.arrangement_cap, moves);
        if played.is_err() {
            self.stack.undo(&self.rules, self.stack.turns() - before);
        }
        played
    }

    fn undo(&mut self, turns: u32) -> Result<()> {
        let played = self.stack.turns();
        let wanted = usize::try_from(turns).unwrap_or(usize::MAX);
        ensure!(wanted <= played, "undo {turns}: {played} turns have been played since the set-up");
        self.stack.undo(&self.rules, wanted);
        Ok(())
    }

    fn mover(&self) -> Player {
        self.stack.mover()
    }

    fn token(&self) -> String {
        write_position(&self.rules, &self.stack.now().position, self.mover())
    }

    fn legal_moves(&self) -> Vec<MoveText> {
        match self.phase() {
            Phase::Over | Phase::Arrange => Vec::new(),
            Phase::Sow | Phase::Raid => write_moves(&self.rules, &self.stack.now().position, self.mover()),
        }
    }

    fn phase(&self) -> Phase {
        let now = self.stack.now();
        if now.outcome.is_some() { Phase::Over } else { self.rules.phase(&now.position) }
    }

    fn limit_arrangements(&mut self, cap: u8) {
        self.arrangement_cap = cap;
    }

    fn check(&self, text: &MoveText) -> Result<(), Refusal> {
        let position = self.stack.now().position;
        match self.phase() {
            Phase::Over => Err(Refusal::GameOver),
            Phase::Arrange => arranged(&self.rules, &position, self.arrangement_cap, text).map(|_| ()),
            Phase::Sow | Phase::Raid => self.rules.resolve(&position, text).map(|_| ()),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.stack.now().outcome
    }

    fn captured(&self) -> u8 {
        self.stack.now().captured
    }

    fn trace(&self, text: &MoveText) -> Result<Trace> {
        let now = self.stack.now();
        let mv = self.resolved(text)?;
        let mut recorder = Recorder::default();
        let child = self.rules.play(&now.position, mv, &mut recorder);
        Ok(Trace {
            steps: recorder.lines(self.mover()),
            played: write_move(&self.rules, &now.position, self.mover(), mv),
            token: write_position(&self.rules, &child.position, !self.mover()),
        })
    }

    fn diagram(&self) -> Vec<String> {
        diagram::draw(&self.rules, &self.stack.now().position, self.mover())
    }

    fn wdl(&self, line: &Report) -> WinDrawLoss {
        let StackEntry { position, outcome, .. } = self.stack.now();
        let certain = |win, draw, loss| WinDrawLoss { win, draw, loss };
        let score = match (line.score.number(), line.bound) {
            (0, Bound::Exact) if line.proven => return certain(0, 1000, 0),
            // Beyond every evaluation lies what is proved or sure.
            (won, Bound::Exact | Bound::Lower) if won > eval::LARGEST => return certain(1000, 0, 0),
            (lost, Bound::Exact | Bound::Upper) if lost < -eval::LARGEST => return certain(0, 0, 1000),
            (score, _) => score.clamp(-eval::LARGEST, eval::LARGEST),
        };
        let fields = self.rules.fields(&position);
        let pits = |pits: [u8; 16]| pits[..G::LAYOUT.pits].iter().copied().map(u32::from).sum::<u32>();
        let (win, loss) = G::WDL.of(score, pits(fields.pits.mover) + pits(fields.pits.other));
        // What the seeds left can no longer bring about is certain too.
        let (worst, best) = match outcome {
            None => self.rules.result_bounds(&position),
            Some(outcome) => (outcome.balance(), outcome.balance()),
        };
        let (win, loss) = (if best > 0 { win } else { 0 }, if worst < 0 { loss } else { 0 });
        certain(win, 1000 - win - loss, loss)
    }

    fn evaluation(&self) -> i32 {
        self.rules.evaluate(&self.stack.now().position)
    }

    fn use_tables(&mut self, tables: Option<Tables>) {
        self.tables = tables;
    }

    fn search(&self, request: SearchRequest) -> Job {
        let search = self.search_job(request);
        match self.phase() {
            Phase::Arrange => arrange::job(search, self.arrangement_cap),
            _ => search::job(search),
        }
    }

    fn search_now(&self, table: &mut Table, request: SearchRequest) -> Summary {
        let search = self.search_job(request);
        match self.phase() {
            Phase::Arrange => arrange::arrange_now(table, &search, self.arrangement_cap),
            _ => search::search_now(table, &search),
        }
    }

    fn depth_one(&self, request: SearchRequest) -> Vec<Report> {
        // One ply fits any table.
        let table = Table::new(Mebibytes(1));
        table.map_or_else(|_| Vec::new(), |mut table| self.search_now(&mut table, request).lines)
    }

    fn perft(&self, depth: Depth) -> Result<Work> {
        ensure!(self.phase() != Phase::Arrange, "perft: arrangements cannot be listed, so not counted");
        ensure_countable(depth)?;
        let StackEntry { position, outcome, .. } = self.stack.now();
        let (rules, mover) = (self.rules, self.mover());
        Ok(Box::new(move |stop, tell| {
            let go_on = || !stop.should_stop();
            let mut all = 0;
            let mut count = |mv, leaves| {
                all += leaves;
                tell(Reply::PerftMove(write_move(&rules, &position, mover, mv), Nodes(leaves)));
            };
            let whole = match (depth, outcome) {
                // The root itself is the only leaf.
                (Depth(0), _) => {
                    all = 1;
                    true
                }
                (_, Some(_)) => true,
                (Depth(depth), None) => perft::divide(&rules, &position, depth, &go_on, &mut count),
            };
            whole.then_some(Reply::PerftTotal(Nodes(all)))
        }))
    }

    fn leaves(&self, depth: Depth, made: bool) -> Result<u64> {
        ensure_countable(depth)?;
        let StackEntry { position, outcome, .. } = self.stack.now();
        Ok(match (depth, outcome) {
            (Depth(0), _) => 1,
            (_, Some(_)) => 0,
            (Depth(depth), None) if made => perft::perft_made(&self.rules, &position, depth),
            (Depth(depth), None) => perft::perft(&self.rules, &position, depth),
        })
    }

    fn endless(&self, text: Option<&MoveText>) -> Result<Work> {
        let StackEntry { position, outcome, .. } = self.stack.now();
        let moves = match text.map(|text| (text, self.check(text))) {
            Some((_, Err(Refusal::NeverEnding(mv)))) => vec![mv],
            Some((text, _)) => vec![self.resolved(text)?],
            None if outcome.is_some() => Vec::new(),
            None => self.rules.sowings(&position),
        };
        let (rules, mover) = (self.rules, self.mover());
        Ok(Box::new(move |stop, tell| {
            let mut last = Reply::Text(String::new());
            for mv in moves {
                if stop.should_stop() {
                    return None;
                }
                let mut watcher = EndlessWatcher::default();
                rules.play(&position, mv, &mut watcher);
                let answer = match watcher.found {
                    None => protocol::Endless::No,
                    Some(Endless::Cycle(laps)) => protocol::Endless::Cycle(laps.into()),
                    Some(Endless::Unproved(laps)) => protocol::Endless::Unproved(laps.into()),
                };
                let answer = Reply::Endless(write_move(&rules, &position, mover, mv), answer);
                tell(std::mem::replace(&mut last, answer));
            }
            Some(last)
        }))
    }
}
