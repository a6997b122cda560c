//! Records of each game: written, read and replayed clean, and refused with their line where one thing is changed.

use std::time::Duration;

use empiki::engine::game::{self, Game, rule_options};
use empiki::protocol::parse_moves;
use empiki::tools::dice::Dice;
use empiki::tools::record::{GameRecord, GameResult, MoveComment, MoveRecord, read_records};
use empiki::tools::replay::replay;
use empiki::units::{Depth, MoveText, Nodes, OptionValues, PerPlayer, ScoreValue, Variant};
use pretty_assertions::assert_eq;

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

fn some_comment(dice: &mut Dice) -> MoveComment {
    let score = match dice.below(3) {
        0 => ScoreValue::Centiseeds(dice.below(3000) as i32 - 1500),
        1 => ScoreValue::Mate(dice.below(30) as i32 + 1),
        _ => ScoreValue::Mate(-(dice.below(30) as i32)),
    };
    let mut comment = MoveComment { score: Some(score), ..MoveComment::default() };
    comment.depth = (dice.below(4) > 0).then(|| Depth(dice.below(40) as u16));
    comment.time = (dice.below(4) > 0).then(|| Duration::from_millis(dice.below(100_000) as u64));
    comment.nodes = (dice.below(4) > 0).then(|| Nodes(dice.roll() >> 30));
    comment.remark = ["", "book", "a \"quoted\" [remark] (of sorts)"][dice.below(3)].to_owned();
    comment
}

/// Plays the game to its end at random, and records it.
fn played(mut game: Box<dyn Game>, start: Option<&str>, dice: &mut Dice) -> GameRecord {
    let players = PerPlayer { south: "A \"quoted\" name".to_owned(), north: r"back\slash".to_owned() };
    let mut record = GameRecord::new(game.variant(), game.ruleset(), players);
    record.round = "1.2".to_owned();
    record.time_control = Some("5+0.05".to_owned());
    record.other_tags.push(("Seed".to_owned(), "7".to_owned()));
    record.start = start.map(str::to_owned);
    game.set_up(start, &[]).unwrap();
    while game.outcome().is_none() {
        let moves = game.legal_moves();
        let text = match moves[dice.below(moves.len())].as_str() {
            "@" => text_of("@2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2"),
            mv => text_of(mv),
        };
        game.play(std::slice::from_ref(&text)).unwrap();
        let mut turn = MoveRecord::new(text, game.captured().into());
        turn.comment = (dice.below(3) > 0).then(|| some_comment(dice));
        record.moves.push(turn);
    }
    record.result = GameResult::by_rules(game.variant(), &game.outcome().unwrap(), game.mover());
    record
}

/// Games of every variant: under the default rules, under others, and from a set-up position in which North moves first.
fn games() -> Vec<GameRecord> {
    let mut dice = Dice::new(5);
    let mut records = Vec::new();
    for variant in Variant::ALL {
        for _ in 0..5 {
            records.push(played(opened(variant, &[]), None, &mut dice));
        }
    }
    let changed = [
        (Variant::Wuri, vec![("Wuri_RepetitionAward", "split"), ("Wuri_GrandSlam", "capture")]),
        (Variant::Urim7, vec![("Urim_Seeds", "4"), ("Urim_NoMoveAward", "unfed")]),
        (Variant::Omweso, vec![("Omweso_Arrangement", "open"), ("Omweso_Okwesera", "false")]),
        (Variant::Omweso, vec![("Omweso_LapLimit", "1")]),
        (Variant::Kimasai, vec![("Kimasai_Endless", "annul")]),
    ];
    for (variant, changes) in changed {
        records.push(played(opened(variant, &changes), None, &mut dice));
    }
    let north = "2-1-7-0-8-6-6-1-6-6-5-0-0-0-N";
    records.push(played(opened(Variant::Wuri, &[]), Some(north), &mut dice));
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

#[test]
fn no_line_is_longer_than_its_words_need() {
    let long = written(&games())
        .lines()
        .filter(|line| line.len() > 80 && line.contains(' ') && !line.starts_with('['))
        .count();
    assert_eq!(long, 0);
}
