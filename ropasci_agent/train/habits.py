"""Fits the prior weights of habits.py to recorded games: python -m ropasci_agent.train.habits FILE.jsonl.gz

Every fourth turn of both players, drawn by a fixed seed; full-batch ascent of the likelihood of the
recorded moves.  Prints the weights, and the likelihood against that of the equilibrium alone.
"""

import argparse
import gzip
import json
import random
from typing import Iterator, Tuple

import numpy as np

from referee.view.progress import track

from .. import notation
from ..evaluate import DEFAULT
from ..habits import PRIOR, features
from ..position import START, play, result
from ..tree import Matrix


def samples(path: str, share: float, seed: int) -> Iterator[Tuple[np.ndarray, int, float]]:
    """(features of all moves, number of the one made, the equilibrium's share of it) of recorded turns."""
    generator = random.Random(seed)
    with gzip.open(path, "rt") as lines:
        for line in lines:
            position, last = START, [None, None]
            for pair in json.loads(line)["actions"]:
                moves = [notation.to_move(action) for action in pair]
                for player in (0, 1):
                    if generator.random() < share and result(position) is None:
                        matrix = Matrix(position, player, DEFAULT)
                        equilibrium = matrix.answer()
                        chosen = matrix.moves[1].index(moves[1 - player])
                        table = features(matrix, equilibrium, last[1 - player])
                        yield table.astype(np.float32), chosen, equilibrium.column[chosen]
                position, last = play(position, moves), moves


def fit(data: list, rounds: int = 300, step: float = 0.3) -> Tuple[np.ndarray, float]:
    """Weights of the softmax that makes the recorded moves likeliest."""
    sizes = np.array([len(table) for table, _, _ in data])
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    rows = np.concatenate([table for table, _, _ in data])
    chosen = starts + np.array([number for _, number, _ in data])
    weights, squares = np.zeros(rows.shape[1]), np.full(rows.shape[1], 1e-8)
    target = rows[chosen].mean(0)
    for _ in track(range(rounds), "rounds"):
        scores = rows.dot(weights.astype(np.float32))
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        shares = np.exp(scores)
        shares /= np.repeat(np.add.reduceat(shares, starts), sizes)
        gradient = target - (rows * shares[:, None]).sum(0) / len(data) - 1e-4 * weights
        squares += gradient * gradient
        weights += step * gradient / np.sqrt(squares)
    return weights, float(np.log(shares[chosen] + 1e-12).mean())


def recorded(path: str) -> str:
    """The path of a file of recorded games."""
    try:
        with gzip.open(path, "rt") as lines:
            json.loads(next(lines))["actions"]
    except (OSError, EOFError, StopIteration, ValueError, KeyError, TypeError):
        raise argparse.ArgumentTypeError("{!r} is not there, or no file of games".format(path)) from None
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=recorded)
    data = list(samples(parser.parse_args().file, share=0.25, seed=1))
    weights, likelihood = fit(data)
    equilibrium = np.mean([np.log(0.9 * share + 0.1 / len(table)) for table, _, share in data])
    print(f"{len(data)} turns: mean log-likelihood {likelihood:.3f}; of the equilibrium {equilibrium:.3f}")
    for name, weight in zip(PRIOR, weights):
        print(f"    {name!r}: {weight:.2f},")


if __name__ == "__main__":
    main()
