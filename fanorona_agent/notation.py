"""The course's text of a hop and lines of text <-> this agent's hops and positions.

A hop is written `E3-E2-A`: from, to, and A for an approach, W for a withdrawal, P for a paika; `P`
alone is a Pass.
"""

import re
from typing import FrozenSet, Tuple

from . import hops
from .hops import Hop
from .position import OVER, POINTS, Position

COLOURS = ("light", "dark")
MEN = "ox"
NAMES = {10 * row + column: "ABCDEFGHI"[column] + str(row) for row in range(5) for column in range(9)}
POINT_OF = {name: point for point, name in NAMES.items()}

LINE = re.compile(
    r"([xo.]{45}) ([12])"
    r"(?: ([A-I][0-4](?:-[A-I][0-4])+)| ([1-9]|1[0-9]|2[01])((?: [xo.]{45})*)| (repetition|quiet))?\Z"
)


def to_action(hop: Hop) -> str:
    """The course's text of a hop."""
    if hop == hops.PASS:
        return "P"
    origin, target, kind = hop
    return "%s-%s-%s" % (NAMES[origin], NAMES[target], kind)


def from_action(action: str) -> Hop:
    """The hop for a text, in upper or lower case."""
    text = str(action).strip().upper()
    if text == "P":
        return hops.PASS
    origin, target, kind = text.split("-")
    return POINT_OF[origin], POINT_OF[target], kind


def from_text(line: str) -> Position:
    """The position of a line in the referee's form."""
    return with_history(line)[0]


def with_history(line: str) -> Tuple[Position, FrozenSet[int]]:
    """The same, and the boards in its history, which must not come again."""
    found = LINE.match(line.strip())
    if not found:
        raise ValueError(
            "a Fanorona line is 45 of x o . and the side to move, 1 or 2, then perhaps an open chain, "
            "the history or the kind of draw"
        )
    board, side, chain, count, earlier, drawn = found.groups()
    mover = int(side) - 1
    light, dark = men(board)
    mine, theirs = (dark, light) if mover else (light, dark)
    if drawn:
        return (mover, mine, theirs, OVER, None, ()), frozenset()
    if chain:
        points = tuple(POINT_OF[name] for name in chain.split("-"))
        return (mover, mine, theirs, 0, None, points), frozenset()
    if not count:
        return (mover, mine, theirs, 0, None, ()), frozenset()
    name = light | dark << 50
    boards = [men(text) for text in earlier.split()]
    seen = frozenset([name] + [before | after << 50 for before, after in boards])
    return (mover, mine, theirs, int(count), name, ()), seen


def men(board: str) -> Tuple[int, int]:
    """The men of light and of dark on a board of 45 letters."""
    light = sum(1 << point for point, man in zip(POINTS, board) if man == MEN[0])
    dark = sum(1 << point for point, man in zip(POINTS, board) if man == MEN[1])
    return light, dark
