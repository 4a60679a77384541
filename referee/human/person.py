"""A human as a player: is shown the game, is waited for, and has few limits or none.

How the answer comes is up to who derives from it: a line in a terminal, a click on a page.
"""

import time

from referee.human import typed_actions
from referee.human.hint import NoHint, hint
from referee.isolation.process import Fault
from referee.match.loop import Match, Watcher
from referee.match.planned import PlannedGame
from referee.rules import Action

NOTHING_TO_TAKE_BACK = "there is nothing of yours to take back yet"
NOT_AGAINST_A_PERSON = "undo is for games against an agent; another person would have to agree"


class PersonLeft(Exception):
    """A person leaves, and the game stays unfinished; `code` is what the program ends with."""

    def __init__(self, why: str = "", code: int = 0):
        super().__init__(f"{why or 'the human has left'}; the game stays unfinished")
        self.code = code


class Person(Watcher):
    """A player whose time is wall time, from the question to the answer, and whose memory is their own."""

    megabytes = course_megabytes = 0.0
    match: Match  # the one in which it was asked last

    def __init__(self, planned: PlannedGame, player: int):
        self.game = planned.game
        self.player = player
        self.allowance = planned.seated(planned.allowances)[player]
        self._used = 0.0
        self._actions = 0
        self._asked: float | None = None  # when, while an answer is awaited
        self._is_late = False

    def choose(self, match: Match) -> Action:
        """The person's action, asked for in the state of the match."""
        raise NotImplementedError

    # What the match loop asks

    def spawn(self) -> None: ...
    def start(self) -> None: ...
    def construct(self) -> None: ...
    def set_up(self, line: str) -> None: ...
    def update(self, *news: Action) -> None: ...
    def close(self) -> None: ...

    def ask(self, match: Match) -> None:
        self.match = match

    def action(self) -> Action:
        left = self.cpu_left
        self._asked = time.monotonic()
        try:
            chosen = self.choose(self.match)
        finally:
            used = time.monotonic() - self._asked
            self._used, self._asked = self._used + used, None
        if left is not None and used > left:
            raise self.out_of_time()
        self._actions += 1
        return chosen

    def take_output(self) -> str:
        return ""

    def again(self, cpu: float) -> "Person":
        """A person stays; the time that was thought away is not given back."""
        return self

    def resume(self, cpu: float, actions: int) -> None:
        self._actions = actions

    # Time

    @property
    def cpu(self) -> float:
        """Seconds used so far, of the wall's."""
        return self._used + self.thinking

    @property
    def thinking(self) -> float:
        """Seconds since the question that is open."""
        asked = self._asked
        return 0.0 if asked is None else time.monotonic() - asked

    @property
    def cpu_left(self) -> float | None:
        """Seconds for the next action, or for the one that is asked for; None: no limit."""
        if self._is_late:
            return 0.0
        action, game = self._action_limit(), self.allowance.game
        lefts = [] if action is None else [action]
        if game is not None:
            lefts.append(game - self._used)
        return max(0.0, min(lefts) - self.thinking) if lefts else None

    def _action_limit(self) -> float | None:
        first = self._actions == 0 and self.allowance.first is not None
        limit = self.allowance.first if first else self.allowance.action
        return None if limit == float("inf") else limit

    def _limit(self) -> float | None:
        """The limit that is next to be reached."""
        action, game = self._action_limit(), self.allowance.game
        if game is None or action is not None and action < game - self._used:
            return action
        return game

    def out_of_time(self) -> Fault:
        """The fault of one whose time is up."""
        self._is_late = True
        return Fault("out of time", "action", f"the time was up, {self._limit():g} s")

    # What a person may ask for

    def hint(self, match: Match) -> str:
        """What our agent would play, in words."""
        try:
            action = hint(self.game, match, self.player, self.allowance.isolation)
        except NoHint as none:
            return f"no hint: {none}"
        return f"hint: {typed_actions.spell(action)}"

    def refusal_to_take_back(self, match: Match) -> str:
        """Why nothing can be taken back now; empty if it can."""
        if isinstance(match.seats[1 - self.player], Person):
            return NOT_AGAINST_A_PERSON
        return "" if any(self.player in turn.players for turn in match.history) else NOTHING_TO_TAKE_BACK


def clocks(match: Match) -> list[dict[str, float | None]]:
    """What each player has used, in seconds, and what is left."""
    return [{"used": seat.cpu, "left": seat.cpu_left} for seat in match.seats]
