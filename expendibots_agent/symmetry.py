"""The eight symmetries of the board, and numbers for placements of few tokens, for the ending tables."""

from typing import Sequence

NUMBERS = {1: 64, 2: 2080, 3: 45760}  # ways to put so many like tokens on the board


def turned(square: int, symmetry: int) -> int:
    """The square under one of the eight symmetries: bit 0 mirrors x, bit 1 y, bit 2 swaps them after."""
    x, y = square & 7, square >> 3
    if symmetry & 1:
        x = 7 - x
    if symmetry & 2:
        y = 7 - y
    return 8 * x + y if symmetry & 4 else 8 * y + x


TURNED = [[turned(square, symmetry) for square in range(64)] for symmetry in range(8)]
CORNER = [8 * y + x for x in range(4) for y in range(x + 1)]  # the ten squares of a lone token

# For each square of a lone token: its place among the ten, and the symmetry that brings it there.
LONE = [
    next((CORNER.index(TURNED[s][square]), s) for s in range(8) if TURNED[s][square] in CORNER)
    for square in range(64)
]


def number(squares: Sequence[int]) -> int:
    """The number of one, two or three like tokens on these squares, in any order, some perhaps the same."""
    if len(squares) == 1:
        return squares[0]
    if len(squares) == 2:
        a, b = squares
        return a + b * (b + 1) // 2 if a <= b else b + a * (a + 1) // 2
    a, b, c = sorted(squares)
    return a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6


def _pairs():
    """For each number of a pair: its place among those that stand for all, and the symmetry to there."""
    found, leaders = [None] * 2080, []
    for b in range(64):
        for a in range(b + 1):
            images = [number((TURNED[s][a], TURNED[s][b])) for s in range(8)]
            lowest = min(images)
            if lowest == number((a, b)):
                leaders.append(lowest)
            found[number((a, b))] = leaders.index(lowest), images.index(lowest)
    return found, leaders


PAIR, LEADERS = _pairs()
