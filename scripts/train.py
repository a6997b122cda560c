#!/usr/bin/env python3
"""Trains the learned evaluation of one ruleset on what `empiki datagen` wrote, and writes its weights for src/eval/weights.

Usage: scripts/train.py RULESET DATA... --out src/eval/weights/RULESET.txt [--lanes 8] [--blend 0.7] [--epochs 20] [--seed 1]

The network is that of src/eval/net.rs. Each slot (a pit, a store, a reserve, or on four rows a column of two pits) has a row of weights for
each number in it; the rows of a position are summed into lanes, the first lane counts as it is, the others are clipped to 0..1, and their
weighted sum is what the position is worth beyond the difference of the seeds. It is trained to foretell a blend of the search's
score and of the game's end, both as a share of the win. Needs numpy and scipy; a million positions take about a minute.

    empiki datagen --variant wuri --games 10000 --nodes 1000 --seed 1 --out wuri.txt
    empiki datagen --variant omweso --games 40000 --openings tests/data/openings/omweso.txt --out omweso.txt
    python3 scripts/train.py wuri wuri.txt --out src/eval/weights/wuri.txt

`datagen` plays games of the engine against itself and writes their positions, each with the score of a search and the
result of the game. The same request makes the same file, with any number of threads. Ten thousand games of Wuri are some
800,000 positions and take a few minutes. Files of several generations may be mixed: each is fitted to the scale of the
evaluation that made it. Data of another ruleset are refused. The next build of the engine has the new weights; keep them
only if `scripts/sprt.sh` says that they play better.
"""

import argparse
import pathlib

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix

ONE = 1024  # what stands for 1 in a lane
PROVED = 20000  # the score of a proved win
COUNTS = 64  # rows of a slot: the numbers that can stand in it
FEWEST = 300  # a number that stands in fewer positions shares the row of one with fewer seeds
COLUMN = 7  # a pit of a column counts as no more than this
BATCH = 8192


def read(path, ruleset):
    """The head of a file as a dictionary, and its lines as a matrix."""
    with open(path, encoding="utf-8") as file:
        words = file.readline().split()
        if words[:2] != ["empiki-data", "1"]:
            raise SystemExit(f"{path}: no data of `empiki datagen`")
        head = dict(zip(words[2::2], words[3::2]))
        if head["ruleset"] != ruleset:
            raise SystemExit(f"{path}: ruleset {head['ruleset']}: wanted {ruleset}")
        values = np.fromstring(file.read(), dtype=np.int32, sep=" ")
    return head, values.reshape(-1, int(head["pits"]) + 5)


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def entropy(share, wanted):
    share = np.clip(share, 1e-6, 1 - 1e-6)
    return -np.mean(wanted * np.log(share) + (1 - wanted) * np.log(1 - share))


def fitted(values, result):
    """The scale by which values, in hundredths of a seed, foretell the result best."""
    loss = lambda scale: entropy(sigmoid(values / scale), result)
    return minimize_scalar(loss, bounds=(50, 20000), method="bounded").x


def aim(data, pits, blend):
    """The share that is wanted of each position of a file. Its scores have a scale of their own: that of the evaluation that made them."""
    scores, result = data[:, pits + 2], (np.sign(data[:, pits + 3]) + 1) / 2
    fair = np.abs(scores) < PROVED
    return blend * sigmoid(scores / fitted(scores[fair], result[fair])) + (1 - blend) * result


def difference(counts, pits):
    """The mover's seeds less the other's: those in stores, or on four rows those on the sides and in reserve."""
    extra = counts[:, pits] - counts[:, pits + 1] if counts.shape[1] > pits else 0
    if pits < 32:
        return extra
    return extra + counts[:, : pits // 2].sum(1) - counts[:, pits // 2 : pits].sum(1)


def slots(counts, pits):
    """The numbers in the slots of each position, and for each slot and number the one with fewer seeds, as in src/eval/net.rs."""
    number = np.arange(COUNTS)
    less = np.maximum(number - 1, 0)
    if pits < 32:
        return counts, [less] * counts.shape[1]
    pit = np.minimum(counts[:, :pits], COLUMN)
    sides = [pit[:, side : side + 8] + 8 * pit[:, side + 15 : side + 7 : -1] for side in (0, 16)]
    front, back = number % 8, number // 8
    fewer = np.where(front > back, number - 1, np.maximum(number - 8, 0))
    return np.hstack(sides + [counts[:, pits:]]), [fewer] * 16 + [less] * (counts.shape[1] - pits)


def shared(numbers, fewer):
    """For each number in a slot the one whose row it has: itself, or one with fewer seeds where it is rare."""
    seen = np.bincount(numbers, minlength=COUNTS)
    row = np.arange(COUNTS)
    # Those with fewer seeds come first, so each is settled before it is asked for.
    for number in range(1, COUNTS):
        if seen[number] < FEWEST:
            row[number] = row[fewer[number]]
    return row


def matrix(columns, width):
    """One row a position, with a 1 in each of its columns."""
    count, slots = columns.shape
    starts = np.arange(0, count * slots + 1, slots, dtype=np.int32)
    return csr_matrix((np.ones(count * slots, np.float32), columns.ravel(), starts), shape=(count, width))


def forward(weights, inputs, known):
    """The lanes, the clipped lanes, and the expected share."""
    rows, bias, out = weights
    lanes = inputs @ rows + bias[:-1]
    clipped = np.clip(lanes, 0, 1)
    clipped[:, 0] = lanes[:, 0]
    return lanes, clipped, sigmoid(known + clipped @ out + bias[-1])


def gradient(weights, inputs, known, wanted):
    lanes, clipped, share = forward(weights, inputs, known)
    error = ((share - wanted) / len(wanted)).astype(np.float32)
    below = np.outer(error, weights[2])
    below[:, 1:] *= (lanes[:, 1:] > 0) & (lanes[:, 1:] < 1)
    return [inputs.T @ below, np.append(below.sum(0), error.sum()).astype(np.float32), clipped.T @ error]


def train(columns, width, known, wanted, hidden, epochs, dice):
    """Adam with a rate that falls to nothing. Rows are held so small that the sum of any fits in a lane."""
    largest = 32767 / ONE / (columns.shape[1] + 1)
    weights = [
        dice.normal(0, 0.1, (width, hidden)).astype(np.float32),
        np.append(np.full(hidden, 0.5), 0).astype(np.float32),
        np.where(np.arange(hidden) % 2, 1, -1).astype(np.float32),
    ]
    weights[0][:, 0] = weights[1][0] = 0
    first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    steps, step = epochs * (len(wanted) // BATCH), 0
    for _ in range(epochs):
        for start in range(0, len(wanted) - BATCH + 1, BATCH):
            batch = slice(start, start + BATCH)
            parts = gradient(weights, matrix(columns[batch], width), known[batch], wanted[batch])
            step += 1
            rate = 0.01 * (1 - step / (steps + 1)) * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            for w, m, v, g in zip(weights, first, second, parts):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                w -= rate * m / (np.sqrt(v) + 1e-8)
            np.clip(weights[0], -largest, largest, out=weights[0])
            np.clip(weights[1][:-1], -largest, largest, out=weights[1][:-1])
    return weights


def whole(weights, scale):
    """The weights as whole numbers: the rows of each slot, with the bias in those of the first, then the outputs and theirs."""
    rows, bias, out = weights
    rows = rows.reshape(-1, COUNTS, len(out)).copy()
    rows[0] += bias[:-1]
    rows = np.rint(rows * ONE).astype(int)
    out = np.rint(out * scale).astype(int)
    if np.abs(out).max() > 32767:
        raise SystemExit("a weight is too large for its lane")
    return rows, out, int(np.rint(bias[-1] * scale))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ruleset")
    parser.add_argument("data", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--lanes", type=int, default=8)
    parser.add_argument("--blend", type=float, default=0.7)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    dice = np.random.default_rng(asked.seed)
    heads, parts = zip(*(read(path, asked.ruleset) for path in asked.data))
    pits = int(heads[0]["pits"])
    order = dice.permutation(sum(map(len, parts)))
    data = np.concatenate(parts)[order]
    wanted = np.concatenate([aim(part, pits, asked.blend) for part in parts])[order].astype(np.float32)
    # The last two counts of Omweso are about okwesera alone.
    counts = data[:, : pits if asked.ruleset.startswith("omweso") else pits + 2]
    seeds = 100 * difference(counts, pits)
    scale = fitted(seeds, wanted)
    known = (seeds / scale).astype(np.float32)
    numbers, fewer = slots(counts, pits)
    row = np.array([shared(*slot) for slot in zip(numbers.T, fewer)])
    slot = np.arange(len(row))
    columns = (row[slot, numbers] + COUNTS * slot).astype(np.int32)
    width = row.size
    kept = len(data) // 20
    weights = train(columns[kept:], width, known[kept:], wanted[kept:], asked.lanes, asked.epochs, dice)
    share = forward(weights, matrix(columns[:kept], width), known[:kept])[2]
    loss, floor = entropy(share, wanted[:kept]), entropy(wanted[:kept], wanted[:kept])
    rows, out, bias = whole(weights, scale)
    told = [f"ruleset {asked.ruleset}"]
    told += ["data " + " ".join(f"{key} {head[key]}" for key in ("games", "seed", "nodes", "plies")) for head in heads]
    told += [f"positions {len(data)} lanes {asked.lanes} blend {asked.blend} epochs {asked.epochs} seed {asked.seed}"]
    told += [f"scale {scale:.1f} loss {loss:.5f} least {floor:.5f}"]
    print("\n".join(told))
    lines = told + ["weights"]
    for of, own in zip(row, rows):
        # The last row that is written counts for all higher numbers too.
        most = COUNTS
        while most > 1 and of[most - 2] == of[most - 1]:
            most -= 1
        lines += [str(most)] + [" ".join(map(str, own[of[number]])) for number in range(most)]
    lines += [" ".join(map(str, out)), str(bias)]
    asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
