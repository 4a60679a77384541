"""The source files of a profiled player, line by line, as far as lines of them ran; they must not change."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee import UsageError
from referee.players import files, package
from referee.players.names import Spec

MOST = 2**20  # bytes of a file that is shown


def of(folder: str, lines: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """By the names that files have in the profile, the lines of those that belong to the player."""
    names = dict.fromkeys(row["file"] for row in lines if not row["library"])
    found = {}
    for name in names:
        path = Path(folder, name)
        try:
            if path.stat().st_size <= MOST:
                found[name] = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:  # made by the player while it ran
            continue
    return found


@contextmanager
def unchanged(*specs: Spec) -> Iterator[None]:
    """While players are profiled: UsageError if a file of theirs changes, for then the rows are of both."""
    before = [_modified(spec) for spec in specs]
    fault: Exception | None = None
    try:
        yield
    except Exception as error:  # which a file half written may have led to
        fault = error
    for spec, then in zip(specs, before, strict=True):
        now = _modified(spec)
        changed = [path for path in sorted({*then, *now}) if then.get(path) != now.get(path)]
        if changed:
            where = changed[0].relative_to(spec.folder) if changed[0] != Path(spec.folder) else changed[0]
            raise UsageError(f"{where} was changed while {spec.name} was profiled; profile it again")
    if fault:
        raise fault


def _modified(spec: Spec) -> dict[Path, tuple[int, int]]:
    """The player's zip or files of Python, with what tells that one was written."""
    own = Path(spec.folder) if Path(spec.folder).is_file() else files.top(spec)
    found = {}
    for path in package.modules(own) if own.is_dir() else [own]:
        try:
            found[path] = path.stat().st_mtime_ns, path.stat().st_size
        except OSError:  # moved away just now
            continue
    return found
