"""Paired games between two of this agent's players, in one process: a score with its error bar.

    python -m pentago_agent.train.matches player sparring --pairs 30 --seconds 0.4 --seed 1

A player is one of NAMES or `module:Class`, and may be followed by its
arguments, as in `player,nodes=20000`.  Each pair is one random opening played from both seats.
"""

import argparse
import ast
import importlib
import random
import time

from referee.commands.options import natural, positive, seconds
from referee.tournament.statistics import counted, words

from .. import notation
from ..geometry import CELLS, Geometry
from ..position import START, moves, play, result, stones
from .options import VARIANTS

NAMES = {
    "player": "..player:Player",
    "classic": "..player:PlayerClassic",
    "sparring": ".sparring:Sparring",
    "yardstick": "..yardstick:Player",
    "first_guess": ".rivals:FirstGuess",
    "no_veto": ".rivals:NoVeto",
    "narrow": ".rivals:Narrow",
    "even": ".rivals:Even",
    "window_counts": ".rivals:WindowCounts",
}


def build(text: str):
    """What makes a player from the words of the command line: a function of colour and variant."""
    name, *words = text.split(",")
    module, _, kind = NAMES.get(name, name).partition(":")
    made = getattr(importlib.import_module(module, __package__), kind or "Player")
    arguments = {}
    for word in words:
        key, _, value = word.partition("=")
        try:
            arguments[key] = limit = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            arguments[key] = limit = value
        if key in ("nodes", "seconds") and not (isinstance(limit, (int, float)) and limit > 0):
            raise ValueError("%s should be above 0" % word)
    return lambda colour, **limits: made(colour, **dict(limits, **arguments))


def opening(geometry: Geometry, plies: int, dice: random.Random) -> list:
    """Random moves from the start, made anew if they end the game."""
    position, chosen = START, []
    while len(chosen) < plies or result(position) is not None:
        if result(position) is not None:
            position, chosen = START, []
        chosen.append(dice.choice(moves(position, geometry)))
        position = play(position, chosen[-1], geometry)
    return chosen


def length(text: str) -> int:
    """The plies of an opening from the command line."""
    if natural(text) >= CELLS:
        raise argparse.ArgumentTypeError("should be less than the %d plies of a game" % CELLS)
    return natural(text)


def game(makers, geometry: Geometry, start: list, limits: dict) -> tuple:
    """Player 0's score, the number of stones at the end and the longest action of each player."""
    players = [make(colour, **limits) for make, colour in zip(makers, notation.COLOURS)]
    position, slowest = START, [0.0, 0.0]
    todo = list(start)
    while result(position) is None:
        mover = position[0]
        if todo:
            action = notation.to_action(todo.pop(0), geometry)
        else:
            began = time.process_time()
            action = players[mover].action()
            slowest[mover] = max(slowest[mover], time.process_time() - began)
        move = notation.from_action(action, geometry)
        if move not in moves(position, geometry):
            raise ValueError("%s played the illegal %r" % (players[mover], action))
        for player in players:
            player.update(notation.COLOURS[mover], action)
        position = play(position, move, geometry)
    won = result(position) * (1 if position[0] == 0 else -1)
    return (won + 1) / 2, stones(position), slowest


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--pairs", type=positive, default=10)
    parser.add_argument("--plies", type=length, default=2)
    parser.add_argument("--seconds", type=seconds)
    parser.add_argument("--nodes", type=positive)
    parser.add_argument("--variant", choices=VARIANTS, default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", type=natural, default=0, help="leave out so many pairs")
    seats = ("white", "black")
    parser.add_argument("--seats", nargs="+", choices=seats, default=seats, help="of the first player")
    options = parser.parse_args()
    limits = {"variant": options.variant, "seconds": options.seconds, "nodes": options.nodes}
    if len(set(options.seats)) < len(options.seats):
        parser.error("--seats names a seat twice")
    try:
        makers = build(options.first), build(options.second)
        for make in makers:
            make("white", **limits)
    except (AttributeError, ImportError, TypeError, ValueError) as trouble:
        parser.error("no such player: %s" % trouble)
    geometry = Geometry(options.variant)
    seats, slowest = {"white": [], "black": []}, [0.0, 0.0]
    for number in range(options.skip, options.skip + options.pairs):
        start = opening(geometry, options.plies, random.Random(1000 * options.seed + number))
        told = []
        for seat in options.seats:
            turn = 1 if seat == "white" else -1
            score, ended, slow = game(makers[::turn], geometry, start, limits)
            seats[seat].append(score if seat == "white" else 1 - score)
            slowest = [max(pair) for pair in zip(slowest, slow[::turn])]
            told.append(
                "%s %.1f in %d, so far %.3f"
                % (seat, seats[seat][-1], ended, sum(seats[seat]) / len(seats[seat]))
            )
        print("pair %d: %s" % (number, "; ".join(told)), flush=True)
    pairs = [sum(pair) / len(pair) for pair in zip(*(seats[seat] for seat in options.seats))]
    mean = sum(pairs) / len(pairs)
    counts = counted(pairs, 5 if len(options.seats) == 2 else 3)
    each = ", ".join("%s %.3f" % (seat, sum(seats[seat]) / len(pairs)) for seat in options.seats)
    games = len(pairs) * len(options.seats)
    print(
        "%s - %s: %.1f of %d points, %s (%s); slowest action %.2f and %.2f s"
        % (options.first, options.second, mean * games, games, words(counts), each, *slowest)
    )


if __name__ == "__main__":
    main()
