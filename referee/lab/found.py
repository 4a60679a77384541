"""What is in a folder: players, records, journals, profiles and checks, as far as their first bytes tell."""

import json
import os
import re
import shlex
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nlargest
from pathlib import Path
from typing import Any

from referee import UsageError, rules
from referee.match import record
from referee.players import names
from referee.players.text import printable, shorten
from referee.profile.measure import FORMAT

DEPTH = 4  # of folders within folders
MOST = 4000  # entries that are looked at
OF_ONE = 1000  # of them in one folder
SHOWN = 200  # of a kind, the newest
LEFT_OUT = ("node_modules", "venv", "env", "dist", "build", "site-packages")
HEAD = 4096  # bytes of a file that say what it is
TAIL = 4096  # of a record, that say how it ended
LARGEST = 2_000_000  # bytes of a file that may be a player
SOURCES = 20  # files of a package that may say which game it plays,
SOURCE = 50_000  # and bytes of each
PLAYER = re.compile(r"^\s*(class\s+(Example)?Player\b|from\s.*\bimport\b.*\bPlayer\b|Player\s*=)", re.M)
CLASS = re.compile(r"^class\s+(Example)?Player\b", re.M)
PROGRAMS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # what compiled ones begin with
SCRIPT = re.compile(rb"#!(?!.*/(ba|z|da)?sh\b).*\n")  # no shell's
OURS = "our agent"
PROGRAM = "a program"
KINDS = ("player", "record", "journal", "profile", "check")


# By path, size, time and mode what a file is; None: nothing to show.
Seen = dict[tuple[str, int, int, int], tuple[str, dict[str, Any]] | None]


@dataclass(frozen=True)
class Entry:
    """A file or folder that is worth showing."""

    kind: str  # player, record, journal, profile, check
    path: str  # from the folder
    changed: float  # when, in seconds
    about: dict[str, Any]

    def row(self) -> dict[str, Any]:
        """In terms of JSON."""
        return {"path": self.path, "changed": self.changed, **self.about}


def found(folder: Path, seen: Seen | None = None) -> dict[str, list[dict[str, Any]]]:
    """By kind what is there, the newest first; `seen` is what the last look saw, then what this one does."""
    before: Seen = {} if seen is None else dict(seen)
    now: Seen = {}
    rows: dict[str, list[dict[str, Any]]] = {
        kind: [] for kind in ("player", "record", "journal", "profile", "check")
    }
    entries = sorted(_entries(folder, before, now), key=lambda entry: -entry.changed)
    if seen is not None:
        seen.clear()
        seen.update(now)
    for entry in entries:
        if len(rows[entry.kind]) < SHOWN:
            rows[entry.kind].append(entry.row())
    rows["player"].sort(key=lambda row: row["path"])
    for row in rows["player"]:
        row["game"] = row["game"] or _played(row["player"], rows)
    ends = {row["begun"] for row in rows["record"]}
    for row in rows["record"]:
        row["goes_on"] = f"the end of {row['path']}" in ends
    return rows


def as_listed(folder: Path, player: str) -> str:
    """A player of the folder as the list names it: `./my_team` where somebody typed `my_team`."""
    name, comma, options = player.partition(",")
    if not name or name.startswith("exec:"):
        return player
    try:
        path = (folder / name).resolve()
        if path.exists() and path.is_relative_to(folder.resolve()) and path != folder.resolve():
            return f"./{path.relative_to(folder.resolve()).as_posix()}{comma}{options}"
    except (OSError, ValueError):
        pass
    return player


def _played(player: str, rows: dict[str, list[dict[str, Any]]]) -> str:
    """The game that a player has been checked in, or was seen to play; nothing where neither is known."""
    checked = [row["game"] for row in rows["check"] if row["agent"] == player]
    names = {player, player.removeprefix("./")}
    played = (row["game"] for row in rows["record"] if names.intersection(row["players"]))
    return next(iter(checked), "") or next(played, "")


def own_players() -> list[dict[str, Any]]:
    """The referee's own, and our agents, as they are named."""
    agents = []
    for game in rules.games():
        try:
            names.resolve(f"{game}_agent")
        except UsageError:
            continue
        agents.append({"player": f"{game}_agent", "game": game, "what": OURS})
    return [*agents, *({"player": one, "game": "", "what": "the referee's own"} for one in names.OWN)]


def inside(folder: Path, path: Any) -> Path:
    """The file of that name in the folder; UsageError where it is elsewhere, or none."""
    if not isinstance(path, str) or "\0" in path:
        raise UsageError("that is no file's name")
    shown = shorten(printable(path), 100)
    try:
        whole = (folder / path).resolve()
        is_there = whole.is_relative_to(folder.resolve()) and whole.is_file()
    except (OSError, RuntimeError) as error:  # a folder that may not be read, or links in a circle
        raise UsageError(f"{shown!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not is_there:
        raise UsageError(f"there is no file {shown!r} in the folder")
    return whole


def _entries(folder: Path, before: Seen, now: Seen) -> Iterator[Entry]:
    looked_at = 0
    waiting = [(folder, 0)]
    while waiting:
        here, depth = waiting.pop(0)
        try:
            listed = sorted(_newest(here), key=lambda one: one.name)
        except OSError:
            continue
        for one in listed:
            looked_at += 1
            if looked_at > MOST:
                return
            if one.name.startswith((".", "__")) or one.name in LEFT_OUT or not one.name.isprintable():
                continue  # a name that shows as another is none to click
            path = Path(one.path)
            try:
                about = one.stat(follow_symlinks=False)
                is_package = one.is_dir(follow_symlinks=False) and (path / "__init__.py").is_file()
                if is_package:
                    if entry := _package(folder, path, about):
                        yield entry
                        continue
                if one.is_dir(follow_symlinks=False):
                    if depth < DEPTH:
                        waiting.append((path, depth + 1))
                elif stat.S_ISREG(about.st_mode):
                    file = str(path), about.st_size, about.st_mtime_ns, about.st_mode
                    kind = now[file] = before[file] if file in before else _kind(*file)
                    if kind:
                        named = _named(folder, path, **kind[1]) if kind[0] == "player" else kind[1]
                        yield Entry(kind[0], _relative(folder, path), about.st_mtime, named)
            except (OSError, ValueError, LookupError, TypeError, RecursionError):
                continue  # it is not what it looks like


def _newest(here: Path) -> list[os.DirEntry[str]]:
    """What is in a folder; of very much the newest."""
    with os.scandir(here) as entries:
        return nlargest(OF_ONE, entries, key=_changed)


def _changed(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat(follow_symlinks=False).st_mtime
    except OSError:  # it is gone by now
        return 0.0


def _package(folder: Path, path: Path, about: os.stat_result) -> Entry | None:
    text = (path / "__init__.py").read_bytes()[:LARGEST].decode(errors="replace")
    if not PLAYER.search(text):
        return None
    sources = [one for one in sorted(path.glob("*.py"))[:SOURCES] if one.is_file()]
    game = _game("\n".join(_text(str(one), SOURCE) for one in sources))
    return Entry("player", _relative(folder, path), about.st_mtime, _named(folder, path, "a package", game))


def _named(folder: Path, path: Path, what: str, game: str = "") -> dict[str, Any]:
    """A player as the command line takes it: no path begins like an option, or like a name."""
    word = f"./{_relative(folder, path)}"
    return {"player": f"exec:{shlex.quote(word)}" if what == PROGRAM else word, "what": what, "game": game}


def _game(source: str) -> str:
    """The one game that a source speaks of."""
    spoken = {game for game in rules.games() if re.search(rf"(?i)(?<![a-z]){game}(?![a-z])", source)}
    return spoken.pop() if len(spoken) == 1 else ""


def _relative(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def _kind(path: str, size: int, changed: int, mode: int) -> tuple[str, dict[str, Any]] | None:
    """What a file is, and what is to be said of it."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix == ".zip":
        return _zip(path)
    with open(path, "rb") as file:
        head = file.read(HEAD)
        if head.startswith(record.FIRST_LINE.encode()):
            file.seek(max(0, size - TAIL))
            return "record", _record(head, file.read())
    if head.startswith(b'{"journal"'):
        return "journal", _journal(path)
    if head.startswith(b'{"profile": %d' % FORMAT):
        found = json.loads(Path(path).read_bytes())
        turn = found["turn"]
        return "profile", {"agent": found["agent"], "game": found["game"], "where": turn["where"]}
    if head.startswith(b'{"game"') and b'"oldest"' in head:
        found = json.loads(Path(path).read_bytes())
        return "check", {key: found[key] for key in ("game", "agent", "objections", "remarks")}
    if suffix == ".py" and size < LARGEST and CLASS.search(text := _text(path)):
        return "player", {"what": "a file", "game": _game(text)}
    if mode & 0o111 and (head.startswith(PROGRAMS) or SCRIPT.match(head)):
        return "player", {"what": PROGRAM}
    return None


def _text(path: str, most: int = -1) -> str:
    with open(path, "rb") as file:
        return file.read(most).decode(errors="replace")


def _zip(path: str) -> tuple[str, dict[str, Any]] | None:
    try:
        with zipfile.ZipFile(path) as packed:
            sources = [name for name in packed.namelist()[:10_000] if name.endswith(".py")]
            text = "\n".join(_packed(packed, name) for name in sorted(sources)[:SOURCES])
    except (OSError, zipfile.BadZipFile, ValueError):
        return None
    return ("player", {"what": "a zip", "game": _game(text)}) if sources else None


def _packed(packed: zipfile.ZipFile, name: str) -> str:
    """The beginning of a file in a zip, whatever size it says it has; nothing where it cannot be read."""
    try:
        with packed.open(name) as file:
            return file.read(SOURCE).decode(errors="replace")
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError):
        return ""


def _record(head: bytes, tail: bytes) -> dict[str, Any]:
    """Who played what, and how it ended; of hostile files no more than is there."""
    wanted = ("game", "players", "date", "begun", "first")
    closing = ("ending", "scores", "reason", "end", "at_fault")
    said = {**_values(head, wanted), **_values(tail, closing)}
    players = said.get("players")
    if not isinstance(players, tuple) or len(players) != 2:
        players = ()
    return {
        "game": str(said.get("game", "")),
        "players": [printable(str(one))[:100] for one in players],
        "date": str(said.get("date", ""))[:40],
        "begun": str(said["begun"])[:500] if "begun" in said else "",
        "is_over": "end" in said,
        "scores": list(said["scores"]) if said.get("scores") in ((1, 0), (0, 1), (0.5, 0.5)) else None,
        "reason": printable(shorten(str(said.get("reason", "")), 200)),
        "turns": said.get("end") if type(said.get("end")) is int else None,
    }


def _values(text: bytes, words: tuple[str, ...]) -> dict[str, Any]:
    found = {}
    for line in text.decode("utf-8", "replace").split("\n"):
        word, colon, value = line.partition(": ")
        if colon and word in words:
            try:
                found[word] = record.read_literal(value)
            except ValueError:
                continue
    return found


def _journal(path: str) -> dict[str, Any]:
    with open(path, "rb") as file:
        try:
            header = json.loads(file.readline(1_000_000))
            players = [printable(str(one["player"]))[:100] for one in header["players"]]
            about = {"game": str(header["game"]), "format": str(header["format"]), "players": players[:50]}
        except (ValueError, LookupError, TypeError):
            return {"game": "", "format": "", "players": [], "pairs": 0}
        return {**about, "pairs": sum(1 for _ in file)}
