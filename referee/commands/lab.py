"""Open the lab: one page on this machine from which everything is seen and done.

It shows what is in FOLDER: players, records, tournaments, profiles, checks.  Matches are watched there,
steered and replayed, turns analysed and profiled, tournaments run, players checked and packed; each action
shows the command that does the same.  Only this machine reaches it, and only who has the printed address.
"""

import argparse
import asyncio
import signal
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from referee import UsageError, commands
from referee.commands.options import port
from referee.isolation import levels

LONGEST = 4096  # characters of an address


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        type=Path,
        default=Path(),
        help="where players are, and where records go (the current one)",
    )
    parser.add_argument("--port", type=port, default=0, metavar="PORT", help="of the page (any that is free)")
    parser.add_argument("--browser", action="store_true", help="open it in a browser")
    parser.add_argument(
        "--again",
        action="store_true",
        help="at the address of an earlier one, which it asks for: open pages go on",
    )


def run(options: argparse.Namespace) -> int:
    from referee.lab.site import Lab, serve  # here, since other commands need no server

    folder = options.folder.resolve()
    if folder.is_file():
        raise UsageError(f"{str(options.folder)[:100]!r} is a file: name the folder that it is in")
    if not folder.is_dir():
        raise UsageError(f"there is no folder {str(options.folder)[:100]!r}; make it first, with mkdir")
    at, token = _earlier(options.port) if options.again else (options.port, "")
    level, not_enforced = levels.with_warning(None)
    if not_enforced:
        print(f"referee: isolation level {level}: {not_enforced}", file=sys.stderr)

    def ready(address: str) -> None:
        print(f"the lab of {folder}: {address}", flush=True)
        print("Ctrl-C ends it; what is in the folder stays; --again begins at this address", flush=True)
        if options.browser:
            webbrowser.open(address)

    async def work() -> None:
        task = asyncio.create_task(serve(Lab(folder, token, _read), at, ready))
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number and not (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):  # nohup
                with suppress(NotImplementedError):  # on Windows Ctrl-C raises KeyboardInterrupt
                    loop.add_signal_handler(number, task.cancel)
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(work())
    return 0


def _read(words: Sequence[str]) -> None:
    """What the command itself finds wrong in its words, before it is started."""
    _parser(words[0]).read(words[1:])


_parser = cache(commands.parser)


def _earlier(asked: int) -> tuple[int, str]:
    """The port and the token of an address that is typed, or read from a file."""
    from referee.human.server import port_and_token

    if asked:
        raise UsageError("--again has the port of the address that it reads: leave out --port")
    if sys.stdin and sys.stdin.isatty():
        print("the address of a page that is open: ", end="", file=sys.stderr, flush=True)
    return port_and_token(sys.stdin.readline(LONGEST) if sys.stdin else "")
