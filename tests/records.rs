//! Records of each game: written, read and replayed clean, and refused with their line where one thing is changed.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use empiki::engine::game::{self, Game, rule_options};
use empiki::engine::replay::replay;
use empiki::engine::rng::Rng;
use empiki::protocol::parse_moves;
use empiki::record::{
    GameRecord, GameResult, MoveComment, MoveRecord, RecordReader, THIRD_VOID, read_records, written_by,
};
use empiki::rules::outcome::Reason;
use empiki::units::{
    Depth, Direction, MoveText, Nodes, OptionKind, OptionValues, PerPlayer, Phase, Player, ScoreValue, Variant,
};
use pretty_assertions::assert_eq;
use proptest::prelude::*;

fn text_of(mv: &str) -> MoveText {
    parse_moves(mv.as_bytes()).unwrap().remove(0)
}

fn opened(variant: Variant, changes: &[(&str, &str)]) -> Box<dyn Game> {
    let mut options = OptionValues::new(rule_options(variant));
    for (name, value) in changes {
        options.set(name, value).unwrap().unwrap();
    }
    game::open(variant, &options)
}

fn some_comment(rng: &mut Rng) -> MoveComment {
    let score = match rng.below(3) {
        0 => ScoreValue::Centiseeds(rng.below(3000) as i32 - 1500),
        1 => ScoreValue::Mate(rng.below(30) as i32 + 1),
        _ => ScoreValue::Mate(-(rng.below(30) as i32)),
    };
    let mut comment = MoveComment { score: Some(score), ..MoveComment::default() };
    comment.depth = (rng.below(4) > 0).then(|| Depth(rng.below(40) as u16));
    comment.time = (rng.below(4) > 0).then(|| Duration::from_millis(rng.below(100_000) as u64));
    comment.nodes = (rng.below(4) > 0).then(|| Nodes(rng.roll() >> 30));
    comment.remark = ["", "book", "a \"quoted\" [remark] (of sorts)"][rng.below(3)].to_owned();
    comment
}

/// Plays the game to its end at random, and records it.
fn played(mut game: Box<dyn Game>, start: Option<&str>, rng: &mut Rng) -> GameRecord {
    let players = PerPlayer { south: "A \"quoted\" name".to_owned(), north: r"back\slash".to_owned() };
    let mut record = GameRecord::new(game.variant(), game.ruleset(), players);
    record.round = "1.2".to_owned();
    record.time_control = Some("5+0.05".to_owned());
    record.other_tags.push(("Seed".to_owned(), "7".to_owned()));
    record.start = start.map(str::to_owned);
    game.set_up(start, &[]).unwrap();
    while game.outcome().is_none() {
        let moves = common::legal_words(&*game);
        let text = match moves[rng.below(moves.len())].as_str() {
            "@" => text_of("@2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2"),
            mv => text_of(mv),
        };
        game.play(std::slice::from_ref(&text)).unwrap();
        let mut turn = MoveRecord::new(text, game.captured().into());
        turn.comment = (rng.below(3) > 0).then(|| some_comment(rng));
        record.moves.push(turn);
    }
    record.result = GameResult::by_rules(game.variant(), &game.outcome().unwrap(), game.mover());
    record
}

/// Games of every variant: under the default rules, under others, and from a set-up position in which North moves first.
fn games() -> Vec<GameRecord> {
    let mut rng = Rng::new(5);
    let mut records = Vec::new();
    for variant in Variant::ALL {
        for _ in 0..5 {
            records.push(played(opened(variant, &[]), None, &mut rng));
        }
    }
    let changed = [
        (Variant::Wuri, vec![("Wuri_RepetitionAward", "split"), ("Wuri_GrandSlam", "capture")]),
        (Variant::Urim7, vec![("Urim_Seeds", "4"), ("Urim_NoMoveAward", "unfed")]),
        (Variant::Omweso, vec![("Omweso_Arrangement", "open"), ("Omweso_Okwesera", "false")]),
        (Variant::Omweso, vec![("Omweso_LapLimit", "1")]),
        (Variant::Omweso, vec![("Omweso_Start", "inner"), ("Omweso_Endless", "illegal")]),
        (Variant::Kimasai, vec![("Kimasai_Endless", "annul")]),
    ];
    for (variant, changes) in changed {
        records.push(played(opened(variant, &changes), None, &mut rng));
    }
    let north = "2-1-7-0-8-6-6-1-6-6-5-0-0-0-N";
    records.push(played(opened(Variant::Wuri, &[]), Some(north), &mut rng));
    records
}

fn written(records: &[GameRecord]) -> String {
    records.iter().map(ToString::to_string).collect()
}

fn without_lines(mut record: GameRecord) -> GameRecord {
    record.lines = Default::default();
    record.moves.iter_mut().for_each(|turn| turn.line = 0);
    record
}

#[test]
fn what_is_written_is_read_as_it_was() {
    let records = games();
    let read = read_records(&written(&records)).unwrap();
    let read: Vec<GameRecord> = read.into_iter().map(without_lines).collect();
    assert_eq!(read, records);
}

#[test]
fn a_game_that_was_played_replays_clean() {
    for record in read_records(&written(&games())).unwrap() {
        let replayed = replay(&record).unwrap_or_else(|error| panic!("{error}\n{record}"));
        assert!(replayed.outcome.is_some());
    }
}

/// Words that mean something elsewhere in a record, or are hard to write.
const WORDS: [&str; 22] = [
    "book",
    "+0.40/12",
    "-M3",
    "/9",
    "0.105s",
    "n=51234",
    ";",
    ";;",
    "+",
    "1.",
    "12...",
    "*",
    "1-0",
    "23.5-24.5",
    "1/2-1/2",
    "[Event",
    "\"quoted\"",
    "back\\slash\\",
    "(of",
    "+0.4",
    "\u{feff}",
    "naïve",
];

/// Up to four of them, or a very long one; sometimes none.
fn some_words(rng: &mut Rng) -> String {
    let word = |rng: &mut Rng| match rng.below(40) {
        0 => "long".repeat(100),
        _ => WORDS[rng.below(WORDS.len())].to_owned(),
    };
    (0..rng.below(5)).map(|_| word(rng)).collect::<Vec<_>>().join(" ")
}

fn any_comment(rng: &mut Rng) -> MoveComment {
    let scores = [0, 5, -5, -99, 100, i32::MAX, i32::MIN].map(ScoreValue::Centiseeds);
    let mates = [0, 1, -1, i32::MAX, i32::MIN].map(ScoreValue::Mate);
    let all = [&scores[..], &mates].concat();
    MoveComment {
        depth: (rng.below(2) > 0).then(|| Depth(rng.below(1 << 16) as u16)),
        score: (rng.below(2) > 0).then(|| all[rng.below(all.len())]),
        time: (rng.below(2) > 0).then(|| Duration::from_millis(rng.roll() >> rng.below(64))),
        nodes: (rng.below(2) > 0).then(|| Nodes(rng.roll() >> rng.below(64))),
        remark: some_words(rng),
    }
}

/// A value for each rule option of a game.
fn some_rules(variant: Variant, rng: &mut Rng) -> OptionValues {
    let mut options = OptionValues::new(rule_options(variant));
    for spec in rule_options(variant) {
        let value = match spec.kind {
            OptionKind::Check { .. } => (rng.below(2) > 0).to_string(),
            OptionKind::Combo { choices } => choices[rng.below(choices.len())].to_owned(),
            OptionKind::Spin { default, min, max } => [default, min, 40.clamp(min, max), max][rng.below(4)].to_string(),
            OptionKind::Button | OptionKind::Text { .. } => panic!("{} is no rule option", spec.name),
        };
        options.set(spec.name, &value).unwrap().unwrap();
    }
    options
}

/// A legal move by lot.
fn some_move(game: &dyn Game, rng: &mut Rng) -> MoveText {
    if game.phase() == Phase::Arrange {
        let mut pits = [0; 16];
        (0..32).for_each(|_| pits[rng.below(16)] += 1);
        return MoveText::Arrange(pits);
    }
    let moves = common::legal_words(game);
    text_of(&moves[rng.below(moves.len())])
}

/// A position of two rows with few seeds left; some are over.
fn few_seeds(variant: Variant, options: &OptionValues, rng: &mut Rng) -> String {
    let start = game::open(variant, options).token();
    let mut fields: Vec<u32> = start.split('-').filter_map(|field| field.parse().ok()).collect();
    let all: u32 = fields.iter().sum();
    let pits = fields.len() - 2;
    fields.fill(0);
    let left = rng.below(7) as u32;
    (0..left).for_each(|_| fields[rng.below(pits)] += 1);
    fields[pits] = (all - left) / 2 + rng.below(3) as u32 - 1;
    fields[pits + 1] = all - left - fields[pits];
    let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
    format!("{}-{}", fields.join("-"), ["S", "N"][rng.below(2)])
}

/// A game of any kind that a record may hold.
fn any_record(variant: Variant, rng: &mut Rng) -> GameRecord {
    let options = some_rules(variant, rng);
    let mut game = game::open(variant, &options);
    let start = match rng.below(5) {
        0 => None,
        1 | 2 if !matches!(variant, Variant::Omweso | Variant::Kimasai) => Some(few_seeds(variant, &options, rng)),
        kind => {
            let plies = if kind == 3 { usize::MAX } else { rng.below(40) };
            for _ in 0..plies {
                if game.outcome().is_some() {
                    break;
                }
                let text = some_move(&*game, rng);
                game.play(&[text]).unwrap();
            }
            Some(game.token())
        }
    };
    let players = PerPlayer { south: some_words(rng), north: format!(" {} ", some_words(rng)) };
    let mut record = GameRecord::new(variant, game.ruleset(), players);
    for tag in [&mut record.event, &mut record.site, &mut record.date, &mut record.round] {
        *tag = some_words(rng);
    }
    record.time_control = (rng.below(2) > 0).then(|| some_words(rng));
    record.other_tags = (0..rng.below(3)).map(|number| (format!("Tag_{number}"), some_words(rng))).collect();
    game.set_up(start.as_deref(), &[]).unwrap();
    record.start = start;
    let plies = if rng.below(3) > 0 { usize::MAX } else { rng.below(30) };
    while game.outcome().is_none() && record.moves.len() < plies {
        let text = some_move(&*game, rng);
        let mover = game.mover();
        game.play(std::slice::from_ref(&text)).unwrap();
        let mut turn = MoveRecord::new(written_by(&text, mover), game.captured().into());
        turn.comment = (rng.below(3) > 0).then(|| any_comment(rng));
        record.moves.push(turn);
    }
    let points = [(0, 0), (1, 0), (0, 1), (12, 0), (255, 254), (1, 1)][rng.below(6)];
    record.result = match (game.outcome(), rng.below(3)) {
        (Some(outcome), 0) if outcome.is_void() => GameResult::third_void(!game.mover()),
        (Some(outcome), _) => GameResult::by_rules(variant, &outcome, game.mover()),
        (None, 0) => GameResult::Unfinished(None),
        (None, 1) => GameResult::Unfinished(Some(some_words(rng))),
        (None, _) => {
            GameResult::Judged { why: some_words(rng), points: PerPlayer { south: points.0, north: points.1 } }
        }
    };
    record
}

/// What the records of the law below must have among them.
fn kinds(record: &GameRecord) -> Vec<&'static str> {
    let mut kinds = vec![record.variant.name()];
    let any = |is_kind: &dyn Fn(&MoveText) -> bool| record.moves.iter().any(|turn| is_kind(&turn.text));
    let halves = matches!(record.result, GameResult::Rules { seeds: Some(seeds), .. } if seeds.south.0 % 2 == 1);
    for (kind, is_there) in [
        ("half seeds", halves),
        ("void", record.result.is_void()),
        ("void and lost", record.result.termination() == Some(THIRD_VOID)),
        ("judged", matches!(record.result, GameResult::Judged { .. })),
        ("broken off", matches!(record.result, GameResult::Unfinished(_))),
        ("arranged", any(&|text| matches!(text, MoveText::Arrange(_)))),
        ("okwesera", any(&|text| matches!(text, MoveText::Sow { split: true, .. }))),
        ("signs", any(&|text| matches!(text, MoveText::Sow { signs, .. } if signs.contains(&Direction::Clockwise)))),
        ("captures", record.moves.iter().any(|turn| turn.captured > 0)),
        ("North begins", record.starter() == Player::North),
        ("over at once", record.moves.is_empty() && matches!(record.result, GameResult::Rules { .. })),
        ("other rules", record.ruleset.contains(';')),
    ] {
        kinds.extend(is_there.then_some(kind));
    }
    kinds
}

/// Two hundred mixes of rules and all that a record may hold besides.
#[test]
fn each_record_that_can_be_written_is_read_as_it_was_and_replays_clean() {
    let mut rng = Rng::new(14);
    let records: Vec<GameRecord> =
        Variant::ALL.into_iter().cycle().take(5000).map(|variant| any_record(variant, &mut rng)).collect();
    let rulesets: BTreeSet<&str> = records.iter().map(|record| record.ruleset.as_str()).collect();
    assert!(rulesets.len() >= 200, "{}", rulesets.len());
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    records.iter().flat_map(kinds).for_each(|kind| *found.entry(kind).or_default() += 1);
    assert!(found.len() == 17 && found.values().all(|&count| count >= 10), "{found:?}");
    for record in &records {
        let text = record.to_string();
        let read = read_records(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0);
        let replayed = replay(&read);
        assert_eq!(without_lines(read), *record, "{text}");
        assert!(replayed.is_ok(), "{:?}\n{text}", replayed.err());
    }
    let read = read_records(&written(&records)).unwrap();
    assert_eq!(read.into_iter().map(without_lines).collect::<Vec<_>>(), records, "one after another");
}

/// Half a seed at the end of the moves looks like the number of a move.
#[test]
fn half_seeds_at_the_end_of_the_moves_are_the_result() {
    let text = "[Variant \"wuri\"]\n[Result \"23.5-24.5\"]\n[FEN \"1-0-0-0-0-0-0-1-0-0-1-0-22-23-S\"]\n\
        [Ruleset \"wuri;RepetitionAward=split\"]\n[Termination \"repetition\"]\n\n\
        1. A e 2. B f 3. C b 4. D c 5. E d 6. F a 23.5-24.5\n\n";
    for text in [text.to_owned(), text.replace(" 23.5", " 7.23.5"), text.replace("1. A", "1.A")] {
        assert_eq!(check(&text), Ok(()), "{text}");
    }
    let record = read_records(text).unwrap().remove(0);
    assert_eq!((record.moves.len(), record.result.to_string().as_str()), (12, "23.5-24.5"));
    assert_eq!(check(&text.replace(" 23.5-24.5", " 23.5-24")).unwrap_err().0, 7);
    assert_eq!(check(&text.replace(" 23.5-24.5", " 23.")).unwrap_err().0, 9);
}

#[test]
fn a_turn_that_never_ends_voids_the_game_or_loses_it() {
    // Under a limit of one lap most turns are never-ending.
    for (endless, is_void) in [("annul", true), ("loses", false)] {
        let mut rng = Rng::new(1);
        let options = [("Omweso_LapLimit", "1"), ("Omweso_Endless", endless)];
        let record = played(opened(Variant::Omweso, &options), None, &mut rng);
        assert_eq!(record.result.termination(), Some("endless"), "{record}");
        let [read] = read_records(&record.to_string()).unwrap().try_into().unwrap();
        assert_eq!((read.result.is_void(), replay(&read).is_ok()), (is_void, true), "{record}");
        let loser = read.mover(read.moves.len() - 1);
        let points = read.result.points().unwrap();
        assert_eq!((points[loser], points[!loser]), (0, u8::from(!is_void)), "{record}");
    }
}

#[test]
fn no_line_is_longer_than_its_words_need() {
    let long = written(&games())
        .lines()
        .filter(|line| line.len() > 80 && line.contains(' ') && !line.starts_with('['))
        .count();
    assert_eq!(long, 0);
}

/// Reads and replays the text of one game: what is wrong, with its line.
fn check(text: &str) -> Result<(), (usize, String)> {
    let records = read_records(text).map_err(|error| (error.line, error.what))?;
    assert_eq!(records.len(), 1);
    replay(&records[0]).map(|_| ()).map_err(|error| (error.line, error.what))
}

/// The game before the move of this index.
fn game_before(record: &GameRecord, index: usize) -> Box<dyn Game> {
    let mut part = record.clone();
    part.moves.truncate(index);
    part.result = GameResult::Unfinished(None);
    replay(&part).unwrap().game
}

/// Where the move of this index stands when the record is written.
fn line_of_move(record: &GameRecord, index: usize) -> usize {
    read_records(&record.to_string()).unwrap()[0].moves[index].line
}

/// Where a tag stands when the record is written.
fn line_of_tag(record: &GameRecord, name: &str) -> usize {
    let is_tag = |line: &str| line.starts_with(&format!("[{name} "));
    record.to_string().lines().position(is_tag).unwrap() + 1
}

#[test]
fn an_illegal_move_is_refused_with_its_line() {
    let mut rng = Rng::new(11);
    let candidates =
        ["A", "B", "C", "D", "E", "F", "p", "K*", "A<", "C<", "F<<", "@1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-16"];
    for record in games() {
        for _ in 0..10 {
            let index = rng.below(record.moves.len());
            let game = game_before(&record, index);
            let illegal = candidates.map(text_of).into_iter().filter(|text| game.check(text).is_err());
            let Some(illegal) = illegal.last() else { continue };
            let mut changed = record.clone();
            changed.moves[index].text = illegal;
            let (line, what) = check(&changed.to_string()).unwrap_err();
            assert_eq!(line, line_of_move(&changed, index), "{what}");
        }
    }
}

#[test]
fn another_legal_move_leads_to_another_game() {
    let mut rng = Rng::new(12);
    let (mut changes, mut clean) = (0, 0);
    for record in games() {
        for _ in 0..20 {
            let index = rng.below(record.moves.len());
            let moves = common::legal_words(&*game_before(&record, index));
            let other = text_of(&moves[rng.below(moves.len())].replace('@', "@16-16-0-0-0-0-0-0-0-0-0-0-0-0-0-0"));
            if other == record.moves[index].text {
                continue;
            }
            let mut changed = record.clone();
            changed.moves[index].text = other;
            changes += 1;
            match check(&changed.to_string()) {
                // Sometimes the rest of the game can be played all the same, to the same end: then it is a right record.
                Ok(()) => clean += 1,
                Err((line, what)) => {
                    let is_result = line == line_of_tag(&changed, "Result");
                    assert!(is_result || line >= line_of_move(&changed, index), "line {line}: {what}");
                }
            }
        }
    }
    assert!(changes > 300 && clean * 20 < changes, "{clean} of {changes}");
}

#[test]
fn a_changed_result_is_refused_with_its_line() {
    for record in games() {
        let GameResult::Rules { reason, seeds, points } = record.result.clone() else { panic!("{record}") };
        let (mut other_points, mut other_seeds) = (points, seeds);
        other_points.south += 1;
        if let Some(seeds) = &mut other_seeds {
            seeds.north.0 += 1;
        }
        let other_reason = Some(if reason == Some(Reason::Length) { Reason::Quiet } else { Reason::Length });
        let mut others = vec![
            GameResult::Rules { reason, seeds, points: other_points },
            GameResult::Rules { reason: other_reason, seeds, points },
            GameResult::Unfinished(None),
            GameResult::Judged { why: "north: crash".to_owned(), points: PerPlayer { south: 1, north: 0 } },
        ];
        if seeds.is_some() {
            others.push(GameResult::Rules { reason, seeds: other_seeds, points });
        }
        for other in others {
            let mut changed = record.clone();
            changed.result = other;
            let (line, what) = check(&changed.to_string()).unwrap_err();
            assert_eq!(line, line_of_tag(&changed, "Result"), "{what}");
        }
        let mut unfinished = record.clone();
        unfinished.moves.pop();
        let (line, _) = check(&unfinished.to_string()).unwrap_err();
        assert_eq!(line, line_of_tag(&unfinished, "Result"));
    }
}

#[test]
fn a_changed_count_of_captured_seeds_is_refused_with_its_line() {
    for record in games() {
        for index in (0..record.moves.len() - 1).step_by(7) {
            let mut changed = record.clone();
            changed.moves[index].captured += 1;
            let (line, what) = check(&changed.to_string()).unwrap_err();
            assert_eq!(line, line_of_move(&changed, index), "{what}");
        }
    }
}

#[test]
fn a_game_under_another_ruleset_is_refused_with_its_line() {
    let record = &games()[0];
    for word in [
        "wuri;Repetition=2",
        "wuri;Repetition=9",
        "wuri;Wuri_Repetition=3",
        "wuri;Reverse=false",
        "omweso",
        "chess",
        "",
    ] {
        let mut changed = record.clone();
        changed.ruleset = word.to_owned();
        let (line, what) = check(&changed.to_string()).unwrap_err();
        assert_eq!(line, line_of_tag(&changed, "Ruleset"), "{what}");
    }
    let mut set_up = record.clone();
    set_up.start = Some("4-4-4-4-4-4-4-4-4-4-4-5-0-0-S".to_owned());
    let (line, what) = check(&set_up.to_string()).unwrap_err();
    assert_eq!(line, line_of_tag(&set_up, "FEN"), "{what}");
}

#[test]
fn a_game_that_something_else_ended_replays_clean() {
    let mut record = games().remove(0);
    record.moves.truncate(7);
    for (why, south, north, result) in
        [("north: time", 1, 0, "1-0"), ("south: illegal move `q`", 0, 2, "0-1"), ("agreed", 0, 0, "1/2-1/2")]
    {
        record.result = GameResult::Judged { why: why.to_owned(), points: PerPlayer { south, north } };
        assert_eq!(record.result.to_string(), result);
        assert_eq!(check(&record.to_string()), Ok(()));
        let read = read_records(&record.to_string()).unwrap().remove(0);
        assert_eq!(read.result, record.result);
    }
}

/// A match may hold a void game for lost by the player whose turn voided it, and no other (O18a).
#[test]
fn a_void_game_may_be_lost_by_the_player_who_voided_it_alone() {
    let void = games().into_iter().find(|record| record.result.is_void()).expect("one with few laps");
    let voider = void.mover(void.moves.len() - 1);
    let ended = |record: &GameRecord, result| check(&GameRecord { result, ..record.clone() }.to_string());
    assert_eq!(ended(&void, GameResult::third_void(voider)), Ok(()));
    let text = GameRecord { result: GameResult::third_void(Player::South), ..void.clone() }.to_string();
    assert!(text.contains("[Result \"0-1\"]") && text.contains("[Termination \"third-void\"]"), "{text}");
    let points = |south, north| GameResult::Judged { why: THIRD_VOID.to_owned(), points: PerPlayer { south, north } };
    let line = line_of_tag(&void, "Result");
    for wrong in [GameResult::third_void(!voider), points(0, 0), points(2, 0), points(0, 2)] {
        assert_eq!(ended(&void, wrong.clone()).unwrap_err().0, line, "{wrong:?}");
    }
    let over = games().remove(0);
    let going_on = GameRecord { moves: over.moves[..3].to_vec(), ..over.clone() };
    for record in [over, going_on] {
        for loser in Player::BOTH {
            assert_eq!(ended(&record, GameResult::third_void(loser)).unwrap_err().0, line_of_tag(&record, "Result"));
        }
    }
}

#[test]
fn a_file_that_was_cut_off_shows_where_the_good_games_end() {
    let records = games();
    let whole: String = written(&records[..2]);
    let next = records[2].to_string();
    let end = next.trim_end().len();
    for cut in 1..end {
        let text = format!("{whole}{}", &next[..cut]);
        let mut reader = RecordReader::new(&text);
        let read: Vec<_> = reader.by_ref().collect();
        assert_eq!(read.len(), 3, "{text}");
        assert!(read[2].is_err(), "{text}");
        assert!(reader.next().is_none());
        let kept = &text[..reader.good_bytes()];
        assert_eq!(kept, whole.trim_end());
        assert_eq!(read_records(kept).unwrap().len(), 2);
    }
}

/// Games that Aualé wrote: ended by count, without a move and by repetition. What the end awards is captured with the last move
/// there, and only the tags of its roster are told.
#[test]
fn records_of_auale_replay_clean() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/auale.ogn");
    let records = read_records(&fs::read_to_string(path).expect("the record is there")).unwrap();
    let reasons: Vec<Reason> = records.iter().map(|record| replay(record).unwrap().outcome.unwrap().reason).collect();
    assert_eq!(reasons, [Reason::Count, Reason::NoMove, Reason::Repetition]);
}

/// Aualé takes every letter from a to f outside of comments for a move, and has no place for a comment before the first one.
#[test]
fn nothing_in_the_moves_could_be_taken_for_a_pit() {
    for record in games().iter().filter(|record| record.variant == Variant::Wuri) {
        let text = record.to_string();
        let (_, moves) = text.split_once("\n\n").unwrap();
        let outside: String =
            moves.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
        let letters = outside.chars().filter(char::is_ascii_alphabetic).count();
        assert_eq!(letters, record.moves.len(), "{outside}");
        let in_order = outside.chars().filter(char::is_ascii_alphabetic).enumerate();
        in_order.for_each(|(index, letter)| {
            assert_eq!(letter.is_uppercase(), record.mover(index) == empiki::units::Player::South);
        });
        assert!(text.starts_with("[Variant \"Oware Abapa\"]\n"));
    }
}

#[test]
fn what_is_no_record_is_refused_with_its_line() {
    let game = "[Variant \"wuri\"]\n[Result \"*\"]\n\n1. A a *\n";
    assert_eq!(read_records(game).unwrap().len(), 1);
    let cases = [
        ("", "A a", 1),
        ("wuri", "chess", 1),
        ("*\"]", "*\"", 2),
        ("Result", "Outcome", 1),
        ("[Result", "[Variant", 2),
        ("\"*\"", "\"4\"", 2),
        ("1. A", "{ too soon } 1. A", 4),
        ("1. A", "1. A { no end", 4),
        ("1. A", "1. A ( no { ) } end", 4),
        ("1. A", "1. 7", 4),
        ("1. A", "1. A+x", 4),
        ("1. A", "1. AB", 4),
        ("1. A", "1. A }", 4),
        (" *\n", " 1-0\n", 4),
    ];
    for (part, other, line) in cases {
        let text = if part.is_empty() { format!("{other}{game}") } else { game.replace(part, other) };
        let error = read_records(&text).unwrap_err();
        assert_eq!(error.line, line, "{error}\n{text}");
    }
}

#[test]
fn variations_and_joined_numbers_are_passed_over() {
    let game =
        "\u{feff}[Variant \"OWARE ABAPA\"]\r\n[Result \"*\"]\r\n\r\n1.A (1.B {(} (a)) 1...a { a\nremark }\r\n2. b";
    let record = read_records(game).unwrap().remove(0);
    let moves: Vec<String> = record.moves.iter().map(|turn| turn.text.to_string()).collect();
    assert_eq!(moves, ["A", "a", "b"]);
    assert_eq!(record.moves[1].comment.as_ref().unwrap().remark, "a remark");
    // It is South's turn, so this is not the record of a game, although the pit could be read.
    assert_eq!(replay(&record).err().map(|error| error.line), Some(6));
}

proptest! {
    #[test]
    fn the_reader_never_panics(text in any::<String>()) {
        let _ = read_records(&text);
    }

    #[test]
    fn nor_does_it_or_the_replay_on_a_damaged_record(
        which in 0usize..30,
        damages in proptest::collection::vec((any::<prop::sample::Index>(), "[\\[\\]\"{}()*0-9a-fA-F@<>+. \\n]{0,3}", 0usize..4), 1..4),
    ) {
        static GAMES: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| games().iter().map(ToString::to_string).collect());
        let mut text: Vec<char> = GAMES[which].chars().collect();
        for (place, instead, length) in damages {
            let begin = place.index(text.len());
            let end = (begin + length).min(text.len());
            text.splice(begin..end, instead.chars());
        }
        let text: String = text.into_iter().collect();
        for record in read_records(&text).into_iter().flatten() {
            let _ = replay(&record);
            let _ = read_records(&record.to_string());
        }
    }
}
