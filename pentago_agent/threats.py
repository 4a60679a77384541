"""Wins by force: the attacker threatens a five at every move, the other's every answer is tried.

A move is a threat if it leaves a mask with four or more of the attacker's stones and none of the
other's.  The kernel's UNSAFE marks on the position after it leave exactly the answers that parry; where
none is left the attacker has won.  A proof found here holds against every reply, draws included; that
none is found proves nothing, because quiet moves and threats with many answers are not followed.
"""

from typing import Optional

import numpy as np

from .kernel import BATCH, CELLS, ILLEGAL, LOST, MOVES, TWISTS, Kernel, distinct, keys_of
from .meter import Meter

# How many answers a threat may leave if so many more threats may follow it.
ANSWERS = {1: 40, 2: 16, 3: 8, 4: 5, 5: 4}
DEEPEST = 8
ENTRIES = 40000
FIRST_ANSWERS = 3  # tried before the rest: one that holds settles the matter


class Threats:
    """One player's threat search."""

    def __init__(self, kernel: Kernel):
        self.kernel = kernel
        self._won = {}  # key -> (threats needed, move)
        self._tried = {}  # key -> threats that were not enough

    def find(
        self, board: np.ndarray, stones: int, meter: Meter, nodes: int, deepest: int = DEEPEST
    ) -> Optional[int]:
        """The first move of a forced win, or None; the mover must have no win in one.

        `length` then is the number of plies until the five at the latest.  Thinks for at most so many
        nodes; the meter's Stop comes through.
        """
        if len(self._won) + len(self._tried) > ENTRIES:
            self._won, self._tried = {}, {}
        self._meter = meter
        self._end = meter.account.nodes + nodes
        self.length = 0
        try:
            for threats in range(1, deepest + 1):
                move = self._attack(board, stones, threats)
                if move is not None:
                    self.length = 2 * threats + 1
                    return move
        except _Enough:
            pass
        return None

    def _attack(self, board, stones, threats):
        """The move that wins within so many threats, or None."""
        key = int(keys_of(board)[0])
        if key in self._won and self._won[key][0] <= threats:
            return self._won[key][1]
        if self._tried.get(key, 0) >= threats or stones + 2 * threats + 1 > CELLS:
            return None
        parents, moves, kids = self._threats(board, stones)
        if len(moves):
            scores, drawn = self._judge(kids, stones + 1)
            counts = (scores > LOST).sum(axis=1)
            won = np.flatnonzero((counts == 0) & ~drawn)
            if len(won):
                self._won[key] = 1, int(moves[won[0]])
                return int(moves[won[0]])
            if threats > 1:
                few = np.flatnonzero((counts <= ANSWERS.get(threats - 1, 3)) & ~drawn)
                for place in few[np.argsort(counts[few], kind="mergesort")]:
                    if self._all_lose(kids[:, place : place + 1], scores[place], stones + 1, threats - 1):
                        self._won[key] = threats, int(moves[place])
                        return int(moves[place])
        self._tried[key] = threats
        return None

    def _all_lose(self, board, scores, stones, threats):
        """Whether every safe move of the defender's loses to so many threats."""
        _, kids = self.kernel.safe(board, scores)
        if threats == 1:
            return self._at_once(kids[:, :FIRST_ANSWERS], stones + 1) and (
                kids.shape[1] <= FIRST_ANSWERS or self._at_once(kids[:, FIRST_ANSWERS:], stones + 1)
            )
        return all(
            self._attack(kids[:, place : place + 1], stones + 1, threats) is not None
            for place in range(kids.shape[1])
        )

    def _at_once(self, boards, stones):
        """Whether the mover of each position has a threat that leaves no answer."""
        if stones + 3 > CELLS:
            return False
        parents, _, kids = self._threats(boards, stones)
        won = np.zeros(boards.shape[1], bool)
        for start in range(0, len(parents), BATCH):
            part = slice(start, start + BATCH)
            scores, drawn = self._judge(kids[:, part], stones + 1)
            won[parents[part][(scores.max(axis=1) < LOST) & ~drawn]] = True
        return won.all()

    def _threats(self, boards, stones):
        """The safe moves of many positions that threaten a five: parents, moves, positions after them."""
        kernel = self.kernel
        scores, _ = self._judge(boards, stones)
        low = self._codes
        threes = (low == 3).astype(np.float32).reshape(-1, kernel.width)
        ready = ((low == 4) | (low == 5)).any(axis=2)
        more = np.empty((len(threes), CELLS), np.float32)
        kernel.spread(threes, more)
        threatens = (more > 0).reshape(-1, TWISTS, CELLS) | ready[:, :, None]
        parents, moves = np.nonzero((scores > LOST) & threatens.reshape(-1, MOVES))
        kids = kernel.children(boards, parents, moves)
        # The same position from the same parent only once.
        places = distinct(keys_of(kids) + parents.astype(np.uint64))
        return parents[places], moves[places], kids[:, places]

    def _judge(self, boards, stones):
        """Settled scores without repeats, and which movers can end the game drawn at once."""
        if self._meter.account.nodes >= self._end:
            raise _Enough
        self._meter.count(boards.shape[1])
        kernel = self.kernel
        self._codes = codes = kernel.codes(boards)
        scores = kernel.judge(boards, codes, stones)
        drawn = np.zeros(len(scores), bool)
        for row, move in kernel.settle(boards, codes, scores, stones):
            drawn[row] = True
            scores[row, move] = ILLEGAL
        kernel.drop_repeats(boards, scores)
        return scores, drawn


class _Enough(Exception):
    """The nodes of one call are used up."""
