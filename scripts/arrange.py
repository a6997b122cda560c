#!/usr/bin/env python3
"""Breeds arrangements of Omweso (O3) by self-play, and writes them for src/eval/weights.

Usage: scripts/arrange.py --out src/eval/weights/arrangements.txt [--engine target/release/empiki] [--rounds 600] [--nodes 20000] [--seed 1]

First arrangements and answers to them are bred against each other. A first arrangement is worth what it scores against the answers that hurt
it most, and an answer stays if it is among those that hurt some first arrangement most. A score is that of a search of the game that follows,
so the same request makes the same file. Two hundred rounds take some minutes. Nobody captures in his first turn (O13), so who has a first turn
that never ends (O15) can always have the game annulled: there are such arrangements, and none of them is taken.
"""

import argparse
import pathlib
import random
import subprocess

PITS, SEEDS, CAP = 16, 32, 10
FIRSTS, ANSWERS = 12, 24  # arrangements that are kept
TRIED = 12  # answers that are tried to a first arrangement in a round
HURT = 3  # answers that an arrangement's worth is the mean of
WON = 6400  # a proved win, in hundredths of a seed


class Engine:
    """Empiki as the judge of arrangements."""

    def __init__(self, command, nodes):
        options = ["UCI_Variant=omweso", "Omweso_Arrangement=open", "Hash=4"]
        words = [command] + [word for option in options for word in ("--option", option)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.nodes = nodes
        self.scores = {}
        self.ends = {}
        self.ruleset = next(line.split()[3] for line in self.ask("state", "state") if line.startswith("state"))

    def ask(self, command, last):
        """The lines of a reply, to the one that begins with `last`."""
        print(command, file=self.process.stdin, flush=True)
        lines = []
        while not lines or not lines[-1].startswith(last):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the engine ended at: {command}")
            lines.append(line.strip())
        return lines

    def begins(self, first, answer):
        """Sets up the game that follows."""
        moves = " ".join("@" + "-".join(map(str, layout)) for layout in (first, answer))
        return f"ucinewgame\nposition startpos moves {moves}"

    def ends_first_turns(self, layout):
        """Whether each first turn of this arrangement ends, whatever the other one is."""
        if layout not in self.ends:
            # The search waits for the answer before it.
            lines = self.ask(f"{self.begins(layout, (2,) * PITS)}\nendless\ngo nodes 1", "bestmove")
            self.ends[layout] = all(line.endswith(" no") for line in lines if line.startswith("endless "))
        return self.ends[layout]

    def score(self, first, answer):
        """What the game is worth to the first player."""
        if (first, answer) not in self.scores:
            lines = self.ask(f"{self.begins(first, answer)}\ngo nodes {self.nodes}", "bestmove")
            words = next(line for line in reversed(lines) if " score " in line).split()
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


def bred(engine, layouts, dice):
    """A new arrangement, mostly from one of these if there are any."""
    while True:
        layout = changed(dice.choice(layouts), dice) if layouts and dice.random() < 0.8 else strewn(dice)
        if engine.ends_first_turns(layout):
            return layout


def worth(engine, first, answers, least=-WON):
    """The mean of the worst scores of a first arrangement; no more answers are asked once it is below `least`."""
    scores = []
    for answer in answers:
        scores = sorted(scores + [engine.score(first, answer) or -WON])[:HURT]
        if len(scores) == HURT and sum(scores) / HURT < least:
            break
    return sum(scores) / len(scores)


def hurting(engine, first, answers):
    """Answers to a first arrangement, those in front that hurt it most."""
    return sorted(answers, key=lambda answer: engine.score(first, answer) or WON)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="target/release/empiki")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    dice = random.Random(asked.seed)
    engine = Engine(asked.engine, asked.nodes)
    firsts, answers = ([bred(engine, [], dice) for _ in range(count)] for count in (FIRSTS, ANSWERS))
    for done in range(1, asked.rounds + 1):
        # Answers to the best, and to another one so that the rest are tested too.
        for first in (firsts[0], dice.choice(firsts)):
            tried = hurting(engine, first, [bred(engine, answers, dice) for _ in range(TRIED)])
            if tried[0] not in answers:
                answers.insert(0, tried[0])
        # Those come first that have hurt, so that a weak arrangement is soon given up.
        ranks = {answer: [] for answer in answers}
        for first in firsts:
            for rank, answer in enumerate(hurting(engine, first, answers)):
                ranks[answer].append(rank)
        answers = sorted(answers, key=lambda answer: (min(ranks[answer]), sum(ranks[answer])))[:ANSWERS]
        least = min(worth(engine, first, answers) for first in firsts)
        new = [bred(engine, firsts, dice) for _ in range(FIRSTS)]
        worths = {first: worth(engine, first, answers) for first in firsts}
        worths |= {first: worth(engine, first, answers, least) for first in new if first not in worths}
        firsts = sorted(worths, key=worths.get, reverse=True)[:FIRSTS]
        if done % 10 == 0 or done == asked.rounds:
            told = " ".join(f"{worths[first]:.0f}" for first in firsts)
            print(f"round {done} searches {len(engine.scores)} worths {told}", flush=True)
    lines = [f"ruleset {engine.ruleset}", f"rounds {asked.rounds} searches {len(engine.scores)} nodes {asked.nodes} seed {asked.seed}"]
    for kind, layouts in (("first", firsts), ("answer", answers)):
        lines += [f"{kind} " + "-".join(map(str, layout)) for layout in layouts]
    asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
