"""Connect Four: drop a disc into a column; four of one colour in a line win.

A game on one line is `......./......./......./......./....y../r..ry.r`: the rows from the top, r for red
and y for yellow.  Red begins.  An action is the number of a column, 1 to 7.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee import rules

WIDTH, HEIGHT = 7, 6
DISCS = "ry"
LINES = [
    [(x + step * dx, y + step * dy) for step in range(4)]
    for x in range(WIDTH)
    for y in range(HEIGHT)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if x + 3 * dx < WIDTH and 0 <= y + 3 * dy < HEIGHT
]


@dataclass(frozen=True)
class State(rules.State):
    """One position: the discs of each column, the lowest first."""

    COLOURS = ("red", "yellow")
    LIMITS = rules.Limits(action=1.0, megabytes=100)

    columns: tuple[str, ...]

    @classmethod
    def start(cls, variant: str) -> "State":
        if variant:
            raise ValueError(f"connect_four has no variant {variant[:20]!r}; it is played as it is")
        return cls(("",) * WIDTH)

    @classmethod
    def parse(cls, line: str, variant: str) -> "State":
        start = cls.start(variant)
        rows = line.split("/")
        if len(rows) != HEIGHT or not all(re.fullmatch(f"[.ry]{{{WIDTH}}}", row) for row in rows):
            raise ValueError(f"expected {HEIGHT} rows of {WIDTH} letters (., r, y), as in {start.text()!r}")
        columns = tuple("".join(column).rstrip(".") for column in zip(*reversed(rows), strict=True))
        if any("." in column for column in columns):
            raise ValueError("expected every disc to lie on the bottom or on another disc")
        state, discs = cls(columns), "".join(columns)
        if discs.count("r") - discs.count("y") not in (0, 1):
            raise ValueError("expected as many red discs as yellow ones, or one more")
        if state._has_four(1 - state._mover()) and state._has_four(state._mover()):
            raise ValueError("expected four in a line of one colour at most")
        return state

    def to_act(self) -> tuple[int, ...]:
        return () if self.outcome() else (self._mover(),)

    def actions(self, player: int) -> list[int]:
        if player not in self.to_act():
            return []
        return [number for number, column in enumerate(self.columns, 1) if len(column) < HEIGHT]

    def after(self, chosen: Mapping[int, int]) -> "State":
        ((player, number),) = chosen.items()
        columns = list(self.columns)
        columns[number - 1] += DISCS[player]
        return State(tuple(columns))

    def outcome(self) -> tuple[tuple[float, float], str] | None:
        for player, scores in enumerate(((1, 0), (0, 1))):
            if self._has_four(player):
                return scores, f"four {self.COLOURS[player]} discs in a line"
        return ((0.5, 0.5), "the board is full") if all(len(c) == HEIGHT for c in self.columns) else None

    def text(self) -> str:
        return "/".join(self._rows())

    def draw(
        self, unicode: bool = False, large: bool = False, paint: Callable[[str, int], str] = rules.plain
    ) -> str:
        def disc(letter):
            return letter if letter == "." else paint(letter, DISCS.index(letter))

        return "\n".join([*(" ".join(map(disc, row)) for row in self._rows()), "1 2 3 4 5 6 7"])

    def _mover(self) -> int:
        return sum(map(len, self.columns)) % 2

    def _has_four(self, player: int) -> bool:
        board = [column.ljust(HEIGHT, ".") for column in self.columns]
        return any(all(board[x][y] == DISCS[player] for x, y in line) for line in LINES)

    def _rows(self) -> list[str]:
        board = [column.ljust(HEIGHT, ".") for column in self.columns]
        return ["".join(column[y] for column in board) for y in reversed(range(HEIGHT))]
