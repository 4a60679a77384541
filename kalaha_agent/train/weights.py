"""Fits the numbers for single ponds in evaluate.py: what a few turns more would have said of a position.

    python -m kalaha_agent.train.weights                  two rounds of self-play, 10 minutes of CPU

A round plays games against itself from random openings.  At each turn a position up to three random
moves away is searched a few turns deep; the fit is for what that score is above the bank difference.
The first round searches with bank difference alone, the second with what the first has found.  The
same seed gives the same numbers.
"""

import argparse
import random
from typing import Iterator, Tuple

import numpy

from referee.commands.options import positive
from referee.view.progress import track

from ..evaluate import MOST, looked_up
from ..position import STANDARD, START, UNIT
from ..shared.deepening import Search
from .plain import Plain, Roomy

ROUNDS = (300, 500)  # games
DEEP, SHALLOW = 5, 4  # turns: of the searches that are learned from, of those that play
AT_RANDOM = 0.1  # of the moves
# Of the search: every position is looked at, equally deeply, in the order of the kinds of ponds.
WITHOUT = dict(margins=(), reduce=lambda index, depth: 0, by_worth=False, remembered=2)
ASPIRATION = 50
STIFFNESS = 20.0  # of the fit: numbers that few positions speak for stay near zero


def samples(promised: list, games: int, seed: int) -> Iterator[tuple]:
    """(counts of the mover's ponds, of the other's, score above bank difference in pebbles), from games."""
    moves, play = STANDARD.moves, STANDARD.play
    for number in track(range(games), "games"):
        choose = random.Random("%d %d" % (seed, number))
        quick, thorough = [
            Search(Plain(promised=promised, play=play, table=Roomy(), **WITHOUT), depth, ASPIRATION)
            for depth in (SHALLOW, DEEP)
        ]
        position = wandered(START, choose.randint(1, 10), choose)
        while moves(position):
            nearby = wandered(position, choose.choice((0, 1, 1, 2, 3)), choose)
            if len(moves(nearby)) > 1:
                thorough.best(nearby)
                _, lead, mine, theirs = nearby
                yield STANDARD.counts(mine), STANDARD.counts(theirs), (thorough.score - lead) / UNIT
            move = choose.choice(moves(position)) if choose.random() < AT_RANDOM else quick.best(position)
            position = play(position, move)


def wandered(position: tuple, steps: int, choose: random.Random) -> tuple:
    """The position after some random moves, or fewer if the game ends."""
    for _ in range(steps):
        if STANDARD.moves(position):
            position = STANDARD.play(position, choose.choice(STANDARD.moves(position)))
    return position


def columns(counts: numpy.ndarray) -> numpy.ndarray:
    """For each position, pond and number of pebbles: whether the pond has that many."""
    counts = numpy.minimum(numpy.array(counts), MOST)
    return (counts[:, :, None] == numpy.arange(MOST + 1)).reshape(len(counts), -1).astype(float)


def fitted(found: list) -> Tuple[list, float]:
    """The two tables that explain the scores best, in units, and the share of the variance they explain."""
    mine, theirs, score = (numpy.array(part) for part in zip(*found))
    known = numpy.column_stack([numpy.ones(len(score)), columns(mine), columns(theirs)])
    weights = numpy.linalg.solve(
        known.T.dot(known) + STIFFNESS * numpy.eye(known.shape[1]), known.T.dot(score)
    )
    explained = 1 - (score - known.dot(weights)).var() / score.var()
    # What is there at any rate (it is the mover's turn) is spread over his ponds.
    ours, others = weights[1:].reshape(2, STANDARD.ponds, MOST + 1)
    ours = ours + weights[0] / STANDARD.ponds
    return [numpy.rint(UNIT * part).astype(int).tolist() for part in (ours, others)], explained


def main() -> None:
    """Print the tables as evaluate.py has them."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.weights", description=(__doc__ or "").partition("\n")[0]
    )
    rounds = "in each round (%d %d)" % ROUNDS
    parser.add_argument("--games", type=positive, nargs=2, default=ROUNDS, help=rounds)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found, tables = [], 2 * [STANDARD.ponds * [[0]]]
    for number, games in enumerate(options.games):
        promised = [STANDARD.of_ponds(looked_up(table)) for table in tables]
        found += samples(promised, games, 2 * options.seed + number)
        tables, explained = fitted(found)
        share = 100 * explained
        print("# round %d: %d positions, %.1f %% explained" % (number + 1, len(found), share), flush=True)
    for name, table in zip(("MINE", "THEIRS"), tables):
        print("%s = (" % name)
        for row in table:
            print("    (%s)," % ", ".join("%3d" % number for number in row))
        print(")")


if __name__ == "__main__":
    main()
