#!/usr/bin/env bash
# What to run before a commit: format, lints, tests, and the node counts of a release bench against tests/golden/bench.txt.
# If a change of the search or of an evaluation is meant to change the counts, write them anew with
#   cargo run --release -- bench | awk '$1 == "bench" && $2 != "total" { print $2, $4 }' > tests/golden/bench.txt
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fmt --check
cargo clippy --all-targets -- -D warnings
cargo test
cargo run --release -- bench | awk '$1 == "bench" && $2 != "total" { print $2, $4 }' | diff tests/golden/bench.txt - || {
    echo "the bench counts other nodes than tests/golden/bench.txt" >&2
    exit 1
}
echo "all is well"
