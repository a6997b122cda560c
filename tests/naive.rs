//! The games against naive ones that move seed by seed, on random positions far from any opening.

mod common;

use common::{open, written};
use empiki::engine::game::Game;
use empiki::units::Variant;
use proptest::prelude::*;

/// The numbers of a token by player: South's, then North's.
#[derive(Clone, Debug)]
struct Board {
    pits: [Vec<usize>; 2],
    extra: [usize; 2],
    mover: usize,
    mark: Option<usize>,
}

impl Board {
    fn token(&self) -> String {
        let numbers = self.pits.iter().flatten().chain(&self.extra);
        let fields: Vec<String> = numbers.map(usize::to_string).collect();
        let mark = self.mark.map(|mark| format!("-{mark}")).unwrap_or_default();
        format!("{}-{}{mark}", fields.join("-"), ["S", "N"][self.mover])
    }

    fn letter(&self, pit: usize) -> char {
        char::from([b'A', b'a'][self.mover] + u8::try_from(pit).expect("a letter"))
    }
}

/// Seeds strewn over a few or many pits and two stores: each seed falls where its number says.
fn strewn(places: usize, seeds: usize) -> impl Strategy<Value = Vec<usize>> {
    let order = Just((0..places).collect::<Vec<usize>>()).prop_shuffle();
    (order, 1..=places, prop::collection::vec(any::<prop::sample::Index>(), seeds)).prop_map(
        move |(order, spread, falls)| {
            let mut counts = vec![0; places];
            for fall in falls {
                counts[order[fall.index(spread)]] += 1;
            }
            counts
        },
    )
}

fn player() -> impl Strategy<Value = usize> {
    0..2_usize
}

/// Holds the legal moves of a game, and where they lead, against those of a naive one.
fn agree(variant: Variant, board: &Board, lines: &[(String, Board)]) {
    let mut game = open(variant, "");
    game.set_up(Some(&board.token()), &[]).unwrap_or_else(|error| panic!("{}: {error:#}", board.token()));
    if game.outcome().is_some() {
        return;
    }
    let names: Vec<&str> = lines.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(game.legal_moves(), names, "{}", board.token());
    for (name, after) in lines {
        play_and_compare(&mut *game, board, name, after);
    }
}

fn play_and_compare(game: &mut dyn Game, before: &Board, name: &str, after: &Board) {
    game.play(&[written(name)]).unwrap_or_else(|error| panic!("{}: {error:#}", before.token()));
    assert_eq!(game.token(), after.token(), "{} after {name}", before.token());
    game.undo(1).expect("a move was played");
}

mod two_rows {
    use super::*;

    /// Sows one pit seed by seed: the pit where the last one fell, as player and pit.
    fn sow(board: &mut Board, pit: usize, most: usize) -> (usize, usize) {
        let pits = board.pits[0].len();
        let origin = (board.mover, pit);
        let mut place = origin;
        let mut landing = origin;
        let mut hand = std::mem::take(&mut board.pits[board.mover][pit]);
        while hand > 0 {
            place = if place.1 + 1 < pits { (place.0, place.1 + 1) } else { (1 - place.0, 0) };
            if place != origin && board.pits[place.0][place.1] < most {
                board.pits[place.0][place.1] += 1;
                landing = place;
                hand -= 1;
            }
        }
        landing
    }

    /// The board after a move; `trigger` and `chain` are the largest counts that start and go on with a capture.
    fn after(board: &Board, pit: usize, most: usize, trigger: usize, chain: usize) -> Board {
        let mut board = board.clone();
        let mover = board.mover;
        let (side, landing) = sow(&mut board, pit, most);
        let row = &board.pits[1 - mover];
        let mut taken: Vec<usize> = Vec::new();
        if side != mover && (2..=trigger).contains(&row[landing]) {
            taken.extend((0..=landing).rev().take_while(|&pit| (2..=chain).contains(&row[pit])));
        }
        let captured: usize = taken.iter().map(|&pit| row[pit]).sum();
        if captured < row.iter().sum() {
            taken.iter().for_each(|&pit| board.pits[1 - mover][pit] = 0);
            board.extra[mover] += captured;
        }
        board.mover = 1 - mover;
        board
    }

    fn lines(board: &Board, most: usize, trigger: usize, chain: usize) -> Vec<(String, Board)> {
        let unfed = board.pits[1 - board.mover].iter().all(|&seeds| seeds == 0);
        let feeds = |pit: &usize| {
            let mut sown = board.clone();
            sow(&mut sown, *pit, most);
            sown.pits[1 - board.mover].iter().any(|&seeds| seeds > 0)
        };
        let occupied = (0..board.pits[0].len()).filter(|&pit| board.pits[board.mover][pit] > 0);
        let legal = occupied.filter(|pit| !unfed || feeds(pit));
        legal.map(|pit| (board.letter(pit).to_string(), after(board, pit, most, trigger, chain))).collect()
    }

    fn board(counts: &[usize], pits: usize, mover: usize) -> Board {
        Board {
            pits: [counts[..pits].to_vec(), counts[pits..2 * pits].to_vec()],
            extra: [counts[2 * pits], counts[2 * pits + 1]],
            mover,
            mark: None,
        }
    }

    /// What a pit of Urim cannot hold goes to the stores.
    fn capped(mut board: Board) -> Board {
        for player in 0..2 {
            for pit in &mut board.pits[player] {
                board.extra[player] += pit.saturating_sub(17);
                *pit = (*pit).min(17);
            }
        }
        board
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn wuri_sows_and_captures_as_by_hand(counts in strewn(14, 48), mover in player()) {
            let board = board(&counts, 6, mover);
            agree(Variant::Wuri, &board, &lines(&board, usize::MAX, 3, 3));
        }

        #[test]
        fn urim_sows_and_captures_as_by_hand(counts in strewn(14, 36), mover in player()) {
            let board = capped(board(&counts, 6, mover));
            agree(Variant::Urim, &board, &lines(&board, 17, 3, 4));
        }

        #[test]
        fn urim_on_seven_pits_sows_and_captures_as_by_hand(counts in strewn(16, 42), mover in player()) {
            let board = capped(board(&counts, 7, mover));
            agree(Variant::Urim7, &board, &lines(&board, 17, 3, 4));
        }

        #[test]
        fn an_unfed_row_is_fed_as_by_hand(counts in strewn(8, 42), mover in player()) {
            let mut full = vec![0; 16];
            full[7 * mover..7 * mover + 7].copy_from_slice(&counts[..7]);
            full[14] = counts[7];
            let board = capped(board(&full, 7, mover));
            agree(Variant::Urim7, &board, &lines(&board, 17, 3, 4));
        }
    }
}

mod four_rows {
    use super::*;

    /// How a turn ended.
    #[derive(PartialEq, Eq, Debug)]
    enum End {
        Rests,
        Endless,
    }

    const LIMIT: usize = 4096;

    fn board(counts: &[usize], extra: [usize; 2], mover: usize, mark: Option<usize>) -> Board {
        Board { pits: [counts[..16].to_vec(), counts[16..32].to_vec()], extra, mover, mark }
    }

    /// The pits in the order of sowing, by letter.
    struct Path([usize; 16]);

    impl Path {
        fn omweso() -> Path {
            Path([8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1, 0])
        }

        fn kimasai() -> Path {
            Path([0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8])
        }

        fn reversed(&self) -> Path {
            let mut pits = self.0;
            pits.reverse();
            Path(pits)
        }

        /// The pit so many steps after one.
        fn after(&self, pit: usize, steps: usize) -> usize {
            let at = self.0.iter().position(|&other| other == pit).expect("a pit of the path");
            self.0[(at + steps) % 16]
        }

        fn sow(&self, pits: &mut [usize], origin: usize, hand: usize) -> usize {
            let mut landing = origin;
            for _ in 0..hand {
                landing = self.after(landing, 1);
                pits[landing] += 1;
            }
            landing
        }
    }

    /// A turn of Bao la Kimasai; `None` if it never ends.
    fn kimasai(before: &Board, pit: usize) -> Option<Board> {
        let path = Path::kimasai();
        let mut board = before.clone();
        let (mover, other) = (board.mover, 1 - board.mover);
        let raids = board.extra == [0, 0];
        let mut hand = std::mem::take(&mut board.pits[mover][pit]);
        if board.extra[mover] > 0 && board.mark.is_none() {
            board.extra[mover] -= 1;
            hand += 1;
        }
        let mut landing = path.sow(&mut board.pits[mover], pit, hand);
        for _ in 0..LIMIT {
            if board.pits[mover][landing] == 1 {
                board.mark = None;
                board.mover = other;
                return Some(board);
            }
            let prey = 7_usize.wrapping_sub(landing);
            if raids && landing < 8 && board.pits[other][prey] > 0 {
                let taken = std::mem::take(&mut board.pits[other][prey]);
                let before = path.after(landing, 15);
                landing = path.sow(&mut board.pits[mover], before, taken);
                if board.pits[other][..8].iter().all(|&cows| cows == 0) {
                    board.mover = other;
                    board.mark = None;
                    return Some(board);
                }
            } else {
                let hand = std::mem::take(&mut board.pits[mover][landing]);
                landing = path.sow(&mut board.pits[mover], landing, hand);
            }
        }
        None
    }

    fn kimasai_lines(board: &Board) -> Vec<(String, Board)> {
        let occupied = (0..16).filter(|&pit| board.pits[board.mover][pit] > 0);
        occupied.filter_map(|pit| Some((board.letter(pit).to_string(), kimasai(board, pit)?))).collect()
    }

    /// Whether a lap ends in a capture of Omweso.
    fn captures(path: &Path, own: &[usize], other: &[usize], origin: usize, hand: usize) -> bool {
        let mut own = own.to_vec();
        let landing = path.sow(&mut own, origin, hand);
        landing < 8 && own[landing] > 1 && other[7 - landing] > 0 && other[15 - landing] > 0
    }

    /// A turn of Omweso along written signs; how many choices it had, and how it ended.
    fn omweso(before: &Board, pit: usize, signs: &[bool]) -> (Board, usize, End) {
        let (forward, backward) = (Path::omweso(), Path::omweso().reversed());
        let mut board = before.clone();
        let (mover, rival) = (board.mover, 1 - board.mover);
        let [south, north] = &mut board.pits;
        let (own, other) = if mover == 0 { (south, north) } else { (north, south) };
        let takes = before.mark.is_none();
        let (mut origin, mut hand) = (pit, std::mem::take(&mut own[pit]));
        let (mut resow, mut reversed) = (false, false);
        let mut captured = false;
        let mut choices = 0;
        let mut end = End::Endless;
        for lap in 1..=LIMIT {
            let open = if resow { reversed } else { [0, 1, 8, 9].contains(&origin) };
            reversed = takes && open && captures(&backward, own, other, origin, hand);
            if reversed {
                reversed = signs.get(choices).copied().unwrap_or(false);
                choices += 1;
            }
            let landing = if reversed { &backward } else { &forward }.sow(own, origin, hand);
            if own[landing] == 1 {
                end = End::Rests;
                break;
            }
            if lap == LIMIT {
                break;
            }
            resow = takes && landing < 8 && other[7 - landing] > 0 && other[15 - landing] > 0;
            if resow {
                hand = std::mem::take(&mut other[7 - landing]) + std::mem::take(&mut other[15 - landing]);
                captured = true;
            } else {
                (origin, hand) = (landing, std::mem::take(&mut own[landing]));
            }
        }
        board.extra[mover] = (board.extra[mover] + usize::from(captured)).min(2);
        (passed_on(board, rival), choices, end)
    }

    fn passed_on(mut board: Board, rival: usize) -> Board {
        board.mark = if board.mark == Some(0) { Some(1) } else { None };
        board.mover = rival;
        board
    }

    /// Every line that begins with these signs.
    fn branch(board: &Board, pit: usize, signs: &[bool], lines: &mut Vec<(String, Board)>) {
        let (after, choices, _) = omweso(board, pit, signs);
        let written: String = signs.iter().map(|&back| if back { '<' } else { '>' }).collect();
        lines.push((format!("{}{written}", board.letter(pit)), after));
        for choice in signs.len()..choices {
            let mut signs = signs.to_vec();
            signs.resize(choice, false);
            signs.push(true);
            branch(board, pit, &signs, lines);
        }
    }

    fn omweso_lines(board: &Board) -> Vec<(String, Board)> {
        let mut lines = Vec::new();
        for pit in (0..16).filter(|&pit| board.pits[board.mover][pit] > 1) {
            branch(board, pit, &[], &mut lines);
            if board.pits[board.mover][pit] == 3 && board.extra == [0, 0] {
                let mut after = board.clone();
                let path = Path::omweso();
                let own = &mut after.pits[board.mover];
                own[pit] = 0;
                own[path.after(pit, 1)] += 2;
                own[path.after(pit, 2)] += 1;
                lines.push((format!("{}*", board.letter(pit)), passed_on(after, 1 - board.mover)));
            }
        }
        lines.sort_by(|(first, _), (second, _)| first.cmp(second));
        lines
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(700))]

        #[test]
        fn kimasai_moves_as_by_hand_in_phase_one(
            (south, north) in (0..25_usize, 0..25_usize),
            falls in prop::collection::vec(0..32_usize, 64),
            mover in player(),
            opening in any::<bool>(),
        ) {
            let mut counts = vec![0; 32];
            falls[south + north..].iter().for_each(|&pit| counts[pit] += 1);
            let board = board(&counts, [south, north], mover, opening.then_some(0));
            agree(Variant::Kimasai, &board, &kimasai_lines(&board));
        }

        #[test]
        fn kimasai_moves_as_by_hand_in_phase_two(counts in strewn(32, 64), mover in player()) {
            let board = board(&counts, [0, 0], mover, None);
            agree(Variant::Kimasai, &board, &kimasai_lines(&board));
        }

        #[test]
        fn omweso_moves_as_by_hand(
            counts in strewn(32, 64),
            mover in player(),
            extra in (0..3_usize, 0..3_usize),
            mark in prop::option::weighted(0.2, 0..2_usize),
        ) {
            let board = board(&counts, extra.into(), mover, mark);
            agree(Variant::Omweso, &board, &omweso_lines(&board));
        }
    }
}
