"""The board of Expendibots: what is legal, what it leads to, and how good that is.

A square is (x, y), x from the left and y from the bottom, 0 to 7.  White begins at the bottom.

A position is a tuple that nobody changes: (mover, stacks).  `mover` is 0 for white and 1 for black; `stacks`
has (square, tokens) for every stack, sorted, with negative numbers for black's.

A game also ends when a board comes up for the fourth time with the same player to move, and after 250
turns each.  That is a draw, and this board does not know of it.
"""

WIN = 1000000
SIGNS = (1, -1)  # white's, black's
START = [((x, y), 1 if y < 2 else -1) for x in (0, 1, 3, 4, 6, 7) for y in (0, 1, 6, 7)]


def start():
    """The position in which a game begins: white is to move."""
    return (0, tuple(sorted(START)))


def moves(position):
    """The legal actions; none when somebody has no tokens left."""
    mover, stacks = position
    if len({tokens > 0 for _, tokens in stacks}) < 2:
        return []
    board, sign, found = dict(stacks), SIGNS[mover], []
    for (x, y), tokens in stacks:
        height = tokens * sign
        if height > 0:
            found.append(("BOOM", (x, y)))
            # As far as the stack is high, over anything; not onto a stack of the other's.
            for far in range(1, height + 1):
                for to in ((x + far, y), (x - far, y), (x, y + far), (x, y - far)):
                    if 0 <= to[0] < 8 and 0 <= to[1] < 8 and board.get(to, 0) * sign >= 0:
                        found += [("MOVE", n, (x, y), to) for n in range(1, height + 1)]
    return found


def play(position, action):
    """The position after an action."""
    mover, stacks = position
    board = dict(stacks)
    if action[0] == "BOOM":
        explode(board, action[1])
    else:
        _, n, start, to = action
        board[start] -= n * SIGNS[mover]
        board[to] = board.get(to, 0) + n * SIGNS[mover]
        if not board[start]:
            del board[start]
    return (1 - mover, tuple(sorted(board.items())))


def explode(board, square):
    """Take a stack off the board, and those on the eight squares around it explode too, and so on."""
    del board[square]
    x, y = square
    for near in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
        if near in board:
            explode(board, near)


def plain(action):
    """The action in plain tuples, strings and ints: others may send numbers of numpy's, or 1.0 for 1."""
    kind, *numbers = action
    return (str(kind),) + tuple(
        tuple(map(int, one)) if hasattr(one, "__len__") else int(one) for one in numbers
    )


def evaluate(position):
    """How good a position is for its mover, as a whole number; a win is WIN.

    A token is worth 100, and more the fewer there are; a point off for each step to the nearest enemy.
    """
    mover, stacks = position
    sides = [[one for one in stacks if one[1] * sign > 0] for sign in (SIGNS[mover], SIGNS[1 - mover])]
    mine, theirs = [sum(abs(tokens) for _, tokens in side) for side in sides]
    if not mine or not theirs:
        return WIN if mine else -WIN if theirs else 0
    steps = min(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, _ in sides[0] for b, _ in sides[1])
    return 100 * (mine - theirs) * 24 // (mine + theirs) - steps
