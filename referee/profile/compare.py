"""What moved between two profiles, line by line, with how certain that is.

Lines are matched through edits: by their text, wherever that was moved to, and, where a text was changed, by
their place among those that were not.  A difference counts as shown where it is larger than the errors of
both figures together.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from math import hypot
from typing import Any

Line = dict[str, Any]


@dataclass(frozen=True)
class Moved:
    """A line in two profiles: its own CPU seconds, and half of the 95 % interval of their difference."""

    line: Line | None
    line_before: Line | None
    seconds: float
    seconds_before: float
    error: float

    @property
    def shown(self) -> Line:
        """The line as it is now, or as it was if it is gone."""
        return self.line or self.line_before or {}

    @property
    def change(self) -> float:
        """Seconds more than before."""
        return self.seconds - self.seconds_before

    @property
    def is_shown(self) -> bool:
        """Whether the difference is larger than its error."""
        return abs(self.change) > self.error

    @property
    def ran_otherwise(self) -> bool:
        """Whether it ran another number of times, which is known exactly."""
        hits, hits_before = ((line["hits"] if line else None) or 0 for line in (self.line, self.line_before))
        return hits != hits_before


def moved(profile: dict[str, Any], other: dict[str, Any]) -> list[Moved]:
    """All lines of both: differences that are shown first, the largest first."""
    found = [_moved(profile, other, now, before) for now, before in matched(profile["lines"], other["lines"])]
    return sorted(
        found, key=lambda one: (not one.is_shown, -abs(one.change), str(one.line or one.line_before))
    )


def plain(profile: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """The same for JSON: the place of each line now, or before where there is none now."""
    found = []
    for one in moved(profile, other):
        line = one.line or one.line_before or {}
        about = {name: line[name] for name in ("file", "line", "function", "source")}
        hits = [some["hits"] if some else None for some in (one.line, one.line_before)]
        figures = {"seconds": one.seconds, "seconds_before": one.seconds_before, "error": one.error}
        found.append({**about, "hits": hits[0], "hits_before": hits[1], **figures, "shown": one.is_shown})
    return found


def _moved(profile: dict[str, Any], other: dict[str, Any], now: Line | None, before: Line | None) -> Moved:
    seconds, error = _seconds(profile, now)
    seconds_before, error_before = _seconds(other, before)
    return Moved(now, before, seconds, seconds_before, hypot(error, error_before))


def _seconds(profile: dict[str, Any], line: Line | None) -> tuple[float, float]:
    """Its own seconds and their error: that of the share, and that of the turn's time where it is known."""
    cpu, error = profile["turn"]["cpu"], profile["turn"]["cpu_error"] or 0.0
    if line is None:
        return 0.0, 0.0
    return line["own"] * cpu, hypot(line["own_error"] * cpu, line["own"] * error)


def matched(lines: Sequence[Line], others: Sequence[Line]) -> Iterator[tuple[Line | None, Line | None]]:
    """Each line with the one that it was before; None where there is none.

    First lines of the same text in the same order of a file; then those of the same text that were moved, in
    their function or anywhere; then those of another text between the same neighbours.
    """
    now, before = _by_file(lines), _by_file(others)
    blocks: list[tuple[list[Line], list[Line]]] = []
    for file, old in _pairs(now, before):
        yield from _aligned(now.get(file or "", []), before.get(old or "", []), blocks)
    for text in (_in_function, _source):
        yield from _moved_away(blocks, text)
    for some, some_before in blocks:
        yield from zip_longest(some, some_before)


def _in_function(line: Line) -> tuple[str, str]:
    return line["function"], line["source"]


def _source(line: Line) -> tuple[str, str]:
    return "", line["source"]


def _pairs(
    now: dict[str, list[Line]], before: dict[str, list[Line]]
) -> Iterator[tuple[str | None, str | None]]:
    """Each file with what it was called before: if that is not there, the one that has most of its lines."""
    yield from ((file, file) for file in now if file in before)
    gone = {file: set(map(_in_function, some)) for file, some in before.items() if file not in now}
    for file in now:
        if file not in before:
            texts = set(map(_in_function, now[file]))
            old = max(gone, key=lambda name: len(gone[name] & texts), default=None)
            old = old if old is not None and gone[old] & texts else None
            gone.pop(old or "", None)
            yield file, old
    yield from ((None, file) for file in gone)


def _by_file(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """The lines of each file in their order; the package's own name does not count."""

    def name(line: Line) -> str:
        return line["file"] if line["library"] else line["file"].partition("/")[2] or line["file"]

    ordered = sorted(lines, key=lambda line: (name(line), line["line"]))
    return {file: list(some) for file, some in groupby(ordered, name)}


def _aligned(
    now: list[Line], before: list[Line], blocks: list[tuple[list[Line], list[Line]]]
) -> Iterator[tuple[Line, Line]]:
    """The lines of a file that are in the same order; what lies between them goes to the blocks."""
    texts, texts_before = (list(map(_in_function, some)) for some in (now, before))
    matcher = SequenceMatcher(None, texts_before, texts, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(now[k:m], before[i:j], strict=True)
        else:
            blocks.append((now[k:m], before[i:j]))


def _moved_away(
    blocks: list[tuple[list[Line], list[Line]]], text: Callable[[Line], tuple[str, str]]
) -> Iterator[tuple[Line, Line]]:
    """Lines of the same text in different blocks, or in one; they are taken out of the blocks."""
    waiting: dict[tuple[str, str], list[tuple[Line, list[Line]]]] = {}
    for _, some_before in blocks:
        for old in some_before:
            waiting.setdefault(text(old), []).append((old, some_before))
    for some, _ in blocks:
        for line in list(some):
            if found := waiting.get(text(line)):
                old, block = found.pop(0)
                some.remove(line)
                block.remove(old)
                yield line, old
