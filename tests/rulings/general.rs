//! The rulings that hold in all games.

use crate::asking::{Verdict, ends, leads_to, offers, refuses};
use crate::by_hand::{Mutant, Rules};
use crate::kimasai::{FACED, FACING};
use crate::omweso::{COLUMN_H, MARCH, MARCHING, TAKEN};
use crate::{Held, held};

held! {
    /// A faces h and H faces a; the outer pits lie behind.
    G2 FacesTheSameLetter => fn a_pit_faces_the_one_across_the_board(rules) {
        leads_to(rules, "kimasai", FACING, "G", FACED)?;
        leads_to(rules, "omweso", &format!("{COLUMN_H}-0-0-S"), "O", TAKEN)
    }

    /// F takes two seeds; A takes none and is legal as well.
    G3 MustCapture => fn a_player_need_not_choose_a_capture(rules) {
        offers(rules, "wuri", "1-0-0-0-0-1-1-0-0-0-3-3-20-19-S", "A F")
    }

    /// Two seeds that go round the board come back to where they were after twelve plies.
    G4 SetUpIsNotCounted => fn the_set_up_position_has_come_up_once(rules) {
        let (from, round) = ("1-0-0-0-0-0-1-0-0-0-0-0-24-22-S", "A a B b C c D d E e F f");
        ends(rules, "wuri", from, &round[..round.len() - 2], "none")?;
        ends(rules, "wuri", from, round, "south reason repetition seeds 25-23 points 1-0")
    }

    /// Groups that march round a ring come back after thirty-two plies, the mark of the first turns gone.
    G4 MarkMakesAnotherPosition => fn the_mark_of_the_first_turns_is_no_part_of_the_position(rules) {
        let marked = format!("{MARCHING}-0");
        ends(rules, "omweso", &marked, &[MARCH, MARCH].join(" "), "draw reason repetition seeds 36-28 points 0-0")
    }

    /// O captures at the first of two plies.
    G4 CaptureIsForgotten => fn a_capture_begins_the_counts_anew(rules) {
        let game = "omweso Omweso_QuietPlies=2";
        ends(rules, game, MARCHING, "I i", "draw reason quiet seeds 36-28 points 0-0")?;
        ends(rules, game, &format!("{COLUMN_H}-0-0-S"), "O b", "none")
    }

    G5 MovesBeforeStores => fn a_set_up_position_is_judged_by_its_stores_first(rules) {
        ends(rules, "wuri", "0-0-0-0-0-0-4-4-4-4-4-3-25-0-S", "", "south reason count seeds 25-0 points 1-0")
    }

    G5 SetUpIsNotJudged => fn a_set_up_position_is_judged_at_once(rules) {
        ends(rules, "urim", "1-0-0-0-0-0-0-0-0-0-0-0-20-15-S", "", "south reason no-move seeds 21-15 points 1-0")?;
        let singles = "0-0-0-0-0-0-0-0-1-1-0-0-0-0-0-0-0-0-0-0-0-0-0-0-62-0-0-0-0-0-0-0-0-0";
        ends(rules, "omweso", &format!("{singles}-S"), "", "north reason bulijo seeds 2-62 points 0-1")?;
        ends(rules, "omweso", &format!("{singles}-N"), "", "none")
    }

    G6 QuietBeforeRepetition => fn repetition_is_looked_at_before_quiet_plies(rules) {
        let twice = [MARCH, MARCH].join(" ");
        ends(rules, "omweso Omweso_QuietPlies=64", MARCHING, &twice, "draw reason repetition seeds 36-28 points 0-0")
    }

    G6 NoMoveFirst => fn the_end_of_the_game_is_looked_at_before_a_missing_move(rules) {
        let from = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S";
        ends(rules, "wuri Wuri_GrandSlam=capture", from, "F", "south reason count seeds 25-23 points 1-0")
    }

    G8 PlaysOn => fn a_finished_game_has_no_moves_and_takes_none(rules) {
        let from = "0-0-0-0-0-1-1-0-0-0-3-3-23-17-S";
        refuses(rules, "wuri", from, "F e")?;
        let over = "0-0-0-0-0-0-0-0-0-0-3-3-25-17-N";
        leads_to(rules, "wuri", from, "F", over)?;
        offers(rules, "wuri", over, "")
    }
}
