"""The types of options of all commands: each reads one word, or refuses it in a sentence."""

import argparse
import os
from math import isfinite
from pathlib import Path

MOST_SECONDS = 1e6
LONGEST_PAUSE = 1e9  # seconds; with ten times as many no system sleeps


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


def delay(text: str) -> float:
    """Seconds to pause, from the command line; any negative number waits for Enter."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not (isfinite(value) and value < LONGEST_PAUSE):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a number of seconds")
    return value


def seconds(text: str) -> float:
    """A number of seconds from the command line."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 < value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a number of seconds above 0")
    return value
