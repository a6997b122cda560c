//! Omweso by hand.

use std::collections::HashMap;

use super::four_rows::{Path, facing, has_no_front};
use super::{Board, Book, Mutant, Turn};

pub fn start(book: &Book) -> Board {
    let usual = if book.errs(Mutant::InnerRowAtTheStart) { "inner" } else { "outer" };
    let full = if book.house("Start", usual) == "inner" { 0..8 } else { 8..16 };
    let seeds = if book.house("Arrangement", "fixed") == "open" { 0 } else { 4 };
    let row: Vec<usize> = (0..16).map(|pit| if full.contains(&pit) { seeds } else { 0 }).collect();
    Board { pits: [row.clone(), row], extra: [0, 0], mover: 0, mark: Some(0) }
}

/// Whether the player to move is to lay out his seeds.
pub fn is_arranging(book: &Book, board: &Board) -> bool {
    book.house("Arrangement", "fixed") == "open" && board.row(board.mover) == 0 && board.mark.is_some()
}

/// The board after an arrangement, if it is lawful.
pub fn arrange(book: &Book, board: &Board, counts: &[usize]) -> Option<Board> {
    let cap = if book.errs(Mutant::NoCap) { 32 } else { book.number("ArrangementCap", "10") };
    let lawful = counts.len() == 16 && counts.iter().sum::<usize>() == 32 && counts.iter().all(|&seeds| seeds <= cap);
    if !lawful {
        return None;
    }
    let mut after = board.clone();
    after.pits[board.mover] = counts.to_vec();
    after.mover = 1 - board.mover;
    if book.errs(Mutant::SecondSowsFirst) && after.row(after.mover) > 0 {
        after.mover = board.mover;
    }
    if book.errs(Mutant::ArrangingIsATurn) {
        after.mark = next_mark(board.mark);
    }
    Some(after)
}

fn next_mark(mark: Option<usize>) -> Option<usize> {
    if mark == Some(0) { Some(1) } else { None }
}

/// A turn under way.
struct Sowing<'a> {
    book: &'a Book,
    own: Vec<usize>,
    other: Vec<usize>,
    origin: usize,
    hand: usize,
    /// The hand holds captured seeds; the last lap was clockwise; the player may capture at all.
    resow: bool,
    reversed: bool,
    takes: bool,
    /// The inner pits in which laps ended that captured.
    captures: Vec<usize>,
    /// The capturing turns that the token tells of.
    captured_before: usize,
    laps: usize,
    choices: usize,
    /// The pit in which the last lap ended that is allowed, if the turn was to go on from there.
    endless: Option<usize>,
}

impl Sowing<'_> {
    fn new<'a>(book: &'a Book, before: &Board, pit: usize) -> Sowing<'a> {
        let mut own = before.pits[before.mover].clone();
        let hand = std::mem::take(&mut own[pit]);
        let takes = match before.mark {
            None => true,
            Some(mark) => mark == 1 && book.errs(Mutant::SecondPlayerCapturesAtOnce),
        };
        Sowing {
            book,
            own,
            other: before.pits[1 - before.mover].clone(),
            origin: pit,
            hand,
            resow: false,
            reversed: false,
            takes,
            captures: Vec::new(),
            captured_before: before.extra[before.mover],
            laps: 0,
            choices: 0,
            endless: None,
        }
    }

    fn path(&self, clockwise: bool) -> Path {
        let clockwise = clockwise != self.book.errs(Mutant::OtherWayRound);
        if clockwise { Path::clockwise() } else { Path::counter_clockwise() }
    }

    /// Where a hand begins: captured seeds fall after the origin, not into it.
    fn first(&self, path: &Path) -> usize {
        let into = self.resow && self.book.errs(Mutant::ResowsIntoTheOrigin);
        path.after(self.origin, if into { 15 } else { 0 })
    }

    /// The seeds that a lap which ends in this pit captures there, if it does.
    fn prey(&self, own: &[usize], landing: usize) -> bool {
        if landing > 7 || !self.takes || (own[landing] == 1 && !self.book.errs(Mutant::EmptyPitCaptures)) {
            return false;
        }
        let inner = facing(self.book, landing);
        self.other[inner] > 0 && (self.other[inner + 8] > 0 || self.book.errs(Mutant::InnerPitIsEnough))
    }

    /// Whether the hand may go clockwise: the rule lets it, and the lap would capture.
    fn may_reverse(&self) -> bool {
        let book = self.book;
        let left = if book.errs(Mutant::RightmostReverse) { [6, 7, 14, 15] } else { [0, 1, 8, 9] };
        let from_left = left.contains(&self.origin);
        let open = if self.resow {
            let usual = if book.errs(Mutant::ResowsFromAnyLeft) {
                "any-left"
            } else if book.errs(Mutant::NeverResowsClockwise) {
                "never"
            } else {
                "after-reverse"
            };
            match book.house("ReverseResow", usual) {
                "after-reverse" => self.reversed,
                "any-left" => from_left,
                _ => false,
            }
        } else {
            from_left && (self.laps == 1 || !book.errs(Mutant::NoReverseInRelays))
        };
        let plain = book.house("Reverse", "true") == "false" && !book.errs(Mutant::PlainGameReverses);
        if !open || plain {
            return false;
        }
        let path = self.path(true);
        let mut own = self.own.clone();
        let landing = path.sow(book, &mut own, self.first(&path), self.hand);
        self.prey(&own, landing)
    }

    /// Plays to the end, `signs` telling which choices go clockwise.
    fn run(&mut self, signs: &[bool]) {
        let limit = self.book.number("LapLimit", "4096") + usize::from(self.book.errs(Mutant::OneMoreLap));
        while let Some(landing) = self.lap(signs) {
            if self.laps == limit {
                self.endless = Some(landing);
                return;
            }
            self.take_up(landing);
            if self.resow && self.book.errs(Mutant::CapturesLeaveTheBoard) {
                return;
            }
        }
    }

    /// Sows one lap: the pit in which it ended, if the turn goes on from there.
    fn lap(&mut self, signs: &[bool]) -> Option<usize> {
        self.laps += 1;
        let choice = self.may_reverse();
        self.reversed = choice && signs.get(self.choices).copied().unwrap_or(false);
        self.choices += usize::from(choice);
        let path = self.path(self.reversed);
        let (first, hand) = (self.first(&path), self.hand);
        let landing = path.sow(self.book, &mut self.own, first, hand);
        (self.own[landing] > 1 || self.prey(&self.own, landing)).then_some(landing)
    }

    /// Takes what the next lap sows.
    fn take_up(&mut self, landing: usize) {
        if self.prey(&self.own, landing) {
            self.capture(landing);
        } else {
            self.lift(landing);
        }
    }

    fn capture(&mut self, landing: usize) {
        let inner = facing(self.book, landing);
        self.hand = std::mem::take(&mut self.other[inner]) + std::mem::take(&mut self.other[inner + 8]);
        if self.book.errs(Mutant::LandingPitIsLifted) {
            self.hand += std::mem::take(&mut self.own[landing]);
        }
        if self.book.errs(Mutant::ResowsFromTheLandingPit) {
            self.origin = landing;
        }
        self.captures.push(landing);
        self.resow = true;
    }

    fn lift(&mut self, landing: usize) {
        let left = usize::from(self.book.errs(Mutant::RelayLeavesOne));
        self.hand = self.own[landing] - left;
        self.own[landing] = left;
        self.origin = landing;
        self.resow = false;
    }
}

/// How a turn ends the game.
fn end(sowing: &Sowing, after: &Board) -> Option<&'static str> {
    let book = sowing.book;
    let other = after.mover;
    let captures = &sowing.captures;
    if sowing.endless.is_some() && (captures.is_empty() || !book.errs(Mutant::EndlessCaptureCounts)) {
        return Some("endless");
    }
    let heads = captures.contains(&0) && captures.contains(&7);
    let one_head = book.errs(Mutant::OneHead) && (captures.contains(&0) || captures.contains(&7));
    let front = has_no_front(after, other) && (!captures.is_empty() || book.errs(Mutant::AnyEmptyFrontRow));
    let at_end = captures.last().is_some_and(|&last| last == 0 || last == 7);
    let anywhere = book.house("Akawumbi", "last-at-end") == "any-zero" || book.errs(Mutant::AkawumbiAnywhere);
    let okutema = book.house("Okutema", "true") == "true";
    let akakyala = book.house("Akakyala", "false") == "true" && !captures.is_empty();
    let alone = after.extra[other] == 0 || book.errs(Mutant::AkakyalaAlways);
    let second = sowing.captured_before == 1 || sowing.captured_before == 2 && book.errs(Mutant::AkakyalaLater);
    if after.row(other) == 0 && !captures.is_empty() && (at_end || anywhere) {
        Some("akawumbi")
    } else if okutema && front && book.errs(Mutant::FrontRowBeforeHeads) {
        Some("front-row")
    } else if okutema && (heads || one_head) {
        Some("emitwe-ebiri")
    } else if okutema && front {
        Some("front-row")
    } else if akakyala && second && alone {
        Some("akakyala")
    } else {
        bulijo(book, after)
    }
}

/// Whether the player to move has no pit of two or more, or nothing but turns that never end where they are not legal.
pub fn bulijo(book: &Book, board: &Board) -> Option<&'static str> {
    let least = if book.errs(Mutant::BulijoAtOne) { 1 } else { 2 };
    let playable: Vec<usize> = (0..16).filter(|&pit| board.pits[board.mover][pit] >= least).collect();
    let ends = |pit: usize| {
        split(book, board, pit).is_some() || sowings(book, board, pit).iter().any(|(_, sown)| sown.endless.is_none())
    };
    let stuck =
        refuses_endless(book, board) && !book.errs(Mutant::StuckIsNoLoss) && !playable.iter().any(|&pit| ends(pit));
    (playable.is_empty() || stuck).then_some("bulijo")
}

/// Whether turns that never end are not legal.
fn refuses_endless(book: &Book, board: &Board) -> bool {
    let first = board.mark.is_some() && !book.errs(Mutant::FirstTurnMayBeEndless);
    first || book.house("Endless", "annul") == "illegal" && !book.errs(Mutant::EndlessMayBePlayed)
}

/// The match points of a player who has won for this reason.
pub fn worth(book: &Book, reason: &str) -> usize {
    match reason {
        "endless" if book.house("Endless", "annul") == "loses" && !book.errs(Mutant::EndlessIsVoid) => 1,
        "akawumbi" if book.errs(Mutant::AkawumbiIsTwo) => 2,
        "akawumbi" => 12,
        "emitwe-ebiri" | "front-row" | "akakyala" => 2,
        "bulijo" => 1,
        _ => 0,
    }
}

/// The turn of a sowing along written signs.
fn turn(before: &Board, pit: usize, signs: &[bool], sowing: &Sowing) -> Turn {
    let mut after = passed_on(before);
    let mover = before.mover;
    after.pits[mover].clone_from(&sowing.own);
    after.pits[1 - mover].clone_from(&sowing.other);
    let captures = !sowing.captures.is_empty();
    after.extra[mover] = (after.extra[mover] + usize::from(captures)).min(2);
    let written: String = signs.iter().map(|&back| if back { '<' } else { '>' }).collect();
    let name = format!("{}{written}", before.letter(pit));
    let end = end(sowing, &after);
    Turn { name, after, irreversible: captures, captures, end }
}

fn passed_on(before: &Board) -> Board {
    Board { mark: next_mark(before.mark), mover: 1 - before.mover, ..before.clone() }
}

/// Every sowing of a pit, each with its signs.
fn sowings<'a>(book: &'a Book, board: &Board, pit: usize) -> Vec<(Vec<bool>, Sowing<'a>)> {
    let mut all = Vec::new();
    let mut left = vec![Vec::new()];
    while let Some(signs) = left.pop() {
        let mut sowing = Sowing::new(book, board, pit);
        sowing.run(&signs);
        for choice in signs.len()..sowing.choices {
            let mut signs = signs.clone();
            signs.resize(choice, false);
            signs.push(true);
            left.push(signs);
        }
        all.push((signs, sowing));
    }
    all
}

/// The laps of the cycle of a turn that is not over at the lap limit: every state from there on is remembered, for so
/// many laps.
pub fn cycle(book: &Book, board: &Board, pit: usize, signs: &[bool], most: usize) -> Option<usize> {
    let mut sowing = Sowing::new(book, board, pit);
    sowing.run(signs);
    let mut landing = sowing.endless.expect("a turn that is not over");
    let mut seen = HashMap::new();
    for lap in 0..most {
        // Captures add to the own seeds, so where these are the same the others are too.
        if let Some(before) = seen.insert((sowing.own.clone(), landing), lap) {
            return Some(lap - before);
        }
        sowing.take_up(landing);
        landing = sowing.lap(signs)?;
    }
    None
}

/// Okwesera of a pit, where it is open.
fn split(book: &Book, board: &Board, pit: usize) -> Option<Turn> {
    let by_player = book.errs(Mutant::OkweseraByPlayer) && board.extra[board.mover] == 0;
    let early = board.mark.is_some() || !book.errs(Mutant::OkweseraInFirstTurnsOnly);
    let open = (board.extra == [0, 0] || by_player) && early && book.house("Okwesera", "true") == "true";
    if !open || board.pits[board.mover][pit] != 3 {
        return None;
    }
    let mut after = passed_on(board);
    let path = Path::counter_clockwise();
    let own = &mut after.pits[board.mover];
    let first = if book.errs(Mutant::OneAndThenTwo) { 1 } else { 2 };
    own[pit] = 0;
    own[path.after(pit, 1)] += first;
    own[path.after(pit, 2)] += 3 - first;
    let end = bulijo(book, &after);
    Some(Turn { name: format!("{}*", board.letter(pit)), after, irreversible: false, captures: false, end })
}

pub fn turns(book: &Book, board: &Board) -> Vec<Turn> {
    let least = if book.errs(Mutant::SingleStarts) { 1 } else { 2 };
    let mut turns = Vec::new();
    for pit in (0..16).filter(|&pit| board.pits[board.mover][pit] >= least) {
        let legal = |sown: &Sowing| sown.endless.is_none() || !refuses_endless(book, board);
        let sown = sowings(book, board, pit).into_iter().filter(|(_, sown)| legal(sown));
        turns.extend(sown.map(|(signs, sown)| turn(board, pit, &signs, &sown)));
        turns.extend(split(book, board, pit));
    }
    turns.sort_by(|first, second| first.name.cmp(&second.name));
    turns
}
