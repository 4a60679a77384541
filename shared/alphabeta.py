"""The tree below the root, for games where one player moves at a time: alpha-beta.

    search = Search(AlphaBeta(moves, play, evaluate))  # three functions of the game, see below
    with clock.action():
        move = search.best(position, clock)            # deepening.py: depth by depth

A position is a hashable that is never changed, in practice a tuple of ints, and `position[0]` is
the player to move.

    moves(position)      its moves, most promising first: a list, or a generator that is read only
                         as far as needed; empty exactly when the game is over
    play(position, move) the position after it; if `position[0]` is the same, that player goes on
                         (not for ever: depth counts turns, so a turn has to end)
    evaluate(position)   an int for the mover, between -WIN and WIN; for a finished game the exact
                         result.  A game without margins says WIN or -WIN there, and a table of
                         endgames WIN minus the plies still to play: the search takes a point off a
                         ply, and so prefers quicker wins and slower defeats.

A search may be broken off anywhere, by the clock or by an error in the game's functions: there
is nothing to undo.
"""

from collections import defaultdict
from typing import Any, Callable, Collection, Dict, FrozenSet, Hashable, Iterable, List, Optional, Tuple

from .deepening import Look, Search
from .table import EXACT, LOWER, SOLVED, UPPER, Table
from .variation import variation

Position = Any  # a tuple of ints, the mover first
Move = Any  # the game's own code for a move: hashable, and equal only to itself

WIN = 1_000_000  # what `evaluate` says of a won game
DECIDED = WIN - 10_000  # scores beyond this are wins, less the plies until then
INFINITY = WIN + 1


def with_lot(score: int, extra: int) -> int:
    """The score of a move with what the lot adds; a win or defeat stays what it is."""
    return score + extra if -DECIDED < score < DECIDED else score


class AlphaBeta:
    """One game's tree: its table and what it has learned live as long as the object.

    Options:

    quiet       quiet(move) -> bool: the moves that may be put into another order: first those that cut off
                a sibling (killers), then by how much they have cut off so far (history).  The others
                stay in front, in the game's order.  (A generator is then read to its end.)
    parted      parted(position): two new lists, the moves that are not quiet and those that are, each in the
                game's order, for a game that knows that sooner than by asking of each move
    reduce      reduce(position, move, index, depth) -> turns by which the move, the index-th of
                its siblings, is looked at less deeply unless it turns out good
    key         key(position): what the table knows a position by, None: the whole position.
                Positions with the same key have the same moves and values
    repetition  repetition(position): what makes two positions the same one; one that comes again on one
                line of play is a draw (None: this one never counts)
    entries     size of the table; 0: none

    `contempt` and `seen` may be set between searches.  A draw by repetition is worth `contempt` less to the
    player who searches.  Positions in `seen` (what `repetition` makes of those already played) are draws:
    when there are new ones, scores in the table that may rest on them are no longer used, only the moves.
    """

    def __init__(
        self,
        moves: Callable[[Position], Iterable[Move]],
        play: Callable[[Position, Move], Position],
        evaluate: Callable[[Position], int],
        quiet: Optional[Callable[[Move], bool]] = None,
        parted: Optional[Callable[[Position], Tuple[List[Move], List[Move]]]] = None,
        reduce: Optional[Callable[[Position, Move, int, int], int]] = None,
        key: Optional[Callable[[Position], Hashable]] = None,
        repetition: Optional[Callable[[Position], Hashable]] = None,
        entries: int = 100_000,
    ) -> None:
        self.moves = moves
        self.play = play
        self.evaluate = evaluate
        self.quiet = quiet
        self.parted = parted
        self.reduce = reduce
        self.key = key
        self.repetition = repetition
        self.contempt = 0
        self.seen: Collection[Hashable] = ()
        self.table = Table(entries)
        # What quiet moves have cut off, for each player: a game's own `moves` may read it as well.
        self.history: Tuple[Dict[Move, int], Dict[Move, int]] = (defaultdict(int), defaultdict(int))
        self._known: FrozenSet[Hashable] = frozenset()
        self._age = 0

    def entry(self, position: Position) -> Optional[Tuple[int, int, int, Move]]:
        """What the table holds of a position: (depth, EXACT, LOWER or UPPER, score, move), or None."""
        entry = self.table.get(self.key(position) if self.key else position)
        return None if entry is None else entry[:4]

    def _parted(self, position: Position) -> Tuple[List[Move], List[Move]]:
        found, quiet = list(self.moves(position)), self.quiet or bool
        return [move for move in found if not quiet(move)], [move for move in found if quiet(move)]

    def plant(self, root: Position, search: Search, poll: Callable[[int], int]) -> Optional[Look]:
        """Prepare to look from a position that is not finished: see deepening.py.

        The functions share their variables as a closure, since those are twice as fast as attributes.
        """
        moves, play, evaluate, reduce = self.moves, self.play, self.evaluate, self.reduce
        quiet = self.quiet
        order = list(moves(root))
        if not order:
            raise ValueError("this game is over: there is no move to choose")
        search.move = order[0]
        search.pv = order[:1]
        if len(order) == 1:
            return None
        if self._known != set(self.seen):
            self._known = frozenset(self.seen)
            self._age += 1
        key_of, table, history = self.key, self.table, self.history
        remembering, age = table.half > 0, self._age
        nodes = limit = 0  # positions looked at so far; at how many to look at the clock
        learning = quiet is not None
        parted = self.parted or self._parted
        killers: List[List[Move]] = [[None, None] for _ in range(search.deepest + 1)]  # by depth
        player, drawn = root[0], -self.contempt
        raised = search.raised(order)

        horizon = 0  # counts what depended on the depth, so that a node sees whether its tree did
        draws = 0  # counts repetitions, for the same purpose
        hits = cuts = first_cuts = 0
        # By ply the best line from there, of the last node with an open window.
        lines: Dict[int, Tuple[Move, ...]] = {}

        identity = self.repetition
        path = set(self._known)  # what would be a repetition here
        for taught in history:  # what earlier turns taught counts half
            for move in taught:
                taught[move] //= 2

        def node(position, depth, alpha, beta, ply):
            """The value of a position `depth` turns deep: exact within the window, else a bound."""
            nonlocal nodes, limit, horizon, draws, hits, cuts, first_cuts
            mover = position[0]
            lots, extra = None if ply else raised, 0
            floor = alpha
            horizon_before = horizon
            draws_before = draws
            if beta - alpha > 1:
                lines[ply] = ()

            # 1. What the table knows may be enough; if not, its move is tried before the others
            # are even generated.  Scores in the table are those from the position on: the plies
            # from the root to here are put back in.
            tabled = None
            if remembering:
                key = position if key_of is None else key_of(position)
                entry = table.young.get(key)
                if entry is None and key in table.old:
                    entry = table.get(key)
                if entry is not None:
                    hits += 1
                    held, bound, score, tabled, since = entry
                    if held >= depth and ply and since == age:
                        if score > DECIDED:
                            score -= ply
                        elif score < -DECIDED:
                            score += ply
                        if bound == EXACT or (score >= beta if bound == LOWER else score <= alpha):
                            if held != SOLVED:
                                horizon += 1
                            return score

            # 2. From here on this position is one that must not come again.
            if identity is not None:
                name = identity(position)
                if name is not None:
                    path.add(name)

            best = -INFINITY
            choice = skip = None
            tried = 0  # siblings that passed the turn so far
            upper = beta  # the window of the next move is (alpha, upper)
            candidates: Iterable[Move]
            if not ply:
                candidates, staged = order[:], False
            elif tabled is not None:
                candidates, staged = (tabled,), True
            else:
                candidates, staged = arranged(position, mover, depth) if learning else moves(position), False

            while True:
                for move in candidates:
                    if skip is not None and move == skip:
                        continue

                    # 3. Every child counts as a node, and may be the one at which time is up.
                    if nodes >= limit:
                        limit = poll(nodes)
                    nodes += 1
                    child = play(position, move)

                    # 4. Its value.  The same player going on: same depth, same sign.  At the root a lot
                    # raises it: as much is taken off the window, so that no move is searched twice for that.
                    if lots is not None:
                        extra = lots[move]
                        alpha -= extra
                        upper -= extra
                    if identity is not None and identity(child) in path:
                        draws += 1
                        score = drawn if mover == player else -drawn
                        certain = True
                    elif child[0] == mover:
                        score = node(child, depth, alpha, upper, ply + 1)
                        certain = False
                    elif depth > 1:
                        certain = False
                        less = 0
                        if reduce is not None and tried:
                            less = min(reduce(position, move, tried, depth), depth - 2)
                        tried += 1
                        score = -node(child, depth - 1 - less, -upper, -alpha, ply + 1)
                        if less and score > alpha:
                            if nodes >= limit:
                                limit = poll(nodes)
                            nodes += 1
                            score = -node(child, depth - 1, -upper, -alpha, ply + 1)
                    else:
                        score = -standing(child, ply + 1)
                        certain = True
                    if lots is not None:
                        alpha += extra
                        upper += extra
                        score = with_lot(score, extra)

                    if score > best:
                        # 5. Better than the narrow window could say: look with the whole one.
                        if alpha < score < beta and upper < beta and not certain:
                            if not ply:  # it is the move even if there is no time left for that
                                kept = search.move, search.score
                                search.move, search.score = move, with_lot(score, -extra)
                            if nodes >= limit:
                                limit = poll(nodes)
                            nodes += 1
                            if child[0] == mover:
                                score = node(child, depth, alpha - extra, beta - extra, ply + 1)
                            else:
                                score = -node(child, depth - 1, extra - beta, extra - alpha, ply + 1)
                            score = with_lot(score, extra)
                            if score <= alpha:  # the table has learned more in between
                                if not ply:
                                    search.move, search.score = kept
                                if score <= best:
                                    continue

                        if score >= beta:
                            cuts += 1
                            if best == -INFINITY:
                                first_cuts += 1
                        best = score
                        choice = move
                        if score > alpha:
                            alpha = score
                            # 6. At the root the move is chosen, even if the iteration is broken off.
                            if not ply:
                                search.move, search.score = move, with_lot(score, -extra)
                                order.remove(move)
                                order.insert(0, move)
                            if score >= beta:
                                break
                            further = not certain and (depth > 1 or child[0] == mover)
                            lines[ply] = (move,) + (lines[ply + 1] if further else ())
                        upper = alpha + 1
                else:
                    if staged:
                        staged, skip = False, tabled
                        candidates = arranged(position, mover, depth) if learning else moves(position)
                        continue
                break

            if identity is not None:
                path.discard(name)

            # 7. No move: the game is over, and `evaluate` knows the result.
            if choice is None:
                return standing(position, ply)

            # 8. What cut off here is tried early elsewhere.
            if best >= beta and quiet is not None and quiet(choice):
                history[mover][choice] += depth * depth
                if choice != killers[depth][0]:
                    killers[depth][:] = choice, killers[depth][0]

            # 9. Remember it, a bound as a bound.  A draw by repetition belongs to the path that
            # led here and not to the position: of such a node only the move is kept.
            if depth == 1:
                horizon += 1
            if remembering:
                bound = LOWER if best >= beta else EXACT if best > floor else UPPER
                score = best
                if score > DECIDED:
                    score += ply
                elif score < -DECIDED:
                    score -= ply
                if draws != draws_before and (best == drawn or best == -drawn):
                    depth = -1
                elif horizon == horizon_before and draws == draws_before:
                    depth = SOLVED
                table.keep(key, (depth, bound, score, choice, age))
            return best

        def standing(position, ply):
            """What `evaluate` says of a position, a win or defeat less the plies until then."""
            score = evaluate(position)
            if not -DECIDED < score < DECIDED:
                score += ply if score < 0 else -ply
            return score

        def arranged(position, mover, depth):
            """The moves with what has been learned: loud ones, killers, then by history."""
            loud, rest = parted(position)
            rest.sort(key=history[mover].__getitem__, reverse=True)
            for move in reversed(killers[depth]):
                if move is not None and move in rest:
                    rest.remove(move)
                    rest.insert(0, move)
            return loud + rest

        def expected(position, ply):
            """What the score at the root is worth so many plies on."""
            score = search.score if position[0] == player else -search.score
            if abs(score) > DECIDED:
                score += ply if score > 0 else -ply
            return score

        def look(depth, alpha, beta):
            """One search from the root."""
            nonlocal nodes, limit
            before = horizon
            try:
                if nodes >= limit:
                    limit = poll(nodes)
                nodes += 1
                score = node(root, depth, alpha, beta, 0)
            finally:
                search.nodes, search.table_hits = nodes, hits
                search.cut_offs, search.first_cuts = cuts, first_cuts
            if alpha < score < beta:
                search.pv = variation(lines[0], root, depth, play, self.entry, expected)
                # A win or defeat nearer than the horizon is not going to change.
                search.exact = horizon == before or WIN - abs(score) <= depth
            return score

        return look
