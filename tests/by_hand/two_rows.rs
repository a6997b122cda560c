//! Wuri and Urim by hand.

use empiki::units::Variant;

use super::{Board, Book, Mutant, Turn};

/// What sets the games on two rows apart.
struct Laws {
    /// The most seeds that a pit may hold.
    most: usize,
    /// The largest count that starts a capture, and the largest that goes on with one.
    trigger: usize,
    chain: usize,
}

fn laws(book: &Book) -> Laws {
    let wuri = book.variant == Variant::Wuri;
    let chain = if wuri { 3 } else { 4 };
    Laws {
        most: if wuri { usize::MAX } else { 17 + usize::from(book.errs(Mutant::EighteenFit)) },
        trigger: 3 + usize::from(book.errs(Mutant::FourTriggers) || book.errs(Mutant::FourIsTaken)),
        chain: if book.errs(Mutant::FourIsTaken) {
            4
        } else if book.errs(Mutant::FourStopsTheChain) {
            3
        } else {
            chain
        },
    }
}

pub fn start(book: &Book) -> Board {
    let each = if book.variant == Variant::Wuri {
        4 - usize::from(book.errs(Mutant::ThreeSeedsAtTheStart))
    } else {
        book.number("Seeds", if book.errs(Mutant::FourSeedsAtTheStart) { "4" } else { "3" })
    };
    let row = vec![each; book.pits()];
    Board { pits: [row.clone(), row], extra: [0, 0], mover: 0, mark: None }
}

/// Sows one pit seed by seed: the pit where the last one fell, as player and pit.
fn sow(book: &Book, board: &mut Board, pit: usize) -> (usize, usize) {
    let (pits, most) = (book.pits(), laws(book).most);
    let origin = (board.mover, pit);
    let mut place = origin;
    let mut landing = origin;
    let mut hand = std::mem::take(&mut board.pits[board.mover][pit]);
    while hand > 0 {
        place = if place.1 + 1 < pits { (place.0, place.1 + 1) } else { (1 - place.0, 0) };
        let is_open = place != origin || book.errs(Mutant::OriginIsSown);
        let is_full = board.pits[place.0][place.1] >= most;
        if is_open && !is_full {
            board.pits[place.0][place.1] += 1;
            hand -= 1;
        }
        if is_open && (!is_full || book.errs(Mutant::FullPitTakesTheSeed)) {
            landing = place;
        }
        if is_full && book.errs(Mutant::FullPitTakesTheSeed) {
            // The seed goes to the store of whoever owns the pit.
            board.extra[place.0] += 1;
            hand -= 1;
        }
    }
    landing
}

/// The pits that a move captures, last one first.
fn taken(book: &Book, sown: &Board, (side, landing): (usize, usize)) -> Vec<usize> {
    let Laws { trigger, chain, .. } = laws(book);
    let row = &sown.pits[1 - sown.mover];
    if side == sown.mover || !(2..=trigger).contains(&row[landing]) {
        return Vec::new();
    }
    if book.errs(Mutant::NoChain) {
        return vec![landing];
    }
    (0..landing + 1).rev().take_while(|&pit| pit == landing || (2..=chain).contains(&row[pit])).collect()
}

/// A move up to its capture.
struct Sown {
    pit: usize,
    board: Board,
    taken: Vec<usize>,
}

impl Sown {
    fn new(book: &Book, before: &Board, pit: usize) -> Sown {
        let mut board = before.clone();
        let landing = sow(book, &mut board, pit);
        let taken = taken(book, &board, landing);
        Sown { pit, board, taken }
    }

    fn captured(&self) -> usize {
        self.taken.iter().map(|&pit| self.board.pits[1 - self.board.mover][pit]).sum()
    }

    fn is_slam(&self, book: &Book) -> bool {
        let row = self.board.row(1 - self.board.mover);
        let one_pit = book.errs(Mutant::SlamIsOnePit) && self.taken.len() > 1;
        !self.taken.is_empty() && self.captured() == row && !one_pit
    }

    fn turn(self, book: &Book, before: &Board, slam_takes: bool) -> Turn {
        let captures = !self.taken.is_empty() && (slam_takes || !self.is_slam(book));
        let captured = self.captured();
        let Sown { mut board, taken, pit } = self;
        let (mover, other) = (board.mover, 1 - board.mover);
        if captures {
            taken.iter().for_each(|&pit| board.pits[other][pit] = 0);
            board.extra[mover] += captured;
        }
        board.mover = other;
        let end = end(book, &board);
        Turn { name: before.letter(pit).to_string(), after: board, irreversible: captures, captures, end }
    }
}

/// Whether the stores end the game.
pub fn end(book: &Book, board: &Board) -> Option<&'static str> {
    let [south, north] = board.extra;
    let (most, least) = (south.max(north), south.min(north));
    let ended = if book.variant == Variant::Wuri {
        let enough = if book.errs(Mutant::CountAtTwentySix) { 26 } else { 25 };
        most >= enough || (least == 24 && !book.errs(Mutant::EvenGoesOn))
    } else {
        book.errs(Mutant::StopsAtMajority) && 2 * most > south + north + board.row(0) + board.row(1)
    };
    ended.then_some("count")
}

/// Whether a move brings a seed to an empty row.
fn feeds(book: &Book, board: &Board, pit: usize) -> bool {
    if book.errs(Mutant::FeedsByDistance) {
        return board.pits[board.mover][pit] + pit >= book.pits();
    }
    let mut sown = board.clone();
    sow(book, &mut sown, pit);
    sown.row(1 - board.mover) > 0
}

pub fn turns(book: &Book, board: &Board) -> Vec<Turn> {
    let unfed = board.row(1 - board.mover) == 0;
    let must_feed = unfed && !book.errs(Mutant::NeedNotFeed);
    let occupied = (0..book.pits()).filter(|&pit| board.pits[board.mover][pit] > 0);
    let playable = occupied.filter(|&pit| !must_feed || feeds(book, board, pit));
    let mut moves: Vec<Sown> = playable.map(|pit| Sown::new(book, board, pit)).collect();
    let rule = book.house("GrandSlam", if book.errs(Mutant::SlamTakes) { "capture" } else { "no-capture" });
    let only_slams = moves.iter().all(|sown| sown.is_slam(book)) && !book.errs(Mutant::OnlySlamIsIllegal);
    let forbids = rule == "illegal" || (rule == "illegal-unless-only" && !only_slams);
    if forbids {
        moves.retain(|sown| !sown.is_slam(book) || (unfed && book.errs(Mutant::FeedingSlamIsLegal)));
    }
    let takes = rule == "capture" || (rule == "illegal-unless-only" && only_slams);
    moves.into_iter().map(|sown| sown.turn(book, board, takes)).collect()
}

/// What each side ends with, in halves of a seed.
pub fn halves(book: &Book, board: &Board, reason: &str) -> [usize; 2] {
    let stores = board.extra.map(|seeds| 2 * seeds);
    let rows = [board.row(0), board.row(1)];
    let swept = [stores[0] + 2 * rows[0], stores[1] + 2 * rows[1]];
    let all_to = |player: usize| {
        let mut seeds = stores;
        seeds[player] += 2 * (rows[0] + rows[1]);
        seeds
    };
    match reason {
        "count" if book.errs(Mutant::CountSweeps) => swept,
        "count" => stores,
        "no-move" if book.errs(Mutant::NoMoveAwardsNothing) => stores,
        "no-move" if book.errs(Mutant::NoMoveAwardsTheMover) => all_to(board.mover),
        "no-move" if book.house("NoMoveAward", "own-row") == "unfed" => all_to(1 - board.mover),
        "repetition" if book.errs(Mutant::CycleAwardsNothing) => stores,
        "repetition" if book.house("RepetitionAward", "own-row") == "split" => {
            let half = rows[0] + rows[1];
            stores.map(|seeds| (seeds + half) & if book.errs(Mutant::SplitRoundsDown) { !1 } else { !0 })
        }
        _ => swept,
    }
}

/// The match points of what each side ends with.
pub fn points(book: &Book, board: &Board, halves: [usize; 2]) -> [usize; 2] {
    let total = 2 * (board.row(0) + board.row(1) + board.extra[0] + board.extra[1]);
    [0, 1].map(|player| {
        let (own, other) = (halves[player], halves[1 - player]);
        if book.variant == Variant::Wuri {
            return usize::from(own > other) * if book.errs(Mutant::WinIsTwo) { 2 } else { 1 };
        }
        let much = 4 * own >= 3 * total + usize::from(book.errs(Mutant::MoreThanThreeQuarters));
        let more = 2 * own + usize::from(book.errs(Mutant::HalfIsAPoint)) > total;
        usize::from(more) + usize::from(much)
    })
}
