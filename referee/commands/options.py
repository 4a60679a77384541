"""The types of options of all commands, each a word or a sentence of refusal; which word is whose value."""

import argparse
import os
import re
from collections.abc import Sequence
from math import isfinite, nan
from pathlib import Path

from referee import UsageError

MOST_SECONDS = 1e6
LONGEST_PAUSE = 1e9  # seconds; with ten times as many no system sleeps


NUMBER = re.compile(r"[-+]?(\d|\.\d|nan|inf)", re.I)


def attached(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """The words with every option's value attached to the option.

    So a value may begin with a minus, and an option whose value may be left out may stand before a game or
    a player: what follows is its value if that is a number or, for a file's or a player's name, if there are
    more words than places for them.
    """
    options = {name: action for action in parser._actions for name in action.option_strings}
    places = [action for action in parser._actions if not action.option_strings]
    ready: list[str] = []
    bare: list[tuple[argparse.Action, int, bool]] = []  # where in `ready` the next word stands; may it be its
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word[:1] == "-" != word[1:2] and word not in options and word[:2] in options:  # -t5
            action = options[word[:2]]
            if action.nargs in (None, "?"):
                ready.append(f"{_long(action)}={word[2:]}")
                continue
        asked = options.get(word)
        follows = bool(waiting) and waiting[0].partition("=")[0] not in options
        if asked and asked.nargs is None and follows:
            ready.append(f"{_long(asked)}={waiting.pop(0)}")
        elif asked and asked.nargs == "?" and follows and NUMBER.match(waiting[0]):
            ready.append(f"{_long(asked)}={waiting.pop(0)}")
        elif asked and asked.nargs == "?":
            bare.append((asked, len(ready), follows))
        else:
            ready.append(word)
    spare = sum(not word.startswith("-") for word in ready) - len(places)
    if any(place.nargs for place in places):  # which may take any number
        spare = 0
    last: list[str] = []  # where argparse finds nothing to take for their values
    for action, place, follows in reversed(bare):
        if not follows or spare <= 0:
            last.insert(0, _long(action))
        elif action.type in (Path, str):
            ready[place] = f"{_long(action)}={ready[place]}"
            spare -= 1
        else:
            raise UsageError(f"{_long(action)} takes a number, not {ready[place]!r}")
    return ready + last


def _long(action: argparse.Action) -> str:
    return max(action.option_strings, key=len)


def positive(text: str) -> int:
    """A number of games from the command line."""
    if natural(text) == 0:
        raise argparse.ArgumentTypeError("should be 1 or more")
    return natural(text)


def natural(text: str) -> int:
    """A count from the command line."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a whole number, 0 or more")
    return int(text)


def new_file(text: str) -> Path:
    """A file that can be written there, from the command line of an agent's training."""
    path = Path(text)
    if path.is_dir() or not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise argparse.ArgumentTypeError(f"no file can be written to {text!r}")
    return path


def port(text: str) -> int:
    """A port's number from the command line."""
    if text.isascii() and text.isdecimal() and len(text) <= 5 and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a port, 1 to 65535")


def drawing(group: argparse._ActionsContainer) -> None:
    """Add the options for how a board is drawn in a terminal: in colours or without, Unicode or ASCII."""
    for on, off, what, words in (
        ("-c --colour", "-C --no-colour", "colour", "colours; -C: none"),
        ("-u --unicode", "-a --ascii", "unicode", "Unicode; -a: ASCII"),
    ):
        either = group.add_mutually_exclusive_group()
        either.add_argument(*on.split(), action="store_true", default=None, help=words)
        either.add_argument(
            *off.split(), action="store_false", default=None, dest=what, help=argparse.SUPPRESS
        )


def number(text: str) -> float:
    """The number that was typed; not a number where it is none."""
    try:
        return float(text)
    except ValueError:
        return nan


def delay(text: str) -> float:
    """Seconds to pause, from the command line; any negative number waits for Enter."""
    value = number(text)
    if not (isfinite(value) and value < LONGEST_PAUSE):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a number of seconds")
    return value


def seconds(text: str) -> float:
    """A number of seconds from the command line."""
    value = number(text)
    if not 0 < value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a number of seconds above 0")
    return value
