//! One game between two contestants, with the rules as its referee.

use std::fmt;
use std::io::Write as _;
use std::time::Duration;

use anyhow::Result;

use super::child::{Allowance, Answer};
use super::fault::Fault;
use super::match_player::MatchPlayer;
use super::openings::Opening;
use super::setting::Adjudication;
use crate::engine::game::Game;
use crate::protocol::{Dialect, parse_moves};
use crate::record::{THIRD_VOID, written_by};
use crate::rules::outcome::Reason;
use crate::units::{MoveText, PerPlayer, Player, ScoreValue};

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Every move from the position that was set up, those of the opening too.
    pub moves: Vec<Made>,
    /// Who won; `None` if nobody did.
    pub winner: Option<Player>,
    /// Match points.
    pub points: PerPlayer<u8>,
    /// Whose turn voided it, where it does not count (O15).
    pub voided_by: Option<Player>,
    /// Why it ended.
    pub ending: Ending,
}

/// A move that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Made {
    /// The move.
    pub text: MoveText,
    /// The seeds that it captured.
    pub captured: u8,
    /// What its engine told of it; `None` for a move of the opening.
    pub answer: Option<Answer>,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules.
    Rules(Reason),
    /// By the rules of the match: once too often it was voided by the loser (O18a).
    ThirdVoid,
    /// An engine failed.
    Fault(Player, Fault),
    /// Both engines held it for drawn.
    Draw,
    /// An engine held its own game for lost.
    Resign(Player),
}

impl Ending {
    /// One word for tables and records.
    pub const fn word(&self) -> &'static str {
        match self {
            Ending::Rules(reason) => reason.word(),
            Ending::ThirdVoid => THIRD_VOID,
            Ending::Fault(_, fault) => fault.word(),
            Ending::Draw => "adjudicated-draw",
            Ending::Resign(_) => "resign",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Fault(_, fault) => fault.fmt(f),
            _ => f.write_str(self.word()),
        }
    }
}

impl Played {
    /// The same game, but if it is void it is lost by a player whom this names (O18a).
    pub fn judged(self, void_loses: impl FnOnce(Player) -> bool) -> Played {
        match self.voided_by {
            Some(loser) if void_loses(loser) => {
                let mut points = PerPlayer { south: 0, north: 0 };
                points[!loser] = 1;
                Played { winner: Some(!loser), points, voided_by: None, ending: Ending::ThirdVoid, ..self }
            }
            _ => self,
        }
    }
}

/// A game in play.
struct Duel<'a> {
    game: &'a mut dyn Game,
    moves: Vec<Made>,
    /// `position ...`, one move longer with every ply.
    orders: Vec<u8>,
    clocks: PerPlayer<Duration>,
    low: PerPlayer<u32>,
    level: u32,
}

/// Plays a game from its opening to its end.
///
/// # Errors
/// If the opening is none of this game.
pub async fn play(
    game: &mut dyn Game,
    opening: &Opening,
    mut sides: PerPlayer<&mut MatchPlayer>,
    adjudication: Adjudication,
    seed: u64,
) -> Result<Played> {
    let mut game = Duel::set_up(game, opening)?;
    for player in Player::BOTH {
        let side = &mut sides[player];
        game.clocks[player] = side.spec().terms.clock.map_or(Duration::ZERO, |(base, _)| base);
        if let Err(fault) = side.prepare(seed ^ u64::from(player == Player::North)).await {
            side.kill().await;
            return Ok(game.over(Ending::Fault(player, fault)));
        }
    }
    let ending = loop {
        let mover = game.game.mover();
        if let Some(outcome) = game.game.outcome() {
            break Ending::Rules(outcome.reason);
        }
        if let Err(fault) = game.turn(&mut sides, mover).await {
            if !fault.leaves_a_sound_engine() {
                sides[mover].kill().await;
            }
            break Ending::Fault(mover, fault);
        }
        if game.game.outcome().is_none()
            && let Some(ending) = game.adjudicate(adjudication, mover)
        {
            break ending;
        }
    };
    Ok(game.over(ending))
}

impl Duel<'_> {
    fn set_up<'a>(game: &'a mut dyn Game, opening: &Opening) -> Result<Duel<'a>> {
        game.set_up(opening.token.as_deref(), &[])?;
        let mut orders = Vec::with_capacity(1024);
        match &opening.token {
            None => orders.extend_from_slice(b"position startpos moves"),
            Some(token) => write!(orders, "position fen {token} moves")?,
        }
        let (clocks, low) = (PerPlayer::default(), PerPlayer::default());
        let mut game = Duel { game, moves: Vec::with_capacity(128), orders, clocks, low, level: 0 };
        for text in &opening.moves {
            let mover = game.game.mover();
            game.game.play(std::slice::from_ref(text))?;
            game.note(written_by(text, mover), None);
        }
        Ok(game)
    }

    fn note(&mut self, text: MoveText, answer: Option<Answer>) {
        // Writing to memory does not fail.
        let _ = write!(self.orders, " {text}");
        self.moves.push(Made { text, captured: self.game.captured(), answer });
    }

    /// Lets the player to move choose, and plays what the rules allow of it.
    async fn turn(&mut self, sides: &mut PerPlayer<&mut MatchPlayer>, mover: Player) -> Result<(), Fault> {
        let whole = self.orders.len();
        self.write_go(sides, mover);
        let allowed = self.allowance(sides[mover]);
        let answer = sides[mover].choose(&mut *self.game, &self.orders, allowed).await;
        self.orders.truncate(whole);
        let answer = answer?;
        let shown = || answer.best.chars().take(40).collect::<String>();
        let read = parse_moves(answer.best.as_bytes());
        let Ok([text]) = read.as_deref() else {
            return Err(Fault::Illegal(format!("`{}` is no move", shown())));
        };
        if self.game.play(std::slice::from_ref(text)).is_err() {
            let why = self.game.check(text).err().map(|refusal| refusal.to_string()).unwrap_or_default();
            return Err(Fault::Illegal(format!("`{}`: {why}", shown())));
        }
        if let Some((_, increment)) = sides[mover].spec().terms.clock {
            self.clocks[mover] = self.clocks[mover].saturating_sub(answer.time) + increment;
        }
        self.note(written_by(text, mover), Some(answer));
        Ok(())
    }

    fn allowance(&self, side: &MatchPlayer) -> Allowance {
        let terms = &side.spec().terms;
        let mover = self.game.mover();
        let time = terms.movetime.into_iter().chain(terms.clock.map(|_| self.clocks[mover])).min();
        Allowance { time, margin: terms.margin, hang: terms.hang }
    }

    fn write_go(&mut self, sides: &PerPlayer<&mut MatchPlayer>, mover: Player) {
        let own = sides[mover].spec();
        let words = match own.dialect {
            Dialect::Uci => PerPlayer { south: ("wtime", "winc"), north: ("btime", "binc") },
            Dialect::Ugi => PerPlayer { south: ("p1time", "p1inc"), north: ("p2time", "p2inc") },
        };
        let orders = &mut self.orders;
        // Writing to memory does not fail.
        let _ = write!(orders, "\ngo");
        if own.terms.clock.is_some() {
            for player in Player::BOTH {
                if let Some((_, increment)) = sides[player].spec().terms.clock {
                    let ((time, more), left) = (words[player], self.clocks[player].as_millis());
                    let _ = write!(orders, " {time} {left} {more} {}", increment.as_millis());
                }
            }
        }
        if let Some(time) = own.terms.movetime {
            let _ = write!(orders, " movetime {}", time.as_millis());
        }
        if let Some(nodes) = own.terms.nodes {
            let _ = write!(orders, " nodes {nodes}");
        }
        if let Some(depth) = own.terms.depth {
            let _ = write!(orders, " depth {depth}");
        }
        orders.push(b'\n');
    }

    /// Looks at what the player who has just moved told of the game.
    fn adjudicate(&mut self, adjudication: Adjudication, mover: Player) -> Option<Ending> {
        let score = self.moves.last().and_then(|made| made.answer.as_ref()).and_then(|answer| answer.score);
        let score = score.map(ScoreValue::number);
        if let Some(resign) = adjudication.resign {
            let is_low = score.is_some_and(|score| score <= resign.score.saturating_neg());
            self.low[mover] = if is_low { self.low[mover] + 1 } else { 0 };
            if self.low[mover] >= resign.moves {
                return Some(Ending::Resign(mover));
            }
        }
        if let Some(draw) = adjudication.draw {
            let is_level = score.is_some_and(|score| score.saturating_abs() <= draw.score);
            self.level = if is_level { self.level + 1 } else { 0 };
            let plies = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
            if plies >= draw.plies && self.level >= draw.moves.saturating_mul(2) {
                return Some(Ending::Draw);
            }
        }
        None
    }

    /// The game as it ended. One that was lost off the board is worth what the smallest win is worth.
    fn over(self, ending: Ending) -> Played {
        let mut points = PerPlayer { south: 0, north: 0 };
        let mut voided_by = None;
        match &ending {
            Ending::Rules(_) => {
                if let Some(outcome) = self.game.outcome() {
                    points = outcome.points.by_player(self.game.mover());
                    voided_by = outcome.is_void().then_some(!self.game.mover());
                }
            }
            Ending::Fault(loser, _) | Ending::Resign(loser) => points[!*loser] = 1,
            Ending::Draw | Ending::ThirdVoid => (),
        }
        let winner = Player::BOTH.into_iter().find(|&player| points[player] > points[!player]);
        Played { moves: self.moves, winner, points, voided_by, ending }
    }
}
