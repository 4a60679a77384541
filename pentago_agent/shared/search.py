"""Alpha-beta, for games where one player moves at a time.

How an agent uses it:

    search = Search(moves, play, evaluate)             # three functions of the game, see below
    with clock:
        move = search.best(position, clock)            # deepens until the clock says stop

A position is a hashable that is never changed, in practice a tuple of ints, and `position[0]` is
the player to move.

    moves(position)      its moves, most promising first: a list, or a generator that is read only
                         as far as needed; empty exactly when the game is over
    play(position, move) the position after it; if `position[0]` is the same, that player goes on
                         (not for ever: depth counts turns, so a turn has to end)
    evaluate(position)   an int for the mover, between -WIN and WIN; for a finished game the exact
                         result.  A game without margins says WIN or -WIN there, and a table of
                         endings WIN minus the plies still to play: the search takes a point off a
                         ply, and so prefers quicker wins and slower defeats.
    noisy(position)      optional: the moves worth following past the horizon (captures), where
                         `evaluate` is the score of standing still; none for a finished game

A search may be broken off anywhere, by the clock or by an error in the game's functions: there
is nothing to undo.  `search.move` then is the best move found, and the first legal one from the
very beginning, so that a player whose search failed can still answer.
"""

import sys
from collections import defaultdict
from typing import Any, Callable, Collection, Dict, FrozenSet, Hashable, Iterable, List, Optional, Tuple

from .clock import Clock, Stop

Position = Any  # a tuple of ints, the mover first
Move = Any  # the game's own code for a move: hashable, and equal only to itself

WIN = 1_000_000  # what `evaluate` says of a won game
DECIDED = WIN - 10_000  # scores beyond this are wins, less the plies until then
INFINITY = WIN + 1

EXACT, LOWER, UPPER = 0, 1, 2  # what the score of a table entry is of the true value
SOLVED = 1_000  # the depth of an entry whose tree ended everywhere before the horizon

Look = Callable[[Position, int, int], int]  # see the option `scout` of Search


def in_one_piece(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's result, from frames that all lie in one piece of the interpreter's stack.

    From 3.11 on CPython keeps frames in pieces of 16 KB.  A search that goes to and fro over the end of one
    asks for memory at each call, and where it stands depends on who called.  A frame that needs a large
    piece leaves the rest of it to those that follow: Kalaha's search takes 0.88 of the time on average of
    eight callers' depths, Fanorona's 0.93, and at the worst of them 0.67.
    """
    return function(*arguments)


if sys.version_info >= (3, 11):  # before, each frame was a piece of its own
    in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=17_000)


# (depth, one of the three above, score, best move, age: see `Table.keep`)
Entry = Tuple[int, int, int, Move, int]


class Table:
    """What is known of positions seen: at most `entries` of them, in two generations.

    New entries go to the young generation.  When that is half of what is allowed it becomes the
    old one, and what was old is forgotten; an old entry that is asked for is young again.  So
    nothing is ever scanned, and what stays is what is used.  An entry takes 200 to 300 bytes.
    """

    __slots__ = ("half", "young", "old")

    def __init__(self, entries: int) -> None:
        self.half = entries // 2
        self.young: Dict[Hashable, Entry] = {}
        self.old: Dict[Hashable, Entry] = {}

    def __len__(self) -> int:
        return len(self.young) + len(self.old)

    def get(self, key: Hashable) -> Optional[Entry]:
        """The entry of a position, or None."""
        entry = self.young.get(key)
        if entry is None:
            entry = self.old.get(key)
            if entry is not None:
                self.keep(key, entry)
        return entry

    def keep(self, key: Hashable, entry: Entry) -> None:
        """Remember an entry, unless a deeper one of the same age (what follows the move) is known."""
        young = self.young
        known = young.get(key)
        if known is None:
            if len(young) >= self.half:
                self.old = young
                self.young = young = {}
        elif known[0] > entry[0] and known[4:] == entry[4:]:
            return
        young[key] = entry


class Search:
    """One player's search: its table and what it has learned live as long as the object.

    Options, each of which can be switched off to see what it is worth:

    noisy       the function above: captures are followed past the horizon
    entries     size of the table; 0: none
    table_from  the least depth at which positions are remembered.  2 leaves out the frontier, which
                is most of the tree and hardly ever met again: in Kalaha 3 % more nodes with room for
                all of them, but a third of the nodes with 50 000 entries, and a tenth faster
    windows     principal variation search, and aspiration windows of +-`aspiration` around the
                last score; False: every move with the whole window
    driver      "pvs", or "mtdf": the value is closed in by searches with empty windows
    killers     moves that cut off a sibling come first among the quiet ones
    history     and the others in the order of how much they have cut off so far
    quiet       which moves those two may reorder: quiet(move) -> bool; None: all of them.  The
                others stay in front, in the game's order.  (A generator is then read to its end.)
    reduce      reduce(position, move, index, depth) -> turns by which the move, the index-th of
                its siblings, is looked at less deeply unless it turns out good; None: never
    least       least(position, depth): a score that a position is taken to have at least, with so many
                turns to go, without a look at its moves; of a finished one it must not claim more than
                the result.  Asked where a position is to be compared with one value only.  For games
                where a move seldom harms; None: never
    moves_at    moves_at(position, depth): the moves in an order that costs more, where it may pay
    key         key(position): what the table knows a position by, None: the whole position.
                Positions with the same key have the same moves, and values that differ only by
    base        base(position): a score already won, contained in `evaluate` and independent of
                the rest (banks).  itemgetter(2), itemgetter(1) are the fastest such functions.
    repetition  a position that comes again on one line of play is a draw: True, or a function
                that tells what makes two positions the same one (None: this one never counts)
    same_depth  table entries count only at equal depth: then the value is that of plain minimax
    deepest     the depth, in turns, at which deepening ends
    scout       a function of the game's own for positions that are to be compared with one value only,
                which are most of them, for games without `noisy`, `repetition`, killers and history.
                It has to find what the search would find, but faster.  scout(poll, tally), called once
                a search, returns look(position, depth, beta) -> value, for the window (beta - 1, beta).
                tally is the list of numbers that both keep: nodes, limit, horizon, table hits, cut-offs,
                those by a first move

    `contempt` may be set between searches: a draw by repetition is worth that much less to the
    player who searches.

    After (and during) a search: `move`, `depth` of the last complete iteration, `score` of the move
    for the mover, `scores` by depth, `pv` (the moves expected), `nodes` (positions looked at, leaves and
    those beyond the horizon included), `table_hits`, `cut_offs`, `first_move_cuts` (the share of
    them that the first move made), `exact` (the game was searched to its end).
    """

    def __init__(
        self,
        moves: Callable[[Position], Iterable[Move]],
        play: Callable[[Position, Move], Position],
        evaluate: Callable[[Position], int],
        noisy: Optional[Callable[[Position], Iterable[Move]]] = None,
        entries: int = 100_000,
        table_from: int = 2,
        windows: bool = True,
        aspiration: int = 50,
        driver: str = "pvs",
        killers: bool = False,
        history: bool = False,
        quiet: Optional[Callable[[Move], bool]] = None,
        reduce: Optional[Callable[[Position, Move, int, int], int]] = None,
        least: Optional[Callable[[Position, int], int]] = None,
        moves_at: Optional[Callable[[Position, int], Iterable[Move]]] = None,
        key: Optional[Callable[[Position], Hashable]] = None,
        base: Optional[Callable[[Position], int]] = None,
        repetition: Any = None,
        same_depth: bool = False,
        deepest: int = 100,
        scout: Optional[Callable[[Callable[[int], int], List[int]], Look]] = None,
    ) -> None:
        if driver not in ("pvs", "mtdf"):
            raise ValueError(f"driver is 'pvs' or 'mtdf', not {driver!r}")
        self.moves = moves
        self.play = play
        self.evaluate = evaluate
        self.noisy = noisy
        self.windows = windows
        self.aspiration = aspiration
        self.driver = driver
        self.killers = killers
        self.quiet = quiet
        self.reduce = reduce
        self.least = least
        self.moves_at = moves_at
        self.key = key
        self.base = base
        self.repetition = repetition
        self.same_depth = same_depth
        self.deepest = deepest
        self.scout = scout
        self.contempt = 0
        self.table = Table(entries)
        self.table_from = table_from if self.table.half else deepest + 1
        # What quiet moves have cut off, for each player: a game's own `moves` may read it as well.
        self.history = (defaultdict(int), defaultdict(int)) if history else None
        self._seen: FrozenSet[Hashable] = frozenset()
        self._age = 0
        self._forget()

    def _forget(self) -> None:
        self.move: Optional[Move] = None
        self.depth = 0
        self.score: Optional[int] = None
        self.scores: Dict[int, int] = {}
        self.pv: List[Move] = []
        self.nodes = 0
        self.table_hits = 0
        self.cut_offs = 0
        self.first_move_cuts = 0.0
        self.exact = False

    def best(
        self,
        position: Position,
        clock: Optional[Clock] = None,
        tell: Optional[Callable[[Move, int, int, List[Move]], None]] = None,
        seen: Collection[Hashable] = (),
    ) -> Move:
        """The best move of a position that is not finished, as far as the clock allows.

        After each iteration `tell(move, depth, score, pv)` is called.  Positions in `seen` (those
        already played; what `repetition` makes of them, if that is a function) are draws: when there
        are new ones, scores in the table that may rest on them are no longer used, only the moves.
        The only move there is comes back at once.  What the game's functions raise comes through.
        """
        self._forget()
        if self._seen != set(seen):
            self._seen = frozenset(seen)
            self._age += 1
        clock = clock or Clock()
        with clock:
            order = list(self.moves(position))
            if not order:
                raise ValueError("this game is over: there is no move to choose")
            self.move = order[0]
            self.pv = order[:1]
            if len(order) == 1:
                return self.move
            clock.begin()
            iterate, count = self._tree(position, order, clock)
            try:
                for depth in range(1, self.deepest + 1):
                    self.exact = in_one_piece(iterate, depth)
                    count()
                    if tell is not None:
                        tell(self.move, depth, self.score, self.pv)
                    # A win or defeat nearer than the horizon is not going to change.
                    if self.exact or WIN - abs(self.score) <= depth or not clock.more():
                        break
            except Stop:
                pass  # the move is that of the last iteration, or the best of a part of this one
            finally:
                count()
                clock.end()
        return self.move

    def entry(self, position: Position) -> Optional[Tuple[int, int, int, Move]]:
        """What the table holds of a position: (depth, EXACT, LOWER or UPPER, score, move), or None."""
        entry = self.table.get(self.key(position) if self.key else position)
        if entry is None:
            return None
        depth, bound, score, move, _ = entry
        return depth, bound, score + (self.base(position) if self.base else 0), move

    def _tree(
        self, root: Position, order: List[Move], clock: Clock
    ) -> Tuple[Callable[[int], bool], Callable[[], None]]:
        """The functions that walk the tree below one position, made anew for each search.

        They share their variables as a closure, since those are twice as fast as attributes.
        """
        moves, play, evaluate, noisy, reduce = self.moves, self.play, self.evaluate, self.noisy, self.reduce
        key_of, base_of, table, same_depth = self.key, self.base, self.table, self.same_depth
        quiet, history, narrow, poll = self.quiet, self.history, self.windows, clock.poll
        tally = [0] * 6
        scout = self.scout and self.scout(poll, tally)
        killers = [[None, None] for _ in range(self.deepest + 1)] if self.killers else None
        learning = self.killers or history is not None
        table_from, age = self.table_from, self._age
        least, moves_at = self.least, self.moves_at
        player, drawn = root[0], -self.contempt

        nodes = limit = 0  # positions looked at so far; at how many to look at the clock
        horizon = 0  # counts what depended on the depth, so that a node sees whether its tree did
        draws = 0  # counts repetitions, for the same purpose
        hits = cuts = first_cuts = 0
        lines = {}  # by ply: the best line from there, of the last node with an open window

        identity = self.repetition if callable(self.repetition) else None
        repeating = bool(self.repetition)
        path = set(self._seen)  # what would be a repetition here
        watching = repeating or bool(path)

        if history is not None:  # what earlier turns taught counts half
            for taught in history:
                for move in taught:
                    taught[move] //= 2

        def node(position, depth, alpha, beta, ply):
            """The value of a position `depth` turns deep: exact within the window, else a bound."""
            nonlocal nodes, limit, horizon, draws, hits, cuts, first_cuts
            # 1. Good enough as it stands, or a matter for the game's own function.
            if ply and beta - alpha == 1:
                if least is not None:
                    score = least(position, depth)
                    if score >= beta:
                        horizon += 1
                        return score
                if scout is not None:
                    tally[:] = nodes, limit, horizon, hits, cuts, first_cuts
                    try:
                        return scout(position, depth, beta)
                    finally:
                        nodes, limit, horizon, hits, cuts, first_cuts = tally

            mover = position[0]
            floor = alpha
            horizon_before = horizon
            draws_before = draws
            if beta - alpha > 1:
                lines[ply] = ()

            # 2. What the table knows may be enough; if not, its move is tried before the others
            # are even generated.  Scores in the table are those from the position on: what was
            # won before (base) and the plies from the root to here are put back in.
            tabled = None
            if depth >= table_from:
                key = position if key_of is None else key_of(position)
                base = 0 if base_of is None else base_of(position)
                entry = table.young.get(key)
                if entry is None and key in table.old:
                    entry = table.get(key)
                if entry is not None:
                    hits += 1
                    held, bound, score, tabled, since = entry
                    if held >= depth and ply and since == age and (held == depth or not same_depth):
                        score += base
                        if score > DECIDED:
                            score -= ply
                        elif score < -DECIDED:
                            score += ply
                        if bound == EXACT or (score >= beta if bound == LOWER else score <= alpha):
                            if held != SOLVED:
                                horizon += 1
                            return score

            # 3. From here on this position is one that must not come again.
            if repeating:
                name = position if identity is None else identity(position)
                if name is not None:
                    path.add(name)

            best = -INFINITY
            choice = skip = None
            tried = 0  # siblings that passed the turn so far
            upper = beta  # the window of the next move is (alpha, upper)
            if not ply:
                candidates, staged = order[:], False
            elif tabled is not None:
                candidates, staged = (tabled,), True
            else:
                candidates = moves(position) if moves_at is None else moves_at(position, depth)
                staged = False
                if learning:
                    candidates = arranged(candidates, mover, depth)

            while True:
                for move in candidates:
                    if skip is not None and move == skip:
                        continue

                    # 4. Every child counts as a node, and may be the one at which time is up.
                    if nodes >= limit:
                        limit = poll(nodes)
                    nodes += 1
                    child = play(position, move)

                    # 5. Its value.  The same player going on: same depth, same sign.
                    if watching and (child if identity is None else identity(child)) in path:
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
                    elif noisy is None:
                        score = -evaluate(child)
                        certain = True
                        if not -DECIDED < score < DECIDED:
                            score += ply + 1 if score < 0 else -ply - 1
                    else:
                        score = -storm(child, -upper, -alpha, ply + 1)
                        certain = False

                    if score > best:
                        # 6. Better than the narrow window could say: look with the whole one.
                        if alpha < score < beta and upper < beta and not certain:
                            if not ply:  # it is the move even if there is no time left for that
                                kept = self.move, self.score
                                self.move, self.score = move, score
                            if nodes >= limit:
                                limit = poll(nodes)
                            nodes += 1
                            if child[0] == mover:
                                score = node(child, depth, alpha, beta, ply + 1)
                            elif depth > 1:
                                score = -node(child, depth - 1, -beta, -alpha, ply + 1)
                            else:
                                score = -storm(child, -beta, -alpha, ply + 1)
                            if score <= alpha:  # the table has learned more in between
                                if not ply:
                                    self.move, self.score = kept
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
                            # 7. At the root the move is chosen, even if the iteration is broken off.
                            if not ply:
                                self.move, self.score = move, score
                                order.remove(move)
                                order.insert(0, move)
                            if score >= beta:
                                break
                            further = not certain and (depth > 1 or child[0] == mover)
                            lines[ply] = (move,) + (lines[ply + 1] if further else ())
                        if narrow:
                            upper = alpha + 1
                else:
                    if staged:
                        staged, skip = False, tabled
                        candidates = moves(position) if moves_at is None else moves_at(position, depth)
                        if learning:
                            candidates = arranged(candidates, mover, depth)
                        continue
                break

            if repeating:
                path.discard(name)

            # 8. No move: the game is over, and `evaluate` knows the result.
            if choice is None:
                score = evaluate(position)
                if not -DECIDED < score < DECIDED:
                    score += ply if score < 0 else -ply
                return score

            # 9. What cut off here is tried early elsewhere.
            if best >= beta and learning and (quiet is None or quiet(choice)):
                if history is not None:
                    history[mover][choice] += depth * depth
                if killers is not None and choice != killers[depth][0]:
                    killers[depth][:] = choice, killers[depth][0]

            # 10. Remember it, a bound as a bound.  A draw by repetition belongs to the path that
            # led here and not to the position: of such a node only the move is kept.
            if depth == 1:
                horizon += 1
            if depth >= table_from:
                bound = LOWER if best >= beta else EXACT if best > floor else UPPER
                score = best
                if score > DECIDED:
                    score += ply
                elif score < -DECIDED:
                    score -= ply
                if draws != draws_before and (best == drawn or best == -drawn):
                    depth = -1
                elif horizon == horizon_before and draws == draws_before and not same_depth:
                    depth = SOLVED
                table.keep(key, (depth, bound, score - base, choice, age))
            return best

        def storm(position, alpha, beta, ply):
            """The value of a position at the horizon when all but noisy moves are left alone."""
            nonlocal nodes, limit
            best = evaluate(position)
            if not -DECIDED < best < DECIDED:
                return best + (ply if best < 0 else -ply)
            if best >= beta:
                return best
            if best > alpha:
                alpha = best
            mover = position[0]
            for move in noisy(position):
                if nodes >= limit:
                    limit = poll(nodes)
                nodes += 1
                child = play(position, move)
                if child[0] == mover:
                    score = storm(child, alpha, beta, ply + 1)
                else:
                    score = -storm(child, -beta, -alpha, ply + 1)
                if score > best:
                    best = score
                    if score > alpha:
                        if score >= beta:
                            break
                        alpha = score
            return best

        def arranged(candidates, mover, depth):
            """The moves with what has been learned: loud ones, killers, then by history."""
            if quiet is None:
                loud, rest = [], list(candidates)
            else:
                loud, rest = [], []
                for move in candidates:
                    (rest if quiet(move) else loud).append(move)
            if history is not None:
                rest.sort(key=history[mover].__getitem__, reverse=True)
            if killers is not None:
                for move in reversed(killers[depth]):
                    if move is not None and move in rest:
                        rest.remove(move)
                        rest.insert(0, move)
            return loud + rest

        def look(depth, alpha, beta):
            """One search from the root."""
            nonlocal nodes, limit
            if nodes >= limit:
                limit = poll(nodes)
            nodes += 1
            return node(root, depth, alpha, beta, 0)

        def closing_in(depth, guess):
            """The value by searches with empty windows, each of which halves what is possible."""
            low, high = -INFINITY, INFINITY
            while low < high:
                beta = guess + 1 if guess == low else guess
                guess = look(depth, beta - 1, beta)
                if guess < beta:
                    high = guess
                else:
                    low = guess
            return guess

        def opening_up(depth, guess):
            """The value by a window around the guess, opened on the side where it fails."""
            width = self.aspiration
            low, high = guess - width, guess + width
            while True:
                score = look(depth, low, high)
                width *= 4
                if score <= low:
                    low = score - width
                elif score >= high:
                    high = score + width
                else:
                    return score

        def iterate(depth):
            """Search to one depth and say so in the attributes; True if the game ended everywhere."""
            before = horizon
            guess = self.scores.get(depth - 1)
            if self.driver == "mtdf":
                score = closing_in(depth, guess or 0)
            elif guess is None or not self.windows:
                score = look(depth, -INFINITY, INFINITY)
            else:
                score = opening_up(depth, guess)
            self.depth = depth
            self.score = self.scores[depth] = score
            self.pv = variation(depth)
            return horizon == before

        def variation(depth):
            """The line expected: what open windows left, and then what the table knows of the same score."""
            position, turns = root, depth
            line = list(lines.get(0, ())) or [self.move]  # empty windows leave none
            for ply, move in enumerate(line, 1):  # it grows on the way
                after = play(position, move)
                turns -= after[0] != position[0]
                position = after
                if ply == len(line) and turns > 0:
                    entry = self.entry(position)
                    score = self.score if position[0] == player else -self.score
                    if abs(score) > DECIDED:
                        score += ply if score > 0 else -ply
                    if entry is not None and entry[0] >= turns and entry[2] == score:
                        line.append(entry[3])
            return line

        def count():
            """Say in the attributes how much was done."""
            self.nodes, self.table_hits, self.cut_offs = nodes, hits, cuts
            self.first_move_cuts = first_cuts / cuts if cuts else 0.0

        return iterate, count
