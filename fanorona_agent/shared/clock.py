"""How long this turn may think: a budget for a whole game or for each action, and the hard stop.

    clock = Clock(game=60.0)                     # or Clock(action=1.0, first=30.0), or Clock(nodes=5000)
    with clock:                                  # around the constructor's work, action() and update()
        move = search.best(position, clock)

Everything done inside a `with` is charged; blocks may be nested.  A new game needs a new Clock.
The search calls `begin` once a turn, `poll` every so many nodes (a poll costs a microsecond, so
their distance follows the measured speed) and `more` before each deeper iteration.
"""

import time
from typing import Callable, Optional

GRAIN = 0.001  # seconds of thinking between two looks at the clock
FAR = 1 << 62  # a number of nodes that no search reaches
# Where wall time is charged: seconds kept back of each action, since among four busy processes a core a
# program came up to 100 ms late between two nodes.
LATE = 0.15
# Seconds that handing a call over costs beyond what a block sees: 0.07 ms of CPU, or 2 ms on the wall
# of a machine with four busy processes a core.  Over 500 plies that is more than a short game's reserve.
HANDED_OVER, HANDED_OVER_ON_WALL = 0.00015, 0.0025


class Stop(Exception):
    """Raised by `poll`, at any node: the turn's time or nodes are used up."""


class Clock:
    """A player's budget for one game.

    game     seconds for the whole game
    action   seconds for each action; `first`: for the first of them, where that differs
    nodes    nodes for each action; then nothing depends on the time, and a search stops after
             exactly that many nodes on every machine
    wall     charge wall time (for referees and servers that do) instead of the process's CPU time
    turns    own turns that a usual game has: how a game's budget is shared out
    longest  own turns that the longest possible game has: what is always kept back for them
    reserve  seconds never planned with, of the game if it has a budget, else of each action; None: a
             thirtieth of the game, a twentieth of an action (10 ms at least)
    now      the function that is read, for tests

    With none of game, action and nodes, nothing is limited.  A player's time is his own: only
    `with` blocks are charged, so that two players in one process do not pay for each other.
    """

    def __init__(
        self,
        game: Optional[float] = None,
        action: Optional[float] = None,
        first: Optional[float] = None,
        nodes: Optional[int] = None,
        wall: bool = False,
        turns: int = 30,
        longest: int = 360,
        reserve: Optional[float] = None,
        now: Optional[Callable[[], float]] = None,
    ) -> None:
        self.game = game
        self.action = action
        self.first = action if first is None else first
        self.nodes = nodes
        self.wall = wall
        self.unseen = 0.0 if now else HANDED_OVER_ON_WALL if wall else HANDED_OVER  # seconds a block
        self.turns = turns
        self.longest = longest
        self.reserve = reserve
        self.used = 0.0  # seconds charged so far, without the block now open
        self.played = 0  # own turns begun
        self.turns_left: Optional[int] = None  # own turns to come: a player who knows better may say so
        self.soft = self.hard = float("inf")  # readings of the clock: see `begin`
        self._now = now or (time.perf_counter if wall else time.process_time)
        self._inside = 0
        self._entered = 0.0
        self._before = 0.0  # seconds charged before the first turn began
        self._planned = False  # whether `begin` was called in the block now open
        self._settled = 0.0  # seconds charged up to the end of the last block with a `begin`
        self._thought = 0.0  # seconds charged since then that went into searching
        self._started = 0.0
        self._polled = (0.0, 0)
        self._step = 1

    def __enter__(self) -> "Clock":
        if not self._inside:
            self._entered = self._now()
        self._inside += 1
        return self

    def __exit__(self, *trouble: object) -> None:
        self._inside -= 1
        if not self._inside:
            self.used += self._now() - self._entered + self.unseen
            if self._planned:
                self._planned, self._settled = False, self.used

    def spent(self) -> float:
        """Seconds charged so far in this game, the block now open included."""
        return self.used + (self._now() - self._entered if self._inside else 0.0)

    def left(self) -> float:
        """Seconds of the game's budget that are not used; infinite without one."""
        return float("inf") if self.game is None else self.game - self.spent()

    def begin(self) -> None:
        """Plan one turn: until `soft` deeper iterations may begin, at `hard` all thinking stops.

        An action's budget runs from the opening of the outermost block, less what was charged since the
        last action (the constructor, updates; half the budget at most); a game's share runs from now.
        """
        self.played += 1
        self._planned = self._inside > 0
        if self.played == 1:
            self._before = self.spent()
        self._started = now = self._now()
        self._polled, self._step = (now, 0), 1
        self.soft = self.hard = float("inf")
        if self.nodes is not None:
            return
        budget = self.first if self.played == 1 else self.action
        if budget is not None:
            # What happens around the thinking costs some milliseconds however short it is.
            kept = self.reserve if self.game is None else None  # a game's may be longer than an action
            if kept is None:
                kept = min(max(min(budget / 20, 0.2), 0.01), budget / 2)
            if self.wall:
                kept = max(kept, min(LATE, budget / 2))
            begun = self._entered if self._inside else now
            since = min(self.used - self._settled, budget / 2)
            self.soft = self.hard = begun + budget - kept - since
        if self.game is not None:
            available = self._available()
            share = available / self._turns_to_come()
            # A turn may take thrice its share while a deeper iteration is under way: the next
            # turn's share is reckoned from what is then left, so the sum never passes the budget.
            self.soft = min(self.soft, now + share)
            self.hard = min(self.hard, now + min(3 * share, max(share, available / 4)))

    def poll(self, nodes: int) -> int:
        """The count of nodes at which to ask again; raises Stop when the turn is over."""
        if self.nodes is not None:
            if nodes >= self.nodes:
                raise Stop
            return self.nodes
        if self.hard == float("inf"):
            return FAR
        now = self._now()
        if now >= self.hard:
            raise Stop
        then, before = self._polled
        passed, step = now - then, nodes - before
        if passed > GRAIN:
            step = int(step * GRAIN / passed)
        elif passed < GRAIN / 2 and step >= self._step:
            step *= 2
        self._polled = (now, nodes)
        self._step = max(1, step)
        return nodes + self._step

    def more(self) -> bool:
        """Whether a deeper iteration may begin: it takes a few times as long as the last one."""
        if self.soft == self.hard:  # an action's time is lost if it is not used
            return self._now() < self.hard
        return self._now() - self._started < (self.soft - self._started) / 2

    def end(self) -> None:
        """The search is over: what it took is not counted as the fixed cost of a turn."""
        self._thought += self._now() - self._started

    def _available(self) -> float:
        """Seconds that thinking may still use: the rest of the game's other costs is kept back."""
        spent = self.spent()
        reserve = self.game / 30 if self.reserve is None else self.reserve
        fixed = max(0.0, spent - self._before - self._thought) / self.played
        to_come = max(1, self.longest - self.played)
        return max(0.0, self.game - spent - reserve - fixed * to_come)

    def _turns_to_come(self) -> float:
        """The estimate: what is missing to a usual game; longer games have ever longer tails."""
        if self.turns_left is not None:
            return max(1, self.turns_left)
        return max(self.turns + 1 - self.played, 10 + self.played / 2)
