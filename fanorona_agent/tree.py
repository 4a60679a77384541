"""The tree that the search walks: whole turns, cut short where the tables of endgames know the result.

Alpha-beta below the loop in shared/deepening.py, written out for Fanorona: most positions are at the
horizon, so these are valued in one function that sees from the same numbers whether there is anything to
capture.  Its plain twin is train/plain.py: the tests compare the two node by node.
"""

from collections import defaultdict
from math import log
from typing import Callable, Collection, Dict, FrozenSet, List, Optional, Tuple

from .endgames import DRAWN, MOST_MEN, WON, Endgames
from .evaluate import COLUMN, LOUD_BY_MEN, MANY, QUIET_BY_MEN, REPEATED, WIN, evaluate
from .position import (
    AHEAD,
    BEHIND,
    BOARD,
    CAPTURE,
    HERE,
    INNER,
    LAST_QUIET,
    LINES,
    NEXT,
    STRONG,
    Move,
    Position,
    captures,
    moves,
    paikas,
    play,
    popcount,
)
from .position import LOWER as CHANGED
from .shared.deepening import Look, Search
from .shared.table import EXACT, LOWER, SOLVED, UPPER, Table
from .shared.variation import variation

DECIDED = WIN - 10_000  # scores beyond this are wins, less the plies until then
INFINITY = WIN + 1
# A win by the tables is worth less than one that the search sees to its end, whatever the difference
# of men: of two such wins the one with more men, then the quicker one.  Without that term the search
# throws men away on its way to an ending that is just as won.
TABLE_WIN = WIN - 5000
TABLE_MAN = 300
# So many captures are followed past the horizon, the biggest ones.
STORM = 3
# Who can capture has to: with so few hops to do it with, standing still is no choice of his there.
FORCED = 2
DRAWN_MAN = 3  # a man more in a drawn ending: the opponent may still err
# What a draw is worth less than nothing to the player who searches: half a man.  Few opponents can hold
# what is even, so he does not steer into a draw, nor capture his way into a drawn ending.
CONTEMPT = 100
# Who may not capture and is above the window is looked at as if he passed, with so many turns to go at
# least; the more there are, the less deeply.  With few men, or late in a quiet run, having to move may lose.
NULL_FROM, NULL_LESS, NULL_SHARE = 2, 2, 4
NULL_MEN, NULL_QUIET = 7, 15
# Before the fifth turn of a quiet run no board has come twice: both sides have to go and to return.
RETURN = 4
DEEPEST = 60  # turns

LATEST = 8  # from this index on captures are reduced alike


def reduction(move: Move, index: int, depth: int) -> int:
    """By how many turns a late move, the index-th of its siblings, is looked at less deeply first."""
    if depth < 3 or not index:
        return 0
    if move >= CAPTURE:
        return 2 if index >= LATEST else 1 if index >= 3 else 0
    return max(1 if index >= 3 else 0, int(0.3 + log(depth) * log(index) / 2.2))


def reductions(move: Move, siblings: int) -> List[List[int]]:
    """The reductions of moves like this one by depth and index; a turn at least is left to go."""
    return [
        [min(reduction(move, index, depth), max(0, depth - 2)) for index in range(siblings)]
        for depth in range(DEEPEST + 1)
    ]


# There are 108 lines to hop along at most.
LESS_OF_PAIKAS, LESS_OF_CAPTURES = reductions(1, 108), reductions(CAPTURE, LATEST + 1)


class Tree:
    """The tree of one rule set, with tables of endgames or (None) without.

    What it knows of positions lives as long as the object.  `contempt`: how much less than nothing a draw
    is worth to the player who searches.  `seen`: the boards that must not come again, set before a search.
    """

    def __init__(self, has_pass: bool, endgames: Optional[Endgames], entries: int = 0) -> None:
        """`entries`: how many positions its table may hold."""
        self.has_pass = has_pass
        self.endgames = endgames
        self.tabled = MOST_MEN if endgames is not None else 0
        self.ended = self.tabled
        self.contempt = CONTEMPT
        self.draws = 0, 0  # what a draw is worth to light and to dark
        self.seen: Collection[int] = ()
        self.table = Table(entries)
        # How much paikas have cut off, for each player.
        self.history: Tuple[Dict[Move, int], Dict[Move, int]] = (defaultdict(int), defaultdict(int))
        self._known: FrozenSet[int] = frozenset()
        self._age = 0

    def knows(self, root: Position) -> bool:
        """Prepare for a search from a position; True if the tables of endgames know it.

        A position with as many men as the root is then not ended by the tables, which know nothing
        of repetitions, but played on from; what they say counts at the horizon.
        """
        self.draws = (self.contempt, -self.contempt) if root[0] else (-self.contempt, self.contempt)
        men = popcount(root[1] | root[2])
        self.ended = min(self.tabled, men - 1)
        return men <= self.tabled

    def moves(self, position: Position) -> List[Move]:
        """The turns, the biggest captures first; none where the game, or the search for it, is over."""
        if popcount(position[1] | position[2]) <= self.ended:
            return []
        return moves(position, self.has_pass)

    def evaluate(self, position: Position) -> int:
        """The score for the mover."""
        _, mine, theirs, quiet, _, _ = position
        my_men, their_men = popcount(mine), popcount(theirs)
        if my_men + their_men > self.tabled or not my_men or not their_men or quiet >= LAST_QUIET:
            return evaluate(position) or self.draws[position[0]]
        value = self.endgames.value(mine, theirs, my_men, their_men)
        more = my_men - their_men
        if value > DRAWN and quiet + WON - value <= LAST_QUIET:
            return TABLE_WIN + TABLE_MAN * more - (WON - value)
        if value < DRAWN and quiet + value <= LAST_QUIET:
            return TABLE_MAN * more + value - TABLE_WIN if value else -WIN
        return self.draws[position[0]] + DRAWN_MAN * more

    def entry(self, position: Position) -> Optional[Tuple[int, int, int, Move]]:
        """What the table holds of a position: (depth, EXACT, LOWER or UPPER, score, move), or None."""
        entry = self.table.get(key(position))
        return None if entry is None else entry[:4]

    def plant(self, root: Position, search: Search, poll: Callable[[int], int]) -> Optional[Look]:
        """Prepare to look from a position that is not finished: see shared/deepening.py.

        The functions share their variables as a closure, since those are twice as fast as attributes.
        """
        self.knows(root)
        order = self.moves(root)
        if not order:
            raise ValueError("this game is over: there is no move to choose")
        search.move = order[0]
        search.pv = order[:1]
        if len(order) == 1 or root[3] == LAST_QUIET:
            return None
        if self._known != set(self.seen):
            self._known = frozenset(self.seen)
            self._age += 1
        has_pass, evaluated, draws, age = self.has_pass, self.evaluate, self.draws, self._age
        tabled, ended, most, forced = self.tabled, self.ended, STORM, min(FORCED, STORM)
        table, history = self.table, self.history
        remembering, keep = table.half > 0, table.keep
        killers: List[List[Move]] = [[0, 0] for _ in range(DEEPEST + 1)]  # by depth; 0: none yet
        raised = search.raised(order)

        nodes = limit = 0  # positions looked at so far; at how many to look at the clock
        horizon = 0  # counts what depended on the depth, so that a node sees whether its tree did
        repeated = 0  # counts repetitions, for the same purpose
        hits = cuts = first_cuts = 0
        # By ply: the best line from there, of the last node with an open window.
        lines: Dict[int, Tuple[Move, ...]] = {}
        path = set(self._known)  # boards that must not come again here
        for taught in history:  # what earlier turns taught counts half
            for move in taught:
                taught[move] //= 2

        def node(mover, mine, theirs, quiet, depth, alpha, beta, ply, passed=False):
            """The value of a position `depth` turns deep: exact within the window, else a bound."""
            nonlocal nodes, limit, horizon, repeated, hits, cuts, first_cuts
            narrow = beta - alpha == 1
            if not narrow:
                lines[ply] = ()
            men = popcount(mine | theirs)
            if men <= ended or quiet >= LAST_QUIET:
                return leaf(mover, mine, theirs, quiet, alpha, beta, ply)
            floor = alpha
            horizon_before = horizon
            repeated_before = repeated

            # 1. What the table knows may be enough; if not, its move is tried before the others
            # are even generated.  Scores in the table are those from the position on: the plies
            # from the root to here are put back in.
            first = None
            place = mine | theirs << 50 | quiet << 100
            if remembering:
                entry = table.young.get(place)
                if entry is None and place in table.old:
                    entry = table.get(place)
                if entry is not None:
                    hits += 1
                    held, bound, score, first, since = entry
                    if held >= depth and since == age:
                        if score > DECIDED:
                            score -= ply
                        elif score < -DECIDED:
                            score += ply
                        if bound == EXACT or (score >= beta if bound == LOWER else score <= alpha):
                            if held != SOLVED:
                                horizon += 1
                            return score

            # 2. Good enough even for who does not move.
            if narrow and depth >= NULL_FROM and men >= NULL_MEN and quiet <= NULL_QUIET and not passed:
                if first is None:
                    hops = mine * HERE & ((BOARD ^ mine ^ theirs) * NEXT & LINES)
                    calm = not (hops & theirs * AHEAD or hops & theirs * BEHIND)
                else:
                    calm = first < CAPTURE
                if calm and -DECIDED < alpha and beta < DECIDED:
                    score = evaluate((mover, mine, theirs, quiet, None, ()))
                    if beta <= score < DECIDED:
                        if nodes >= limit:
                            limit = poll(nodes)
                        nodes += 1
                        rest = depth - 1 - NULL_LESS - depth // NULL_SHARE
                        if rest > 0:
                            score = -node(
                                1 - mover, theirs, mine, quiet + 1, rest, -beta, -alpha, ply + 1, True
                            )
                        else:
                            score = -leaf(1 - mover, theirs, mine, quiet + 1, -beta, -alpha, ply + 1)
                        if score >= beta:
                            horizon += 1
                            return score if score < DECIDED else beta

            # 3. From here on this board is one that must not come again.
            name = None
            if quiet and depth >= RETURN:
                name = theirs | mine << 50 if mover else mine | theirs << 50
                path.add(name)

            best = -INFINITY
            choice = None
            tried = 0  # siblings that were looked at deeper than the horizon
            upper = beta  # the window of the next move is (alpha, upper)
            less_of_paikas, less_of_captures = LESS_OF_PAIKAS[depth], LESS_OF_CAPTURES[depth]
            staged = first is not None
            if staged:
                candidates = [first]
            else:
                candidates = ordered(mover, mine, theirs, quiet, depth)

            while True:
                for move in candidates:
                    # 4. Every child counts as a node, and may be the one at which time is up.
                    if nodes >= limit:
                        limit = poll(nodes)
                    nodes += 1
                    certain = False
                    if move < CAPTURE:
                        mine_after, theirs_after, quiet_after = mine ^ move, theirs, quiet + 1
                        if quiet >= RETURN:
                            board = theirs | mine_after << 50 if mover else mine_after | theirs << 50
                            certain = board in path
                    else:
                        mine_after, theirs_after, quiet_after = mine ^ move & CHANGED, theirs ^ move >> 50, 0

                    # 5. Its value.
                    if certain:
                        repeated += 1
                        score = draws[mover]
                    elif depth > 1:
                        if move < CAPTURE:
                            less = less_of_paikas[tried]
                        else:
                            less = less_of_captures[tried if tried < LATEST else LATEST]
                        tried += 1
                        score = -node(
                            1 - mover,
                            theirs_after,
                            mine_after,
                            quiet_after,
                            depth - 1 - less,
                            -upper,
                            -alpha,
                            ply + 1,
                        )
                        if less and score > alpha:
                            if nodes >= limit:
                                limit = poll(nodes)
                            nodes += 1
                            score = -node(
                                1 - mover,
                                theirs_after,
                                mine_after,
                                quiet_after,
                                depth - 1,
                                -upper,
                                -alpha,
                                ply + 1,
                            )
                    else:
                        score = -leaf(
                            1 - mover, theirs_after, mine_after, quiet_after, -upper, -alpha, ply + 1
                        )

                    if score > best:
                        # 6. Better than the narrow window could say: look with the whole one.
                        if alpha < score < beta and upper < beta and not certain:
                            if nodes >= limit:
                                limit = poll(nodes)
                            nodes += 1
                            if depth > 1:
                                score = -node(
                                    1 - mover,
                                    theirs_after,
                                    mine_after,
                                    quiet_after,
                                    depth - 1,
                                    -beta,
                                    -alpha,
                                    ply + 1,
                                )
                            else:
                                score = -leaf(
                                    1 - mover, theirs_after, mine_after, quiet_after, -beta, -alpha, ply + 1
                                )
                            if score <= best:  # the table has learned more in between
                                continue
                        if score >= beta:
                            cuts += 1
                            if choice is None:
                                first_cuts += 1
                        best = score
                        choice = move
                        if score > alpha:
                            alpha = score
                            if score >= beta:
                                break
                            lines[ply] = (move,) + (lines[ply + 1] if depth > 1 and not certain else ())
                        upper = alpha + 1
                else:
                    if staged:
                        staged = False
                        candidates = ordered(mover, mine, theirs, quiet, depth, first)
                        continue
                break

            if name is not None:
                path.discard(name)

            # 7. No move: the game is over.
            if choice is None:
                return ply - WIN

            # 8. What cut off here is tried early elsewhere.
            if best >= beta and choice < CAPTURE:
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
                if repeated != repeated_before and (best == draws[0] or best == draws[1]):
                    depth = -1
                elif horizon == horizon_before and repeated == repeated_before:
                    depth = SOLVED
                keep(place, (depth, bound, score, choice, age))
            return best

        def ordered(mover, mine, theirs, quiet, depth, first=None):
            """The moves but the first in their order: the biggest captures; paikas by what they cut off."""
            free = BOARD ^ mine ^ theirs
            if first is None or first >= CAPTURE:
                hops = mine * HERE & (free * NEXT & LINES)
                approaches, withdrawals = hops & theirs * AHEAD, hops & theirs * BEHIND
                if approaches or withdrawals:
                    found = captures(mine, theirs, quiet, approaches, withdrawals, has_pass)
                    if first in found:
                        found.remove(first)
                    return found
            if depth == 1:
                return last(mover, mine, free, first)
            found = paikas(mine, free)
            if first in found:
                found.remove(first)
            found.sort(key=history[mover].__getitem__, reverse=True)
            one, other = killers[depth]
            if other in found:
                found.remove(other)
                found.insert(0, other)
            if one in found:
                found.remove(one)
                found.insert(0, one)
            return found

        def last(mover, mine, free, first):
            """The paikas with one turn to go: what cut off elsewhere may do so before the others are made."""
            one, other = killers[1]
            if one & mine and one & free and one != first:
                yield one
            else:
                one = 0
            if other & mine and other & free and other != first:
                yield other
            else:
                other = 0
            found = paikas(mine, free)
            for move in first, one, other:
                if move:
                    found.remove(move)
            found.sort(key=history[mover].__getitem__, reverse=True)
            yield from found

        def leaf(mover, mine, theirs, quiet, alpha, beta, ply):
            """The value of a position at the horizon, where nothing but captures is followed."""
            nonlocal nodes, limit
            my_men, their_men = popcount(mine), popcount(theirs)
            men = my_men + their_men

            # 1. The result, if it is known.
            if men <= tabled or not their_men or quiet >= LAST_QUIET:
                best = evaluated((mover, mine, theirs, quiet, None, ()))
                if not -DECIDED < best < DECIDED:
                    best += ply if best < 0 else -ply
                return best
            free = (BOARD ^ mine ^ theirs) * NEXT & LINES
            my_hops = mine * HERE & free
            if not my_hops:
                return ply - WIN
            approaches, withdrawals = my_hops & theirs * AHEAD, my_hops & theirs * BEHIND
            my_captures = popcount(approaches | withdrawals)

            # 2. Standing still: what evaluate.py says, written out here.
            if 0 < my_captures <= forced:
                best = -INFINITY
            else:
                their_hops = theirs * HERE & free
                my_lines, their_lines = popcount(my_hops), popcount(their_hops)
                if my_captures:
                    man, line, line_a_man, inner, strong, exposed, move, apart, capture = LOUD_BY_MEN[men]
                    move += capture * my_captures
                else:
                    man, line, line_a_man, inner, strong, exposed, move, apart = QUIET_BY_MEN[men]
                score = (
                    man * (my_men - their_men)
                    + line * (my_lines - their_lines)
                    + line_a_man * (my_lines / my_men - their_lines / their_men)
                    + inner * (popcount(mine & INNER) - popcount(theirs & INNER))
                    + strong * (popcount(mine & STRONG) - popcount(theirs & STRONG))
                    + exposed * popcount(their_hops & (mine * AHEAD | mine * BEHIND))
                    + move
                )
                if men < MANY and my_men != their_men:
                    columns = abs(
                        popcount(mine * REPEATED & COLUMN) / my_men
                        - popcount(theirs * REPEATED & COLUMN) / their_men
                    )
                    score += apart * columns if my_men > their_men else -apart * columns
                best = int(score) or 1
                if best >= beta or not my_captures:
                    return best
                if best > alpha:
                    alpha = best

            # 3. The biggest captures.
            for move in captures(mine, theirs, quiet, approaches, withdrawals, has_pass)[:most]:
                if nodes >= limit:
                    limit = poll(nodes)
                nodes += 1
                score = -leaf(
                    1 - mover, theirs ^ move >> 50, mine ^ move & CHANGED, 0, -beta, -alpha, ply + 1
                )
                if score > best:
                    best = score
                    if score > alpha:
                        if score >= beta:
                            break
                        alpha = score
            return best

        def first_ply(depth, alpha, beta):
            """The same as `node` for the root, where lots are drawn and the move is chosen."""
            nonlocal nodes, limit, repeated, cuts, first_cuts
            mover = root[0]
            best = -INFINITY
            tried = 0
            upper = beta
            lines[0] = ()
            for move in order[:]:
                if nodes >= limit:
                    limit = poll(nodes)
                nodes += 1
                _, mine, theirs, quiet, name, _ = play(root, move)

                # 1. A lot raises the value: as much is taken off the window, so that no move is searched
                # twice for that.
                extra = raised[move]
                low, high = extra - upper, extra - alpha
                certain = name in path
                if certain:
                    repeated += 1
                    score = draws[mover]
                elif depth > 1:
                    less = min(reduction(move, tried, depth), depth - 2)
                    tried += 1
                    score = -node(1 - mover, mine, theirs, quiet, depth - 1 - less, low, high, 1)
                    if less and score > -high:
                        if nodes >= limit:
                            limit = poll(nodes)
                        nodes += 1
                        score = -node(1 - mover, mine, theirs, quiet, depth - 1, low, high, 1)
                else:
                    score = -leaf(1 - mover, mine, theirs, quiet, low, high, 1)
                score = with_lot(score, extra)

                if score > best:
                    # 2. Better than the narrow window could say: look with the whole one.
                    if alpha < score < beta and upper < beta and not certain:
                        kept = search.move, search.score
                        # It is the move even if there is no time left for that.
                        search.move, search.score = move, with_lot(score, -extra)
                        if nodes >= limit:
                            limit = poll(nodes)
                        nodes += 1
                        if depth > 1:
                            score = -node(1 - mover, mine, theirs, quiet, depth - 1, extra - beta, high, 1)
                        else:
                            score = -leaf(1 - mover, mine, theirs, quiet, extra - beta, high, 1)
                        score = with_lot(score, extra)
                        if score <= alpha:  # the table has learned more in between
                            search.move, search.score = kept
                            if score <= best:
                                continue
                    if score >= beta:
                        cuts += 1
                        first_cuts += best == -INFINITY
                    best = score
                    if score > alpha:
                        alpha = score
                        # 3. The move is chosen, even if the iteration is broken off.
                        search.move, search.score = move, with_lot(score, -extra)
                        order.remove(move)
                        order.insert(0, move)
                        if score >= beta:
                            break
                        lines[0] = (move,) + (lines[1] if depth > 1 and not certain else ())
                    upper = alpha + 1
            return best

        def expected(position, ply):
            """What the score at the root is worth so many plies on."""
            score = search.score if position[0] == root[0] else -search.score
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
                score = first_ply(depth, alpha, beta)
            finally:
                search.nodes, search.table_hits = nodes, hits
                search.cut_offs, search.first_cuts = cuts, first_cuts
            if alpha < score < beta:
                search.pv = variation(lines[0], root, depth, play, self.entry, expected)
                # A win or defeat nearer than the horizon is not going to change.
                search.exact = horizon == before and depth > 1 or WIN - abs(score) <= depth
            return score

        return look


def with_lot(score: int, extra: int) -> int:
    """The score of a move with what the lot adds; a win or defeat stays what it is."""
    return score + extra if -DECIDED < score < DECIDED else score


def key(position: Position) -> int:
    """What the table knows a position by: the board as the mover sees it, and how long the quiet run is.

    Whose turn it is may be left out: a board that comes again with the colours exchanged does so after
    an odd number of paikas, so with another quiet run.  On two lines of one search the runs might be
    equal; then all that differs is what a draw is worth.
    """
    return position[1] | position[2] << 50 | position[3] << 100
