"""The published approach this agent set out to beat, rebuilt: plain deepening and string patterns.

    referee play pentago pentago_agent pentago_agent.yardstick --games 20

Alpha-beta without ordering, a table, and an evaluation that reads rows, columns and diagonals; 190 000
nodes an action, as the original got through in its two seconds.  A node's last plies are evaluated in
one numpy batch, but counted, and cut off, in the original's order.
"""

from typing import Optional, Sequence, Tuple

import numpy as np

from .notation import COLOURS

NODES = 190000
WON = 10000000
OPEN = {5: 1000000, 4: 10000, 3: 1000, 2: 10}  # stones in a row where there is room for five
CRAMPED = {4: 100, 3: 50, 2: 0}  # and where there is not
BROKEN_FOURS = ("10111", "11101", "11011")
CENTRE = 50
CHILDREN_AT_ONCE = 32
CENTRES = [7, 10, 25, 28]

SOURCES = {
    "": ((6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)),
    "classic": ((6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 5, 8, 1, 4, 7, 0, 3, 6)),
}


def _lines() -> list:
    """The cells (6 x row + column) of all rows, columns and diagonals of at least two cells."""
    lines = [[6 * row + column for column in range(6)] for row in range(6)]
    lines += [[6 * row + column for row in range(6)] for column in range(6)]
    for total in range(1, 10):
        lines.append([6 * row + total - row for row in range(6) if 0 <= total - row < 6])
    for shift in range(-4, 5):
        lines.append([6 * row + row + shift for row in range(6) if 0 <= row + shift < 6])
    return lines


def _score(blocks: Sequence[str], twos: bool) -> int:
    """What one side's stones are worth in the pieces of a line that the other side leaves it."""
    total = 0
    for block in blocks:
        worth = OPEN if len(block) >= 5 else CRAMPED
        if len(block) >= 5 and any(pattern in block for pattern in BROKEN_FOURS):
            total += OPEN[4]
        for run in block.split("0"):
            if len(run) > 2 or (len(run) == 2 and twos):
                total += worth.get(min(len(run), 5), 0)
    return total


LINES = _lines()
POWERS = np.zeros((36, len(LINES)), np.int32)  # a line's number in base 3, by a product with the cells
VALUES = np.zeros((len(LINES), 729), np.int32)  # the line's part of the evaluation
FIVES = np.zeros((2, len(LINES), 729), bool)
for _number, _line in enumerate(LINES):
    POWERS[_line, _number] = 3 ** np.arange(len(_line))
    for _code in range(3 ** len(_line)):
        _digits = [_code // 3**place % 3 for place in range(len(_line))]
        _text = "".join(map(str, _digits))
        _mine, _theirs = _text.split("2"), _text.replace("1", "x").replace("2", "1").split("x")
        VALUES[_number, _code] = _score(_mine, True) - _score(_theirs, False)
        FIVES[0, _number, _code] = "11111" in _text
        FIVES[1, _number, _code] = "22222" in _text
_NUMBERS = np.arange(len(LINES))


class OutOfNodes(Exception):
    """The budget of the action is used up."""


class Player:
    """The published player; `best_scoring` brings back its habit of keeping the best-scoring iteration."""

    def __init__(
        self,
        colour: str,
        variant: str = "",
        seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        best_scoring: bool = False,
    ) -> None:
        """The clock is not used: `nodes` an action, None for the original's budget."""
        self.me = COLOURS.index(colour)
        self.nodes = NODES if nodes is None else nodes
        self.best_scoring = best_scoring
        self.places_at_once = variant == "classic"
        self.cells = np.zeros(36, np.int8)  # 0 empty, 1 white, 2 black
        # before[twist][cell]: the cell whose stone stands on it after the twist
        self.before = np.tile(np.arange(36), (8, 1))
        for twist in range(8):
            quadrant, op = divmod(twist, 2)
            corner = 18 * (quadrant // 2) + 3 * (quadrant % 2)
            places = corner + np.array([6 * (place // 3) + place % 3 for place in range(9)])
            self.before[twist, places] = places[list(SOURCES[variant][op])]

    def action(self) -> Tuple[int, int, int, int]:
        seen = np.where(self.cells == 0, 0, np.where(self.cells == self.me + 1, 1, 2)).astype(np.int8)
        self.left = self.nodes
        self.table = {}
        # Where the budget ends within the first iteration: any legal move.
        best, found = 8 * int(np.flatnonzero(seen == 0)[0]), []
        try:
            for depth in range(1, int((seen == 0).sum()) + 1):
                score, best = self._search(seen, depth, -10 * WON, 10 * WON, 1)
                found.append((score, best))
                if abs(score) >= WON:
                    break
        except OutOfNodes:
            pass
        if self.best_scoring and found:
            best = max(found, key=lambda pair: pair[0])[1]
        number, twist = divmod(best, 8)
        return number // 6, number % 6, twist // 2, twist % 2

    def update(self, colour: str, action: Sequence) -> None:
        row, column, quadrant, op = (int(part) for part in action)
        self.cells[6 * row + column] = COLOURS.index(colour) + 1
        self.cells = self.cells[self.before[2 * quadrant + op]]

    def _children(self, cells: np.ndarray, empty: np.ndarray, stone: int) -> np.ndarray:
        """The boards after `stone` on each of the `empty` cells and each twist, in that order."""
        placed = np.repeat(cells[None], len(empty), axis=0)
        placed[np.arange(len(empty)), empty] = stone
        boards = placed[:, self.before]
        if self.places_at_once:
            codes = placed.astype(np.int32).dot(POWERS)
            ended = FIVES[stone - 1, _NUMBERS, codes].any(axis=1)
            boards[ended] = placed[ended][:, None]
        return boards.reshape(-1, 36)

    def _evaluate(self, boards: np.ndarray) -> tuple:
        """The boards' scores for this player, and which of them end the game."""
        codes = boards.astype(np.int32).dot(POWERS)
        scores = VALUES[_NUMBERS, codes].sum(axis=1)
        centres = boards[:, CENTRES]
        scores = scores + CENTRE * ((centres == 1).sum(axis=1))
        mine = FIVES[0, _NUMBERS, codes].any(axis=1)
        theirs = FIVES[1, _NUMBERS, codes].any(axis=1)
        full = (boards != 0).all(axis=1)
        scores = np.where(mine & theirs | full & ~(mine | theirs), 0, scores)
        scores = np.where(mine & ~theirs, WON, np.where(theirs & ~mine, -WON, scores))
        return scores, mine | theirs | full

    def _search(self, cells, depth, alpha, beta, stone):
        """Minimax with cut-offs: the score for this player, and the move, who moves `stone`."""
        key = (cells.tobytes(), stone)
        if key in self.table:
            known, score, move = self.table[key]
            if known >= depth:
                return score, move
        low, high = alpha, beta
        empty = np.flatnonzero(cells == 0)
        best, chosen = None, None
        for count in range(8 * len(empty)):
            place = count % CHILDREN_AT_ONCE
            if place == 0:
                some = empty[count // 8 : (count + CHILDREN_AT_ONCE) // 8]
                boards = self._children(cells, some, stone)
                scores, ended = self._evaluate(boards)
            if self.left <= 0:
                raise OutOfNodes
            self.left -= 1
            if depth == 1 or ended[place]:
                score = int(scores[place])
            else:
                score, _ = self._search(boards[place], depth - 1, alpha, beta, 3 - stone)
            if best is None or (score > best if stone == 1 else score < best):
                best, chosen = score, 8 * int(empty[count // 8]) + count % 8
            if stone == 1:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                break
        if low < best < high:  # a bound is not a value
            self.table[key] = depth, best, chosen
        return best, chosen
