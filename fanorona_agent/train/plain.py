"""The plain twin of tree.py: the same tree in one function that calls those of the other modules.

The tests hold tree.py against it, node by node.  About half as fast, and never played with.
"""

from typing import Any, Callable, Dict, Iterator, List, Optional

from ..evaluate import WIN, evaluate
from ..position import (
    AHEAD,
    BEHIND,
    BOARD,
    CAPTURE,
    HERE,
    LAST_QUIET,
    LINES,
    NEXT,
    Move,
    Position,
    moves,
    play,
    popcount,
)
from ..shared.deepening import Look, Search
from ..shared.table import EXACT, LOWER, SOLVED, UPPER
from ..tree import (
    DECIDED,
    FORCED,
    INFINITY,
    NULL_FROM,
    NULL_LESS,
    NULL_MEN,
    NULL_QUIET,
    NULL_SHARE,
    RETURN,
    STORM,
    Tree,
    key,
    reduction,
    with_lot,
)


class PlainTree(Tree):
    """Looks at the same nodes as Tree; of the account it keeps only the move, the score and the nodes."""

    def plant(self, root: Position, search: Search, poll: Callable[[int], int]) -> Optional[Look]:
        """Prepare to look from a position with two turns at least: see shared/deepening.py."""
        self.knows(root)
        self.search, self.poll, self.root = search, poll, root
        self.order = self.moves(root)
        search.move = self.order[0]
        self.raised = search.raised(self.order)
        self._age += self._known != set(self.seen)
        self._known = frozenset(self.seen)
        self.path = set(self.seen)
        self.nodes = self.limit = self.horizon = self.repeated = 0
        self.killers: Dict[int, List[Optional[Move]]] = {depth: [None, None] for depth in range(99)}
        for taught in self.history:
            for move in taught:
                taught[move] //= 2
        return self.look

    def look(self, depth: int, alpha: float, beta: float) -> float:
        """One search from the root."""
        before = self.horizon
        self.count()
        score = self.node(self.root, depth, alpha, beta, 0)
        if alpha < score < beta:
            self.search.exact = self.horizon == before or WIN - abs(score) <= depth
        return score

    def count(self) -> None:
        """A node more, if there may be one."""
        if self.nodes >= self.limit:
            self.limit = self.poll(self.nodes)
        self.nodes += 1
        self.search.nodes = self.nodes

    def value(
        self, child: Position, depth: int, alpha: float, beta: float, ply: int, passed: bool = False
    ) -> Any:
        """What a turn is worth to who made it, with so many still to go."""
        self.count()
        if depth > 0:
            return -self.node(child, depth, -beta, -alpha, ply + 1, passed)
        return -self.storm(child, -beta, -alpha, ply + 1)

    def node(
        self, position: Position, depth: int, alpha: float, beta: float, ply: int, passed: bool = False
    ) -> Any:
        """The value of a position `depth` turns deep: exact within the window, else a bound."""
        mover, mine, theirs, quiet, name, _ = position
        men = popcount(mine | theirs)
        if ply and (men <= self.ended or quiet >= LAST_QUIET):
            return self.storm(position, alpha, beta, ply)
        floor, horizon, repeated = alpha, self.horizon, self.repeated

        first = None
        entry = self.table.get(key(position)) if ply else None
        if entry is not None:
            held, bound, score, first, age = entry
            score = beyond(score, -ply)
            if held >= depth and age == self._age:
                if bound == EXACT or (score >= beta if bound == LOWER else score <= alpha):
                    self.horizon += held != SOLVED
                    return score

        calm = not captures_of(position, self.has_pass)
        if ply and not passed and calm and beta - alpha == 1 and -DECIDED < alpha and beta < DECIDED:
            if depth >= NULL_FROM and men >= NULL_MEN and quiet <= NULL_QUIET:
                if beta <= evaluate(position) < DECIDED:
                    rest = depth - 1 - NULL_LESS - depth // NULL_SHARE
                    after = 1 - mover, theirs, mine, quiet + 1, None, ()
                    score = self.value(after, rest, alpha, beta, ply, True)
                    if score >= beta:
                        self.horizon += 1
                        return score if score < DECIDED else beta

        board = theirs | mine << 50 if mover else mine | theirs << 50
        named = ply > 0 and quiet > 0 and depth >= RETURN
        if named:
            self.path.add(board)
        best, choice, tried, upper = -INFINITY, None, 0, beta
        for move in self.arranged(position, depth, first) if ply else self.order[:]:
            child = play(position, move)
            extra = 0 if ply else self.raised[move]
            alpha, upper = alpha - extra, upper - extra
            again = child[4] in self.path and (quiet >= RETURN or not ply)
            if again:
                self.count()
                self.repeated += 1
                score = self.draws[mover]
            else:
                less = max(0, min(reduction(move, tried, depth), depth - 2))
                tried += 1
                score = self.value(child, depth - 1 - less, alpha, upper, ply)
                if less and score > alpha:
                    score = self.value(child, depth - 1, alpha, upper, ply)
            alpha, upper, score = alpha + extra, upper + extra, with_lot(score, extra)
            if score <= best:
                continue
            if alpha < score < beta and upper < beta and not again:
                kept = self.search.move, self.search.score
                if not ply:
                    self.search.move, self.search.score = move, with_lot(score, -extra)
                score = with_lot(self.value(child, depth - 1, alpha - extra, beta - extra, ply), extra)
                if score <= alpha and not ply:
                    self.search.move, self.search.score = kept
                if score <= best:
                    continue
            best, choice = score, move
            if score > alpha:
                alpha = score
                if not ply:
                    self.search.move, self.search.score = move, with_lot(score, -extra)
                    self.order.remove(move)
                    self.order.insert(0, move)
                if score >= beta:
                    break
            upper = alpha + 1
        if named:
            self.path.discard(board)
        if choice is None:
            return ply - WIN

        self.horizon += depth == 1
        if not ply:
            return best
        if best >= beta and choice < CAPTURE:
            self.history[mover][choice] += depth * depth
            if choice != self.killers[depth][0]:
                self.killers[depth] = [choice, self.killers[depth][0]]
        bound = LOWER if best >= beta else EXACT if best > floor else UPPER
        if repeated != self.repeated and best in self.draws:
            depth = -1
        elif (horizon, repeated) == (self.horizon, self.repeated):
            depth = SOLVED
        self.table.keep(key(position), (depth, bound, beyond(best, ply), choice, self._age))
        return best

    def arranged(self, position: Position, depth: int, first: Optional[Move]) -> Iterator[Move]:
        """The moves: the table's, then the others, those of one hop by what they have cut off until then."""
        if first is not None:
            yield first
        found = moves(position, self.has_pass)
        if found and found[0] < CAPTURE:
            found.sort(key=lambda move: -self.history[position[0]][move])
            for move in reversed(self.killers[depth]):
                if move in found:
                    found.remove(move)
                    found.insert(0, move)
        yield from (move for move in found if move != first)

    def storm(self, position: Position, alpha: float, beta: float, ply: int) -> Any:
        """The value of a position at the horizon, where nothing but captures is followed."""
        best = self.evaluate(position)
        if not -DECIDED < best < DECIDED:
            return best + (ply if best < 0 else -ply)
        if popcount(position[1] | position[2]) <= self.tabled or position[3] >= LAST_QUIET:
            return best
        if 0 < captures_begin(position) <= min(FORCED, STORM):
            best = -INFINITY
        if best >= beta:
            return best
        alpha = max(alpha, best)
        for move in captures_of(position, self.has_pass)[:STORM]:
            self.count()
            score = -self.storm(play(position, move), -beta, -alpha, ply + 1)
            best, alpha = max(best, score), max(alpha, score)
            if score >= beta:
                break
        return best


def captures_of(position: Position, has_pass: bool) -> List[Move]:
    """The turns, where they capture."""
    found = moves(position, has_pass)
    return found if found and found[0] >= CAPTURE else []


def captures_begin(position: Position) -> int:
    """With how many hops the mover can begin to capture."""
    _, mine, theirs = position[:3]
    hops = mine * HERE & ((BOARD ^ mine ^ theirs) * NEXT & LINES)
    return popcount(hops & (theirs * AHEAD | theirs * BEHIND))


def beyond(score: int, plies: int) -> int:
    """A win or defeat, as seen so many plies later: nearer by them."""
    return score + plies if score > DECIDED else score - plies if score < -DECIDED else score
