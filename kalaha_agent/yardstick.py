"""The published approach that this agent set out to beat, rebuilt: six evaluations over plain alpha-beta.

    referee play kalaha kalaha_agent kalaha_agent.yardstick:Heuristic1 --action-time 1,60

One ply is one choice of a pond, extra turns included; there is no table.  Heuristic1 is the program as
it was handed in (bank difference, its order, its book); the classes below vary one thing each, and so
may arguments: `Yardstick("A", heuristic=3, order="captures", futility=True)`.  In its own language the
original got through 2.1 million nodes in its second, which is what `nodes` is here unless given.
"""

from typing import Any, Callable, Optional, Tuple

from . import notation
from .position import OWN_BANK, STANDARD, START, UNIT

NODES = 2_100_000
LEAST_HELD = 1_000  # beyond every value
HALF = 36  # of the pebbles

FIELD, SHIFTS = STANDARD.field, STANDARD.shifts
PONDS = (5, 4, 3, 2, 1, 0)
SOW = [
    [
        (mine, theirs, lead // UNIT, last)
        for mine, theirs, lead, last in (
            STANDARD.record(pond, pebbles) for pebbles in range(STANDARD.pebbles + 1)
        )
    ]
    for pond in range(STANDARD.ponds)
]
FACING = {shift: SHIFTS[5 - pond] for pond, shift in enumerate(SHIFTS)}


class OutOfNodes(Exception):
    """The budget of this move is used up."""


# The six evaluations: f(whether the player himself is to move, banks and ponds of him and of the other).


def heuristic1(turn: bool, bank: int, other_bank: int, mine: int, theirs: int) -> int:
    """Bank difference."""
    return bank - other_bank


def heuristic2(turn: bool, bank: int, other_bank: int, mine: int, theirs: int) -> int:
    """What lies on the own side counts like what is banked."""
    return mine % FIELD + bank - other_bank


def heuristic3(turn: bool, bank: int, other_bank: int, mine: int, theirs: int, prize: int = 72) -> int:
    """Bank difference, and a prize for more than half of the pebbles."""
    return bank - other_bank + (prize if bank > HALF else -prize if other_bank > HALF else 0)


def heuristic4(turn: bool, bank: int, other_bank: int, mine: int, theirs: int) -> int:
    """The third; while nothing is settled being to move is worth two."""
    settled = bank > HALF or other_bank > HALF
    return heuristic3(turn, bank, other_bank, mine, theirs) + (2 if turn and not settled else 0)


def heuristic5(turn: bool, bank: int, other_bank: int, mine: int, theirs: int) -> int:
    """While nothing is settled: banks, patterns in the ponds, and two for being to move."""
    if bank > HALF or other_bank > HALF:
        return heuristic3(turn, bank, other_bank, mine, theirs)
    return bank + pattern(mine) - other_bank - pattern(theirs) + (2 if turn else 0)


def heuristic6(turn: bool, bank: int, other_bank: int, mine: int, theirs: int) -> int:
    """The third with a smaller prize; two more or less for who is to move."""
    return heuristic3(turn, bank, other_bank, mine, theirs, prize=36) + (2 if turn else -2)


HEURISTICS = {
    1: heuristic1,
    2: heuristic2,
    3: heuristic3,
    4: heuristic4,
    5: heuristic5,
    6: heuristic6,
}


def pattern(side: int) -> int:
    """What the fifth evaluation sees in one side's ponds: the first of these that is there."""
    ponds = STANDARD.counts(side)
    if ponds[5] == 1:
        return 10
    if ponds[4] == 2:
        return 7
    if ponds[3] == 3:
        return 5
    if ponds[2] == 4 or ponds[1] == 5 or ponds[0] == 6:
        return 3
    return 3 if 13 in ponds else 0


# The orders in which ponds were tried: f(own side, the other's) -> ponds.


def published_order(mine: int, theirs: int) -> Tuple[int, ...]:
    """The first pond, from 5 down, that moves again within the first lap; then 6 to 1."""
    for pond in PONDS[1:]:
        if mine >> SHIFTS[pond] & FIELD == 6 - pond:
            return _first((pond,), mine)
    return _first((), mine)


def six_to_one(mine: int, theirs: int) -> Tuple[int, ...]:
    """The ponds from the bank outwards."""
    return _first((), mine)


def thirteen_first(mine: int, theirs: int) -> Tuple[int, ...]:
    """Ponds of 13, which go round and capture, first."""
    return _first([pond for pond in PONDS if mine >> SHIFTS[pond] & FIELD == 13], mine)


def any_lap_first(mine: int, theirs: int) -> Tuple[int, ...]:
    """All ponds that move again, in whichever lap, first."""
    return _first([pond for pond in PONDS if (mine >> SHIFTS[pond] & FIELD) % 13 == 6 - pond], mine)


def captures_first(mine: int, theirs: int) -> Tuple[int, ...]:
    """Moves that capture first."""
    found = []
    for pond in PONDS:
        pebbles = mine >> SHIFTS[pond] & FIELD
        if pebbles:
            added, given, _, last = SOW[pond][pebbles]
            if last >= 0 and mine + added >> last & FIELD == 1 and theirs + given >> FACING[last] & FIELD:
                found.append(pond)
    return _first(found, mine)


def _first(front, mine: int) -> Tuple[int, ...]:
    """These ponds, then the others that are not empty from 6 to 1."""
    return tuple(front) + tuple(pond for pond in PONDS if pond not in front and mine >> SHIFTS[pond] & FIELD)


ORDERS = {
    "published": published_order,
    "six to one": six_to_one,
    "thirteen": thirteen_first,
    "any lap": any_lap_first,
    "captures": captures_first,
}


class Yardstick:
    """The published player; class attributes or arguments of the same names say which of its stages."""

    heuristic = 1
    order = "published"
    futility = False
    book = True
    six_with_one = True  # "pond 6 with exactly one pebble is always right": then nothing else is tried
    pruning = True  # False: minimax
    by_turns = False  # a ply is one pond; True: a turn, so that extra turns are followed to their end
    deepest = 200  # plies below the root's moves; no game is longer from where this can matter

    def __init__(
        self,
        colour: str,
        variant: str = "",
        seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        **stage: Any,
    ) -> None:
        """`nodes` a move; seconds are not looked at, as the budget stands for another language's."""
        if variant not in ("", "6x6"):
            raise ValueError("the published approach knows 6 ponds with 6 pebbles only, not %r" % (variant,))
        unknown = [name for name in stage if not hasattr(type(self), name)]
        if unknown:
            raise TypeError("the yardstick has no option %s" % ", ".join(sorted(unknown)))
        self.__dict__.update(stage)
        self.player = notation.COLOURS.index(colour)
        self.nodes = nodes or NODES
        self.position = START
        self.depth = 0  # plies below the root's moves of the last complete search
        self.visited = 0  # nodes of the last move

    def update(self, colour: str, action: Any) -> None:
        """Follow the game."""
        self.position = notation.follow(STANDARD, self.position, colour, action)

    def action(self) -> int:
        """The book's pond, or the one that the deepest search within the budget likes best."""
        _, lead, mine, theirs = self.position
        bank, other_bank = _banks(lead // UNIT, mine, theirs)
        if self.book and bank + other_bank == 0 and mine & FIELD:
            return 1
        if self.book and (bank, other_bank) == (1, 0) and mine >> SHIFTS[2] & FIELD:
            return 3
        return self.choose() + 1

    def choose(self) -> int:
        """Deepening as the course's framework did it: 1, then 3, 4, 5 plies below the root's moves."""
        _, lead, mine, theirs = self.position
        order_of = self._orders()
        order = order_of(mine, theirs)
        chosen = order[0]
        self.depth = self.visited = 0
        if len(order) == 1:
            return chosen
        look, visited = self._searcher(order_of)
        try:
            for depth in [1] + list(range(3, self.deepest + 1)):
                before = visited[1]
                values = [(look(mine, theirs, lead // UNIT, pond, depth), pond) for pond in order]
                chosen = max(values)[1]  # of equals the highest pond
                self.depth = depth
                if visited[1] == before:  # every line ended: deeper is no different
                    break
        except OutOfNodes:
            pass  # the last complete search decides
        self.visited = visited[0]
        return chosen

    def _orders(self) -> Callable[[int, int], Tuple[int, ...]]:
        """The order with the rule about pond 6, remembered where it depends on the own side alone."""
        by_rule, only_six, top = ORDERS[self.order], self.six_with_one, SHIFTS[5]

        def order_of(mine, theirs):
            if only_six and mine >> top == 1:
                return (5,)
            return by_rule(mine, theirs)

        if self.order == "captures":
            return order_of
        known = {}

        def remembered(mine, theirs):
            found = known.get(mine)
            if found is None:
                if len(known) > 50_000:
                    known.clear()
                known[mine] = found = order_of(mine, theirs)
            return found

        return remembered

    def _searcher(self, order_of):
        """Alpha-beta written out in one function: it must get through two million nodes in seconds."""
        leaf = HEURISTICS[self.heuristic]
        plain = self.heuristic == 1
        futility, pruning, most = self.futility, self.pruning, self.nodes
        again = 0 if self.by_turns else 1  # plies that an extra turn takes
        visited = [0, 0]  # nodes, and leaves where the game goes on

        def value(mine, theirs, lead, depth, alpha, beta, own):
            """For the mover; `own`: he is the player whose move is being chosen."""
            if futility:
                bank, other_bank = _banks(lead, mine, theirs)
                if 2 * (HALF - other_bank) < alpha:
                    return alpha
                if 2 * (HALF - bank) < -beta:
                    return beta
            best = -LEAST_HELD
            if visited[0] >= most:
                raise OutOfNodes
            for pond in order_of(mine, theirs):
                visited[0] += 1
                added, given, gain, last = SOW[pond][mine >> SHIFTS[pond] & 127]
                after = mine + added
                others = theirs + given
                ahead = lead + gain
                if last >= 0 and after >> last & 127 == 1:
                    facing = FACING[last]
                    caught = others >> facing & 127
                    if caught:
                        ahead += caught + 1
                        after -= 1 << last
                        others -= caught << facing
                if not after or not others:
                    ahead += after % 127 - others % 127
                    score = ahead if plain else judged(own, ahead, 0, 0, own)
                elif depth == 0 and (again or last != -1):
                    visited[1] += 1
                    if plain:
                        score = ahead
                    else:
                        score = judged(own, ahead, after, others, own if last == -1 else not own)
                elif last == -1:
                    score = value(after, others, ahead, depth - again, alpha, beta, own)
                else:
                    score = -value(others, after, -ahead, depth - 1, -beta, -alpha, not own)
                if score > best:
                    best = score
                    if score > alpha and pruning:
                        if score >= beta:
                            return score
                        alpha = score
            return best

        def judged(own, lead, mine, theirs, turn):
            """The evaluation of what the mover has made, which is from one player's view, for the mover."""
            bank, other_bank = _banks(lead, mine, theirs)
            if own:
                return leaf(turn, bank, other_bank, mine, theirs)
            return -leaf(turn, other_bank, bank, theirs, mine)

        def look(mine, theirs, lead, pond, depth):
            """The value of one move of the root, with the whole window, `depth` plies below it."""
            visited[0] += 1
            mover, ahead, after, others = STANDARD.play((0, lead * UNIT, mine, theirs), pond)
            ahead //= UNIT
            if not after:
                ahead = ahead if mover == 0 else -ahead
                return ahead if plain else judged(True, ahead, 0, 0, True)
            if mover == 0:
                return value(after, others, ahead, depth - again, -LEAST_HELD, LEAST_HELD, True)
            return -value(after, others, ahead, depth - 1, -LEAST_HELD, LEAST_HELD, False)

        return look, visited


def _banks(lead: int, mine: int, theirs: int) -> Tuple[int, int]:
    """What the mover and the other have banked."""
    banked = STANDARD.pebbles - (mine + theirs) % FIELD
    return (banked + lead) // 2, (banked - lead) // 2


class Heuristic1(Yardstick):
    """As handed in: bank difference."""


class Heuristic2(Yardstick):
    heuristic = 2


class Heuristic3(Yardstick):
    heuristic = 3


class Heuristic4(Yardstick):
    heuristic = 4


class Heuristic5(Yardstick):
    heuristic = 5


class Heuristic6(Yardstick):
    heuristic = 6


class Futility(Yardstick):
    """With the futility pruning that lost to the plain one."""

    futility = True


class ByTurns(Yardstick):
    """A turn as a ply."""

    by_turns = True


class Minimax(Yardstick):
    """The stage before alpha-beta."""

    pruning = False


class Rightmost(Yardstick):
    """The first stage: the pond nearest to the bank."""

    def action(self) -> int:
        return six_to_one(self.position[2], self.position[3])[0] + 1


class HandRules(Yardstick):
    """The second stage, no search: an extra turn, else a capture, else a pond of 13, else the rightmost."""

    def action(self) -> int:
        _, _, mine, theirs = self.position
        for pond in PONDS:
            if mine >> SHIFTS[pond] & FIELD and SOW[pond][mine >> SHIFTS[pond] & FIELD][3] == OWN_BANK:
                return pond + 1
        for order in (captures_first, thirteen_first):
            if order(mine, theirs) != six_to_one(mine, theirs):
                return order(mine, theirs)[0] + 1
        return six_to_one(mine, theirs)[0] + 1
