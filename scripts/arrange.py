#!/usr/bin/env python3
"""Breeds arrangements of Omweso (O3) by self-play, and writes them for src/eval/weights.

Usage: scripts/arrange.py --out src/eval/weights/arrangements.txt [--engine target/release/empiki] [--rounds 600] [--nodes 20000] [--seed 1]

First arrangements and answers to them are bred against each other. A first arrangement is worth what it scores against the answers that hurt
it most, and an answer stays if it is among those that hurt some first arrangement most. A score is that of a search of the game that follows,
so the same request makes the same file. Two hundred rounds take some minutes.
"""

import argparse
import pathlib
import random

from clients.own import Engine

PITS, SEEDS, CAP = 16, 32, 10
FIRSTS, ANSWERS = 12, 24  # arrangements that are kept
TRIED = 12  # answers that are tried to a first arrangement in a round
HURT = 3  # answers that an arrangement's worth is the mean of
WON = 6400  # a proved win, in hundredths of a seed


class Judge:
    """Judges arrangements by what the engine says of the game that follows."""

    def __init__(self, engine, nodes):
        self.engine = engine
        self.nodes = nodes
        self.scores = {}

    def score(self, first, answer):
        """What the game is worth to the first player."""
        if (first, answer) not in self.scores:
            moves = " ".join("@" + "-".join(map(str, layout)) for layout in (first, answer))
            self.engine.send(f"ucinewgame\nposition startpos moves {moves}")
            words = self.engine.go(f"nodes {self.nodes}")[1].split()
            kind, value = words[words.index("score") + 1 :][:2]
            won = WON if int(value) > 0 else -WON
            self.scores[first, answer] = int(value) if kind == "cp" else won
        return self.scores[first, answer]


def strewn(dice):
    """A random arrangement: some heaps, and the rest strewn."""
    layout, left = [0] * PITS, SEEDS
    heaps = dice.randrange(4)
    while left > 0:
        pit = dice.randrange(PITS)
        handful = min(left, CAP - layout[pit], dice.randint(2, 10) if heaps > 0 else dice.randint(1, 4))
        heaps -= 1
        layout[pit] += handful
        left -= handful
    return tuple(layout)


def changed(layout, dice):
    """An arrangement that differs in a few seeds."""
    layout = list(layout)
    for _ in range(dice.randint(1, 4)):
        start, end = dice.randrange(PITS), dice.randrange(PITS)
        moved = min(layout[start], CAP - layout[end], dice.randint(1, 4)) if start != end else 0
        layout[start] -= moved
        layout[end] += moved
    return tuple(layout)


def bred(layouts, dice):
    """A new arrangement, mostly from one of these if there are any."""
    return changed(dice.choice(layouts), dice) if layouts and dice.random() < 0.8 else strewn(dice)


def worth(judge, first, answers, least=-WON):
    """The mean of the worst scores of a first arrangement; no more answers are asked once it is below `least`."""
    scores = []
    for answer in answers:
        scores = sorted(scores + [judge.score(first, answer)])[:HURT]
        if len(scores) == HURT and sum(scores) / HURT < least:
            break
    return sum(scores) / len(scores)


def hurting(judge, first, answers):
    """Answers to a first arrangement, those in front that hurt it most."""
    return sorted(answers, key=lambda answer: judge.score(first, answer))


def breed(judge, asked):
    """Breeds for so many rounds; the lines of the file."""
    dice = random.Random(asked.seed)
    firsts, answers = ([bred([], dice) for _ in range(count)] for count in (FIRSTS, ANSWERS))
    for done in range(1, asked.rounds + 1):
        # Answers to the best, and to another one so that the rest are tested too.
        for first in (firsts[0], dice.choice(firsts)):
            tried = hurting(judge, first, [bred(answers, dice) for _ in range(TRIED)])
            if tried[0] not in answers:
                answers.insert(0, tried[0])
        # Those come first that have hurt, so that a weak arrangement is soon given up.
        ranks = {answer: [] for answer in answers}
        for first in firsts:
            for rank, answer in enumerate(hurting(judge, first, answers)):
                ranks[answer].append(rank)
        answers = sorted(answers, key=lambda answer: (min(ranks[answer]), sum(ranks[answer])))[:ANSWERS]
        worths = {first: worth(judge, first, answers) for first in firsts}
        least = min(worths.values())
        new = [bred(firsts, dice) for _ in range(FIRSTS)]
        worths |= {first: worth(judge, first, answers, least) for first in new if first not in worths}
        firsts = sorted(worths, key=worths.get, reverse=True)[:FIRSTS]
        if done % 10 == 0 or done == asked.rounds:
            told = " ".join(f"{worths[first]:.0f}" for first in firsts)
            print(f"round {done} searches {len(judge.scores)} worths {told}", flush=True)
    ruleset = judge.engine.ask("state", "state")[-1].split()[3]
    made = f"rounds {asked.rounds} searches {len(judge.scores)} nodes {asked.nodes} seed {asked.seed}"
    kinds = (("first", firsts), ("answer", answers))
    return [f"ruleset {ruleset}", made] + [f"{kind} " + "-".join(map(str, of)) for kind, layouts in kinds for of in layouts]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="target/release/empiki")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    command = [asked.engine, "--option", "UCI_Variant=omweso", "--option", "Omweso_Arrangement=open", "--option", "Hash=4"]
    with Engine(command) as engine:
        lines = breed(Judge(engine, asked.nodes), asked)
    asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
