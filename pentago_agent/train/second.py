"""Which second stone draws in classic: games of the search in C against itself from each answer to a corner.

    python -m pentago_agent.train.second --nodes 60000 --games 60
    python -m pentago_agent.train.second --nodes 400000 --games 20 --seed 2 --cells 1,2 1,1

White's stone is at row 0, column 0; Black's, in the same quadrant or in the opposite one, at the row and
column of `--cells`, counted from 0.  Of two answers that are each other's reflections one is enough.
"""

import argparse
import itertools
import random
from typing import Tuple

from referee.commands.options import positive

from ..geometry import CELLS, Geometry
from ..notation import COLOURS, from_text
from ..player import NODES_A_SECOND, WIDE_SECONDS
from ..position import Position, play, result
from .engine import Copy

# Row and column of every answer, one of two that are each other's reflections.
ANSWERS = [
    (row, column)
    for row, column in itertools.combinations_with_replacement(range(6), 2)
    if row // 3 == column // 3 and column > 0
]


def two_stones(row: int, column: int) -> Position:
    """White's stone in the corner, Black's on a cell; White is to move."""
    return from_text("w".ljust(6 * row + column, ".") + "b".ljust(CELLS - 6 * row - column, ".") + " w")


def tally(start: Position, nodes: int, games: int, seed: int) -> Tuple[int, int, int]:
    """How many games from there White won, drew and lost."""
    geometry, wide = Geometry("classic"), nodes >= NODES_A_SECOND * WIDE_SECONDS
    count = {1: 0, 0: 0, -1: 0}
    for game in range(games):
        dice = random.Random("%d %d" % (seed, game))
        seats = [Copy(colour, "classic", nodes, leans=False, wide=wide) for colour in COLOURS]
        for seat in seats:
            seat.seed = dice.getrandbits(32)
        position, ended = start, result(start)
        while ended is None:
            mover = seats[position[0]]
            mover.position = position
            position = play(position, mover.choose(), geometry)
            ended = result(position)
        count[-ended if position[0] else ended] += 1
    return count[1], count[0], count[-1]


def answer(text: str) -> Tuple[int, int]:
    """A cell from the command line."""
    try:
        row, column = map(int, text.split(","))
    except ValueError:
        row = column = 0
    if (min(row, column), max(row, column)) not in ANSWERS:
        raise argparse.ArgumentTypeError(
            "%r should be a row and a column of White's quadrant or of the opposite one" % text
        )
    return row, column


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", type=positive, default=60000, help="a move")
    parser.add_argument("--games", type=positive, default=60, help="from each answer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cells", nargs="+", type=answer, default=ANSWERS, metavar="ROW,COLUMN")
    options = parser.parse_args()
    for row, column in options.cells:
        won, drawn, lost = tally(two_stones(row, column), options.nodes, options.games, options.seed)
        share = 100 * (won + drawn / 2) / options.games
        print(
            "(%d, %d): White %.0f %%: %d won, %d drawn, %d lost" % (row, column, share, won, drawn, lost),
            flush=True,
        )


if __name__ == "__main__":
    main()
