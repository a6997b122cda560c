//! Laws of the rules: what holds in every position of every game, whatever the moves and the house rules.
//!
//! Games are played at random and looked at from outside: tokens, lists of moves, traces. What a trace tells is played again
//! here on a board of letters, so each sowing is made twice by code that shares nothing.

mod common;

use std::collections::BTreeMap;

use common::{Rng, open, option_values, written};
use empiki::engine::game::{self, Game};
use empiki::rules::outcome::{HalfSeeds, Reason};
use empiki::units::{Direction, MoveText, OptionKind, Player, Variant};
use pretty_assertions::assert_eq;
use proptest::prelude::*;

/// Games of each variant under its default rules.
const GAMES: usize = 10_000;
/// Games under each other value of each rule option.
const GAMES_OF_AN_OPTION: usize = 1_000;
/// Games under a value that makes turns of up to a million laps.
const GAMES_OF_LONG_TURNS: usize = 10;
/// One game in so many is held to the costly laws at every position: each move is written, read, played, traced and mirrored.
const SAMPLE: usize = 25;
/// What stands for the legal moves while seeds are laid out.
const ARRANGING: [&str; 1] = ["@"];
/// No game is longer, under whatever rules.
const MOST_PLIES: usize = 10_000;

// The board as its token shows it.

/// The numbers of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Token {
    /// South's pits, then North's, in letter order.
    pits: Vec<u32>,
    /// X and Y.
    extra: [u32; 2],
    mover: Player,
    mark: Option<u32>,
}

impl Token {
    fn read(text: &str) -> Token {
        let fields: Vec<&str> = text.split('-').collect();
        let side = fields.iter().position(|field| ["S", "N"].contains(field)).expect("a side to move");
        let numbers: Vec<u32> = fields[..side].iter().map(|field| field.parse().expect("a number")).collect();
        let (pits, extra) = numbers.split_at(side - 2);
        Token {
            pits: pits.to_vec(),
            extra: [extra[0], extra[1]],
            mover: if fields[side] == "S" { Player::South } else { Player::North },
            mark: fields.get(side + 1).map(|mark| mark.parse().expect("a number")),
        }
    }

    fn write(&self) -> String {
        let numbers: Vec<String> = self.pits.iter().chain(&self.extra).map(u32::to_string).collect();
        let side = if self.mover == Player::South { "S" } else { "N" };
        let mark = self.mark.iter().map(|mark| format!("-{mark}"));
        format!("{}-{side}{}", numbers.join("-"), mark.collect::<String>())
    }

    /// The same board with the players exchanged.
    fn mirrored(&self) -> Token {
        let (south, north) = self.pits.split_at(self.pits.len() / 2);
        Token {
            pits: [north, south].concat(),
            extra: [self.extra[1], self.extra[0]],
            mover: !self.mover,
            mark: self.mark,
        }
    }

    fn is_two_row(&self) -> bool {
        self.pits.len() < 32
    }

    /// What changes with a capture alone: the stores, or the seeds on South's side of four rows.
    fn own_seeds(&self) -> u32 {
        if self.is_two_row() { self.extra.iter().sum() } else { self.pits[..self.pits.len() / 2].iter().sum() }
    }

    /// All seeds; Omweso's X and Y count turns.
    fn seeds(&self, variant: Variant) -> u32 {
        let extra = if variant == Variant::Omweso { 0 } else { self.extra.iter().sum() };
        self.pits.iter().sum::<u32>() + extra
    }
}

/// A written move with the case of its letter changed.
fn other_case(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect()
}

// A trace, played again.

/// A board of letters on which the steps of a trace are made.
struct Replay {
    pits: BTreeMap<char, u32>,
    mover: Player,
    /// The pit of the move, with which an okwesera begins.
    lifted: String,
    two_row: bool,
    /// Seeds captured and not sown on.
    banked: u32,
    captured: u32,
    from_reserve: u32,
    /// Seeds captured that the next lap sows on.
    hand: Option<u32>,
    /// Pits that the next lap passes over.
    skips: Vec<char>,
    laps: usize,
    after_relay: bool,
}

impl Replay {
    fn new(token: &Token, played: &str) -> Replay {
        let side = token.pits.len() / 2;
        let letters = (0..side).map(|pit| (b'A' + pit as u8) as char);
        let letters: Vec<char> = letters.clone().chain(letters.map(|letter| letter.to_ascii_lowercase())).collect();
        Replay {
            pits: letters.into_iter().zip(token.pits.iter().copied()).collect(),
            mover: token.mover,
            lifted: played[..1].to_owned(),
            two_row: token.is_two_row(),
            banked: 0,
            captured: 0,
            from_reserve: 0,
            hand: None,
            skips: Vec::new(),
            laps: 0,
            after_relay: false,
        }
    }

    fn pit(&mut self, letter: &str) -> &mut u32 {
        let letter = letter.chars().next().expect("a letter");
        self.pits.get_mut(&letter).expect("a pit of the board")
    }

    /// The pits in counter-clockwise order: the whole circle of two rows, or the mover's own ring of four (G2, W1, O4).
    fn circle(&self) -> Vec<char> {
        if self.two_row {
            // Capitals come before small letters, as South's row before North's.
            return self.pits.keys().copied().collect();
        }
        let ring = ('I'..='P').chain(('A'..='H').rev());
        ring.map(|letter| if self.mover == Player::South { letter } else { letter.to_ascii_lowercase() }).collect()
    }

    /// Makes one step; tells whether the rest of the turn is told.
    fn step(&mut self, step: &str) -> bool {
        let words: Vec<&str> = step.split(' ').collect();
        let number = |index: usize| words[index].parse::<u32>().expect("a number");
        match words[0] {
            "reserve" => {
                *self.pit(words[1]) += 1;
                self.from_reserve += 1;
            }
            "skip" => self.skips.push(words[1].chars().next().expect("a letter")),
            "lap" => self.lap(words[1], number(2), words[3] == "ccw", words[4], number(5)),
            "capture" => {
                let mut taken = 0;
                for pair in words[1..].chunks(2) {
                    let count = pair[1].parse().expect("a number");
                    assert_eq!(std::mem::take(self.pit(pair[0])), count, "{step}");
                    taken += count;
                }
                assert!(taken > 0, "{step}");
                self.captured += taken;
                if self.two_row {
                    self.banked += taken;
                } else {
                    self.hand = Some(taken);
                }
            }
            "relay" => {
                assert_eq!(*self.pit(words[1]), number(2), "{step}");
                self.after_relay = true;
            }
            "split" => {
                let lifted = self.lifted.clone();
                assert_eq!(std::mem::take(self.pit(&lifted)), number(2) + number(4), "{step}");
                *self.pit(words[1]) += number(2);
                *self.pit(words[3]) += number(4);
            }
            "choice" | "stop" | "slam" | "end" => {}
            "endless" => return false,
            _ => panic!("an unknown step: {step}"),
        }
        true
    }

    fn lap(&mut self, origin: &str, hand: u32, counter_clockwise: bool, landing: &str, count: u32) {
        if self.laps == 0 || self.after_relay {
            assert_eq!(std::mem::take(self.pit(origin)), hand, "the whole pit {origin} is lifted");
        } else {
            assert_eq!(self.hand.take(), Some(hand), "what was captured is sown");
        }
        self.after_relay = false;
        self.laps += 1;
        let mut circle = self.circle();
        if !counter_clockwise {
            circle.reverse();
        }
        let origin = origin.chars().next().expect("a letter");
        let mut at = circle.iter().position(|&letter| letter == origin).expect("the lap begins in the circle");
        for _ in 0..hand {
            at = (at + 1) % circle.len();
            while self.two_row
                && (circle[at] == origin || self.skips.contains(&circle[at]) && self.pits[&circle[at]] == 17)
            {
                at = (at + 1) % circle.len();
            }
            *self.pits.get_mut(&circle[at]).expect("a pit of the board") += 1;
        }
        self.skips.clear();
        assert_eq!(circle[at].to_string(), landing, "where the last seed falls");
        assert_eq!(self.pits[&circle[at]], count, "and what lies there then");
    }

    /// The token after the turn, but for its mark.
    fn token(&self, before: &Token, variant: Variant) -> Token {
        let mut extra = before.extra;
        let own = usize::from(self.mover == Player::North);
        extra[own] += self.banked;
        extra[own] -= self.from_reserve;
        if variant == Variant::Omweso && self.captured > 0 {
            extra[own] = (extra[own] + 1).min(2);
        }
        assert_eq!(self.hand, None, "captured and never sown");
        Token { pits: self.pits.values().copied().collect(), extra, mover: !self.mover, mark: None }
    }
}

// The laws.

/// A game under test, with a second one of the same rules to set positions up in.
struct Bench {
    variant: Variant,
    seeds: u32,
    game: Box<dyn Game>,
    other: Box<dyn Game>,
    /// The rules under test, for messages.
    rules: String,
    /// The positions since the last capture, with the one that it led to.
    since_capture: Vec<Token>,
}

impl Bench {
    fn new(variant: Variant, options: &str) -> Bench {
        let values = option_values(variant, options);
        let (game, other) = (game::open(variant, &values), game::open(variant, &values));
        let seeds = |game: &dyn Game| Token::read(&game.token()).seeds(variant);
        // Where they are still to be laid out the start has none.
        let seeds = Some(seeds(&*game)).filter(|&seeds| seeds > 0).unwrap_or_else(|| seeds(&*open(variant, "")));
        let rules = game.ruleset().to_owned();
        Bench { variant, seeds, game, other, rules, since_capture: Vec::new() }
    }

    /// Plays one random game from the start to its end, and holds it to the laws.
    fn play(&mut self, rng: &mut Rng, costly: bool) {
        self.game.set_up(None, &[]).expect("the start is a position");
        let mut tokens = vec![self.game.token()];
        self.since_capture = vec![Token::read(&tokens[0])];
        while self.game.outcome().is_none() {
            assert!(tokens.len() <= MOST_PLIES, "{}: a game without an end", self.rules);
            let before = tokens.last().expect("there is the start").clone();
            let legal = common::legal_words(&*self.game);
            assert!(!legal.is_empty(), "{} at {before}: no move and no end", self.rules);
            let chosen = if legal == ARRANGING {
                self.hold_arranging();
                random_arrangement(rng)
            } else {
                if costly {
                    self.hold_position(&legal);
                }
                written(&legal[rng.below(legal.len())])
            };
            self.game
                .play(std::slice::from_ref(&chosen))
                .unwrap_or_else(|error| panic!("{} at {before}: {error:#}", self.rules));
            let after = self.game.token();
            if let MoveText::Arrange(layout) = chosen {
                self.hold_arrangement(&before, layout, &after);
            } else {
                assert_eq!(Token::read(&after).seeds(self.variant), self.seeds, "{} after {before}", self.rules);
            }
            self.hold_token(&before, &after);
            tokens.push(after);
        }
        self.hold_end();
        self.hold_undo(&tokens, costly);
    }

    /// A side that is to lay out its seeds can do nothing else (O3).
    fn hold_arranging(&mut self) {
        let before = self.game.token();
        let sow = |letter| MoveText::Sow { letter, split: false, signs: Vec::new() };
        let refused = [MoveText::Arrange([1; 16]), MoveText::Arrange([3; 16]), sow('A'), sow('a'), MoveText::Null];
        for text in refused {
            assert!(self.game.check(&text).is_err(), "{text} at {before}");
            assert!(self.game.play(&[text]).is_err(), "{before}");
        }
        assert_eq!(self.game.token(), before);
    }

    /// The seeds lie as they were laid out, the rest as before, also on the mirrored board.
    fn hold_arrangement(&mut self, before: &str, layout: [u8; 16], after: &str) {
        let (before, after) = (Token::read(before), Token::read(after));
        let laid = layout.map(u32::from);
        let (south, north) = before.pits.split_at(16);
        let pits = if before.mover == Player::South { [&laid, north].concat() } else { [south, &laid].concat() };
        assert_eq!(after.pits, pits);
        let mirrored = before.mirrored().write();
        self.other.set_up(Some(&mirrored), &[MoveText::Arrange(layout)]).expect("the mirrored side can do the same");
        assert_eq!(self.other.token(), after.mirrored().write());
    }

    /// Sides alternate, and the token can be read back.
    fn hold_token(&mut self, before: &str, after: &str) {
        let (old, new) = (Token::read(before), Token::read(after));
        let at = format!("{} after {before}", self.rules);
        assert_eq!(new.mover, !old.mover, "{at}");
        assert_eq!(self.game.mover(), new.mover, "{at}");
        assert_eq!(new.write(), after, "{at}");
        self.other.set_up(Some(after), &[]).unwrap_or_else(|error| panic!("{at}: {error:#}"));
        assert_eq!(self.other.token(), after, "{at}");
        self.hold_repetition(&old, new);
        // What a token shows does not end a game only later.
        if self.game.outcome().is_none() {
            assert_eq!(self.other.outcome(), None, "{at}");
        }
    }

    /// A game ends by repetition when, and only when, a position has come up too often since the last capture (W8, O17).
    fn hold_repetition(&mut self, old: &Token, new: Token) {
        // K12: there the counts begin with phase two.
        if self.variant.name() == "kimasai" {
            return;
        }
        if new.own_seeds() != old.own_seeds() {
            self.since_capture.clear();
        }
        let same = |earlier: &&Token| (&earlier.pits, earlier.mover) == (&new.pits, new.mover);
        let times = 1 + self.since_capture.iter().filter(same).count();
        let most = if new.is_two_row() && !self.rules.contains(";Repetition=3") { 2 } else { 3 };
        let reason = self.game.outcome().map(|outcome| outcome.reason);
        let at = format!("{} at {}, there for {times} times", self.rules, new.write());
        if times >= most {
            assert!(reason.is_some(), "{at}");
        } else {
            assert_ne!(reason, Some(Reason::Repetition), "{at}");
        }
        self.since_capture.push(new);
    }

    /// All that needs each move of a position.
    fn hold_position(&mut self, legal: &[String]) {
        let text = self.game.token();
        let token = Token::read(&text);
        let at = format!("{} at {text}", self.rules);
        // The same board set up has the same moves, and the mirrored one has the mirrored moves.
        let mirrored = token.mirrored();
        self.other.set_up(Some(&mirrored.write()), &[]).unwrap_or_else(|error| panic!("{at}: {error:#}"));
        let moves: Vec<String> = common::legal_words(&*self.other).iter().map(|text| other_case(text)).collect();
        assert_eq!(moves, legal, "mirrored, {at}");
        self.other.set_up(Some(&text), &[]).unwrap_or_else(|error| panic!("{at}: {error:#}"));
        assert_eq!(common::legal_words(&*self.other), legal, "set up, {at}");
        let leaves = self.game.leaves(empiki::units::Depth(1), true).expect("one ply");
        assert_eq!(leaves, legal.len() as u64, "{at}");
        for played in legal {
            self.hold_move(&token, played, &at);
        }
        self.hold_refusals(legal, &at);
        assert!(self.game.diagram().iter().all(|line| line.trim_end() == line && !line.is_empty()), "{at}");
        assert_eq!(self.game.token(), text, "questions change nothing");
    }

    /// One legal move: read in either case, traced, played, taken back, and mirrored.
    fn hold_move(&mut self, before: &Token, played: &str, at: &str) {
        let text = before.write();
        for spelled in [played.to_owned(), other_case(played)] {
            assert_eq!(self.game.check(&written(&spelled)), Ok(()), "{spelled} {at}");
        }
        let trace = self.game.trace(&written(played)).unwrap_or_else(|error| panic!("{played} {at}: {error:#}"));
        assert_eq!(trace.played, played, "{at}: the written move is the move itself");
        self.game.play(&[written(played)]).unwrap_or_else(|error| panic!("{played} {at}: {error:#}"));
        let after = self.game.token();
        assert_eq!(trace.token, after, "{played} {at}: a trace ends where the move ends");
        self.hold_trace(before, played, &trace.steps, &after);
        let outcome = self.game.outcome();
        self.game.undo(1).expect("a move was played");
        assert_eq!(self.game.token(), text, "{played} {at}: taken back");

        let mirrored = before.mirrored().write();
        self.other.set_up(Some(&mirrored), &[written(&other_case(played))]).unwrap_or_else(|error| {
            panic!("{played} mirrored {at}: {error:#}");
        });
        assert_eq!(self.other.token(), Token::read(&after).mirrored().write(), "{played} {at}");
        // A position that was set up knows nothing of what went before it.
        let by_history = |reason| matches!(reason, Reason::Repetition | Reason::Quiet | Reason::Length);
        if !outcome.is_some_and(|outcome| by_history(outcome.reason)) {
            assert_eq!(self.other.outcome(), outcome, "{played} {at}: seen by the mover both are the same");
        }
    }

    fn hold_trace(&self, before: &Token, played: &str, steps: &[String], after: &str) {
        let at = format!("{played} {} at {}", self.rules, before.write());
        let mut replay = Replay::new(before, played);
        let whole = steps.iter().all(|step| replay.step(step));
        if whole {
            assert_eq!(steps.last().map(String::as_str), Some("end"), "{at}");
            let after = Token { mark: None, ..Token::read(after) };
            assert_eq!(replay.token(before, self.variant), after, "{at}: {steps:#?}");
        } else {
            assert!(steps.last().is_some_and(|step| step.starts_with("endless ")), "{at}: {steps:#?}");
        }
    }

    /// What is not in the list is refused.
    fn hold_refusals(&self, legal: &[String], at: &str) {
        let player = self.game.mover();
        for letter in 'A'..='Z' {
            let letter = if player == Player::South { letter } else { letter.to_ascii_lowercase() };
            for tail in ["", "*", "<", "<<", "><", ">><", "*<"] {
                let text = format!("{letter}{tail}");
                let expected = legal.contains(&text);
                assert_eq!(self.game.check(&written(&text)).is_ok(), expected, "{text} {at}");
            }
        }
        assert!(self.game.check(&MoveText::Null).is_err(), "{at}");
        assert!(self.game.check(&MoveText::Arrange([2; 16])).is_err(), "{at}");
    }

    /// The game is over: it takes no moves, and what each side has fits.
    fn hold_end(&mut self) {
        let token = Token::read(&self.game.token());
        let at = format!("{} at {}", self.rules, token.write());
        assert_eq!(common::legal_words(&*self.game), Vec::<String>::new(), "{at}");
        for letter in 'a'..='p' {
            let text = MoveText::Sow { letter, split: false, signs: Vec::new() };
            assert!(self.game.play(&[text]).is_err(), "{letter} {at}");
        }
        let outcome = self.game.outcome().expect("the game is over");
        let (seeds, points) = (outcome.seeds, outcome.points);
        let all = seeds.mover + seeds.other;
        if outcome.reason == Reason::Count {
            // W7: what is still in the pits goes to nobody.
            let stores = u16::try_from(token.extra.iter().sum::<u32>()).expect("few seeds");
            assert_eq!(all, HalfSeeds::whole(stores), "{at}");
        } else {
            assert_eq!(all, HalfSeeds::whole(u16::try_from(self.seeds).expect("few seeds")), "{at}");
        }
        assert!(points.mover == 0 || points.other == 0, "{at}: {outcome:?}");
        if token.is_two_row() {
            assert_eq!(points.mover > points.other, seeds.mover > seeds.other, "{at}: {outcome:?}");
            assert_eq!(points.mover < points.other, seeds.mover < seeds.other, "{at}: {outcome:?}");
        }
        let drawn = matches!(outcome.reason, Reason::Quiet | Reason::Length) || outcome.is_void();
        assert!(!drawn || outcome.balance() == 0, "{at}: {outcome:?}");
        // O15a
        assert!(outcome.reason != Reason::Endless || outcome.is_void() != self.rules.contains("Endless=loses"), "{at}");
    }

    /// Taking back leads through the same positions to the start.
    fn hold_undo(&mut self, tokens: &[String], step_by_step: bool) {
        let plies = u32::try_from(tokens.len() - 1).expect("a game is not that long");
        assert!(self.game.undo(plies + 1).is_err(), "more than was played");
        if step_by_step {
            for token in tokens.iter().rev().skip(1) {
                self.game.undo(1).expect("a ply was played");
                assert_eq!(self.game.token(), *token, "{}", self.rules);
                assert_eq!(self.game.outcome(), None, "{}", self.rules);
            }
        } else {
            self.game.undo(plies).expect("so many plies were played");
            assert_eq!(self.game.token(), tokens[0], "{}", self.rules);
        }
    }
}

/// Thirty-two seeds thrown into sixteen pits.
fn random_arrangement(rng: &mut Rng) -> MoveText {
    let mut layout = [0; 16];
    for _ in 0..32 {
        layout[rng.below(16)] += 1;
    }
    MoveText::Arrange(layout)
}

fn play_games(variant: Variant, options: &str, games: usize) {
    let mut bench = Bench::new(variant, options);
    let mut rng = Rng::new(games as u64 + 1);
    for index in 0..games {
        bench.play(&mut rng, index % SAMPLE == 0);
    }
}

/// Each value of a rule option but its default: all words, the other side of a switch, both ends of a range.
fn other_values(kind: OptionKind) -> Vec<String> {
    match kind {
        OptionKind::Check { default } => vec![(!default).to_string()],
        OptionKind::Combo { choices } => choices[1..].iter().map(|&choice| choice.to_owned()).collect(),
        OptionKind::Spin { min, max, .. } => vec![min.to_string(), max.to_string()],
        OptionKind::Button | OptionKind::Text { .. } => Vec::new(),
    }
}

#[test]
fn random_games_keep_every_law() {
    for variant in Variant::ALL {
        play_games(variant, "", GAMES);
    }
}

#[test]
fn random_games_keep_every_law_under_each_house_rule() {
    for variant in Variant::ALL {
        for option in game::rule_options(variant) {
            for value in other_values(option.kind) {
                let long_turns = option.name.ends_with("_LapLimit") && value.len() > 4;
                let games = if long_turns { GAMES_OF_LONG_TURNS } else { GAMES_OF_AN_OPTION };
                play_games(variant, &format!("{}={value}", option.name), games);
            }
        }
    }
}

#[test]
fn a_mirrored_token_mirrored_again_is_itself() {
    for variant in Variant::ALL {
        let token = Token::read(&open(variant, "").token());
        assert_eq!(token.mirrored().mirrored(), token);
    }
}

// Positions that no game may ever reach.

/// What a token of a variant may hold: the largest pit, and the largest X and Y.
fn largest(variant: Variant) -> (u32, u32) {
    match variant.name() {
        // U3
        name if name.starts_with("urim") => (17, 56),
        "omweso" => (64, 2),
        "kimasai" => (64, 24),
        _ => (64, 64),
    }
}

/// A random position: the seeds thrown into as many fields as `spread` says, so that some boards are crowded.
fn random_token(variant: Variant, rng: &mut Rng) -> Token {
    let start = Token::read(&open(variant, "").token());
    let (largest_pit, largest_extra) = largest(variant);
    let is_counter = variant == Variant::Omweso;
    let pits = start.pits.len();
    let fields = if is_counter { pits } else { pits + 2 };
    let mut counts = vec![0; fields];
    // At least five, so that those of the smallest limit have room for all.
    let open_fields: Vec<usize> = (0..5 + rng.below(2 * fields)).map(|_| rng.below(fields)).collect();
    for _ in 0..start.seeds(variant) {
        let most = |field: usize| if field < pits { largest_pit } else { largest_extra };
        let mut field = open_fields[rng.below(open_fields.len())];
        while counts[field] >= most(field) {
            field = rng.below(fields);
        }
        counts[field] += 1;
    }
    let extra = if is_counter { [rng.below(3) as u32, rng.below(3) as u32] } else { [counts[pits], counts[pits + 1]] };
    let marks: &[Option<u32>] = match (variant.name(), start.mark) {
        (_, None) => &[None],
        ("omweso", _) => &[None, Some(0), Some(1)],
        _ => &[None, Some(0)],
    };
    Token {
        pits: counts[..pits].to_vec(),
        extra,
        mover: Player::BOTH[rng.below(2)],
        mark: marks[rng.below(marks.len())],
    }
}

/// Everything that can be asked of a position, and each of its moves.
fn hold_set_up(bench: &mut Bench, token: &Token) {
    let text = token.write();
    bench.game.set_up(Some(&text), &[]).unwrap_or_else(|error| panic!("{text}: {error:#}"));
    assert_eq!(bench.game.token(), text);
    assert!(!bench.game.diagram().is_empty());
    bench.game.evaluation();
    let legal = common::legal_words(&*bench.game);
    match bench.game.outcome() {
        Some(_) => bench.hold_end(),
        None => {
            assert!(!legal.is_empty(), "{text}: no move and no end");
            bench.hold_position(&legal);
        }
    }
}

/// A token with a small mistake somewhere, or perhaps none.
fn spoilt(token: &str, rng: &mut Rng) -> String {
    const WORDS: [&str; 14] =
        ["-", "0", "7", "255", "256", "99999999999", "S", "N", "s", "+1", " ", "x", "\u{e9}", "--"];
    let mut fields: Vec<String> = token.split('-').map(str::to_owned).collect();
    for _ in 0..1 + rng.below(2) {
        let at = rng.below(fields.len());
        let word = WORDS[rng.below(WORDS.len())].to_owned();
        match rng.below(4) {
            0 => fields[at] = word,
            1 => fields.insert(at, word),
            2 if fields.len() > 1 => drop(fields.remove(at)),
            _ => fields[at].push_str(&word),
        }
    }
    fields.join("-")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_position_that_adds_up_keeps_every_law(seed: u64) {
        for variant in Variant::ALL {
            let token = random_token(variant, &mut Rng::new(seed));
            hold_set_up(&mut Bench::new(variant, ""), &token);
        }
    }

    #[test]
    fn a_token_is_refused_with_one_line_or_is_a_position(seed: u64) {
        for variant in Variant::ALL {
            let mut rng = Rng::new(seed);
            let mut game = open(variant, "");
            let old = random_token(variant, &mut rng).write();
            game.set_up(Some(&old), &[]).expect("it adds up");
            let text = spoilt(&random_token(variant, &mut rng).write(), &mut rng);
            match game.set_up(Some(&text), &[]) {
                Ok(()) => {
                    // Zeros in front may be gone, nothing else is.
                    let read = game.token();
                    prop_assert_eq!(Token::read(&text).write(), read);
                }
                Err(error) => {
                    let error = format!("{error:#}");
                    prop_assert!(!error.is_empty() && !error.contains('\n'), "{text}: {error}");
                    prop_assert_eq!(game.token(), old, "the old position stays");
                }
            }
        }
    }

    #[test]
    fn any_list_of_moves_is_played_whole_or_not_at_all(seed: u64) {
        for variant in Variant::ALL {
            let mut rng = Rng::new(seed);
            let mut game = open(variant, "");
            let old = random_token(variant, &mut rng).write();
            game.set_up(Some(&old), &[]).expect("it adds up");
            let moves: Vec<MoveText> = (0..1 + rng.below(6)).map(|_| random_move(&mut rng)).collect();
            if game.play(&moves).is_err() {
                prop_assert_eq!(game.token(), old, "no move is played");
                prop_assert!(game.undo(1).is_err());
            } else {
                game.undo(moves.len() as u32).expect("they were played");
                prop_assert_eq!(game.token(), old);
            }
        }
    }
}

fn random_move(rng: &mut Rng) -> MoveText {
    match rng.below(40) {
        0 => MoveText::Null,
        1 => MoveText::Arrange([2; 16]),
        kind => MoveText::Sow {
            letter: char::from(b"aA"[rng.below(2)] + rng.below(if kind < 4 { 26 } else { 8 }) as u8),
            split: kind == 5,
            signs: (0..rng.below(4).saturating_sub(2))
                .map(|_| [Direction::Clockwise, Direction::CounterClockwise][rng.below(2)])
                .collect(),
        },
    }
}
