//! The rulings that speak of the session or of a search: each is held by named tests of behaviour.

use pretty_assertions::assert_eq;

use crate::by_hand::{ByHand, Rules as _};
use crate::common::converse;
use crate::omweso::LONG_CYCLE;
use empiki::units::Variant;

const HERE: &str = "tests/rulings/behaviour.rs";

/// Ruling, file and test.
pub const NAMED: &[(&str, &str, &str)] = &[
    ("G1", "src/tools/arena/schedule.rs", "the_first_starter_is_drawn_by_lot"),
    ("G7", "src/engine/options.rs", "only_a_new_value_of_the_present_game_opens_it_anew"),
    ("G7", HERE, "a_rule_option_of_another_game_is_kept_and_changes_nothing_now"),
    ("G7", HERE, "a_new_value_of_a_rule_option_returns_to_the_start"),
    ("G7", HERE, "ways_of_playing_are_no_rule_options"),
    ("U10", "src/rules/urim/tests.rs", "no_majority_ends_the_game"),
    ("U10", "src/rules/urim/tests.rs", "the_prospects_are_what_the_seeds_left_can_still_decide"),
    ("U12", "src/tools/arena/schedule.rs", "a_match_ends_at_its_limit_of_games_without_a_winner"),
    ("U12", "tests/arena.rs", "a_match_by_points_is_played_by_the_rule_book"),
    ("O18", "src/tools/arena/schedule.rs", "a_match_alternates_its_starter_and_plays_void_games_again"),
    ("O18", "src/tools/arena/schedule.rs", "the_first_starter_is_drawn_by_lot"),
    ("O18", "src/tools/arena/schedule.rs", "an_akawumbi_ends_a_match_of_any_length"),
    ("O18", "tests/arena.rs", "an_akawumbi_ends_a_match_before_its_points_are_reached"),
    ("O18a", "src/tools/arena/schedule.rs", "the_third_game_that_a_player_voids_is_lost_by_him"),
    ("O18a", "tests/arena.rs", "the_third_game_that_a_player_voids_in_a_match_is_lost_by_him"),
    ("O19", "src/tools/arena/spec.rs", "no_move_of_a_program_takes_longer_than_the_way_of_playing_allows"),
    ("O19", "tests/arena.rs", "the_referee_keeps_the_three_seconds_of_blitz"),
    ("O19", "src/engine/running.rs", "a_longest_time_caps_all_but_an_infinite_search"),
    ("O19", HERE, "binding_play_takes_nothing_back"),
    ("O19", HERE, "a_bare_go_of_blitz_ends_by_itself"),
    ("O15a", HERE, "a_search_holds_a_turn_that_never_ends_for_lost_where_it_loses"),
    ("O20", HERE, "endless_names_the_length_of_the_cycle"),
    ("O20", HERE, "a_cycle_that_is_longer_than_half_the_limit_is_told"),
    ("O20", HERE, "a_cycle_is_told_that_a_low_limit_cuts_short"),
    ("O20", HERE, "a_turn_that_is_cut_short_before_its_end_is_unproved"),
    ("O20", HERE, "endless_tells_of_the_moves_of_omweso_that_are_refused_for_it"),
    ("O20", "tests/naive.rs", "every_cycle_of_omweso_is_told_with_its_length"),
    ("O20", "tests/naive.rs", "every_cycle_of_kimasai_is_told_with_its_length"),
    ("O20", "tests/transcripts.rs", "endless_tells_of_the_moves_of_kimasai_that_are_refused_for_it"),
];

/// A position in which P never ends.
pub const ENDLESS: &str = "1-2-0-1-2-0-1-2-0-1-0-1-0-2-1-4-0-0-0-0-0-0-0-0-46-0-0-0-0-0-0-0-2-2-S";

/// A position with many choices of direction.
const CHOICES: &str = "4-3-2-3-1-2-1-3-0-1-2-4-2-1-3-0-2-2-3-3-4-1-4-0-1-1-1-3-0-0-3-4-0-0-S";

/// The answers to lines.
fn answers(lines: &[&str]) -> Vec<String> {
    converse(lines.join("\n").as_bytes()).lines().map(str::to_owned).collect()
}

#[test]
fn a_rule_option_of_another_game_is_kept_and_changes_nothing_now() {
    let lines = [
        "position startpos moves F",
        "setoption name Urim_Seeds value 4",
        "fen",
        "setoption name UCI_Variant value urim",
    ];
    let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    let opened = format!("info string variant urim ruleset urim;Seeds=4 startpos {start}");
    assert_eq!(answers(&lines), ["fen 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", &opened]);
}

#[test]
fn a_new_value_of_a_rule_option_returns_to_the_start() {
    let set = "setoption name Wuri_Repetition value 3";
    let moved = "position startpos moves F";
    let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    let opened = format!("info string variant wuri ruleset wuri;Repetition=3 startpos {start}");
    // Set to the value that it has, it does nothing.
    let told = answers(&[moved, set, "fen", moved, set, "fen"]);
    assert_eq!(told, [&opened, &format!("fen {start}"), "fen 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"]);
}

#[test]
fn ways_of_playing_are_no_rule_options() {
    let lines = [
        "setoption name UCI_Variant value omweso",
        "position startpos moves I",
        "setoption name Omweso_Mode value binding",
        "setoption name Omweso_ArrangementCap value 12",
        "state",
    ];
    let told = answers(&lines);
    assert_eq!(told.len(), 2, "{told:?}");
    let state =
        "state 0-0-0-0-0-0-1-1-0-5-5-5-0-5-5-5-0-0-0-0-0-0-0-0-4-4-4-4-4-4-4-4-0-0-N-1 ruleset omweso phase sow";
    assert!(told[1].starts_with(state), "{told:?}");
}

#[test]
fn binding_play_takes_nothing_back() {
    let binding = "setoption name Omweso_Mode value binding";
    let told = answers(&[
        "setoption name UCI_Variant value omweso",
        binding,
        "moves I",
        "undo",
        "fen",
        "position startpos",
        "fen",
    ]);
    assert!(told[1].starts_with("info string error: undo"), "{told:?}");
    assert!(told[2].ends_with("-N-1") && told[3].ends_with("-S-0"), "{told:?}");
    let told = answers(&[binding, "moves F", "undo", "fen"]);
    assert_eq!(told, ["fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"], "it acts in Omweso only");
}

#[test]
fn a_bare_go_of_blitz_ends_by_itself() {
    let blitz = ["setoption name UCI_Variant value omweso", "setoption name Omweso_Mode value blitz"];
    let overhead = "setoption name Move Overhead value 2900";
    let told = answers(&[blitz[0], blitz[1], overhead, "go"]);
    let info = told.iter().rfind(|line| line.starts_with("info depth")).expect("a search says how it stands");
    let time = info.split(' ').skip_while(|word| *word != "time").nth(1).and_then(|time| time.parse::<u64>().ok());
    assert!(time.is_some_and(|time| (50..2900).contains(&time)), "three seconds less the overhead: {info}");
    assert!(told.last().is_some_and(|line| line.starts_with("bestmove ")), "{told:?}");
}

/// The board after P under a lap limit, by hand.
fn left_by_hand(limit: usize) -> String {
    let mut table = ByHand.open(Variant::Omweso, &format!("Omweso_LapLimit={limit}"));
    assert!(table.set_up(Some(ENDLESS)) && table.play("P"));
    assert!(table.result().contains("endless"), "{}", table.result());
    table.token()
}

#[test]
fn endless_names_the_length_of_the_cycle() {
    let position = format!("position fen {ENDLESS}");
    let told = answers(&["setoption name UCI_Variant value omweso", &position, "endless P"]);
    let laps = told[1].strip_prefix("endless P cycle ").expect("it is proved");
    let laps: usize = laps.parse().expect("a number of laps");
    assert_eq!(left_by_hand(4096), left_by_hand(4096 + laps));
    let shorter = (1..laps).filter(|&some| left_by_hand(4096) == left_by_hand(4096 + some));
    assert_eq!(shorter.collect::<Vec<usize>>(), Vec::<usize>::new());
}

#[test]
fn a_cycle_that_is_longer_than_half_the_limit_is_told() {
    let omweso = format!("position fen {LONG_CYCLE}-0-0-S-0");
    let told = answers(&["setoption name UCI_Variant value omweso", &omweso, "endless C"]);
    assert_eq!(told[1..], ["endless C cycle 2400"]);
    let kimasai = "position fen 3-1-0-3-2-3-2-1-7-3-2-1-2-0-4-2-1-1-1-1-1-1-1-1-0-0-0-0-0-0-1-1-9-9-S";
    let told = answers(&["setoption name UCI_Variant value kimasai", kimasai, "endless K"]);
    assert_eq!(told[1..], ["endless K cycle 2400"]);
}

#[test]
fn a_cycle_is_told_that_a_low_limit_cuts_short() {
    let variant = "setoption name UCI_Variant value omweso";
    let position = format!("position fen {ENDLESS}");
    let right = answers(&[variant, &position, "endless P"]).pop().expect("an answer");
    let cycle = right.strip_prefix("endless P ").expect("an answer about P");
    assert!(cycle.starts_with("cycle "), "{right}");
    for limit in ["1", "20", "1000000"] {
        let limit = format!("setoption name Omweso_LapLimit value {limit}");
        let told = answers(&[variant, &limit, &position, "endless P", "trace P"]);
        assert!(told.contains(&right), "{told:?}");
        assert!(told.contains(&format!("step endless {cycle}")), "{told:?}");
    }
}

#[test]
fn a_turn_that_is_cut_short_before_its_end_is_unproved() {
    let (variant, limit) = ("setoption name UCI_Variant value omweso", "setoption name Omweso_LapLimit value 2");
    let position = format!("position fen {CHOICES}");
    assert_eq!(answers(&[variant, &position, "endless C"])[1..], ["endless C no"]);
    let told = answers(&[variant, limit, &position, "endless C", "trace C"]);
    assert!(told.contains(&"endless C unproved 2".to_owned()), "{told:?}");
    assert!(told.contains(&"step endless unproved 2".to_owned()), "{told:?}");
}

#[test]
fn endless_tells_of_the_moves_of_omweso_that_are_refused_for_it() {
    let variant = "setoption name UCI_Variant value omweso";
    let first = format!("position fen {LONG_CYCLE}-0-0-S-0");
    let told = answers(&[variant, &first, "endless"]);
    let others = ["A", "B", "B*", "C", "C*", "E", "G", "H", "I", "I*", "L", "L*", "M", "N", "N*", "O"];
    let wanted = others.map(|mv| format!("endless {mv} {}", if mv == "C" { "cycle 2400" } else { "no" }));
    assert_eq!(told[1..], wanted);
    let told = answers(&[variant, &first, "trace C", "endless C*"]);
    assert_eq!(told[1..], ["info string error: move `C`: the sowing never ends", "endless C* no"]);
    // Of the lines of one pit some end soon enough.
    let illegal = ["setoption name Omweso_Endless value illegal", "setoption name Omweso_LapLimit value 4"];
    let position = format!("position fen {CHOICES}");
    let told = answers(&[variant, illegal[0], illegal[1], &position, "endless"]);
    assert_eq!(told[3..6], ["endless A unproved 4", "endless A< no", "endless A<< unproved 4"]);
    let told = answers(&[variant, illegal[0], illegal[1], &position, "query islegal A<<", "query islegal A<"]);
    assert_eq!(told[3..], ["info string move `A<<`: the sowing never ends", "response false", "response true"]);
    assert_eq!(answers(&[variant, illegal[0], illegal[1], &position, "endless A<<"])[3..], ["endless A<< unproved 4"]);
}

#[test]
fn a_search_holds_a_turn_that_never_ends_for_lost_where_it_loses() {
    let variant = "setoption name UCI_Variant value omweso";
    let position = format!("position fen {ENDLESS}");
    let told = answers(&[variant, &position, "go depth 1 searchmoves P"]);
    assert!(told[1].contains(" score cp 0 "), "{told:?}");
    let loses = "setoption name Omweso_Endless value loses";
    let told = answers(&[variant, loses, &position, "go depth 1 searchmoves P", "moves P", "query result"]);
    assert!(told[2].contains(" score mate -1 "), "{told:?}");
    assert!(told.contains(&"response p2win".to_owned()), "{told:?}");
}
