"""The board of Fanorona: what is legal, what it leads to, and how good that is.

      A B C D E F G H I
    0 x x x x x x x x x        light: o, begins; dark: x
    1 x x x x x x x x x        A point is (x, y), column and row: A0 is (0, 0), I4 is (8, 4).
    2 x o x o . x o x o        Where x + y is even there are diagonal lines, too.
    3 o o o o o o o o o
    4 o o o o o o o o o

A position is a tuple that nobody changes: (mover, board, chain, variant).  `mover` is 0 for light and 1 for
dark; `board` is a string, row by row; `chain` has the points that a man who goes on capturing has stood on.

A game also ends when a board comes again, and when nothing was captured for 21 actions.  That is a draw, and
this board does not know of it.
"""

VARIANT = ""  # the rules of COMP1130, with Pass; in "1100" there is none
START = "xxxxxxxxxxxxxxxxxxxoxo.xoxooooooooooooooooooo"
MEN = "ox"
WIN = 1000000
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def start(variant=VARIANT):
    """The position in which a game begins: light is to move."""
    return (0, START, (), variant)


def moves(position):
    """The legal actions, in the course's text; none when the game is over."""
    mover, board, chain, variant = position
    if MEN[0] not in board or MEN[1] not in board:
        return []
    captures, quiet = [], []
    men = chain[-1:] or [(i % 9, i // 9) for i in range(45) if board[i] == MEN[mover]]
    for man in men:
        for direction in DIRECTIONS:
            to = along(man, direction)
            if not is_line(man, direction) or at(board, to) != ".":
                continue
            # In a chain: to no point twice, and not twice running in the same direction.
            if chain and (to in chain or to == along(man, (man[0] - chain[-2][0], man[1] - chain[-2][1]))):
                continue
            hop = name(man) + "-" + name(to)
            captures += [hop + kind for kind in ("-A", "-W") if taken(position, hop + kind)]
            quiet.append(hop + "-P")
    if chain:
        return captures + ["P"] if captures and variant != "1100" else captures
    return captures or quiet  # who can capture has to


def taken(position, action):
    """The men that an action takes: those in a row before the man where he lands, or behind where he was."""
    mover, board, _, _ = position
    man, to, kind = read(action)
    dx, dy = to[0] - man[0], to[1] - man[1]
    point, direction = {"A": (to, (dx, dy)), "W": (man, (-dx, -dy)), "P": (None, None)}[kind]
    found = []
    while point:
        point = along(point, direction)
        if at(board, point) != MEN[1 - mover]:
            break
        found.append(point)
    return found


def play(position, action):
    """The position after an action."""
    mover, board, chain, variant = position
    if action == "P":
        return (1 - mover, board, (), variant)
    man, to, kind = read(action)
    points = list(board)
    for x, y in taken(position, action) + [man]:
        points[9 * y + x] = "."
    points[9 * to[1] + to[0]] = MEN[mover]
    after = "".join(points)
    if kind != "P":  # the same man goes on if he can
        on = (mover, after, (chain or (man,)) + (to,), variant)
        if moves(on):
            return on
    return (1 - mover, after, (), variant)


def evaluate(position):
    """How good a position is for its mover, as a whole number; a win is WIN.  A man is worth 100."""
    mover, board, _, _ = position
    if not moves(position):
        return -WIN if MEN[mover] not in board or MEN[1 - mover] in board else WIN
    return 100 * (board.count(MEN[mover]) - board.count(MEN[1 - mover]))


def along(point, direction):
    """The point next to one in a direction, on the board or not."""
    return (point[0] + direction[0], point[1] + direction[1])


def at(board, point):
    """What stands on a point: `o`, `x`, `.`, or nothing at all beside the board."""
    x, y = point
    return board[9 * y + x] if 0 <= x < 9 and 0 <= y < 5 else ""


def is_line(point, direction):
    """Whether a line leads there from a point."""
    return sum(point) % 2 == 0 or 0 in direction


def name(point):
    """`E2` for (4, 2)."""
    return "ABCDEFGHI"[point[0]] + str(point[1])


def read(action):
    """From where to where, and the kind: A takes before, W behind, P nothing."""
    man, to, kind = action.split("-")
    return ("ABCDEFGHI".index(man[0]), int(man[1])), ("ABCDEFGHI".index(to[0]), int(to[1])), kind
