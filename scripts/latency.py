#!/usr/bin/env python3
"""How long a client waits for the engine, measured at the pipe.

    cargo build --release
    scripts/latency.py [--times 1000] [--variant wuri] [target/release/empiki]

For each game:
- stop: `go infinite`, a moment of search, `stop`; from the write to the arrival of `bestmove`
- isready and d: the same while a search runs, to `readyok` and to the last line of the drawing
- in one write: `stop`, `position` and `go infinite` together, to the `bestmove` of the search that ends
- movetime: `go movetime 50`, how much later than 50 ms its `bestmove` arrives

Prints percentiles in milliseconds, and ends with status 1 if a target is missed or a best move is missing or doubled. The
machine should be quiet: what runs beside is measured too, so the load is printed first.
"""

import argparse
import os
import random
import subprocess
import sys
import threading
import time

PATIENCE = 60.0
SEARCH_SECONDS = (0.0, 0.02)
MOVETIME = 50


class Engine:
    """The engine as a child; lines are read as they come, each with the time of its arrival."""

    def __init__(self, program, variant):
        self.child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        # A search that never answers is to end the measurement, not to hang it.
        self.watchdog = threading.Timer(3600, self.child.kill)
        self.watchdog.daemon = True
        self.watchdog.start()
        self.rest = b""
        self.best_moves = 0
        self.send(f"setoption name UCI_Variant value {variant}")
        self.ready()

    def send(self, lines):
        """Writes in one go; returns the time just before."""
        data = (lines + "\n").encode()
        now = time.perf_counter()
        self.child.stdin.write(data)
        return now

    def line(self):
        while b"\n" not in self.rest:
            chunk = os.read(self.child.stdout.fileno(), 65536)
            if not chunk:
                sys.exit("the engine is gone")
            self.rest += chunk
        line, self.rest = self.rest.split(b"\n", 1)
        self.best_moves += line.startswith(b"bestmove ")
        return line

    def until(self, start):
        """Reads to a line with this start; returns the time of its arrival."""
        while not self.line().startswith(start):
            pass
        return time.perf_counter()

    def ready(self):
        return self.until_after("isready", b"readyok")

    def until_after(self, lines, start):
        sent = self.send(lines)
        return self.until(start) - sent

    def expect(self, best_moves, what):
        """All that was asked is answered, once each."""
        self.ready()
        if self.best_moves != best_moves:
            sys.exit(f"{what}: {self.best_moves} best moves instead of {best_moves}")
        self.best_moves = 0

    def quit(self):
        self.send("quit")
        self.child.wait(PATIENCE)
        self.watchdog.cancel()


def moment():
    time.sleep(random.uniform(*SEARCH_SECONDS))


def stops(engine, times):
    delays = []
    for _ in range(times):
        engine.send("go infinite")
        moment()
        delays.append(engine.until_after("stop", b"bestmove "))
    engine.expect(times, "stop")
    return delays


def questions(engine, times, question, answer):
    engine.send("go infinite")
    delays = []
    for _ in range(times):
        time.sleep(0.002)
        delays.append(engine.until_after(question, answer))
    engine.until_after("stop", b"bestmove ")
    engine.expect(1, question)
    return delays


def in_one_write(engine, times):
    engine.send("position startpos\ngo infinite")
    delays = []
    for _ in range(times):
        moment()
        delays.append(engine.until_after("stop\nposition startpos\ngo infinite", b"bestmove "))
    engine.until_after("stop", b"bestmove ")
    engine.expect(times + 1, "in one write")
    return delays


def overshoots(engine, times):
    delays = [engine.until_after(f"go movetime {MOVETIME}", b"bestmove ") - MOVETIME / 1000 for _ in range(times)]
    engine.expect(times, "movetime")
    return delays


def show(variant, name, delays, target=None):
    """Prints one line of percentiles; tells whether the target, (percent, milliseconds), is met."""
    delays = sorted(1000 * delay for delay in delays)

    def percentile(percent):
        return delays[min(len(delays) - 1, int(len(delays) * percent / 100))]

    figures = "  ".join(f"{p}% {percentile(p):7.3f}" for p in (50, 90, 99, 99.9))
    met = target is None or percentile(target[0]) < target[1]
    verdict = "" if target is None else f"  {target[0]}% < {target[1]} ms: {'met' if met else 'MISSED'}"
    print(f"{variant:8} {name:14} n {len(delays):5}  {figures}  max {delays[-1]:7.3f}{verdict}", flush=True)
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="target/release/empiki")
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--variant", action="append", help="once for each game; wuri and omweso by default")
    arguments = parser.parse_args()
    times = arguments.times
    print(f"load {' '.join(f'{load:.2f}' for load in os.getloadavg())}, {os.cpu_count()} processors")
    met = True
    for variant in arguments.variant or ["wuri", "omweso"]:
        engine = Engine(arguments.program, variant)
        met &= show(variant, "stop", stops(engine, times), (99, 2))
        met &= show(variant, "isready", questions(engine, times, "isready", b"readyok"), (99, 5))
        met &= show(variant, "d", questions(engine, times, "d", b"South to move"), (99, 5))
        met &= show(variant, "in one write", in_one_write(engine, times), (99, 2))
        met &= show(variant, f"movetime {MOVETIME}", overshoots(engine, max(1, times // 10)))
        engine.quit()
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
