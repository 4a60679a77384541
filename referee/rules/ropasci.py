"""RoPaSci 360: rock, paper and scissors tokens thrown onto 61 hexes; both players act at once.

A hex is a pair (r, q): row r from -4 (bottom, Lower's edge) to 4 (top, Upper's edge) and axial column q.
A token is one letter, `R P S` for Upper's and `r p s` for Lower's; actions name symbols in lower case.

The line that `text()` writes has the turns played, the throws made by Upper and by Lower, and each
occupied hex with its tokens, top row first:

    12 5/4 (3,-1):RR (0,0):Pp (-2,1):s

A game that has ended because its state occurred for the third time ends its line with the word
`repeated`; otherwise the line says nothing of the past, and a state read from it has occurred once.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from referee import rules

Hex = tuple[int, int]
Action = tuple[str, Any, Hex]  # THROW and a symbol, or SLIDE or SWING and the hex that it leaves

THROWS = 9  # each player's, in a game
MAX_TURNS = 360
MAX_OCCURRENCES = 3  # of one state, then the game is a draw
REPETITION = "draw: same game state occurred for 3rd time"

SYMBOLS = "rps"
BEATEN_BY = {"r": "p", "p": "s", "s": "r"}

# All hexes, from the top row down and each row from the left.
HEXES = [(r, q) for r in range(4, -5, -1) for q in range(max(-4, -4 - r), min(4, 4 - r) + 1)]
STEPS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
NEIGHBOURS = {(r, q): [(r + dr, q + dq) for dr, dq in STEPS if (r + dr, q + dq) in HEXES] for r, q in HEXES}

LINE = re.compile(
    r"(?P<turn>0|[1-9][0-9]{0,2}) (?P<upper>[0-9])/(?P<lower>[0-9])"
    r"(?P<occupied>( \((0|-?[1-4]),(0|-?[1-4])\):[RPSrps]+)*)(?P<repeated> repeated)?"
)


def throw_zone(player: int, thrown: int) -> list[Hex]:
    """Where a player who has made that many throws may throw next: one row more for each throw made."""
    if thrown == THROWS:
        return []
    if player == 0:
        return [(r, q) for r, q in HEXES if r >= 4 - thrown]
    return [(r, q) for r, q in reversed(HEXES) if r <= -(4 - thrown)]


# All legal throws by player and number of throws made.
THROW_ACTIONS = [
    [[("THROW", s, hex) for hex in throw_zone(player, made) for s in SYMBOLS] for made in range(THROWS + 1)]
    for player in (0, 1)
]


def owner(token: str) -> int:
    return 0 if token.isupper() else 1


def survivors(tokens: str) -> str:
    """The tokens of one hex that no token there beats; with all three symbols present, none."""
    present = tokens.lower()
    return "".join(token for token in tokens if BEATEN_BY[token.lower()] not in present)


@dataclass(frozen=True)
class State(rules.State):
    """What stands on each hex, the throws made, the turns played, and the boards since the last throw."""

    COLOURS = ("upper", "lower")
    LIMITS = rules.Limits(game=60.0, megabytes=100)
    COURSE = rules.Course(
        libraries=("numpy", "scipy"), forwards=True, update=("opponent_action", "player_action")
    )

    PLANES = (
        *(
            f"{whose} {name} tokens; row 4 - r, column q + 4"
            for whose in ("own", "the other's")
            for name in SYMBOLS
        ),
        "throws that are left to this player, in each cell",
        "throws that are left to the other",
        "turns played, of 360",
    )

    board: tuple[tuple[Hex, str], ...]  # (hex, tokens) of the occupied hexes as HEXES has them, tokens sorted
    thrown: tuple[int, int]
    turn: int
    # Earlier boards with the same throws made. A throw makes all of them unreachable, so it empties this.
    past: tuple[tuple[tuple[Hex, str], ...], ...] = field(default=(), repr=False)

    @classmethod
    def start(cls, variant: str) -> "State":
        _refuse(variant)
        return cls(board=(), thrown=(0, 0), turn=0)

    # Whose turn it is, and what is legal

    def to_act(self) -> tuple[int, ...]:
        return () if self.outcome() else (0, 1)

    def actions(self, player: int) -> list[Action]:
        if player not in self.to_act():
            return []
        own = [hex for hex, tokens in self.board if any(owner(token) == player for token in tokens)]
        actions: list[Action] = [*THROW_ACTIONS[player][self.thrown[player]]]
        for start in own:
            near = NEIGHBOURS[start]
            actions += [("SLIDE", start, end) for end in near]
            # Two pivots may reach the same hex: that is one swing.
            ends = dict.fromkeys(end for pivot in near if pivot in own for end in NEIGHBOURS[pivot])
            actions += [("SWING", start, end) for end in ends if end != start and end not in near]
        return actions

    # One turn

    def after(self, chosen: Mapping[int, Action]) -> "State":
        board = dict(self.board)
        upper, lower = self.thrown
        landing = []
        for player, (kind, source, end) in chosen.items():
            if kind == "THROW":
                token = source.upper() if player == 0 else source
                upper, lower = upper + (player == 0), lower + (player == 1)
            else:
                token = next(token for token in board[source] if owner(token) == player)
                board[source] = board[source].replace(token, "", 1)
            landing.append((end, token))
        # Both tokens are lifted before either is put down, and both are down before any battle.
        for end, token in landing:
            board[end] = "".join(sorted(board.get(end, "") + token))
        for end, _ in landing:
            board[end] = survivors(board[end])
        past = self.past + (self.board,) if (upper, lower) == self.thrown else ()
        return State(_in_order(board), (upper, lower), self.turn + 1, past)

    # The end

    def outcome(self) -> tuple[tuple[float, float], str] | None:
        return self._outcome

    @cached_property
    def _outcome(self) -> tuple[tuple[float, float], str] | None:
        """The five tests of the course, in its order."""
        upper_wins = (1, 0), "winner: upper"
        lower_wins = (0, 1), "winner: lower"
        draw = 0.5, 0.5

        tokens = "".join(tokens for _, tokens in self.board)
        upper = [token.lower() for token in tokens if owner(token) == 0]
        lower = [token for token in tokens if owner(token) == 1]
        upper_out, lower_out = (thrown == THROWS for thrown in self.thrown)

        # 1: a player has no token and no throw left.
        upper_gone, lower_gone = upper_out and not upper, lower_out and not lower
        if upper_gone and lower_gone:
            return draw, "draw: no remaining tokens or throws"
        if upper_gone:
            return lower_wins
        if lower_gone:
            return upper_wins

        # 2 and 3: a token is invincible when its enemy is out of throws and has nothing that beats it.
        upper_invincible = lower_out and _unbeaten(upper, lower)
        lower_invincible = upper_out and _unbeaten(lower, upper)
        if upper_invincible and lower_invincible:
            return draw, "draw: both players have an invincible token"
        if upper_invincible and len(lower) == 1:
            return upper_wins
        if lower_invincible and len(upper) == 1:
            return lower_wins

        # 4 and 5: the same boards and throws again and again, or too many turns.
        if self._repeated:
            return draw, REPETITION
        if self.turn >= MAX_TURNS:
            return draw, "draw: maximum number of turns reached"
        return None

    @property
    def _repeated(self) -> bool:
        return self.past.count(self.board) + 1 >= MAX_OCCURRENCES

    def tokens(self, player: int) -> int:
        return sum(owner(token) == player for _, tokens in self.board for token in tokens)

    def news(self, player: int, chosen: Mapping[int, Action]) -> tuple[Action, Action]:
        """The opponent's action first, the player's own second."""
        return chosen[1 - player], chosen[player]

    # Text

    def every_action(self) -> tuple[Action, ...]:
        throws = [("THROW", symbol, hex) for hex in HEXES for symbol in SYMBOLS]
        slides = [("SLIDE", start, end) for start in HEXES for end in NEIGHBOURS[start]]
        far = {start: {end for near in NEIGHBOURS[start] for end in NEIGHBOURS[near]} for start in HEXES}
        swings = [
            ("SWING", start, end)
            for start in HEXES
            for end in HEXES
            if end in far[start] and end != start and end not in NEIGHBOURS[start]
        ]
        return (*throws, *slides, *swings)

    def planes(self, player: int) -> rules.Planes:
        sides = [str.upper, str.lower] if player == 0 else [str.lower, str.upper]
        order = [cased(symbol) for cased in sides for symbol in SYMBOLS]
        planes = [[[0.0] * 9 for _ in range(9)] for _ in order]
        for (r, q), tokens in self.board:
            for token in tokens:
                planes[order.index(token)][4 - r][q + 4] += 1.0
        left = [float(THROWS - self.thrown[one]) for one in (player, 1 - player)]
        return planes + [[[value] * 9 for _ in range(9)] for value in (*left, self.turn / MAX_TURNS)]

    def text(self) -> str:
        occupied = [f"({r},{q}):{tokens}" for (r, q), tokens in self.board]
        past = ["repeated"] if self._repeated else []
        return " ".join([f"{self.turn} {self.thrown[0]}/{self.thrown[1]}", *occupied, *past])

    @classmethod
    def parse(cls, line: str, variant: str) -> "State":
        _refuse(variant)
        match = LINE.fullmatch(line)
        if not match:
            raise ValueError(
                "a ropasci position reads like '12 5/4 (3,-1):RR (0,0):Pp' (turns played, throws made by "
                f"upper and lower, tokens on each hex), not {line[:80]!r}"
            )
        board = {}
        for place in match["occupied"].split():
            where, tokens = place.split(":")
            r, q = (int(number) for number in where.strip("()").split(","))
            if (r, q) not in NEIGHBOURS:
                raise ValueError(f"the hex ({r},{q}) is not on the board: r, q and r+q go from -4 to 4")
            if (r, q) in board:
                raise ValueError(f"the hex ({r},{q}) is there twice; put all its tokens behind one colon")
            if len(set(tokens.lower())) > 1:
                raise ValueError(f"the tokens of the hex ({r},{q}) must share one symbol, not be {tokens}")
            board[r, q] = "".join(sorted(tokens))
        thrown = int(match["upper"]), int(match["lower"])
        for player, colour in enumerate(cls.COLOURS):
            count = sum(owner(token) == player for tokens in board.values() for token in tokens)
            if count > thrown[player]:
                raise ValueError(
                    f"{colour} has more tokens ({count}) on the board than it threw ({thrown[player]})"
                )
        turn = int(match["turn"])
        if turn > MAX_TURNS:
            raise ValueError(f"turn {turn} is too late: a game ends after {MAX_TURNS} turns")
        occupied = _in_order(board)
        # A repeated state is its own past.
        past = (occupied,) * (MAX_OCCURRENCES - 1) if match["repeated"] else ()
        state = cls(occupied, thrown, turn, past)
        outcome = state.outcome()
        if past and (not board or outcome is None or outcome[1] != REPETITION):
            raise ValueError(f"this position cannot have been repeated: leave that word out of {line[:80]!r}")
        return state

    # The drawn board

    def draw(
        self, unicode: bool = False, large: bool = False, paint: Callable[[str, int], str] = rules.plain
    ) -> str:
        """Hexes with their walls; `R2r` on one is two rocks of Upper's and one of Lower's."""
        up, down, wall = ("⣀⠤⠒⠉⠒⠤", "⠉⠒⠤⣀⠤⠒", "│") if unicode else (" .-'-.", "'-. .-", "|")
        tokens_on = dict(self.board)
        lines = [f"upper (R P S): throws left {THROWS - self.thrown[0]}"]
        for r in range(4, -5, -1):
            row = [hex for hex in HEXES if hex[0] == r]
            margin = " " * 3 * abs(r)
            # Each row draws the slopes on the side where it is longer than the next.
            if r >= 0:
                lines.append(margin + up * len(row) + up[0])
            cells = [_cell(tokens_on.get(hex, ""), paint) for hex in row]
            lines.append(margin + wall + wall.join(cells) + wall)
            if large:
                lines.append(margin + wall + wall.join(f"{r},{q}".center(5) for r, q in row) + wall)
            if r <= 0:
                lines.append(margin + down * len(row) + down[0])
        lines.append(f"lower (r p s): throws left {THROWS - self.thrown[1]}")
        return "\n".join(line.rstrip() for line in lines)


def _refuse(variant: str) -> None:
    if variant:
        raise ValueError(f"ropasci has no variants: say 'ropasci', not {'ropasci:' + variant[:20]!r}")


def _in_order(board: dict[Hex, str]) -> tuple[tuple[Hex, str], ...]:
    return tuple((hex, board[hex]) for hex in HEXES if board.get(hex))


def _unbeaten(symbols: list[str], enemies: list[str]) -> bool:
    return any(BEATEN_BY[symbol] not in enemies for symbol in symbols)


def _cell(tokens: str, paint: Callable[[str, int], str]) -> str:
    """Five columns: for each player the symbol and, where there are several, how many."""
    pieces = [f"{token}{tokens.count(token)}".removesuffix("1") for token in sorted(set(tokens))]
    width = sum(len(piece) for piece in pieces)
    before = (6 - width) // 2
    painted = "".join(paint(piece, owner(piece[0])) for piece in pieces)
    return " " * before + painted + " " * (5 - width - before)
