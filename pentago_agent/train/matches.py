"""Pairs of games between two of this agent's players in this process: a score with its error bar.

    python -m pentago_agent.train.matches player sparring --pairs 30 --seconds 0.4 --seed 1

A player is one of NAMES, `module:Class` or a folder with this package (referee/players/versions.py), and may
be followed by its arguments, as in `player,nodes=20000`.  Each pair is one random opening, played from both
seats.
"""

import argparse
import random
from typing import List, Tuple

from referee.commands import train_matches
from referee.commands.options import natural

from .. import notation
from ..geometry import CELLS, Geometry
from ..position import START, moves, play, result
from .options import VARIANTS

NAMES = {
    "player": "..player:Player",
    "classic": "..player:PlayerClassic",
    "yardstick": "..yardstick:Player",
    "sparring": ".engine:Sparring",
    "uct": ".engine:Uct",
    "published": ".engine:Published",
    "copy": ".engine:Copy",
    "first_guess": ".worth:FirstGuess",
    "no_veto": ".worth:NoVeto",
    "narrow": ".worth:Narrow",
    "even": ".worth:Even",
    "window_counts": ".worth:WindowCounts",
}


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


def told(chosen: List[int], geometry: Geometry) -> Tuple:
    """Moves from the start, as the referee tells them."""
    return tuple({number % 2: notation.to_action(move, geometry)} for number, move in enumerate(chosen))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    train_matches.arguments(parser, NAMES)
    parser.add_argument("--plies", type=length, default=2, help="random plies at the start")
    parser.add_argument("--least", type=length, help="as few in some openings; by default as many in all")
    parser.add_argument("--variant", choices=VARIANTS, default="")
    seats = notation.COLOURS
    parser.add_argument("--seats", nargs="+", choices=seats, default=seats, help="of the first player")
    options = parser.parse_args()
    if len(set(options.seats)) < len(options.seats):
        parser.error("--seats names a seat twice")
    least = options.plies if options.least is None else options.least
    if least > options.plies:
        parser.error("--least is more than --plies")
    makers = train_matches.makers(parser, options, NAMES, __package__, seats[0], options.variant)
    geometry = Geometry(options.variant)

    def drawn(pair: int) -> Tuple:
        dice = random.Random(1000 * options.seed + pair - 1)
        plies = options.plies - (dice.randrange(options.plies - least + 1) if least < options.plies else 0)
        return told(opening(geometry, plies, dice), geometry)

    game = "pentago:" + options.variant if options.variant else "pentago"
    train_matches.play(parser, options, game, makers, drawn, [seats.index(seat) for seat in options.seats])


if __name__ == "__main__":
    main()
