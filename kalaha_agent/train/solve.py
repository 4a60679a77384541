"""Solves small boards with the player's own search: python -m kalaha_agent.train.solve 4x4 5x3 6x2

For each board: the value of the game and of each first move, as bank difference for the first player
when both play perfectly, and the nodes that the value took.
"""

import argparse
import time
from typing import Dict, Tuple

from .. import Player
from ..notation import from_variant, to_action
from ..position import UNIT
from ..shared.deepening import Search


def solver(variant: str) -> Tuple[Player, Search]:
    """The player at the start of a game, and his search, to be used without a clock."""
    player = Player("A", variant)
    return player, player.search


def value(variant: str) -> Tuple[int, int]:
    """What the first player wins by, and the nodes it took to see."""
    player, search = solver(variant)
    search.best(player.position)
    if len(player.board.moves(player.position)) == 1:  # the search does not think about a single move
        return first_moves(variant)[1], 0
    assert search.exact
    return search.score // UNIT, search.nodes


def first_moves(variant: str) -> Dict[int, int]:
    """What the first player wins by with each first move."""
    board, start = from_variant(variant)
    found = {}
    for move in sorted(board.moves(start)):
        _, search = solver(variant)
        position, sign = board.play(start, move), 1
        if position[0] != start[0]:
            sign = -1
        while len(board.moves(position)) == 1:  # nothing to choose
            after = board.play(position, board.moves(position)[0])
            if after[0] != position[0]:
                sign = -sign
            position = after
        if board.moves(position):
            search.best(position)
            assert search.exact
            found[to_action(move)] = sign * search.score // UNIT
        else:
            found[to_action(move)] = sign * position[1] // UNIT
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
    for variant in parser.parse_args().boards:
        begun = time.process_time()
        worth, nodes = value(variant)
        firsts = " ".join("%d:%+d" % pair for pair in first_moves(variant).items())
        print(
            "%s %+d  first moves %s  (%d nodes for the value, %.1f s of CPU in all)"
            % (variant, worth, firsts, nodes, time.process_time() - begun),
            flush=True,
        )


if __name__ == "__main__":
    main()
