//! The rulings of Bao la Kimasai as sentences and pictures. North's reserve stands at the upper left, South's at the lower right.

use pretty_assertions::assert_eq;

use super::*;
use crate::rules::board_diagrams::{Drawn, under};
use crate::rules::legal_moves;
use crate::rules::notation::{read_position, write_position};
use crate::units::Player;

type Game = Kimasai<false>;

fn south(picture: &str) -> Drawn<Game> {
    Drawn::south("", picture)
}

/// A position of phase one in which E never ends.
const ENDLESS: &str = "2-1-0-3-1-2-1-0-0-1-2-3-2-0-1-10-0-1-0-1-0-2-4-2-5-0-2-3-5-1-1-3-3-2-S";

#[test]
fn the_start_has_a_cow_in_each_inner_pit_and_a_mark_for_the_opening_turn() {
    let rules = under::<Game>("");
    let token = write_position(&rules, &rules.start(), Player::South);
    let (inner, outer) = ("1-1-1-1-1-1-1-1", "0-0-0-0-0-0-0-0");
    assert_eq!(token, format!("{inner}-{outer}-{inner}-{outer}-24-24-S-0"));
}

#[test]
fn sowing_goes_clockwise_and_a_single_may_start() {
    let drawn = south(
        "
        0  0  0  0  0  0  0  0 59
           0  0  0  0  0  0  0  1
           1  0  0  0  0  0  0  3
           0  0  0  0  0  0  0  0  0
    ",
    );
    let after = drawn.play('H');
    after.assert_is(
        "
        0  0  0  0  0  0  0  0 59
           0  0  0  0  0  0  0  1
           1  0  0  0  0  0  0  0
           0  0  0  0  0  1  1  1  0
    ",
    );
    assert_eq!(after.moves(), "a i");
    after.play('a').assert_is(
        "
        0  0  0  0  0  0  0  0 59
           0  0  0  0  0  0  1  0
           1  0  0  0  0  0  0  0
           0  0  0  0  0  1  1  1  0
    ",
    );
}

#[test]
fn phase_one_adds_a_cow_relays_and_takes_none() {
    let drawn = south(
        "
       20  0  0  0  0  0  0  0 13
           1  1  1  1  1  1  1  1
           1  0  1  0  0  0  0  1
           0  0  0  0  0  0  0  0 20
    ",
    );
    let after = drawn.play('A');
    after.assert_is(
        "
       20  0  0  0  0  0  0  0 13
           1  1  1  1  1  1  1  1
           0  1  0  1  1  0  0  1
           0  0  0  0  0  0  0  0 19
    ",
    );
    assert_eq!(drawn.trace('A'), ["reserve A", "lap A 2 cw C 2", "relay C 2", "lap C 2 cw E 1", "end"]);
    assert_eq!(drawn.rules.origin(&drawn.position, Move::plain(Pit(0))), Origin { pit: Pit(0), seeds: 2 });
}

#[test]
fn a_player_without_a_reserve_sows_on_in_phase_one_without_adding() {
    let drawn = south(
        "
       20  0  0  0  0  0  0  0 32
           1  1  1  1  1  1  1  1
           2  0  1  0  0  0  0  1
           0  0  0  0  0  0  0  0  0
    ",
    );
    drawn.play('A').assert_is(
        "
       20  0  0  0  0  0  0  0 32
           1  1  1  1  1  1  1  1
           0  1  0  1  1  0  0  1
           0  0  0  0  0  0  0  0  0
    ",
    );
    assert_eq!(drawn.trace('A'), ["lap A 2 cw C 2", "relay C 2", "lap C 2 cw E 1", "end"]);
}

#[test]
fn the_opening_turn_uses_no_cow_and_the_reply_uses_one() {
    let rules = under::<Game>("");
    let start = Drawn { rules, position: rules.start(), mover: Player::South };
    assert_eq!(start.trace('C')[0], "lap C 1 cw D 2");
    let opened = start.play('C');
    opened.assert_is(
        "
       24  0  0  0  0  0  0  0  0
           1  1  1  1  1  1  1  1
           1  1  0  0  2  0  2  0
           0  0  0  0  0  0  1  1 24
    ",
    );
    assert_eq!(opened.trace('c')[0], "reserve c");
    assert_eq!(opened.play('c').position.reserves, PerSeat { mover: 24, other: 23 });
}

#[test]
fn the_second_player_opens_phase_two_after_forty_nine_plies() {
    let rules = under::<Game>("");
    let mut arrived = 0;
    for way in 0..40 {
        let mut position = rules.start();
        let mut over = false;
        for ply in 0..49 {
            assert_eq!(rules.phase(&position), Phase::Sow);
            let moves = legal_moves(&rules, &position);
            let child = rules.play(&position, moves[(way * (ply + 3)) % moves.len()], &mut Nobody);
            assert!(child.irreversible, "K12");
            position = child.position;
            over = child.end.is_some();
            if over {
                break;
            }
        }
        arrived += u32::from(!over);
        assert!(over || rules.phase(&position) == Phase::Raid);
    }
    assert!(arrived > 10, "{arrived} games came to phase two");
}

#[test]
fn the_last_cow_from_reserve_takes_none_and_phase_two_opens() {
    let drawn = south(
        "
        0  0  0  0  0  0  0  0  9
           1  0  0  0  0  0  0  3
           0  0  0  0  0  1  0  1
          48  0  0  0  0  0  0  0  1
    ",
    );
    assert_eq!(drawn.rules.phase(&drawn.position), Phase::Sow);
    let steps = ["reserve F", "lap F 2 cw H 2", "relay H 2", "lap H 2 cw O 1", "end"];
    assert_eq!(drawn.trace('F'), steps);
    let after = drawn.play('F');
    assert_eq!(after.rules.phase(&after.position), Phase::Raid);
}

#[test]
fn a_capture_leaves_the_outer_row_alone_and_begins_in_the_capturing_pit() {
    let drawn = south(
        "
        0  0  0  0  0  0  0  0  9
           1  0  0  0  0  0  0  3
           0  0  0  0  0  0  1  1
          49  0  0  0  0  0  0  0  0
    ",
    );
    let (after, child) = drawn.try_play('G').expect("a legal move");
    after.assert_is(
        "
        0  0  0  0  0  0  0  0  9
           1  0  0  0  0  0  0  0
           0  0  0  0  0  0  0  3
          49  0  0  0  0  0  1  1  0
    ",
    );
    assert_eq!((child.captured, child.end), (3, None));
    assert_eq!(drawn.trace('G'), ["lap G 1 cw H 2", "capture a 3", "lap G 3 cw O 1", "end"]);
}

#[test]
fn nothing_is_taken_where_nothing_faces_or_from_an_outer_pit() {
    let drawn = south(
        "
        0  0  0  0  0  0  0  0  9
           1  0  0  0  0  0  0  0
           0  0  0  0  0  0  1  1
          51  0  0  0  0  0  1  0  0
    ",
    );
    let steps = ["lap G 1 cw H 2", "relay H 2", "lap H 2 cw O 2", "relay O 2", "lap O 2 cw M 1", "end"];
    assert_eq!(drawn.trace('G'), steps);
}

#[test]
fn a_single_captured_cow_falls_into_the_capturing_pit_which_relays() {
    let drawn = south(
        "
        0  0  0  0  0  0  0  0  9
           1  0  0  0  0  0  0  1
           0  0  0  0  0  0  1  1
          51  0  0  0  0  0  0  0  0
    ",
    );
    let steps = ["lap G 1 cw H 2", "capture a 1", "lap G 1 cw H 3", "relay H 3", "lap H 3 cw N 1", "end"];
    assert_eq!(drawn.trace('G'), steps);
}

#[test]
fn a_capture_in_pit_a_counts_from_the_outer_row() {
    let drawn = south(
        "
        0  0  0  0  0  0  0  0 10
           2  0  0  0  0  0  0  1
           1  0  0  0  0  0  0  0
           1  0  0  0  0 49  0  0  0
    ",
    );
    // The pit before A is I.
    let steps = ["lap I 1 cw A 2", "capture h 2", "lap I 2 cw B 1", "end"];
    assert_eq!(drawn.trace('I'), steps);
}

#[test]
fn the_capture_of_the_last_inner_cows_is_sown_and_the_turn_stops() {
    let drawn = south(
        "
        0  0  0  0  0  0  0  0  9
           0  0  0  0  0  0  0  4
           0  0  0  0  0  0  1  1
          47  0  0  0  0  2  0  0  0
    ",
    );
    let (after, child) = drawn.try_play('G').expect("a legal move");
    after.assert_is(
        "
        0  0  0  0  0  0  0  0  9
           0  0  0  0  0  0  0  0
           0  0  0  0  0  0  0  3
          47  0  0  0  0  3  1  1  0
    ",
    );
    assert_eq!(drawn.trace('G'), ["lap G 1 cw H 2", "capture a 4", "lap G 4 cw N 3", "stop", "end"]);
    assert_eq!(child.end, Some(Reason::FrontRow));
    let outcome = after.rules.outcome(&after.position, Reason::FrontRow);
    assert_eq!(outcome.describe(after.mover), "south reason front-row seeds 55-9 points 1-0");
}

#[test]
fn who_empties_his_own_inner_row_has_lost_once_the_turn_is_over() {
    let drawn = south(
        "
        0  0  0  0  0  0  0  0 53
           1  0  0  0  0  0  0  1
           0  0  0  0  0  0  0  1
           8  0  0  0  0  0  0  0  0
    ",
    );
    let (after, child) = drawn.try_play('H').expect("a legal move");
    assert_eq!(child.end, Some(Reason::OwnFrontRow));
    let outcome = after.rules.outcome(&after.position, Reason::OwnFrontRow);
    assert_eq!(outcome.describe(after.mover), "north reason own-front-row seeds 9-55 points 0-1");
    let refilled = south(
        "
        0  0  0  0  0  0  0  0 53
           1  0  0  0  0  0  0  1
           0  0  0  0  0  0  0  1
           0  0  0  0  0  0  0  8  0
    ",
    );
    let (after, child) = refilled.try_play('H').expect("a legal move");
    assert_eq!(child.end, None);
    after.assert_is(
        "
        0  0  0  0  0  0  0  0 53
           1  0  0  0  0  0  0  1
           1  1  0  0  0  0  0  0
           1  1  1  1  1  1  1  0  0
    ",
    );
}

#[test]
fn the_inner_rows_decide_in_phase_one_too() {
    let drawn = south(
        "
       10  0  0  0  0  0  0  0 33
           1  0  0  0  0  0  0  1
           0  0  0  0  0  0  0  1
           8  0  0  0  0  0  0  0 10
    ",
    );
    let (after, child) = drawn.try_play('H').expect("a legal move");
    assert_eq!((child.end, after.position.reserves), (Some(Reason::OwnFrontRow), PerSeat { mover: 10, other: 9 }));
}

/// The moves from these pits.
fn pits(letters: &str) -> Vec<Move> {
    letters.split(' ').map(|letter| Move::plain(Pit(letter.as_bytes()[0] - b'A'))).collect()
}

#[test]
fn a_never_ending_sowing_is_not_legal() {
    let drawn = Drawn::<Game>::read("", ENDLESS);
    assert_eq!(drawn.try_play('E').err(), Some(Refusal::NeverEnding(Move::plain(Pit(4)))));
    assert_eq!(drawn.moves(), "A B D F G J K L M O P");
    assert_eq!(drawn.rules.sowings(&drawn.position), pits("A B D E F G J K L M O P"));
    assert_eq!(drawn.try_play('C').err(), Some(Refusal::Empty));
    assert_eq!(drawn.try_play('Q').err(), Some(Refusal::NoSuchPit { first: 'A', last: 'P' }));
}

#[test]
fn a_never_ending_sowing_can_void_the_game() {
    let drawn = Drawn::<Game>::read("Kimasai_Endless=annul", ENDLESS);
    assert_eq!(drawn.moves(), "A B D E F G J K L M O P");
    assert_eq!(drawn.rules.sowings(&drawn.position), pits("A B D E F G J K L M O P"));
    let (after, child) = drawn.try_play('E').expect("a legal move");
    assert_eq!(child.end, Some(Reason::Endless));
    // The reserve is used and the last pit of lap 4096 not lifted.
    assert_eq!(after.token(), "0-2-1-0-1-4-1-2-1-2-1-7-0-6-2-0-0-1-0-1-0-2-4-2-5-0-2-3-5-1-1-3-2-2-N");
    let outcome = after.rules.outcome(&after.position, Reason::Endless);
    assert_eq!(outcome.describe(after.mover), "void reason endless seeds 32-32 points 0-0");
    let steps = drawn.trace('E');
    assert_eq!((steps.len(), steps[0].as_str(), steps[64].as_str()), (65, "reserve E", "endless cycle 708"));
}

#[test]
fn a_player_without_a_move_has_lost() {
    let drawn = Drawn::<Game>::read("", ENDLESS);
    let outcome = drawn.rules.outcome(&drawn.position, Reason::NoMove);
    assert_eq!(outcome.describe(drawn.mover), "north reason no-move seeds 32-32 points 0-1");
}

#[test]
fn counts_begin_anew_with_a_capture_and_in_phase_one() {
    let raid = south(
        "
        0  0  0  0  0  0  0  0  9
           1  0  0  0  0  0  0  3
           0  0  0  0  0  0  1  1
          49  0  0  0  0  0  0  0  0
    ",
    );
    let irreversible = |drawn: &Drawn<Game>, letter| drawn.try_play(letter).expect("a legal move").1.irreversible;
    assert!(irreversible(&raid, 'G'), "a capture");
    assert!(!irreversible(&raid, 'H'), "no capture");
    assert!(irreversible(&Drawn::read("", ENDLESS), 'A'), "phase one");
    let wanted = DrawLimits { repetition: 3, quiet: Some(200), length: Some(2000) };
    assert_eq!(raid.rules.draw_limits(), wanted);
}

#[test]
fn a_position_is_the_same_with_the_same_reserves_whatever_its_mark() {
    let read = |token: &str| Drawn::<Game>::read("", token);
    let key = |drawn: &Drawn<Game>| drawn.rules.repetition_key(&drawn.position);
    let marked = read(&format!("{ENDLESS}-0"));
    assert_eq!(marked.token(), format!("{ENDLESS}-0"));
    assert_eq!(key(&marked), key(&read(ENDLESS)));
    assert_ne!(marked.rules.key(&marked.position), marked.rules.key(&read(ENDLESS).position));
    let other_reserves = read(&ENDLESS.replace("3-3-2-S", "3-2-3-S"));
    assert_ne!(key(&marked), key(&other_reserves));
}

#[test]
fn a_set_up_position_is_judged_by_the_inner_row_of_the_player_to_move_first() {
    let judged = |north: &str, south: &str, outer: u8| {
        let picture = format!("20 0 0 0 0 0 0 0 10\n{north}\n{south}\n{outer} 0 0 0 0 0 0 0 20");
        Drawn::<Game>::south("", &picture).judged()
    };
    let (empty, cows) = ("0 0 0 0 0 0 0 0", "0 0 2 0 3 0 0 0");
    assert_eq!(judged(cows, empty, 9).as_deref(), Some("north reason front-row seeds 29-35 points 0-1"));
    assert_eq!(judged(empty, cows, 9).as_deref(), Some("south reason own-front-row seeds 34-30 points 1-0"));
    assert_eq!(judged(empty, empty, 14).as_deref(), Some("north reason front-row seeds 34-30 points 0-1"));
    assert_eq!(Drawn::<Game>::read("", ENDLESS).judged(), None);
}

#[test]
fn a_token_has_sixty_four_cows_and_no_reserve_over_twenty_four() {
    let read = |token: &str| read_position(&under::<Game>(""), token).map(|_| ()).map_err(|error| error.to_string());
    let with = |end: &str| ENDLESS.replace("3-3-2-S", end);
    assert_eq!(read(&with("3-3-2-N-0")), Ok(()));
    assert_eq!(read(&with("3-3-3-S")), Err("position has 65 seeds: wanted 64".to_owned()));
    assert_eq!(read(&with("3-25-0-S")), Err("position has 25 as reserve: the largest is 24".to_owned()));
    assert_eq!(read(&with("3-3-2-S-1")), Err("position field 36 `1`: wanted a number from 0 to 0".to_owned()));
}
