"""The board of Kalaha: what is legal, what it leads to, and how good that is.

            B6 B5 B4 B3 B2 B1
    bank B                    bank A     sown: the own ponds 1 to 6, the own bank, the other's ponds
            A1 A2 A3 A4 A5 A6            1 to 6, the own ponds again; never the other's bank

A position is a tuple that nobody changes: (mover, mine, theirs).  `mover` is 0 for A and 1 for B; `mine` has
the mover's ponds and then the bank, `theirs` the other's.
"""

VARIANT = ""  # the course's board; "4x3" has 4 ponds a side and 3 pebbles in each


def start(variant=VARIANT):
    """The position in which a game begins: A is to move."""
    ponds, pebbles = map(int, (variant or "6x6").split("x"))
    side = (pebbles,) * ponds + (0,)
    return (0, side, side)


def moves(position):
    """The legal actions: ponds with pebbles in them, from 1 on; none when the game is over."""
    _, mine, theirs = position
    if not any(mine[:-1]) or not any(theirs[:-1]):
        return []
    return [number for number, pebbles in enumerate(mine[:-1], 1) if pebbles]


def play(position, pond):
    """The position after an action."""
    mover, mine, theirs = position
    bank = len(mine) - 1  # its place in the ring; the places before it are the mover's ponds
    ring = list(mine) + list(theirs[:-1])

    # 1. Sow the pond's pebbles one by one.
    place = pond - 1
    pebbles, ring[place] = ring[place], 0
    for _ in range(pebbles):
        place = (place + 1) % len(ring)
        ring[place] += 1

    # 2. The last one fell into an empty pond of one's own: it takes those opposite, if there are any.
    opposite = 2 * bank - place
    if place < bank and ring[place] == 1 and ring[opposite]:
        ring[bank] += 1 + ring[opposite]
        ring[place] = ring[opposite] = 0

    # 3. One side has no pebbles left: each player takes those in his own ponds, and the game is over.
    mine, theirs = ring[: bank + 1], ring[bank + 1 :] + [theirs[-1]]
    if not any(mine[:-1]) or not any(theirs[:-1]):
        mine, theirs = [[0] * bank + [sum(side)] for side in (mine, theirs)]

    # 4. The last one fell into the own bank: the same player moves again.
    if place == bank:
        return (mover, tuple(mine), tuple(theirs))
    return (1 - mover, tuple(theirs), tuple(mine))


def evaluate(position):
    """How good a position is for its mover, as a whole number: here the lead of his bank."""
    _, mine, theirs = position
    return mine[-1] - theirs[-1]
