"""The command line: which commands there are, and the help of each; each command is a file of this folder.

Argparse's namespace ends in this folder: what a command needs from below takes plain arguments.
"""

import argparse
import importlib
import shutil
import textwrap
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from importlib.util import find_spec
from types import ModuleType
from typing import NoReturn

from referee import UsageError, rules
from referee.commands.options import attached

# command: what it does, an example of it
COMMANDS = {
    "lab": ("see and do everything on one page", "my_folder"),
    "play": ("play games between two players", "kalaha random greedy --games 20 --seed 7"),
    "new": ("write a first player, to make better", "kalaha my_team --with search"),
    "tournament": ("play many pairs of games, with statistics", "kalaha random greedy --pairs 100"),
    "standings": ("say how a tournament stands, from its journal", "games.jsonl --report day.html"),
    "replay": ("judge recorded games again by the rules; show them on a page", "game.log --html game.html"),
    "check": ("find what a course's referee could object to in an agent", "kalaha kalaha_agent"),
    "pack": ("make the zip that is handed in", "kalaha kalaha_agent team.zip"),
    "profile": ("see where the time of one turn goes", "kalaha kalaha_agent --nodes 20000"),
    "analyse": ("say what players would do at one place of a game", "kalaha kalaha_agent greedy"),
    "bench": ("count the nodes that agents search on fixed positions", "kalaha"),
    "perft": ("count the action sequences of a game", "kalaha 5 --divide"),
    "join": ("play in a course's own server", "fanorona localhost:9999"),
    "host": ("run a course's own protocol for others to join", "fanorona 9999"),
    "completion": ("complete words with the Tab key", "bash"),
}
TOGETHER: dict[tuple[str, ...], str] = {  # on one line of the overview
    ("lab", "play", "replay"): "one page for everything; play games; look at them",
    ("tournament", "standings"): "many pairs of games, with statistics; how they stand",
    ("check", "pack"): "what a course could object to; the zip to hand in",
    ("profile", "analyse"): "where a turn's time goes; what players would do there",
    ("bench", "perft"): "how fast agents search; how many sequences a game has",
    ("join", "host"): "play in a course's own server, or be one for others",
}
SCREEN = 23  # lines of help, and one for the prompt


def available() -> list[str]:
    """The commands whose modules are there."""
    return [name for name in COMMANDS if find_spec(f"{__name__}.{name}")]


def module(name: str) -> ModuleType:
    """What runs a command."""
    return importlib.import_module(f"{__name__}.{name}")


def overview() -> str:
    """What can be done, in ten lines."""
    names = available()
    lines = ["referee COMMAND ...      (referee COMMAND --help says more; referee --version)"]
    while names:
        line: tuple[str, ...] = (names[0],)
        line = next((two for two in TOGETHER if two[0] == names[0] and two[1] in names), line)
        names = [name for name in names if name not in line]
        lines.append(f"  {', '.join(line):<22}{TOGETHER.get(line) or COMMANDS[line[0]][0]}")
    lines.append("a first match: referee play kalaha random greedy")
    return "\n".join(lines)


def parser(name: str) -> "Parser":
    """The parser of a command."""
    runs = module(name)
    made = Parser(
        prog=f"referee {name}",
        # Under PYTHONOPTIMIZE=2 there are no docstrings.
        description=" ".join((runs.__doc__ or COMMANDS[name][0]).split("\n\n")[0].split()),
        epilog=f"example: referee {name} {COMMANDS[name][1]}",
        allow_abbrev=False,
        add_help=False,
    )
    made.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    made.add_argument("--help-all", action=HelpAll, nargs=0, help=argparse.SUPPRESS)
    runs.arguments(made)
    return made


class HelpAll(argparse.Action):
    """--help-all: print all the help there is."""

    def __call__(self, parser: argparse.ArgumentParser, *parsed: object) -> NoReturn:
        assert isinstance(parser, Parser)
        print(parser.written(folded=()))
        parser.exit()


class Parser(argparse.ArgumentParser):
    """argparse, saying what is wrong in one sentence of ours, and its help on one screen.

    Where that is too long, groups of options are folded, each to a line with the options' names: the
    last but one first, and the last and the first, which are the command's own, at the very end.
    """

    _typed: Sequence[str] = ()  # the words that are read

    def error(self, message: str) -> NoReturn:
        if message.startswith("the following arguments are required"):
            self._refuse_game()
        raise UsageError(f"{message}{self._hint(message)} (see: {self.prog} --help)")

    def _refuse_game(self) -> None:
        """UsageError where a word is missing since the first, the game's name, has been left out."""
        places = [action.dest for action in self._actions if not action.option_strings]
        first = next((word for word in self._typed if not word.startswith("-")), "")
        if places[:1] == ["game"] and first:
            rules.start(first)

    def _hint(self, message: str) -> str:
        """An option that may have been meant by one that there is not."""
        start = "unrecognized arguments: "
        word = (
            message.removeprefix(start).split(" ")[0].partition("=")[0] if message.startswith(start) else ""
        )
        known = [option for option in self._option_string_actions if option.startswith("--")]
        near = get_close_matches(word, known, n=1) if word.startswith("--") else []
        return f"; did you mean {near[0]}?" if near else ""

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """What the words say; values may begin with a minus, and bare options may stand anywhere."""
        ready = self._typed = attached(self, words)
        options = self.parse_args(ready)
        options.words = ready  # as they were typed, for who wants to say them again
        return options

    def format_help(self) -> str:
        order = [*self._own_groups()[-2:0:-1], *self._own_groups()[:1]]
        for count in range(len(order) + 1):
            text = self.written(order[:count])
            if text.count("\n") < SCREEN:
                break
        return text + "\n"

    def written(self, folded: Collection[argparse._ArgumentGroup]) -> str:
        """The help with some groups folded."""
        width = max(40, min(80, shutil.get_terminal_size().columns))
        lines = [self.format_usage().rstrip(), *textwrap.wrap(self.description or "", width)]
        for group in self._action_groups:
            shown = [action for action in group._group_actions if action.help != argparse.SUPPRESS]
            if group in folded:
                names = ", ".join(max(action.option_strings, key=len) for action in shown)
                text = f"{group.title}; more by --help-all: {names}"
                lines += textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)
            elif shown:
                lines += [f"{group.title}:"] if group in self._own_groups() else []
                formatter = argparse.HelpFormatter("", max_help_position=27, width=width)
                formatter.start_section(None)
                formatter.add_arguments(shown)
                formatter.end_section()
                lines += [line for line in formatter.format_help().split("\n") if line.strip()]
        return "\n".join([*lines, self.epilog or ""])

    def _own_groups(self):
        return self._action_groups[2:]  # behind those of positional arguments and of options without a group
