//! The rules that can be got wrong on purpose, each by a small step.

/// One wrong rule, with the ruling that it breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mutant {
    /// G2: the pit that a pit faces has the same letter.
    FacesTheSameLetter,
    /// G3: who can capture must choose a capturing move.
    MustCapture,
    /// G4: the set-up position has not come up yet.
    SetUpIsNotCounted,
    /// G4: the mark of the first turns makes another position.
    MarkMakesAnotherPosition,
    /// G5: a set-up position is judged by its moves before its stores.
    MovesBeforeStores,
    /// G5: a set-up position is not judged.
    SetUpIsNotJudged,
    /// G6: quiet plies are looked at before repetition.
    QuietBeforeRepetition,
    /// G6: a missing move is looked at before the game's own ends.
    NoMoveFirst,
    /// G8: a finished game goes on.
    PlaysOn,
    /// W1: three seeds lie in each pit at the start.
    ThreeSeedsAtTheStart,
    /// W2, U2: the origin is sown like any pit.
    OriginIsSown,
    /// W3, U5: only the pit of the last seed is captured.
    NoChain,
    /// W3: a four is captured too.
    FourIsTaken,
    /// W4, U6: a grand slam captures.
    SlamTakes,
    /// W4: a chain of several pits is no grand slam.
    SlamIsOnePit,
    /// W4: a move that feeds is never forbidden as a grand slam.
    FeedingSlamIsLegal,
    /// W4: where all moves are grand slams none is legal.
    OnlySlamIsIllegal,
    /// W5, U7: an empty row need not be fed.
    NeedNotFeed,
    /// W6, U8: without a move the pits go to nobody.
    NoMoveAwardsNothing,
    /// W6, U8: the one who cannot move gets all pits.
    NoMoveAwardsTheMover,
    /// W7: a store needs 26.
    CountAtTwentySix,
    /// W7: 24 each do not end the game.
    EvenGoesOn,
    /// W7: the seeds in the pits are awarded.
    CountSweeps,
    /// W8, U9: a cycle ends one time later.
    RepetitionOnceMore,
    /// W8: a cycle leaves the pits to nobody.
    CycleAwardsNothing,
    /// W8: half a seed is lost.
    SplitRoundsDown,
    /// G4: a capture does not begin the counts anew.
    CaptureIsForgotten,
    /// W9: a win is two points.
    WinIsTwo,
    /// U1: four seeds a pit unless told otherwise.
    FourSeedsAtTheStart,
    /// U3: a pit may hold eighteen.
    EighteenFit,
    /// U3: what falls into a full pit goes to its owner.
    FullPitTakesTheSeed,
    /// U4: a four triggers a capture.
    FourTriggers,
    /// U5: a four stops the chain.
    FourStopsTheChain,
    /// U7: whether a move feeds is judged by its distance.
    FeedsByDistance,
    /// U10: the game stops at a majority.
    StopsAtMajority,
    /// U11: three quarters are not enough for two points.
    MoreThanThreeQuarters,
    /// U11: half is worth a point.
    HalfIsAPoint,
    /// O1: captured seeds leave the board.
    CapturesLeaveTheBoard,
    /// O2: the seeds lie in the inner row at the start.
    InnerRowAtTheStart,
    /// O3: the second player sows first.
    SecondSowsFirst,
    /// O3: arranging is a turn of the game.
    ArrangingIsATurn,
    /// O3: a pit may be laid as full as one likes.
    NoCap,
    /// O4: sixteen seeds pass over the origin.
    OriginIsSkipped,
    /// O4, K2: the sowing goes the other way round.
    OtherWayRound,
    /// O5: a single may start.
    SingleStarts,
    /// O6: a lap that ends in an empty pit can capture.
    EmptyPitCaptures,
    /// O7: the inner pit alone is enough for a capture.
    InnerPitIsEnough,
    /// O7: the landing pit is lifted with what it captured.
    LandingPitIsLifted,
    /// O8: captured seeds begin in the origin.
    ResowsIntoTheOrigin,
    /// O8: captured seeds are sown from the capturing pit.
    ResowsFromTheLandingPit,
    /// O9: a relay leaves one seed behind.
    RelayLeavesOne,
    /// O10: the four rightmost pits reverse.
    RightmostReverse,
    /// O10: a lap reverses at the start of a turn only.
    NoReverseInRelays,
    /// O11: captured seeds go clockwise from any of the four.
    ResowsFromAnyLeft,
    /// O11: captured seeds never go clockwise.
    NeverResowsClockwise,
    /// O12: laps reverse in the plain game as well.
    PlainGameReverses,
    /// O13: only the opener takes none in his first turn.
    SecondPlayerCapturesAtOnce,
    /// O13a: a first turn that never ends is legal.
    FirstTurnMayBeEndless,
    /// O13a, O15a: a player whose turns are all refused as never-ending has not lost.
    StuckIsNoLoss,
    /// O14: okwesera is over for the player alone who captured.
    OkweseraByPlayer,
    /// O14: okwesera sows one and then two.
    OneAndThenTwo,
    /// O14: okwesera is open in first turns only.
    OkweseraInFirstTurnsOnly,
    /// O15: one more lap is allowed.
    OneMoreLap,
    /// O15: a never-ending turn that captured does not make the game void.
    EndlessCaptureCounts,
    /// O15a: a turn that never ends is legal under any rule.
    EndlessMayBePlayed,
    /// O15a: a turn that never ends annuls the game under any rule.
    EndlessIsVoid,
    /// O16: akawumbi wherever the last capture was.
    AkawumbiAnywhere,
    /// O16: akawumbi is worth two points.
    AkawumbiIsTwo,
    /// O16: one head is enough.
    OneHead,
    /// O16: a front row that its owner emptied wins too.
    AnyEmptyFrontRow,
    /// O16: the front row is looked at before the heads.
    FrontRowBeforeHeads,
    /// O16: the second capturing turn wins whatever the opponent did.
    AkakyalaAlways,
    /// O16: a capturing turn after the second makes akakyala too.
    AkakyalaLater,
    /// O16: a player with a single left can move.
    BulijoAtOne,
    /// O17, K12: twice is a draw.
    TwiceIsADraw,
    /// O17, K12: the draw of quiet plies comes one later.
    QuietOneLater,
    /// O17: the game is one ply shorter.
    LengthOneLess,
    /// K1: two cows in each inner pit.
    TwoCowsAtTheStart,
    /// K3: cows are taken in phase one.
    CapturesInPhaseOne,
    /// K3: a player without a reserve has no turn in phase one.
    NoReserveNoTurn,
    /// K4: the opening turn uses a cow.
    OpeningUsesACow,
    /// K5: a single may not start in phase two.
    SingleMayNotRaid,
    /// K6: the outer pit is taken as well.
    OuterPitIsTaken,
    /// K7: the captured cows begin after the capturing pit.
    RaidsPastTheCapturingPit,
    /// K8: an occupied pit with nothing before it ends the turn.
    NoRelayInPhaseTwo,
    /// K9: the last capture's lap relays.
    RelaysAfterTheLastCapture,
    /// K10: the mover's own inner row is looked at first.
    OwnRowFirst,
    /// K10: the inner rows decide in phase two only.
    RowsDecideInPhaseTwo,
    /// K10: a row decides as soon as it is empty.
    OwnRowDecidesAtOnce,
    /// K11: a never-ending sowing is legal.
    EndlessIsLegal,
    /// K12: quiet plies of phase one count.
    PhaseOneIsQuiet,
}
