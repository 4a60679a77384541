"""A process that ends players whose referee was killed, on systems where linux.py does not work.

A referee starts this once, in a process of its own, and tells it in lines of JSON which processes it has
started, `["+", 4711, MARK, FOLDER]`, and has ended, `["-", 4711, MARK, FOLDER]`.  When the input closes,
what is left is ended, with all that was started by it, and its temporary folder removed; a stopped
player would else stay for ever.
"""

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from typing import IO

from referee.isolation.child import apart
from referee.isolation.tree import ProcessTree
from referee.players.removing import remove
from referee.start import command

_lock = threading.Lock()
_lines: IO[bytes] | None = None  # to the guard, once it is there


def tell(sign: str, pid: int, mark: str, temporary: str) -> None:
    """Tell this process's guard, which is started for the first; that there is none is no error."""
    global _lines
    with _lock, contextlib.suppress(OSError):
        if _lines is None:
            _lines = _started()
        _lines.write(json.dumps([sign, pid, mark, temporary]).encode() + b"\n")
        _lines.flush()


def _started() -> IO[bytes]:
    """A new guard, by the pipe to it."""
    guard = subprocess.Popen(
        command("isolation.guard"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
        **apart(),
    )
    assert guard.stdin
    atexit.register(_end, guard, guard.stdin)
    return guard.stdin


def _end(guard: "subprocess.Popen[bytes]", lines: IO[bytes]) -> None:
    with contextlib.suppress(OSError):
        lines.close()
    guard.wait()


def main() -> None:
    """Keep account, and end what is left."""
    guarded: dict[str, tuple[ProcessTree, str]] = {}
    for line in sys.stdin:
        sign, pid, mark, temporary = json.loads(line)
        if sign == "+":
            guarded[mark] = ProcessTree(pid, mark), temporary
        else:
            guarded.pop(mark, None)
    for tree, temporary in guarded.values():
        tree.kill()
        remove(temporary)


if __name__ == "__main__":
    main()
