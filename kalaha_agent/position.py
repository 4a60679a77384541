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

from operator import itemgetter
from typing import Any, Callable, List, Tuple

Position = Tuple[int, int, int, int]  # mover, lead, mine, theirs
Move = int  # an own pond, counted from 0

MOVER, LEAD, MINE, THEIRS = range(4)

UNIT = 8  # a pebble, so that an evaluation in whole numbers can be finer than that

KEY = itemgetter(MINE, THEIRS)  # what can be won from here on depends on the ponds alone
LEAD_OF = itemgetter(LEAD)  # and is added to this

# What `record` says of the place where the last pebble falls, when that is not the shift of an own pond.
OWN_BANK, THEIR_SIDE = -1, -2

REMEMBERED = 100_000  # sides whose orders of moves are remembered: 17 MB
RICH = 4  # pebbles that are worth capturing before extra turns are looked at
SOWINGS = 20_000  # ways to sow that are remembered: a 6x6 game has 432


class Board:
    """The rules on boards of one size: `start`, and the functions `moves` and `play` for the search.

    The functions are closures, which read their tables twice as fast as attributes.  What they
    remember are facts of the rules, at most REMEMBERED and SOWINGS of them.
    """

    def __init__(self, ponds: int, pebbles: int) -> None:
        """`ponds` a side, and `pebbles` in all, banks included."""
        self.ponds = ponds
        self.pebbles = pebbles
        self.width = (pebbles + 1).bit_length()
        self.field = (1 << self.width) - 1
        self.shifts = [pond * self.width for pond in range(ponds)]
        self.moves = self._mover()
        self.play = self._player()

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

    def _mover(self) -> Callable[[Position], Tuple[Move, ...]]:
        field, ponds, shifts = self.field, self.ponds, self.shifts
        ring = 2 * ponds + 1
        ORDERS = {}  # by own side
        KINDS = {}  # the different ones of these: few orders serve many sides

        def orders(mine):
            """The order for a side, and for each pond that may capture what it faces and another order."""
            ahead, others, chances = [], [], []
            for pond in range(ponds - 1, -1, -1):
                pebbles = mine >> shifts[pond] & field
                if not pebbles:
                    continue
                last = (pond + pebbles) % ring
                if last == ponds:
                    ahead.append(pond)
                else:
                    # What goes to the other side is lost; far ponds give least.
                    others.append((pond - max(0, pond + pebbles - ponds), pond))
                    empty = last == pond or (last < ponds and not mine >> shifts[last] & field)
                    if empty and pebbles <= ring:
                        chances.append((pond, shifts[ponds - 1 - last]))
            others = [pond for _, pond in sorted(others, reverse=True)]
            answer = [tuple(ahead + others)]
            for chance, opposite in chances:
                rest = [pond for pond in others if pond != chance]
                answer.append((opposite, tuple([chance] + ahead + rest), tuple(ahead + [chance] + rest)))
            if len(ORDERS) >= REMEMBERED:
                ORDERS.clear()
            answer = tuple(answer)
            ORDERS[mine] = answer = KINDS.setdefault(answer, answer)
            return answer

        def moves(position: Position, remembered=ORDERS.get) -> Tuple[Move, ...]:
            """The ponds that may be played, most promising first; none when the game is over.

            A rich capture comes first, then extra turns, then a poor capture, then what gives least away.
            """
            answer = remembered(position[2])
            if answer is None:
                answer = orders(position[2])
            if len(answer) == 1:
                return answer[0]
            theirs = position[3]
            most, order = 0, answer[0]
            for opposite, first, second in answer[1:]:
                caught = theirs >> opposite & field
                if caught > most:
                    most = caught
                    order = first if caught >= RICH else second
            return order

        return moves

    def _player(self) -> Callable[[Position, Move], Position]:
        unit, field, shifts = UNIT, self.field, self.shifts
        sow = [Sowing(self, pond) for pond in range(self.ponds)]
        FACING = {shifts[pond]: shifts[self.ponds - 1 - pond] for pond in range(self.ponds)}

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


class Sowing(dict):
    """What sowing from one pond does, by the number of pebbles; worked out when first asked for."""

    def __init__(self, board: Board, pond: int) -> None:
        super().__init__()
        self.record = board.record
        self.pond = pond
        self.most = SOWINGS // board.ponds

    def __missing__(self, pebbles: int) -> Any:
        if len(self) >= self.most:
            self.clear()
        self[pebbles] = found = self.record(self.pond, pebbles)
        return found


STANDARD = Board(6, 72)
START = STANDARD.position(0, 0, [6] * 6, [6] * 6)
moves, play = STANDARD.moves, STANDARD.play
