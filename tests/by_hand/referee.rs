//! A game by hand with all that has gone before: ends by repetition and counts, in the order of G6.

use empiki::units::Variant;

use super::{Board, Book, Mutant, Table, Turn, four_rows, kimasai, omweso, two_rows};

/// What makes two positions the same (G4).
type Same = ([Vec<usize>; 2], [usize; 2], usize, Option<usize>);

/// A game that is played by hand.
#[derive(Clone)]
pub struct HandTable {
    book: Book,
    board: Board,
    /// The positions since the counts began anew.
    since: Vec<Same>,
    quiet: usize,
    plies: usize,
    end: Option<&'static str>,
}

impl HandTable {
    /// The game at its start.
    pub fn new(book: Book) -> HandTable {
        let board = book.start();
        let mut table = HandTable { book, board, since: Vec::new(), quiet: 0, plies: 0, end: None };
        table.begin();
        table
    }

    /// The legal turns; none when the game is over.
    pub fn turns(&self) -> Vec<Turn> {
        if self.end.is_some() { Vec::new() } else { self.book.turns(&self.board) }
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Why the game is over, if it is.
    pub fn end(&self) -> Option<&'static str> {
        self.end
    }

    fn same(&self) -> Same {
        let extra = if self.book.variant == Variant::Kimasai { self.board.extra } else { [0, 0] };
        let mark = self.board.mark.filter(|_| self.book.errs(Mutant::MarkMakesAnotherPosition));
        (self.board.pits.clone(), extra, self.board.mover, mark)
    }

    /// Begins the counts at the present position and judges it (G5).
    fn begin(&mut self) {
        self.since = if self.book.errs(Mutant::SetUpIsNotCounted) { Vec::new() } else { vec![self.same()] };
        (self.quiet, self.plies) = (0, 0);
        let (book, board) = (&self.book, &self.board);
        let shown = match book.variant {
            Variant::Omweso if omweso::is_arranging(book, board) => None,
            Variant::Omweso => omweso::bulijo(book, board),
            Variant::Kimasai => kimasai::end(book, board),
            _ if book.errs(Mutant::MovesBeforeStores) => self.no_move().or_else(|| two_rows::end(book, board)),
            _ => two_rows::end(book, board),
        };
        let judged = shown.or_else(|| self.no_move());
        self.end = judged.filter(|_| !self.book.errs(Mutant::SetUpIsNotJudged));
    }

    fn no_move(&self) -> Option<&'static str> {
        let arranging = omweso::is_arranging(&self.book, &self.board);
        (!arranging && self.book.turns(&self.board).is_empty()).then_some("no-move")
    }

    /// Repetition, quiet plies and length.
    fn drawn(&self) -> Option<&'static str> {
        let book = &self.book;
        let four_rows = book.pits() == 16;
        let times = match book.variant {
            _ if four_rows => {
                if book.errs(Mutant::TwiceIsADraw) {
                    2
                } else {
                    3
                }
            }
            _ => book.number("Repetition", "2") + usize::from(book.errs(Mutant::RepetitionOnceMore)),
        };
        let quiet_limit = match book.variant {
            Variant::Omweso => book.number("QuietPlies", "200"),
            Variant::Kimasai => 200,
            _ => 0,
        };
        let quiet_limit = quiet_limit + usize::from(quiet_limit > 0 && book.errs(Mutant::QuietOneLater));
        let length = 2000 - usize::from(book.errs(Mutant::LengthOneLess));
        let now = self.same();
        let repeated = self.since.iter().filter(|&then| *then == now).count() >= times;
        let quiet = quiet_limit > 0 && self.quiet >= quiet_limit;
        if repeated && !(quiet && book.errs(Mutant::QuietBeforeRepetition)) {
            Some("repetition")
        } else if quiet {
            Some("quiet")
        } else {
            (four_rows && self.plies >= length).then_some("length")
        }
    }

    /// Makes a turn and judges what it leads to, in the order of G6.
    pub fn make(&mut self, turn: Turn) {
        let begins_anew = turn.irreversible && !self.book.errs(Mutant::CaptureIsForgotten);
        if begins_anew {
            self.since.clear();
        }
        self.quiet = if begins_anew { 0 } else { self.quiet + 1 };
        self.plies += 1;
        self.board = turn.after;
        self.since.push(self.same());
        let end = turn.end.filter(|_| !self.book.errs(Mutant::PlaysOn));
        let first = if self.book.errs(Mutant::NoMoveFirst) { self.no_move() } else { None };
        self.end = first.or(end).or_else(|| self.drawn()).or_else(|| self.no_move());
    }

    /// The match points of South and North.
    fn points(&self, reason: &str, halves: [usize; 2]) -> [usize; 2] {
        let (book, mover) = (&self.book, self.board.mover);
        let won_by = |player: usize, worth: usize| [0, 1].map(|side| if side == player { worth } else { 0 });
        match (book.variant, reason) {
            (Variant::Omweso, "endless") => won_by(mover, omweso::worth(book, reason)),
            (Variant::Omweso, _) => won_by(1 - mover, omweso::worth(book, reason)),
            (Variant::Kimasai, "front-row" | "no-move") => won_by(1 - mover, 1),
            (Variant::Kimasai, "own-front-row") => won_by(mover, 1),
            (Variant::Kimasai, _) => [0, 0],
            _ => two_rows::points(book, &self.board, halves),
        }
    }

    fn lay_out(&mut self, counts: &str) -> bool {
        let counts: Vec<usize> = counts.split('-').filter_map(|count| count.parse().ok()).collect();
        let Some(after) = omweso::arrange(&self.book, &self.board, &counts) else { return false };
        self.board = after;
        self.begin();
        true
    }
}

impl Table for HandTable {
    fn set_up(&mut self, token: Option<&str>) -> bool {
        let board = match token {
            None => self.book.start(),
            Some(token) => match Board::read(token, self.book.pits()) {
                Some(board) => board,
                None => return false,
            },
        };
        self.board = board;
        self.begin();
        true
    }

    fn play(&mut self, mv: &str) -> bool {
        if self.end.is_some() {
            return false;
        }
        match (omweso::is_arranging(&self.book, &self.board), mv.strip_prefix('@')) {
            (true, Some(counts)) => return self.lay_out(counts),
            (true, None) | (false, Some(_)) => return false,
            (false, None) => {}
        }
        let wanted = mv.trim_end_matches('>');
        match self.turns().into_iter().find(|turn| turn.name == wanted) {
            Some(turn) => {
                self.make(turn);
                true
            }
            None => false,
        }
    }

    fn token(&self) -> String {
        self.board.token()
    }

    fn moves(&self) -> String {
        if self.end.is_none() && omweso::is_arranging(&self.book, &self.board) {
            return "@".to_owned();
        }
        let names: Vec<String> = self.turns().into_iter().map(|turn| turn.name).collect();
        names.join(" ")
    }

    fn result(&self) -> String {
        let Some(reason) = self.end else { return "none".to_owned() };
        let halves = match self.book.variant {
            Variant::Omweso => four_rows::halves(&self.board, [0, 0]),
            Variant::Kimasai => four_rows::halves(&self.board, self.board.extra),
            _ => two_rows::halves(&self.book, &self.board, reason),
        };
        let [south, north] = self.points(reason, halves);
        let winner = match south.cmp(&north) {
            std::cmp::Ordering::Equal if reason == "endless" => "void",
            std::cmp::Ordering::Greater => "south",
            std::cmp::Ordering::Less => "north",
            std::cmp::Ordering::Equal => "draw",
        };
        let [own, others] = halves.map(|seeds| format!("{}{}", seeds / 2, if seeds % 2 == 1 { ".5" } else { "" }));
        format!("{winner} reason {reason} seeds {own}-{others} points {south}-{north}")
    }
}
