"""Count the action sequences of a game to some depth, to compare rules with other programs'."""

import argparse
from itertools import product
from math import prod

from referee import UsageError, rules


def perft(state: rules.State, depth: int) -> int:
    """How many sequences of `depth` choices start here; where both players act at once, a choice is a pair.

    A sequence that ends the game early is not counted.
    """
    if depth == 0:
        return 1
    players = state.to_act()
    if not players:
        return 0
    if depth == 1:
        return prod(len(state.actions(player)) for player in players)
    return sum(perft(state.after(chosen), depth - 1) for chosen in choices(state))


def choices(state: rules.State) -> list[dict[int, rules.Action]]:
    """What can be chosen next: one action for each player to act."""
    players = state.to_act()
    if not players:
        return []
    legal = [state.actions(player) for player in players]
    return [dict(zip(players, actions, strict=True)) for actions in product(*legal)]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument("depth", metavar="DEPTH", help="the length of the sequences, in actions (0 or more)")
    parser.add_argument("--position", metavar="TEXT", help="count from here; the game's text form")
    parser.add_argument("--divide", action="store_true", help="first show the count after each first action")


def run(options: argparse.Namespace) -> int:
    start = rules.start(options.game)
    state = start if options.position is None else rules.parse(options.game, options.position)
    depth = _depth(options.depth)
    if not (options.divide and depth):
        print(perft(state, depth))
        return 0
    total = 0
    for chosen in choices(state):
        count = perft(state.after(chosen), depth - 1)
        print(*(repr(action) for action in chosen.values()), count)
        total += count
    print(total)
    return 0


def _depth(text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 9:
        return int(text)
    raise UsageError(f"DEPTH is a whole number of actions, 0 or more, not {text!r}")
