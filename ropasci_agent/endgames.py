"""Endgames known from a table: nobody has throws left, one token hunts two that are its prey.

It is the only material of two tokens against one that goes on: any other third token decides the
game or draws it at once.  The hunter wins with its first capture and cannot lose; its owner must
move it at every turn, while the other may move either token.  The table holds what the hunter's owner can
be sure to win, a win in n turns being worth FADING ** n, so that a quicker one is preferred.
"""

from typing import Optional, Tuple

import numpy as np

from .payoffs import Stage
from .position import BEATS, HEXES, INDEX, THROWS, count, occupied, play, result
from .shared import data

FADING = 0.99
# Nineteen of twenty of these positions are drawn, whatever is moved in most of them.  So the
# evaluation, which keeps a hunter near its prey, has a small say: an opponent may err.
HOPE = 0.02


def _symmetries():
    """The hexes' new numbers under each of the twelve turns and reflections of the board."""
    found = []
    for mirrored in (False, True):
        places = [(r, -r - q) if mirrored else (r, q) for r, q in HEXES]
        for _ in range(6):
            found.append([INDEX[place] for place in places])
            places = [(r + q, -r) for r, q in places]
    return np.array(found)


SYMMETRIES = _symmetries()
# Hexes that a symmetry exchanges are alike: the least of them stands for all.
LEADER = SYMMETRIES.min(0)
LEADERS = sorted(set(LEADER.tolist()))  # the table's first index is the hunter's place in this list
RANK = np.array([LEADERS.index(h) for h in LEADER])
TO_LEADER = SYMMETRIES[SYMMETRIES.argmin(0)]  # [hunter, hex]: the hex when the hunter is on its leader


# [hunter's leader, prey, prey]: what the hunter's owner wins; None without the file.
CHANCES = data.array("two_against_one.npy")


def value(position: Tuple[int, ...]) -> Optional[float]:
    """What player 0 wins in such an ending, from -1 to 1; None for any other position."""
    if position[1] < THROWS or position[2] < THROWS or CHANCES is None:
        return None
    numbers = [count(tokens) for tokens in position[3:]]
    if sum(numbers) != 3:
        return None
    for hunter in range(6):
        prey = BEATS[hunter % 3] + (0 if hunter >= 3 else 3)
        if numbers[hunter] == 1 and numbers[prey] == 2:
            (h,) = occupied(position[3 + hunter])
            hexes = occupied(position[3 + prey])
            chance = float(CHANCES[(RANK[h],) + tuple(TO_LEADER[h][[hexes[0], hexes[-1]]])])
            return chance if hunter < 3 else -chance
    return None


def matrix(position: Tuple[int, ...], stage: Stage) -> np.ndarray:
    """The stage's values, corrected by the table; its position must be in the table."""
    known = np.empty(stage.values.shape)
    for row, column in np.ndindex(*known.shape):
        child = play(position, (stage.moves[0][row], stage.moves[1][column]))
        points = result(child)
        known[row, column] = value(child) if points is None else 2.0 * points - 1.0
    return (1.0 - HOPE) * known + HOPE * stage.values
