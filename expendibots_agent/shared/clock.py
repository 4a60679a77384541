"""How long this turn may think: budgets for a game, for each action and for the first, and the hard stop.

    clock = Clock(game=60.0)                     # or action=1.0, first=30.0, nodes=5000, or several at once
    with clock:                                  # around the constructor's work and update()
        ...
    with clock.action():                         # around action(): counts it, a booked or forced one too
        move = search.best(position, clock)

Everything done inside a `with` is charged; blocks may be nested.  A new game needs a new Clock.
The search calls `begin` once a turn, `poll` every so many nodes (a poll costs a microsecond, so
their distance follows the measured speed), `more` before each deeper iteration and `end` at last.
"""

import gc
import time
from contextlib import contextmanager
from numbers import Real
from typing import Any, Callable, Iterator, Mapping, Optional

GRAIN = 0.001  # seconds of thinking between two looks at the clock
FAR = 1 << 62  # a number of nodes that no search reaches
# Where wall time is charged: seconds kept back of each action, since among four busy processes a core a
# program came up to 100 ms late between two nodes.
LATE = 0.15
# Seconds of CPU that a busy machine may charge at once: 5 ms between two nodes were seen, of an action of 20.
BURST = 0.01
# Seconds that handing a call over costs beyond what a block sees: 0.07 ms of CPU, or 2 ms on the wall
# of a machine with four busy processes a core.  Over 500 plies that is more than a short game's reserve.
HANDED_OVER, HANDED_OVER_ON_WALL = 0.00015, 0.0025
# The part of a game that is never planned with.
RESERVE, RESERVE_ON_WALL = 1 / 30, 1 / 20


_is_kept_out = False


def keep_out_of_collections() -> None:
    """Once in a process: what is there already is not looked through for garbage any more (from 3.7 on)."""
    global _is_kept_out
    if not _is_kept_out and hasattr(gc, "freeze"):
        gc.freeze()
    _is_kept_out = True


class Stop(Exception):
    """Raised by `poll`, at any node: the turn's time or nodes are used up."""


class Clock:
    """A player's budget for one game.  Whatever is given is kept, also several limits at once.

    game     seconds for the whole game
    action   seconds for each action; `first`: for the first of them, where that differs
    nodes    nodes for each action: a search stops after exactly that many on every machine, unless
             one of the other limits ends it before
    wall     charge wall time (for referees and servers that do) instead of the process's CPU time
    turns    own turns that a usual game has: how a game's budget is shared out
    longest  own turns that the longest possible game has: what is always kept back for them
    now      the function that is read, for tests

    Inside a block the interpreter looks for no cycles of garbage, and after it no longer through what was
    imported before the first clock was made: with numpy that took 10 ms and more, in the middle of an
    action of 20.

    With none of game, action and nodes, nothing is limited.  A player's time is his own: only
    `with` blocks are charged, so that two players in one process do not pay for each other.

    What is kept back follows from the limits, and from what this game has shown so far: the longest
    time between two looks at the clock, and the longest from the end of a search to the action.
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
        now: Optional[Callable[[], float]] = None,
    ) -> None:
        keep_out_of_collections()
        self.game = game
        self.each = action
        self.first = action if first is None else first
        self.nodes = nodes
        self.wall = wall
        self.unseen = 0.0 if now else HANDED_OVER_ON_WALL if wall else HANDED_OVER  # seconds a block
        self.turns = turns
        self.longest = longest
        self.used = 0.0  # seconds charged so far, without the block now open
        self.played = 0  # own actions begun
        self.turns_left: Optional[int] = None  # own turns to come: a player who knows better may say so
        self.soft = self.hard = float("inf")  # readings of the clock: see `begin`
        self._now = now or (time.perf_counter if wall else time.process_time)
        self._inside = 0
        self._collects = False  # whether garbage was collected when the block now open was entered
        self._entered = 0.0
        self._acting = False  # whether a block of `action` is open
        self._counted = False  # whether an action was counted in the block now open
        self._before = 0.0  # seconds charged before the first action began
        self._settled = 0.0  # seconds charged up to the end of the last block with an action
        self._thought = 0.0  # seconds charged since then that went into searching
        self._started = 0.0
        self._stopped: Optional[float] = None  # when the search of the block now open ended
        self._gap = 0.0  # the longest time between two looks, those of earlier actions halved again and again
        self._after = 0.0  # the longest from the end of a search to that of its block, likewise
        self._halt = float("inf")  # the reading from which on `poll` stops
        self._polled = (0.0, 0)
        self._step = 1

    def __enter__(self) -> "Clock":
        if not self._inside:
            self._entered = self._now()
            self._collects = gc.isenabled()
            gc.disable()
        self._inside += 1
        return self

    def __exit__(self, *trouble: object) -> None:
        self._inside -= 1
        if not self._inside:
            now = self._now()
            self.used += now - self._entered + self.unseen
            if self._counted:
                self._counted, self._settled = False, self.used
            if self._collects:
                gc.enable()
            if self._stopped is not None:
                self._after, self._stopped = max(self._after / 2, now - self._stopped), None

    @contextmanager
    def action(self) -> Iterator["Clock"]:
        """A block around all that choosing one action takes: it is counted, searched for or not."""
        with self:
            self._count()
            self._acting = True
            try:
                yield self
            finally:
                self._acting = False

    def spent(self) -> float:
        """Seconds charged so far in this game, the block now open included."""
        return self.used + (self._now() - self._entered if self._inside else 0.0)

    def left(self) -> float:
        """Seconds of the game's budget that are not used; infinite without one."""
        return float("inf") if self.game is None else self.game - self.spent()

    def left_of_action(self) -> float:
        """Seconds that the action under way may still take, what is kept back taken off."""
        return self._end_of_action() - self._now()

    def usual_action(self, most: float) -> float:
        """Seconds that a usual action has, `most` at most."""
        limits = [most, self.each, self.game and self.game / self.turns]
        return min(limit for limit in limits if limit is not None)

    def begin(self) -> None:
        """Plan one turn: until `soft` deeper iterations may begin, at `hard` all thinking stops.

        An action's budget runs from the opening of the outermost block, less what was charged since the
        last action (the constructor, updates); a game's share runs from now.  Outside a block of
        `action` each call counts as one.
        """
        if not self._acting:
            self._count()
        self._started = now = self._now()
        self._stopped = None
        self._polled, self._step = (now, 0), 1
        self._gap /= 2
        self.soft = self.hard = self._end_of_action()
        if self.game is not None:
            available = self._available(self.game)
            share = available / self._turns_to_come()
            # A turn may take thrice its share while a deeper iteration is under way: the next
            # turn's share is reckoned from what is then left, so the sum never passes the budget.
            self.soft = min(self.soft, now + share)
            self.hard = min(self.hard, now + min(3 * share, max(share, available / 4)))
        if self.nodes is not None:  # they say when it is enough
            self.soft = self.hard
        self._halt = self.hard - self._coarseness()

    def poll(self, nodes: int) -> int:
        """The count of nodes at which to ask again; raises Stop when the turn is over."""
        most = FAR if self.nodes is None else self.nodes
        if nodes >= most:
            raise Stop
        if self._halt == float("inf"):
            return most
        now = self._now()
        then, before = self._polled
        passed, step = now - then, nodes - before
        if passed > self._gap:
            self._gap = passed
            self._halt = self.hard - self._coarseness()
        if now >= self._halt:
            self._stopped = now
            raise Stop
        if passed > GRAIN:
            step = int(step * GRAIN / passed)
        elif passed < GRAIN / 2 and step >= self._step:
            step *= 2
        self._polled = (now, nodes)
        self._step = max(1, step)
        return min(most, nodes + self._step)

    def more(self) -> bool:
        """Whether a deeper iteration may begin: it takes a few times as long as the last one."""
        if self.soft == self.hard:  # an action's time is lost if it is not used
            return self._now() < self._halt
        return self._now() - self._started < (self.soft - self._started) / 2

    def end(self) -> None:
        """The search is over: what it took is not counted as the fixed cost of a turn."""
        now = self._now()
        self._thought += now - self._started
        if self._stopped is None:
            self._stopped = now

    def _count(self) -> None:
        self.played += 1
        self._counted = self._inside > 0
        if self.played == 1:
            self._before = self.spent()

    def _end_of_action(self) -> float:
        """The reading at which the action under way has to stop thinking; infinite without such a limit."""
        budget = self._budget()
        if budget is None:
            return float("inf")
        begun = self._entered if self._inside else self._now()
        return begun + budget - self._kept() - (self.used - self._settled)

    def _budget(self) -> Optional[float]:
        """Seconds of the action under way, or of the one that is next."""
        return self.first if self.played <= 1 else self.each

    def _kept(self) -> float:
        """Seconds of them that are never planned with."""
        budget = self._budget()
        if budget is None:
            return 0.0
        kept = max(min(BURST, budget / 2), min(0.05, budget / 4), min(budget / 20, 0.2))
        if self.wall:
            kept = max(kept, min(LATE, budget / 2))
        return max(kept, min(2 * self._after, budget / 2))

    def _coarseness(self) -> float:
        """How long before `hard` to stop, where looks lie further apart than what is kept back allows for."""
        if self._budget() is None:  # a game's share is no limit
            return 0.0
        return max(0.0, min(2 * self._gap - self._kept(), (self.hard - self._started) / 2))

    def _available(self, game: float) -> float:
        """Seconds that thinking may still use: the rest of the game's other costs is kept back."""
        spent = self.spent()
        reserve = game * (RESERVE_ON_WALL if self.wall else RESERVE)
        fixed = max(0.0, spent - self._before - self._thought) / self.played
        to_come = max(1, self.longest - self.played)
        return max(0.0, game - spent - reserve - fixed * to_come)

    def _turns_to_come(self) -> float:
        """The estimate: what is missing to a usual game; longer games have ever longer tails."""
        if self.turns_left is not None:
            return max(1, self.turns_left)
        return max(self.turns + 1 - self.played, 10 + self.played / 2)


def clock_for(
    course: Mapping[str, float],
    seconds: Optional[float] = None,
    game_seconds: Optional[float] = None,
    action_seconds: Optional[float] = None,
    first_seconds: Optional[float] = None,
    nodes: Optional[int] = None,
    **more: Any,
) -> Clock:
    """The clock of a player who was made with these keywords: all of them are kept.

    course   the course's limits, by Clock's names; they count where no limit is among the keywords
    seconds  another word for that of game and action which the course limits
    more     Clock's other arguments
    """
    number("seconds", seconds)
    number("game_seconds", game_seconds)
    number("action_seconds", action_seconds)
    number("first_seconds", first_seconds)
    number("nodes", nodes)
    if "game" in course:
        game_seconds = _least(seconds, game_seconds)
    else:
        action_seconds = _least(seconds, action_seconds)
    if game_seconds is None and action_seconds is None and nodes is None:
        game_seconds, action_seconds = course.get("game"), course.get("action")
        first_seconds = course.get("first") if first_seconds is None else first_seconds
    return Clock(game_seconds, action_seconds, first_seconds, nodes, **more)


def number(name: str, value: Any) -> Any:
    """The value that a player's keyword was given: a number or None, anything else is a mistake."""
    if value is not None and not (isinstance(value, Real) and value == value):
        raise ValueError("%s should be a number, not %r" % (name, value))
    return value


def _least(*limits: Optional[float]) -> Optional[float]:
    return min((limit for limit in limits if limit is not None), default=None)
