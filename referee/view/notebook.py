"""What `referee.play` and `referee.match` return: results that show themselves in notebooks and terminals."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from referee.match import loop, record
from referee.rules import State
from referee.tournament.played import PlayedGame
from referee.tournament.results import Results
from referee.view import charts, tables
from referee.view.game import ShownGame
from referee.view.page import html
from referee.view.terminal import sentence

FRAME = "width: 100%; height: 640px; border: 0"  # of a page in a notebook


@dataclass(frozen=True, repr=False, kw_only=True)
class Result(loop.MatchResult):
    """How a game ended; it shows itself in a notebook, and in a terminal.  What there are two of is by seat.

    `players` are the names, `state` is where the game stands, and `record` the whole game as text, for
    `referee replay`.
    """

    game: str
    players: tuple[str, str]
    state: State
    record: str

    def html(self) -> str:
        """The page on which the game can be looked at turn by turn."""
        return html(ShownGame.of(record.parse(self.record)))

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html())}" style="{FRAME}"></iframe>'

    def __repr__(self) -> str:
        said = [self.state.draw(), "", self.summary()]
        for fault in self.faults.values():
            said += [f"  {line}" for line in fault.where.splitlines()]
        return "\n".join([*said, *(f"warning: {one}" for one in self.warnings)])

    def summary(self) -> str:
        """The result on one line."""
        return sentence(self.titles, self)

    @property
    def titles(self) -> tuple[str, str]:
        """What the players are called, with their colours."""
        return loop.both(lambda seat: f"{self.players[seat]} ({self.state.COLOURS[seat]})")


class Series:
    """Pairs of games between two players; the figures are the first one's.

    `score` is the share of the points and `error` half the width of its 95 % interval; `elo`, `elo_error` and
    `los` say the same in other terms.  The errors are None below two pairs.  `games` tells of every game.
    """

    def __init__(self, game: str, results: Results, games: Sequence[PlayedGame]):
        self.game = game
        self.players = loop.both(lambda player: results.players[player].name)
        self.games = list(games)
        self._results = results
        self._found = results.meetings[0, 1].described()

    @property
    def score(self) -> float:
        return self._found["score"]

    @property
    def error(self) -> float | None:
        return self._found["error"]

    @property
    def interval(self) -> tuple[float, float] | None:
        return self._found["interval"]

    @property
    def elo(self) -> float:
        return self._found["elo"]

    @property
    def elo_error(self) -> float | None:
        return self._found["elo_error"]

    @property
    def los(self) -> float:
        """How likely it is that the first player is the better one."""
        return self._found["los"]

    @property
    def pairs(self) -> int:
        return self._found["pairs"]

    @property
    def points(self) -> tuple[float, float]:
        first, second = self._results.players
        return first.points, second.points

    def described(self) -> dict[str, Any]:
        """All figures, in terms of JSON."""
        return {"game": self.game, "players": self.players, **self._found, "faults": self._results.faults()}

    def __repr__(self) -> str:
        best_first = sorted((0, 1), key=lambda player: -self.points[player])
        parts = [tables.standings(self._results, best_first), tables.pairing(self.described(), self.players)]
        return "\n\n".join([*parts, *tables.faults(self._results)])

    def _repr_html_(self) -> str:
        heads = ("player", "points", "won", "drawn", "lost", "faults")
        rows = [
            (escape(player.name), f"{player.points:g}", *(player.standing()[key] for key in FIGURES))
            for player in self._results.players
        ]
        return (
            f"{charts.table(heads, rows)}<pre>{escape(tables.pairing(self.described(), self.players))}</pre>"
        )


FIGURES = ("wins", "draws", "losses", "faults")
