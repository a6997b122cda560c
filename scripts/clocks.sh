#!/bin/sh
# Self-play on clocks beside busy loops: no game may be lost on time, nor end in any other way than by the rules.
#
#     scripts/clocks.sh [GAMES [CONCURRENCY]]
#
# GAMES, an even number and 500 unless told, of the two-row and as many of the four-row games; CONCURRENCY at a time, 1 unless told. TC,
# BUSY, MARGIN, OUT and EMPIKI in the environment change the clock (2+0.02 seconds), the busy loops (2), by how many milliseconds a move
# may be late (0), the directory of the records, and the engine. Prints what ended the games of each match; the status is 1 if something
# but the rules did.
set -eu
cd "$(dirname "$0")/.."
games=${1:-500}
concurrency=${2:-1}
engine=${EMPIKI:-target/release/empiki}
out=${OUT:-$(mktemp -d)}

loops=
clean_up() {
    # shellcheck disable=SC2086 # one number each
    [ -z "$loops" ] || kill $loops 2>/dev/null || true
}
trap clean_up EXIT
trap 'exit 130' INT TERM
for _ in $(seq "${BUSY:-2}"); do
    # They end with this script, however it ends.
    (while kill -0 $$; do :; done) 2>/dev/null &
    loops="$loops $!"
done

# Plays VARIANT GAMES; pairs begin from the same opening.
play() {
    [ "$2" -gt 0 ] || return 0
    load=$(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || echo unknown)
    echo "$1: $2 games of ${TC:-2+0.02} s, $concurrency at a time, ${BUSY:-2} busy loops, load $load"
    "$engine" match --variant "$1" --games "$2" --concurrency "$concurrency" --openings "tests/data/openings/$1.txt" \
        --engine "name=one cmd='$engine'" --engine "name=two cmd='$engine'" \
        --each "tc=${TC:-2+0.02} margin=${MARGIN:-0} option.Hash=16" --record "$out/$1.ogn" --json "$out/$1.json" >"$out/$1.txt"
    grep '^\[Termination ' "$out/$1.ogn" | sort | uniq -c
    if ! grep -q '"finished": *true' "$out/$1.json" || grep '"faults": *{[^}]' "$out/$1.json"; then
        failed=1
    fi
}

failed=0
two_row=$((games / 6 * 2))
play wuri $((games - 2 * two_row))
play urim "$two_row"
play urim7 "$two_row"
four_row=$((games / 4 * 2))
play omweso $((games - four_row))
play kimasai "$four_row"
echo "records in $out"
[ "$failed" -eq 0 ] || echo "not every game was ended by the rules" >&2
exit "$failed"
