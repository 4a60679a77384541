"""The course's actions <-> this agent's moves, and positions read from the rules' line of text."""

import re
from typing import Sequence, Tuple

from .position import FIRST_STEP, HEXES, INDEX, NEIGHBOURS, UNIT, Position

COLOURS = ("upper", "lower")
LETTERS = "rps"


def to_action(move: int) -> Tuple:
    """The plain tuple that the course's referee compares with its own."""
    if move < FIRST_STEP:
        symbol, h = divmod(move, 61)
        return "THROW", LETTERS[symbol], HEXES[h]
    g, h = divmod(move - FIRST_STEP, 61)
    return "SLIDE" if h in NEIGHBOURS[g] else "SWING", HEXES[g], HEXES[h]


def to_move(action: Sequence) -> int:
    """The move of an action in any dress: lists, named tuples, whole floats, numpy integers."""
    kind, source, target = action
    h = INDEX[_hex(target)]
    # Compared as the referee does: what equals "THROW" need not have it for its str(), an Enum has not.
    if kind == "THROW":
        return 61 * list(LETTERS).index(source) + h
    return FIRST_STEP + 61 * INDEX[_hex(source)] + h


def _hex(place):
    r, q = place
    return int(r), int(q)


def from_text(line: str) -> Position:
    """The position of a line such as `12 5/4 (3,-1):RR (0,0):Pp (-2,1):s` (turns, throws, tokens)."""
    turns, throws = line.split()[:2]
    boards = [0] * 6
    for r, q, tokens in re.findall(r"\((-?\d),(-?\d)\):([RPSrps]+)", line):
        for letter in tokens:
            boards["RPSrps".index(letter)] += UNIT[INDEX[int(r), int(q)]]
    return (int(turns),) + tuple(int(thrown) for thrown in throws.split("/")) + tuple(boards)


def to_text(position: Position) -> str:
    """The line of text of a position."""
    tokens = []
    for h, (r, q) in enumerate(HEXES):
        letters = "".join("RPSrps"[place] * (board >> 4 * h & 15) for place, board in enumerate(position[3:]))
        if letters:
            tokens.append("({},{}):{}".format(r, q, letters))
    return " ".join(["{} {}/{}".format(*position[:3])] + tokens)
