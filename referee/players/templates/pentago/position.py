"""The board of Pentago: what is legal, what it leads to, and how good that is.

    quadrants  0 | 1     A cell is (x, y): x the row from the top, y the column from the left, 0 to 5.
               --+--     A turn puts a stone on an empty cell and then twists a quadrant, any of the four.
               2 | 3     Five in a row win, whoever made them; if both have five it is a draw.

A position is a tuple that nobody changes: (mover, cells, variant).  `mover` is 0 for white and 1 for black;
`cells` is a string of 36 letters, row by row: `w`, `b`, or `.` where it is empty.
"""

VARIANT = ""  # the course's game; in "classic" op 1 turns left, and five that are placed win at once
STONES = "wb"
WIN = 1000000

# A quadrant's nine cells after a twist: from which of its cells, counted row by row, each is filled.
RIGHT = (6, 3, 0, 7, 4, 1, 8, 5, 2)
LEFT = (2, 5, 8, 1, 4, 7, 0, 3, 6)
FLIP = (2, 1, 0, 5, 4, 3, 8, 7, 6)
TWISTS = {"": (RIGHT, FLIP), "classic": (RIGHT, LEFT), "classic-late": (RIGHT, LEFT)}  # by op, 0 and 1

QUADRANTS = [
    [6 * x + y for x in range(top, top + 3) for y in range(left, left + 3)]
    for top in (0, 3)
    for left in (0, 3)
]
# All 32 places of five in a row.
LINES = [
    [6 * (x + n * dx) + y + n * dy for n in range(5)]
    for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1))
    for x in range(6)
    for y in range(6)
    if 0 <= x + 4 * dx < 6 and 0 <= y + 4 * dy < 6
]


def start(variant=VARIANT):
    """The position in which a game begins: the board is empty, white is to move."""
    return (0, "." * 36, variant)


def moves(position):
    """The legal actions, (x, y, quadrant, op): an empty cell, and a twist; none when the game is over."""
    _, cells, _ = position
    if has_five(cells, "w") or has_five(cells, "b"):
        return []
    empty = [cell for cell in range(36) if cells[cell] == "."]
    return [(cell // 6, cell % 6, quadrant, op) for cell in empty for quadrant in range(4) for op in (0, 1)]


def play(position, action):
    """The position after an action."""
    mover, cells, variant = position
    x, y, quadrant, op = action
    after = list(cells)
    after[6 * x + y] = STONES[mover]
    if not (variant == "classic" and has_five("".join(after), STONES[mover])):
        nine = [after[cell] for cell in QUADRANTS[quadrant]]
        for cell, source in zip(QUADRANTS[quadrant], TWISTS[variant][op]):
            after[cell] = nine[source]
    return (1 - mover, "".join(after), variant)


def has_five(cells, stone):
    """Whether that colour has five in a row."""
    return any(all(cells[cell] == stone for cell in line) for line in LINES)


def evaluate(position):
    """How good a position is for its mover, as a whole number; a win is WIN.

    Of each place for five that only one of the players has stones in: 1, 4, 16 or 64 for 1 to 4 stones.
    """
    mover, cells, _ = position
    mine, theirs = STONES[mover], STONES[1 - mover]
    score = fives = 0
    for line in LINES:
        here = [cells[cell] for cell in line]
        own, other = here.count(mine), here.count(theirs)
        if own == 5 or other == 5:
            fives |= 1 if own else 2
        elif own and not other:
            score += 4 ** (own - 1)
        elif other and not own:
            score -= 4 ** (other - 1)
    if fives or "." not in cells:
        return {0: 0, 1: WIN, 2: -WIN, 3: 0}[fives]
    return score
