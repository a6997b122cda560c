//! Bao la Kimasai by hand.

use std::collections::HashMap;

use super::four_rows::{Path, facing, has_no_front};
use super::{Board, Book, Mutant, Turn};

const LIMIT: usize = 4096;

pub fn start(book: &Book) -> Board {
    let cows = if book.errs(Mutant::TwoCowsAtTheStart) { 2 } else { 1 };
    let row: Vec<usize> = (0..16).map(|pit| if pit < 8 { cows } else { 0 }).collect();
    let reserve = 32 - 8 * cows;
    Board { pits: [row.clone(), row], extra: [reserve, reserve], mover: 0, mark: Some(0) }
}

/// A turn as far as its board: whether it captured, and whether it ended.
struct Sowing {
    board: Board,
    raids: bool,
    captured: bool,
    /// The pit in which the last lap ended that is allowed, if the turn was to go on from there.
    endless: Option<usize>,
    own_row_was_empty: bool,
}

/// The hand of the first lap, with the cow from the reserve.
fn lift(book: &Book, board: &mut Board, pit: usize) -> usize {
    let mover = board.mover;
    let hand = std::mem::take(&mut board.pits[mover][pit]);
    let adds = board.extra[mover] > 0 && (board.mark.is_none() || book.errs(Mutant::OpeningUsesACow));
    board.extra[mover] -= usize::from(adds);
    hand + usize::from(adds)
}

/// The cows that a lap captures which ended in this pit.
fn raid(book: &Book, board: &mut Board, landing: usize) -> usize {
    let other = 1 - board.mover;
    if landing > 7 {
        return 0;
    }
    let prey = facing(book, landing);
    let taken = std::mem::take(&mut board.pits[other][prey]);
    let outer = if taken > 0 && book.errs(Mutant::OuterPitIsTaken) {
        std::mem::take(&mut board.pits[other][prey + 8])
    } else {
        0
    };
    taken + outer
}

fn path(book: &Book) -> Path {
    if book.errs(Mutant::OtherWayRound) { Path::counter_clockwise() } else { Path::clockwise() }
}

impl Sowing {
    /// Sows the next lap from the occupied pit in which the last one ended: where it ends, unless the turn stops before
    /// or with it.
    fn next_lap(&mut self, book: &Book, landing: usize) -> Option<usize> {
        let (path, board) = (path(book), &mut self.board);
        let mover = board.mover;
        let taken = if self.raids { raid(book, board, landing) } else { 0 };
        if taken > 0 {
            self.captured = true;
            let back = if book.errs(Mutant::RaidsPastTheCapturingPit) { 0 } else { 15 };
            let landing = path.sow(book, &mut board.pits[mover], path.after(landing, back), taken);
            let was_last = has_no_front(board, 1 - mover) && !book.errs(Mutant::RelaysAfterTheLastCapture);
            return (!was_last).then_some(landing);
        }
        if self.raids && book.errs(Mutant::NoRelayInPhaseTwo) {
            return None;
        }
        let mut hand = std::mem::take(&mut board.pits[mover][landing]);
        if book.errs(Mutant::RelayLeavesOne) {
            (hand, board.pits[mover][landing]) = (hand - 1, 1);
        }
        Some(path.sow(book, &mut board.pits[mover], landing, hand))
    }
}

fn sow(book: &Book, before: &Board, pit: usize) -> Sowing {
    let mut board = before.clone();
    let mover = board.mover;
    let raids = before.extra == [0, 0] || book.errs(Mutant::CapturesInPhaseOne);
    let hand = lift(book, &mut board, pit);
    let mut landing = path(book).sow(book, &mut board.pits[mover], pit, hand);
    let mut sowing = Sowing { board, raids, captured: false, endless: None, own_row_was_empty: false };
    for lap in 1..=LIMIT {
        sowing.own_row_was_empty |= has_no_front(&sowing.board, mover);
        if sowing.board.pits[mover][landing] == 1 {
            break;
        }
        if lap == LIMIT {
            sowing.endless = Some(landing);
            break;
        }
        match sowing.next_lap(book, landing) {
            Some(next) => landing = next,
            None => break,
        }
    }
    sowing
}

/// The laps of the cycle of a turn that is not over at the lap limit: every state from there on is remembered, for so
/// many laps.
pub fn cycle(book: &Book, board: &Board, pit: usize, most: usize) -> Option<usize> {
    let mut sowing = sow(book, board, pit);
    let mut landing = sowing.endless.expect("a turn that is not over");
    let mut seen = HashMap::new();
    for lap in 0..most {
        if sowing.board.pits[board.mover][landing] == 1 {
            return None;
        }
        if let Some(before) = seen.insert((sowing.board.pits.clone(), landing), lap) {
            return Some(lap - before);
        }
        landing = sowing.next_lap(book, landing)?;
    }
    None
}

/// What the inner rows decide, seen from the player who is to move.
pub fn end(book: &Book, board: &Board) -> Option<&'static str> {
    if board.extra != [0, 0] && book.errs(Mutant::RowsDecideInPhaseTwo) {
        return None;
    }
    let mover_has_none = has_no_front(board, board.mover);
    let other_has_none = has_no_front(board, 1 - board.mover);
    match (mover_has_none, other_has_none) {
        (true, true) if book.errs(Mutant::OwnRowFirst) => Some("own-front-row"),
        (true, _) => Some("front-row"),
        (false, true) => Some("own-front-row"),
        (false, false) => None,
    }
}

fn turn(book: &Book, before: &Board, pit: usize) -> Option<Turn> {
    let Sowing { mut board, captured, endless, own_row_was_empty, .. } = sow(book, before, pit);
    let finished = endless.is_none();
    let is_legal = finished || book.house("Endless", "illegal") == "annul" || book.errs(Mutant::EndlessIsLegal);
    if !is_legal {
        return None;
    }
    board.mark = None;
    board.mover = 1 - board.mover;
    let at_once = own_row_was_empty && book.errs(Mutant::OwnRowDecidesAtOnce);
    let end = match finished {
        false => Some("endless"),
        true if at_once => Some("own-front-row"),
        true => end(book, &board),
    };
    let phase_one = before.extra != [0, 0] && !book.errs(Mutant::PhaseOneIsQuiet);
    let irreversible = captured || phase_one;
    Some(Turn { name: before.letter(pit).to_string(), after: board, irreversible, captures: captured, end })
}

pub fn turns(book: &Book, board: &Board) -> Vec<Turn> {
    if book.errs(Mutant::NoReserveNoTurn) && board.extra[board.mover] == 0 && board.extra[1 - board.mover] > 0 {
        return Vec::new();
    }
    let least = if board.extra == [0, 0] && book.errs(Mutant::SingleMayNotRaid) { 2 } else { 1 };
    let playable = (0..16).filter(|&pit| board.pits[board.mover][pit] >= least);
    playable.filter_map(|pit| turn(book, board, pit)).collect()
}
