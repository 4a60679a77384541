"""The source files of a profiled player, line by line, as far as lines of them ran."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

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
