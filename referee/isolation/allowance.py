"""What one player may use, and the account of what it has used: limits of time, and patience by the wall.

Memory has one limit, which process.py compares.  What was used the kernel tells (linux.py, portable.py).
"""

import math
from dataclasses import dataclass, replace

from referee.rules import Limits

BACKSTOP = (3.0, 5.0)  # wall seconds allowed: so much times the CPU time left, and so much
BACKSTOP_ACTION = 30.0  # but at most so much where actions are limited
BACKSTOP_BUSY = 20.0  # times as long on a busy machine: what it waits for a core is not the player's fault
BACKSTOP_UNLIMITED = 600.0  # where no limit says how long a call may take
GAME_WALL = 5.0  # times the CPU time that it may have used by now: wall seconds for all calls of a game
GAME_WALL_LEAST = 300.0  # but at least so many
GAME_WALL_TOLD = 0.9  # of such a limit is told as CPU time to plan with; the rest goes by between calls
BY_CPU = 0.0  # in an allowance: that limit


@dataclass(frozen=True)
class Allowance(Limits):
    """What one player may use, and how that is charged; of the limits, `first=None` is: as every other."""

    game_wall: float | None = BY_CPU  # wall seconds that all its calls of a game may take
    wall: bool = False  # charge wall time instead of CPU time
    told: tuple[tuple[str, object], ...] = ()  # of seconds, first_seconds, nodes: those set by the user
    judging: str | None = None  # rules.EXACT for --strict; None: as the game's course does
    isolation: str | None = None  # the level; None: the best that this system has
    readable: tuple[str, ...] = ()  # paths that it may read besides its own package, where it is confined
    cold: bool = False  # start a new interpreter for it, rather than fork one that has numpy loaded

    def keywords(self) -> dict[str, object]:
        """What tells the player of it: the limits in force, whatever set them, and what the user set.

        Who may take so many seconds of the wall for the game has no more CPU time than that either.
        """
        limits = self
        if self.game_wall not in (None, BY_CPU):
            game = GAME_WALL_TOLD * self.game_wall
            limits = replace(self, game=game if self.game is None else min(game, self.game))
        return super(Allowance, limits).keywords() | dict(self.told)


class Account:
    """What one player has used; its import is not in it.  `charged` is always what it is charged by then."""

    def __init__(self, allowance: Allowance):
        self.allowance = allowance
        self.is_limited = True
        self.wall = 0.0  # wall seconds of all its calls
        self.starved = 0.0  # of them, seconds in which no core was free for it
        self._actions = 0
        self._last_action = 0.0  # what was charged when it ended

    def act(self, charged: float) -> None:
        """An action has ended."""
        self._actions += 1
        self._last_action = charged

    def go_on(self, charged: float, actions: int) -> None:
        """Limited from here on, as if so much had been charged up to the last of so many actions."""
        self.is_limited = True
        self.wall = charged
        self._last_action = charged if actions else 0.0
        self._actions = actions

    def limits(self) -> tuple[float, float]:
        """Seconds for the game and for the action that is next or under way; infinite: no limit."""
        if not self.is_limited:
            return math.inf, math.inf
        game, action = self.allowance.game, self.allowance.action
        if self._actions == 0 and self.allowance.first is not None:
            action = self.allowance.first
        return math.inf if game is None else game, math.inf if action is None else action

    def left(self, charged: float) -> tuple[float, float]:
        """What is left of them; less than 0: out of time."""
        game, action = self.limits()
        return game - charged, action - (charged - self._last_action)

    def patience(self, charged: float) -> float:
        """Wall seconds that the next call may take."""
        of_game, of_action = self.left(charged)
        left = min(of_game, of_action)
        if left == math.inf:
            return BACKSTOP_UNLIMITED
        if self.allowance.wall:
            return math.inf  # the limit itself ends the call
        factor, more = BACKSTOP
        patience = factor * left + more
        # Pentago's first action has 30 s of CPU, which never fit into 30 s of wall time quite.
        return patience if of_action == math.inf else min(patience, max(BACKSTOP_ACTION, left + more))

    def game_wall(self) -> float:
        """Wall seconds that its calls of this game may take, up to the one under way."""
        given = self.allowance.game_wall
        if given is None or not self.is_limited:
            return math.inf
        if given != BY_CPU:
            return given
        game, action = self.limits()
        if self._actions and self.allowance.action is not None:
            before = self.allowance.action if self.allowance.first is None else self.allowance.first
            action = before + self.allowance.action * self._actions
        return max(GAME_WALL_LEAST, GAME_WALL * min(game, action))


def is_over(seconds: float, limit: float, starved: float) -> bool:
    """Whether so many wall seconds are more than the limit, of which a player waited some for a core.

    On a busy machine that is not held against it, up to many times the limit.
    """
    over = seconds - limit
    return over >= 0 and over >= min(starved, (BACKSTOP_BUSY - 1) * limit)
