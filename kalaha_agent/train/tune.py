"""Changes what half sides promise, and the margins, by what wins games: the second part of train/halves.py.

In each step a few numbers are changed at once, by lot up or down, and who has them so plays some pairs of
games in C against who has them the other way (SPSA).  What wins moves them its way, less and less; the mean
of them on the way, the later the heavier, is what is kept.

The numbers are few, so that games can tell them: for each half side one for each kind of pond (below) and a
factor of all that it promises; the margins; and one for being to move.
"""

import random
from typing import Iterator, Tuple

import numpy

from ..evaluate import MOST
from ..position import STANDARD, START, UNIT, Position
from .duels import points
from .engine import Tree, game
from .matches import FEWEST
from .matches import MOST as MOST_MOVES

# A pond is empty, ends in the bank, before it, past it by 1 to 3, by 4 to 7, by more, or comes back home.
EMPTY, AHEAD, SHORT, FEW, SOME, MANY, HOME, KINDS = range(8)
BEFORE = (0, 24, 34, 44, 54, 64)  # the margins that are changed
CHANGE, FACTOR, MARGIN, MOVING = 4.0, 0.06, 4.0, 2.0  # by how much one is changed at once: FACTOR is a share
FACTORS = 4 * KINDS
PARTS = FACTORS, FACTORS + 4, FACTORS + 4 + len(BEFORE) - 1  # where factors, margins and the last one begin
WAYS = numpy.array(4 * KINDS * [CHANGE] + 4 * [FACTOR] + (len(BEFORE) - 1) * [MARGIN] + [MOVING])
SEED, STEPS, PAIRS, NODES = 1, 2500, 8, 1000  # pairs a step, nodes a move
OPENINGS, CHECKED, BALANCED = 1007, 1000, 3 * UNIT  # a seed; nodes, and what they may see
PLACES = 4099  # positions that a search remembers
FASTEST, SLOWEST = 0.4, 0.05  # how far a step won or lost moves the numbers: at first, and then


def kind(pond: int, pebbles: int) -> int:
    """Which kind of pond it is."""
    past = pond + pebbles - STANDARD.ponds
    if not pebbles:
        return EMPTY
    if not past:
        return AHEAD
    if pebbles == 2 * STANDARD.ponds + 1:
        return HOME
    return SHORT if past < 0 else FEW if past <= 3 else SOME if past <= 7 else MANY


OF_POND = numpy.array([[kind(pond, pebbles) for pebbles in range(MOST + 1)] for pond in range(6)])


def changed(halves: numpy.ndarray, changes: numpy.ndarray) -> numpy.ndarray:
    """The promises of half sides with these changes."""
    kinds = changes[:FACTORS].reshape(2, 2, KINDS)
    found = halves * (1 + changes[PARTS[0] : PARTS[1]]).reshape(2, 2, 1, 1, 1)
    for half in (0, 1):
        one, two, three = [kinds[:, half][:, of_pond] for of_pond in OF_POND[3 * half : 3 * half + 3]]
        found[:, half] += three[:, :, None, None] + two[:, None, :, None] + one[:, None, None]
    found[0, 0] += changes[-1]
    return numpy.rint(found).astype(numpy.int16)


def margins(changes: numpy.ndarray) -> Tuple[int, ...]:
    """The margins with these changes."""
    return (0, *numpy.rint(BEFORE[1:] + changes[PARTS[1] : PARTS[2]]).astype(int).tolist())


def openings(promises: numpy.ndarray) -> Iterator[Position]:
    """Positions that a short search by these promises calls balanced, no two alike."""
    chance, judge, known = random.Random(OPENINGS), Tree(promises=promises, margins=BEFORE), set()
    while True:
        position = START
        for _ in range(chance.randint(FEWEST, MOST_MOVES)):
            position = STANDARD.play(position, chance.choice(STANDARD.moves(position)))
        if position in known or len(STANDARD.moves(position)) < 2:
            continue
        known.add(position)
        judge.forget()
        if abs(judge.best(position, CHECKED).score) <= BALANCED:
            yield position


def tuned(halves: numpy.ndarray, before: numpy.ndarray, made: int = STEPS, seed: int = SEED) -> numpy.ndarray:
    """The changes after so many steps; openings are balanced by the promises of `before`."""
    lots, drawn, changes = numpy.random.default_rng(seed), openings(before), numpy.zeros(len(WAYS))
    total, weight = numpy.zeros(len(WAYS)), 0.0
    for step in range(made):
        way = WAYS * lots.choice([-1.0, 1.0], size=len(WAYS))
        trees = [
            Tree(promises=changed(halves, side), places=PLACES, margins=margins(side))
            for side in (changes + way, changes - way)
        ]
        won = 0.0
        for _ in range(PAIRS):
            position = next(drawn)
            for sign, seated in ((1, trees), (-1, trees[::-1])):
                for tree in trees:
                    tree.forget()
                won += sign * points(game(*seated, NODES, position))
        changes = changes + (FASTEST * (1 - step / STEPS) + SLOWEST) * won / PAIRS * way
        share = (step / STEPS) ** 2
        total, weight = total + share * changes, weight + share
    return total / weight if weight else changes
