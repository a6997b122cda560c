#!/bin/sh
# Prints the best move of a position and nothing else; shows how a shell script drives Empiki.
#
#     scripts/clients/bestmove.sh [VARIANT [POSITION [LIMITS]]]
#     scripts/clients/bestmove.sh omweso "startpos moves I l" "depth 8"
#     scripts/clients/bestmove.sh wuri "fen 2-1-0-3-0-1-1-5-0-0-0-2-12-21-N"
#
# Wuri, the start and `movetime 1000` unless told. At the end of its input the engine finishes the searches that end by themselves,
# so nothing has to be waited for. A limit such as `infinite` would be cut short. Once the game has ended the move is 0000.
# What the engine refuses is told as an error, and the status is 1. EMPIKI in the environment is another engine.
set -eu
engine=${EMPIKI:-$(dirname "$0")/../../target/release/empiki}

dialogue() {
    "$engine" <<END
setoption name UCI_Variant value ${1:-wuri}
position ${2:-startpos}
go ${3:-movetime 1000}
END
}

dialogue "$@" | awk '
    sub(/^info string error: /, "") { print | "cat >&2"; refused = 1 }
    $1 == "bestmove" { move = $2 }
    END { if (refused) exit 1; print move }'
