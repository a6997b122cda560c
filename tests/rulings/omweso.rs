//! The rulings of Omweso.

use crate::asking::{Verdict, ends, leads_to, line, offers, recorded, refuses, whole_game};
use crate::behaviour::ENDLESS;
use crate::by_hand::{Mutant, Rules};
use crate::{Held, held};

/// O sows into P and H, and H captures the five seeds in a and i; to be followed by X, Y and the side to move.
pub const COLUMN_H: &str = "0-0-0-0-0-0-0-1-40-0-0-0-0-0-2-0-2-16-0-0-0-0-0-0-3-0-0-0-0-0-0-0";
/// The position after that.
pub const TAKEN: &str = "0-0-0-0-1-1-1-3-40-0-0-0-0-0-0-2-0-16-0-0-0-0-0-0-0-0-0-0-0-0-0-0-1-0-N";
/// Groups of 8, 7, 6 ... seeds: the last one is lifted, each other grows by one, and the group has moved by one pit.
pub const MARCHING: &str = "0-0-0-0-0-0-0-0-8-7-6-5-4-3-2-1-0-0-0-0-0-0-0-0-7-6-5-4-3-2-1-0-0-0-S";
/// Once round the ring for both.
pub const MARCH: &str = "I i J j K k L l M m N n O o P p H h G g F f E e D d C c B b A a";
/// Several groups a side, so that there is a choice of quiet turns.
const GROUPS: &str = "0-0-0-0-1-2-3-4-6-5-4-3-2-1-0-0-0-0-1-2-3-0-1-2-6-5-4-3-2-1-0-3-0-0-S";

/// P alone may start a turn, which never ends where nothing is captured.
const SPINNING: &str = "0-1-0-1-0-1-0-1-1-0-1-0-1-0-1-24";
/// Two seeds in each pit of a side.
const TWOS: &str = "2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2";
/// The sides of two players: with nothing to capture C comes back to an earlier state after 2400 laps.
pub const LONG_CYCLE: &str = "7-3-3-1-2-0-4-2-3-1-0-3-2-3-2-1-1-1-1-1-1-2-2-2-2-2-2-2-2-2-2-2";

/// A lap of two from O that ends in H, which holds `h`, before a column of North that holds `a` and `i`.
fn at_h(h: usize, a: usize, i: usize) -> String {
    let rest = 46 - h - a - i;
    format!("0-0-0-0-0-0-0-{h}-{rest}-0-0-0-0-0-2-0-{a}-16-0-0-0-0-0-0-{i}-0-0-0-0-0-0-0-0-0-S")
}

held! {
    O1 CapturesLeaveTheBoard => fn captured_seeds_stay_on_the_board(rules) {
        leads_to(rules, "omweso", &format!("{COLUMN_H}-0-0-S"), "O", TAKEN)
    }

    O2 InnerRowAtTheStart => fn four_seeds_lie_in_each_outer_pit(rules) {
        let row = "0-0-0-0-0-0-0-0-4-4-4-4-4-4-4-4";
        leads_to(rules, "omweso", "startpos", "", &format!("{row}-{row}-0-0-S-0"))?;
        leads_to(rules, "omweso Omweso_Start=outer", "startpos", "", &format!("{row}-{row}-0-0-S-0"))?;
        let inner = "4-4-4-4-4-4-4-4-0-0-0-0-0-0-0-0";
        leads_to(rules, "omweso Omweso_Start=inner", "startpos", "", &format!("{inner}-{inner}-0-0-S-0"))
    }

    O3 SecondSowsFirst, O3 ArrangingIsATurn => fn both_lay_out_their_seeds_and_the_first_player_sows(rules) {
        let game = "omweso Omweso_Arrangement=open";
        let (none, twos) = ("0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0", TWOS);
        let heads = "4-4-0-0-0-0-4-4-4-4-0-0-0-0-4-4";
        leads_to(rules, game, "startpos", "", &format!("{none}-{none}-0-0-S-0"))?;
        leads_to(rules, game, "startpos", &format!("@{twos}"), &format!("{twos}-{none}-0-0-N-0"))?;
        let both = format!("{twos}-{heads}-0-0-S-0");
        leads_to(rules, game, "startpos", &format!("@{twos} @{heads}"), &both)?;
        offers(rules, game, &format!("{twos}-{none}-0-0-N-0"), "@")
    }

    O3 NoCap => fn no_more_than_ten_seeds_are_laid_in_a_pit(rules) {
        let game = "omweso Omweso_Arrangement=open";
        let none = "0-0-0-0-0-0-0-0-0-0-0-0-0";
        refuses(rules, game, "startpos", &format!("@12-10-10-{none}"))?;
        let wide = format!("{game} Omweso_ArrangementCap=12");
        let after = format!("12-10-10-{none}-0-0-0-{none}-0-0-N-0");
        leads_to(rules, &wide, "startpos", &format!("@12-10-10-{none}"), &after)
    }

    O4 OriginIsSkipped => fn sixteen_seeds_end_in_their_origin(rules) {
        let rest = "0-48-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0";
        let from = format!("0-0-0-0-0-0-0-0-16-0-0-0-0-0-0-0-{rest}-S");
        leads_to(rules, "omweso", &from, "I", &format!("1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-{rest}-N"))
    }

    O4 OtherWayRound => fn omweso_is_sown_counter_clockwise(rules) {
        recorded(rules, "omweso", "own-first-turn-never-captures")
    }

    O5 SingleStarts => fn a_single_seed_starts_no_turn(rules) {
        refuses(rules, "omweso", &at_h(1, 2, 3), "H")?;
        offers(rules, "omweso", &at_h(1, 2, 3), "I I< O")
    }

    O6 EmptyPitCaptures => fn a_lap_that_ends_in_an_empty_pit_ends_the_turn(rules) {
        let after = "0-0-0-0-0-0-0-1-41-0-0-0-0-0-0-1-2-16-0-0-0-0-0-0-3-0-0-0-0-0-0-0-0-0-N";
        leads_to(rules, "omweso", &at_h(0, 2, 3), "O", after)
    }

    O7 InnerPitIsEnough => fn a_column_is_captured_only_if_both_its_pits_hold_seeds(rules) {
        let after = "0-0-0-0-0-1-1-0-43-0-0-0-0-0-0-1-2-16-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-N";
        leads_to(rules, "omweso", &at_h(1, 2, 0), "O", after)
    }

    O7 LandingPitIsLifted => fn the_landing_pit_keeps_its_seeds(rules) {
        leads_to(rules, "omweso", &format!("{COLUMN_H}-0-0-S"), "O", TAKEN)
    }

    O8 ResowsIntoTheOrigin, O8 ResowsFromTheLandingPit => fn captured_seeds_begin_after_the_origin_of_their_lap(rules) {
        leads_to(rules, "omweso", &format!("{COLUMN_H}-0-0-S"), "O", TAKEN)
    }

    O9 RelayLeavesOne => fn a_relay_lifts_the_whole_pit(rules) {
        let after = "0-0-0-0-0-1-1-0-43-0-0-0-0-0-0-1-2-16-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-N";
        leads_to(rules, "omweso", &at_h(1, 2, 0), "O", after)
    }

    O10 RightmostReverse => fn the_four_leftmost_pits_can_reverse(rules) {
        recorded(rules, "omweso", "reverse-at-the-start-or-first-choice")
    }

    O10 NoReverseInRelays => fn a_relay_from_a_leftmost_pit_can_reverse(rules) {
        recorded(rules, "omweso", "reverse-in-the-relay")
    }

    O11 ResowsFromAnyLeft, O11 NeverResowsClockwise => fn captured_seeds_go_clockwise_only_after_a_clockwise_lap(rules) {
        recorded(rules, "omweso", "reverse-twice")?;
        (1..=8).try_for_each(|game| whole_game(rules, &format!("game-omweso-{game}.txt")))?;
        whole_game(rules, "options-omweso-8a.txt")?;
        whole_game(rules, "options-omweso-9a.txt")
    }

    O12 PlainGameReverses => fn the_plain_game_has_no_reverse(rules) {
        ["a", "b", "c"].iter().try_for_each(|part| whole_game(rules, &format!("options-omweso-10{part}.txt")))
    }

    O13 SecondPlayerCapturesAtOnce => fn nobody_captures_in_his_first_turn(rules) {
        let after = "0-0-0-0-0-1-1-0-40-0-0-0-0-0-0-1-2-16-0-0-0-0-0-0-3-0-0-0-0-0-0-0-0-0-N";
        leads_to(rules, "omweso", &format!("{COLUMN_H}-0-0-S-1"), "O", after)?;
        leads_to(rules, "omweso", &format!("{COLUMN_H}-0-0-S-0"), "O", &format!("{after}-1"))
    }

    /// C captures where it may, and ends.
    O13a FirstTurnMayBeEndless => fn a_first_turn_that_never_ends_is_not_legal(rules) {
        for mark in [0, 1] {
            let from = format!("{LONG_CYCLE}-0-0-S-{mark}");
            refuses(rules, "omweso", &from, "C")?;
            offers(rules, "omweso", &from, "A B B* C* E G H I I* L L* M N N* O")?;
            refuses(rules, "omweso Omweso_Endless=loses", &from, "C")?;
        }
        ends(rules, "omweso", &format!("{LONG_CYCLE}-0-0-S"), "C", "none")
    }

    O13a StuckIsNoLoss => fn who_has_no_first_turn_that_ends_has_lost(rules) {
        let lost = "north reason bulijo seeds 32-32 points 0-1";
        ends(rules, "omweso", &format!("{SPINNING}-{TWOS}-0-0-S-0"), "", lost)?;
        ends(rules, "omweso", &format!("{SPINNING}-{TWOS}-0-0-S-1"), "", lost)?;
        ends(rules, "omweso", &format!("{SPINNING}-{TWOS}-0-0-S"), "", "none")?;
        let won = "south reason bulijo seeds 32-32 points 1-0";
        ends(rules, "omweso", &format!("{TWOS}-{SPINNING}-0-0-S-0"), "A", won)?;
        let open = "omweso Omweso_Arrangement=open Omweso_ArrangementCap=24";
        ends(rules, open, "startpos", &format!("@{SPINNING}"), "none")?;
        ends(rules, open, "startpos", &format!("@{SPINNING} @{TWOS}"), lost)?;
        ends(rules, open, "startpos", &format!("@{TWOS} @{SPINNING}"), "none")?;
        ends(rules, open, "startpos", &format!("@{TWOS} @{SPINNING} A"), won)
    }

    O14 OkweseraByPlayer => fn okwesera_is_over_once_either_side_has_captured(rules) {
        let pits = "0-0-0-0-0-0-0-0-3-0-0-0-0-0-0-0-0-61-0-0-0-0-0-0-0-0-0-0-0-0-0-0";
        let after = "0-0-0-0-0-0-0-0-0-2-1-0-0-0-0-0-0-61-0-0-0-0-0-0-0-0-0-0-0-0-0-0";
        leads_to(rules, "omweso", &format!("{pits}-0-0-S"), "I*", &format!("{after}-0-0-N"))?;
        refuses(rules, "omweso", &format!("{pits}-0-1-S"), "I*")?;
        refuses(rules, "omweso", &format!("{pits}-1-0-S"), "I*")?;
        refuses(rules, "omweso Omweso_Okwesera=false", &format!("{pits}-0-0-S"), "I*")
    }

    O14 OneAndThenTwo, O14 OkweseraInFirstTurnsOnly => fn okwesera_sows_two_and_then_one_in_any_turn(rules) {
        recorded(rules, "omweso", "okwesera")
    }

    O15 OneMoreLap, O15 EndlessCaptureCounts => fn a_turn_of_four_thousand_and_ninety_six_laps_is_void(rules) {
        recorded(rules, "omweso", "ends-endless")
    }

    O15a EndlessMayBePlayed => fn a_turn_that_never_ends_can_be_illegal(rules) {
        let illegal = "omweso Omweso_Endless=illegal";
        offers(rules, "omweso", ENDLESS, "B E H N P")?;
        offers(rules, illegal, ENDLESS, "B E H N")?;
        refuses(rules, illegal, ENDLESS, "P")
    }

    O15a StuckIsNoLoss => fn who_has_nothing_but_turns_that_never_end_can_have_lost(rules) {
        let illegal = "omweso Omweso_Endless=illegal";
        // Without a column of two full pits there is nothing to capture.
        let after = format!("{SPINNING}-0-0-0-0-0-0-0-0-0-0-0-0-0-0-1-31-2-2-S");
        ends(rules, illegal, &after, "", "north reason bulijo seeds 32-32 points 0-1")?;
        ends(rules, "omweso", &after, "", "none")?;
        let before = format!("0-0-0-0-0-0-0-0-0-0-0-2-0-0-0-30-{SPINNING}-2-2-S");
        ends(rules, illegal, &before, "L", "south reason bulijo seeds 32-32 points 1-0")?;
        ends(rules, "omweso", &before, "L", "none")
    }

    O15a EndlessIsVoid => fn a_turn_that_never_ends_can_lose(rules) {
        ends(rules, "omweso", ENDLESS, "P", "void reason endless seeds 18-46 points 0-0")?;
        ends(rules, "omweso Omweso_Endless=loses", ENDLESS, "P", "north reason endless seeds 18-46 points 0-1")
    }

    /// F captures the last five seeds.
    O16 AkawumbiAnywhere => fn akawumbi_needs_its_last_capture_at_an_end(rules) {
        let from = "0-0-0-0-0-1-0-2-0-0-0-56-0-0-0-0-0-0-2-0-0-0-0-0-0-0-3-0-0-0-0-0-0-0-S";
        ends(rules, "omweso", from, "H", "south reason front-row seeds 64-0 points 2-0")?;
        let any = "omweso Omweso_Akawumbi=any-zero";
        ends(rules, any, from, "H", "south reason akawumbi seeds 64-0 points 12-0")
    }

    O16 AkawumbiIsTwo => fn akawumbi_is_twelve_points(rules) {
        let from = "0-0-0-0-0-0-0-1-0-0-0-56-0-0-2-0-2-0-0-0-0-0-0-0-3-0-0-0-0-0-0-0-0-0-S";
        ends(rules, "omweso", from, "O", "south reason akawumbi seeds 64-0 points 12-0")
    }

    O16 OneHead => fn one_head_alone_decides_nothing(rules) {
        ends(rules, "omweso", &format!("{COLUMN_H}-0-0-S"), "O", "none")
    }

    O16 AnyEmptyFrontRow => fn a_front_row_that_was_empty_before_decides_nothing(rules) {
        ends(rules, "omweso", "startpos", "I", "none")
    }

    /// Nine seeds from H's column end in A, which captures the other head and leaves North ten seeds in an outer pit.
    O16 FrontRowBeforeHeads => fn the_two_heads_come_before_the_front_row(rules) {
        let from = "1-0-0-0-0-0-0-1-0-0-0-0-36-0-2-0-4-0-0-0-0-0-0-2-5-0-0-10-0-0-0-3-0-0-S";
        ends(rules, "omweso", from, "O", "south reason emitwe-ebiri seeds 54-10 points 2-0")
    }

    O16 AkakyalaAlways, O16 AkakyalaLater => fn akakyala_needs_an_opponent_who_has_not_captured(rules) {
        let game = "omweso Omweso_Akakyala=true";
        ends(rules, game, &format!("{COLUMN_H}-1-0-S"), "O", "south reason akakyala seeds 48-16 points 2-0")?;
        ends(rules, game, &format!("{COLUMN_H}-1-1-S"), "O", "none")?;
        ends(rules, game, &format!("{COLUMN_H}-0-0-S"), "O", "none")?;
        ends(rules, game, &format!("{COLUMN_H}-2-0-S"), "O", "none")?;
        ends(rules, "omweso", &format!("{COLUMN_H}-1-0-S"), "O", "none")
    }

    O16 BulijoAtOne => fn a_player_with_nothing_but_singles_has_lost(rules) {
        let from = "0-0-0-0-0-0-0-0-0-0-0-0-61-0-2-0-0-1-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-S";
        ends(rules, "omweso", from, "O", "south reason bulijo seeds 63-1 points 1-0")
    }

    O17 TwiceIsADraw => fn the_third_time_is_a_draw_of_omweso(rules) {
        ends(rules, "omweso", MARCHING, MARCH, "none")?;
        ends(rules, "omweso", MARCHING, &[MARCH, MARCH].join(" "), "draw reason repetition seeds 36-28 points 0-0")
    }

    O17 QuietOneLater => fn two_hundred_plies_without_a_capture_are_a_draw_of_omweso(rules) {
        let moves = line("omweso", GROUPS, 200);
        ends(rules, "omweso", GROUPS, &moves, "draw reason quiet seeds 31-33 points 0-0")?;
        ends(rules, "omweso Omweso_QuietPlies=0", GROUPS, &moves, "none")?;
        ends(rules, "omweso Omweso_QuietPlies=3", MARCHING, "I i J", "draw reason quiet seeds 36-28 points 0-0")
    }

    O17 LengthOneLess => fn two_thousand_plies_are_a_draw_of_omweso(rules) {
        let game = "omweso Omweso_QuietPlies=0";
        let moves = line(game, GROUPS, 2000);
        let (most, _) = moves.rsplit_once(' ').expect("many moves");
        ends(rules, game, GROUPS, most, "none")?;
        ends(rules, game, GROUPS, &moves, "draw reason length seeds 31-33 points 0-0")
    }
}
