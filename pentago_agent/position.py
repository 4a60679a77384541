"""One position as a tuple of ints, and the rules on it: what the player keeps, and what tests walk.

    (mover, mine 0 to 3, theirs 0 to 3)      mine and theirs are quadrants of nine bits (geometry.py),
                                             the mover's stones first

A move is 36 x twist + the cell on which the placed stone stands after the twist.
"""

from typing import List, Optional, Tuple

import numpy as np

from .geometry import CELLS, MOVES, WINDOWS, Geometry

Position = Tuple[int, ...]

START = (0, 0, 0, 0, 0, 0, 0, 0, 0)

# The windows, each as (quadrant, bits) of the two or three quadrants it touches.
_LINES = []
for _window in WINDOWS:
    _bits = [sum(1 << number % 9 for number in _window if number // 9 == quadrant) for quadrant in range(4)]
    _LINES.append([(quadrant, bits) for quadrant, bits in enumerate(_bits) if bits])


def has_five(quadrants: Tuple[int, ...]) -> bool:
    """Whether the stones of these four quadrants hold a line of five."""
    return any(all(quadrants[quadrant] & bits == bits for quadrant, bits in line) for line in _LINES)


def stones(position: Position) -> int:
    """How many stones are on the board."""
    return sum(bin(quadrant).count("1") for quadrant in position[1:])


def batch(position: Position) -> np.ndarray:
    """The position as a batch of one for the kernel."""
    return np.array(position[1:], np.intp)[:, None]


def result(position: Position) -> Optional[int]:
    """None while the game goes on; 1 if the mover has won, -1 if the other has, 0 for a draw."""
    mine, theirs = has_five(position[1:5]), has_five(position[5:])
    if mine or theirs:
        return mine - theirs
    return 0 if stones(position) == CELLS else None


def moves(position: Position, geometry: Geometry) -> List[int]:
    """Every legal move, twist by twist; none when the game is over.  Some lead to the same board."""
    if result(position) is not None:
        return []
    found = []
    for move in range(MOVES):
        twist, number = divmod(move, CELLS)
        quadrant, place = divmod(geometry.source[twist][number], 9)
        if not (position[1 + quadrant] | position[5 + quadrant]) >> place & 1:
            found.append(move)
    return found


def play(position: Position, move: int, geometry: Geometry) -> Position:
    """The position after a legal move, seen by the other player."""
    twist, number = divmod(move, CELLS)
    source = geometry.source[twist][number]
    mine, theirs = list(position[1:5]), list(position[5:])
    mine[source // 9] |= 1 << source % 9
    if not (geometry.places_at_once and has_five(tuple(mine))):
        quadrant, turned = twist // 2, geometry.turned[twist % 2]
        mine[quadrant], theirs[quadrant] = turned[mine[quadrant]], turned[theirs[quadrant]]
    return (1 - position[0],) + tuple(theirs) + tuple(mine)
