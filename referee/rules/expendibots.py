"""Expendibots: stacks of tokens that move, merge and explode, on a board of 8 x 8.

A square is (x, y), both 0 to 7, x from left to right and y from bottom to top.  The line of a
state is the side to move, the plies played, and the stacks, each with colour, height and square:

    white 0 W1(0,0) W1(0,1) B1(0,6) B1(0,7) W1(1,0) ...

Read back, it may name the stacks in any order.  It is held to nothing that only the course of a
game decides: how many tokens there are, or that White moves after an even number of plies.
A game that has ended because its state occurred for the fourth time ends its line with the word
`repeated`; otherwise the line says nothing of the past, and a state read from it has occurred once.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from referee import rules

Square = tuple[int, int]

SQUARES = frozenset((x, y) for x in range(8) for y in range(8))
AROUND = {(x, y): SQUARES & {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} for x, y in SQUARES}
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
TOKENS = 12  # each side's
SIGNS = (1, -1)  # White's heights are kept as positive numbers, Black's as negative ones

MOST_PLIES = 500  # 250 turns a side
MOST_OCCURRENCES = 4  # of one board with one side to move

# Set-up: three blocks of 2 x 2 single tokens a side, White's at the bottom.
SET_UP = tuple(((x, y), 1 if y < 2 else -1) for x in (0, 1, 3, 4, 6, 7) for y in (0, 1, 6, 7))

STACK = re.compile(r" ([WB])([1-9][0-9]?)\(([0-7]),([0-7])\)")
LINE = re.compile(rf"(white|black) (0|[1-9][0-9]{{0,2}})((?:{STACK.pattern})*)( repeated)?")
REPETITION = "draw detected: game state occurred 4 times."


@dataclass(frozen=True)
class State(rules.State):
    """One state of Expendibots; two are equal when their lines are, whatever led to them."""

    stacks: tuple[tuple[Square, int], ...]  # sorted by square, with signed heights
    mover: int
    plies: int
    earlier: tuple[tuple[tuple[Square, int], ...], ...] = field(
        default=(), compare=False, repr=False
    )  # `stacks` of the plies before

    COLOURS = ("white", "black")
    LIMITS = rules.Limits(game=60.0, megabytes=100)
    COURSE = rules.Course(libraries=("numpy", "scipy", "aima", "aima3"), forwards=True, absolute_imports=True)
    PLANES = (
        "own tokens on each square; the row is y, the column x",
        "the other's tokens",
        "plies played, of 500, in each cell",
    )

    @classmethod
    def start(cls, variant: str) -> "State":
        if variant:
            raise ValueError(f"expendibots has no variants, so it cannot be played as {variant[:20]!r}")
        return cls(SET_UP, mover=0, plies=0)

    @classmethod
    def parse(cls, line: str, variant: str) -> "State":
        cls.start(variant)
        found = LINE.fullmatch(line)
        if not found or int(found[2]) > MOST_PLIES:
            raise ValueError(
                "an expendibots position is the side to move (white or black), the plies played (0 to 500)"
                " and the stacks, as in: white 0 W1(3,3) B12(4,4)"
            )
        stacks = STACK.findall(found[3])
        board = {(int(x), int(y)): SIGNS["WB".index(side)] * int(height) for side, height, x, y in stacks}
        if len(board) < len(stacks):
            raise ValueError("an expendibots position names each square once, but here one comes twice")
        ordered = tuple(sorted(board.items()))
        # A repeated state is its own past.
        earlier = (ordered,) * 2 * (MOST_OCCURRENCES - 1) if found[8] else ()
        state = cls(ordered, cls.COLOURS.index(found[1]), int(found[2]), earlier)
        outcome = state.outcome()
        if earlier and (outcome is None or outcome[1] != REPETITION):
            raise ValueError("this position is decided without being repeated: leave that word out")
        return state

    def to_act(self) -> tuple[int, ...]:
        return () if self.outcome() else (self.mover,)

    def actions(self, player: int) -> list[rules.Action]:
        if player not in self.to_act():
            return []
        board = dict(self.stacks)
        own = {square: SIGNS[player] * height for square, height in self.stacks if SIGNS[player] * height > 0}
        found: list[rules.Action] = []
        for (x, y), height in own.items():
            # MOVE: 1 to all of a stack's tokens, as far along a row or column as the whole stack is
            # high, over anything, onto a square that is empty or the player's own.
            for dx, dy in DIRECTIONS:
                for distance in range(1, height + 1):
                    target = (x + distance * dx, y + distance * dy)
                    if target in SQUARES and (target in own or target not in board):
                        found += [("MOVE", n, (x, y), target) for n in range(1, height + 1)]
            # BOOM: any own stack, at any time.
            found.append(("BOOM", (x, y)))
        return sorted(found)

    def after(self, chosen: Mapping[int, rules.Action]) -> "State":
        ((player, action),) = chosen.items()
        board = dict(self.stacks)
        if action[0] == "BOOM":
            explode(board, action[1])
        else:
            _, n, start, target = action
            board[start] -= SIGNS[player] * n
            if board[start] == 0:
                del board[start]
            board[target] = board.get(target, 0) + SIGNS[player] * n
        earlier = (*self.earlier, self.stacks)
        return State(tuple(sorted(board.items())), 1 - player, self.plies + 1, earlier)

    def outcome(self) -> tuple[tuple[float, float], str] | None:
        white = any(height > 0 for _, height in self.stacks)
        black = any(height < 0 for _, height in self.stacks)
        # No tokens left.  This comes first: an explosion on the last ply decides the game.
        if not white and not black:
            return (0.5, 0.5), "draw detected: no tokens remaining"
        if not black:
            return (1, 0), "winner: white"
        if not white:
            return (0, 1), "winner: black"
        # Repetition: the same board with the same side to move, so 2, 4, 6, ... plies earlier; the
        # first state of the game counts.  It is named also where the limit of plies is reached.
        if self._repeated:
            return (0.5, 0.5), REPETITION
        if self.plies >= MOST_PLIES:
            return (0.5, 0.5), "draw detected: maximum number of turns reached."
        return None

    def every_action(self) -> tuple[rules.Action, ...]:
        squares = sorted(SQUARES)
        lines = [
            (start, (start[0] + far * dx, start[1] + far * dy))
            for start in squares
            for dx, dy in DIRECTIONS
            for far in range(1, 8)
        ]
        along = [(start, target) for start, target in lines if target in SQUARES]
        moves = [("MOVE", n, *line) for n in range(1, TOKENS + 1) for line in along]
        return (*(("BOOM", square) for square in squares), *moves)

    def planes(self, player: int) -> rules.Planes:
        board = dict(self.stacks)
        signs = SIGNS[player], SIGNS[1 - player]
        sides = [
            [[float(max(0, sign * board.get((x, y), 0))) for x in range(8)] for y in range(8)]
            for sign in signs
        ]
        return [*sides, [[self.plies / MOST_PLIES] * 8 for _ in range(8)]]

    def text(self) -> str:
        stacks = [f"{'W' if height > 0 else 'B'}{abs(height)}({x},{y})" for (x, y), height in self.stacks]
        past = ["repeated"] if self._repeated else []
        return " ".join([self.COLOURS[self.mover], str(self.plies), *stacks, *past])

    @property
    def _repeated(self) -> bool:
        return 1 + self.earlier[-2::-2].count(self.stacks) >= MOST_OCCURRENCES

    def draw(
        self, unicode: bool = False, large: bool = False, paint: Callable[[str, int], str] = rules.plain
    ) -> str:
        board = dict(self.stacks)
        letters, empty = ("○●", "·") if unicode else ("WB", ".")

        def cell(x: int, y: int) -> str:
            height = board.get((x, y), 0)
            if height == 0:
                return "    " if large else f"{empty:>3}"
            player = SIGNS.index(1 if height > 0 else -1)
            stack = f"{letters[player]}{abs(height)}"
            return paint(f"{stack:^4}" if large else f"{stack:>3}", player)

        rows = [[cell(x, y) for x in range(8)] for y in reversed(range(8))]
        if not large:
            return "\n".join("".join(row) for row in rows)
        across, up = "─│" if unicode else "-|"
        joints = [tuple(corners) for corners in (("┌┬┐", "├┼┤", "└┴┘") if unicode else ("+++", "+++", "+++"))]
        top, middle, bottom = (f"  {a}{b.join([across * 4] * 8)}{c}" for a, b, c in joints)
        ranks = [f"{y} {up}{up.join(row)}{up}" for y, row in zip(reversed(range(8)), rows, strict=True)]
        columns = "  " + "".join(f"  {x}  " for x in range(8)).rstrip()
        return "\n".join([top, f"\n{middle}\n".join(ranks), bottom, columns])


def explode(board: dict[Square, int], square: Square) -> None:
    """BOOM: take the stack off the board, then every stack around it in the same way, of either colour.

    A stack's height does not widen its blast.
    """
    reached = [square]
    while reached:
        square = reached.pop()
        if board.pop(square, 0):
            reached += AROUND[square]
