"""The board: (mover, its seven columns, the lowest disc of each first)."""

import re

from .shared.alphabeta import WIN

COLOURS = ("red", "yellow")
START = (0, ("",) * 7)
# Four of one letter in columns of six, written behind each other with a space between them.
FOUR = {
    disc: re.compile("|".join("(?=%s)" % (".{%d}" % gap).join(disc * 4) for gap in (0, 5, 6, 7)))
    for disc in "ry"
}


def from_text(line):
    """The position of the referee's text: rows from the top."""
    columns = tuple("".join(column).rstrip(".") for column in zip(*reversed(line.split("/"))))
    return (sum(map(len, columns)) % 2, columns)


def moves(position):
    """The columns with room, the middle first; none where the game is over."""
    if lost(position):
        return []
    return [number for number in (4, 3, 5, 2, 6, 1, 7) if len(position[1][number - 1]) < 6]


def play(position, number):
    """The position after a disc in that column."""
    mover, columns = position
    return (1 - mover, columns[: number - 1] + (columns[number - 1] + "ry"[mover],) + columns[number:])


def lost(position):
    """Whether the other player has four in a line."""
    board = " ".join(column.ljust(6, ".") for column in position[1])
    return FOUR["yr"[position[0]]].search(board) is not None


def evaluate(position):
    """Discs near the middle, for the mover; -WIN where the other has four."""
    if lost(position):
        return -WIN
    disc = "ry"[position[0]]
    worth = 0
    for number, column in enumerate(position[1]):
        mine = column.count(disc)
        worth += (2 * mine - len(column)) * (3 - abs(3 - number))
    return worth
