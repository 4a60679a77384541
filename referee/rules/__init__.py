"""What a game is: the page to read before adding one.

A game is a module in this folder with one frozen dataclass, `class State(rules.State)`.  `games()` looks
at the modules in the folders of this package's `__path__`, so a new file (or a folder that a test
appends) is a new game at once.  Where a game has more than every game has, a list elsewhere says so: clicks
that make an action of several places (human/clicks.py), a way to set up positions on the lab's page
(lab/page/setup.js), a course's server (servers/), a course's own log (match/course_logs.py).

    from referee import rules

    state = rules.start("kalaha")               # "kalaha:4x3" is a variant of it
    while players := state.to_act():
        state = state.after({player: state.actions(player)[0] for player in players})
    print(state.outcome())                      # ((1, 0), "A wins 41-31")
"""

import importlib
import pkgutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from typing import Any, ClassVar

from referee import UsageError

Action = Any  # a plain literal: numbers, strings and tuples of them, in the course's own shape
Planes = list[list[list[float]]]  # by plane, row and column
CELLS = 256  # letters of a line of text that a program sees


@dataclass(frozen=True)
class Limits:
    """What a course allows each player: seconds of CPU and megabytes; None where it sets no limit."""

    game: float | None = None
    action: float | None = None
    first: float | None = None  # for a player's first action, where that differs from `action`
    megabytes: float | None = None

    def keywords(self) -> dict[str, object]:
        """The limits there are, by the names of the keywords that tell a player of them."""
        limits = {
            "game_seconds": self.game,
            "action_seconds": self.action,
            "first_seconds": self.first,
            "megabytes": self.megabytes,
        }
        return {name: limit for name, limit in limits.items() if limit is not None and limit != inf}


# How a course's program finds what was returned among the legal actions; isolation/plain.py says more.
EXACT = "exact"  # a plain literal, type for type: `--strict`
WRITTEN = "written"  # by its text: what is written alike is taken, such as numpy's integers
EQUAL = "equal"  # by Python's ==: True and 1.0 are 1 as well


@dataclass(frozen=True)
class Course:
    """What a course accepts, beyond the rules: by default what a program in Python does."""

    judging: str = EQUAL
    libraries: tuple[str, ...] = ("numpy",)  # that its machine has, besides the standard library
    megabytes: float | None = None  # that a submission may have as a zip
    forwards: bool = False  # hands a player's very objects on to the other: also 4.0 for 4
    reads_late: bool = True  # files may be read after the first turn
    update: tuple[str, ...] = ()  # names by which some of its programs call `update`; all others by position
    absolute_imports: bool = False  # within the package it asks for `from NAME.board import`, not `.board`


def plain(text: str, player: int) -> str:
    """The painter that does not paint: `draw` calls it with each piece of a player's."""
    return text


class State(ABC):
    """One state of one game, never changed.  Players are 0 and 1, in the order of COLOURS."""

    COLOURS: ClassVar[tuple[str, str]] = ("white", "black")
    LIMITS: ClassVar[Limits] = Limits(game=60.0, megabytes=100)
    COURSE: ClassVar[Course] = Course()
    VARIANTS: ClassVar[tuple[str, ...]] = ()  # those that tests run besides the game itself
    PLANES: ClassVar[tuple[str, ...]] = ("the line of text, a letter a cell: its number",)  # see `planes`

    @classmethod
    @abstractmethod
    def start(cls, variant: str) -> "State":
        """The first state; ValueError in one sentence for a variant that does not exist."""

    @classmethod
    @abstractmethod
    def parse(cls, line: str, variant: str) -> "State":
        """The state that `text()` wrote; ValueError in one sentence for anything else.

        The history of repetitions may be left out of the line: then the state has been seen once.
        """

    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """Who chooses now: (0,) or (1,); (0, 1) at once; () when the game is over."""

    @abstractmethod
    def actions(self, player: int) -> list[Action]:
        """Distinct legal actions, the same order every time; [] for a player not to act."""

    @abstractmethod
    def after(self, chosen: Mapping[int, Action]) -> "State":
        """The next state; `chosen` has an action for exactly the players of `to_act()`.

        Legality is not checked: the match loop does that against `actions`.
        """

    @abstractmethod
    def outcome(self) -> tuple[tuple[float, float], str] | None:
        """None while `to_act()` names someone; then the scores (1, 0 or 0.5) and the reason."""

    def news(self, player: int, chosen: Mapping[int, Action]) -> tuple[Action, ...]:
        """The arguments of that player's `update`: here the mover's colour and action."""
        ((mover, action),) = chosen.items()
        return self.COLOURS[mover], action

    def every_action(self) -> tuple[Action, ...] | None:
        """All actions that can ever be legal, in a fixed order, for programs that learn.

        None where the rules do not say: then those are taken that come up in random games.
        """
        return None

    def planes(self, player: int) -> Planes:
        """The position as that player sees it, for programs that learn: a grid of numbers for each PLANE."""
        codes = [float(ord(letter)) for letter in self.text()[:CELLS]]
        return [[codes + [0.0] * (CELLS - len(codes))]]

    def tokens(self, player: int) -> int:
        """What the greedy baseline plays for where both choose at once; 0 in a game that counts none."""
        return 0

    def without_history(self) -> "State":
        """The same board in a state that has been there once; itself, in a game whose states know no past."""
        return self

    @abstractmethod
    def text(self) -> str:
        """The state on one line; `parse` reads it."""

    def draw(
        self, unicode: bool = False, large: bool = False, paint: Callable[[str, int], str] = plain
    ) -> str:
        """The board as lines of text, in ASCII unless `unicode`; `large` adds coordinates and room.

        `paint(text, player)` is called with each piece of a player's, after any padding is
        decided, and may add colour codes.  A game that draws nothing shows its one line of text.
        """
        return self.text() if type(self).__str__ is State.__str__ else str(self)

    def __str__(self) -> str:
        return self.draw()


def games() -> list[str]:
    """The names of all games, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name[0] != "_")


class NotThere(UsageError, ValueError):
    """No such game, variant or position: a sentence for whoever typed its name."""


def start(name: str) -> State:
    """The first state of a game, `kalaha`, or `kalaha:4x3` for a variant; NotThere where there is none."""
    try:
        game, variant = _lookup(name)
        return game.start(variant)
    except ValueError as error:
        raise NotThere(str(error)) from None


def parse(name: str, text: str) -> State:
    """The state that one line of text describes, in the form that the game's `text()` writes, or NotThere."""
    try:
        game, variant = _lookup(name)
        return game.parse(text, variant)
    except ValueError as error:
        raise NotThere(str(error)) from None


def _lookup(name: str) -> tuple[type[State], str]:
    if not isinstance(name, str):
        raise ValueError(f"a game is a name such as 'kalaha', not {name!r:.100}")
    game, _, variant = name.partition(":")
    if f"{__name__}.{game}" not in sys.modules and game not in (known := games()):
        near = get_close_matches(game[:40].lower(), known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"there is no game {game[:40]!r}{hint} (games: {', '.join(known)})")
    return _state(game), variant


def _state(game: str) -> type[State]:
    """The class of a game; ValueError in one sentence where its file has none that can be used."""
    try:
        module = importlib.import_module(f"{__name__}.{game}")
    except Exception as error:
        said = f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
        raise ValueError(f"the rules of {game!r} do not import: {said}") from None
    found = getattr(module, "State", None)
    if not (isinstance(found, type) and issubclass(found, State)) or found is State:
        raise ValueError(f"the rules of {game!r}, {module.__file__}, have no `class State(rules.State)`")
    if missing := sorted(found.__abstractmethods__):
        raise ValueError(f"the rules of {game!r}, {module.__file__}, lack {', '.join(missing)} in State")
    return found
