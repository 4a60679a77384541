"""The course's actions and lines of text <-> this agent's moves and positions.

An action is ("MOVE", n, (x, y), (x, y)) or ("BOOM", (x, y)); a line is the side to move, the plies
played and the stacks, as in `white 0 W1(3,3) B12(4,4)`; the word `repeated` at its end says that the
game was drawn by repetition.
"""

import re
from typing import Dict, Sequence, Tuple

from .position import LAST_PLY, Position, play, put_together
from .sides import MOST, height_at, side

COLOURS = ("white", "black")
STACK = re.compile(r"([WB])([1-9][0-9]?)\(([0-7]),([0-7])\)$")


def to_action(position: Position, move: int) -> Tuple:
    """The course's action for a move of that position."""
    if move < 64:
        return "BOOM", (move % 8, move // 8)
    n, start, target = move >> 12 & 15, move >> 6 & 63, move & 63
    return "MOVE", n, (start % 8, start // 8), (target % 8, target // 8)


def to_move(action: Sequence) -> int:
    """The move for a course's action, in whatever kind of whole numbers it is written."""
    # Compared as the referee does: what equals "BOOM" need not have it for its str(), an Enum has not.
    if action[0] == "BOOM":
        return _square(action[1])
    return int(action[1]) << 12 | _square(action[2]) << 6 | _square(action[3])


def _square(place):
    x, y = place
    return 8 * int(y) + int(x)


def follow(position: Position, chosen: Dict[int, Sequence]) -> Position:
    """The position after the action of the player to move: `chosen` is {player: action}."""
    return play(position, to_move(chosen[position[0]]))


def from_text(line: str) -> Position:
    """The position of a line; ValueError for one that is no Expendibots position."""
    words = line.split(" ")
    repeated = words[-1] == "repeated"
    if repeated:
        words.pop()
    stacks = [STACK.match(word) for word in words[2:]]
    if len(words) < 2 or words[0] not in COLOURS or not words[1].isdigit() or None in stacks:
        raise ValueError("an Expendibots line looks like: white 0 W1(3,3) B12(4,4)")
    heights, tokens = {"W": 0, "B": 0}, {"W": 0, "B": 0}
    for stack in stacks:
        letter, height, x, y = stack.groups()
        heights[letter] += int(height) << 4 * _square((x, y))
        tokens[letter] += int(height)
    if max(tokens.values()) > MOST:
        raise ValueError("an Expendibots player has at most %d tokens" % MOST)
    white, black = side(heights["W"]), side(heights["B"])
    plies = LAST_PLY if repeated else int(words[1])  # either way the game is drawn
    if words[0] == "white":
        return put_together(0, white, black, plies)
    return put_together(1, black, white, plies)


def to_text(position: Position) -> str:
    """The line of a position."""
    mover, mine, theirs, plies, _ = position
    white, black = (theirs, mine) if mover else (mine, theirs)
    words = [COLOURS[mover], str(plies)]
    for x in range(8):
        for y in range(8):
            for letter, owner in (("W", white), ("B", black)):
                height = height_at(owner[0], 8 * y + x)
                if height:
                    words.append("%s%d(%d,%d)" % (letter, height, x, y))
    return " ".join(words)
