"""The bottom of the search: the best move's score of many positions at once, remembered."""

import numpy as np

from .evaluate import LAST_STONES
from .kernel import BATCH, LOST, Kernel, keys_of

WIN = 1000000.0  # less the number of stones on the board when the game is over
DECIDED = WIN - 100
SLOT_BITS = 20  # 12 MB


def defeat(stones: int) -> float:
    """The score of a position with so many stones whose every move lets the other player win."""
    return -(WIN - min(stones + 2, LAST_STONES + 1))


class Leaves:
    """Values of positions in which the mover cannot win at once; one position a slot, newest stays."""

    def __init__(self, kernel: Kernel):
        self.kernel = kernel
        self.keys = np.zeros(1 << SLOT_BITS, np.uint64)
        self.known = np.zeros(1 << SLOT_BITS, np.float32)
        self.nodes = 0
        self.hits = 0

    def values(self, boards: np.ndarray, stones: int) -> np.ndarray:
        """The score of each position's best move, as its mover sees it."""
        keys = keys_of(boards)
        slots = (keys >> np.uint64(64 - SLOT_BITS)).astype(np.intp)
        values = self.known[slots]
        missing = (self.keys[slots] != keys).nonzero()[0]
        self.nodes += len(keys)
        self.hits += len(keys) - len(missing)
        for start in range(0, len(missing), BATCH):
            part = missing[start : start + BATCH]
            values[part] = self.judge(boards[:, part], stones)
        slots = slots[missing]
        self.keys[slots] = keys[missing]
        self.known[slots] = values[missing]
        return values

    def judge(self, boards: np.ndarray, stones: int) -> np.ndarray:
        """The same, not remembered; a defeat is one only after `settle` has looked for a way out.

        While there are other moves, those that only a double five saves are not looked for.
        """
        codes = self.kernel.codes(boards)
        scores = self.kernel.judge(boards, codes, stones)
        best = scores.max(axis=1)
        lost = (best < LOST).nonzero()[0]
        if len(lost):
            again = scores[lost]
            self.kernel.settle(boards[:, lost], codes[lost], again, stones)
            best[lost] = again.max(axis=1)
            best[best < LOST] = defeat(stones)
        return best
