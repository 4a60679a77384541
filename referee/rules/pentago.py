"""Pentago: place a stone, then twist a quadrant; five in a row win.

The game itself is the course's Pentago-Twist, whose twists are a quarter turn to the right and a
mirroring.  `pentago:classic` turns right or left, and five in a row win as soon as they are placed;
in `pentago:classic-late` they must outlast the twist there too.

A cell is (x, y): x is the row from the top, y the column from the left, both 0 to 5.  The line of a
state is the 36 cells row by row, `.`, `w` or `b`, a space, and `w` or `b` for the side that moves
next.  Any numbers of stones are accepted.  On a board that is decided already, the side that does
not move next is the one that has just moved: it matters for the reason, not for the scores.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee import rules

STONES = "wb"
LINE = re.compile(r"([.wb]{36}) ([wb])")

# The cells of each quadrant, row by row:   0 | 1
#                                           --+--
#                                           2 | 3
QUADRANTS = [
    [6 * x + y for x in range(top, top + 3) for y in range(left, left + 3)]
    for top in (0, 3)
    for left in (0, 3)
]

# Which of a quadrant's cells each of its cells is filled from.
RIGHT = (
    6, 3, 0,
    7, 4, 1,
    8, 5, 2,
)  # fmt: skip
FLIP = (
    2, 1, 0,
    5, 4, 3,
    8, 7, 6,
)  # fmt: skip
LEFT = (
    2, 5, 8,
    1, 4, 7,
    0, 3, 6,
)  # fmt: skip

# The two values of `op`.
TWISTS = {"": (RIGHT, FLIP), "classic": (RIGHT, LEFT), "classic-late": (RIGHT, LEFT)}

# The 32 places for five in a row: rows, columns and both kinds of diagonals.
WINDOWS = [
    {6 * (x + n * dx) + y + n * dy for n in range(5)}
    for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1))
    for x in range(6)
    for y in range(6)
    if 0 <= x + 4 * dx < 6 and 0 <= y + 4 * dy < 6
]


def has_five(board: str, stone: str) -> bool:
    """Whether five of a side's stones, or six, stand in an unbroken straight line."""
    stones = {cell for cell, found in enumerate(board) if found == stone}
    return any(window <= stones for window in WINDOWS)


@dataclass(frozen=True)
class State(rules.State):
    """One state of Pentago, all of it on the board: nothing depends on earlier moves."""

    board: str
    mover: int
    variant: str

    COLOURS = ("white", "black")
    LIMITS = rules.Limits(first=30.0, action=2.0, megabytes=500)
    COURSE = rules.Course(judging=rules.WRITTEN, megabytes=10, reads_late=False)  # a server that reads lines
    VARIANTS = ("classic",)
    PLANES = ("own stones", "the other's stones")

    @classmethod
    def start(cls, variant: str) -> "State":
        if variant not in TWISTS:
            raise ValueError(f"pentago has the variants classic and classic-late, but not {variant[:20]!r}")
        return cls("." * 36, mover=0, variant=variant)

    @classmethod
    def parse(cls, line: str, variant: str) -> "State":
        cls.start(variant)
        found = LINE.fullmatch(line)
        if not found:
            raise ValueError(
                "a pentago position is 36 cells row by row, each . or w or b,"
                " then a space and w or b for the side that moves next"
            )
        return cls(found[1], STONES.index(found[2]), variant)

    def to_act(self) -> tuple[int, ...]:
        return () if self.outcome() else (self.mover,)

    def actions(self, player: int) -> list[rules.Action]:
        if player not in self.to_act():
            return []
        return [
            (x, y, quadrant, op)
            for x in range(6)
            for y in range(6)
            if self.board[6 * x + y] == "."
            for quadrant in range(4)
            for op in range(2)
        ]

    def after(self, chosen: Mapping[int, rules.Action]) -> "State":
        ((player, (x, y, quadrant, op)),) = chosen.items()
        cells = list(self.board)
        cells[6 * x + y] = STONES[player]
        if not (self.variant == "classic" and has_five("".join(cells), STONES[player])):
            before = [cells[cell] for cell in QUADRANTS[quadrant]]
            for cell, source in zip(QUADRANTS[quadrant], TWISTS[self.variant][op], strict=True):
                cells[cell] = before[source]
        return State("".join(cells), 1 - player, self.variant)

    def outcome(self) -> tuple[tuple[float, float], str] | None:
        # Both sides are tested, and on the board after the twist: a twist may break the mover's own
        # five, and it may make the opponent's.
        moved = 1 - self.mover
        made = has_five(self.board, STONES[moved])
        given = has_five(self.board, STONES[self.mover])
        if made and given:
            return (0.5, 0.5), "draw: both have five in a row"
        if made:
            return _win(moved), f"{self.COLOURS[moved]} wins with five in a row"
        if given:
            by, to = self.COLOURS[moved], self.COLOURS[self.mover]
            return _win(self.mover), f"{to} wins: {by}'s own twist gave away five in a row"
        if "." not in self.board:
            return (0.5, 0.5), "draw: the board is full"
        return None

    def every_action(self) -> tuple[rules.Action, ...]:
        return tuple((x, y, q, op) for x in range(6) for y in range(6) for q in range(4) for op in range(2))

    def planes(self, player: int) -> rules.Planes:
        rows = [self.board[start : start + 6] for start in range(0, 36, 6)]
        stones = STONES[player], STONES[1 - player]
        return [[[float(cell == stone) for cell in row] for row in rows] for stone in stones]

    def text(self) -> str:
        return f"{self.board} {STONES[self.mover]}"

    def draw(
        self, unicode: bool = False, large: bool = False, paint: Callable[[str, int], str] = rules.plain
    ) -> str:
        signs = {".": "·" if unicode else ".", "w": "○" if unicode else "w", "b": "●" if unicode else "b"}
        across, up, cross = "─│┼" if unicode else "-|+"

        def cell(stone: str) -> str:
            return signs[stone] if stone == "." else paint(signs[stone], STONES.index(stone))

        rows = []
        for x in range(6):
            cells = [cell(stone) for stone in self.board[6 * x : 6 * x + 6]]
            rows.append(f"{' '.join(cells[:3])} {up} {' '.join(cells[3:])}")
        if not large:
            return "\n".join([*rows[:3], across * 6 + cross + across * 6, *rows[3:]])
        joints = [tuple(corners) for corners in (("┌┬┐", "├┼┤", "└┴┘") if unicode else ("+++", "+++", "+++"))]
        top, middle, bottom = (f"  {a}{across * 7}{b}{across * 7}{c}" for a, b, c in joints)
        rows = [f"{x} {up} {row} {up}" for x, row in enumerate(rows)]
        return "\n".join(["    0 1 2   3 4 5", top, *rows[:3], middle, *rows[3:], bottom])


def _win(player: int) -> tuple[float, float]:
    return (1, 0) if player == 0 else (0, 1)
