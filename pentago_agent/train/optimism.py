"""Fits OPTIMISM of evaluate.py: how far the best score of a position's moves is above what comes of it.

    python -m pentago_agent.train.selfplay GAMES.npz --games 12000 --seed 1
    python -m pentago_agent.train.optimism GAMES.npz

In each phase the outcomes are regressed on the best scores; taken off is the score at which the
chances are even, so that it compares with a draw.
"""

import argparse

import numpy as np

from ..evaluate import LAST_STONES, PHASES, load, phase
from ..geometry import Geometry
from ..kernel import BATCH, LOST, Kernel
from .learn import newton, stones_of
from .options import VARIANTS, games_of


def best_scores(kernel: Kernel, boards: np.ndarray, stones: int) -> np.ndarray:
    """The best move's score of each position, (8, n), as its mover sees it."""
    found = []
    for start in range(0, boards.shape[1], BATCH):
        part = boards[:, start : start + BATCH]
        found.append(kernel.judge(part, kernel.codes(part), stones).max(axis=1))
    return np.concatenate(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", type=games_of, help="a file of selfplay.py")
    parser.add_argument("--variant", choices=VARIANTS, default="")
    options = parser.parse_args()
    data = options.games
    kernel = Kernel(options.variant, load(Geometry(options.variant)))  # given weights: nothing is taken off
    boards, shares = data["boards"].astype(np.intp), 1 - data["labels"]
    stones = stones_of(boards)
    scores, known = [[] for _ in range(len(PHASES) + 1)], [[] for _ in range(len(PHASES) + 1)]
    for number in range(1, LAST_STONES):
        rows = np.flatnonzero(stones == number)
        if len(rows):
            best = best_scores(kernel, np.ascontiguousarray(boards[rows].T), number)
            scores[phase(number + 1)].append(best[best > LOST])
            known[phase(number + 1)].append(shares[rows][best > LOST])
    if not all(sum(map(len, best)) for best in scores):
        parser.error("these are too few games: there is a phase without positions")
    even = []
    for best, share in zip(scores, known):
        best = np.concatenate(best) / 1000
        slope, start = newton(np.stack((best, np.ones_like(best)), 1), np.concatenate(share))
        even.append(int(round(-1000 * start / slope)))
        print("%6d positions: slope %.2f, even at %d" % (len(best), slope, even[-1]))
    print(tuple(even))


if __name__ == "__main__":
    main()
