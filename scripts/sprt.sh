#!/bin/sh
# Tests whether the work tree plays better than another revision: builds both side by side and runs the sequential test that a
# change of strength needs.
#
#     scripts/sprt.sh BASE [VARIANT] [MATCH ARGUMENTS]
#
# BASE is any revision, VARIANT is wuri unless told. The work tree is taken as it stands, changes that are not committed too.
# Unless later arguments say otherwise: 5 + 0.05 seconds, openings of six plies by lot from both sides, at most 40,000 games, elo0 0
# against elo1 5 with errors of 5 %, and a game for each processor at a time. CONCURRENCY, TC, OPENINGS and SPRT in the environment
# change that.
set -eu
cd "$(dirname "$0")/.."
if [ $# -lt 1 ]; then
    echo "usage: scripts/sprt.sh BASE [VARIANT] [MATCH ARGUMENTS]" >&2
    exit 2
fi
base=$1
shift
variant=wuri
case "${1:-}" in
'' | -*) ;;
*)
    variant=$1
    shift
    ;;
esac
commit=$(git rev-parse --verify --short "$base^{commit}")
tree=$(mktemp -d)
clean_up() {
    git worktree remove --force "$tree/base" 2>/dev/null || true
    rm -rf "$tree"
}
trap clean_up EXIT
# The runner hears an interrupt itself, ends the match and prints its table.
trap : INT TERM

git worktree add --quiet --detach "$tree/base" "$commit"
cargo build --release --quiet
cp target/release/empiki "$tree/new"
(cd "$tree/base" && cargo build --release --quiet --target-dir "$tree/target")
cp "$tree/target/release/empiki" "$tree/old"

processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
"$tree/new" match --variant "$variant" --games 40000 \
    --engine "name=new cmd=$tree/new" --engine "name=$commit cmd=$tree/old" \
    --each "tc=${TC:-5+0.05} option.Hash=16" --openings "${OPENINGS:-random:6}" \
    --sprt "${SPRT:-elo0=0 elo1=5 alpha=0.05 beta=0.05}" --concurrency "${CONCURRENCY:-$processors}" "$@"
