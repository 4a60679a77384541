"""Small endings that are won, or in which one side is ahead, against a stubborn defender.

    python -m expendibots_agent.train.conversions --positions 500 --nodes 1000 --seed 1

The player leads, the defender is the same search, which here would rather have a draw than anything
else that he can get.  Prints how the games end, and each position that was not won.
"""

import argparse
import functools
import random
from collections import Counter

from referee.commands.options import positive
from referee.view.progress import track

from .. import notation
from ..endings import KNOWN, ending
from ..player import Player
from ..position import over, play, put_together
from ..sides import side
from .matches import stacks
from .without import Player as Without
from .without import technique

MOST_LEFT = 8  # tokens on the board, at most


def placed(m, e, dice):
    """Two sides of so many tokens, stacked as it happens, none of them beside an enemy."""
    while True:
        squares = [dice.randrange(64) for _ in range(m + e)]
        mine, theirs = (side(sum(1 << 4 * square for square in part)) for part in (squares[:m], squares[m:]))
        if not mine[2] & theirs[1]:
            return mine, theirs


def won_by_tables(dice):
    """A position that the tables know to be won, and who wins it."""
    while True:
        mine, theirs = placed(*dice.choice(((2, 1), (3, 1), (2, 2))), dice)
        leader, follows = dice.randrange(2), dice.randrange(2)
        mover = leader ^ follows
        position = put_together(mover, *((theirs, mine) if follows else (mine, theirs)), plies=0)
        if (ending(position) or 0) * (-1 if follows else 1) > 0:
            return position, leader


def two_ahead(dice):
    """A position with some more tokens than the tables know, and who has two more of them, or more."""
    return ahead(2, MOST_LEFT, dice)


def one_ahead(dice):
    """The same with one token more, no more."""
    return ahead(1, 1, dice)


def ahead(least, most, dice):
    """A position with some more tokens than the tables know, and who leads by so many."""
    while True:
        e = dice.randint(1, (MOST_LEFT - least) // 2)
        m = dice.randint(e + least, min(e + most, MOST_LEFT - e))
        if m + e > KNOWN:
            break
    mine, theirs = placed(m, e, dice)
    leader, mover = dice.randrange(2), dice.randrange(2)
    return put_together(mover, *((mine, theirs) if mover == leader else (theirs, mine)), plies=0), leader


def play_out(position, leader, nodes, defenders_nodes, without=None):
    """How it ends for the leader: won, lost, repetition, limit or nothing left; the plies; his lead then."""
    players = [Without(notation.COLOURS[1 - leader], "contempt", nodes=defenders_nodes)]
    made = functools.partial(Without, what=without) if without else Player
    players.insert(leader, made(notation.COLOURS[leader], nodes=nodes))
    for player in players:
        player.set_up(notation.to_text(position))
    met = Counter([stacks(position)])
    while not over(position) and met[stacks(position)] < 4:
        mover = position[0]
        action = players[mover].action()
        for player in players:
            player.update(notation.COLOURS[mover], action)
        position = play(position, notation.to_move(action))
        met[stacks(position)] += 1
    own, other = (position[1 + (player ^ position[0])][4] for player in (leader, 1 - leader))
    if own and other:
        end = "limit" if over(position) else "repetition"
    else:
        end = "won" if own else "lost" if other else "nothing left"
    return end, position[3], own - other


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=positive, default=500, help="of each of the three kinds")
    parser.add_argument("--nodes", type=positive, default=1000, help="an action, for either")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", type=technique, help="what the player lacks, as in without.py")
    options = parser.parse_args()
    for kind in (won_by_tables, two_ahead, one_ahead):
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
