"""The fast board: where the pebbles are, which ponds may be played, and what playing one does.

A position is (mover, lead, mine, theirs): the player to move, his bank less the other's in units of
which UNIT make a pebble, and both sides' ponds as the mover sees them.  A side is one int with a field
of `width` bits for each pond, the owner's pond 1 lowest.  With 72 pebbles a field has 7 bits:

    theirs    bit  0-6   pond 1         mine      bit  0-6   pond 1, a move is 0    (far from the bank)
                   7-13  pond 2                        7-13  pond 2, a move is 1
                   ...                                 ...
                  35-41  pond 6                       35-41  pond 6, a move is 5    (next to the bank)

Pond i faces the other's pond 7 - i.  A field is wide enough for one pebble more than there are, so
the pebbles of a side (of both, too) are the int modulo a field of ones: 2 ** width is 1 modulo that.

A finished game is (whoever, lead, 0, 0), with all pebbles counted.  The banks do not appear otherwise:
what can be won from here on does not depend on them, and they are what is missing to `pebbles`.
"""

from functools import partial
from typing import Any, Callable, List, Tuple

from . import order

Position = Tuple[int, int, int, int]  # mover, lead, mine, theirs
Move = int  # an own pond, counted from 0

MOVER, LEAD, MINE, THEIRS = range(4)

UNIT = 8  # a pebble, so that an evaluation in whole numbers can be finer than that


# What `record` says of the place where the last pebble falls, when that is not the shift of an own pond.
OWN_BANK, THEIR_SIDE = -1, -2

HALVES = 30_000  # half sides that are remembered, of each half, for each thing asked of them: 2 MB
# Numbers of ponds by pebbles, and ways to sow, that are worked out beforehand: those of a 6x6 board, which
# are 768 and 432.  On larger boards that would take longer than a short action, and gains nothing.
ROWS, BEFOREHAND = 1_000, 500
SOWINGS = 6_000  # ways to sow that are remembered


class Board:
    """The rules on boards of one size: the functions `choices` and `play` for the search.

    These are closures, which read their tables twice as fast as attributes.  What they
    remember are facts of the rules, and bounded in number.
    """

    def __init__(self, ponds: int, pebbles: int) -> None:
        """`ponds` a side, and `pebbles` in all, banks included."""
        self.ponds = ponds
        self.pebbles = pebbles
        self.width = (pebbles + 1).bit_length()
        self.field = (1 << self.width) - 1
        self.shifts = [pond * self.width for pond in range(ponds)]
        self.sow = [self._sowings(pond) for pond in range(ponds)]
        self.facing = dict(zip(self.shifts, reversed(self.shifts)))
        self.middle = (ponds + 1) // 2  # how many ponds are in the near half of a side, far from the bank
        self.choices = order.chooser(ponds, self.shifts, self.field, self.of_ponds)
        self.play = self._player()

    def moves(self, position: Position) -> Tuple[Move, ...]:
        """The ponds that may be played, most promising first; none when the game is over."""
        return self.choices(position[MINE], position[THEIRS])

    def position(self, mover: int, lead: int, mine: List[int], theirs: List[int]) -> Position:
        """The position with these pebbles in the ponds, and so many more in the mover's bank."""
        return mover, lead * UNIT, self.side(mine), self.side(theirs)

    def side(self, counts: List[int]) -> int:
        """The int for the ponds of one player."""
        return sum(count << shift for count, shift in zip(counts, self.shifts))

    def counts(self, side: int) -> List[int]:
        """The pebbles in each pond of one player."""
        return [side >> shift & self.field for shift in self.shifts]

    def left(self, position: Position) -> int:
        """How many pebbles are not yet banked."""
        return (position[MINE] + position[THEIRS]) % self.field

    def of_ponds(self, number: Callable[[int, int], int]) -> "Halves":
        """A number for each side, the sum of one for each pond and its pebbles."""
        rows = [partial(number, pond) for pond in range(self.ponds)]
        if self.ponds * self.field < ROWS:
            rows = [[row(pebbles) for pebbles in range(self.field + 1)] for row in rows]
        else:  # all of them would fill the memory
            rows = [order.Remembered(row, SOWINGS // self.ponds) for row in rows]
        halves = rows[: self.middle], rows[self.middle :]
        most = order.bounded(HALVES, self.ponds)
        return Halves(self, *[order.Remembered(summed(self, half), most) for half in halves])

    def _sowings(self, pond: int) -> Any:
        """What `record` says of a pond, by its pebbles."""
        if self.ponds * self.pebbles < BEFOREHAND:
            return [self.record(pond, pebbles) for pebbles in range(self.pebbles + 1)]
        return order.Remembered(partial(self.record, pond), SOWINGS // self.ponds)

    def record(self, pond: int, pebbles: int) -> Tuple[int, int, int, int]:
        """What sowing so many pebbles from a pond adds: (mine, theirs, lead, where the last one falls)."""
        ring = 2 * self.ponds + 1
        laps, rest = divmod(pebbles, ring)
        added = [laps] * ring
        added[pond] -= pebbles
        for step in range(1, rest + 1):
            added[(pond + step) % ring] += 1
        last = (pond + pebbles) % ring
        if last > self.ponds:
            where = THEIR_SIDE
        elif last == self.ponds:
            where = OWN_BANK
        else:
            where = self.shifts[last]
        own, bank, other = added[: self.ponds], added[self.ponds], added[self.ponds + 1 :]
        return self.side(own), self.side(other), bank * UNIT, where

    def _player(self) -> Callable[[Position, Move], Position]:
        unit, field, shifts, sow, FACING = UNIT, self.field, self.shifts, self.sow, self.facing

        def play(position: Position, pond: Move) -> Position:
            """The position after the mover has played a pond that is not empty."""
            mover, lead, mine, theirs = position

            # 1. Lift and sow.
            added, given, banked, last = sow[pond][mine >> shifts[pond] & field]
            mine += added
            theirs += given
            lead += banked

            # 2. The last pebble made an empty pond a pond of one: it catches what is opposite, if anything.
            if last >= 0 and mine >> last & field == 1:
                opposite = FACING[last]
                caught = theirs >> opposite & field
                if caught:
                    lead += (caught + 1) * unit
                    mine -= 1 << last
                    theirs -= caught << opposite

            # 3. The turn passes, unless the last pebble fell into the own bank.
            if mine and theirs:
                if last == -1:
                    return mover, lead, mine, theirs
                return 1 - mover, -lead, theirs, mine

            # 4. A side is empty: each banks what is left, the game is over.
            return 1 - mover, (theirs % field - mine % field) * unit - lead, 0, 0

        return play


class Halves:
    """A number for each side of a board, the sum of what two tables say of its halves.

    Whole sides are too many to meet again (half of all look-ups missed), while of halves there are few.
    The number is near[side & low] + far[side >> cut] - excess.
    """

    def __init__(self, board: Board, near: Any, far: Any, excess: int = 0) -> None:
        self.cut = board.middle * board.width
        self.low = (1 << self.cut) - 1
        self.near, self.far, self.excess = near, far, excess


def summed(board: Board, rows: List[Any]) -> Callable[[int], int]:
    """The sum over some ponds beside each other, a row for each."""
    field, rows = board.field, list(zip(rows, board.shifts))

    def worth(side: int) -> int:
        found = 0
        for row, shift in rows:
            found += row[side >> shift & field]
        return found

    return worth


STANDARD = Board(6, 72)
START = STANDARD.position(0, 0, [6] * 6, [6] * 6)
moves, play = STANDARD.moves, STANDARD.play
