#!/bin/sh
# Measures the search in nodes (made moves) a second, at Hash 16 on one thread, for each game.
#
# Measured with the release binary of 0.1.0 on one core of a shared 3 GHz server that was busy with other work, baseline
# x86-64 code; the best of five runs, rounded down. Take them as an order of size. Nodes a second in `empiki bench`:
# - 5 million on two rows: 7 or 8 positions to depth 21, 16 MiB of hash
# - 6 million in Kimasai, to depth 13
# - 5 million in Omweso, to depth 16; each complete line of choices is a node, with many laps
# And in `empiki perft` of Wuri from the start, leaf positions a second:
# - 480 million in `perft 12`, whose last ply is counted and not played
# - 110 million in `perft 10 --made`, whose last ply is played
set -eu
cd "$(dirname "$0")/.."
exec cargo test --release --test search -- --ignored --nocapture speed
