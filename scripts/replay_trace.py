#!/usr/bin/env python3
"""Replays what `trace` tells, move by move, and holds the board against the position that it names.

Usage: scripts/replay_trace.py [--engine target/release/empiki] [--moves 10000] [--seed 1] [VARIANT ...]

Random games are played through pipes. `replay` below knows no rule of any game: it moves seeds as the steps say. Never-ending
turns are told in part only, so they are left out; how many there were is printed. Python 3, standard library only.
"""

import argparse
import random
import subprocess
import sys

PITS = {"wuri": 6, "urim": 6, "urim7": 7, "omweso": 16, "kimasai": 16}
FULL = 17  # what a pit holds that `step skip` names, once it is passed over


def replay(pits, stores, circle, mover, steps):
    """Moves the seeds of one turn; `circle` is the mover's way round, counter-clockwise."""
    lifts, skipped, two_rows = True, set(), len(pits) < 32
    for word, *rest in steps:
        lifts |= word == "relay"
        if word == "skip":
            skipped.add(rest[0])
        elif word == "reserve":
            stores[mover], pits[rest[0]] = stores[mover] - 1, pits[rest[0]] + 1
        elif word == "split":
            pits[circle[circle.index(rest[0]) - 1]] = 0
            pits[rest[0]], pits[rest[2]] = pits[rest[0]] + 2, pits[rest[2]] + 1
        elif word == "capture":
            for pit in rest[::2]:
                stores[mover], pits[pit] = stores[mover] + pits[pit] * two_rows, 0
        elif word == "lap":
            way = circle if rest[2] == "ccw" else circle[::-1]
            pits[rest[0]], at, lifts = 0 if lifts else pits[rest[0]], way.index(rest[0]), False
            for _ in range(int(rest[1])):
                at = (at + 1) % len(way)
                while two_rows and (way[at] == rest[0] or way[at] in skipped and pits[way[at]] == FULL):
                    at = (at + 1) % len(way)
                pits[way[at]] += 1


def read_token(token, letters):
    """The pits by letter, the two stores or reserves, and the mover of a token."""
    fields = token.split("-")
    numbers = [int(field) for field in fields[: len(letters) + 2]]
    return dict(zip(letters, numbers)), numbers[-2:], "SN".index(fields[len(letters) + 2])


class Engine:
    """A running engine that is asked one question at a time."""

    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question, last):
        """Sends lines and gives the answers down to the one that begins with `last`."""
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        answers = []
        while not answers or not answers[-1].startswith(last):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the engine ended at: {question}")
            answers.append(line.rstrip("\n"))
        return answers

    def quit(self):
        """Ends the engine."""
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        self.process.wait()


def circle_of(variant, mover):
    """The mover's way round the board, counter-clockwise."""
    if PITS[variant] < 16:
        letters = "ABCDEFG"[: PITS[variant]]
        return letters + letters.lower()
    ring = "IJKLMNOPHGFEDCBA"
    return ring.lower() if mover else ring


def check(variant, before, told):
    """Replays one trace; tells whether it was whole, and ends the run if it leads elsewhere."""
    steps = [line.split()[1:] for line in told if line.startswith("step ")]
    if any(step[0] == "endless" for step in steps):
        return False
    south = "ABCDEFGHIJKLMNOP"[: PITS[variant]]
    letters = south + south.lower()
    pits, stores, mover = read_token(before, letters)
    wanted = read_token(told[-1].split()[-1], letters)
    replay(pits, stores, circle_of(variant, mover), mover, steps)
    if pits != wanted[0] or (variant != "omweso" and stores != wanted[1]):
        raise SystemExit("\n".join([f"{variant}: the replay of {before} differs, it has {pits} {stores}"] + told))
    return True


def run(engine, variant, moves, dice):
    """Plays and replays so many moves of a variant."""
    engine.ask(f"setoption name UCI_Variant value {variant}\nisready", "readyok")
    replayed = endless = games = 0
    token, legal = None, []
    while replayed < moves:
        if not legal:
            games += 1
            *_, fen, answer = engine.ask("position startpos\nfen\nlegalmoves", "legalmoves")
        else:
            move = dice.choice(legal)
            *told, fen, answer = engine.ask(f"trace {move}\nmoves {move}\nfen\nlegalmoves", "legalmoves")
            whole = check(variant, token, told)
            replayed, endless = replayed + whole, endless + (not whole)
            if told[-1].split()[-1] != fen.split()[1]:
                raise SystemExit(f"{variant}: {told[-1]}, but the move leads to {fen}")
        token, legal = fen.split()[1], answer.split()[1:]
    print(f"{variant}: {replayed} moves of {games} games replayed, {endless} never-ending ones left out")


def main():
    """Replays random games of each variant that is named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/empiki")
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    arguments = parser.parse_args()
    engine = Engine(arguments.engine)
    dice = random.Random(arguments.seed)
    for variant in arguments.variants or PITS:
        run(engine, variant, arguments.moves, dice)
    engine.quit()


if __name__ == "__main__":
    sys.exit(main())
