"""The levels of isolation, and which of them this system has.

full      Linux with Landlock and seccomp: a player reads its own files and Python's, and computes
process   Linux: charged, stopped and ended with all it starts, but it runs as you
portable  elsewhere, by psutil: charged, stopped and ended as far as looking now and then can
"""

import functools
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from referee import RefereeTrouble
from referee.isolation import confinement
from referee.isolation.child import Child
from referee.players import files
from referee.players.names import Spec

LEVELS = ("full", "process", "portable")


def kinds() -> Iterator[type[Child]]:
    """What this system can run players as, best first; who needs the first alone imports no other."""
    yield from _on_linux()
    yield from _by_psutil()


@functools.cache
def _on_linux() -> tuple[type[Child], ...]:
    try:
        from referee.isolation import linux
    except (ImportError, AttributeError, ValueError):  # what it names does not exist here
        return ()
    if not linux.works():
        return ()
    confined = () if confinement.obstacle() else (linux.Confined,)
    return *confined, linux.Family


@functools.cache
def _by_psutil() -> tuple[type[Child], ...]:
    if find_spec("psutil") is None:
        return ()
    from referee.isolation import portable

    return (portable.Process,)


def kind(level: str | None) -> type[Child]:
    """What runs a player at that level, None being the best; RefereeTrouble where there is none such here."""
    found = next((one for one in kinds() if level in (None, one.level)), None)
    if found:
        return found
    wanted = f"at the level {level!r} here" if level else "here"
    raise RefereeTrouble(f"players cannot be isolated {wanted}: {_why_not(level)}")


def unconfined() -> type[Child]:
    """What runs a process that is not confined."""
    return next((one for one in kinds() if one.level != "full"), None) or kind("portable")


def with_warning(level: str | None = None) -> tuple[str, str]:
    """The level, None being the best there is here, and a sentence on what it does not enforce, or ""."""
    found = kind(level)
    reason = confinement.obstacle() if found.level == "process" and found is kind(None) else ""
    return found.level, f"{found.not_enforced} ({reason})" if reason else found.not_enforced


def line(level: str) -> str:
    """The level as it is shown with a score: with what the control groups of this system do there."""
    if level == "portable" or level not in (one.level for one in kinds()):
        return f"isolation level {level}"
    from referee.isolation import cgroup  # which is only there on Linux

    return f"isolation level {level} ({cgroup.in_words()})"


def chosen(level: str | None, required: str | None = None) -> str:
    """That level, None being the best there is here; RefereeTrouble where it is not to be had, or too low."""
    found = kind(level).level
    if required and LEVELS.index(found) > LEVELS.index(required):
        reason = "--isolation asks for it" if level else _why_not(required)
        raise RefereeTrouble(
            f"--require-isolation {required}: players would be isolated at the level {found!r} only: {reason}"
        )
    return found


def own_files(spec: Spec) -> str:
    """What of the player's a confined process may read: its outermost package, its one module, or its zip."""
    return spec.folder if Path(spec.folder).is_file() else str(files.top(spec))


def _why_not(level: str | None) -> str:
    if level in (None, "portable"):
        return "psutil is missing; run: python -m pip install psutil"
    if level == "full" and _on_linux() and kind(None).level == "process":
        return confinement.obstacle()
    return "this system has not what it takes"
