"""All 288 moves of many positions judged by a handful of numpy calls: the engine under the search.

A batch is an array of shape (8, n): the mover's four quadrants, then the other's.  No child board is
built: a mask in the board after a twist is another set of cells in the board before it, so eight rows
of a table add up to every mask's two counts under every twist, and the stone to be placed adds its
gains to the masks that its cell is in.
"""

import copy
from typing import Optional

import numpy as np

from .evaluate import LAST_STONES, OPTIMISM, UNSAFE, last_tables, load, phase, tables
from .geometry import CELLS, MOVES, TWISTS, Geometry

LOST = UNSAFE / 2  # a score below this: the other player has a five at once
ILLEGAL = -1e7
TAKEN = ILLEGAL / 2  # a score below this: the cell is taken, or the child was there already
BATCH = 128  # positions at once: more gain nothing, and 512 fall out of the cache
# A product of more multiply-adds than 262 144 may start a second thread in some BLAS libraries, and a
# thread's time is charged: seven positions (56 x 128 x 36) stay just below.
ROWS_A_PRODUCT = 56

# Odd numbers drawn by lot, one for each quadrant of each player.  (To import numpy.random takes 6 MB.)
KEYS = np.array(
    [
        0xE5A876D79B3AC5E3,
        0x1D7D0BEFD1939CB5,
        0x4BF6EAC81212FFE5,
        0xCFD440576DEB5925,
        0x43BF853006502511,
        0x5763B3A04C34C5DD,
        0x8D819DC4EF4BD37D,
        0xCD2AC1EFDF16DAAF,
    ],
    np.uint64,
)

TWIST_QUADRANT = np.arange(TWISTS) // 2
TWIST_OFFSET = np.arange(TWISTS)[:, None] * 512
EARLIER = np.tril(np.ones((TWISTS, TWISTS), bool), -1)[:, :, None]

_COUNT = np.array([bin(bits).count("1") for bits in range(512)], np.uint8)
_BITS = np.arange(512)
_ROWS = np.arange(8)[:, None] * 512  # where a quadrant's rows begin


class Kernel:
    """The tables of one variant, shared by all players, and never written to after they are made."""

    def __init__(self, variant: str, weights: Optional[np.ndarray] = None):
        """`weights` are another player's, by hand, in evaluate.py's form; None: the learned ones."""
        self.geometry = geometry = Geometry(variant)
        self.width = len(geometry.masks)
        self.plain = len(geometry.windows)
        self.word = (
            np.uint32 if self.width % 4 == 0 else np.uint8
        )  # as many masks as are looked through at once
        columns = [
            geometry.bits(geometry.before(twist, mask)) for twist in range(TWISTS) for mask in geometry.masks
        ]
        masks = np.array(columns)  # (8 x width, 4)
        mine = np.concatenate([_COUNT[_BITS[:, None] & masks[None, :, quadrant]] for quadrant in range(4)])
        self.counts = np.concatenate((mine, mine * np.uint8(8)))  # the rows of all eight quadrants
        self.kinds = np.tile(np.array(geometry.kinds, np.uint16) * np.uint16(64), TWISTS)
        # 1 where a cell is in a mask; a product with it spreads the masks' gains over the cells.
        self.incidence = np.zeros((self.width, CELLS), np.float32)
        for number, mask in enumerate(geometry.masks):
            self.incidence[number, list(mask)] = 1
        self.ones = np.ones(self.width, np.float32)
        self.optimism = [0.0] * CELLS
        if weights is None:
            weights = load(geometry)
            even = OPTIMISM["classic" if variant else ""]
            self.optimism[:LAST_STONES] = [float(even[phase(stones + 1)]) for stones in range(LAST_STONES)]
        self.tables = [tables(stones, weights) for stones in range(LAST_STONES)]
        self.tables.append(last_tables(weights.shape[1], geometry.window_kinds))
        # The penalty that makes a move illegal, from the stones of a quadrant.
        self.occupied = []
        for quadrant in range(4):
            rows = np.zeros((512, TWISTS, CELLS), np.float32)
            for twist in range(TWISTS):
                after = _BITS
                if twist // 2 == quadrant:
                    after = np.array(geometry.turned[twist % 2])
                for place in range(9):
                    rows[:, twist, 9 * quadrant + place] = np.where(after >> place & 1, ILLEGAL, 0)
            self.occupied.append(rows.reshape(512, MOVES))
        # A child from its parent: the quadrants after each twist, the placed stone's bit in each.
        self.turned = np.empty((4, TWISTS, 512), np.intp)
        for quadrant in range(4):
            for twist in range(TWISTS):
                turn = twist // 2 == quadrant
                self.turned[quadrant, twist] = geometry.turned[twist % 2] if turn else _BITS
        self.stone = np.zeros((4, MOVES), np.intp)
        for move in range(MOVES):
            number = move % CELLS
            self.stone[number // 9, move] = 1 << number % 9
        # Where the quadrants after a move stand in `turned`, the mover's and the other's.
        self.offset = np.arange(4)[:, None] * TWISTS * 512 + np.arange(MOVES) // CELLS * 512
        self.offset = np.concatenate((self.offset, self.offset))
        # Windows that a twist leaves where they are; classic needs them for a five by the stone alone.
        self.untouched = np.array(
            [
                [geometry.before(twist, window) == window for window in geometry.windows]
                for twist in range(TWISTS)
            ]
        )
        # What a twist adds to a position's key: equal sums mean equal boards.
        turned = self.turned
        self.twist_keys = np.empty((2, TWISTS, 512), np.uint64)
        for twist in range(TWISTS):
            change = (turned[twist // 2, twist] - _BITS).astype(np.uint64)
            self.twist_keys[0, twist] = change * KEYS[twist // 2]
            self.twist_keys[1, twist] = change * KEYS[twist // 2 + 4]
        self.twist_keys = self.twist_keys.reshape(2, TWISTS * 512)
        # Bit t is set for the masks that are windows after the other player's twist t.
        self.window_twists = np.zeros(self.width, np.uint8)
        for twist in range(TWISTS):
            after = {geometry.before(twist, window) for window in geometry.windows}
            self.window_twists |= np.array([mask in after for mask in geometry.masks], np.uint8) << twist
        for array in self.occupied + [self.counts, self.turned, self.stone, self.offset, self.incidence]:
            array.flags.writeable = False
        # The first products make a BLAS library claim its memory: now, not in the middle of a game.
        empty = np.zeros((8, BATCH), np.intp)
        self.settle(empty, self.codes(empty), self.judge(empty, self.codes(empty), 0), 0)

    def leaning(self, colour: int, thousandths: float) -> "Kernel":
        """The same tables for a player of that colour who would rather play on than draw.

        What he is judged to have is so much better for him than it looks, while a draw stays 0.
        White, colour 0, moves at even counts of stones.
        """
        leaning = copy.copy(self)
        leaning.optimism = [
            even + (thousandths if stones % 2 != colour else -thousandths) * (stones < LAST_STONES)
            for stones, even in enumerate(self.optimism)
        ]
        return leaning

    def codes(self, boards: np.ndarray) -> np.ndarray:
        """Mine + 8 x theirs, for every twist and mask: (n, 8, width) bytes."""
        rows = self.counts.take(boards + _ROWS, axis=0, mode="clip")
        return np.add.reduce(rows, axis=0, dtype=np.uint8).reshape(-1, TWISTS, self.width)

    def judge(self, boards: np.ndarray, codes: np.ndarray, stones: int) -> np.ndarray:
        """A score for every move of every position: (n, 288) float32, the mover's view.

        Below LOST: the other player then wins at once, or has a five already; far below: the cell is
        taken.  The mover's own fives are `wins`; fives of both colours at once are left to `settle`.
        """
        value, gain = self.tables[stones]
        # Cast once, not in each `take`: 9 % of the time of a batch.
        places = (codes.reshape(len(codes), -1) + self.kinds).astype(np.intp)
        places = places.reshape(-1, self.width)
        scores = np.empty((len(places), CELLS), np.float32)
        worth = gain.take(places, mode="clip")
        self.spread(worth, scores)
        value.take(places, out=worth, mode="clip")
        scores += (np.dot(worth, self.ones) - np.float32(self.optimism[stones]))[:, None]
        scores = scores.reshape(-1, MOVES)
        for penalties, taken in zip(self.occupied, boards[:4] | boards[4:]):
            scores += penalties.take(taken, axis=0, mode="clip")
        return scores

    def spread(self, masks: np.ndarray, cells: np.ndarray) -> None:
        """Add up for each cell what the masks that it is in say: (n, width) to (n, 36)."""
        for start in range(0, len(masks), ROWS_A_PRODUCT):
            end = start + ROWS_A_PRODUCT
            np.dot(masks[start:end], self.incidence, out=cells[start:end])

    def children(self, boards: np.ndarray, parents: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """The positions after the moves, as the other player sees them: (8, k)."""
        places = boards.take(parents, axis=1)
        places += self.offset.take(moves, axis=1)
        turned = self.turned.take(places, mode="clip")
        after = np.empty_like(turned)
        after[:4] = turned[4:]
        np.bitwise_or(turned[:4], self.stone.take(moves, axis=1), out=after[4:])
        return after

    def safe(self, board: np.ndarray, scores: np.ndarray) -> tuple:
        """One position's distinct safe moves, best first, and the positions after them."""
        moves = (scores > LOST).nonzero()[0]
        moves = moves[(-scores[moves]).argsort(kind="mergesort")]
        kids = self.children(board, np.zeros(len(moves), np.intp), moves)
        places = distinct(keys_of(kids))
        places.sort()
        return moves[places], kids[:, places]

    def wins(self, boards: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """For every position and twist: can the mover end the game as the winner with it? (n, 8) bools.

        A five of both colours is a draw and does not count.
        """
        plain = codes[:, :, : self.plain]
        fours = (plain & 62) == 4
        wins = _any(fours) & ~_any(plain == 40)
        if self.geometry.places_at_once:
            wins |= (fours & self.untouched).any(axis=(1, 2))[:, None]
        return wins

    def winning_move(self, board: np.ndarray, codes: np.ndarray, scores: np.ndarray) -> int:
        """A move that wins at once, in the only position of a batch, whose mover has one."""
        plain = codes[0, :, : self.plain]
        both = (plain == 40).any(axis=1)
        for twist in np.flatnonzero(self.wins(board, codes)[0]):
            # Where the twist gives the other a five as well, only a five by the stone alone wins.
            seen = np.where(self.untouched[twist], plain[twist], 0) if both[twist] else plain[twist]
            for move in self.completing(seen, twist):
                if scores[0, move] > TAKEN:
                    return int(move)
        raise ValueError("the mover has no win in one move")

    def settle(self, boards: np.ndarray, codes: np.ndarray, scores: np.ndarray, stones: int) -> list:
        """Mend the scores where both colours come near a five; `scores` is changed.

        An UNSAFE move is none if each of the other's fives comes with one of the mover's: it gets the
        score of its masks.  A move that makes a five of both colours ends the game drawn: it gets 0,
        and (row, move) is in the answer.  No position may have a win.
        """
        drawn = []
        unsafe = (scores > TAKEN) & (scores < LOST)
        rows, twists = unsafe.reshape(-1, TWISTS, CELLS).any(axis=2).nonzero()
        if not len(rows):
            return drawn
        low = codes[rows, twists]
        mine = (low & 62) == 4  # 4 or 5 of the mover's and none of the other's
        places = mine.any(axis=1).nonzero()[0]
        if not len(places):
            return drawn
        rows, twists, low, mine = rows[places], twists[places], low[places], mine[places]
        theirs = (low & 55) == 32
        fives = (low[:, : self.plain] == 40).any(axis=1)
        for place in (fives & mine[:, : self.plain].any(axis=1)).nonzero()[0]:
            for move in self.completing(low[place, : self.plain], twists[place]):
                if scores[rows[place], move] > TAKEN:
                    scores[rows[place], move] = 0
                    drawn.append((int(rows[place]), int(move)))
        if stones >= LAST_STONES:
            return drawn
        # For a reprieve the stone must be in all of the other's masks but those whose every twist
        # makes a window of one of the mover's too, and must complete such a mask.
        at_hand = np.bitwise_or.reduce(np.where(mine, self.window_twists, np.uint8(0)), axis=1)
        met = theirs & ((self.window_twists & ~at_hand[:, None]) == 0)
        places = (met.any(axis=1) & ~fives).nonzero()[0]
        if not len(places):
            return drawn
        rows, twists, low = rows[places], twists[places], low[places]
        hard = theirs[places] & ~met[places]
        cells = np.empty((2, len(low), CELLS), np.float32)
        self.spread((low == 4).astype(np.float32), cells[0])
        self.spread(hard.astype(np.float32), cells[1])
        completing = (cells[0] > 0) | (low == 5).any(axis=1)[:, None]
        completing &= cells[1] == hard.sum(axis=1)[:, None]
        unsafe = scores[rows].reshape(-1, TWISTS, CELLS)[np.arange(len(rows)), twists]
        which, numbers = np.nonzero(completing & (unsafe > TAKEN) & (unsafe < LOST))
        parents, moves = rows[which], twists[which] * CELLS + numbers
        for start in range(0, len(parents), BATCH):
            parent, move = parents[start : start + BATCH], moves[start : start + BATCH]
            children = self.children(boards, parent, move)
            safe = ~self.wins(children, self.codes(children)).any(axis=1)
            score = scores[parent[safe], move[safe]]
            scores[parent[safe], move[safe]] = score - UNSAFE * np.rint(score / UNSAFE)
        return drawn

    def completing(self, codes: np.ndarray, twist: int) -> np.ndarray:
        """The moves with this twist after which the mover has five in one of the masks of `codes`."""
        if (codes == 5).any():
            return twist * CELLS + np.arange(CELLS)
        cells = self.incidence[: len(codes)][codes == 4].any(axis=0)
        return twist * CELLS + np.flatnonzero(cells)

    def drop_repeats(self, boards: np.ndarray, scores: np.ndarray) -> None:
        """Make moves ILLEGAL whose twist gives the same board as an earlier twist; changes `scores`.

        Near the start most twists do.  Moves that repeat a child in another way are left.
        """
        keys = self.twist_keys[0][boards[:4][TWIST_QUADRANT] + TWIST_OFFSET]
        keys += self.twist_keys[1][boards[4:][TWIST_QUADRANT] + TWIST_OFFSET]
        twists, rows = ((keys[:, None] == keys[None]) & EARLIER).any(axis=1).nonzero()
        if len(rows):
            scores.reshape(-1, TWISTS, CELLS)[rows, twists] += np.float32(ILLEGAL)


def _any(windows):
    """Whether one of the last axis, whose length is a multiple of eight, is true: eight at once."""
    return windows.view(np.uint64).any(axis=2)


def distinct(keys: np.ndarray) -> np.ndarray:
    """The place where each key is met first, by ascending keys: numpy's `unique` takes twice as long."""
    order = keys.argsort(kind="mergesort")
    keys = keys[order]
    new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return order[new]


def keys_of(boards: np.ndarray) -> np.ndarray:
    """A 64-bit number for every position of a batch: a sum, so that a change of it is a sum too."""
    return np.dot(KEYS, boards.astype(np.uint64))
