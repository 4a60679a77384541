"""A tournament's journal: an append-only file of JSON lines, and the only source of every total.

The first line says what is played; each other line is one pair, written when both its games are over:

    {"journal": 1, "game": "kalaha", "format": "round-robin", "players": [{"player": ..., "files": ...}], ...}
    {"pair": "0f3a...", "players": [0, 1], "number": 1, "opening": ["3", "4"], "games": [{...}, {...}], ...}

One run writes at a time.  What a killed run has left of a last line is dropped.  Where a later run treats
players that cannot play in another way, a line says so:

    {"about": {"on_fault": "exclude"}}
"""

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from referee import UsageError
from referee.match.texts import Texts
from referee.tournament.locks import lock
from referee.tournament.played import PlayedPair, pair_from

FORMAT = 1
NO_JOURNAL = "this is no journal of a tournament; name another file"
LATER = (
    "; a later hand-in plays in a journal of its own (--format gauntlet, it first), "
    "and `referee standings` of both journals adds them up"
)
NO_PAIR = "this is not a pair of the tournament; take the line out"
# What reading rubbish raises.
DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)

FIGURES = rb"\[[0-9][0-9.e-]*,[0-9.,e-]*\]"  # of two actions or more
ACTIONS = re.compile(rb'"action_cpu":\[%b,%b\],"action_megabytes":\[%b,%b\]' % ((FIGURES,) * 4))

ABOUT = "about"  # in the header: when and where it was begun, by which command; it need not be the same again
WANTED = "pairs"  # in it: how many two players were to play when they meet; later runs may play more
MORE = b'{"about":'  # so begins a line by which a later run says more of that

Header = Mapping[str, Any]


class Journal:
    """Hands each pair to `take` once, whether it is read or written; `take` raises ValueError for a bad one.

    Without a path it is in a temporary file.  UsageError in one sentence where the file belongs to another
    tournament, is damaged, cannot be used, or is in use.
    """

    def __init__(self, path: Path | None, header: Header, take: Callable[[PlayedPair], None]):
        self.path = path
        self.header: Header = {"journal": FORMAT, **header}
        self.take = take
        self.ids = Texts()  # of its pairs
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

    def tell(self, more: Mapping[str, Any]) -> None:
        """Write down what else is to be known about the tournament from now on."""
        self._write({ABOUT: more})
        self.header = _with_more(self.header, {ABOUT: more})

    def pairs(self) -> Iterator[PlayedPair]:
        """Its pairs once more, each once, in the order written; nothing is appended meanwhile."""
        self._file.seek(0)
        next(self._file)
        yield from _once(self.path, self._file, is_light=False)

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
            if not _begin_alike(first, _line(self.header)):
                raise self._wrong(1, NO_JOURNAL)
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
                if line.startswith(MORE):
                    self.header = _with_more(self.header, json.loads(line))
                    continue
                pair = pair_from(json.loads(light(line)))
                if pair.id not in self.ids:
                    self._take(pair)
            except DAMAGED:
                raise self._wrong(number, NO_PAIR) from None
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
            here, there = (
                [one["files"] for one in head.get("players", ())] for head in (self.header, header)
            )
            hint = LATER if here != there and header.get("game") == self.header["game"] else ""
        except DAMAGED:
            raise self._wrong(1, NO_JOURNAL) from None
        if differences:
            raise UsageError(
                f"{self.path} is the journal of another tournament: {differences[0]}; "
                f"name another journal, or play as it says{hint}"
            )
        self.header = {**self.header, ABOUT: about(header)}

    def _write(self, entry: Mapping[str, Any]) -> None:
        self._file.write(_line(entry))
        self._file.flush()
        if self.path:
            os.fsync(self._file.fileno())

    def _wrong(self, number: int, problem: str) -> UsageError:
        return _wrong(self.path, number, problem)


def header_of(path: Path) -> Header:
    """The header of a journal; UsageError in one sentence where there is none."""
    try:
        with path.open("rb") as file:
            first = file.readline()
            more = [line for line in file if line.startswith(MORE) and line.endswith(b"\n")]
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        header = json.loads(first)
        if header["journal"] != FORMAT or not _is_whole(header):
            raise ValueError
    except DAMAGED:
        raise _wrong(path, 1, NO_JOURNAL) from None
    whole: Header = {**header, ABOUT: about(header)}
    for line in more:
        with suppress(*DAMAGED):  # `pairs_of` names it
            whole = _with_more(whole, json.loads(line))
    return whole


def _with_more(header: Header, line: Header) -> Header:
    return {**header, ABOUT: {**header.get(ABOUT, {}), **about(line)}}


def _is_whole(header: Header) -> bool:
    """Whether what is said of the players, and of the game, can be shown."""
    players = header["players"]
    right = [
        type(header["game"]) is type(header["format"]) is str,
        type(header["seed"]) is type(header["opening"]) is int,
        type(header["isolation"]) is str and type(players) is list and len(players) >= 2,
        all(type(one[key]) is str for one in players for key in ("player", "module", "files")),
        all(type(one["class"]) in (str, type(None)) for one in players),
        all(type(text) is str for one in players for argument in one["arguments"] for text in argument),
        all(len(argument) == 2 for one in players for argument in one["arguments"]),
        all(type(one["limits"]) is dict for one in players),
        all(len(told) == 2 for one in players for told in one["limits"]["told"]),
    ]
    return all(right)


def pairs_of(path: Path, is_light: bool = False) -> Iterator[PlayedPair]:
    """The pairs of a journal, each once, also while it is being written; UsageError for a damaged line.

    Those that are `light` are had sooner.
    """
    with path.open("rb") as file:
        next(file)
        yield from _once(path, file, is_light)


def _once(path: Path | None, lines: Iterable[bytes], is_light: bool) -> Iterator[PlayedPair]:
    had = Texts()
    for number, line in enumerate(lines, 2):
        if not line.endswith(b"\n"):  # being written, or left by a run that was killed
            return
        try:
            if line.startswith(MORE):
                json.loads(line)
                continue
            pair = pair_from(json.loads(light(line) if is_light else line))
        except DAMAGED as damage:
            if isinstance(damage, json.JSONDecodeError) and next(iter(lines), None) is None:
                return  # a last line that was torn, whatever ends it
            raise _wrong(path, number, NO_PAIR) from None
        if had.add(pair.id):
            yield pair


def light(line: bytes) -> bytes:
    """The line without what each action took, so that it is read in half the time; for totals alone.

    A player's actions become two where there were more: it is still known whether there was none, or one.
    """
    return ACTIONS.sub(b'"action_cpu":[[0,0],[0,0]],"action_megabytes":[[0,0],[0,0]]', line)


def _wrong(path: Path | None, number: int, problem: str) -> UsageError:
    return UsageError(f"{path}, line {number}: {problem}")


def about(header: Header) -> dict[str, Any]:
    """What a header says of when, where and by which command it was begun; only what can be shown."""
    given = header.get(ABOUT)
    if type(given) is not dict:
        return {}
    told: dict[str, Any] = {key: value for key, value in given.items() if type(value) is str}
    left_out = given.get("left_out")
    if type(left_out) is list and all(type(one) is dict for one in left_out):
        told["left_out"] = [{key: str(one.get(key)) for key in ("player", "reason")} for one in left_out]
    if type(given.get("sprt")) is list:
        told["sprt"] = given["sprt"]
    if type(given.get(WANTED)) is int and 0 < given[WANTED] < 1_000_000_000:
        told[WANTED] = given[WANTED]
    return told


def _begin_alike(first: bytes, line: bytes) -> bool:
    """Whether that may be what a killed run has left of such a first line, whatever it was about."""
    known = line.partition(f'"{ABOUT}":'.encode())[0]
    return line.startswith(first) or first.startswith(known)


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
    for key in {**here, **there}:
        if key not in ("players", ABOUT) and there.get(key) != here.get(key):
            yield f"its {key} is {_short(there.get(key))}, not {_short(here.get(key))}"
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
