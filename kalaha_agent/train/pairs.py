"""Makes train/pairs.npy: what two ponds beside each other promise together, fitted to searches of self-play.

    python -m kalaha_agent.train.pairs                    needs a C compiler; 3 minutes of CPU

labels.c plays and searches; it starts from the numbers for single ponds in evaluate.py.  The agent played by
these numbers; now they are where halves.py begins.
"""

import argparse
from pathlib import Path
from typing import Tuple

import numpy

from referee.commands.options import new_file, positive

from ..evaluate import MOST
from .labels import of_games

DATA = Path(__file__).resolve().parent / "pairs.npy"
SEEDS, GAMES = (11, 12, 13), 1500  # of each seed
TOGETHER = 13  # pebbles told apart where two ponds are looked at together
BEYOND = 96  # units: more is not learned from than that a position is won or lost
STIFFNESS = 100.0  # of the fit: numbers that few positions speak for stay near zero
PAIRS = ((0, 1), (0, 2), (1, 2))  # of the three ponds of a half


def fitted(counts: numpy.ndarray, scores: numpy.ndarray) -> Tuple[list, float]:
    """A table for each pond of both sides, then for each pair of a half, that explain the scores best."""
    features = [(numpy.minimum(counts[:, pond], MOST), (MOST + 1,)) for pond in range(12)]
    few = numpy.minimum(counts, TOGETHER)
    for half in range(4):
        for one, two in PAIRS:
            together = few[:, 3 * half + one] * (TOGETHER + 1) + few[:, 3 * half + two]
            features.append((together, (TOGETHER + 1, TOGETHER + 1)))
    sizes = [int(numpy.prod(shape)) for _, shape in features]
    starts = numpy.cumsum([0] + sizes)
    known, aim = numpy.zeros((starts[-1], starts[-1])), numpy.zeros(starts[-1])
    for first, (levels, _) in enumerate(features):
        part = slice(starts[first], starts[first + 1])
        aim[part] = numpy.bincount(levels, scores, sizes[first])
        for second, (others, _) in enumerate(features):
            both = numpy.bincount(levels * sizes[second] + others, minlength=sizes[first] * sizes[second])
            known[part, starts[second] : starts[second + 1]] = both.reshape(sizes[first], sizes[second])
    known[numpy.diag_indices_from(known)] += STIFFNESS
    weights = numpy.linalg.solve(known, aim)
    predicted = sum(weights[start + levels] for start, (levels, _) in zip(starts, features))
    tables = [
        weights[start : start + size].reshape(shape)
        for start, size, (_, shape) in zip(starts, sizes, features)
    ]
    return tables, 1 - (scores - predicted).var() / scores.var()


def joined(tables: list) -> numpy.ndarray:
    """The tables for single ponds added to those for pairs: [side][half][pair][pebbles][pebbles]."""
    level = numpy.minimum(numpy.arange(MOST + 1), TOGETHER)
    found = [table[level][:, level] for table in tables[12:]]
    for half in range(4):
        single = tables[3 * half : 3 * half + 3]
        found[3 * half] += single[0][:, None] + single[1][None, :]
        found[3 * half + 1] += single[2][None, :]
    return numpy.rint(found).astype(numpy.int16).reshape(2, 2, 3, MOST + 1, MOST + 1)


def by_twos(pairs: numpy.ndarray) -> numpy.ndarray:
    """What half sides promise by these: [side][half][ponds 3, 2, 1]."""
    one_two, one_three, two_three = [
        pairs[:, :, pair].astype(numpy.int16).swapaxes(2, 3) for pair in range(len(PAIRS))
    ]
    return one_two[:, :, None] + one_three[:, :, :, None, :] + two_three[..., None]


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.pairs", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--games", type=positive, default=GAMES, help="for each seed (%d)" % GAMES)
    parser.add_argument("--to", type=new_file, default=DATA, help="the file to write")
    options = parser.parse_args()
    counts, scores = of_games(options.games, SEEDS)
    tables, explained = fitted(counts, numpy.clip(scores, -BEYOND, BEYOND))
    numpy.save(str(options.to), joined(tables))
    print("%d positions, %.1f %% explained: %s" % (len(counts), 100 * explained, options.to.name))


if __name__ == "__main__":
    main()
