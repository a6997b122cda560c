#!/usr/bin/env python3
"""What a large Hash costs: the time until it is there and until it is empty again, and the memory that is really taken.

    cargo build --release
    scripts/memory.py [--hash 1024] [--seconds 10] [--variant wuri] [target/release/empiki]

- ready: `setoption name Hash` and `isready` together, to `readyok`
- new game: `ucinewgame` and `isready` together, once a search of some seconds has filled the table
- resident: what the process holds once the table is filled, and the most that it ever held, with the Hash resized in between

Prints milliseconds and MiB, and ends with status 1 if a target is missed. Memory is read from /proc, and left out where there is
none.
"""

import argparse
import pathlib
import sys
import time

from clients.own import Engine

READY, NEW_GAME = 1500, 150  # milliseconds at Hash 1024
BESIDE = 32  # MiB that everything but the table may take


def told(what, value, unit, limit):
    """Prints one line; tells whether the value is within its limit."""
    met = value <= limit
    print(f"{what:32} {value:8.1f} {unit:3}  at most {limit}: {'met' if met else 'MISSED'}", flush=True)
    return met


def waited(engine, lines):
    """The milliseconds from the write of these lines to `readyok`."""
    sent = time.perf_counter()
    engine.ask(f"{lines}\nisready", "readyok")
    return 1000 * (time.perf_counter() - sent)


def memory(engine):
    """What the process holds and the most that it held, in MiB; nothing where the system does not tell."""
    status = pathlib.Path(f"/proc/{engine.process.pid}/status")
    if not status.exists():
        return {}
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return {name: int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")}


def measure(engine, sizes, seconds):
    """Goes through these sizes of the table one by one and fills each; yields whether each target is met."""
    for size in sizes:
        yield told(f"Hash {size}: ready", waited(engine, f"setoption name Hash value {size}"), "ms", READY)
        engine.go(f"movetime {1000 * seconds}")
        held = memory(engine)
        if held:
            yield told(f"Hash {size}: resident, filled", held["VmRSS"], "MiB", size + BESIDE)
            yield told(f"Hash {size}: resident, at most", held["VmHWM"], "MiB", max(sizes) + BESIDE)
        yield told(f"Hash {size}: new game", waited(engine, "ucinewgame"), "ms", NEW_GAME)


def main():
    """Measures; the status is 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="target/release/empiki")
    parser.add_argument("--hash", type=int, default=1024, help="MiB of the transposition table")
    parser.add_argument("--seconds", type=int, default=10, help="how long each search fills it")
    parser.add_argument("--variant", default="wuri")
    arguments = parser.parse_args()
    # A table that is resized while the old one is still held would show at a size that is nearly the same.
    sizes = [arguments.hash, arguments.hash - arguments.hash // 8, arguments.hash]
    with Engine([arguments.program]) as engine:
        engine.set_option("UCI_Variant", arguments.variant)
        met = list(measure(engine, sizes, arguments.seconds))
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
