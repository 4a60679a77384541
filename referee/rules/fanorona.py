r"""Fanorona on 9 x 5 points: capture by approach or by withdrawal, one hop at a time.

      A B C D E F G H I
    0 x-x-x-x-x-x-x-x-x
      |\|/|\|/|\|/|\|/|        light, player 1: o, moves first
    1 x-x-x-x-x-x-x-x-x        dark, player 2:  x
      |/|\|/|\|/|\|/|\|
    2 x-o-x-o-.-x-o-x-o        a point is named by column and row: A0 is top left,
      |\|/|\|/|\|/|\|/|        E2 the centre, I4 bottom right
    3 o-o-o-o-o-o-o-o-o
      |/|\|/|\|/|\|/|\|
    4 o-o-o-o-o-o-o-o-o

`fanorona` is the 1130 rule set; in `fanorona:1100` there is no Pass, all else is the same.  An action
is one hop in the course's own text: `E3-E2-A` (approach), `D2-E2-W` (withdrawal), `F3-F4-P` (paika,
a move that captures nothing), or `P` (Pass).

A position on one line: the 45 points row by row from A0, a space, the side to move (1 or 2).  This
may be followed by a space and one of
- `C2-D1-C0`: the points of an open chain, from where it began to where the capturing man stands now;
- `3 BOARD BOARD`: how many boards the history holds, and those before the present one, oldest first
  (some or all of the oldest may be left out: they count, but cannot be repeated);
- `repetition` or `quiet`: the game has ended in that draw.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, takewhile
from typing import NamedTuple

from referee import rules

COLUMNS, ROWS = "ABCDEFGHI", "01234"
POINTS = [column + row for row in ROWS for column in COLUMNS]
START = "xxxxxxxxxxxxxxxxxxxoxo.xoxooooooooooooooooooo"
MEN = "ox"  # of player 0 and player 1
EMPTY = "."
QUIET_LIMIT = 20  # when the history holds more boards than this, a hop is a draw
DRAWS = {"repetition": "draw by repetition", "quiet": "draw by the quiet-run limit"}
DIRECTIONS = [(-1, -1), (1, 1), (-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1)]  # along \ - | /


class Step(NamedTuple):
    """From a point along a line to its neighbour, and the points in line with the two, nearest first."""

    name: str
    origin: int
    target: int
    ahead: tuple[int, ...]  # beyond the target
    behind: tuple[int, ...]  # behind the origin


def points_in_line(point: int, dx: int, dy: int) -> tuple[int, ...]:
    y, x = divmod(point, 9)
    along = [(x + n * dx, y + n * dy) for n in range(1, 9)]
    return tuple(9 * y + x for x, y in along if 0 <= x < 9 and 0 <= y < 5)


def is_strong(point: int) -> bool:
    """Strong points have diagonal lines; weak ones have not."""
    y, x = divmod(point, 9)
    return (x + y) % 2 == 0


STEPS = [
    Step(f"{POINTS[origin]}-{POINTS[line[0]]}", origin, line[0], line[1:], points_in_line(origin, -dx, -dy))
    for dx, dy in DIRECTIONS
    for origin in range(45)
    if (line := points_in_line(origin, dx, dy)) and (is_strong(origin) or 0 in (dx, dy))
]
STEP = {step.name: step for step in STEPS}
ORDER = {step.name: number for number, step in enumerate(STEPS)}
STEPS_FROM = [[step for step in STEPS if step.origin == point] for point in range(45)]

LINE = re.compile(
    "(?P<board>[xo.]{45}) (?P<side>[12])"
    "( (?P<chain>[A-I][0-4](-[A-I][0-4])+)"
    "| (?P<quiet>[1-9][0-9]?)(?P<earlier>( [xo.]{45})*)"
    "| (?P<draw>repetition|quiet))?"
)


@dataclass(frozen=True)
class State(rules.State):
    """The board and all that the rules remember about how it came about."""

    COLOURS = ("light", "dark")
    LIMITS = rules.Limits(action=4.0, megabytes=100)
    COURSE = rules.Course(judging=rules.WRITTEN)  # a program in Haskell, which reads an action's text
    VARIANTS = ("1100",)
    PLANES = (
        "own men; the row is y, from the top, and the column x",
        "the other's men",
        "the points that the man of an open chain has left",
        "the point where he stands",
        "boards in the history, of 21, in each cell",
    )

    has_pass: bool
    board: str  # the 45 points in the order of POINTS
    mover: int
    chain: tuple[int, ...] = ()  # while one is open: the points its man has stood on, the present one last
    history: tuple[str, ...] = ()  # boards after paikas since the last capture; "" for one left out
    drawn: str = ""  # a key of DRAWS

    @classmethod
    def start(cls, variant: str) -> "State":
        if variant not in ("", "1130", "1100"):
            raise ValueError(
                f"fanorona has no variant {variant[:20]!r}; expected fanorona (1130 rules, with Pass) "
                "or fanorona:1100 (no Pass)"
            )
        return cls(has_pass=variant != "1100", board=START, mover=0)

    @classmethod
    def parse(cls, line: str, variant: str) -> "State":
        start = cls.start(variant)
        found = LINE.fullmatch(line.strip())
        if not found:
            raise ValueError(
                "expected 45 points of 'x', 'o' and '.', a blank and the side to move, 1 or 2, as in "
                f"{start.text()!r}, then perhaps an open chain, the history or the kind of draw"
            )
        state = replace(start, board=found["board"], mover=int(found["side"]) - 1, drawn=found["draw"] or "")
        if found["chain"]:
            state = replace(state, chain=tuple(map(POINTS.index, found["chain"].split("-"))))
            if not state.chain_is_open():
                raise ValueError(
                    f"expected an open chain, not {found['chain'][:50]!r}: points that one man of the side "
                    "to move can have come along, at the last of which he stands and can capture on"
                )
        if found["quiet"]:
            boards = (*found["earlier"].split(), state.board)
            left_out = int(found["quiet"]) - len(boards)
            if left_out < 0 or left_out + len(boards) > QUIET_LIMIT + 1 or len(set(boards)) < len(boards):
                raise ValueError(
                    f"expected a history of 1 to {QUIET_LIMIT + 1} boards: their number, then those before "
                    "the present board, all different"
                )
            state = replace(state, history=("",) * left_out + boards)
        return state

    def chain_is_open(self) -> bool:
        """Whether `chain` can be one: a way along lines, without its own repetitions, that goes on."""
        *left, captor = self.chain
        directions = [target - origin for origin, target in pairwise(self.chain)]
        return (
            all(f"{POINTS[origin]}-{POINTS[target]}" in STEP for origin, target in pairwise(self.chain))
            and len(set(self.chain)) == len(self.chain)
            and all(direction != following for direction, following in pairwise(directions))
            and all(self.board[point] == EMPTY for point in left)
            and self.board[captor] == MEN[self.mover]
            and bool(self.legal)
        )

    def to_act(self) -> tuple[int, ...]:
        return (self.mover,) if self.legal else ()

    def actions(self, player: int) -> list[str]:
        return list(self.legal) if player == self.mover else []

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """The legal hops, none when the game is over: approaches, withdrawals and Pass, or else paikas."""
        if self.drawn or self.without_men():
            return ()
        board, mine, theirs = self.board, MEN[self.mover], MEN[1 - self.mover]
        men = self.chain[-1:] or [point for point, man in enumerate(board) if man == mine]
        steps = [step for man in men for step in STEPS_FROM[man] if board[step.target] == EMPTY]
        steps.sort(key=lambda step: ORDER[step.name])

        # Chain: it goes to no point twice and not twice running in the same direction.
        if self.chain:
            last = self.chain[-1] - self.chain[-2]
            steps = [step for step in steps if step.target - step.origin != last]
            steps = [step for step in steps if step.target not in self.chain]

        captures = [f"{step.name}-A" for step in steps if step.ahead and board[step.ahead[0]] == theirs]
        captures += [f"{step.name}-W" for step in steps if step.behind and board[step.behind[0]] == theirs]

        # Pass: it ends a chain that could go on.
        if captures and self.chain and self.has_pass:
            return (*captures, "P")

        # Paika: capture is compulsory, so only where there is none, and not in a chain.
        if captures or self.chain:
            return tuple(captures)
        return tuple(f"{step.name}-P" for step in steps)

    def after(self, chosen: Mapping[int, str]) -> "State":
        ((mover, hop),) = chosen.items()
        other = 1 - mover

        # Pass: nothing changes on the board; the history is empty since the captures before.
        if hop == "P":
            return replace(self, mover=other, chain=())

        # Approach and withdrawal: the gapless run of enemies next in line is taken, as it was before the hop.
        step, kind = STEP[hop[:-2]], hop[-1]
        in_line = {"A": step.ahead, "W": step.behind, "P": ()}[kind]
        taken = takewhile(lambda point: self.board[point] == MEN[other], in_line)
        points = list(self.board)
        for point in (step.origin, *taken):
            points[point] = EMPTY
        points[step.target] = MEN[mover]
        board = "".join(points)

        # Draw: this comes before all else, even if the last man was taken.
        if board in self.history or len(self.history) > QUIET_LIMIT:
            drawn = "repetition" if board in self.history else "quiet"
            return State(self.has_pass, board, other, drawn=drawn)

        # History: it holds the boards after paikas; a capture empties it and leaves its own board out.
        if kind == "P":
            return State(self.has_pass, board, other, history=(*self.history, board))

        # Chain: the same man goes on if he can capture again; else the turn passes by itself.
        chain = (*(self.chain or (step.origin,)), step.target)
        goes_on = State(self.has_pass, board, mover, chain)
        return goes_on if goes_on.legal else State(self.has_pass, board, other)

    def outcome(self) -> tuple[tuple[float, float], str] | None:
        """A draw, or else somebody has no men left, or the side to move no legal hop: that side loses."""
        if self.legal:
            return None
        if self.drawn:
            return (0.5, 0.5), DRAWS[self.drawn]
        loser, what = (self.without_men()[0], "men") if self.without_men() else (self.mover, "move")
        reason = f"{self.COLOURS[1 - loser]} wins: {self.COLOURS[loser]} has no {what} left"
        return ((0, 1), (1, 0))[loser], reason

    def without_men(self) -> list[int]:
        """The players who have no men, the one to move first."""
        return [player for player in (self.mover, 1 - self.mover) if MEN[player] not in self.board]

    def without_history(self) -> "State":
        return replace(self, history=())

    def every_action(self) -> tuple[str, ...]:
        approaches = [f"{step.name}-A" for step in STEPS if step.ahead]
        withdrawals = [f"{step.name}-W" for step in STEPS if step.behind]
        return (*approaches, *withdrawals, *(f"{step.name}-P" for step in STEPS), "P")

    def planes(self, player: int) -> rules.Planes:
        quiet = len(self.history) / (QUIET_LIMIT + 1)
        flat = [[float(point == man) for point in self.board] for man in (MEN[player], MEN[1 - player])]
        flat += [[float(point in part) for point in range(45)] for part in (self.chain[:-1], self.chain[-1:])]
        flat.append([quiet] * 45)
        return [[plane[row : row + 9] for row in range(0, 45, 9)] for plane in flat]

    def text(self) -> str:
        words = [self.board, str(self.mover + 1)]
        if self.chain:
            words.append("-".join(POINTS[point] for point in self.chain))
        if self.history:
            words += [str(len(self.history)), *filter(None, self.history[:-1])]
        if self.drawn:
            words.append(self.drawn)
        return " ".join(words)

    def draw(
        self, unicode: bool = False, large: bool = False, paint: Callable[[str, int], str] = rules.plain
    ) -> str:
        """The board with its lines, named as in the text of a hop."""
        across, down, falling, rising = "─│╲╱" if unicode else "-|\\/"
        symbols = {"o": "○", "x": "●", ".": "·"} if unicode else {"o": "o", "x": "x", ".": "."}
        room = 3 if large else 1

        def piece(man):
            return paint(symbols[man], MEN.index(man)) if man in MEN else symbols[man]

        lines = ["  " + (" " * room).join(COLUMNS)]
        for row in range(5):
            points = self.board[9 * row : 9 * row + 9]
            lines.append(f"{row} " + (across * room).join(map(piece, points)))
            diagonals = [falling if is_strong(9 * row + column) else rising for column in range(8)]
            lines.append("  " + down + down.join(line.center(room) for line in diagonals) + down)
        return "\n".join(lines[:-1])
