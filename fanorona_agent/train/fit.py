"""Fits the evaluation's numbers to what a search that looks deeper says of the same positions.

    python -m fanorona_agent.train.fit --games 300 --seed 1

Positions come from this agent's games against itself from random openings.  Each in which the mover
cannot capture is scored by a search, which the tables of endings take part in; least squares then find
the numbers with which the evaluation comes nearest.  Scores of results would be exact but far noisier:
a game has one result, and most are draws.
"""

import argparse
import random
import time
from typing import List, Tuple

import numpy as np

from referee import rules
from referee.view.progress import track

from .. import evaluate
from ..notation import with_history
from ..player import Player
from ..position import (
    AHEAD,
    BEHIND,
    BOARD,
    HERE,
    INNER,
    LINES,
    NEXT,
    STRONG,
    Position,
    captures,
    popcount,
)

# What the evaluation says of each term, and candidates that it leaves out.
NUMBERS = [
    ("MAN", evaluate.MAN),
    ("FEWER_MEN", evaluate.FEWER_MEN),
    ("FREE_LINE", evaluate.FREE_LINE),
    ("IN_THE_MIDDLE", evaluate.IN_THE_MIDDLE),
    ("TEMPO", evaluate.TEMPO),
    ("EXPOSED", -evaluate.EXPOSED),
    ("strong points", 0),
    ("men x quiet", 0),
    ("lines, few men", 0),
    ("middle, few men", 0),
]

FAR = 600  # scores beyond this say that the position is decided, not by how much


def terms_of(position: Position) -> List[int]:
    """The terms of a position in which the mover cannot capture."""
    _, mine, theirs, quiet, _, _ = position
    free = (BOARD ^ mine ^ theirs) * NEXT & LINES
    my_hops, their_hops = mine * HERE & free, theirs * HERE & free
    more, men = popcount(mine) - popcount(theirs), popcount(mine | theirs)
    lines = popcount(my_hops) - popcount(their_hops)
    middle = popcount(mine & INNER) - popcount(theirs & INNER)
    return [
        more,
        more * (44 - men),
        lines,
        middle,
        1,
        popcount(their_hops & (mine * AHEAD | mine * BEHIND)),
        popcount(mine & STRONG) - popcount(theirs & STRONG),
        more * quiet,
        lines * (men < 16),
        middle * (men < 16),
    ]


def games(count: int, variant: str, nodes: int, seed: int) -> List[str]:
    """Positions of games against itself, as text: some at the beginning of each turn."""
    found = []
    for number in track(range(count), "games"):
        chance = random.Random("%d %d" % (seed, number))
        state = rules.start("fanorona:" + variant)
        player = Player("light", variant=variant, nodes=nodes)
        random_hops = chance.randint(2, 14)
        while state.legal:
            if random_hops > 0 or chance.random() < 0.05:
                random_hops -= 1
                hop = chance.choice(state.legal)
            else:
                player.set_up(state.text())
                hop = player.action()
            state = state.after({state.mover: hop})
            if random_hops <= 0 and not state.chain and chance.random() < 0.3:
                found.append(state.text())
    return found


def labelled(lines: List[str], variant: str, nodes: int) -> Tuple[np.ndarray, np.ndarray]:
    """Terms and scores of the quiet ones among some positions."""
    terms, scores = [], []
    player = Player("light", variant=variant, nodes=nodes)
    for line in track(lines, "positions"):
        position, seen = with_history(line)
        few = popcount(position[1] | position[2]) <= 6
        if few or captures(position, True) or len(player.tree.moves(position)) < 2:
            continue
        player.position, player.seen = position, seen
        player.think()
        terms.append(terms_of(position))
        scores.append(max(-FAR, min(FAR, player.search.score)))
    return np.array(terms, float), np.array(scores, float)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--variant", default="1130")
    parser.add_argument("--nodes", type=int, default=300, help="for a hop of the games")
    parser.add_argument("--label-nodes", type=int, default=5000, help="for a score")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lines = games(options.games, options.variant, options.nodes, options.seed)
    terms, scores = labelled(lines, options.variant, options.label_nodes)
    near = np.abs(scores) < FAR
    terms, scores = terms[near], scores[near]
    weights = np.linalg.lstsq(terms, scores, rcond=None)[0]
    now = terms @ np.array([number for _, number in NUMBERS])
    print("%d positions; error %.1f now, %.1f fitted; %.0f s" % (
        len(scores), (now - scores).std(), (terms @ weights - scores).std(), time.process_time()
    ))
    spread = terms.std(axis=0)
    for (name, number), weight, deviation in zip(NUMBERS, weights, spread):
        print("%-16s %7.2f -> %7.2f   spread %.2f" % (name, number, weight, deviation))


if __name__ == "__main__":
    main()
