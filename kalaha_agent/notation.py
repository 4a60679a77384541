"""The course's actions, variants and lines of text <-> this agent's moves and positions.

An action is the number of a pond, 1 for the one farthest from the bank.  A line of text is who is to
move (A, B, or F when the game is finished), A's ponds and bank, then B's ponds and bank.
"""

import re
from typing import Any, List, Optional, Tuple

from .position import STANDARD, UNIT, Board, Move, Position

COLOURS = ("A", "B")
FINISHED = "F"


def to_action(move: Move) -> int:
    """The course's number of a pond."""
    return move + 1


def to_move(action: Any) -> Move:
    """The move of an action, in any kind of whole number."""
    return int(action) - 1


def follow(board: Board, position: Position, colour: str, action: Any) -> Position:
    """The position after an action; ValueError if it is not that player's, or not legal."""
    move = to_move(action)
    if position[0] != COLOURS.index(colour) or move not in board.moves(position):
        raise ValueError("Kalaha: %s may not play pond %s in %s" % (colour, action, to_text(board, position)))
    return board.play(position, move)


def from_variant(variant: str) -> Tuple[Board, Position]:
    """The board and the start of a variant such as `4x3`: 4 ponds a side, 3 pebbles in each."""
    size = re.match("([1-9][0-9]{0,3})x([1-9][0-9]{0,3})$", variant or "6x6")
    if not size:
        raise ValueError("a Kalaha variant is ponds x pebbles, as in '4x3', not %r" % (variant,))
    ponds, pebbles = int(size.group(1)), int(size.group(2))
    board = board_for(ponds, 2 * ponds * pebbles)
    return board, board.position(0, 0, [pebbles] * ponds, [pebbles] * ponds)


def board_for(ponds: int, pebbles: int) -> Board:
    """A board with so many ponds a side that has room for so many pebbles; the usual one where it does."""
    if ponds == STANDARD.ponds and pebbles <= STANDARD.pebbles:
        return STANDARD
    return Board(ponds, pebbles)


def from_text(line: str, board: Optional[Board] = None) -> Position:
    """The position that a line describes, on the board that it needs or on a given one of its size."""
    turn, ours, theirs = _parts(line)
    board = board or board_of(line)
    if len(ours) != board.ponds + 1 or sum(ours) + sum(theirs) > board.pebbles:
        raise ValueError(
            "this board has %d ponds a side and room for %d pebbles; %r needs another"
            % (board.ponds, board.pebbles, line)
        )
    lead = ours[-1] - theirs[-1]
    if turn == FINISHED:
        return 0, lead * UNIT, 0, 0
    if turn == COLOURS[1]:
        return board.position(1, -lead, theirs[:-1], ours[:-1])
    return board.position(0, lead, ours[:-1], theirs[:-1])


def board_of(line: str) -> Board:
    """The board that a line needs."""
    _, ours, theirs = _parts(line)
    return board_for(len(ours) - 1, sum(ours) + sum(theirs))


def to_text(board: Board, position: Position, pebbles: int = 0) -> str:
    """The line of a position; `pebbles` in all, where they are not the board's."""
    mover, lead, mine, theirs = position
    banked = (pebbles or board.pebbles) - board.left(position)
    lead //= UNIT
    sides = [
        board.counts(mine) + [(banked + lead) // 2],
        board.counts(theirs) + [(banked - lead) // 2],
    ]
    turn = COLOURS[mover] if mine else FINISHED
    return " ".join([turn] + [str(count) for count in sides[mover] + sides[1 - mover]])


def _parts(line: str) -> Tuple[str, List[int], List[int]]:
    """Who is to move, and each player's ponds and bank."""
    words = line.split()
    half = (len(words) - 1) // 2
    if len(words) < 5 or len(words) % 2 == 0 or words[0] not in COLOURS + (FINISHED,):
        raise ValueError("a Kalaha line is A, B or F, then A's and B's ponds and bank; not %r" % (line,))
    counts = [int(word) for word in words[1:]]
    ours, theirs = counts[:half], counts[half:]
    if min(counts) < 0 or (words[0] != FINISHED and not (any(ours[:-1]) and any(theirs[:-1]))):
        raise ValueError("in %r nobody can be to move: a side's ponds are empty (F), or less" % (line,))
    return words[0], ours, theirs
