"""Plays on from positions that the tables call won, against defenders of three kinds: is each one won?

    python -m fanorona_agent.train.conversions --positions 500 --defender yardstick
    python -m fanorona_agent.train.conversions --positions 500 --defender self --variant 1100

`random` plays any hop, `yardstick` the published approach, `self` this agent, which knows the tables
and every way to a repetition.  Half of the positions are won only in eight hops or more.
"""

import argparse
import random
import time
from collections import Counter
from typing import Tuple

from referee import rules
from referee.commands.options import natural, positive
from referee.match.pairs import pairs
from referee.players.versions import Maker

from .. import player
from ..endgames import DRAWN, MATERIAL, WON, Endgames
from ..position import LAST_QUIET, POINTS
from .matches import VARIANTS


def sample(chance: random.Random, endgames: Endgames, least: int) -> Tuple[str, int]:
    """A position won for its mover in at least so many hops, as text, and in how many."""
    while True:
        mine, theirs = chance.choice(MATERIAL)
        places = chance.sample(range(45), mine + theirs)
        points = [POINTS[place] for place in places]
        my_men = sum(1 << point for point in points[:mine])
        their_men = sum(1 << point for point in points[mine:])
        value = endgames.value(my_men, their_men, mine, theirs)
        if value > DRAWN and least <= WON - value <= LAST_QUIET:
            board = ["."] * 45
            light = chance.choice((True, False))
            for number, place in enumerate(places):
                board[place] = "o" if (number < mine) == light else "x"
            return "".join(board) + (" 1" if light else " 2"), WON - value


DEFENDERS = {"random": "referee.players.baseline:Random", "yardstick": "..yardstick", "self": "..player"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=positive, default=500)
    parser.add_argument("--defender", choices=tuple(DEFENDERS), default="random")
    parser.add_argument("--variant", choices=VARIANTS, default="1130")
    parser.add_argument("--first", type=natural, default=0, help="the number of the first position")
    parser.add_argument("--nodes", type=positive, default=20000, help="of both sides, an action")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    endgames = player.ENDGAMES[options.variant != "1100"]
    game, results = "fanorona:" + options.variant, Counter()
    limits = dict(variant=options.variant, nodes=options.nodes)
    winner = Maker("self", DEFENDERS, __package__, **limits)
    defender = Maker(options.defender, DEFENDERS, __package__, **limits, game=game)
    for number in range(options.first, options.first + options.positions):
        chance = random.Random("%d %d" % (options.seed, number))
        line, hops = sample(chance, endgames, 8 if number % 2 else 1)
        state = rules.parse(game, line)
        (played,) = pairs(
            game, (winner, defender), lambda pair, state=state: state, [number], seats=[state.mover]
        )
        points = played.points
        results[points] += 1
        if points < 1:
            print("%s is won in %d hops, but it scored %s" % (line, hops, points), flush=True)
        if not (number + 1) % 50:
            print(number + 1, dict(results), "%.0f s" % time.process_time(), flush=True)
    print("%d won, %d drawn, %d lost; %.0f s" % (results[1], results[0.5], results[0], time.process_time()))


if __name__ == "__main__":
    main()
