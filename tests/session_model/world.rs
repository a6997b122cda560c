//! What has been set and played, and what questions are answered from it.
//!
//! A world never changes: a command makes another one. Each opens its game anew from the set-up and the moves since, so that what
//! the session keeps from command to command is held against what is built from scratch.

use std::cell::RefCell;

use empiki::engine::game::{self, Game};
use empiki::engine::options::Options;
use empiki::protocol::{Command, Dialect, Query, Reply, help, parse_moves};
use empiki::units::{MoveText, OptionSpec, OptionValue, OptionValues, Phase, Player, Variant};

/// Settings, and a position with the way that led there.
pub struct World {
    /// In the order of the listed options.
    values: Vec<OptionValue>,
    /// The dialect spoken.
    pub dialect: Dialect,
    token: Option<String>,
    moves: Vec<MoveText>,
    /// The position, for questions of rules; whoever plays on it takes back.
    game: RefCell<Box<dyn Game>>,
}

/// What a command comes to: another world if it changed anything, and what is said.
pub type Change = (Option<World>, Vec<String>);

impl World {
    /// The world of a session that was started with these settings.
    pub fn new(settings: &[(&str, &str)]) -> World {
        let specs = Options::specs();
        let names: std::collections::BTreeSet<&str> = specs.iter().map(|spec| spec.name).collect();
        assert_eq!(names.len(), specs.len(), "every option is listed once");
        let mut values: Vec<OptionValue> = specs.iter().map(OptionSpec::default_value).collect();
        for (name, value) in settings {
            let index = specs.iter().position(|spec| spec.name == *name).expect("an option");
            values[index] = specs[index].read(value).expect("a value of it");
        }
        World::at(values, Dialect::Uci, None, Vec::new()).expect("the start can be set up")
    }

    fn at(
        values: Vec<OptionValue>,
        dialect: Dialect,
        token: Option<String>,
        moves: Vec<MoveText>,
    ) -> Result<World, String> {
        let mut world = World { game: RefCell::new(opened(&values)), values, dialect, token, moves };
        world.game.get_mut().set_up(world.token.as_deref(), &[]).map_err(|error| format!("{error:#}"))?;
        let cap = u8::try_from(world.number("Omweso_ArrangementCap")).expect("a number of seeds");
        // Arrangements that were played under another cap stand.
        let moves = world.moves.clone();
        world.game.get_mut().play(&moves).map_err(|error| format!("{error:#}"))?;
        world.game.get_mut().limit_arrangements(cap);
        Ok(world)
    }

    /// This world with another history, in which the moves after the first `kept` are under the present cap.
    fn with_history(&self, token: Option<String>, moves: &[MoveText], kept: usize) -> Result<World, String> {
        let before = World::at(self.values.clone(), self.dialect, token, moves[..kept].to_vec())?;
        before.game.borrow_mut().play(&moves[kept..]).map_err(|error| format!("{error:#}"))?;
        Ok(World { moves: moves.to_vec(), ..before })
    }

    fn value(&self, name: &str) -> &OptionValue {
        value_of(&self.values, name)
    }

    /// What a check is set to.
    pub fn check(&self, name: &str) -> bool {
        *self.value(name) == OptionValue::Check(true)
    }

    /// What a spin is set to.
    pub fn number(&self, name: &str) -> i64 {
        match self.value(name) {
            OptionValue::Spin(number) => *number,
            other => panic!("{name} is a number, not {other:?}"),
        }
    }

    /// The way of playing Omweso, `counting` elsewhere.
    pub fn mode(&self) -> &'static str {
        match self.value("Omweso_Mode") {
            OptionValue::Choice(index) if variant_of(&self.values) == Variant::Omweso => {
                ["counting", "binding", "blitz"][*index]
            }
            _ => "counting",
        }
    }

    /// The variant played.
    pub fn variant(&self) -> Variant {
        variant_of(&self.values)
    }

    /// Carries out what is no job and does not act when it is read.
    pub fn carry_out(&self, command: &Command) -> Change {
        let changed = match command {
            Command::Handshake(dialect) => {
                let moves = self.moves.clone();
                let world = World::at(self.values.clone(), *dialect, self.token.clone(), moves).expect("as it was");
                return (Some(world), handshake(*dialect));
            }
            Command::NewGame => return (None, Vec::new()),
            Command::SetOption { name, value } => return self.set_option(name, value.as_deref().unwrap_or_default()),
            Command::Position { token, moves } => self.with_history(token.clone(), moves, 0),
            Command::Moves(moves) => {
                let all = [&self.moves[..], moves].concat();
                self.with_history(self.token.clone(), &all, self.moves.len())
            }
            Command::Undo(turns) => self.undo(*turns),
            question => return (None, self.answer(question)),
        };
        match changed {
            Ok(world) => (Some(world), Vec::new()),
            Err(error) => (None, vec![complaint(error)]),
        }
    }

    fn undo(&self, turns: u32) -> Result<World, String> {
        if self.mode() == "binding" {
            return Err("undo: nothing is taken back while Omweso_Mode is binding".to_owned());
        }
        let played = self.moves.len();
        match played.checked_sub(turns as usize) {
            Some(kept) => self.with_history(self.token.clone(), &self.moves[..kept], kept),
            None => Err(format!("undo {turns}: {played} turns have been played since the set-up")),
        }
    }

    fn set_option(&self, name: &str, value: &str) -> Change {
        let error = |text: String| (None, vec![complaint(text)]);
        let specs = Options::specs();
        let Some(index) = specs.iter().position(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            return error(format!("no option is called `{name}`: `uci` lists them all"));
        };
        let spec = specs[index];
        let read = match spec.read(value) {
            Ok(read) => read,
            Err(text) => return error(text),
        };
        let mut values = self.values.clone();
        let is_new = values[index] != read;
        values[index] = read;
        let is_rule = game::rule_options(variant_of(&values)).iter().any(|rule| rule.name == spec.name);
        if spec.name == "UCI_Variant" || (is_rule && is_new) {
            let world = World::at(values, self.dialect, None, Vec::new()).expect("the start can be set up");
            let game = world.game.borrow();
            let (name, ruleset, startpos) = (game.variant(), game.ruleset().to_owned(), game.token());
            drop(game);
            return (Some(world), vec![format!("info string variant {name} ruleset {ruleset} startpos {startpos}")]);
        }
        let world = World::at(values, self.dialect, self.token.clone(), self.moves.clone()).expect("as it was");
        (Some(world), Vec::new())
    }

    /// What a question is answered with.
    fn answer(&self, question: &Command) -> Vec<String> {
        let game = self.game.borrow();
        let result = game.outcome().map_or("none".to_owned(), |outcome| outcome.describe(game.mover()));
        let response = |word: &str| vec![format!("response {word}")];
        match question {
            Command::IsReady => vec!["readyok".to_owned()],
            Command::Register => Vec::new(),
            Command::Fen => vec![format!("fen {}", game.token())],
            Command::State => vec![state(&**game)],
            Command::LegalMoves => vec![listed("legalmoves", &crate::common::legal_words(&**game))],
            Command::Result => vec![format!("result {result}")],
            Command::Draw => drawing(&**game, &result),
            Command::Eval => vec![evaluation(&**game, &result)],
            Command::Help(topic) => help(*topic).to_string().lines().map(str::to_owned).collect(),
            Command::Query(Query::P1Turn) => response(if game.mover() == Player::South { "true" } else { "false" }),
            Command::Query(Query::GameOver) => response(if result == "none" { "false" } else { "true" }),
            Command::Query(Query::Result) => response(match result.split(' ').next() {
                Some("south") => "p1win",
                Some("north") => "p2win",
                Some("none") => "none",
                _ => "draw",
            }),
            Command::Query(Query::IsLegal(text)) => match game.check(text) {
                Ok(()) => response("true"),
                Err(refusal) => vec![format!("info string move `{text}`: {refusal}"), "response false".to_owned()],
            },
            Command::Trace(text) => traced(&**game, text),
            other => panic!("{other:?} is no question"),
        }
    }

    /// Why a move may not be played.
    pub fn refusal(&self, text: &MoveText) -> Option<String> {
        self.game.borrow().check(text).err().map(|refusal| refusal.to_string())
    }

    /// A legal move as it is written.
    pub fn canonical(&self, text: &MoveText) -> String {
        self.game.borrow().trace(text).map_or_else(|_| text.to_string(), |trace| trace.played.to_string())
    }

    /// The legal moves: `@` while seeds are arranged.
    pub fn legal_moves(&self) -> Vec<String> {
        crate::common::legal_words(&**self.game.borrow())
    }

    /// What kind of turn it is.
    pub fn phase(&self) -> Phase {
        self.game.borrow().phase()
    }

    /// Whether moves can be played one after the other, and why not.
    pub fn can_play(&self, written: &str) -> Result<Vec<String>, String> {
        let moves = parse_moves(written.as_bytes()).map_err(|error| error.to_string())?;
        let mut game = self.game.borrow_mut();
        game.play(&moves).map_err(|error| format!("{error:#}"))?;
        game.undo(u32::try_from(moves.len()).expect("few moves")).expect("they were played");
        Ok(moves.iter().map(MoveText::to_string).collect())
    }

    /// All that a perft or `endless` says.
    pub fn counted(&self, command: &Command) -> Result<Vec<String>, String> {
        let game = self.game.borrow();
        let work = match command {
            Command::Perft(depth) => game.perft(*depth),
            Command::Endless(text) => game.endless(text.as_ref()),
            other => panic!("{other:?} counts nothing"),
        };
        let work = work.map_err(|error| format!("{error:#}"))?;
        let said = RefCell::new(Vec::new());
        let say = |reply: Reply| said.borrow_mut().extend(reply.to_string().lines().map(str::to_owned));
        let last = work(&std::sync::Arc::new(empiki::search::stop::StopHandle::alone()), &say);
        say(last.expect("nobody stops it"));
        Ok(said.into_inner())
    }
}

/// A mistake as it is told.
pub fn complaint(text: impl std::fmt::Display) -> String {
    Reply::error(text).to_string()
}

fn value_of<'a>(values: &'a [OptionValue], name: &str) -> &'a OptionValue {
    let index = Options::specs().iter().position(|spec| spec.name == name);
    &values[index.expect("an option")]
}

fn variant_of(values: &[OptionValue]) -> Variant {
    match value_of(values, "UCI_Variant") {
        OptionValue::Choice(index) => Variant::ALL[*index],
        other => panic!("a variant is a choice, not {other:?}"),
    }
}

fn opened(values: &[OptionValue]) -> Box<dyn Game> {
    let variant = variant_of(values);
    let mut rules = OptionValues::new(game::rule_options(variant));
    for spec in game::rule_options(variant) {
        let value = spec.write(value_of(values, spec.name));
        rules.set(spec.name, &value).expect("a rule option").expect("a value that was read");
    }
    game::open(variant, &rules)
}

fn handshake(dialect: Dialect) -> Vec<String> {
    let name = concat!("Empiki ", env!("CARGO_PKG_VERSION")).to_owned();
    let reply = Reply::Handshake { dialect, name, author: "the Empiki authors".to_owned(), options: Options::specs() };
    reply.to_string().lines().map(str::to_owned).collect()
}

fn listed(word: &str, moves: &[String]) -> String {
    moves.iter().fold(word.to_owned(), |line, played| line + " " + played)
}

fn state(game: &dyn Game) -> String {
    let phase = match game.phase() {
        Phase::Arrange => "arrange",
        Phase::Sow => "sow",
        Phase::Raid => "raid",
        Phase::Over => "over",
    };
    let line = format!("state {} ruleset {} phase {phase} legal", game.token(), game.ruleset());
    listed(&line, &crate::common::legal_words(game))
}

fn drawing(game: &dyn Game, result: &str) -> Vec<String> {
    let mut lines: Vec<String> = game.diagram().iter().map(|line| line.trim_end().to_owned()).collect();
    lines.push(format!("ruleset {}", game.ruleset()));
    lines.push(format!("fen {}", game.token()));
    lines.push(format!("result {result}"));
    if result == "none" {
        let mover = if game.mover() == Player::South { "South" } else { "North" };
        lines.push(listed(&format!("{mover} to move:"), &crate::common::legal_words(game)));
    }
    lines.retain(|line| !line.is_empty());
    lines
}

fn evaluation(game: &dyn Game, result: &str) -> String {
    match game.phase() {
        Phase::Over => format!("eval none: the game is over, result {result}"),
        Phase::Arrange => "eval none: seeds are being arranged".to_owned(),
        Phase::Sow | Phase::Raid => format!("eval cp {}", game.evaluation()),
    }
}

fn traced(game: &dyn Game, text: &MoveText) -> Vec<String> {
    match game.trace(text) {
        Ok(trace) => {
            let steps = trace.steps.iter().map(|step| format!("step {step}"));
            steps.chain([format!("trace {} fen {}", trace.played, trace.token)]).collect()
        }
        Err(error) => vec![complaint(format!("{error:#}"))],
    }
}
