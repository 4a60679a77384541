"""Fits the weights of evaluate.py to the results of games: one logistic regression, a small ridge.

    python -m expendibots_agent.train.selfplay /tmp/games.txt --games 700 --nodes 500 --seed 1
    python -m expendibots_agent.train.fit /tmp/games.txt

Prints the weights, and how well games that were left out are foretold with each of them missing.
"""

import argparse
import os
from typing import List, Optional, Tuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from referee.view.progress import track

from ..evaluate import WEIGHTS, material
from ..sides import mixed, side
from .selfplay import BY_HAND, alike

# What these commands print.
FITTED = alike(
    {
        "tokens": -1200,
        "share": 31000,
        "area": 36.1,
        "pairs": -11300,
        "stacks": -888,
        "exposed": -62.6,
        "in reach": 140,
        "worst": -151,
        "other threats": -506,
        "other gains": 654,
        "distance": 107,
        "distance of share": 564,
    }
)
LOGIT = 1000  # points
RIDGE = 1.0
FEWEST = 5  # tokens in a position that is fitted to
FOLDS = 3


def features(mine: tuple, theirs: tuple, table: list) -> Optional[List[float]]:
    """What each weight is multiplied by, in their order; None where the booms decide the game."""
    m, e = mine[4], theirs[4]
    components = mixed(mine, theirs)
    _, m_after, e_after = after_booms(table, m, e, components)
    if not m_after or not e_after:
        return None
    difference = (m > e) - (m < e)
    distance = m * theirs[11] + e * mine[11] - 2 * (mine[9] * theirs[9] + mine[10] * theirs[10])
    distance = (distance / (m * e)) ** 0.5
    gains = sorted((b - a for _, a, b in components if b > a), reverse=True)
    threats = sorted((a - b for _, a, b in components if a > b), reverse=True)
    found = {
        "tokens": m_after - e_after,
        "share": (m_after - e_after) / (m_after + e_after),
        "area": mine[8] - theirs[8],
        "pairs": mine[7] / (8 * mine[6] + 1) - theirs[7] / (8 * theirs[6] + 1),
        "stacks": mine[6] / m - theirs[6] / e,
        "exposed": largest(mine, theirs),
        "in reach": largest(theirs, mine),
        "worst": sum(threats[:1]),
        "other threats": sum(threats[1:]),
        "other gains": sum(gains[1:]),
        "distance": difference * distance,
        "distance of share": (m - e) / (m + e) * distance,
    }
    return [found[name] for name in WEIGHTS]


def after_booms(table: list, m: int, e: int, components: list) -> Tuple[float, int, int]:
    """(worth for the mover, his tokens, the others) when both boom while it pays, as `exchange` has it."""
    best, chosen = table[m][e], None
    for component in components:
        gain = table[m - component[1]][e - component[2]]
        if gain > best:
            best, chosen = gain, component
    if chosen is None:
        return best, m, e
    rest = [(bits, b, a) for bits, a, b in components if bits != chosen[0]]
    worth, e_after, m_after = after_booms(table, e - chosen[2], m - chosen[1], rest)
    if -worth > table[m][e]:
        return -worth, m_after, e_after
    return table[m][e], m, e


def largest(own: tuple, foe: tuple) -> int:
    """Tokens beyond the first in own's largest group, without an enemy, that one can land beside."""
    sizes = [tokens for bits, near, tokens in own[5] if bits & foe[3] and not near & foe[1]]
    return max(sizes) - 1 if sizes else 0


def read(names: List[str]) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of features, scores from 0 to 1 and the number of the game of each position."""
    table = material(BY_HAND)
    rows, scores, games = [], [], []
    for offset, name in enumerate(names):
        with open(name, encoding="ascii") as file:
            for line in file:
                words = line.split()
                if len(words) < 5:
                    continue  # the last line of games that are still being played
                score, _, game, mine, theirs = words
                mine, theirs = side(int(mine, 16)), side(int(theirs, 16))
                row = features(mine, theirs, table) if mine[4] + theirs[4] >= FEWEST else None
                if row is not None:
                    rows.append(row)
                    scores.append(int(score) / 2)
                    games.append(int(game) + 1_000_000 * offset)
    return np.array(rows, float), np.array(scores), np.array(games)


def fit(rows: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The weights, in logits, by Newton's method."""
    scale = rows.std(axis=0)
    rows = rows / scale
    weights = np.zeros(rows.shape[1])
    for _ in range(15):
        expected = 1 / (1 + np.exp(-np.einsum("ij,j->i", rows, weights)))
        slope = np.einsum("ij,i->j", rows, scores - expected) - RIDGE * weights
        curve = np.einsum("ij,i,ik->jk", rows, expected * (1 - expected), rows) + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights / scale


def loss(rows: np.ndarray, scores: np.ndarray, games: np.ndarray) -> float:
    """Mean loss, in nats, on games that the fit did not see."""
    total = 0.0
    for fold in range(FOLDS):
        test = games % FOLDS == fold
        logits = np.einsum("ij,j->i", rows[test], fit(rows[~test], scores[~test]))
        total += (np.logaddexp(0, logits) - scores[test] * logits).sum()
    return total / len(scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    try:
        rows, scores, games = read(options.files)
    except (OSError, ValueError) as trouble:
        parser.error("these are not files of selfplay.py: %s" % trouble)
    if len(set(games % FOLDS)) < FOLDS:
        parser.error("these files have too few games to leave some out: %d" % len(set(games)))
    weights = fit(rows, scores)
    whole = loss(rows, scores, games)
    print("%d positions of %d games; loss %.4f" % (len(rows), len(set(games)), whole))
    for number, name in track(list(enumerate(WEIGHTS)), "weights"):
        missed = loss(np.delete(rows, number, axis=1), scores, games) - whole
        rounded = float("%.3g" % (LOGIT * weights[number]))
        print("    %-24s%10g,  # without it %+.4f" % ('"%s":' % name, rounded, missed))


if __name__ == "__main__":
    main()
