#!/bin/sh
# Measures the search in made moves a second, at Hash 16 on one thread, for each game.
set -eu
cd "$(dirname "$0")/.."
exec cargo test --release --test search -- --ignored --nocapture speed
