"""Measures how fast and how deep this agent searches, by the number of men on the board.

    python -m fanorona_agent.train.speed --seconds 4 --positions 6

Also how much faster the board makes merged turns than the plain way, hop by hop, in the same run.
"""

import argparse
import time

from referee.commands.options import positive, seconds

from .. import hops
from ..notation import with_history
from ..player import Player
from ..position import Position, moves, popcount
from .depths import positions
from .matches import VARIANTS

BANDS = [(29, 44), (20, 28), (9, 19), (7, 8)]


def plain_turns(position: Position, has_pass: bool) -> set:
    """The boards to which turns lead, by following every hop."""
    ends, open_chains = set(), [position]
    while open_chains:
        at = open_chains.pop()
        for hop in hops.legal(at, has_pass):
            after, _ = hops.after(at, frozenset(), hop, has_pass)
            if after[0] == position[0]:
                open_chains.append(after)
            else:
                ends.add(after[:3])
    return ends


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=seconds, default=4.0)
    parser.add_argument("--positions", type=positive, default=6, help="in each band")
    parser.add_argument("--variant", choices=VARIANTS, default="1130")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = [with_history(line) for line in positions(60 * options.positions, options.variant, options.seed)]
    has_pass = options.variant != "1100"

    began = time.process_time()
    plain = sum(len(plain_turns(position, has_pass)) for position, _ in found)
    plain_seconds = time.process_time() - began
    for position, _ in found:  # what a search asked for before is remembered
        moves(position, has_pass)
    between = time.process_time()
    fast = sum(len(moves(position, has_pass)) for position, _ in found)
    taken = time.process_time() - between
    if plain != fast:
        raise SystemExit("the two generators disagree: %d and %d turns" % (plain, fast))
    print(
        "%d turns, %.0f a second, %.1f times as fast as hop by hop"
        % (fast, fast / taken, plain_seconds / taken)
    )
    for least, most in BANDS:
        chosen = [both for both in found if least <= popcount(both[0][1] | both[0][2]) <= most]
        nodes = depth = 0
        began = time.process_time()
        for position, seen in chosen[: options.positions]:
            player = Player("light", variant=options.variant, seconds=options.seconds)
            player.position, player.seen = position, seen
            player.think()
            nodes += player.search.nodes
            depth += player.search.depth
        taken = time.process_time() - began
        count = len(chosen[: options.positions])
        print(
            "%2d to %2d men: %d positions, %.0f nodes a second, %.1f turns deep"
            % (least, most, count, nodes / taken, depth / count),
            flush=True,
        )


if __name__ == "__main__":
    main()
