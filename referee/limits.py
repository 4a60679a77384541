"""The options for limits and isolation, and what they make of a game's limits for each of two players."""

import argparse
from collections.abc import Callable
from math import inf, isfinite

from referee import isolation
from referee.process import BY_CPU, Allowance
from referee.rules import EXACT, Limits

Pair = tuple[float, float]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options.  Each takes one value, or two in the players' order."""
    limits = parser.add_argument_group(
        "limits (one value, or two in the players' order: 1,60; 0: none), isolation"
    )
    limits.add_argument("-t", "--time", type=seconds, nargs="?", const=(60.0,) * 2, metavar="S",
                        help="seconds of CPU a game (bare: 60)")  # fmt: skip
    limits.add_argument("-s", "--space", type=megabytes, nargs="?", const=(100.0,) * 2, metavar="MB",
                        help="megabytes (bare: 100)")  # fmt: skip
    limits.add_argument("--action-time", type=seconds, metavar="S", help="seconds an action")
    limits.add_argument("--first-time", type=seconds, metavar="S", help="seconds for the first action")
    limits.add_argument("--game-wall", type=seconds, metavar="S",
                        help="seconds of the wall a game (5 times those of CPU, or 300)")  # fmt: skip
    limits.add_argument("--nodes", type=nodes, metavar="N", help="told to players: nodes to search an action")
    limits.add_argument("--strict", action="store_true",
                        help="plain tuples, ints and strings alone, whatever the course takes")  # fmt: skip
    limits.add_argument("--wall", action="store_true", help="charge wall time instead of CPU time")
    isolation.arguments(limits)


def allowances(options: argparse.Namespace, limits: Limits) -> tuple[Allowance, Allowance]:
    """What each player may use: the game's limits, and over them what the command line set."""
    return tuple(_allowance(options, limits, player) for player in (0, 1))


def _allowance(options: argparse.Namespace, limits: Limits, player: int) -> Allowance:
    def over(given: Pair | None, default: float | None) -> float | None:
        if given is None:
            return default
        return given[player] or None

    # An allowance without `first` gives the first action what every action has; none at all is more.
    first_lifted = options.first_time is not None and not options.first_time[player]
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
        told=tuple((name, pair[player]) for name, pair in told.items() if pair and pair[player]),
        judging=EXACT if vars(options).get("strict") else None,
        isolation=isolation.chosen(options),
        readable=tuple(options.readable),
    )


def seconds(text: str) -> Pair:
    """One or two numbers of seconds, from the command line."""
    return _pair(text, _amount, "seconds")


def megabytes(text: str) -> Pair:
    """One or two numbers of megabytes, from the command line."""
    return _pair(text, _amount, "megabytes")


def nodes(text: str) -> tuple[int, int]:
    """One or two whole numbers of nodes, from the command line."""
    return _pair(text, _count, "whole numbers of nodes")


def _pair(text: str, read: Callable[[str], float], unit: str) -> Pair:
    try:
        values = [read(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) not in (1, 2):
        raise argparse.ArgumentTypeError(
            f"{text[:60]!r} should be {unit}, 0 or more: one value, or two separated by a comma"
        )
    return values[0], values[-1]


def _amount(text: str) -> float:
    value = float(text)
    if not (isfinite(value) and value >= 0):
        raise ValueError
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise ValueError
    return int(text)
