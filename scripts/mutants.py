#!/usr/bin/env python3
"""Breaks the rules of the engine one by one, and shows that a test turns red each time.

Usage: scripts/mutants.py [RULING ...]

Each entry of tests/data/mutants.txt is a small change of the source and the test that must see it. The changes are made in a
copy of the tree, in a temporary directory; build results are kept in target/mutants. A line is printed for each. Ends with
status 1 if a test stays green or a change does not compile. Takes some minutes. Python 3, standard library only.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIED = ["Cargo.toml", "Cargo.lock", "README.md", "src", "tests"]


def entries():
    """The table: a dictionary for each entry."""
    blocks = (ROOT / "tests/data/mutants.txt").read_text().split("\n\n")[1:]
    lines = [[line.partition(":") for line in block.splitlines()] for block in blocks]
    return [{key: value.strip() for key, _, value in block} for block in lines]


def copy_tree(target):
    """Copies what a build needs."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name)
        elif source.exists():
            shutil.copy2(source, target / name)


def run(tree, tests, beside=False):
    """Runs tests by name in the copy, those of the rulings or those beside the code: `green`, `red`, or `broken` where nothing
    could be run."""
    # Compiling is what takes the time, so little is spent on it.
    fast = {"CARGO_PROFILE_TEST_OPT_LEVEL": "0", "CARGO_PROFILE_TEST_DEBUG": "0", "RUSTFLAGS": "-Awarnings"}
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target/mutants"), **fast}
    where = ["--lib"] if beside else ["--test", "rulings"]
    command = ["cargo", "test", "--quiet", *where, "--", *tests]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    if "test result: FAILED" in done.stdout:
        return "red"
    if done.returncode == 0 and " 0 passed" not in done.stdout:
        return "green"
    print(done.stdout + done.stderr, file=sys.stderr)
    return "broken"


def attempt(tree, entry):
    """Makes one change, runs its test, and takes the change back."""
    path = tree / entry["file"]
    text = path.read_text()
    if text.count(entry["old"]) != 1:
        return "out of date"
    path.write_text(text.replace(entry["old"], entry["new"]))
    try:
        # The rulings on matches are held beside the match runner.
        return run(tree, [entry["test"]], beside=entry["file"].startswith("src/tools/"))
    finally:
        path.write_text(text)


def main():
    """Tries the entries of the rulings that are named, or all."""
    chosen = [entry for entry in entries() if not sys.argv[1:] or entry["ruling"] in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory)
        copy_tree(tree)
        if run(tree, []) != "green":
            raise SystemExit("the tests are not green to begin with")
        missed = 0
        for entry in chosen:
            started = time.monotonic()
            result = attempt(tree, entry)
            missed += result != "red"
            print(f"{entry['ruling']:4} {result:6} {time.monotonic() - started:5.1f} s  {entry['test']}", flush=True)
        # What was seen was not left over from the mutation before.
        if run(tree, []) != "green":
            raise SystemExit("the tests are not green in the end")
    print(f"{len(chosen)} mutations, {missed} not seen")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
