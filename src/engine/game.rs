//! The game on the table: a position with its history, behind one small object for every variant.

use anyhow::{Context as _, Result, anyhow, bail, ensure};

use crate::rules::history::History;
use crate::rules::kimasai::Kimasai;
use crate::rules::notation::{read_position, write_move, write_moves, write_position};
use crate::rules::omweso::Omweso;
use crate::rules::outcome::{Outcome, Reason};
use crate::rules::trace::Recorder;
use crate::rules::urim::Urim;
use crate::rules::wuri::Wuri;
use crate::rules::{Refusal, Rules, diagram, ruleset};
use crate::units::{MoveText, OptionSpec, OptionValues, Player, Variant};

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

    /// Takes plies back.
    ///
    /// # Errors
    /// If fewer have been played since the set-up.
    fn undo(&mut self, plies: u32) -> Result<()>;

    /// The player to move.
    fn mover(&self) -> Player;

    /// The position as its token.
    fn token(&self) -> String;

    /// The legal moves in canonical order; none when the game is over (G8).
    fn legal_moves(&self) -> Vec<String>;

    /// Checks one move.
    ///
    /// # Errors
    /// Why it is not legal.
    fn check(&self, text: &MoveText) -> Result<(), Refusal>;

    /// How the game ended, if it is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The lines of a turn told step by step, the last one with the position after it. The game's own position stays.
    ///
    /// # Errors
    /// Why the move cannot be played.
    fn trace(&self, text: &MoveText) -> Result<Vec<String>>;

    /// The drawn board.
    fn diagram(&self) -> Vec<String>;
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
    // The default rules have a faster path of their own.
    let standard = *options == OptionValues::new(rule_options(variant));
    match (variant, standard) {
        (Variant::Wuri, true) => Table::<Wuri<true>>::open(options),
        (Variant::Wuri, false) => Table::<Wuri<false>>::open(options),
        (Variant::Urim, true) => Table::<Urim<6, true>>::open(options),
        (Variant::Urim, false) => Table::<Urim<6, false>>::open(options),
        (Variant::Urim7, true) => Table::<Urim<7, true>>::open(options),
        (Variant::Urim7, false) => Table::<Urim<7, false>>::open(options),
        (Variant::Omweso, true) => Table::<Omweso<true>>::open(options),
        (Variant::Omweso, false) => Table::<Omweso<false>>::open(options),
        (Variant::Kimasai, true) => Table::<Kimasai<true>>::open(options),
        (Variant::Kimasai, false) => Table::<Kimasai<false>>::open(options),
    }
}

/// One position of a game with how the game stands in it.
#[derive(Clone, Copy)]
struct Stand<P> {
    position: P,
    outcome: Option<Outcome>,
}

/// A game of one variant under its rules.
struct Table<G: Rules> {
    rules: G,
    ruleset: String,
    line: Line<G::Position>,
}

/// The positions since the set-up, with the keys that repetition goes by.
#[derive(Clone)]
struct Line<P> {
    /// Who was to move in the set-up position.
    starter: Player,
    stands: Vec<Stand<P>>,
    history: History,
}

impl<P: Copy> Line<P> {
    fn set_up<G: Rules<Position = P>>(rules: &G, position: P, starter: Player) -> Line<P> {
        let outcome = rules.judge(&position).map(|reason| rules.outcome(&position, reason));
        let history = History::new(rules.repetition_key(&position));
        Line { starter, stands: vec![Stand { position, outcome }], history }
    }

    fn now(&self) -> Stand<P> {
        *self.stands.last().expect("the set-up position stays")
    }

    fn mover(&self) -> Player {
        if self.stands.len() % 2 == 1 { self.starter } else { !self.starter }
    }

    /// Plays one move and judges what it leads to, in the order of G6.
    fn play<G: Rules<Position = P>>(&mut self, rules: &G, text: &MoveText) -> Result<(), Refusal> {
        let now = self.now();
        if now.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        let mv = rules.resolve(&now.position, text)?;
        let child = rules.play(&now.position, mv, &mut crate::rules::trace::Nobody);
        let anew = rules.counts_anew(&now.position, &child);
        self.history.push(rules.repetition_key(&child.position), anew);
        let reason = child
            .end
            .or_else(|| self.history.verdict(rules.draw_limits()).map(|verdict| verdict.reason))
            .or_else(|| (!rules.has_move(&child.position)).then_some(Reason::NoMove));
        let outcome = reason.map(|reason| rules.outcome(&child.position, reason));
        self.stands.push(Stand { position: child.position, outcome });
        Ok(())
    }

    /// Plays a list of moves; after an error the line is somewhere in between.
    fn play_all<G: Rules<Position = P>>(&mut self, rules: &G, moves: &[MoveText]) -> Result<()> {
        moves.iter().enumerate().try_for_each(|(index, text)| {
            self.play(rules, text).with_context(|| format!("move {} `{text}`", index + 1))
        })
    }

    fn undo(&mut self, plies: u32) {
        for _ in 0..plies {
            self.stands.pop();
            self.history.pop();
        }
    }

    fn plies(&self) -> u32 {
        self.history.plies()
    }
}

impl<G: Rules> Table<G> {
    fn open(options: &OptionValues) -> Box<dyn Game> {
        let rules = G::with_options(options);
        let line = Line::set_up(&rules, rules.start(), Player::South);
        Box::new(Table { rules, ruleset: ruleset(G::VARIANT, options), line })
    }
}

impl<G: Rules> Game for Table<G> {
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
        let mut line = Line::set_up(&self.rules, position, starter);
        line.play_all(&self.rules, moves)?;
        self.line = line;
        Ok(())
    }

    fn play(&mut self, moves: &[MoveText]) -> Result<()> {
        let before = self.line.plies();
        let played = self.line.play_all(&self.rules, moves);
        if played.is_err() {
            self.line.undo(self.line.plies() - before);
        }
        played
    }

    fn undo(&mut self, plies: u32) -> Result<()> {
        let played = self.line.plies();
        ensure!(plies <= played, "undo {plies}: {played} plies have been played since the set-up");
        self.line.undo(plies);
        Ok(())
    }

    fn mover(&self) -> Player {
        self.line.mover()
    }

    fn token(&self) -> String {
        write_position(&self.rules, &self.line.now().position, self.mover())
    }

    fn legal_moves(&self) -> Vec<String> {
        let now = self.line.now();
        if now.outcome.is_some() { Vec::new() } else { write_moves(&self.rules, &now.position, self.mover()) }
    }

    fn check(&self, text: &MoveText) -> Result<(), Refusal> {
        let now = self.line.now();
        if now.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        self.rules.resolve(&now.position, text).map(|_| ())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.line.now().outcome
    }

    fn trace(&self, text: &MoveText) -> Result<Vec<String>> {
        let now = self.line.now();
        let refused = |refusal| anyhow!("move `{text}`: {refusal}");
        if now.outcome.is_some() {
            bail!(refused(Refusal::GameOver));
        }
        let mv = self.rules.resolve(&now.position, text).map_err(refused)?;
        let mut recorder = Recorder::default();
        let child = self.rules.play(&now.position, mv, &mut recorder);
        let mut lines = recorder.lines(self.mover());
        let written = write_move(&self.rules, &now.position, self.mover(), mv);
        let token = write_position(&self.rules, &child.position, !self.mover());
        lines.push(format!("trace {written} fen {token}"));
        Ok(lines)
    }

    fn diagram(&self) -> Vec<String> {
        diagram::draw(&self.rules, &self.line.now().position, self.mover())
    }
}
