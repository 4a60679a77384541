"""The last turn of a line, written out in one function: more than half of the search's time is spent here.

It finds what `Search` finds with `moves`, `play`, `evaluate` and the tables of endings: the same value,
from the same nodes in the same order.  The tests compare them.
"""

from typing import Callable, Tuple

from .endings import COLUMNS, ENTRIES, MOST, ROWS
from .position import STANDARD, UNIT, Board, Halves, Position

WORST = -1_000_001  # below every score


def last_turn(
    board: Board, promised: Tuple[Halves, Halves], tables: bool
) -> Callable[[Position, int, int], Tuple[int, int, int, int]]:
    """The function `last` of shared/search.py for a board, with or without the tables of endings."""
    field, shifts, moves, sow, facing, unit = (
        board.field, board.shifts, board.moves, board.sow, board.facing, UNIT,
    )
    my, their = promised
    cut, low, my_near, my_far, their_near, their_far = my.cut, my.low, my.near, my.far, their.near, their.far
    row, column, entries = ROWS, COLUMNS, ENTRIES
    most = MOST if tables and board is STANDARD and ENTRIES else 0

    def last(position: Position, alpha: int, beta: int) -> Tuple[int, int, int, int]:
        """The value of a position one turn deep, and what it took: nodes, cut-offs, those by a first move."""
        mover, lead, mine, theirs = position
        if not mine:
            return lead, 0, 0, 0
        best, nodes, cuts, first_cuts = WORST, 0, 0, 0
        for pond in moves(position):
            nodes += 1  # a child
            added, given, banked, end = sow[pond][mine >> shifts[pond] & field]
            my, their, score = mine + added, theirs + given, lead + banked
            if end >= 0 and my >> end & field == 1:
                opposite = facing[end]
                caught = their >> opposite & field
                if caught:
                    score += (caught + 1) * unit
                    my -= 1 << end
                    their -= caught << opposite
            if not my or not their:
                score += (my % field - their % field) * unit
            elif most and (my + their) % field <= most:
                left = (my + their) % field
                if end == -1:
                    score += unit * (2 * entries[row[my] + column[their]] - left)
                else:
                    score -= unit * (2 * entries[row[their] + column[my]] - left)
            elif end == -1:
                score, further, cut_off, at_first = last((mover, score, my, their), alpha, beta)
                nodes += further
                cuts += cut_off
                first_cuts += at_first
            else:
                score -= my_near[their & low] + my_far[their >> cut]
                score -= their_near[my & low] + their_far[my >> cut]
            if score > best:
                if score >= beta:
                    return score, nodes, cuts + 1, first_cuts + (best == WORST)
                best = score
        return best, nodes, cuts, first_cuts

    return last
