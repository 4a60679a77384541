"""Makes data/endgames.npy: the exact value of every ending of the 6x6 game with few pebbles left.

    python -m kalaha_agent.train.endgames                 build it (12 pebbles: 20 seconds)
    python -m kalaha_agent.train.endgames --sample 200    recompute that many entries by the referee's rules

Retrograde analysis in numpy.  A move that banks pebbles leads to a position with fewer of them.  One
that does not only carries the mover's pebbles forward; so among positions with the same number those
that are further forward are worked out first, all equally far ones at once.
"""

import argparse
import random
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Tuple

import numpy

from referee.commands.options import new_file, positive
from referee.view.progress import track

from ..endgames import MOST

DATA = Path(__file__).resolve().parent.parent / "data" / "endgames.npy"
PONDS = 6
RING = 2 * PONDS + 1
BANK = PONDS
FULL = 15  # pebbles left: the values of more do not go into four bits
CHUNK = 200_000  # positions worked out at once


def sides(most: int) -> numpy.ndarray:
    """Every side with at most so many pebbles, as an array: a row a side, sorted by pebbles, then ponds."""
    grid = numpy.indices((most + 1,) * PONDS, numpy.int16).reshape(PONDS, -1).T
    pebbles = grid.sum(axis=1)
    grid, pebbles = grid[pebbles <= most], pebbles[pebbles <= most]
    return grid[numpy.lexsort([grid[:, pond] for pond in reversed(range(PONDS))] + [pebbles])]


class Endgames:
    """The values of all positions with at most `most` pebbles left, or as many of them as are worked out."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.sides = sides(most).astype(numpy.int64)
        self.pebbles = self.sides.sum(axis=1)
        self.forward = self.sides.dot(numpy.arange(PONDS))
        self.base = most + 1
        self.radix = self.base ** numpy.arange(PONDS)
        self.number = numpy.full(self.base**PONDS, -1, numpy.int32)  # of a side, by its counts
        self.number[self.sides.dot(self.radix)] = numpy.arange(len(self.sides))
        fitting = numpy.bincount(self.pebbles).cumsum()  # sides with at most so many pebbles
        lengths = fitting[most - self.pebbles]
        self.rows = numpy.cumsum(lengths) - lengths
        self.values = numpy.zeros(lengths.sum(), numpy.int8)

    def all_with(self, left: int) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """The numbers of both sides of all positions with so many pebbles, those with an empty side too."""
        mine, theirs = [], []
        for own in range(left + 1):
            ours = numpy.flatnonzero(self.pebbles == own)
            others = numpy.flatnonzero(self.pebbles == left - own)
            mine.append(numpy.repeat(ours, len(others)))
            theirs.append(numpy.tile(others, len(ours)))
        return numpy.concatenate(mine), numpy.concatenate(theirs)

    def at(self, mine: numpy.ndarray, theirs: numpy.ndarray) -> numpy.ndarray:
        """Where the values of positions are."""
        return self.rows[mine] + theirs

    def played(
        self, mine: numpy.ndarray, theirs: numpy.ndarray, pond: int
    ) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """What a pond's move is worth to the mover, where the pond is not empty; and whether he goes on."""
        own, other = self.sides[mine].copy(), self.sides[theirs].copy()
        pebbles = own[:, pond].copy()
        own[:, pond] = 0
        banked = numpy.zeros(len(mine), numpy.int64)
        for step in range(1, self.most + 1):
            place = (pond + step) % RING
            sown = pebbles >= step
            if place < BANK:
                own[:, place] += sown
            elif place == BANK:
                banked += sown
            else:
                other[:, place - BANK - 1] += sown
        last = (pond + pebbles) % RING
        for place in range(PONDS):
            caught = other[:, PONDS - 1 - place]
            takes = (last == place) & (own[:, place] == 1) & (caught > 0)
            banked += numpy.where(takes, caught + 1, 0)
            own[takes, place] = 0
            other[takes, PONDS - 1 - place] = 0
        again = last == BANK
        mine, theirs = self.number[own.dot(self.radix)], self.number[other.dot(self.radix)]
        after = numpy.where(again, self.at(mine, theirs), self.at(theirs, mine))
        worth = banked + numpy.where(again, 1, -1) * self.values[after]
        # The game is over when a side is empty, whoever would be to move.
        over = (self.pebbles[mine] == 0) | (self.pebbles[theirs] == 0)
        worth = numpy.where(over, banked + self.pebbles[mine] - self.pebbles[theirs], worth)
        return worth, again & ~over

    def work_out(self, left: int) -> None:
        """All values with so many pebbles left; those with fewer must be known."""
        mine, theirs = self.all_with(left)
        empty = (self.pebbles[mine] == 0) | (self.pebbles[theirs] == 0)
        over = self.at(mine[empty], theirs[empty])
        self.values[over] = self.pebbles[mine[empty]] - self.pebbles[theirs[empty]]
        mine, theirs = mine[~empty], theirs[~empty]
        forward = self.forward[mine] + self.forward[theirs]
        order = numpy.argsort(-forward, kind="mergesort")
        mine, theirs, forward = mine[order], theirs[order], forward[order]
        starts = numpy.flatnonzero(numpy.diff(forward, prepend=-1))
        for first, end in zip(starts, list(starts[1:]) + [len(mine)]):
            for start in range(first, end, CHUNK):
                part = slice(start, min(end, start + CHUNK))
                self._judge(mine[part], theirs[part])

    def _judge(self, mine, theirs):
        best = numpy.full(len(mine), -127, numpy.int64)
        for pond in range(PONDS):
            able = numpy.flatnonzero(self.sides[mine, pond])
            if len(able):
                worth, _ = self.played(mine[able], theirs[able], pond)
                best[able] = numpy.maximum(best[able], worth)
        self.values[self.at(mine, theirs)] = best

    def packed(self) -> numpy.ndarray:
        """The values as in the file: four bits each, half of the pebbles left plus the value."""
        left = numpy.empty(len(self.values), numpy.int8)
        for number, row in enumerate(self.rows):
            end = self.rows[number + 1] if number + 1 < len(self.rows) else len(left)
            left[row:end] = self.pebbles[number] + self.pebbles[: end - row]
        halves = ((self.values + left) >> 1).astype(numpy.uint8)
        if len(halves) % 2:
            halves = numpy.append(halves, numpy.uint8(0))
        return halves[0::2] | halves[1::2] << 4


def built(most: int) -> "Endgames":
    """The endgames with at most so many pebbles."""
    table = Endgames(most)
    for left in track(range(most + 1), "numbers of pebbles"):
        table.work_out(left)
    return table


def check(samples: int, seed: int) -> int:
    """Compares entries of the file with plain full search by the referee's rules; the number that differ."""
    from kalaha_agent import endgames, notation
    from referee.rules.kalaha import State

    @lru_cache(maxsize=None)
    def solved(state):
        """Pebbles that A will bank from here on, less B's, with perfect play by both."""
        if not state.to_act():
            return 0
        (mover,) = state.to_act()
        results = []
        for pond in state.actions(mover):
            after = state.after({mover: pond})
            banked = after.banks[0] - after.banks[1]
            results.append(banked + solved(State(after.mover, after.ponds, (0, 0))))
        return max(results) if mover == 0 else min(results)

    choose = random.Random(seed)
    known = [side for side in endgames.sides() if any(side)]
    wrong = 0
    for _ in track(range(samples), "entries"):
        while True:
            mine, theirs = choose.choice(known), choose.choice(known)
            if sum(mine) + sum(theirs) <= endgames.MOST:
                break
        state = State(0, (mine, theirs), (0, 0))
        position = notation.from_text(state.text())
        wrong += endgames.gain(position[2], position[3]) != solved(state)
    return wrong


def main() -> int:
    """Build, or compare a sample; 0 if all is well."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.endgames", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--most",
        type=int,
        choices=range(1, FULL + 1),
        default=12,
        metavar="N",
        help="pebbles left (12); 15 fills the four bits",
    )
    parser.add_argument("--to", type=new_file, default=DATA, help="the file to write")
    parser.add_argument("--sample", type=positive, help="change nothing, recompute that many entries instead")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    options = parser.parse_args()
    if options.sample:
        wrong = check(options.sample, options.seed)
        print("%d of %d entries differ (seed %d)" % (wrong, options.sample, options.seed))
        return 1 if wrong else 0
    if options.to == DATA and options.most != MOST:
        parser.error("the player reads tables of %d pebbles; --most %d needs --to" % (MOST, options.most))
    begun = time.process_time()
    table = built(options.most)
    numpy.save(str(options.to), table.packed())
    seconds = time.process_time() - begun
    print("%d positions in %.0f s of CPU: %s" % (len(table.values), seconds, options.to.name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
