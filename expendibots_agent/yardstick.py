"""The published approach that this agent set out to beat, rebuilt on this agent's board.

Player("white")                              # the whole of it, with its real budget of nodes
Player("white", stage="alphabeta")           # one of its earlier stages, weaker and weaker:

script      MTD(f) with table and deepening, and a script of four opening moves
mtdf        without the script
table       deepening alpha-beta with a table
deepening   without a table
branching   alpha-beta of a depth that is tied to the number of actions at the root
alphabeta   alpha-beta of three plies with the moves in order of their evaluation
negamax     two plies, no pruning
random      any action
"""

import random
from collections import OrderedDict
from typing import Optional, Sequence, Tuple

from . import notation
from .position import LAST_PLY, START, moves, over, play
from .sides import MOST, count, mixed

STAGES = ("random", "negamax", "alphabeta", "branching", "deepening", "table", "mtdf", "script")
WIN = 10_000
DEEPEST = 14
TABLE = 10_000_000  # entries; the table is emptied at each iteration and was never full

# It looked at its clock between iterations only: 0.5 s were allowed, 2.1 s and 11 000 nodes used on
# average.  So an iteration begins while this share of the budget is not used up, which makes 8 000
# to 12 000 nodes an action.  One that takes ten times the budget is given up: there, it went on.
NODES = 11_000
BEGIN = 0.5
LONGEST = 10

# White's opening: (tokens, start, target) until one of them is not possible.
SCRIPT = ((1, (4, 0), (4, 1)), (2, (4, 1), (4, 3)), (2, (4, 3), (4, 5)), (1, (4, 5), (6, 5)))
FAR_CORNERS = 0xC0C0 << 48, 0xC0C0  # the block of four squares that the last goes for: White's, Black's


def _moves_beside():
    """[height, square]: moves of such a stack, nothing minded, to come beside each square of the board."""
    table = {}
    for height in range(1, MOST + 1):
        axis = [-(-max(delta - 1, 0) // height) for delta in range(8)]
        for square in range(64):
            x, y = square % 8, square // 8
            table[height, square] = bytes(axis[abs(x - to % 8)] + axis[abs(y - to // 8)] for to in range(64))
    return table


_BESIDE = _moves_beside()
_known = {}  # what _nearest found, for own heights and an enemy's group: the same come again and again
REMEMBERED = 100_000


class TooLong(Exception):
    """An iteration takes many times the budget."""


class Player:
    """The rebuilt player."""

    def __init__(
        self,
        colour: str,
        seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        stage: str = "script",
        always_white: bool = False,
        seed: int = 0,
    ) -> None:
        """`nodes` an action on average; `seconds` is not looked at, as there.

        `always_white` brings back the published program's slip: it evaluated for White, whichever
        side it played.
        """
        if stage not in STAGES:
            raise ValueError("a stage is one of %s, not %r" % (", ".join(STAGES), stage))
        self.budget = NODES if nodes is None else nodes
        self.stage = STAGES.index(stage)
        self.side = notation.COLOURS.index(colour)
        self.view = 0 if always_white else self.side
        self.position = START
        self.scripted = 0 if stage == "script" else len(SCRIPT)
        self.dice = random.Random(seed)
        self.nodes = 0
        self.limit = float("inf")
        self.depth = 0
        self.table = None
        self.values = {}

    def action(self) -> Tuple:
        """The action of its stage."""
        self.nodes = self.depth = 0
        self.values.clear()
        listed = moves(self.position)
        scripted = self._script(listed)
        if scripted is not None:
            move = scripted
        elif self.stage == 0:
            move = self.dice.choice(listed)
        elif self.stage <= STAGES.index("branching"):
            move = self._fixed(len(listed))
        else:
            move = self._deepening(listed)
        return notation.to_action(self.position, move)

    def update(self, colour: str, action: Sequence) -> None:
        """Follow the game."""
        self.position = notation.follow(self.position, {notation.COLOURS.index(colour): action})

    def _script(self, listed):
        """The next move of the opening script, mirrored for Black; None when it is over."""
        if self.scripted == len(SCRIPT):
            return None
        number = self.scripted
        n, (x0, y0), (x1, y1) = SCRIPT[number]
        if self.side:
            y0, y1 = 7 - y0, 7 - y1
        move = n << 12 | (8 * y0 + x0) << 6 | 8 * y1 + x1
        stacks = (self.position[1][1] | self.position[2][1]) & FAR_CORNERS[self.side]
        if move not in listed or (number == 3 and count(stacks) < 3):
            self.scripted = len(SCRIPT)
            return None
        self.scripted += 1
        return move

    def _fixed(self, actions):
        """The move of a search of fixed depth."""
        if self.stage == STAGES.index("negamax"):
            self.depth = 2
        elif self.stage == STAGES.index("alphabeta"):
            self.depth = 3
        else:
            self.depth = 2 if actions > 60 else 3 if actions >= 40 else 4
        return self._node(self.position, self.depth, -2 * WIN, 2 * WIN)[1]

    def _deepening(self, listed):
        """The move of iterations from depth 1 on, none begun when the time for it is over."""
        guess, move = 0, listed[-1]  # which is played if not even the first can be finished
        self.limit = LONGEST * self.budget
        while self.depth < DEEPEST and self.nodes < BEGIN * self.budget:
            self.depth += 1
            self.table = OrderedDict() if self.stage >= STAGES.index("table") else None
            try:
                if self.stage >= STAGES.index("mtdf"):
                    guess, move = self._mtdf(guess)
                else:
                    guess, move = self._node(self.position, self.depth, -2 * WIN, 2 * WIN)
            except TooLong:
                break
            if abs(guess) >= WIN:
                break
        return move

    def _mtdf(self, guess):
        """The value, closed in by searches with empty windows, and its move."""
        low, high, choice = -2 * WIN, 2 * WIN, None
        while low < high:
            beta = guess + 1e-6 if guess == low else guess
            guess, move = self._node(self.position, self.depth, beta - 1e-6, beta)
            if guess < beta:
                high = guess
                choice = move if choice is None else choice
            else:
                low = guess
                choice = move
        return guess, choice

    def _node(self, position, depth, alpha, beta):
        """(value for the player to move, best move); the value is a bound outside the window."""
        self.nodes += 1
        if self.nodes > self.limit:
            raise TooLong
        if depth == 0 or over(position):
            return self._value(position), None
        known = None
        if self.table is not None:
            known = self.table.get(position[4])
            if known is not None:
                self.table.move_to_end(position[4])
                low, high, move = known
                if low >= beta or low == high:
                    return low, move
                if high <= alpha:
                    return high, move
                alpha, beta = max(alpha, low), min(beta, high)
        children = [(play(position, move), move) for move in moves(position)]
        if self.stage > STAGES.index("negamax"):
            children.sort(key=lambda child: self._value(child[0]))
            bound = beta
        else:
            bound = 2 * WIN
        best, choice, floor = -2 * WIN, None, alpha
        for child, move in children:
            score = -self._node(child, depth - 1, -bound, -alpha)[0]
            if score > best:
                best, choice = score, move
                alpha = max(alpha, best) if self.stage > STAGES.index("negamax") else alpha
                if best >= bound:
                    break
        if self.table is not None:
            low, high, _ = known or (-2 * WIN, 2 * WIN, None)
            if best > floor:
                low = best
            if best < beta:
                high = best
            self.table[position[4]] = low, high, choice
            if len(self.table) > TABLE:
                self.table.popitem(last=False)
        return best, choice

    def _value(self, position):
        """The evaluation for the player to move."""
        known = self.values.get(position[4])
        if known is None:
            mine, theirs = position[1:3]
            own = position[0] == self.view
            known = value(mine, theirs) if own else -value(theirs, mine)
            if position[3] >= LAST_PLY and abs(known) < WIN:
                known = 0
            self.values[position[4]] = known
        return known


def value(own: Tuple, foe: Tuple) -> float:
    """The published evaluation of a position, for one of its players, whoever is to move."""
    f, e = own[4], foe[4]
    if not f or not e:
        return WIN if f else -WIN if e else 0
    safe, free = f, e
    for _, own_part, foe_part in mixed(own, foe):
        safe -= own_part
        free -= foe_part
    at_risk = (f - safe) / f - (e - free) / e
    if safe and not free:
        return 100 * (12 - e)
    distance = 0
    for group, around, _ in foe[5]:
        if not around & own[1]:
            known = _known.get((own[0], group))
            if known is None:
                if len(_known) >= REMEMBERED:
                    _known.clear()
                known = _known[own[0], group] = _nearest(own[0], group)
            distance += known
    if safe > 1 and free == 1:
        return 20 * f - 20 * e - 20 * at_risk - free - distance
    clusters = len([1 for _, around, _ in own[5] if not around & foe[1]])
    return 10 * f - 10 * e - 20 * at_risk + clusters - free - distance


def _nearest(heights, group):
    """The least number of moves, enemies and own ones not minded, from a stack to beside a group's square."""
    beside, squares, rest = [], [], heights
    while rest:
        square = rest.bit_length() - 1 >> 2
        height = rest >> 4 * square
        rest ^= height << 4 * square
        beside.append(_BESIDE[height, square])
    while group:
        squares.append(group.bit_length() - 1)
        group ^= 1 << squares[-1]
    return min([moves_to[square] for moves_to in beside for square in squares])
