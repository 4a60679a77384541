"""Temporary folders that go when they are done with; a killed referee's go when the next one makes some.

Whoever has such a folder holds a lock on it, which the system takes back at its end, however that comes.
Where there are no such locks, as on Windows, what a killed one has left stays.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

from referee.players.removing import remove

PREFIX = "referee-made-"  # begins the name of each


@contextlib.contextmanager
def folder(kind: str) -> Iterator[Path]:
    """A new folder, empty, by its real path; `kind` is in its name.  All that is in it is removed with it."""
    if HAS_LOCKS:
        _remove_leftovers(tempfile.gettempdir())
    made = os.path.realpath(tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-"))
    try:
        with _held(made, wait=True) if HAS_LOCKS else contextlib.nullcontext():
            yield Path(made)
    finally:
        remove(made)


def _remove_leftovers(place: str) -> None:
    for name in os.listdir(place):
        if name.startswith(PREFIX):
            path = os.path.join(place, name)
            with _held(path) as is_held:
                if is_held and os.listdir(path):  # an empty one may be about to be held
                    remove(path)


@contextlib.contextmanager
def _held(path: str, wait: bool = False) -> Iterator[bool]:
    """Hold the lock of a folder of this user's meanwhile; False where that cannot be had."""
    with contextlib.ExitStack() as stack:
        is_held = False
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            is_held = os.fstat(descriptor).st_uid == os.geteuid()
        yield is_held
