"""Makes data/pairs.npy and the numbers of evaluate.py: what a search would have said of a position.

    python -m kalaha_agent.train.weights                  two rounds of self-play, 6 minutes of CPU

A round plays games against itself from random openings.  Two positions that a turn might lead to are
searched at each turn: one a few random moves away, and one at the end of a line of better and worse
moves, such as the player evaluates.  The fit is for what the search's score is above the bank difference.
The first round searches with bank difference alone, the second with what the first has found.  The
same seed gives the same numbers.
"""

import argparse
import random
import sys
from pathlib import Path

import numpy

from referee.view.progress import track

from ..endings import MOST as KNOWN
from ..endings import ending
from ..evaluate import MOST, certain, evaluator, promises
from ..position import LEAD_OF, STANDARD, START
from ..scout import later, scouting
from ..shared.clock import Clock
from ..shared.search import Search
from ..table import Packed

DATA = Path(__file__).resolve().parent.parent / "data" / "pairs.npy"
ROUNDS = (200, 1000)  # games
THOROUGH, QUICK, HASTY = 1500, 300, 100  # nodes: of a search that is learned from, of a move, in a line
AT_RANDOM = 0.1  # of the moves
TOGETHER = 13  # pebbles told apart where two ponds are looked at together
BEYOND = 96  # units: more is not learned from than that a position is won or lost
STIFFNESS = 60.0  # of the fit: numbers that few positions speak for stay near zero
PAIRS = ((0, 1), (0, 2), (1, 2))  # of the three ponds of a half


class Teacher:
    """A search with so many nodes, by an evaluation that is being made."""

    def __init__(self, pairs):
        promised, table = promises(STANDARD, pairs), Packed(STANDARD)
        self.search = Search(
            STANDARD.moves, ending(STANDARD), evaluator(promised), key=table.key, base=LEAD_OF, reduce=later,
            least=certain(promised), scout=scouting(STANDARD, table, promised, tables=True), aspiration=12,
        )  # fmt: skip
        self.search.table = table

    def best(self, position, nodes):
        """The move it likes best, a quick one if it is the only one."""
        return self.search.best(position, Clock(nodes=nodes))


def samples(teacher, games, seed):
    """(counts of the mover's ponds and the other's, score above bank difference in units), from games."""
    for number in track(range(games), "games"):
        choose = random.Random("%d %d" % (seed, number))
        position = wandered(START, choose.randint(1, 10), choose)
        while worth_a_look(position):
            lines = (
                wandered(position, choose.randrange(4), choose),
                wandered(position, choose.randint(2, 6), choose, teacher),
            )
            for nearby in lines:
                if worth_a_look(nearby) and len(STANDARD.moves(nearby)) > 1:
                    teacher.best(nearby, THOROUGH)
                    _, lead, mine, theirs = nearby
                    counts = STANDARD.counts(mine) + STANDARD.counts(theirs)
                    yield counts, max(-BEYOND, min(BEYOND, teacher.search.score - lead))
            moves = STANDARD.moves(position)
            at_random = choose.random() < AT_RANDOM
            move = choose.choice(moves) if at_random else teacher.best(position, QUICK)
            position = STANDARD.play(position, move)


def worth_a_look(position):
    """Whether the game goes on, and the tables of endings do not know how."""
    return STANDARD.left(position) > KNOWN


def wandered(position, steps, choose, teacher=None):
    """The position after some moves, all at random or a third of them, or fewer if the game ends."""
    for _ in range(steps):
        moves = STANDARD.moves(position)
        if moves:
            by_chance = teacher is None or choose.randrange(3) == 0
            move = choose.choice(moves) if by_chance else teacher.best(position, HASTY)
            position = STANDARD.play(position, move)
    return position


def fitted(counts, scores, paired):
    """A table for each pond of both sides, and for each pair of a half, that explain the scores best."""
    features = [(numpy.minimum(counts[:, pond], MOST), (MOST + 1,)) for pond in range(12)]
    if paired:
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


def joined(tables):
    """The tables for single ponds added to those for pairs: [side][half][pair][pebbles][pebbles]."""
    level = numpy.minimum(numpy.arange(MOST + 1), TOGETHER)
    found = [table[level][:, level] for table in tables[12:]]
    for half in range(4):
        single = tables[3 * half : 3 * half + 3]
        found[3 * half] += single[0][:, None] + single[1][None, :]
        found[3 * half + 1] += single[2][None, :]
    return numpy.rint(found).astype(numpy.int16).reshape(2, 2, 3, MOST + 1, MOST + 1)


def main():
    """Write the file, and print the tables as evaluate.py has them."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.weights", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--games", type=int, nargs=2, default=ROUNDS, help="in each round (%d %d)" % ROUNDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--to", type=Path, default=DATA, help="the file to write")
    options = parser.parse_args()
    pairs = numpy.zeros((2, 2, 3, MOST + 1, MOST + 1), numpy.int16)
    for number, games in enumerate(options.games):
        found = list(samples(Teacher(pairs), games, 2 * options.seed + number))
        counts, scores = numpy.array([row for row, _ in found]), numpy.array([score for _, score in found])
        tables, explained = fitted(counts, scores, paired=True)
        pairs = joined(tables)
        print("# round %d: %d positions, %.1f %% explained" % (number + 1, len(found), 100 * explained))
    numpy.save(str(options.to), pairs)
    tables, explained = fitted(counts, scores, paired=False)
    print("# ponds by themselves: %.1f %% explained" % (100 * explained))
    for name, rows in (("MINE", tables[:6]), ("THEIRS", tables[6:])):
        print("%s = (" % name)
        for row in rows:
            print("    (%s)," % ", ".join("%3d" % round(number) for number in row))
        print(")")


if __name__ == "__main__":
    sys.exit(main())
