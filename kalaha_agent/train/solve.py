"""Solves small boards: python -m kalaha_agent.train.solve 4x4 5x3 6x3

For each board: the value of the game and of each first move, as bank difference for the first player
when both play perfectly, and the nodes that the value took.  Boards with six ponds a side are solved by the
search in C (engine.py), which leaves nothing out then, others by the player's own.  6x3 takes half a minute.
"""

import argparse
import time
from typing import Dict, Tuple

from referee.commands.options import positive

from .. import Player
from ..notation import from_variant, to_action
from ..position import LEAD, MINE, MOVER, STANDARD, THEIRS, UNIT, Board, Position
from .engine import Tree

PLACES = 10_000_019  # positions that the search in C remembers, in 16 bytes each
NEVER, FOREVER = 99, 1 << 60


def searched(board: Board, position: Position, places: int = PLACES) -> Tuple[int, int]:
    """What the mover of a position wins by in units, however deep that lies, and the nodes it took."""
    if board.ponds == STANDARD.ponds:
        tree = Tree({"LATE": NEVER, "REMEMBERED": 2}, places, margins=())
        sides = [STANDARD.side(board.counts(position[side])) for side in (MINE, THEIRS)]
        found = tree.best((position[MOVER], position[LEAD], *sides), FOREVER)
        assert found.exact
        return found.score, found.nodes
    search = Player("A", "%dx%d" % (board.ponds, board.pebbles // 2 // board.ponds)).search
    search.best(position)
    assert search.exact
    return search.score, search.nodes


def value(variant: str, places: int = PLACES) -> Tuple[int, int]:
    """What the first player wins by, and the nodes it took to see."""
    board, start = from_variant(variant)
    if len(board.moves(start)) == 1:  # the search does not think about a single move
        return first_moves(variant)[1], 0
    score, nodes = searched(board, start, places)
    return score // UNIT, nodes


def first_moves(variant: str, places: int = PLACES) -> Dict[int, int]:
    """What the first player wins by with each first move."""
    board, start = from_variant(variant)
    found = {}
    for move in sorted(board.moves(start)):
        position, sign = board.play(start, move), 1
        if position[0] != start[0]:
            sign = -1
        while len(board.moves(position)) == 1:  # nothing to choose
            after = board.play(position, board.moves(position)[0])
            if after[0] != position[0]:
                sign = -sign
            position = after
        score = searched(board, position, places)[0] if board.moves(position) else position[LEAD]
        found[to_action(move)] = sign * score // UNIT
    return found


def board(text: str) -> str:
    """A variant from the command line."""
    try:
        from_variant(text)
    except ValueError as trouble:
        raise argparse.ArgumentTypeError(str(trouble)) from None
    return text


def main() -> None:
    """Print a line for each board."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.solve", description=(__doc__ or "").partition("\n")[0]
    )
    boards = ["%dx%d" % (m, n) for m in (5, 6) for n in (1, 2, 3)]
    parser.add_argument("boards", nargs="*", type=board, default=boards, help=" ".join(boards))
    parser.add_argument("--places", type=positive, default=PLACES, help="positions that six ponds remember")
    options = parser.parse_args()
    for variant in options.boards:
        begun = time.process_time()
        worth, nodes = value(variant, options.places)
        firsts = " ".join("%d:%+d" % pair for pair in first_moves(variant, options.places).items())
        print(
            "%s %+d  first moves %s  (%d nodes for the value, %.1f s of CPU in all)"
            % (variant, worth, firsts, nodes, time.process_time() - begun),
            flush=True,
        )


if __name__ == "__main__":
    main()
