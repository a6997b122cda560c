//! What a client can ask for, as values.

use std::time::Duration;

use super::error::ParseError;
use crate::units::{Depth, MoveText, Nodes, PerPlayer};

/// The two protocols that the engine speaks; they differ in a few words and in the unit of a mate score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dialect {
    /// The Universal Chess Interface; it holds before any handshake.
    #[default]
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

/// What `help` tells about a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandHelp {
    /// The whole line, with capitals for what is to be filled in and brackets round what may be left out.
    pub usage: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// What else is worth knowing, in lines; none if empty.
    pub more: &'static str,
    /// Lines that can be sent as they stand; if there is none, the usage is such a line.
    pub examples: &'static [&'static str],
}

impl CommandHelp {
    /// The word that begins the line.
    pub fn name(&self) -> &'static str {
        self.usage.split_once(' ').map_or(self.usage, |(name, _)| name)
    }
}

/// One line of a client, read.
///
/// Only the grammar has been looked at: whether an option exists, a position adds up or a move is legal is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci` or `ugi`: list name and options, then speak this dialect.
    Handshake(Dialect),
    /// `isready`: answer once everything before it is done.
    IsReady,
    /// `ucinewgame` or `uginewgame`: what follows belongs to another game.
    NewGame,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `setoption name N [value V]`.
    SetOption {
        /// The name in printable ASCII, its words one blank apart.
        name: String,
        /// The rest of the line without the blanks around it; `<empty>` and nothing at all are both the empty text.
        value: Option<String>,
    },
    /// `register ...`, which nothing needs.
    Register,
    /// `quit`: finish as by `stop` and end.
    Quit,
    /// `position`: set up a position and play moves from it.
    Position {
        /// Words of printable ASCII with a blank between two, or `None` for the start of the game. More than one only where the first
        /// has a stroke, as no token of ours has.
        token: Option<String>,
        /// The moves from there.
        moves: Vec<MoveText>,
    },
    /// `load FILE [GAME]`: take up the end of a recorded game.
    Load {
        /// The name of the file, with its inner blanks.
        file: String,
        /// Which game of the file, the first is 1.
        game: u32,
    },
    /// `moves LIST`: go on from the present position.
    Moves(Vec<MoveText>),
    /// `undo [N]`: take back so many moves, one if none is said.
    Undo(u32),
    /// `go`: search, or count leaves.
    Go(Box<Go>),
    /// `stop`: end the search and say the best move.
    Stop,
    /// `ponderhit`: the move that was pondered on has been played.
    PonderHit,
    /// `d`: draw the position.
    Draw,
    /// `fen`: the position as a token.
    Fen,
    /// `state`: the position in one line for a program.
    State,
    /// `legalmoves`.
    LegalMoves,
    /// `result`: whether and how the game is over.
    Result,
    /// `query ...`: a question of UGI.
    Query(Query),
    /// `trace MOVE`: tell a move step by step.
    Trace(MoveText),
    /// `endless [MOVE]`: look for sowings that never end.
    Endless(Option<MoveText>),
    /// `eval`: explain the static evaluation.
    Eval,
    /// `perft N`: count the leaf positions so many plies away.
    Perft(Depth),
    /// `bench [DEPTH]`: search the fixed set of positions.
    Bench(Option<Depth>),
    /// `help [COMMAND]`: all commands in short, or one at length.
    Help(Option<&'static CommandHelp>),
}

/// What `query` can ask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Is it South's turn?
    P1Turn,
    /// Is the game over?
    GameOver,
    /// Who won?
    Result,
    /// Is this move legal?
    IsLegal(MoveText),
}

/// How far and how long to search.
///
/// A limit that could not be read is left out and stands in `complaints` instead. A limit given twice has its last
/// value; a second list of moves adds to the first. A number beyond its type is the largest of that type, a time beyond
/// [`LONGEST_TIME`](super::LONGEST_TIME) is that.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Plies to search.
    pub depth: Option<Depth>,
    /// Moves to make.
    pub nodes: Option<Nodes>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Find a win within so many, counted as `score mate` is.
    pub mate: Option<u32>,
    /// Only `stop` ends it.
    pub infinite: bool,
    /// The last move of the position is a guess; only `stop` or `ponderhit` ends it.
    pub ponder: bool,
    /// Look at these moves only; all if empty.
    pub searchmoves: Vec<MoveText>,
    /// Time left on the clocks, where known. A negative time is zero, as a client may send one when the time is over.
    pub clock: PerPlayer<Option<Duration>>,
    /// Time gained with each move.
    pub increment: PerPlayer<Duration>,
    /// Moves until the clocks are refilled; never zero, which some clients send for "never".
    pub movestogo: Option<u32>,
    /// Count leaves at this depth and search nothing.
    pub perft: Option<Depth>,
    /// A limit was dropped and none is left, so the search is to be as short as possible.
    pub shortest: bool,
    /// What was dropped; a line with very many mistakes has only its first ones here.
    pub complaints: Vec<ParseError>,
}

impl Go {
    /// Whether anything bounds the search or asks for an unbounded one.
    ///
    /// `ponder`, an increment, `movestogo` or a list of moves alone does not.
    pub fn has_limit(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.infinite
            || self.clock.south.is_some()
            || self.clock.north.is_some()
            || self.perft.is_some()
    }
}
