"""Cells, windows and twists of both variants, as numbers and tables; nothing here knows a player.

A cell's number is 9 x quadrant + its place in the quadrant, so a quadrant is nine bits:

     0  1  2 |  9 10 11
     3  4  5 | 12 13 14      quadrant 0 | quadrant 1
     6  7  8 | 15 16 17
    ---------+---------     ------------+-----------
    18 19 20 | 27 28 29
    21 22 23 | 30 31 32      quadrant 2 | quadrant 3
    24 25 26 | 33 34 35

Twist t = 2 x quadrant + op.  Placing and twisting commute: a stone put on a cell before the twist is
the same stone put on the cell's image after it.  A move is therefore 36 x twist + the image cell.
"""

import numpy as np

CELLS = 36
TWISTS = 8
MOVES = TWISTS * CELLS

# new[k] = old[SOURCES[variant][op][k]] on the nine cells of the twisted quadrant.
SOURCES = {
    "": ((6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)),
    "classic": ((6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 5, 8, 1, 4, 7, 0, 3, 6)),
    "classic-late": ((6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 5, 8, 1, 4, 7, 0, 3, 6)),
}


def cell(row: int, column: int) -> int:
    """The number of the cell in a row and a column of the board, both counted from 0."""
    return 9 * (2 * (row // 3) + column // 3) + 3 * (row % 3) + column % 3


def row_and_column(number: int) -> tuple:
    """The row and the column of a cell's number."""
    quadrant, place = divmod(number, 9)
    return 3 * (quadrant // 2) + place // 3, 3 * (quadrant % 2) + place % 3


def _windows() -> list:
    found = []
    for row in range(6):
        for column in range(6):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 4 * down < 6 and 0 <= column + 4 * right < 6:
                    found.append([cell(row + i * down, column + i * right) for i in range(5)])
    return found


WINDOWS = _windows()  # the 32 lines of five cells; six in a row holds two of them


class Geometry:
    """The tables of one variant; they are never written to, so all players may share them."""

    def __init__(self, variant: str):
        if variant not in SOURCES:
            raise ValueError("Pentago has no variant %r; leave it out, or say classic" % variant)
        self.variant = variant
        self.places_at_once = variant == "classic"  # a five made by the stone alone ends the game
        sources = SOURCES[variant]
        # turned[op][bits]: a quadrant after the twist.
        self.turned = tuple(
            tuple(
                sum((bits >> source & 1) << place for place, source in enumerate(sources[op]))
                for bits in range(512)
            )
            for op in (0, 1)
        )
        # source[t][cell]: where the stone that stands on the cell after twist t stood before it.
        self.source = []
        for twist in range(TWISTS):
            quadrant, op = divmod(twist, 2)
            before = list(range(CELLS))
            before[9 * quadrant : 9 * quadrant + 9] = [9 * quadrant + k for k in sources[op]]
            self.source.append(before)
        self.windows = [frozenset(window) for window in WINDOWS]
        near = {self.before(twist, window) for window in self.windows for twist in range(TWISTS)}
        # The cells that are a window now, then those that become one by a single twist.
        self.masks = self.windows + sorted(near - set(self.windows), key=sorted)

        # The board's symmetries: half a turn; in classic the quarter turns and reflections as well.
        half = [cell(5 - row, 5 - column) for row, column in map(row_and_column, range(CELLS))]
        self.symmetries = [list(range(CELLS)), half]
        if variant:
            quarter = [cell(column, 5 - row) for row, column in map(row_and_column, range(CELLS))]
            mirror = [cell(row, 5 - column) for row, column in map(row_and_column, range(CELLS))]
            self.symmetries += [quarter, [half[number] for number in quarter]]
            self.symmetries += [[mirror[number] for number in images] for images in self.symmetries]
        # kinds[mask]: masks that are each other's images are of one kind; windows have the first ones.
        numbers = {}
        self.kinds = [numbers.setdefault(self._first_image(mask), len(numbers)) for mask in self.masks]
        self.window_kinds = 1 + max(self.kinds[: len(self.windows)])

    def _first_image(self, cells):
        return min(tuple(sorted(images[number] for number in cells)) for images in self.symmetries)

    def before(self, twist: int, cells: frozenset) -> frozenset:
        """The cells whose stones stand on `cells` after the twist."""
        return frozenset(self.source[twist][number] for number in cells)

    def bits(self, cells: frozenset) -> np.ndarray:
        """The cells as four nine-bit numbers, a quadrant each."""
        quadrants = [0, 0, 0, 0]
        for number in cells:
            quadrants[number // 9] |= 1 << number % 9
        return np.array(quadrants)
