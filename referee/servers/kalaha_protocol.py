"""The lines of the Kalah Game Protocol 1.0, read and written: `9@8 move 3`.

A line is an id, the id it refers to behind an `@`, a name and arguments; both ids may be left out.
Arguments are numbers, words, strings in double quotes, and boards: `<n,south,north,s1..sn,n1..nn>`, the
two banks and then the ponds of the receiver, who is always south and always to move, and of the other.
"""

import re
from dataclasses import dataclass

from referee.rules.kalaha import MOST_ON_BOARD, MOST_PONDS, A, State

LINE = re.compile(r"([0-9]{1,18})?(?:@([0-9]{1,18}))?\s*([A-Za-z][A-Za-z0-9:_-]*)(?:\s+(.*))?", re.DOTALL)
ARGUMENT = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|<[^<>"]*>|[^\s"<>]+)(?=\s|$)""", re.DOTALL)
BOARD = re.compile(r"<\s*([0-9]{1,7}(?:\s*,\s*[0-9]{1,7})*)\s*>")


@dataclass(frozen=True)
class Line:
    """One line that came."""

    id: int | None
    ref: int | None
    name: str
    arguments: tuple[str, ...]  # strings without their quotes; boards as they came


def parse(text: str) -> Line:
    """What a line says; ValueError in a sentence for what is no line."""
    found = LINE.fullmatch(text.strip())
    if not found:
        raise ValueError("it is no line of the Kalah Game Protocol")
    number, ref, name, rest = found.groups()
    arguments, place, rest = [], 0, (rest or "").rstrip()
    while place < len(rest):
        argument = ARGUMENT.match(rest, place)
        if not argument:
            raise ValueError(f"its arguments cannot be read from {rest[place : place + 30]!r} on")
        arguments.append(_unquoted(argument[1]))
        place = argument.end()
    return Line(int(number) if number else None, int(ref) if ref else None, name, tuple(arguments))


def state(text: str) -> State:
    """The position of a board, the receiver being A and to move; ValueError for what is no board.

    One side may be empty: nothing says here whether the game is over.
    """
    found = BOARD.fullmatch(text)
    size, *counts = map(int, found[1].split(",")) if found else (0,)
    if not found or not 0 < size <= MOST_PONDS or len(counts) != 2 * size + 2 or sum(counts) > MOST_ON_BOARD:
        raise ValueError(f"{text[:60]!r} is no board <n,south,north,s1..sn,n1..nn>")
    south, north, *ponds = counts
    return State(A, (tuple(ponds[:size]), tuple(ponds[size:])), (south, north))


def board(position: State) -> str:
    """The board of a position as A sees it."""
    counts = (len(position.ponds[0]), *position.banks, *position.ponds[0], *position.ponds[1])
    return f"<{','.join(map(str, counts))}>"


def quoted(text: str) -> str:
    """A string as an argument."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def swept(position: State) -> State:
    """The position as the server leaves it: over as soon as a bank holds more than half of all pebbles."""
    south, north = map(sum, position.ponds)
    banks = position.banks
    if south and north and 2 * max(banks) <= south + north + sum(banks):
        return position
    ponds = ((0,) * len(position.ponds[0]),) * 2
    return State(None, ponds, (banks[0] + south, banks[1] + north))


def _unquoted(argument: str) -> str:
    if not argument.startswith('"'):
        return argument
    return re.sub(r"\\(.)", r"\1", argument[1:-1], flags=re.DOTALL)
