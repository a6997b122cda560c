#!/usr/bin/env python3
"""How long a client waits for the engine, measured at the pipe.

    cargo build --release
    scripts/latency.py [--times 1000] [--variant wuri] [--hash 1024] [--busy 2] [target/release/empiki]

For each game:
- stop: `go infinite`, a moment of search, `stop`; from the write to the arrival of `bestmove`
- isready and d: the same while a search runs, to `readyok` and to the last line of the drawing
- in one write: `stop`, `position` and `go infinite` together, to the `bestmove` of the search that ends
- movetime: `go movetime 50`, how much later than 50 ms its `bestmove` arrives

Prints percentiles in milliseconds, and ends with status 1 if a target is missed or a best move is missing or doubled. The
machine should be quiet but for the busy loops that are asked for: what runs beside is measured too, so the load is printed first.
With busy loops the targets are wider.
"""

import argparse
import contextlib
import os
import random
import subprocess
import sys
import time

from clients import own

SEARCH_SECONDS = (0.0, 0.02)
MOVETIME = 50
# What 99 of 100 delays stay below, in milliseconds: on a quiet machine, and beside busy loops.
STOP, QUESTION, OVERSHOOT = (2, 10), (5, 10), (10, 10)


class Engine(own.Engine):
    """The engine with a watch beside it, and a count of its best moves."""

    best_moves = 0

    def line(self):
        line = super().line()
        self.best_moves += line.startswith("bestmove ")
        return line

    def until_after(self, lines, last):
        """The seconds from the write of the lines to the arrival of the answer that begins with `last`."""
        sent = time.perf_counter()
        self.send(lines)
        self.until(last)
        return time.perf_counter() - sent

    def expect(self, best_moves, what):
        """All that was asked is answered, once each."""
        self.ask("isready", "readyok")
        if self.best_moves != best_moves:
            sys.exit(f"{what}: {self.best_moves} best moves instead of {best_moves}")
        self.best_moves = 0


@contextlib.contextmanager
def busy_loops(count):
    """So many processes that do nothing, as fast as they can; they end with this one, however it ends."""
    loop = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
    loops = [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def moment():
    time.sleep(random.uniform(*SEARCH_SECONDS))


def stops(engine, times):
    delays = []
    for _ in range(times):
        engine.send("go infinite")
        moment()
        delays.append(engine.until_after("stop", "bestmove "))
    engine.expect(times, "stop")
    return delays


def questions(engine, times, question, answer):
    engine.send("go infinite")
    delays = []
    for _ in range(times):
        time.sleep(0.002)
        delays.append(engine.until_after(question, answer))
    engine.until_after("stop", "bestmove ")
    engine.expect(1, question)
    return delays


def in_one_write(engine, times):
    engine.send("position startpos\ngo infinite")
    delays = []
    for _ in range(times):
        moment()
        delays.append(engine.until_after("stop\nposition startpos\ngo infinite", "bestmove "))
    engine.until_after("stop", "bestmove ")
    engine.expect(times + 1, "in one write")
    return delays


def overshoots(engine, times):
    delays = [engine.until_after(f"go movetime {MOVETIME}", "bestmove ") - MOVETIME / 1000 for _ in range(times)]
    engine.expect(times, "movetime")
    return delays


def show(variant, name, delays, target):
    """Prints one line of percentiles; tells whether 99 of 100 stay below the target, in milliseconds."""
    delays = sorted(1000 * delay for delay in delays)

    def percentile(percent):
        return delays[min(len(delays) - 1, int(len(delays) * percent / 100))]

    figures = "  ".join(f"{p}% {percentile(p):7.3f}" for p in (50, 90, 99, 99.9))
    met = percentile(99) < target
    verdict = f"99% < {target} ms: {'met' if met else 'MISSED'}"
    print(f"{variant:8} {name:14} n {len(delays):5}  {figures}  max {delays[-1]:7.3f}  {verdict}", flush=True)
    return met


def measure(engine, variant, times, busy):
    """Measures all of one game; tells whether the targets are met."""
    return all([
        show(variant, "stop", stops(engine, times), STOP[busy]),
        show(variant, "isready", questions(engine, times, "isready", "readyok"), QUESTION[busy]),
        show(variant, "d", questions(engine, times, "d", "South to move"), QUESTION[busy]),
        show(variant, "in one write", in_one_write(engine, times), STOP[busy]),
        show(variant, f"movetime {MOVETIME}", overshoots(engine, max(1, times // 5)), OVERSHOOT[busy]),
    ])


def main():
    """Measures each game that is asked for; the status is 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="target/release/empiki")
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--variant", action="append", help="once for each game; wuri and omweso by default")
    parser.add_argument("--hash", type=int, default=16, help="MiB of the transposition table")
    parser.add_argument("--busy", type=int, default=0, help="how many busy loops run beside the engine")
    arguments = parser.parse_args()
    met = True
    with busy_loops(arguments.busy):
        load = " ".join(f"{load:.2f}" for load in os.getloadavg())
        print(f"load {load}, {arguments.busy} busy loops, {os.cpu_count()} processors, Hash {arguments.hash}")
        for variant in arguments.variant or ["wuri", "omweso"]:
            with Engine([arguments.program]) as engine:
                engine.set_option("Hash", arguments.hash)
                engine.set_option("UCI_Variant", variant)
                met &= measure(engine, variant, arguments.times, arguments.busy > 0)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
