"""Selective deepening over batches: two plies of many siblings are one walk down their best replies.

A node's depth counts plies; at depth 1 its value is its best move's score from the kernel, which has
left out the moves that let the other player win at once.  So depth 6 sees six plies and, under each,
whether a five follows.
"""

from typing import Callable, Optional

import numpy as np

from .evaluate import LAST_STONES
from .geometry import CELLS, MOVES
from .kernel import BATCH, ILLEGAL, LOST, Kernel, keys_of
from .leaves import DECIDED, WIN, Leaves, defeat
from .meter import Meter
from .position import Position, batch
from .position import stones as stones_of
from .shared.clock import Stop
from .shared.deepening import Look, Search
from .shared.table import EXACT, LOWER, UPPER, Table
from .threats import Threats

INFINITY = 2 * WIN
SURE = 1000  # the depth of what is proven
ENTRIES = 60000
MARGIN = 40  # thousandths: what lots among nearly equal moves may cost (README.md)
GROUPS = (1, 4, 16, 64, MOVES)  # siblings searched together: up to each of these
GLANCE = 14  # where one move should be enough so many are put in order first, the others if need be
TRIED = 4  # of them
DEEPEST_LIMIT = 7  # deeper nodes are as wide as those of this depth

# Attributes of a tree for long actions.
WIDE = {
    "mine": {3: 40, 4: 20, 5: 14, 6: 10, 7: 8},
    "theirs": {3: 60, 4: 40, 5: 24, 6: 20, 7: 16},
    "root": {5: 40, 6: 20, 7: 14},
    "first_look": 64,
}


class Node:
    """A position on the way down: its board, its moves' scores, the moves that end it drawn."""

    __slots__ = ("board", "scores", "drawn", "stones")

    def __init__(self, board, scores, drawn, stones):
        self.board = board
        self.scores = scores
        self.drawn = drawn
        self.stones = stones


class Siblings:
    """The same of many positions at once, drawn moves by row; `tops` are the best scores."""

    __slots__ = ("boards", "scores", "drawn", "stones", "tops")

    def __init__(self, boards, scores, drawn, stones):
        self.boards = boards
        self.scores = scores
        self.drawn = drawn
        self.stones = stones
        self.tops = scores.max(axis=1)

    def node(self, row):
        """One of them."""
        return Node(self.boards[:, row : row + 1], self.scores[row], self.drawn.get(row), self.stones)

    def and_also(self, others):
        """These, then those."""
        boards = np.concatenate((self.boards, others.boards), axis=1)
        drawn = dict(self.drawn)
        drawn.update((len(self.scores) + row, moves) for row, moves in others.drawn.items())
        return Siblings(boards, np.concatenate((self.scores, others.scores)), drawn, self.stones)

    def some(self, rows):
        """Those in the rows, in that order; a copy."""
        drawn = {new: self.drawn[row] for new, row in enumerate(rows) if row in self.drawn}
        return Siblings(self.boards[:, rows], self.scores[rows], drawn, self.stones)


class Tree:
    """One player's tree; its tables live as long as the object.

    Scores are thousandths of the odds' logarithm; a node is a position whose 288 moves were judged or
    remembered, those of the search for threats included.
    """

    # How many moves are searched at a depth: for the side that moves at the root, for the other,
    # and at the root itself.
    mine = {3: 24, 4: 12, 5: 8, 6: 6, 7: 5}
    theirs = {3: 32, 4: 20, 5: 14, 6: 10, 7: 8}
    root = {5: 24, 6: 12, 7: 8}
    first_look = 48  # so many moves of a node are looked at one ply deeper before the best are kept
    late = 6  # moves after so many are looked at two plies less deeply, and again if they seem better
    slack = (
        600  # a ply: a move whose next ply is worse by more than this is not looked at, nor those after it
    )
    replies = (3, 14, 47)  # tried together to refute a sibling at depth 2
    veto_nodes = 2000  # a move about to become the best is asked whether the other then wins by threats
    attack_nodes = 0  # for a win of the mover's own by threats, looked for before all else

    def __init__(self, kernel: Kernel, threats: Threats, wide: bool = False, entries: int = ENTRIES):
        """`wide`: for long actions, a ply less deep in the same time."""
        self.wide = wide
        if wide:
            vars(self).update(WIDE)
        self.kernel = kernel
        self.threats = threats
        self.leaves = Leaves(kernel)
        self.table = Table(entries)

    def plant(self, position: Position, search: Search, poll: Callable[[int], int]) -> Optional[Look]:
        """Prepare to look from a position that is not finished: see shared/deepening.py."""
        self._search = search
        self._meter = Meter(search, poll)
        board, stones = batch(position), stones_of(position)
        codes = self.kernel.codes(board)
        scores = self.kernel.judge(board, codes, stones)
        # 1. A five at once, or by threats that leave no way out.
        if self.kernel.wins(board, codes).any():
            search.move = self.kernel.winning_move(board, codes, scores)
            search.score = WIN - (stones + 1)
            search.pv = [search.move]
            return None
        search.move = int(scores[0].argmax())
        forced = self._forced(board, stones)
        if forced is not None:
            search.move = forced
            return None
        # 2. The moves that do not lose at once, in the order of what they leave the other.
        drawn = self.kernel.settle(board, codes, scores, stones)
        search.move = int(scores[0].argmax())
        search.score = float(scores[0, search.move])
        search.pv = [search.move]
        ended = {move for _, move in drawn}
        moves, kids = self._children(Node(board, scores[0].copy(), ended, stones), MOVES)
        if not len(moves) and search.score < LOST:
            search.score = defeat(stones)
        if len(moves) + bool(ended) < 2 or stones >= LAST_STONES:
            return None
        below = self._below(kids, stones + 1)
        values = np.where(below.tops > LOST, -below.tops, WIN)
        order = np.argsort(-values, kind="mergesort")
        self._raised = list(search.raised(moves.tolist()).values())
        search.depth = 1  # that was one ply; deeper ones look at more

        def look(depth, alpha, beta):
            """One search from the root; its window is always the whole one."""
            nonlocal order
            order = self._iterate(moves, below, order, depth, stones, ended)
            decided = abs(search.score) > DECIDED and WIN - abs(search.score) - stones <= depth + 1
            search.exact = decided or depth >= CELLS - stones
            return search.score

        return look

    def _forced(self, board, stones):
        """The first move of a win by threats, if one is found."""
        if not self.attack_nodes:
            return None
        try:
            return self.threats.find(board, stones, self._meter, self.attack_nodes)
        except Stop:
            return None

    def _iterate(self, moves, below, order, depth, stones, ended):
        """One iteration at the root; answers the order for the next."""
        limit = self.root.get(min(depth, DEEPEST_LIMIT), 288)
        alpha = -INFINITY
        values = {}
        if ended:
            alpha = told = 0.0
            best = min(ended)
        for count, place in enumerate(order):
            if count >= limit and alpha > -DECIDED:
                break  # the rest are tried only while everything is lost
            node, extra = below.node(place), self._raised[place]
            least = alpha - extra
            if count == 0 or depth < 4:
                value = -self._value(node, depth - 1, -INFINITY, -least, False, False)
            else:
                value = -self._value(node, depth - 1, -least - 1, -least, False, True)
                if value > least:
                    value = -self._value(node, depth - 1, -INFINITY, -least, False, False)
            if abs(value) < DECIDED:
                value += extra
            if value > alpha and depth >= 3 and value > -DECIDED:
                value = min(value, self._veto(node))
            values[place] = value
            if count == 0 and value < -DECIDED and depth > 2 and len(order) > 1:
                self._search.move = int(moves[order[1]])  # should the time end before a better one is found
            if value > alpha:
                alpha = value
                best = int(moves[place])
                told = float(value) - (extra if abs(value) < DECIDED else 0)
                if count > 0 or depth == 2:
                    self._search.move, self._search.score = best, told
        self._search.move, self._search.score = best, told
        self._search.pv = [best]
        first = sorted(values, key=lambda place: -values[place])
        return np.array(first + [place for place in order if place not in values])

    def _veto(self, node):
        """The most a move to this node can be worth, as far as the other's threats are seen."""
        if self.veto_nodes == 0 or node.stones >= LAST_STONES:
            return INFINITY
        if self.threats.find(node.board, node.stones, self._meter, self.veto_nodes) is None:
            return INFINITY
        return -(WIN - (node.stones + self.threats.length))

    def _value(self, node, depth, alpha, beta, mine, cut):
        """The value of a node, exact between alpha and beta, else a bound on their side.

        `mine`: whether the side that moves here is the one that moves at the root; `cut`: whether one move
        should be enough to reach beta.
        """
        stones = node.stones
        depth = min(depth, CELLS - stones)
        if depth == 2:
            drawn = {0: node.drawn} if node.drawn else {}
            return float(self._pairs(Siblings(node.board, node.scores[None].copy(), drawn, stones), beta)[0])
        if depth < 2:
            top = float(node.scores.max())
            return top if top > LOST else defeat(stones)
        # 1. What is known already.
        key = int(keys_of(node.board)[0])
        entry = self.table.get(key)
        if entry is not None:
            known, bound, value, _ = entry
            if (known >= depth and not (known - depth) & 1) or abs(value) > DECIDED:
                if bound == EXACT or (value >= beta if bound == LOWER else value <= alpha):
                    self._search.table_hits += 1
                    return value
        # 2. The safe moves, those first after which the other's best score is lowest.
        best, reply = (0.0, min(node.drawn)) if node.drawn else (-INFINITY, None)
        moves, kids = self._children(node, self.first_look)
        if not len(moves):
            return best if node.drawn else defeat(stones)
        place = (moves == entry[3]).nonzero()[0] if entry is not None else ()
        count = GLANCE if cut and len(moves) > GLANCE + TRIED else len(moves)
        if len(place) and place[0] >= count:
            front = np.concatenate((place, np.delete(np.arange(len(moves)), place)))
            moves, kids, place = moves[front], kids[:, front], np.zeros(1, int)
        below = self._below(kids[:, :count], stones + 1)
        if below.tops.min() < LOST:
            return self._won(key, stones, moves[below.tops.argmin()])
        order = below.tops.argsort(kind="mergesort")
        if len(place):
            order = np.concatenate((place, order[order != place]))
        # 3. Down to the next ply; the others are put in order if none of the first is enough.
        limit = (self.mine if mine else self.theirs)[min(depth, DEEPEST_LIMIT)]
        walk = self._by_groups if depth == 3 else self._one_by_one
        least = max(alpha, best)
        first = order if count == len(moves) else order[:TRIED]
        value, row, tried = walk(below, first, 0, (-INFINITY, 0), depth, least, beta, mine, cut, limit)
        if tried == len(first) < len(moves) and value < beta:
            rest = self._below(kids[:, count:], stones + 1)
            if rest.tops.min() < LOST:
                return self._won(key, stones, moves[count + rest.tops.argmin()])
            below = below.and_also(rest)
            others = np.concatenate((order[TRIED:], np.arange(count, len(moves))))
            others = others[below.tops[others].argsort(kind="mergesort")]
            order = np.concatenate((first, others))
            value, row, tried = walk(below, order, tried, (value, row), depth, least, beta, mine, cut, limit)
        if value > best:
            best, reply = value, int(moves[row])
        if best >= beta:
            self._search.cut_offs += 1
            self._search.first_cuts += tried == 1
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        self.table.keep(key, (depth, bound, best, reply))
        return best

    def _won(self, key, stones, move):
        """The value of a node in which this move leaves no answer."""
        value = WIN - (stones + 3)
        self.table.keep(key, (SURE, LOWER, value, int(move)))
        return value

    def _by_groups(self, below, order, tried, so_far, depth, alpha, beta, mine, cut, limit):
        """The best of a depth 3 node's children, its row and how many were tried, some at a time.

        The first `tried` of the order were tried before, and came to `so_far`: the best and its row.
        """
        best, best_row = so_far
        for end in GROUPS:
            if end <= tried:
                continue
            if -DECIDED < best or not tried:
                end = min(end, limit)
            lower = max(alpha, best)
            rows = order[tried:end]
            if tried and abs(lower) < DECIDED:
                rows = rows[below.tops[rows] < self.slack - lower]
            if not len(rows) or best >= beta:
                break
            values = self._pairs(below.some(rows), -lower)
            place = int(values.argmin())
            if -values[place] > best:
                best, best_row = -float(values[place]), rows[place]
            tried += len(rows)
        return best, best_row, tried

    def _one_by_one(self, below, order, tried, so_far, depth, alpha, beta, mine, cut, limit):
        """The same at greater depths: the first with the whole window, the others if they beat it."""
        best, best_row = so_far
        is_wide = beta - alpha > 1
        for row in order[tried:]:
            if tried >= limit and best > -DECIDED:
                break  # the rest are tried only while all the others lose
            child = below.node(row)
            lower = max(alpha, best)
            value = INFINITY
            if tried and abs(lower) < DECIDED:
                if below.tops[row] >= self.slack * (depth - 2) - lower:
                    break
                if tried >= self.late:
                    value = -self._value(child, max(1, depth - 3), -lower - 1, -lower, not mine, True)
            if tried and value > lower:
                value = -self._value(child, depth - 1, -lower - 1, -lower, not mine, not cut)
            if not tried or lower < value < beta:
                value = -self._value(child, depth - 1, -beta, -lower, not mine, not (cut or is_wide))
            if value > best:
                best, best_row = value, row
            tried += 1
            if best >= beta:
                break
        return best, best_row, tried

    def _children(self, node, limit):
        """The distinct safe moves with the best scores, best first, and their boards."""
        scores = node.scores
        if node.drawn:
            scores[list(node.drawn)] = ILLEGAL
        scores = scores.reshape(1, -1)
        self.kernel.drop_repeats(node.board, scores)
        moves, kids = self.kernel.safe(node.board, scores[0])
        return moves[:limit], kids[:, :limit]

    def _below(self, kids, stones):
        """The siblings that many positions are, whose movers cannot win at once."""
        parts, drawn = [], {}
        for start in range(0, kids.shape[1], BATCH):
            boards = kids[:, start : start + BATCH]
            self._meter.count(boards.shape[1])
            codes = self.kernel.codes(boards)
            parts.append(self.kernel.judge(boards, codes, stones))
            for row, move in self.kernel.settle(boards, codes, parts[-1], stones):
                drawn.setdefault(start + row, set()).add(move)
        scores = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return Siblings(kids, scores, drawn, stones)

    def _pairs(self, siblings, cut):
        """The values of siblings at depth 2, exact if below `cut`, else at least `cut`.

        Their scores are changed.
        """
        boards, scores, stones = siblings.boards, siblings.scores, siblings.stones
        best = np.full(len(scores), -INFINITY)
        for row, moves in siblings.drawn.items():
            best[row] = 0
            scores[row, list(moves)] = ILLEGAL
        self.kernel.drop_repeats(boards, scores)
        counts = (scores > LOST).sum(axis=1)
        best[(counts == 0) & (best < 0)] = defeat(stones)
        active = ((counts > 0) & (best < cut)).nonzero()[0]
        tried = 0
        for width in self.replies + (MOVES,):
            if width == MOVES:
                active = active[best[active] < -DECIDED]  # the rest are tried only while all the others lose
            if not len(active):
                break
            width = int(min(width, counts[active].max() - tried))
            left = scores[active]
            picked = (-left).argpartition(width - 1, axis=1)[:, :width]
            legal = left[np.arange(len(active))[:, None], picked] > LOST
            parents = active[legal.nonzero()[0]]
            moves = picked[legal]
            kids = self.kernel.children(boards, parents, moves)
            self._meter.count(len(moves))
            values = np.full(picked.shape, -INFINITY)
            values[legal] = -self.leaves.values(kids, stones + 1)
            best[active] = np.maximum(best[active], values.max(axis=1))
            scores[parents, moves] = ILLEGAL
            tried += width
            active = active[(best[active] < cut) & (counts[active] > tried)]
        return best
