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
from contextlib import suppress
from pathlib import Path

from referee import UsageError
from referee.commands.options import port
from referee.isolation import levels


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


def run(options: argparse.Namespace) -> int:
    from referee.lab.site import Lab, serve  # here, since other commands need no server

    folder = options.folder.resolve()
    if folder.is_file():
        raise UsageError(f"{str(options.folder)[:100]!r} is a file: name the folder that it is in")
    if not folder.is_dir():
        raise UsageError(f"there is no folder {str(options.folder)[:100]!r}; make it first, with mkdir")
    level, not_enforced = levels.with_warning(None)
    if not_enforced:
        print(f"referee: isolation level {level}: {not_enforced}", file=sys.stderr)

    def ready(address: str) -> None:
        print(f"the lab of {folder}: {address}", flush=True)
        print("Ctrl-C ends it; what is in the folder stays", flush=True)
        if options.browser:
            webbrowser.open(address)

    async def work() -> None:
        task = asyncio.create_task(serve(Lab(folder), options.port, ready))
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
