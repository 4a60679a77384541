"""The options for limits and isolation, and the limits of each of two players that follow from them."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from math import inf, isfinite
from pathlib import Path
from typing import TypeVar

from referee.isolation import levels
from referee.isolation.allowance import BY_CPU, Allowance
from referee.rules import EXACT, Limits

Each = tuple[float, ...]  # one value for both players, or one for each
T = TypeVar("T")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options.  Each takes one value, or two in the players' order."""
    limits = parser.add_argument_group(
        "limits (one value for all programs, or two in the players' order: 1,60; 0: none), isolation"
    )
    limits.add_argument(
        "-t",
        "--time",
        type=seconds_each,
        nargs="?",
        const=(60.0,),
        metavar="S",
        help="seconds of CPU a game (bare: 60)",
    )
    limits.add_argument(
        "-s",
        "--space",
        type=megabytes_each,
        nargs="?",
        const=(100.0,),
        metavar="MB",
        help="megabytes (bare: 100)",
    )
    limits.add_argument("--action-time", type=seconds_each, metavar="S", help="seconds an action")
    limits.add_argument("--first-time", type=seconds_each, metavar="S", help="seconds for the first action")
    limits.add_argument(
        "--game-wall",
        type=seconds_each,
        metavar="S",
        help="seconds of the wall a game (5 times those of CPU, or 300)",
    )
    limits.add_argument(
        "--nodes", type=nodes_each, metavar="N", help="told to players: nodes to search an action"
    )
    limits.add_argument(
        "--strict",
        action="store_true",
        help="plain tuples, ints and strings alone, whatever the course takes",
    )
    limits.add_argument("--wall", action="store_true", help="charge wall time instead of CPU time")
    isolation_arguments(limits)


def isolation_arguments(group: argparse._ActionsContainer) -> None:
    """Add the options that choose how far players are isolated."""
    group.add_argument(
        "--isolation", choices=levels.LEVELS, metavar="L", help="full, process or portable (the best)"
    )
    group.add_argument(
        "--require-isolation", choices=levels.LEVELS, metavar="L", help="play with no less, or not"
    )
    group.add_argument(
        "--readable",
        action="append",
        type=readable,
        default=[],
        metavar="PATH",
        help="players may read this too (repeatable)",
    )
    group.add_argument("--cold", action="store_true", help="start each player in a new interpreter")


def isolation(options: argparse.Namespace) -> str:
    """The level that the options ask for; RefereeTrouble where it is not to be had, or less than required."""
    return levels.chosen(options.isolation, options.require_isolation)


def allowances(options: argparse.Namespace, limits: Limits) -> tuple[Allowance, Allowance]:
    """What each player may use: the game's limits, and over them what the command line set."""
    return _allowance(options, limits, 0), _allowance(options, limits, 1)


def of_a_person(options: argparse.Namespace, player: int) -> Allowance:
    """What a human may use: wall time, and no limit but those with a value for each of the players."""
    given = {name: getattr(options, name) for name in ("time", "action_time", "first_time")}
    own = {name: values if values and len(values) > 1 else None for name, values in given.items()}
    allowance = _allowance(argparse.Namespace(**{**vars(options), **own}), Limits(), player)
    return replace(allowance, megabytes=None, wall=True, told=())


def _allowance(options: argparse.Namespace, limits: Limits, player: int) -> Allowance:
    def over(given: Each | None, default: float | None) -> float | None:
        if given is None:
            return default
        return own(given) or None

    def own(given: Each) -> float:
        return given[player if len(given) > 1 else 0]

    # An allowance without `first` gives the first action what every action has; none at all is more.
    first_lifted = options.first_time is not None and not own(options.first_time)
    usual = options.time if limits.game is not None else options.action_time
    told = {"seconds": usual, "first_seconds": options.first_time, "nodes": options.nodes}
    return Allowance(
        game=over(options.time, limits.game),
        action=over(options.action_time, limits.action),
        first=inf if first_lifted else over(options.first_time, limits.first),
        megabytes=over(options.space, limits.megabytes),
        game_wall=over(vars(options).get("game_wall"), BY_CPU),
        wall=options.wall,
        # A limit that was lifted is not told: there is no number to tell.
        told=tuple((name, own(given)) for name, given in told.items() if given and own(given)),
        judging=EXACT if vars(options).get("strict") else None,
        isolation=isolation(options),
        readable=tuple(options.readable),
        cold=vars(options).get("cold", False),
    )


def readable(text: str) -> str:
    """A path from the command line."""
    if not Path(text).exists():
        raise argparse.ArgumentTypeError(f"there is no file or folder {text[:100]!r}")
    return str(Path(text).resolve())


def seconds_each(text: str) -> Each:
    """One or two numbers of seconds, from the command line."""
    return _each(text, _amount, "seconds")


def megabytes_each(text: str) -> Each:
    """One or two numbers of megabytes, from the command line."""
    return _each(text, _amount, "megabytes")


def nodes_each(text: str) -> tuple[int, ...]:
    """One or two whole numbers of nodes, from the command line."""
    return _each(text, _count, "whole numbers of nodes")


def _each(text: str, read: Callable[[str], T], unit: str) -> tuple[T, ...]:
    try:
        values = [read(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) not in (1, 2):
        raise argparse.ArgumentTypeError(
            f"{text[:60]!r} should be {unit}, 0 or more: one value, or two separated by a comma"
        )
    return tuple(values)


def _amount(text: str) -> float:
    value = float(text)
    if not (isfinite(value) and value >= 0):
        raise ValueError
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise ValueError
    return int(text)
