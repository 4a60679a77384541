"""The course's actions and lines of text <-> this agent's moves and positions.

An action is (x, y, quadrant, op): row and column of the stone before the twist, the quadrant that
turns, and 0 for a turn to the right, 1 for the variant's other twist.
"""

import re
from typing import Sequence, Tuple

from .geometry import CELLS, Geometry, cell, row_and_column
from .position import Position

COLOURS = ("white", "black")
STONES = "wb"


def to_action(move: int, geometry: Geometry) -> Tuple[int, int, int, int]:
    """The course's action for a move."""
    twist, number = divmod(move, CELLS)
    row, column = row_and_column(geometry.source[twist][number])
    return row, column, twist // 2, twist % 2


def from_action(action: Sequence, geometry: Geometry) -> int:
    """The move for a course's action, in whatever kind of whole numbers it is written."""
    row, column, quadrant, op = (int(part) for part in action)
    twist = 2 * quadrant + op
    return CELLS * twist + geometry.source[twist].index(cell(row, column))


def from_text(line: str) -> Position:
    """The position of a line: 36 cells row by row, `.`, `w` or `b`, a space, and the side to move."""
    if not re.match(r"[.wb]{36} [wb]$", line):
        raise ValueError("a Pentago line is 36 of . w b, a space, then w or b for the side to move")
    board, side = line.split()
    colours = [[0, 0, 0, 0], [0, 0, 0, 0]]
    for place, sign in enumerate(board):
        if sign != ".":
            number = cell(place // 6, place % 6)
            colours[STONES.index(sign)][number // 9] |= 1 << number % 9
    mover = STONES.index(side)
    return (mover,) + tuple(colours[mover]) + tuple(colours[1 - mover])


def to_text(position: Position) -> str:
    """The line of a position."""
    signs = ["."] * 36
    for player, quadrants in ((position[0], position[1:5]), (1 - position[0], position[5:])):
        for number in range(CELLS):
            if quadrants[number // 9] >> number % 9 & 1:
                row, column = row_and_column(number)
                signs[6 * row + column] = STONES[player]
    return "".join(signs) + " " + STONES[position[0]]
