"""Plays one game on another program's server: our player has one seat of a match, the server the other."""

import platform
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from referee import UsageError, rules
from referee.isolation.allowance import Allowance
from referee.match import record
from referee.match.loop import Match, MatchResult, Seat, Watcher
from referee.players.names import Spec
from referee.rules import Action, Limits, State
from referee.servers.agent import Agent
from referee.view.terminal import Terminal, painter, shows_unicode


class Bridge(ABC):
    """How a course's protocol plays one game.  Both methods may raise `Fault`, against who is at fault."""

    opponent = "opponent"  # its name, where the server tells it

    @abstractmethod
    def ours(self, state: State) -> tuple[Action, bool]:
        """Our turn: wait until the server asks, ask the agent, send; the action that counts.

        And whether that is another one than the agent chose.
        """

    @abstractmethod
    def theirs(self, state: State) -> Action:
        """The opponent's turn: what he played.

        Where both act at once, the match asks seat 0 first: whichever of the two methods is called
        first in a turn has to do the whole turn.
        """


class Notes:
    """Says on stderr what is worth knowing; once there is a match, its record keeps it, too."""

    def __init__(self) -> None:
        self.match: Match | None = None

    def __call__(self, text: str) -> None:
        if self.match:
            if self.match.number:
                text = f"turn {self.match.number}: {text}"
            self.match.warnings.append(text)
        print(f"referee: {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Terms:
    """Who plays there, as what, within which limits, and what is shown and kept of it."""

    game: str
    spec: Spec
    name: str  # what we are called there
    limits: Limits  # the server's: wall time
    allowance: Allowance
    notes: Notes  # says things as they happen
    server: str  # its address
    margin: float = 0.1  # seconds of each action that are kept back for the network
    patience: float = 60.0  # seconds beyond all limits that a silent server is waited for
    record: Path | None = None  # a folder for records
    verbosity: int = 2
    unicode: bool | None = None  # None: as the terminal can
    colour: bool | None = None
    channel: str = ""  # expendibots, ropasci: whom to meet
    mode: str = "freeplay"  # kalaha
    token: str | None = None  # kalaha
    seat: str = "dark"  # fanorona

    @property
    def longest(self) -> float:
        """Seconds of the longest limit: no turn takes longer by the server's clock."""
        limits = self.limits
        return max(seconds for seconds in (limits.game, limits.action, limits.first) if seconds is not None)


class _Seat:
    """What the match loop needs of either seat; nobody is started or charged here."""

    cpu_left: float | None = None

    @property
    def cpu(self) -> float:
        return 0.0

    @property
    def megabytes(self) -> float:
        return 0.0

    @property
    def course_megabytes(self) -> float:
        return 0.0

    def spawn(self) -> None:
        pass

    def start(self) -> None:
        pass

    def construct(self) -> None:
        pass

    def update(self, *news: Any) -> None:
        pass

    def take_output(self) -> str:
        return ""

    def close(self) -> None:
        pass

    def again(self, cpu: float) -> Seat:
        raise UsageError("what a server was told cannot be taken back")

    def resume(self, cpu: float, actions: int) -> None:
        pass


class _Theirs(_Seat):
    def __init__(self, server: Bridge, game: "ServerGame") -> None:
        self.server = server
        self.game = game

    def action(self) -> Action:
        return self.server.theirs(self.game.match.state)


class _Ours(_Seat):
    def __init__(self, server: Bridge, game: "ServerGame", agent: Agent) -> None:
        self.server = server
        self.game = game
        self.agent = agent
        self.replaced = False

    def action(self) -> Action:
        action, self.replaced = self.server.ours(self.game.match.state)
        return action

    def update(self, *news: Any) -> None:
        self.agent.update(*news, replaced=self.replaced)
        self.replaced = False

    def take_output(self) -> str:
        return self.agent.take_output()

    @property
    def cpu(self) -> float:
        return self.agent.cpu

    @property
    def megabytes(self) -> float:
        return self.agent.megabytes

    @property
    def course_megabytes(self) -> float:
        return self.agent.course_megabytes


class ServerGame:
    """One game, shown and recorded as any other.  The agent has been told its seat already."""

    def __init__(self, server: Bridge, agent: Agent, terms: Terms, notes: Notes) -> None:
        ours, theirs = _Ours(server, self, agent), _Theirs(server, self)
        seats: tuple[Seat, Seat] = (ours, theirs) if agent.player == 0 else (theirs, ours)
        names = (terms.name, server.opponent) if agent.player == 0 else (server.opponent, terms.name)
        self.files = ExitStack()
        watchers: list[Watcher] = [terminal(terms)]
        if folder := terms.record:
            head = header(terms, names, agent.player)
            watchers.append(record.Writer(lambda: self.files.enter_context(opened(terms, folder)), head))
        self.match = notes.match = Match(rules.start(terms.game), seats, names, watchers=watchers)

    def play(self) -> MatchResult:
        """Play to the end: by the rules, by a fault, or by an exception of the server's methods."""
        with self.files:
            return self.match.play()


def terminal(terms: Terms) -> Terminal:
    """What shows a match."""
    unicode = shows_unicode(sys.stdout) if terms.unicode is None else terms.unicode
    return Terminal(terms.verbosity, unicode, painter(sys.stdout, terms.colour))


def header(terms: Terms, names: tuple[str, str], player: int) -> Mapping[str, Any]:
    """What a record begins with."""
    limits = {name: getattr(terms.limits, name) for name in ("game", "action", "first")}
    limits = {name: seconds for name, seconds in limits.items() if seconds is not None}
    return {
        "game": terms.game,
        "players": names,
        "first": player,
        "limits": {**limits, "clock": "wall", "margin": terms.margin},
        "server": terms.server,
        "agent": terms.spec.name,
        "isolation": terms.allowance.isolation,
        "python": platform.python_version(),
        "system": platform.platform(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def opened(terms: Terms, folder: Path) -> TextIO:
    """A new file for a record: `pentago-20261118-143105-my_team.txt`."""
    parts = [terms.game, datetime.now(UTC).strftime("%Y%m%d-%H%M%S"), terms.name]
    stem = "-".join(re.sub(r"[^A-Za-z0-9_.]+", "_", part)[:40] for part in parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, 1000):
            path = folder / (f"{stem}.txt" if number == 1 else f"{stem}_{number}.txt")
            try:
                return path.open("x", encoding="utf-8", newline="\n")
            except FileExistsError:
                continue
        raise UsageError(f"cannot write {path}: there are too many of that name")
    except OSError as error:
        raise UsageError(f"cannot write a record in {folder}: {error.strerror or error}") from None


def exit_code(result: MatchResult, agent: Agent) -> int:
    """1 where our agent was at fault, even if the game went on; what the opponent did is not ours."""
    return int(bool(agent.faults) or agent.player in result.at_fault)
