//! How a game ended, for whom, why, and what it is worth in match points.

use std::fmt;
use std::ops::Add;

use crate::units::{PerSeat, Player};

/// Why a game is over; the words of the `result` reply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The stores decide (W7).
    Count,
    /// The player to move has no legal move (W6, U8, K11).
    NoMove,
    /// The same position has come up too often (W8, U9, O17, K12).
    Repetition,
    /// No pit with two seeds (O16).
    Bulijo,
    /// An inner row was captured empty (O16), or that of the player to move is empty (K10).
    FrontRow,
    /// The inner row of the player who has just moved is empty, and the other's is not (K10).
    OwnFrontRow,
    /// Both end columns were captured in one turn (O16).
    EmitweEbiri,
    /// The last seeds were captured at an end (O16).
    Akawumbi,
    /// The second capturing turn before the opponent's first (O16).
    Akakyala,
    /// A turn that never ends (O15, K11): the game is void, or who played it has lost (O15a).
    Endless,
    /// Too many plies without a capture (O17, K12).
    Quiet,
    /// Too many plies in all (O17, K12).
    Length,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 12] = [
        Reason::Count,
        Reason::NoMove,
        Reason::Repetition,
        Reason::Bulijo,
        Reason::FrontRow,
        Reason::OwnFrontRow,
        Reason::EmitweEbiri,
        Reason::Akawumbi,
        Reason::Akakyala,
        Reason::Endless,
        Reason::Quiet,
        Reason::Length,
    ];

    /// The word that stands in a reply.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::Count => "count",
            Reason::NoMove => "no-move",
            Reason::Repetition => "repetition",
            Reason::Bulijo => "bulijo",
            Reason::FrontRow => "front-row",
            Reason::OwnFrontRow => "own-front-row",
            Reason::EmitweEbiri => "emitwe-ebiri",
            Reason::Akawumbi => "akawumbi",
            Reason::Akakyala => "akakyala",
            Reason::Endless => "endless",
            Reason::Quiet => "quiet",
            Reason::Length => "length",
        }
    }

    /// Whether a game that ended so decides the match in which it was played (O18).
    pub const fn wins_match(self) -> bool {
        matches!(self, Reason::Akawumbi)
    }
}

/// A count of seeds in halves, since a shared cycle can award half a seed (W8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HalfSeeds(pub u16);

impl HalfSeeds {
    /// That many whole seeds.
    pub const fn whole(seeds: u16) -> HalfSeeds {
        HalfSeeds(seeds * 2)
    }
}

impl Add for HalfSeeds {
    type Output = HalfSeeds;

    fn add(self, more: HalfSeeds) -> HalfSeeds {
        HalfSeeds(self.0 + more.0)
    }
}

impl fmt::Display for HalfSeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.0 % 2 == 1 { ".5" } else { "" })
    }
}

/// A finished game, seen by the player to move in its last position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub reason: Reason,
    /// What each side ends with: store and award, or the seeds on its side of a four-row board.
    pub seeds: PerSeat<HalfSeeds>,
    /// Match points.
    pub points: PerSeat<u8>,
}

impl Outcome {
    /// Match points of the player to move less those of the other: above 0 if the player to move has won.
    pub const fn balance(&self) -> i8 {
        self.points.mover as i8 - self.points.other as i8
    }

    /// Whether the game does not count and is played again in a match: a turn that never ends has annulled it (O15,
    /// K11). Where such a turn loses (O15a), it counts.
    pub const fn is_void(&self) -> bool {
        matches!(self.reason, Reason::Endless) && self.balance() == 0
    }

    /// What `result` prints, when `mover` is to move in the last position.
    pub fn describe(&self, mover: Player) -> String {
        let winner = match self.balance() {
            _ if self.is_void() => "void",
            0 => "draw",
            balance if (balance > 0) == (mover == Player::South) => "south",
            _ => "north",
        };
        let seeds = self.seeds.by_player(mover);
        let points = self.points.by_player(mover);
        format!(
            "{winner} reason {} seeds {}-{} points {}-{}",
            self.reason.word(),
            seeds.south,
            seeds.north,
            points.south,
            points.north
        )
    }
}
