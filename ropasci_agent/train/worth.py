"""What the table of endgames is worth over whole games: paired games with it against without it.

    python -m ropasci_agent.train.worth --pairs 200 --nodes 4

Both players draw their lots from the same seed, so a game in which no search asks the table is the same
game, move for move, whoever has it: such a pair comes to one point of two.  So each opening is played once
by two players who have it, and the pair only where one of them asked.  Both do without forecasts, which
take half of the time.
"""

import argparse
import random
from typing import List, Tuple

from referee.commands import train_matches
from referee.commands.options import positive
from referee.match.pairs import pairs
from referee.match.statistics import counted, words

from .. import endgames, notation
from ..position import Position
from .matches import GAME, NAMES, opening, told

WITH, WITHOUT = "player,forecasts=False,nodes={}", "player,forecasts=False,nodes={},endgames.CHANCES=None"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=positive, default=200)
    parser.add_argument("--first", type=positive, default=1, help="the number of the first pair")
    parser.add_argument("--nodes", type=positive, default=4, help="an action")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    having, lacking = (
        train_matches.maker(parser, text.format(options.nodes), NAMES, __package__, notation.COLOURS[0])
        for text in (WITH, WITHOUT)
    )
    asked = _counting()
    shares: List[float] = []
    pairs_asked = 0

    def drawn(pair: int) -> Tuple:
        return told(opening(1, random.Random("{} {}".format(options.seed, pair - 1))))

    for pair in range(options.first, options.first + options.pairs):
        before = len(asked)
        (alike,) = pairs(GAME, (having, having), drawn, [pair], options.seed, (0,))
        times, share = len(asked) - before, 0.5
        pairs_asked += times > 0
        if times:
            share = (
                sum(game.points for game in pairs(GAME, (having, lacking), drawn, [pair], options.seed)) / 2
            )
        shares.append(share)
        print(
            "{}: {} plies, {}; asked {} times: {:g} of 2".format(
                pair, len(alike.plies), alike.reason, times, 2 * share
            ),
            flush=True,
        )
    print("asked in {} pairs: {}".format(pairs_asked, words(counted(shares, 5))))


def _counting() -> List[Position]:
    """The positions that a search found in the table, as they come."""
    found: List[Position] = []
    plain = endgames.value

    def value(position: Position):
        worth = plain(position)
        if worth is not None:
            found.append(position)
        return worth

    endgames.value = value
    return found


if __name__ == "__main__":
    main()
