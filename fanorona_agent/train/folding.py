"""Measures what one table entry for mirrored boards would save, against what finding it costs.

    python -m fanorona_agent.train.folding --nodes 60000

It counts, among the positions that a search remembers, those that are a mirror image of another one:
left for right, top for bottom, or both.
"""

import argparse
import time

from referee.commands.options import positive

from ..notation import with_history
from ..player import Player
from ..position import popcount
from .depths import positions
from .matches import VARIANTS
from .speed import BANDS

ROW = 511
REVERSED = [int("{:09b}".format(row)[::-1], 2) for row in range(512)]
BOTH = (1 << 50) - 1


def mirrored(men: int) -> int:
    """A set of points, left for right."""
    return sum(REVERSED[men >> 10 * row & ROW] << 10 * row for row in range(5))


def flipped(men: int) -> int:
    """A set of points, top for bottom."""
    return sum((men >> 40 - 10 * row & ROW) << 10 * row for row in range(5))


def first_image(board: int) -> int:
    """The least of the four images of both sides' men, with the quiet run that stands above them."""
    mine, theirs = board & BOTH, board >> 50 & BOTH
    images = [(mine, theirs), (mirrored(mine), mirrored(theirs))]
    images += [(flipped(one), flipped(other)) for one, other in images]
    return min(one | other << 50 for one, other in images) | board >> 100 << 100


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", type=positive, default=60000)
    parser.add_argument("--positions", type=positive, default=8, help="for each number of men")
    parser.add_argument("--variant", choices=VARIANTS, default="1130")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = [with_history(line) for line in positions(60 * options.positions, options.variant, options.seed)]
    for least, most in BANDS:
        chosen = [both for both in found if least <= popcount(both[0][1] | both[0][2]) <= most]
        entries, images, searching, folding = 0, 0, 0.0, 0.0
        for position, seen in chosen[: options.positions]:
            player = Player("light", variant=options.variant, nodes=options.nodes)
            player.position, player.seen = position, seen
            began = time.process_time()
            player.think()
            between = time.process_time()
            table = player.tree.table
            boards = {*table.young, *table.old}
            images += len({first_image(board) for board in boards})
            entries += len(boards)
            searching += between - began
            folding += time.process_time() - between
        if not entries:
            parser.error("searches of --nodes %d remember nothing" % options.nodes)
        count = len(chosen[: options.positions])
        print(
            "%2d to %2d men: %.1f %% of %d entries are images; to see it takes %.1f us, a node %.1f us"
            % (
                least,
                most,
                100 * (1 - images / entries),
                entries,
                1e6 * folding / entries,
                1e6 * searching / (count * options.nodes),
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
