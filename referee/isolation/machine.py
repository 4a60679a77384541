"""This machine: how many cores there are for us, and how busy they are."""

import os

from referee.isolation import proc


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Busy:
    """How busy this machine is while something runs, whoever is at work on it."""

    def __init__(self) -> None:
        self._before = _ticks()

    def share(self) -> float | None:
        """The share of all cores' time that was used since this was made; None where it cannot be known."""
        now = _ticks()
        if not (now and self._before) or now[1] == self._before[1]:
            return None
        return round((now[0] - self._before[0]) / (now[1] - self._before[1]), 3)


def _ticks() -> tuple[int, int] | None:
    """Used and all, of all cores since the machine started."""
    fields = proc.read("/proc/stat").partition(b"\n")[0].split()[1:9]
    if len(fields) < 8:
        return None
    user, nice, system, idle, waiting, *more = map(int, fields)
    used = user + nice + system + sum(more)
    return used, used + idle + waiting
