#!/bin/sh
# Plays the matches against other programs that README.md tells of.
#
#     scripts/peers.sh samurai|mancalagames|mcgill COMMAND [MATCH ARGUMENTS]
#
# COMMAND starts the peer as an engine. GAMES, ST, OPENINGS and EMPIKI in the environment change the number of games (400,
# 100, 200), the seconds a move (0.1, 0.2, 0.3), the file of openings and the engine. Each side has one thread and Hash 16,
# and each opening is played from both sides.
#
# samurai: the Oware engine of Samurai (samurai 5f45b1b, oware bb17fec). It cannot read spaces between moves; without its
# book and its tables, which are named by files that are not there, COMMAND is
#     scripts/clients/joined.sh java -jar oware.jar --roots none --leaves none service
# Openings are 200 balanced positions of this engine's making, found by a search of 14 plies. Our tables are off as well.
# - 100 ms a move, 400 games: 375 won, 15 drawn, 10 lost, Elo +536 ± 75.
# - 1 s, 40 games from 20 of the positions: 38 won, 0 drawn, 2 lost, Elo +511 ± 424.
# - 100 ms, its book and tables, and ours up to 24 seeds (TABLES=FOLDER), 60 games from 30 positions: 52 won, 4 drawn,
#   4 lost, Elo +382 ± 143.
#
# mancalagames: MancalaGames (2b1c596), its negamaxer, taught Urim with three seeds a pit. It is a program with windows:
# COMMAND is a script that sets up its game and asks its player, one ply deeper each time until the time is up, and plays
# the first of the best moves. It searched eight plies.
# - 200 ms a move, 100 games from 50 positions: 99 won, 1 drawn, 0 lost, Elo +918 ± 236.
#
# mcgill: the winner of the McGill course of 2015 (kelzha/omweso 797d9bf on HSY3D/Omweso 68c0833), 10 plies deep. It is a
# class without a protocol: COMMAND is a script that asks it. It plays Omweso without reverse, okwesera and okutema, and
# with 200 laps. It has no clock, so its mean time is told beside ours.
# - 300 ms a move, its own mean 129 ms, 200 games from the 20 positions of omweso-plain.txt: 186 won, 0 drawn, 14 lost,
#   Elo +449 ± 99. No pair of games was lost.
# - 200 ms, its own mean 176 ms, 200 games from 100 other positions: 160 won, 1 drawn, 39 lost, Elo +244 ± 53.
# In most positions of Omweso one side wins, whoever plays it: then each engine wins one game of the pair, and the pair tells
# nothing. The 20 positions are not of that kind. Some hundreds were tried; from these 20 Empiki, against itself at 100,000
# nodes a turn, has won as South and as North. The 100 positions were chosen in the same way, but at 10,000 nodes a turn.
set -eu
cd "$(dirname "$0")/.."
peer=${1:-}
command=${2:-}
if [ -z "$command" ]; then
    echo "usage: scripts/peers.sh samurai|mancalagames|mcgill COMMAND [MATCH ARGUMENTS]" >&2
    exit 2
fi
shift 2
engine=${EMPIKI:-target/release/empiki}
made=
trap '[ -z "$made" ] || rm -f "$made"' EXIT

# Plays the peer, whose limits are $3, with games, seconds and openings unless told. The rest is for the match.
play() {
    games=${GAMES:-$1} seconds=${ST:-$2} limits=$3 openings=${OPENINGS:-$4}
    shift 4
    "$engine" match --games "$games" --openings "$openings" \
        --engine "name=empiki cmd='$engine' option.Hash=16 st=$seconds $ours" \
        --engine "name=$peer cmd='$command' start=60 $limits" "$@"
}

case $peer in
samurai)
    ours="margin=1000 option.TablebaseProbeLimit=0"
    [ -z "${TABLES:-}" ] || ours="margin=1000 option.TablebasePath=$TABLES"
    if [ -z "${OPENINGS:-}" ]; then
        made=$(mktemp)
        OPENINGS=$made
        "$engine" openings --variant wuri --count $((${GAMES:-400} / 2)) --depth 14 --bound 75 >"$made"
    fi
    play 400 0.1 "option.Hash=16 st=${ST:-0.1} margin=1000" "$OPENINGS" --variant wuri "$@"
    ;;
mancalagames)
    ours="margin=5000"
    play 100 0.2 "st=${ST:-0.2} margin=5000" tests/data/openings/urim.txt --variant urim "$@"
    ;;
mcgill)
    ours="margin=2000"
    play 200 0.3 "st=2 margin=3600000" tests/data/openings/omweso-plain.txt --variant omweso \
        --option Omweso_Reverse=false --option Omweso_Okwesera=false --option Omweso_Okutema=false \
        --option Omweso_LapLimit=200 "$@"
    ;;
*)
    echo "$peer: wanted samurai, mancalagames or mcgill" >&2
    exit 2
    ;;
esac
