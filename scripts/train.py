#!/usr/bin/env python3
"""Trains the learned evaluation of one ruleset on what `empiki datagen` wrote, and writes its weights for src/eval/weights.

Usage: scripts/train.py RULESET DATA... --out src/eval/weights/RULESET.txt [--lanes 8] [--blend 0.7] [--epochs 20] [--seed 1]

The network is that of src/eval/net.rs. Each slot (a pit, a store or a reserve) has a row of weights for each
count; the rows of a position are summed into lanes, the first lane counts as it is, the others are clipped to 0..1, and their
weighted sum is what the position is worth beyond the difference of the seeds. It is trained to foretell a blend of the search's
score and of the game's end, both as a share of the win. Needs numpy and scipy; a million positions take about a minute.
"""

import argparse
import pathlib

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix

ONE = 1024  # what stands for 1 in a lane
PROVED = 20000  # the score of a proved win
FEWEST = 300  # a count that is reached in fewer positions shares the row of the counts below
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


def difference(counts, pits):
    """The mover's seeds less the other's: those in stores, or on four rows those on the sides and in reserve."""
    extra = counts[:, pits] - counts[:, pits + 1] if counts.shape[1] > pits else 0
    if pits < 32:
        return extra
    return extra + counts[:, : pits // 2].sum(1) - counts[:, pits // 2 : pits].sum(1)


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
    """Adam with a rate that falls to nothing."""
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
    return weights


def whole(weights, tops, scale):
    """The weights as whole numbers: rows by slot, with the bias in those of the first slot, then the outputs and theirs."""
    rows, bias, out = weights
    rows = rows.copy()
    rows[: tops[0] + 1] += bias[:-1]
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
    data = dice.permutation(np.concatenate(parts))
    pits = int(heads[0]["pits"])
    # The last two counts of Omweso are about okwesera alone.
    slots = pits if asked.ruleset.startswith("omweso") else pits + 2
    counts, scores, points = data[:, :slots], data[:, pits + 2], data[:, pits + 3]
    result = (np.sign(points) + 1) / 2
    fair = np.abs(scores) < PROVED
    fit = minimize_scalar(lambda k: entropy(sigmoid(scores[fair] / k), result[fair]), bounds=(50, 20000), method="bounded")
    scale = fit.x
    wanted = (asked.blend * sigmoid(scores / scale) + (1 - asked.blend) * result).astype(np.float32)
    known = (100 * difference(data[:, :slots], pits) / scale).astype(np.float32)
    tops = [max(1, int(np.sort(column)[-FEWEST])) for column in counts.T]
    starts = np.cumsum([0] + [top + 1 for top in tops])
    columns = (np.minimum(counts, tops) + starts[:-1]).astype(np.int32)
    kept = len(data) // 20
    weights = train(columns[kept:], starts[-1], known[kept:], wanted[kept:], asked.lanes, asked.epochs, dice)
    share = forward(weights, matrix(columns[:kept], starts[-1]), known[:kept])[2]
    loss, floor = entropy(share, wanted[:kept]), entropy(wanted[:kept], wanted[:kept])
    rows, out, bias = whole(weights, tops, scale)
    told = [f"ruleset {asked.ruleset}"]
    told += ["data " + " ".join(f"{key} {head[key]}" for key in ("games", "seed", "nodes", "plies")) for head in heads]
    told += [f"positions {len(data)} lanes {asked.lanes} blend {asked.blend} epochs {asked.epochs} seed {asked.seed}"]
    told += [f"scale {scale:.1f} loss {loss:.5f} least {floor:.5f}"]
    print("\n".join(told))
    lines = told + ["weights"]
    for top, start in zip(tops, starts):
        lines += [str(top + 1)] + [" ".join(map(str, row)) for row in rows[start : start + top + 1]]
    lines += [" ".join(map(str, out)), str(bias)]
    asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
