"""The command line: `referee COMMAND ...`, each command a module that is imported when asked for.

Such a module has `arguments(parser)`, `run(options)`, which returns the exit code, and where it reads
words in a way of its own `prepare(words)`.  Exit codes: 0 done, 1 a player was at fault, 2 usage,
3 the referee's own trouble, 130 interrupted by Ctrl-C, 143 and 129 by SIGTERM and SIGHUP, which are taken
as Ctrl-C is: no player, process or temporary folder is left.
"""

import os
import shlex
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from io import TextIOWrapper

if not __package__:  # started by its path, where its folder's files would be taken for modules
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from referee import RefereeTrouble, UsageError, __version__, commands, rules
from referee.players.text import printable

LONGEST = 1000  # characters of what is said at the end
NEEDED = ("line_profiler", "numpy", "psutil", "rich", "tornado")  # what pyproject.toml says that it needs
INTERRUPTED = 130
BROKEN_PIPE = 141  # what a shell reports for a program that died writing to `head`


def main(arguments: list[str]) -> int:
    """The exit code of one command line."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started this
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
    _hear_of_children()
    if isinstance(sys.stdout, TextIOWrapper):  # a name may have letters that the terminal has not
        sys.stdout.reconfigure(errors="backslashreplace")
    with _ending_signals() as received:
        code = _guarded(arguments)
    _give_up_what_cannot_be_said()
    return 128 + received[0] if received and code == INTERRUPTED else code


def _guarded(arguments: list[str]) -> int:
    """The same, where every error is a sentence."""
    try:
        code = _command(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        return _complain(str(error), 2)
    except RefereeTrouble as error:
        return _complain(str(error), 3)
    except KeyboardInterrupt as interrupt:
        return _complain(str(interrupt) or "interrupted; no player is left running", INTERRUPTED)
    except BrokenPipeError:  # nobody reads any more
        return BROKEN_PIPE
    except OSError as error:
        return _complain(f"the system refuses: {error}", 3)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name in NEEDED:
            folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
            said = f"there is no {error.name} here; what it needs is installed by"
            return _complain(f"{said} {shlex.join([sys.executable, '-m', 'pip', 'install', folder])}", 3)
        if isinstance(error.__cause__, KeyboardInterrupt):  # it came while a class was made
            return _complain("interrupted; no player is left running", INTERRUPTED)
        with suppress(OSError):
            traceback.print_exc()
        return _complain("this is a defect of the referee, not of a player", 3)


@contextmanager
def _ending_signals() -> Iterator[list[int]]:
    """What asks this process to end is a Ctrl-C meanwhile; the number of the one that came is in the list.

    Only the first: a terminal that closes sends several, and none shall break into what the first has begun.
    One that whoever started this has ignored, as `nohup` does, stays so.
    """
    received: list[int] = []

    def end(number: int, frame: object) -> None:
        if not received:
            received.append(number)
            raise KeyboardInterrupt

    taken = []
    try:
        for name in ("SIGTERM", "SIGHUP"):  # Windows has but the first
            number = getattr(signal, name, None)
            if number and signal.getsignal(number) is signal.SIG_DFL:
                with suppress(ValueError):  # not in the main thread
                    signal.signal(number, end)
                    taken.append(number)
        yield received
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _hear_of_children() -> None:
    """Whoever started this may have had the ends of children ignored; here they are waited for."""
    if hasattr(signal, "SIGCHLD"):
        with suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _command(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(commands.overview())
        return 0
    if arguments[0] in ("-V", "--version", "version"):
        print(f"referee {__version__}")
        return 0
    name, known = arguments[0], commands.available()
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        if name.partition(":")[0] in rules.games():
            hint = f"; {name!r} is a game: the command comes first, as in `referee play {name} ...`"
        raise UsageError(f"there is no command {name!r}{hint} (commands: {', '.join(known)})")
    module = commands.module(name)
    prepare = getattr(module, "prepare", list)
    return module.run(commands.parser(name).read(prepare(arguments[1:])))


def _give_up_what_cannot_be_said() -> None:
    """Python would try once more at its end, and take the exit code for its own complaint."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(sentence: str, code: int) -> int:
    on_one_line = printable(sentence).replace("\n", " ")
    if len(on_one_line) > LONGEST:  # somebody's words are in it
        on_one_line = f"{on_one_line[: LONGEST // 2]} ... {on_one_line[-LONGEST // 2 :]}"
    with suppress(OSError):  # the exit code still tells
        print(f"referee: {on_one_line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
