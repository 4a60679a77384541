"""What moved between two profiles, line by line, with how certain that is.

Lines are matched through edits: by their text and, where a text was changed, by their place among those that
were not.  A difference counts as shown where it is larger than the errors of both figures together.
"""

from collections.abc import Iterator, Sequence
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
    """Each line with the one that it was before; None where there is none."""
    now, before = _by_file(lines), _by_file(others)
    for file in dict.fromkeys([*now, *before]):
        yield from _aligned(now.get(file, []), before.get(file, []))


def _by_file(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """The lines of each file in their order; the package's own name does not count."""

    def name(line: Line) -> str:
        return line["file"] if line["library"] else line["file"].partition("/")[2] or line["file"]

    ordered = sorted(lines, key=lambda line: (name(line), line["line"]))
    return {file: list(some) for file, some in groupby(ordered, name)}


def _aligned(now: list[Line], before: list[Line]) -> Iterator[tuple[Line | None, Line | None]]:
    texts, texts_before = ([(line["function"], line["source"]) for line in some] for some in (now, before))
    matcher = SequenceMatcher(None, texts_before, texts, autojunk=False)
    for _, i, j, k, m in matcher.get_opcodes():
        yield from zip_longest(now[k:m], before[i:j])
