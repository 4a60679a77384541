"""The command line: `python -m referee COMMAND ...`, each command a module that is imported when asked for.

Such a module has `arguments(parser)`, `run(options)`, which returns the exit code, and where it reads
options in a way of its own `prepare(arguments)`.  Exit codes: 0 done, 1 a player was at fault, 2 usage,
3 the referee's own trouble, 130 interrupted.
"""

import argparse
import importlib
import os
import sys
import traceback
from difflib import get_close_matches
from importlib.util import find_spec
from typing import NoReturn

from referee import RefereeTrouble, UsageError
from referee.replies import printable

# command: what it does, an example of it
COMMANDS = {
    "play": ("play games between two players", "kalaha random greedy --games 20 --seed 7"),
    "tournament": ("play many pairs of games, with statistics", "kalaha random greedy --pairs 100"),
    "replay": ("judge recorded games again by the rules", "game.log records/*.txt"),
    "check": ("find what a course's referee could object to in an agent", "kalaha kalaha_agent"),
    "pack": ("make the zip that is handed in", "kalaha kalaha_agent team.zip"),
    "profile": ("see where the time of one turn goes", "kalaha kalaha_agent --nodes 20000"),
    "bench": ("count the nodes that agents search on fixed positions", "kalaha"),
    "perft": ("count the action sequences of a game", "kalaha 5 --divide"),
    "join": ("play in a course's own server", "--help"),
    "host": ("run a course's own protocol for others to join", "--help"),
}
MODULES = {"profile": "profiling"}  # where the module's name is not the command's: Python has a `profile`
LONGEST = 1000  # characters of what is said at the end
INTERRUPTED = 130
BROKEN_PIPE = 141  # what a shell reports for a program that died writing to `head`


class Parser(argparse.ArgumentParser):
    """argparse, saying what is wrong in one sentence of ours."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see: {self.prog} --help)")


def main(arguments: list[str]) -> int:
    """The exit code of one command line."""
    if sys.stdout is None:  # closed by whoever started this
        sys.stdout = open(os.devnull, "w")
    sys.stdout.reconfigure(errors="backslashreplace")  # a name may have letters that the terminal has not
    try:
        code = _command(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        return _complain(str(error), 2)
    except RefereeTrouble as error:
        return _complain(str(error), 3)
    except KeyboardInterrupt:
        return _complain("interrupted; no player is left running", INTERRUPTED)
    except BrokenPipeError:
        # Nobody reads any more. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return BROKEN_PIPE
    except OSError as error:
        return _complain(f"the system refuses: {error}", 3)
    except Exception:
        traceback.print_exc()
        return _complain("this is a defect of the referee, not of a player", 3)


def _command(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0
    name = arguments[0]
    if name not in _available():
        near = get_close_matches(name, _available(), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"there is no command {name!r}{hint} (commands: {', '.join(_available())})")
    module = importlib.import_module(f"referee.{MODULES.get(name, name)}")
    parser = Parser(
        prog=f"python -m referee {name}",
        description=module.__doc__.split("\n\n")[0],
        epilog=f"example: python -m referee {name} {COMMANDS[name][1]}",
        allow_abbrev=False,
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=27),
    )
    module.arguments(parser)
    prepare = getattr(module, "prepare", list)
    return module.run(parser.parse_args(prepare(arguments[1:])))


def _available() -> list[str]:
    return [name for name in COMMANDS if find_spec(f"referee.{MODULES.get(name, name)}")]


def _overview() -> str:
    commands = [f"  {name:<11}{COMMANDS[name][0]}" for name in _available()]
    return "\n".join(
        [
            "python -m referee COMMAND ...",
            *commands,
            "`python -m referee COMMAND --help` says more; a first match:",
            "  python -m referee play kalaha random greedy",
        ]
    )


def _complain(sentence: str, code: int) -> int:
    on_one_line = printable(sentence).replace("\n", " ")
    if len(on_one_line) > LONGEST:  # somebody's words are in it
        on_one_line = f"{on_one_line[: LONGEST // 2]} ... {on_one_line[-LONGEST // 2 :]}"
    print(f"referee: {on_one_line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
