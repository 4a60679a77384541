"""Writes down the games in which a check found something wrong, so that `referee replay` can show them."""

import io
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.match import record
from referee.match.loop import Match, MatchResult, Turn, Watcher
from referee.rules import State


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

    def end(self, match: Match, result: MatchResult) -> None:
        self.state = match.state


def recorded(
    header: dict[str, Any], colours: Sequence[str], turns: Sequence[Turn], result: MatchResult | None
) -> str:
    """The record of a game; with no result of one that was left unfinished."""
    text = io.StringIO()
    written = record.Record(text, header, colours)
    for turn in turns:
        written.turn(turn)
    if result:
        written.end(result)
    return text.getvalue()


def shown(state: State, path: Path) -> str:
    """The position, and how to see the game again, to stand below an objection."""
    return f"{state.draw()}\nto look at it again: referee replay {path}"
