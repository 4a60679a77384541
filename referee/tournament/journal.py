"""A tournament's journal: an append-only file of JSON lines, and the only source of every total.

The first line says what is played; each other line is one pair, written when both its games are over:

    {"journal": 1, "game": "kalaha", "format": "round-robin", "players": [{"player": ..., "files": ...}], ...}
    {"pair": "0f3a...", "players": [0, 1], "number": 1, "opening": ["3", "4"], "games": [{...}, {...}], ...}

One run writes at a time.  What a killed run has left of a last line is dropped.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from referee import UsageError
from referee.tournament.locks import lock
from referee.tournament.played import PlayedPair, pair_from

FORMAT = 1
# What reading rubbish raises.
DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)

Header = Mapping[str, Any]


class Journal:
    """Hands each pair to `take` once, whether it is read or written; `take` raises ValueError for a bad one.

    Without a path it is in a temporary file.  UsageError in one sentence where the file belongs to another
    tournament, is damaged, cannot be used, or is in use.
    """

    def __init__(self, path: Path | None, header: Header, take: Callable[[PlayedPair], None]):
        self.path = path
        self.header = {"journal": FORMAT, **header}
        self.take = take
        self.ids: set[str] = set()
        self._file = _open(path) if path else tempfile.TemporaryFile()
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    def append(self, pair: PlayedPair) -> None:
        """Write a pair, unless it is there; it is on the disk afterwards."""
        if pair.id not in self.ids:
            self._write(pair.plain())
            self._take(pair)

    def pairs(self) -> Iterator[PlayedPair]:
        """Its pairs once more, each once, in the order written; nothing is appended meanwhile."""
        self._file.seek(0)
        next(self._file)
        had = set()
        for line in self._file:
            pair = pair_from(json.loads(line))
            if pair.id not in had:
                had.add(pair.id)
                yield pair

    def close(self) -> None:
        """Let another run have it."""
        self._file.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _read(self) -> None:
        first = self._file.readline()
        if not first.endswith(b"\n"):
            if not _line(self.header).startswith(first):
                raise self._wrong(1, "this is no journal of a tournament; name another file")
            self._cut(0)
            self._write(self.header)
            return
        self._check_header(first)
        number, whole = 1, len(first)
        for line in self._file:
            number += 1
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            try:
                pair = pair_from(json.loads(line))
                if pair.id not in self.ids:
                    self._take(pair)
            except DAMAGED:
                raise self._wrong(number, "this is not a pair of the tournament; take the line out") from None
        self._cut(whole)

    def _cut(self, length: int) -> None:
        self._file.truncate(length)
        self._file.seek(length)

    def _take(self, pair: PlayedPair) -> None:
        self.take(pair)
        self.ids.add(pair.id)

    def _check_header(self, line: bytes) -> None:
        try:
            header = json.loads(line)
            if header["journal"] != FORMAT:
                raise ValueError
            differences = list(_differences(header, self.header))
        except DAMAGED:
            raise self._wrong(1, "this is no journal of a tournament; name another file") from None
        if differences:
            raise UsageError(
                f"{self.path} is the journal of another tournament: {differences[0]}; "
                "name another journal, or play as it says"
            )

    def _write(self, entry: Mapping[str, Any]) -> None:
        self._file.write(_line(entry))
        self._file.flush()
        if self.path:
            os.fsync(self._file.fileno())

    def _wrong(self, number: int, problem: str) -> UsageError:
        return UsageError(f"{self.path}, line {number}: {problem}")


def _open(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is not a file; name another journal")
        path.touch()
        file = path.open("r+b")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
    try:
        lock(file)
    except OSError:
        file.close()
        raise UsageError(f"{path} is being written by another run; wait for its end, or end it") from None
    return file


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


def _differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """What differs between a journal's header and what is asked, in words."""
    here = json.loads(json.dumps(here))
    if len(there.get("players", [])) != len(here["players"]):
        yield f"it has {len(there.get('players', []))} players, not {len(here['players'])}"
        return
    for key, value in here.items():
        if key != "players" and there.get(key) != value:
            yield f"its {key} is {_short(there.get(key))}, not {_short(value)}"
    for before, now in zip(there["players"], here["players"], strict=True):
        yield from _player_differences(before, now)


def _player_differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    name = here["player"]
    if any(there[key] != here[key] for key in ("module", "class", "arguments")):
        yield f"its player is {_short(there['player'])}, not {name}"
    elif there["files"] != here["files"]:
        yield f"the files of {name} have changed (hash {there['files'][:8]} then, {here['files'][:8]} now)"
    for key in {**there["limits"], **here["limits"]}:
        before, now = there["limits"].get(key), here["limits"].get(key)
        if before != now:
            yield f"the limit {key!r} of {name} is {_short(before)}, not {_short(now)}"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
