#!/bin/sh
# Holds the search against plain alpha-beta on 200 positions of each game: Wuri at depth 8, Omweso at depth 5.
set -eu
cd "$(dirname "$0")/.."
exec cargo test --release --test search -- --ignored --nocapture two_hundred
