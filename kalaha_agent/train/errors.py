"""How far the player's scores are from those of a longer search that leaves nothing out, and where.

    python -m kalaha_agent.train.errors --few 16 --many 30            a side that may run dry; 5 minutes
    python -m kalaha_agent.train.errors --times 10 --worst 20         any positions; the largest errors first
    python -m kalaha_agent.train.errors starving --few 16 --many 30   with a PART of the search otherwise

Positions come from games of the player against itself, a tenth of the moves at random, at most PER_GAME
a game.  The longer search (labels.c, needs a C compiler) has so many times the nodes, and no margins.
Printed is how many scores are wrong by 4 and by 8 pebbles or more; with --worst, also the positions of
the largest errors, as `referee play kalaha --position` reads them.
"""

import argparse
import random
from typing import List, Tuple

import numpy

from referee.commands.options import positive

from ..notation import to_action, to_text
from ..position import LEAD, STANDARD, UNIT
from ..shared.clock import Clock
from .labels import of_positions
from .worth import VARIATIONS, build, opening

PLAYING = 300  # nodes a move
AT_RANDOM = 0.1  # of the moves
PER_GAME = 4
BOUNDS = 4, 8  # pebbles


def collected(count: int, seed: int, few: int, many: int) -> List[tuple]:
    """Positions with a choice, one side of which has at most `few` pebbles, the other at least `many`."""
    found, number = [], 0
    while len(found) < count:
        number += 1
        chance, position = random.Random("%d %d" % (seed, number)), opening(seed, number)[0]
        search, taken = build(written_out=True), 0
        while STANDARD.moves(position) and taken < PER_GAME and len(found) < count:
            moves = STANDARD.moves(position)
            if wanted(position, few, many) and chance.random() < 0.5:
                found.append(position)
                taken += 1
            at_random = chance.random() < AT_RANDOM
            best = search.best(position, Clock(nodes=PLAYING))
            position = STANDARD.play(position, chance.choice(moves) if at_random else best)
    return found


def wanted(position: tuple, few: int, many: int) -> bool:
    """Whether a position is to be looked at: one that the tables of endgames do not know."""
    less, more = sorted(sum(STANDARD.counts(side)) for side in position[2:])
    return less <= few and more >= many and less + more > 12 and len(STANDARD.moves(position)) > 1


def looked_at(positions: List[tuple], nodes: int, name: str) -> List[Tuple[float, int]]:
    """Score above bank difference and move, by the player's search or one with a part otherwise."""
    found = []
    for position in positions:
        search = build(**VARIATIONS[name] if name != "whole" else {"written_out": True})
        search.best(position, Clock(nodes=nodes))
        found.append((search.score - position[LEAD], search.move))
    return found


def main() -> None:
    """Collect, look, compare and print."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.errors",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = ", ".join(VARIATIONS)
    parser.add_argument("names", nargs="*", choices=[*VARIATIONS, []], metavar="PART", help=parts)
    parser.add_argument("--positions", type=positive, default=2000)
    parser.add_argument("--nodes", type=positive, default=10_000, help="of the player's searches")
    parser.add_argument("--times", type=positive, default=50, help="so many times the nodes, without margins")
    parser.add_argument("--few", type=positive, default=72, help="pebbles that one side has at most")
    parser.add_argument("--many", type=positive, default=1, help="pebbles that the other has at least")
    parser.add_argument("--worst", type=positive, help="so many positions are printed")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    positions = collected(options.positions, options.seed, options.few, options.many)
    ponds = [STANDARD.counts(mine) + STANDARD.counts(theirs) for _, _, mine, theirs in positions]
    right = of_positions(ponds, options.times * options.nodes)
    for name in options.names or ["whole"]:
        found = looked_at(positions, options.nodes, name)
        errors = abs(numpy.array([score for score, _ in found]) - right) / UNIT
        wrong = ["%d of %d pebbles or more" % ((errors >= bound).sum(), bound) for bound in BOUNDS]
        what = len(positions), options.nodes, errors.mean(), ", ".join(wrong)
        print(
            "%-13s %d positions, %d nodes: errors of %.2f pebbles on average, %s" % (name, *what), flush=True
        )
        for place in numpy.argsort(-errors, kind="stable")[: options.worst or 0]:
            score, move = found[place]
            told = to_text(STANDARD, positions[place]), to_action(move), score / UNIT, right[place] / UNIT
            print("%s   %d: %+.1f, is %+.1f" % told)


if __name__ == "__main__":
    main()
