"""The published approach that this agent set out to beat: alpha-beta over single hops, rebuilt.

    player = Player("dark")                        # as submitted: evaluation C, 50 000 states a hop
    player = Player("dark", evaluation="A", table=False, deepening=False, depth=4)

Deepening negamax with deep alpha-beta; a child where the same player goes on keeps sign and window.  A
leaf inside an open chain is searched on until the chain ends.  The table, by 32-bit keys, only orders
the children: the best one of the shallower iteration, then those that were best, or cut off, before.
"""

import random
from typing import Dict, List, Optional, Tuple

from . import hops, notation
from .evaluate import WIN
from .position import (
    AHEAD,
    BEHIND,
    BOARD,
    HERE,
    HOP_OF_BIT,
    LAST_QUIET,
    LINES,
    NEXT,
    OVER,
    POINTS,
    Position,
    hops_on,
    popcount,
)

START = "x" * 19 + "oxo.xox" + "o" * 19
STATES = 50000  # what the original looks at in its 4 seconds

LINE_WEIGHTS = """
    3 3 5 3 5 3 5 3 3
    3 8 4 8 4 8 4 8 3
    5 4 8 4 8 4 8 4 5
    3 8 4 8 4 8 4 8 3
    3 3 5 3 5 3 5 3 3
"""
CORNER_WEIGHTS = """
    4 4 3 2 1 2 3 4 4
    4 3 2 1 1 1 2 3 4
    3 3 2 1 1 1 2 3 3
    4 3 2 1 1 1 2 3 4
    4 4 3 2 1 2 3 4 4
"""

# A state is (mover, mine, theirs, history, chain): the history a set of boards, None after a draw.
State = Tuple
Hop = Tuple[int, int, int]  # the bits of origin and target, and of the men taken; PASS
PASS = (0, 0, 0)


def rows_of(weights: str, men: int = 0) -> List[List[int]]:
    """For each row, the sum of the weights (and of so much a man) for each way to fill it."""
    table = []
    for row in weights.split("\n")[1:-1]:
        values = [int(value) + men for value in row.split()]
        table.append([sum(v for i, v in enumerate(values) if fill >> i & 1) for fill in range(512)])
    return table


LINE_ROWS, CORNER_ROWS = rows_of(LINE_WEIGHTS), rows_of(CORNER_WEIGHTS)
MAN_AND_LINE_ROWS = rows_of(LINE_WEIGHTS, 15)


def weigh(rows: List[List[int]], men: int) -> int:
    """The sum over the rows of a board."""
    return (
        rows[0][men & 511]
        + rows[1][men >> 10 & 511]
        + rows[2][men >> 20 & 511]
        + rows[3][men >> 30 & 511]
        + rows[4][men >> 40]
    )


def evaluation_a(state: State, has_pass: bool) -> float:
    """Men."""
    _, mine, theirs, _, _ = state
    return popcount(mine) - popcount(theirs) + 0.1 * popcount(mine)


def evaluation_b(state: State, has_pass: bool) -> float:
    """Lines at the men's points."""
    _, mine, theirs, _, _ = state
    return weigh(LINE_ROWS, mine) - weigh(LINE_ROWS, theirs) + 0.1 * popcount(mine)


def evaluation_c(state: State, has_pass: bool) -> float:
    """Men and lines: the one that was handed in."""
    return weigh(MAN_AND_LINE_ROWS, state[1]) - weigh(MAN_AND_LINE_ROWS, state[2])


def evaluation_d(state: State, has_pass: bool) -> float:
    """Men, lines, nearness to the corners, and mobility."""
    _, mine, theirs, _, _ = state
    corners = weigh(CORNER_ROWS, mine) - weigh(CORNER_ROWS, theirs)
    legal = len(children(state, has_pass))
    return evaluation_c(state, has_pass) + 0.25 * corners + 0.05 * legal / popcount(mine)


EVALUATIONS = {"A": evaluation_a, "B": evaluation_b, "C": evaluation_c, "D": evaluation_d}


def static(position: Position) -> int:
    """Evaluation C as a function for this agent's own search, to see what its evaluation is worth."""
    _, mine, theirs, quiet, _, _ = position
    if quiet == OVER:
        return 0
    if not mine * HERE & ((BOARD ^ mine ^ theirs) * NEXT & LINES):
        return -WIN
    return WIN if not theirs else int(evaluation_c((0, mine, theirs, frozenset(), ()), True)) or 1


# Random numbers for 137 flags: light's men, dark's men, the man in a chain, the turn, an open chain.
_chance = random.Random(137)
FLAGS = [_chance.getrandbits(32) for _ in range(137)]
ROW_KEYS: List[List[List[int]]] = [[], []]
for _player in (0, 1):
    for _row in range(5):
        _keys = [0] * 512
        for _fill in range(1, 512):
            _low = _fill & -_fill
            _keys[_fill] = _keys[_fill ^ _low] ^ FLAGS[45 * _player + 9 * _row + _low.bit_length() - 1]
        ROW_KEYS[_player].append(_keys)


def key(state: State) -> int:
    """The 32-bit number by which the table knows a state."""
    mover, mine, theirs, _, chain = state
    found = FLAGS[135] if mover else 0
    if chain:
        found ^= FLAGS[136] ^ FLAGS[90 + POINTS.index(chain[-1])]
    for rows, men in ((ROW_KEYS[mover], mine), (ROW_KEYS[1 - mover], theirs)):
        found ^= rows[0][men & 511] ^ rows[1][men >> 10 & 511] ^ rows[2][men >> 20 & 511]
        found ^= rows[3][men >> 30 & 511] ^ rows[4][men >> 40]
    return found


def children(state: State, has_pass: bool) -> List[Tuple[Hop, State]]:
    """The legal hops and the states after them; none when the game is over."""
    mover, mine, theirs, history, chain = state
    if history is None or not theirs:
        return []
    found = []
    if chain:
        for hop, hops_after in chain_captures(mine, theirs, chain):
            found.append((hop, captured(state, hop, hops_after)))
        if has_pass:
            found.append((PASS, (1 - mover, theirs, mine, frozenset(), ())))
        return found
    lines = mine * HERE & ((BOARD ^ mine ^ theirs) * NEXT & LINES)
    approaches, withdrawals = lines & theirs * AHEAD, lines & theirs * BEHIND
    for capturing, side in ((approaches, 3), (withdrawals, 4)):
        while capturing:
            bit = capturing & -capturing
            capturing ^= bit
            row = HOP_OF_BIT[bit.bit_length()]
            hop = row[0], row[1], run(row[side], theirs)
            found.append((hop, captured(state, hop, row[5])))
    if found:
        return found
    while lines:
        bit = lines & -lines
        lines ^= bit
        origin, target, both = HOP_OF_BIT[bit.bit_length()][:3]
        men = mine ^ both
        board = theirs | men << 50 if mover else men | theirs << 50
        after = None if board in history or len(history) >= LAST_QUIET else history | {board}
        found.append(((origin, target, 0), (1 - mover, theirs, men, after, ())))
    return found


def run(ray: Tuple[int, ...], theirs: int) -> int:
    """The gapless run of men at the beginning of a ray."""
    men = 0
    for point in ray:
        if not point & theirs:
            break
        men |= point
    return men


def chain_captures(mine: int, theirs: int, chain: Tuple[int, ...], hops_after: Optional[List] = None) -> List:
    """The captures with which a chain may go on, each with the hops that lines allow after it."""
    closed = mine | theirs
    for point in chain:
        closed |= 1 << point
    found = []
    for origin, target, _, ahead, behind, following in hops_on(chain) if hops_after is None else hops_after:
        if not target & closed:
            if ahead and ahead[0] & theirs:
                found.append(((origin, target, run(ahead, theirs)), following))
            if behind and behind[0] & theirs:
                found.append(((origin, target, run(behind, theirs)), following))
    return found


def captured(state: State, hop: Hop, hops_after: List) -> State:
    """The state after a capture: a draw after too long a quiet run, an open chain, or the other's turn."""
    mover, mine, theirs, history, chain = state
    origin, target, taken = hop
    mine, theirs = mine ^ origin ^ target, theirs ^ taken
    if len(history) >= LAST_QUIET:
        return 1 - mover, theirs, mine, None, ()
    chain = (chain or (origin.bit_length() - 1,)) + (target.bit_length() - 1,)
    if chain_captures(mine, theirs, chain, hops_after):
        return mover, mine, theirs, frozenset(), chain
    return 1 - mover, theirs, mine, frozenset(), ()


class OutOfStates(Exception):
    """The hop's budget is used up."""


class Player:
    """The published player; each of its stages is a switch."""

    def __init__(
        self,
        colour: str,
        variant: str = "",
        seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        evaluation: str = "C",
        pruning: bool = True,
        table: bool = True,
        deepening: bool = True,
        quiescence: bool = True,
        depth: int = 40,
    ) -> None:
        """`nodes` are states a hop (None: the original's); the time does not count.

        Without `deepening`, `depth` hops are looked ahead at once, whatever it takes.
        """
        self.colour = colour
        self.has_pass = variant != "1100"
        self.limit = nodes or STATES
        self.evaluation = EVALUATIONS[evaluation]
        self.pruning = pruning
        self.ordering = table
        self.deepening = deepening
        self.quiescence = quiescence
        self.depth = depth
        self.table: Dict[int, List[Hop]] = {}
        self.reached = 0
        self.states = 0
        self.score = 0.0
        light, dark = notation.men(START)
        self.state = 0, light, dark, frozenset(), ()

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form."""
        (mover, mine, theirs, quiet, _, chain), seen = notation.with_history(line)
        unknown = {-number for number in range(1, quiet + 1 - len(seen))}
        self.state = mover, mine, theirs, frozenset(seen | unknown), chain

    def action(self) -> str:
        """The hop that the last finished iteration found best."""
        self.table = {}
        self.states = 0
        choices = children(self.state, self.has_pass)
        best = choices[0][0]
        self.stop = self.limit if self.deepening else float("inf")
        self.reached = 0
        try:
            for depth in range(1 if self.deepening else self.depth, self.depth + 1):
                self.score, best = self.root(choices, depth)
                self.reached = depth
        except OutOfStates:
            pass
        return self.text(best)

    def root(self, choices: List, depth: int) -> Tuple[float, Hop]:
        """The best hop and its value."""
        alpha, best = -2.0, None
        for hop, child in self.ordered(self.state, choices):
            score = self.child_value(child, self.state[0], depth, alpha, 2.0)
            if score > alpha:
                alpha, best = score, hop
        self.table[key(self.state)] = [best]
        return alpha, best

    def child_value(self, child: State, mover: int, depth: int, alpha: float, beta: float) -> float:
        """A child's value for the player who chose it."""
        if not self.pruning:
            alpha, beta = -2.0, 2.0
        if child[0] == mover:
            return self.value(child, depth - 1, alpha, beta)
        return -self.value(child, depth - 1, -beta, -alpha)

    def value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """A state's value for its mover."""
        self.states += 1
        if self.states > self.stop:
            raise OutOfStates
        if state[3] is None:
            return 0.0
        if depth <= 0 and not (self.quiescence and state[4]):
            if not children(state, self.has_pass):
                return -1.0
            score = self.evaluation(state, self.has_pass)
            return score / (1 + abs(score))
        choices = children(state, self.has_pass)
        if not choices:
            return -1.0
        highest, best = -2.0, None
        for hop, child in self.ordered(state, choices):
            score = self.child_value(child, state[0], depth, alpha, beta)
            if score > highest:
                highest, best = score, hop
                alpha = max(alpha, score)
                if alpha >= beta and self.pruning:
                    break
        if self.ordering:
            self.remember(state, best)
        return highest

    def remember(self, state: State, best: Hop) -> None:
        """The best hop first, and behind it the three that were so before."""
        number = key(state)
        known = self.table.get(number, [])
        self.table[number] = [best] + [hop for hop in known if hop != best][:3]

    def ordered(self, state: State, choices: List) -> List:
        """The children as the table suggests."""
        known = self.table.get(key(state)) if self.ordering else None
        if not known or len(choices) == 1:
            return choices
        place = {hop: number for number, hop in enumerate(known)}
        return sorted(choices, key=lambda choice: place.get(choice[0], 9))

    def text(self, hop: Hop) -> str:
        """The course's text of a hop."""
        if hop == PASS:
            return "P"
        origin, target, taken = hop
        origin, target = origin.bit_length() - 1, target.bit_length() - 1
        kind = hops.PAIKA
        if taken:
            ahead = 2 * target - origin
            kind = hops.APPROACH if ahead >= 0 and taken >> ahead & 1 else hops.WITHDRAWAL
        return notation.to_action((origin, target, kind))

    def update(self, colour: str, action: str) -> None:
        """Follow the game: a hop of either colour."""
        hop = notation.from_action(action)
        for (origin, target, taken), child in children(self.state, self.has_pass):
            if self.text((origin, target, taken)) == notation.to_action(hop):
                self.state = child
                return
        raise ValueError("%s plays %s, which is no legal hop" % (colour, action))
