"""Writes down the games in which a check found something wrong, so that `referee replay` can show them."""

import io
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.match import record
from referee.match.loop import Match, Result, Turn, Watcher
from referee.rules import Action, State

NOTHING = (0.0, 0.0)  # what a check does not measure turn by turn


class ObjectedGames:
    """Writes records into a folder; without one into a new one among the system's temporary files."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder

    def keep(self, name: str, text: str) -> Path:
        """Where the record of that name was written."""
        if self.folder is None:
            self.folder = Path(tempfile.mkdtemp(prefix="referee-objections-"))
        with record.new_file(self.folder / re.sub(r"[^A-Za-z0-9_.]+", "_", name)) as file:
            file.write(text)
        return Path(file.name)


class LastState(Watcher):
    """Where a match stands at its end."""

    state: State

    def end(self, match: Match, result: Result) -> None:
        self.state = match.state


def recorded(
    game: str, players: Sequence[str], colours: Sequence[str], played: Sequence[Mapping[int, Action]]
) -> str:
    """The record of a game that was broken off."""
    text = io.StringIO()
    written = record.Record(text, {"game": game, "players": tuple(players)}, colours)
    for number, chosen in enumerate(played, 1):
        written.turn(Turn(number, tuple(sorted(chosen)), chosen, True, NOTHING, NOTHING))
    return text.getvalue()


def shown(state: State, path: Path) -> str:
    """The position, and how to see the game again, to stand below an objection."""
    return f"{state.draw()}\nto look at it again: referee replay {path}"
