#!/usr/bin/env python3
"""Replays what `trace` tells, move by move, and holds the board against the position that it names.

Usage: scripts/replay_trace.py [--engine target/release/empiki] [--moves 10000] [--seed 1] [VARIANT ...]

Random games are played through pipes, every second one of two rows from a random position. `replay` below knows no rule of any game: it moves seeds as the steps say. Never-ending
turns are told in part only, so they are left out; how many there were is printed. Python 3, standard library only.
"""

import argparse
import collections
import random
import sys
from itertools import cycle, filterfalse, islice

from clients.own import Engine

PITS = {"wuri": 6, "urim": 6, "urim7": 7, "omweso": 16, "kimasai": 16}
FULL = 17  # what a pit holds that `step skip` names, once it is passed over


def replay(pits, stores, circle, mover, steps):
    """Moves the seeds of one turn; `circle` is the mover's way round, counter-clockwise."""
    lifts, skipped, two_rows = True, set(), len(pits) < 32
    for word, pit, *rest in (step for step in steps if len(step) > 1):
        if word == "skip":
            skipped.add(pit)
        elif word == "reserve":
            stores[mover], pits[pit] = stores[mover] - 1, pits[pit] + 1
        elif word == "split":
            pits[circle[circle.index(pit) - 1]], pits[pit], pits[rest[1]] = 0, pits[pit] + 2, pits[rest[1]] + 1
        elif word == "capture":
            for taken in [pit, *rest[1::2]]:
                stores[mover], pits[taken] = stores[mover] + pits[taken] * two_rows, 0
        elif word == "lap":
            way = circle if rest[1] == "ccw" else circle[::-1]
            pits[pit], after = 0 if lifts else pits[pit], way.index(pit) + 1
            passes = lambda at: two_rows and (at == pit or at in skipped and pits[at] == FULL)
            for at in islice(filterfalse(passes, cycle(way[after:] + way[:after])), int(rest[0])):
                pits[at] += 1
        lifts = word == "relay" or lifts and word != "lap"


def read_token(token, letters):
    """The pits by letter, the two stores or reserves, and the mover of a token."""
    fields = token.split("-")
    numbers = [int(field) for field in fields[: len(letters) + 2]]
    return dict(zip(letters, numbers)), numbers[-2:], "SN".index(fields[len(letters) + 2])


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


def crowded(variant, dice):
    """A position of two rows with its seeds in few pits, where full pits are in the way; none for the other games."""
    if PITS[variant] == 16:
        return "startpos"
    pits, total = 2 * PITS[variant], {"wuri": 48, "urim": 36, "urim7": 42}[variant]
    counts, used = [0] * pits, dice.sample(range(pits), dice.randint(2, 6))
    for _ in range(total - dice.randrange(8)):
        pit = dice.choice(used)
        counts[pit] += counts[pit] < FULL
    rest = total - sum(counts)
    return "fen " + "-".join(map(str, counts + [rest // 2, rest - rest // 2])) + "-" + dice.choice("SN")


def run(engine, variant, moves, dice):
    """Plays and replays so many moves of a variant."""
    engine.set_option("UCI_Variant", variant)
    replayed = endless = games = 0
    kinds = collections.Counter()
    token, legal = None, []
    while replayed < moves:
        if not legal:
            games += 1
            start = crowded(variant, dice) if games % 2 == 0 else "startpos"
            *_, fen, answer = engine.ask(f"position {start}\nfen\nlegalmoves", "legalmoves")
        else:
            move = dice.choice(legal)
            *told, fen, answer = engine.ask(f"trace {move}\nmoves {move}\nfen\nlegalmoves", "legalmoves")
            whole = check(variant, token, told)
            kinds.update(line.split()[1] for line in told if line.startswith("step "))
            replayed, endless = replayed + whole, endless + (not whole)
            if told[-1].split()[-1] != fen.split()[1]:
                raise SystemExit(f"{variant}: {told[-1]}, but the move leads to {fen}")
        token, legal = fen.split()[1], answer.split()[1:]
    steps = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{variant}: {replayed} moves of {games} games replayed, {endless} never-ending ones left out; {steps}")


def main():
    """Replays random games of each variant that is named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/empiki")
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    with Engine([arguments.engine]) as engine:
        for variant in arguments.variants or PITS:
            run(engine, variant, arguments.moves, dice)


if __name__ == "__main__":
    sys.exit(main())
