"""The plain twin of tree.py: the same tree in functions that call each other, to be changed part by part.

The tests hold tree.py against it, node by node; worth.py measures what a part is worth by leaving it
out.  About a quarter slower than tree.py, and never played with.
"""

from typing import Any, Callable, Optional, Sequence, Tuple

from ..endgames import ending
from ..evaluate import MARGINS, STARVING, evaluator, promises
from ..position import LEAD, STANDARD, Board, Move, Position
from ..shared.deepening import Look, Search
from ..table import EXACT, LOWER, SOLVED, UPPER, Packed
from ..tree import DEEP, LATE, REMEMBERED

NOTHING = -1 << 40  # below every score


def later(index: int, depth: int) -> int:
    """Turns by which a move is looked at less deeply: one for all but the first three that pass the turn.

    13 turns from the start in a second instead of 11, and 53 % +- 7 at 50 000 nodes a move (60 pairs).
    From the third move on: 46 % +- 9 (40 pairs).
    """
    return 1 if index >= LATE and depth >= DEEP else 0


class Forgetful:
    """A table that remembers nothing."""

    def entry(self, position: Position) -> None:
        """Nothing is known."""

    def keep(self, *entry: Any) -> None:
        """Nothing is remembered."""


class Roomy(dict):
    """A table with room for everything: of positions whatever is in the banks, or of whole positions."""

    def __init__(self, banks: bool = False) -> None:
        super().__init__()
        self.banks = banks

    def forget_scores(self) -> None:
        """Of what is known by now, only the moves are told from here on."""
        for place, (_, bound, score, move) in self.items():
            self[place] = -1, bound, score, move

    def entry(self, position: Position) -> Optional[Tuple[int, int, int, Move]]:
        """What is known of a position: (depth, bound, score, move), or None."""
        found = self.get(position if self.banks else position[2:])
        if found is None:
            return None
        depth, bound, score, move = found
        return depth, bound, score + position[LEAD], move

    def keep(self, position: Position, depth: int, bound: int, score: int, move: Move) -> None:
        """Remember what is known of a position."""
        self[position if self.banks else position[2:]] = depth, bound, score - position[LEAD], move


class Plain:
    """The tree of a board.

    promised    what the evaluation goes by; None: the board's own
    play        the position after a move; None: the board's own, with or without the tables of endgames
    order       moves in the order in which they are tried, order(position); None: by kinds of ponds with one
                turn to go, else by what they are worth as they stand
    by_worth    False: always by kinds of ponds
    margins     what the evaluation may err by, by turns to go; (): every position is looked at
    starving    how many pebbles fewer than the other's a mover must have for no margin to hold
    reduce      reduce(index, depth), as `later`
    windows     False: every move with the whole window
    table       None: the agent's own kind
    remembered  the least turns to go with which a position is remembered
    """

    def __init__(
        self,
        board: Board = STANDARD,
        promised: Any = None,
        play: Optional[Callable[[Position, Move], Position]] = None,
        order: Optional[Callable[[Position], Sequence[Move]]] = None,
        by_worth: bool = True,
        margins: Sequence[int] = MARGINS,
        starving: int = STARVING,
        reduce: Callable[[int, int], int] = later,
        windows: bool = True,
        table: Any = None,
        remembered: int = REMEMBERED,
    ) -> None:
        self.board = board
        self.evaluate = evaluator(promised or promises(board))
        self.play = play or ending(board)
        self.order = order or board.moves
        self.by_worth = by_worth and order is None
        self.margins = margins
        self.starving = starving
        self.reduce = reduce
        self.windows = windows
        self.table = Packed(board) if table is None else table
        self.remembered = remembered

    def least(self, position: Position, depth: int) -> int:
        """What a position is worth at least, it seems, with so many turns to go."""
        _, _, mine, theirs = position
        field = self.board.field
        if depth < len(self.margins) and mine and theirs % field - mine % field < self.starving:
            return self.evaluate(position) - self.margins[depth]
        return NOTHING

    def moves_at(self, position: Position, depth: int) -> Sequence[Move]:
        """The moves in the order in which they are tried."""

        def worth(move: Move) -> int:
            after = self.play(position, move)
            return self.evaluate(after) if after[0] == position[0] else -self.evaluate(after)

        moves = self.order(position)
        return sorted(moves, key=worth, reverse=True) if self.by_worth and depth > 1 else moves

    def plant(self, root: Position, search: Search, poll: Callable[[int], int]) -> Optional[Look]:
        """Prepare to look from a position that is not finished: see shared/deepening.py."""
        play, table = self.play, self.table
        order = list(self.order(root))
        search.move = order[0]
        search.pv = order[:1]
        if len(order) == 1:
            return None
        limit = horizon = 0
        lines = {}

        def count():
            nonlocal limit
            if search.nodes >= limit:
                limit = poll(search.nodes)
            search.nodes += 1

        def node(position, depth, alpha, beta, ply):
            """The value: exact within the window, else a bound."""
            nonlocal horizon
            closed = bool(ply) and beta - alpha == 1
            if closed:
                score = self.least(position, depth)
                if score >= beta:
                    horizon += 1
                    return score
            floor, before, mover, upper = alpha, horizon, position[0], beta
            lines[ply] = ()
            tabled = None
            if depth >= self.remembered:
                entry = table.entry(position)
                if entry is not None:
                    search.table_hits += 1
                    held, bound, score, tabled = entry
                    if held >= depth and ply:
                        if bound == EXACT or (score >= beta if bound == LOWER else score <= alpha):
                            horizon += held != SOLVED
                            return score
            candidates = list(self.moves_at(position, depth)) if ply else order[:]
            if ply and tabled is not None:
                candidates.remove(tabled)
                candidates.insert(0, tabled)
            if not candidates:
                return position[LEAD]
            best, choice, tried = NOTHING, None, 0
            for move in candidates:
                count()
                child = play(position, move)
                again = child[0] == mover

                def value(depth, alpha, beta, child=child, again=again):
                    if again:
                        return node(child, depth, alpha, beta, ply + 1)
                    if depth == 1:
                        return -self.evaluate(child)
                    return -node(child, depth - 1, -beta, -alpha, ply + 1)

                less = self.reduce(tried, depth) if not again and depth > 1 else 0
                tried += not again
                score = value(depth - less, alpha, upper)
                if less and score > alpha:
                    count()
                    score = value(depth, alpha, upper)
                if score <= best:
                    continue
                if alpha < score < beta and upper < beta and (again or depth > 1):
                    if not ply:
                        kept = search.move, search.score
                        search.move, search.score = move, score
                    count()
                    score = value(depth, alpha, beta)
                    if score <= alpha:
                        if not ply:
                            search.move, search.score = kept
                        if score <= best:
                            continue
                if score >= beta:
                    search.cut_offs += 1
                    search.first_cuts += choice is None
                best, choice = score, move
                if score > alpha:
                    alpha = score
                    if not ply:
                        search.move, search.score = move, score
                        order.remove(move)
                        order.insert(0, move)
                    if score >= beta:
                        break
                    lines[ply] = (move,) + (lines[ply + 1] if again or depth > 1 else ())
                if self.windows:
                    upper = alpha + 1
            if depth == 1:
                horizon += 1
            if depth >= self.remembered:
                bound = LOWER if best >= beta else EXACT if best > floor else UPPER
                table.keep(position, SOLVED if horizon == before else depth, bound, best, choice)
            return best

        def look(depth, alpha, beta):
            before = horizon
            count()
            score = node(root, depth, alpha, beta, 0)
            if alpha < score < beta:
                search.pv = self.variation(root, score, depth, list(lines[0]))
                search.exact = horizon == before
            return score

        return look

    def variation(self, root: Position, score: float, turns: int, line: list) -> list:
        """The line expected: what open windows left, then what the table knows of the same score."""
        position = root
        for ply, move in enumerate(line, 1):  # it grows on the way
            after = self.play(position, move)
            turns -= after[0] != position[0]
            position = after
            if ply == len(line) and turns > 0:
                entry = self.table.entry(position)
                expected = score if position[0] == root[0] else -score
                if entry is not None and entry[0] >= turns and entry[2] == expected:
                    line.append(entry[3])
        return line
