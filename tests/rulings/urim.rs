//! The rulings of Urim.

use crate::asking::{Verdict, ends, leads_to, offers, recorded};
use crate::by_hand::{Mutant, Rules};
use crate::{Held, held};

/// The same theme on both boards.
fn on_both(rules: &dyn Rules, theme: &str) -> Verdict {
    recorded(rules, "urim", theme)?;
    recorded(rules, "urim7", theme)
}

held! {
    U1 FourSeedsAtTheStart => fn three_seeds_lie_in_each_pit_of_urim_unless_told_otherwise(rules) {
        leads_to(rules, "urim", "startpos", "", "3-3-3-3-3-3-3-3-3-3-3-3-0-0-S")?;
        leads_to(rules, "urim7", "startpos", "", "3-3-3-3-3-3-3-3-3-3-3-3-3-3-0-0-S")?;
        leads_to(rules, "urim Urim_Seeds=4", "startpos", "", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")
    }

    U2 OriginIsSown => fn the_origin_is_passed_over_on_every_round_of_urim(rules) {
        on_both(rules, "full-lap-skips-origin")
    }

    U3 EighteenFit, U3 FullPitTakesTheSeed => fn a_full_pit_is_passed_over(rules) {
        on_both(rules, "cap-skips-a-full-pit")
    }

    U4 FourTriggers => fn a_four_triggers_no_capture(rules) {
        on_both(rules, "four-does-not-trigger")
    }

    U5 NoChain, U5 FourStopsTheChain => fn a_chain_goes_on_over_fours(rules) {
        on_both(rules, "chain-of-three-or-more")?;
        on_both(rules, "four-in-the-chain")
    }

    U6 SlamTakes => fn a_grand_slam_of_urim_captures_nothing(rules) {
        on_both(rules, "grand-slam-takes-nothing")
    }

    U7 NeedNotFeed => fn an_empty_row_of_urim_must_be_fed(rules) {
        offers(rules, "urim", "1-1-0-0-3-0-0-0-0-0-0-0-21-10-S", "E")
    }

    /// The single seed of E passes over the seventeen in F.
    U7 FeedsByDistance => fn a_full_pit_carries_a_seed_to_an_empty_row(rules) {
        let from = "0-0-0-0-1-17-0-0-0-0-0-0-9-9-S";
        offers(rules, "urim", from, "E F")?;
        leads_to(rules, "urim", from, "E", "0-0-0-0-0-17-1-0-0-0-0-0-9-9-N")
    }

    U8 NoMoveAwardsNothing, U8 NoMoveAwardsTheMover => fn without_a_move_each_side_of_urim_takes_its_row(rules) {
        let pits = "1-0-0-0-0-0-0-0-0-0-0-0";
        ends(rules, "urim", &format!("{pits}-20-15-S"), "", "south reason no-move seeds 21-15 points 1-0")?;
        ends(rules, "urim", &format!("{pits}-20-15-N"), "", "south reason no-move seeds 21-15 points 1-0")?;
        let unfed = "urim Urim_NoMoveAward=unfed";
        ends(rules, unfed, &format!("{pits}-20-15-S"), "", "south reason no-move seeds 20-16 points 1-0")
    }

    U9 RepetitionOnceMore => fn a_cycle_of_urim_ends_at_the_second_time(rules) {
        let from = "1-0-0-0-0-0-1-0-0-0-0-0-20-14-S";
        let round = "A a B b C c D d E e F f";
        ends(rules, "urim", from, round, "south reason repetition seeds 21-15 points 1-0")?;
        ends(rules, "urim Urim_Repetition=3", from, round, "none")
    }

    U10 StopsAtMajority => fn a_majority_does_not_end_a_game_of_urim(rules) {
        ends(rules, "urim", "1-0-0-0-0-1-1-0-0-0-1-0-17-15-S", "F", "none")
    }

    U11 MoreThanThreeQuarters, U11 HalfIsAPoint => fn three_quarters_are_two_points_and_half_is_none(rules) {
        let six = |south: usize| format!("0-0-0-0-0-0-0-0-0-0-0-0-{south}-{}-S", 36 - south);
        let seven = |south: usize| format!("0-0-0-0-0-0-0-0-0-0-0-0-0-0-{south}-{}-S", 42 - south);
        ends(rules, "urim", &six(27), "", "south reason no-move seeds 27-9 points 2-0")?;
        ends(rules, "urim", &six(26), "", "south reason no-move seeds 26-10 points 1-0")?;
        ends(rules, "urim", &six(18), "", "draw reason no-move seeds 18-18 points 0-0")?;
        ends(rules, "urim7", &seven(32), "", "south reason no-move seeds 32-10 points 2-0")?;
        ends(rules, "urim7", &seven(31), "", "south reason no-move seeds 31-11 points 1-0")
    }
}
