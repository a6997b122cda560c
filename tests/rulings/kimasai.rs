//! The rulings of Bao la Kimasai.

use crate::asking::{Verdict, ends, leads_to, line, offers, recorded};
use crate::by_hand::{Mutant, Rules};
use crate::{Held, held};

/// G sows one cow into H, which faces three cows in a; nine lie behind them in i.
pub const FACING: &str = "0-0-0-0-0-0-1-1-49-0-0-0-0-0-0-0-3-0-0-0-0-0-0-1-9-0-0-0-0-0-0-0-0-0-S";
/// The three were sown into H, P and O.
pub const FACED: &str = "0-0-0-0-0-0-0-3-49-0-0-0-0-0-1-1-0-0-0-0-0-0-0-1-9-0-0-0-0-0-0-0-0-0-N";
/// Marching groups; South's next turn from A ends phase one.
const GROUPS: &str = "5-5-4-3-2-1-0-0-0-0-0-0-1-2-3-4-6-5-4-3-2-1-0-3-0-0-0-1-2-3-1-2-1-0-S";

held! {
    K1 TwoCowsAtTheStart => fn a_cow_lies_in_each_inner_pit(rules) {
        let row = "1-1-1-1-1-1-1-1-0-0-0-0-0-0-0-0";
        leads_to(rules, "kimasai", "startpos", "", &format!("{row}-{row}-24-24-S-0"))
    }

    K2 OtherWayRound => fn kimasai_is_sown_clockwise(rules) {
        leads_to(rules, "kimasai", FACING, "G", FACED)
    }

    K3 CapturesInPhaseOne => fn no_cow_is_taken_in_phase_one(rules) {
        recorded(rules, "kimasai", "last-reserve-cow-may-not-capture")
    }

    K3 NoReserveNoTurn => fn a_player_without_a_reserve_sows_in_phase_one(rules) {
        let rest = "0-0-0-0-0-0-0-0-1-1-1-1-1-1-1-1-32-0-0-0-0-0-0-0-0-20";
        let after = format!("0-1-0-1-1-0-0-1-{rest}-N");
        leads_to(rules, "kimasai", &format!("2-0-1-0-0-0-0-1-{rest}-S"), "A", &after)
    }

    K4 OpeningUsesACow => fn the_opening_turn_uses_no_cow(rules) {
        recorded(rules, "kimasai", "opening-turns")
    }

    K5 SingleMayNotRaid => fn a_single_may_start_in_phase_two(rules) {
        offers(rules, "kimasai", FACING, "G H I")?;
        recorded(rules, "kimasai", "starts-with-a-single")
    }

    K6 OuterPitIsTaken => fn outer_pits_are_immune(rules) {
        leads_to(rules, "kimasai", FACING, "G", FACED)
    }

    K7 RaidsPastTheCapturingPit => fn captured_cows_begin_in_the_capturing_pit(rules) {
        leads_to(rules, "kimasai", FACING, "G", FACED)?;
        recorded(rules, "kimasai", "single-cow-captured")
    }

    K8 NoRelayInPhaseTwo => fn an_occupied_pit_relays_in_phase_two(rules) {
        let rest = "0-0-0-0-0-0-0-1-9-0-0-0-0-0-0-0-0-0";
        let from = format!("0-0-0-0-0-0-1-1-51-0-0-0-0-0-1-0-{rest}-S");
        leads_to(rules, "kimasai", &from, "G", &format!("0-0-0-0-0-0-0-0-51-0-0-0-1-1-0-1-{rest}-N"))
    }

    K9 RelaysAfterTheLastCapture => fn the_turn_stops_when_the_last_capture_is_sown(rules) {
        let from = "0-0-0-0-0-0-1-1-47-0-0-0-0-2-0-0-4-0-0-0-0-0-0-0-9-0-0-0-0-0-0-0-0-0-S";
        let after = "0-0-0-0-0-0-0-3-47-0-0-0-0-3-1-1-0-0-0-0-0-0-0-0-9-0-0-0-0-0-0-0-0-0-N";
        leads_to(rules, "kimasai", from, "G", after)?;
        ends(rules, "kimasai", from, "G", "south reason front-row seeds 55-9 points 1-0")
    }

    K10 OwnRowFirst => fn the_inner_row_of_the_player_to_move_is_looked_at_first(rules) {
        let from = "0-0-0-0-0-0-0-0-14-0-0-0-0-0-0-0-0-0-0-0-0-0-0-0-10-0-0-0-0-0-0-0-20-20-S";
        ends(rules, "kimasai", from, "", "north reason front-row seeds 34-30 points 0-1")
    }

    K10 RowsDecideInPhaseTwo => fn the_inner_rows_decide_in_phase_one(rules) {
        let from = "0-0-0-0-0-0-0-1-8-0-0-0-0-0-0-0-1-0-0-0-0-0-0-1-33-0-0-0-0-0-0-0-10-10-S";
        ends(rules, "kimasai", from, "H", "north reason own-front-row seeds 19-45 points 0-1")
    }

    K10 OwnRowDecidesAtOnce => fn a_row_that_is_empty_during_the_turn_decides_nothing(rules) {
        let rest = "1-0-0-0-0-0-0-1-53-0-0-0-0-0-0-0-0-0";
        let from = format!("0-0-0-0-0-0-0-1-0-0-0-0-0-0-0-8-{rest}-S");
        leads_to(rules, "kimasai", &from, "H", &format!("1-1-0-0-0-0-0-0-1-1-1-1-1-1-1-0-{rest}-N"))?;
        ends(rules, "kimasai", &from, "H", "none")
    }

    K11 EndlessIsLegal => fn a_never_ending_sowing_is_not_legal(rules) {
        recorded(rules, "kimasai", "never-ending-so-illegal")
    }

    K12 TwiceIsADraw => fn the_third_time_is_a_draw_of_kimasai(rules) {
        let from = "9-8-7-6-5-4-3-2-0-0-0-0-0-0-0-1-4-3-2-1-0-3-2-1-0-0-0-0-0-1-2-0-0-0-S";
        ends(rules, "kimasai", from, &marches(96), "none")?;
        ends(rules, "kimasai", from, &marches(191), "none")?;
        ends(rules, "kimasai", from, &marches(192), "draw reason repetition seeds 45-19 points 0-0")
    }

    K12 QuietOneLater, K12 PhaseOneIsQuiet => fn two_hundred_plies_of_phase_two_without_a_capture_are_a_draw_of_kimasai(rules) {
        let moves = format!("A {}", line("kimasai", &opened(), 200));
        let (most, _) = moves.rsplit_once(' ').expect("many moves");
        ends(rules, "kimasai", GROUPS, most, "none")?;
        ends(rules, "kimasai", GROUPS, &moves, "draw reason quiet seeds 31-33 points 0-0")
    }
}

/// [`GROUPS`] after the last turn of phase one.
fn opened() -> String {
    "0-6-5-4-3-2-1-0-0-0-0-0-1-2-3-4-6-5-4-3-2-1-0-3-0-0-0-1-2-3-1-2-0-0-N".to_owned()
}

/// So many plies in which one group marches round South's ring in sixteen turns, and three, turn about, round North's in
/// forty-eight.
fn marches(plies: usize) -> String {
    let ring = "ABCDEFGHPONMLKJI".as_bytes();
    let letter = |at: usize| char::from(ring[at % 16]);
    let moves = (0..plies).map(|ply| {
        let turn = ply / 2;
        if ply % 2 == 0 { letter(turn) } else { letter([9, 5, 0][turn % 3] + turn / 3).to_ascii_lowercase() }
    });
    moves.map(|mv| format!("{mv} ")).collect()
}
