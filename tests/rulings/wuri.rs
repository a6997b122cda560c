//! The rulings of Wuri.

use crate::asking::{Verdict, ends, leads_to, offers, recorded};
use crate::by_hand::{Mutant, Rules};
use crate::{Held, held};

/// A move from F that feeds an empty row and makes six twos there.
const SIX_TWOS: &str = "0-0-0-0-0-17-0-0-0-0-0-0-15-16-S";
/// F makes 25 with seeds left on the board.
const MAJORITY: &str = "0-0-0-0-0-1-1-0-0-0-3-3-23-17-S";

held! {
    W1 ThreeSeedsAtTheStart => fn four_seeds_lie_in_each_pit_of_the_circle(rules) {
        leads_to(rules, "wuri", "startpos", "", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")?;
        leads_to(rules, "wuri", "startpos", "F e", "5-5-5-4-4-0-5-5-5-5-0-5-0-0-S")
    }

    W2 OriginIsSown => fn the_origin_is_passed_over_on_every_round_of_wuri(rules) {
        recorded(rules, "wuri", "full-lap-skips-origin")
    }

    W3 NoChain => fn a_chain_of_twos_and_threes_is_captured(rules) {
        recorded(rules, "wuri", "chain-of-three-or-more")
    }

    W3 FourIsTaken => fn a_four_is_not_captured(rules) {
        let after = "0-0-0-0-0-0-4-0-0-0-0-2-20-22-N";
        leads_to(rules, "wuri", "0-0-0-0-0-1-3-0-0-0-0-2-20-22-S", "F", after)
    }

    W4 SlamTakes => fn a_grand_slam_of_wuri_captures_nothing(rules) {
        recorded(rules, "wuri", "grand-slam-takes-nothing")?;
        leads_to(rules, "wuri", SIX_TWOS, "F", "1-1-1-1-1-0-2-2-2-2-2-2-15-16-N")
    }

    W4 SlamIsOnePit => fn the_whole_chain_makes_a_grand_slam(rules) {
        let after = "0-0-0-0-0-0-2-2-0-0-0-0-22-22-N";
        leads_to(rules, "wuri", "0-0-0-0-0-2-1-1-0-0-0-0-22-22-S", "F", after)
    }

    W4 FeedingSlamIsLegal => fn a_grand_slam_that_feeds_can_be_illegal_too(rules) {
        let result = "south reason no-move seeds 32-16 points 1-0";
        ends(rules, "wuri Wuri_GrandSlam=illegal", SIX_TWOS, "", result)
    }

    W4 OnlySlamIsIllegal => fn a_grand_slam_can_be_legal_where_there_is_nothing_else(rules) {
        let game = "wuri Wuri_GrandSlam=illegal-unless-only";
        ends(rules, game, SIX_TWOS, "F", "south reason count seeds 27-16 points 1-0")
    }

    W5 NeedNotFeed => fn an_empty_row_of_wuri_must_be_fed(rules) {
        offers(rules, "wuri", "1-0-1-2-1-1-0-0-0-0-0-0-19-23-S", "F")
    }

    W6 NoMoveAwardsNothing, W6 NoMoveAwardsTheMover => fn without_a_move_each_side_of_wuri_takes_its_row(rules) {
        let pits = "1-0-0-0-0-0-0-0-0-0-0-0";
        ends(rules, "wuri", &format!("{pits}-24-23-S"), "", "south reason no-move seeds 25-23 points 1-0")?;
        ends(rules, "wuri", &format!("{pits}-24-23-N"), "", "south reason no-move seeds 25-23 points 1-0")
    }

    W7 CountAtTwentySix, W7 CountSweeps => fn twenty_five_end_the_game_and_leave_the_pits(rules) {
        ends(rules, "wuri", MAJORITY, "F", "south reason count seeds 25-17 points 1-0")
    }

    W7 EvenGoesOn => fn twenty_four_each_end_the_game(rules) {
        let from = "0-0-0-0-0-1-1-0-0-0-0-0-22-24-S";
        ends(rules, "wuri Wuri_GrandSlam=capture", from, "F", "draw reason count seeds 24-24 points 0-0")
    }

    W8 RepetitionOnceMore, W8 CycleAwardsNothing => fn a_cycle_of_wuri_ends_at_the_second_time(rules) {
        let from = "1-0-0-0-0-0-1-0-0-0-0-0-24-22-S";
        let round = "A a B b C c D d E e F f";
        ends(rules, "wuri", from, round, "south reason repetition seeds 25-23 points 1-0")?;
        ends(rules, "wuri Wuri_Repetition=3", from, round, "none")
    }

    W8 SplitRoundsDown => fn a_shared_cycle_can_award_half_a_seed(rules) {
        let from = "1-1-1-0-1-0-0-1-0-0-0-0-23-20-S";
        let moves = "E b C c B d A e D f F a";
        let split = "wuri Wuri_RepetitionAward=split";
        ends(rules, split, from, moves, "south reason repetition seeds 25.5-22.5 points 1-0")
    }

    W9 WinIsTwo => fn a_win_of_wuri_is_one_point(rules) {
        ends(rules, "wuri", MAJORITY, "F", "south reason count seeds 25-17 points 1-0")
    }
}
