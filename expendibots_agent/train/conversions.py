"""Small endgames that are won, or in which one side is ahead, against a stubborn defender.

    python -m expendibots_agent.train.conversions --positions 500 --nodes 1000 --seed 1

The player leads, the defender is the same search, which here would rather have a draw than anything
else that he can get.  Prints how the games end, and each position that was not won.
"""

import argparse
import random
from collections import Counter
from typing import Optional, Tuple

from referee import rules
from referee.commands.options import positive
from referee.match.pairs import pairs
from referee.view.progress import track

from .. import notation
from ..player import Player
from ..position import Position, put_together
from ..sides import Side, side
from .matches import GAME
from .worth import Without, technique

LEAST_LEFT, MOST_LEFT = 5, 8  # tokens on the board


def placed(m: int, e: int, dice: random.Random) -> Tuple[Side, Side]:
    """Two sides of so many tokens, stacked as it happens, none of them beside an enemy."""
    while True:
        squares = [dice.randrange(64) for _ in range(m + e)]
        mine, theirs = (side(sum(1 << 4 * square for square in part)) for part in (squares[:m], squares[m:]))
        if not mine[2] & theirs[1]:
            return mine, theirs


def against_one(dice: random.Random) -> Tuple[Position, int]:
    """A position with two or three tokens against one, and who has them: won, but for some in a thousand."""
    return led(*dice.choice(((2, 1), (3, 1))), dice)


def two_ahead(dice: random.Random) -> Tuple[Position, int]:
    """A position with five tokens or more, and who has two more of them, or more."""
    return ahead(2, MOST_LEFT, dice)


def one_ahead(dice: random.Random) -> Tuple[Position, int]:
    """The same with one token more, no more."""
    return ahead(1, 1, dice)


def ahead(least: int, most: int, dice: random.Random) -> Tuple[Position, int]:
    """A position with five tokens or more, and who leads by so many."""
    while True:
        e = dice.randint(1, (MOST_LEFT - least) // 2)
        m = dice.randint(e + least, min(e + most, MOST_LEFT - e))
        if m + e >= LEAST_LEFT:
            return led(m, e, dice)


def led(m: int, e: int, dice: random.Random) -> Tuple[Position, int]:
    """A position with so many tokens on each side, and who has the first of the two numbers."""
    mine, theirs = placed(m, e, dice)
    leader, mover = dice.randrange(2), dice.randrange(2)
    return put_together(mover, *((mine, theirs) if mover == leader else (theirs, mine)), plies=0), leader


def play_out(
    position: Position, leader: int, nodes: int, defenders_nodes: int, without: Optional[str] = None
) -> Tuple[str, int, int]:
    """How it ends for the leader: won, lost, nothing left or why it is drawn; the plies; his lead then."""

    def lead(colour, seed):
        if without:
            return Without(colour, without, nodes=nodes, seed=seed)
        return Player(colour, nodes=nodes, seed=seed)

    def defend(colour, seed):
        return Without(colour, "contempt", nodes=defenders_nodes, seed=seed)

    state = rules.parse(GAME, notation.to_text(position))
    (game,) = pairs(GAME, (lead, defend), lambda pair: state, [1], seats=[leader])
    end = notation.from_text(game.end.text())
    own, other = (end[1 + (player ^ end[0])][4] for player in (leader, 1 - leader))
    ended = "nothing left" if own == other == 0 else {1.0: "won", 0.0: "lost"}.get(game.points, game.reason)
    return ended, position[3] + len(game.plies), own - other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=positive, default=500, help="of each of the three kinds")
    parser.add_argument("--nodes", type=positive, default=1000, help="an action, for either")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", type=technique, help="what the player lacks, as in worth.py")
    options = parser.parse_args()
    for kind in (against_one, two_ahead, one_ahead):
        ends, longest = Counter(), 0
        for number in track(range(options.positions), "positions"):
            position, leader = kind(random.Random("%d %d" % (options.seed, number)))
            end, plies, lead = play_out(position, leader, options.nodes, options.nodes, options.without)
            ends[end] += 1
            longest = max(longest, plies)
            if end != "won":
                line = notation.to_text(position)
                print("   ", end, plies, "by", lead, notation.COLOURS[leader], "leads in", line, flush=True)
        found = ", ".join("%d %s" % (many, end) for end, many in ends.most_common())
        print("%s: %s; longest %d plies" % (kind.__name__.replace("_", " "), found, longest), flush=True)


if __name__ == "__main__":
    main()
