"""What a mask is worth: 1000 times the logarithm of the odds that the player who has just moved wins.

`KINDS` are the masks that are windows now and those one twist away.  A mask counts for a colour that
has one to five stones in it while the other has none.
"""

import numpy as np

LAST_STONES = 35  # with so many on the board the next stone is the last one
UNSAFE = -65536.0  # in float32 so many thousandths still add up exactly
PHASES = (10, 18)  # boards after the move with fewer stones than this; the third phase is the rest

# For each phase and kind: 1, 2, 3, 4, 5 stones of the player who has just moved, then of the player to
# move.  The player to move is never one stone from a five: such moves are UNSAFE.
WEIGHTS = (
    ((0, 20, 60, 200, 800, 800, 20, 100, 400, 0, 0), (0, 20, 60, 200, 400, 400, 20, 100, 400, 0, 0)),
    ((0, 20, 60, 200, 800, 800, 20, 100, 400, 0, 0), (0, 20, 60, 200, 400, 400, 20, 100, 400, 0, 0)),
    ((0, 20, 60, 200, 800, 800, 20, 100, 400, 0, 0), (0, 20, 60, 200, 400, 400, 20, 100, 400, 0, 0)),
)


def phase(stones: int) -> int:
    """The phase of a board with so many stones, after the move that is judged."""
    return sum(stones >= end for end in PHASES)


def tables(stones: int, weights: tuple = WEIGHTS) -> tuple:
    """Value and gain of each code, for movers who see so many stones: two arrays of 128 float32.

    A code is mine + 8 x theirs + 64 x (1 if the mask is a window now).  The value is that of the mask
    if the move leaves it alone; the gain is what one stone of the mover's adds to it.
    """
    value = np.zeros(128, np.float32)
    for code in range(128):
        mine, theirs = code & 7, code >> 3 & 7
        if mine <= 5 and theirs <= 5:
            value[code] = _worth(weights, stones, code >> 6, mine, theirs)
    gain = np.zeros(128, np.float32)
    for code in range(127):
        if code & 7 < 5:
            gain[code] = value[code + 1] - value[code]
    return value, gain


def _worth(weights, stones, plain, mine, theirs):
    if stones == LAST_STONES:
        return UNSAFE if plain and theirs == 5 else 0.0
    if theirs >= 4 and mine == 0:
        return UNSAFE
    kind = weights[phase(stones + 1)][0 if plain else 1]
    if theirs == 0:
        return kind[mine]
    if mine == 0:
        return -kind[5 + theirs]
    return 0.0
