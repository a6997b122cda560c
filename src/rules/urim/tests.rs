//! The rulings of Urim as sentences and pictures. North's store stands at the upper left, South's at the lower right.

use pretty_assertions::assert_eq;

use super::*;
use crate::rules::board_diagrams::{Drawn, under};
use crate::rules::notation::{read_position, write_position};
use crate::units::Player;

type Six = Urim<6, false>;
type Seven = Urim<7, false>;

fn six(picture: &str) -> Drawn<Six> {
    Drawn::south("", picture)
}

fn start<G: Rules>(options: &str) -> String {
    let rules = under::<G>(options);
    write_position(&rules, &rules.start(), Player::South)
}

/// What a game is worth that ended for this reason with South to move.
fn result<G: Rules>(drawn: &Drawn<G>, reason: Reason) -> String {
    drawn.rules.outcome(&drawn.position, reason).describe(drawn.mover)
}

/// A finished board with all seeds in the stores.
fn points<const PITS: usize>(options: &str, stores: [u8; 2]) -> (u8, u8) {
    let rules = under::<Urim<PITS, false>>(options);
    let board = Board::new(both(&[0; PITS]), PerSeat { mover: stores[0], other: stores[1] });
    let outcome = rules.outcome(&board, Reason::NoMove);
    (outcome.points.mover, outcome.points.other)
}

#[test]
fn three_or_four_seeds_lie_in_each_pit_at_the_start() {
    assert_eq!(start::<Six>(""), "3-3-3-3-3-3-3-3-3-3-3-3-0-0-S");
    assert_eq!(start::<Seven>(""), "3-3-3-3-3-3-3-3-3-3-3-3-3-3-0-0-S");
    assert_eq!(start::<Six>("Urim_Seeds=4"), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    assert_eq!(start::<Seven>("Urim_Seeds=4"), "4-4-4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
}

#[test]
fn a_token_has_the_seeds_of_its_game_and_no_pit_over_seventeen() {
    let read = |options, token| {
        let position = read_position(&under::<Six>(options), token);
        position.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(read("", "17-0-0-0-0-0-17-0-0-0-0-0-1-1-S"), Ok(()));
    let over = "position has 18 as seeds in a pit: the largest is 17";
    assert_eq!(read("", "18-0-0-0-0-0-16-0-0-0-0-0-1-1-S"), Err(over.to_owned()));
    let short = "position has 35 seeds: wanted 36";
    assert_eq!(read("", "17-0-0-0-0-0-17-0-0-0-0-0-1-0-S"), Err(short.to_owned()));
    assert_eq!(read("Urim_Seeds=4", "4-4-4-4-4-4-4-4-4-4-4-0-2-2-S"), Ok(()));
    assert!(read("Urim_Seeds=4", "3-3-3-3-3-3-3-3-3-3-3-3-0-0-S").is_err());
}

#[test]
fn the_origin_stays_empty_on_every_round() {
    let drawn = six("
        0  1  1  1  1  1  1
           1  1 13  1  1  1  12
    ");
    drawn.play('C').assert_is(
        "
        0  2  2  2  2  2  2
           2  2  0  3  3  2  12
    ",
    );
    assert_eq!(drawn.trace('C'), ["lap C 13 ccw E 3", "end"]);
}

#[test]
fn a_full_pit_is_passed_over_and_the_seed_goes_on() {
    let drawn = six("
        0  1  1  1  1  0  3
           2  2  0 17  4  0  4
    ");
    drawn.play('B').assert_is(
        "
        0  1  1  1  1  0  3
           2  0  1 17  5  0  4
    ",
    );
    assert_eq!(drawn.trace('B'), ["skip D", "lap B 2 ccw E 5", "end"]);
}

#[test]
fn several_full_pits_are_passed_over_in_one_lap() {
    let drawn = Drawn::<Seven>::south(
        "Urim_Seeds=4",
        "
        0  0  0  0  0  0  1 17
           0  0  0  0 17  4 17  0
    ",
    );
    drawn.play('F').assert_is(
        "
        0  0  0  1  1  1  2 17
           0  0  0  0 17  0 17  0
    ",
    );
    assert_eq!(drawn.trace('F'), ["skip G", "skip a", "lap F 4 ccw e 1", "end"]);
}

#[test]
fn a_pit_that_fills_up_on_the_first_round_is_passed_over_on_the_second() {
    let drawn = six("
        0  0  0  0  0  0  2
           0  0  0 17 16  1  0
    ");
    // Eleven seeds go round; of the six that are left, none falls in E, and so the last one makes a two of e.
    drawn.play('D').assert_is(
        "
        0  1  0  0  0  0  0
           1  1  1  0 17  3  12
    ",
    );
    let steps = ["skip E", "lap D 17 ccw e 2", "capture e 2 d 2 c 2 b 2 a 4", "end"];
    assert_eq!(drawn.trace('D'), steps);
}

#[test]
fn only_the_pit_that_received_the_last_seed_counts_for_a_capture() {
    let drawn = six("
        5  0  0  4  2 17  1
           5  0  0  0  0  2  0
    ");
    // By distance the last seed would fall in b.
    drawn.play('F').assert_is(
        "
        5  0  0  4  0 17  2
           5  0  0  0  0  0  3
    ",
    );
    assert_eq!(drawn.trace('F'), ["skip b", "lap F 2 ccw c 3", "capture c 3", "end"]);
}

#[test]
fn an_origin_of_seventeen_is_no_full_pit() {
    six("
        0  0  0  0  0  0  0
           0  0  0  0  0 17  19
    ")
    .play('F')
    .assert_is(
        "
        0  2  2  2  2  2  2
           1  1  1  1  1  0  19
    ",
    );
}

#[test]
fn a_four_triggers_no_capture() {
    six("
       10  0  0  1  0  3  1
           0  0  0  0  1  2  18
    ")
    .play('F')
    .assert_is(
        "
       10  0  0  1  0  4  2
           0  0  0  0  1  0  18
    ",
    );
}

#[test]
fn a_chain_goes_back_over_twos_threes_and_fours() {
    let drawn = six("
        0  0  1  2  1  3  4
           0  0  0  0  0  4  21
    ");
    drawn.play('F').assert_is(
        "
        0  0  1  0  0  0  5
           0  0  0  0  0  0  30
    ",
    );
    let steps = ["lap F 4 ccw d 3", "capture d 3 c 2 b 4", "end"];
    assert_eq!(drawn.trace('F'), steps);
}

#[test]
fn a_chain_stops_at_the_own_row() {
    six("
        0  1  0  0  0  0  3
           0  0  0  0  2  1  29
    ")
    .play('F')
    .assert_is(
        "
        0  1  0  0  0  0  4
           0  0  0  0  2  0  29
    ",
    );
    six("
        0  1  0  0  0  0  1
           0  0  0  0  2  2  30
    ")
    .play('E')
    .assert_is(
        "
        0  1  0  0  0  0  0
           0  0  0  0  0  3  32
    ",
    );
}

/// Both D and F would take all that North has; A would not.
const SLAM: &str = "
       10  0  0  0  0  0  1
           1  0  0  3  0  1  20
    ";

#[test]
fn a_grand_slam_captures_nothing() {
    let drawn = six(SLAM);
    assert_eq!(drawn.moves(), "A D F");
    drawn.play('D').assert_is(
        "
       10  0  0  0  0  0  2
           1  0  0  0  1  2  20
    ",
    );
    assert_eq!(drawn.trace('D'), ["lap D 3 ccw a 2", "slam", "end"]);
}

#[test]
fn a_chain_with_a_four_can_be_a_grand_slam() {
    let drawn = six("
        0  0  0  0  0  1  3
           0  0  0  0  1  2  29
    ");
    assert_eq!(drawn.trace('F'), ["lap F 2 ccw b 2", "slam", "end"]);
}

#[test]
fn a_grand_slam_can_be_illegal() {
    let drawn = Drawn::<Six>::south("Urim_GrandSlam=illegal", SLAM);
    assert_eq!(drawn.moves(), "A");
    assert_eq!(drawn.try_play('D').err(), Some(Refusal::GrandSlam));
    assert_eq!(drawn.judged(), None);
    let only_slams = Drawn::<Six>::south(
        "Urim_GrandSlam=illegal",
        "
       10  0  0  0  0  0  1
           0  0  0  3  0  1  21
    ",
    );
    assert_eq!(only_slams.judged().as_deref(), Some("south reason no-move seeds 25-11 points 1-0"));
}

#[test]
fn a_grand_slam_can_be_illegal_unless_there_is_nothing_else() {
    let options = "Urim_GrandSlam=illegal-unless-only";
    assert_eq!(Drawn::<Six>::south(options, SLAM).moves(), "A");
    let drawn = Drawn::<Six>::south(
        options,
        "
       10  0  0  0  0  0  1
           0  0  0  3  0  1  21
    ",
    );
    assert_eq!(drawn.moves(), "D F");
    drawn.play('D').assert_is(
        "
       10  0  0  0  0  0  0
           0  0  0  0  1  2  23
    ",
    );
}

#[test]
fn a_grand_slam_can_capture_and_leave_no_move() {
    let after = Drawn::<Six>::south("Urim_GrandSlam=capture", SLAM).play('D');
    after.assert_is(
        "
       10  0  0  0  0  0  0
           1  0  0  0  1  2  22
    ",
    );
    assert_eq!(after.judged().as_deref(), Some("south reason no-move seeds 26-10 points 1-0"));
}

#[test]
fn an_empty_row_must_be_fed() {
    let drawn = six("
       10  0  0  0  0  0  0
           0  1  3  3  0  2  17
    ");
    assert_eq!(drawn.moves(), "D F");
    assert_eq!(drawn.try_play('C').err(), Some(Refusal::MustFeed));
    assert_eq!(drawn.try_play('A').err(), Some(Refusal::Empty));
    assert_eq!(drawn.try_play('G').err(), Some(Refusal::NoSuchPit { first: 'A', last: 'F' }));
}

#[test]
fn a_full_pit_can_carry_a_seed_to_an_unfed_row() {
    let drawn = six("
        8  0  0  0  0  0  0
           0  3  3 17  0  0  5
    ");
    // C's three seeds would end in F but for D, B's three end in F in any case.
    assert_eq!(drawn.moves(), "C D");
    drawn.play('C').assert_is(
        "
        8  0  0  0  0  0  1
           0  3  0 17  1  1  5
    ",
    );
    assert_eq!(drawn.trace('C'), ["skip D", "lap C 3 ccw a 1", "end"]);
    assert_eq!(drawn.try_play('B').err(), Some(Refusal::MustFeed));
    let sixteen = six("
        9  0  0  0  0  0  0
           0  3  3 16  0  0  5
    ");
    assert_eq!(sixteen.moves(), "D");
}

#[test]
fn without_a_move_each_side_takes_its_row_or_the_unfed_side_all() {
    let unfed = "
       19  0  0  0  0  0  0
           2  1  0  0  0  0  14
    ";
    let judged = |options, picture| Drawn::<Six>::south(options, picture).judged();
    assert_eq!(judged("", unfed).as_deref(), Some("north reason no-move seeds 17-19 points 0-1"));
    let all = "Urim_NoMoveAward=unfed";
    assert_eq!(judged(all, unfed).as_deref(), Some("north reason no-move seeds 14-22 points 0-1"));
    let empty = "
       14  0  0  1  0  2  0
           0  0  0  0  0  0  19
    ";
    assert_eq!(judged("", empty).as_deref(), Some("south reason no-move seeds 19-17 points 1-0"));
    assert_eq!(judged(all, empty).as_deref(), Some("south reason no-move seeds 19-17 points 1-0"));
}

#[test]
fn in_a_cycle_each_side_takes_its_row_under_either_award() {
    let picture = "
       14  0  0  0  0  0  2
           0  0  1  0  0  0  19
    ";
    for options in ["", "Urim_NoMoveAward=unfed"] {
        let drawn = Drawn::<Six>::south(options, picture);
        assert_eq!(result(&drawn, Reason::Repetition), "south reason repetition seeds 20-16 points 1-0");
    }
    let limits = |options| under::<Six>(options).draw_limits();
    assert_eq!(limits(""), DrawLimits { repetition: 2, quiet: None, length: None });
    assert_eq!(limits("Urim_Repetition=3").repetition, 3);
}

#[test]
fn no_majority_ends_the_game() {
    let drawn = six("
        0  0  1  0  0  1  1
           0  0  0  0  1  2  30
    ");
    assert_eq!(drawn.judged(), None);
    let (after, child) = drawn.try_play('F').expect("a legal move");
    assert_eq!((child.captured, child.end), (4, None));
    after.assert_is(
        "
        0  0  1  0  0  0  0
           0  0  0  0  1  0  34
    ",
    );
}

#[test]
fn three_quarters_are_worth_two_points_and_more_than_half_one() {
    let three =
        [(27, 9, (2, 0)), (26, 10, (1, 0)), (19, 17, (1, 0)), (18, 18, (0, 0)), (17, 19, (0, 1)), (9, 27, (0, 2))];
    for (south, north, wanted) in three {
        assert_eq!(points::<6>("", [south, north]), wanted, "{south}-{north}");
    }
    for (south, north, wanted) in [(32, 10, (2, 0)), (31, 11, (1, 0)), (22, 20, (1, 0)), (21, 21, (0, 0))] {
        assert_eq!(points::<7>("", [south, north]), wanted, "{south}-{north}");
    }
    for (south, north, wanted) in [(36, 12, (2, 0)), (35, 13, (1, 0)), (25, 23, (1, 0)), (24, 24, (0, 0))] {
        assert_eq!(points::<6>("Urim_Seeds=4", [south, north]), wanted, "{south}-{north}");
    }
    for (south, north, wanted) in [(42, 14, (2, 0)), (41, 15, (1, 0)), (29, 27, (1, 0)), (28, 28, (0, 0))] {
        assert_eq!(points::<7>("Urim_Seeds=4", [south, north]), wanted, "{south}-{north}");
    }
}

/// Holds the prospects of each pair of stores against all the ways in which the seeds that are left can fall.
fn prospects_are_tight<const PITS: usize>(options: &str, total: u8) {
    let rules = under::<Urim<PITS, false>>(options);
    for mover in 0..=total {
        for other in 0..=total - mover {
            let balances = (mover..=total - other).map(|seeds| {
                let (mover, other) = points::<PITS>(options, [seeds, total - seeds]);
                mover as i8 - other as i8
            });
            let balances: Vec<i8> = balances.collect();
            let wanted = (*balances.iter().min().expect("one way"), *balances.iter().max().expect("one way"));
            let board = Board::new(both(&[0; PITS]), PerSeat { mover, other });
            assert_eq!(rules.result_bounds(&board), wanted, "{mover}-{other} of {total}");
        }
    }
}

#[test]
fn the_prospects_are_what_the_seeds_left_can_still_decide() {
    prospects_are_tight::<6>("", 36);
    prospects_are_tight::<7>("", 42);
    prospects_are_tight::<6>("Urim_Seeds=4", 48);
    prospects_are_tight::<7>("Urim_Seeds=4", 56);
}

#[test]
fn every_ruleset_has_keys_of_its_own() {
    let key = |options| {
        let rules = under::<Six>(options);
        rules.key(&Board::new(both(&[1; 6]), both(12)))
    };
    let options = [
        "",
        "Urim_Seeds=4",
        "Urim_GrandSlam=illegal",
        "Urim_GrandSlam=capture",
        "Urim_NoMoveAward=unfed",
        "Urim_Repetition=3",
    ];
    let keys: std::collections::HashSet<Key> = options.into_iter().map(key).collect();
    assert_eq!(keys.len(), options.len());
}
