"""The tree below the root, written out for Kalaha: what alphabeta.py does, in functions that know the board.

Most positions are to be compared with one value only.  For these `value` sows, looks up and evaluates in
one function, 1.15 to 1.5 times as fast as functions that call each other.  Its plain twin is
train/plain.py: the tests compare the two node by node.
"""

from operator import itemgetter
from typing import Callable, List, Optional, Sequence, Tuple

from .endgames import COLUMNS, ENTRIES, MOST, ROWS, ending
from .evaluate import MARGINS, STARVING, evaluator, promises
from .position import OWN_BANK, STANDARD, THEIR_SIDE, UNIT, Board, Position
from .shared.deepening import Look, Search
from .shared.variation import variation
from .table import BOUND, DEPTH, EXACT, LOW_BITS, LOWER, MEGABYTES, MOVE, ORIGIN, SCORE, SOLVED, UPPER, Packed

Child = Tuple[int, int, int, int, int, int]  # worth, pond, lead, own side, the other's, where it ended
FIRST = itemgetter(0)
WORST = -1 << 40  # below every score
# The least turns to go with which a position is remembered: those with fewer hardly ever come again.
REMEMBERED = 3
LATE, DEEP = 3, 4  # the first move to be looked at less deeply, and the turns to go from which that is done
# With more pebbles left than this no search gets as far as the tables of endgames: asking them at every
# node costs a seventh of the speed (534 against 618 thousand nodes a CPU second, train.speed).
FAR_FROM_ENDING = 45


class Tree:
    """The tree of one board, with what is known of its positions."""

    def __init__(self, board: Board, megabytes: float = MEGABYTES) -> None:
        """`megabytes`: how large its table of positions may be."""
        self.board = board
        self.table = Packed(board, megabytes)
        self.promised = promises(board)

    def plant(self, root: Position, search: Search, poll: Callable[[int], int]) -> Optional[Look]:
        """Prepare to look from a position that is not finished: see shared/deepening.py."""
        board, table = self.board, self.table
        order = list(board.moves(root))
        if not order:
            raise ValueError("this game is over: there is no move to choose")
        search.move = order[0]
        search.pv = order[:1]
        if len(order) == 1:
            return None
        tables = board.left(root) <= FAR_FROM_ENDING
        play = ending(board) if tables else board.play
        evaluate = evaluator(self.promised)
        my, their = self.promised
        cut, low = my.cut, my.low
        my_near, my_far, their_near, their_far = my.near, my.far, their.near, their.far
        excess = my.excess + their.excess
        field, choices, facing, unit = board.field, board.choices, board.facing, UNIT
        ways = list(zip(board.shifts, board.sow))
        row, column, endgames = ROWS, COLUMNS, ENTRIES
        most = MOST if tables and board is STANDARD and ENTRIES else 0
        bits, size, quotients, entries = table.bits, table.size, table.quotients, table.entries
        margins, near, starving = MARGINS, len(MARGINS), STARVING

        nodes = limit = 0  # positions looked at so far; at how many to look at the clock
        raised = search.raised(order)
        horizon = 0  # counts what depended on the depth, so that a node sees whether its tree did
        hits = cuts = first_cuts = 0
        lines = {}  # by ply: the best line from there, of the last node with an open window

        def wide(position: Position, depth: int, alpha: float, beta: float, ply: int) -> float:
            """The value of a position against an open window: exact within it, else a bound."""
            nonlocal nodes, limit, horizon, hits, cuts, first_cuts
            if ply and beta - alpha == 1:
                return narrow(position, depth, beta)
            mover, lead, mine, theirs = position
            floor = alpha
            horizon_before = horizon
            lines[ply] = ()

            # 1. What the table knows.
            tabled = None
            if depth >= REMEMBERED:
                entry = table.entry(position)
                if entry is not None:
                    hits += 1
                    held, bound, score, tabled = entry
                    if held >= depth and ply:
                        if bound == EXACT or (score >= beta if bound == LOWER else score <= alpha):
                            if held != SOLVED:
                                horizon += 1
                            return score

            # 2. The moves, by what they are worth where there is more than a turn to go.
            if not ply:
                candidates = order[:]
            elif depth == 1:
                candidates = choices(mine, theirs)
            else:
                candidates = [child[1] for child in ready(lead, mine, theirs, choices(mine, theirs))]
                if tabled is not None:
                    candidates.remove(tabled)
                    candidates.insert(0, tabled)
            if not candidates:
                return lead

            best, choice, tried = WORST, None, 0
            upper = beta  # the window of the next move is (alpha, upper)
            for move in candidates:
                if nodes >= limit:
                    limit = poll(nodes)
                nodes += 1
                child = play(position, move)

                # 3. Its value; with one turn to go it is as it stands.  At the root a lot raises it: as
                # much is taken off the window, so that no move is searched twice for that.
                again = child[0] == mover
                extra = 0 if ply else raised[move]
                low_end, high_end = alpha - extra, upper - extra
                if again:
                    score = wide(child, depth, low_end, high_end, ply + 1)
                elif depth > 1:
                    less = tried >= LATE and depth >= DEEP
                    score = -wide(child, depth - 2 if less else depth - 1, -high_end, -low_end, ply + 1)
                    if less and score > low_end:
                        if nodes >= limit:
                            limit = poll(nodes)
                        nodes += 1
                        score = -wide(child, depth - 1, -high_end, -low_end, ply + 1)
                    tried += 1
                else:
                    score = -evaluate(child)
                score += extra

                if score > best:
                    # 4. Better than the narrow window could say: look with the whole one.
                    further = again or depth > 1
                    if alpha < score < beta and upper < beta and further:
                        if not ply:  # it is the move even if there is no time left for that
                            kept = search.move, search.score
                            search.move, search.score = move, score - extra
                        if nodes >= limit:
                            limit = poll(nodes)
                        nodes += 1
                        if again:
                            score = extra + wide(child, depth, alpha - extra, beta - extra, ply + 1)
                        else:
                            score = extra - wide(child, depth - 1, extra - beta, extra - alpha, ply + 1)
                        if score <= alpha:  # the table has learned more in between
                            if not ply:
                                search.move, search.score = kept
                            if score <= best:
                                continue
                    if score >= beta:
                        cuts += 1
                        first_cuts += choice is None
                    best, choice = score, move
                    if score > alpha:
                        alpha = score
                        # 5. At the root the move is chosen, even if the iteration is broken off.
                        if not ply:
                            search.move, search.score = move, score - extra
                            order.remove(move)
                            order.insert(0, move)
                        if score >= beta:
                            break
                        lines[ply] = (move,) + (lines[ply + 1] if further else ())
                    upper = alpha + 1

            # 6. Remember it.
            if depth == 1:
                horizon += 1
            if depth >= REMEMBERED:
                bound = LOWER if best >= beta else EXACT if best > floor else UPPER
                table.keep(position, SOLVED if horizon == horizon_before else depth, bound, best, choice)
            return best

        def narrow(position: Position, depth: int, beta: int) -> int:
            """The value of a position against a window that is empty below `beta`."""
            nonlocal horizon
            _, lead, mine, theirs = position
            if depth < near and mine:
                score = evaluate(position) - margins[depth]
                if score >= beta and theirs % field - mine % field < starving:
                    horizon += 1
                    return score
            return value(lead, mine, theirs, depth, beta)

        def value(lead: int, mine: int, theirs: int, depth: int, beta: int) -> int:
            nonlocal nodes, limit, horizon, hits, cuts, first_cuts
            if depth == 1:
                return last(lead, mine, theirs, beta)
            if not mine:
                return lead
            horizon_before = horizon

            # 1. What the table knows.
            tabled = None
            if depth >= REMEMBERED:
                quotient, place = divmod(mine << bits | theirs, size)
                entry = entries[place]
                if entry and quotients[place] == quotient:
                    hits += 1
                    tabled = entry & MOVE
                    held = entry >> DEPTH
                    if held >= depth:
                        score = (entry >> SCORE & LOW_BITS) - ORIGIN + lead
                        bound = entry >> BOUND & 3
                        if bound == EXACT or (score >= beta if bound == LOWER else score < beta):
                            if held != SOLVED:
                                horizon += 1
                            return score

            best, choice, tried = WORST, None, 0
            if tabled is None:
                children = ready(lead, mine, theirs, choices(mine, theirs))
            else:
                children = ready(lead, mine, theirs, (tabled,))
            while True:
                for worth, pond, ahead, my, their, end in children:
                    if nodes >= limit:
                        limit = poll(nodes)
                    nodes += 1

                    # 2. The value of a move: known, good or bad enough as it stands, or what comes next.
                    if end == OWN_BANK:
                        if not my:
                            score = worth
                        elif (
                            depth < near
                            and worth - margins[depth] >= beta
                            and their % field - my % field < starving
                        ):
                            score = worth - margins[depth]
                            horizon += 1
                        else:
                            score = value(ahead, my, their, depth, beta)
                    else:
                        less = tried >= LATE and depth >= DEEP
                        rest = depth - 2 if less else depth - 1
                        if not my:
                            score = worth
                        elif (
                            rest < near
                            and worth + margins[rest] < beta
                            and my % field - their % field < starving
                        ):
                            score = worth + margins[rest]
                            horizon += 1
                        else:
                            score = -value(-ahead, their, my, rest, 1 - beta)
                        if less and score >= beta:
                            if nodes >= limit:
                                limit = poll(nodes)
                            nodes += 1
                            score = -value(-ahead, their, my, depth - 1, 1 - beta)
                        tried += 1

                    if score > best:
                        if score >= beta:
                            cuts += 1
                            if choice is None:
                                first_cuts += 1
                            best, choice = score, pond
                            break
                        best, choice = score, pond
                else:
                    if tabled is not None:
                        others = [pond for pond in choices(mine, theirs) if pond != tabled]
                        children = ready(lead, mine, theirs, others)
                        tabled = None
                        continue
                break

            # 3. Remember it.
            if depth >= REMEMBERED:
                if horizon == horizon_before:
                    depth = SOLVED
                quotients[place] = quotient
                bound = LOWER if best >= beta else UPPER
                entries[place] = depth << DEPTH | bound << BOUND | best - lead + ORIGIN << SCORE | choice
            return best

        def last(lead: int, mine: int, theirs: int, beta: int) -> int:
            """The value with one turn to go."""
            nonlocal nodes, limit, horizon, cuts, first_cuts
            if not mine:
                return lead
            best = WORST
            horizon += 1
            for pond in choices(mine, theirs):
                if nodes >= limit:
                    limit = poll(nodes)
                nodes += 1
                shift, row = ways[pond]
                added, given, banked, end = row[mine >> shift & field]
                my, their, score = mine + added, theirs + given, lead + banked
                if end >= 0 and my >> end & field == 1:
                    opposite = facing[end]
                    caught = their >> opposite & field
                    if caught:
                        score += (caught + 1) * unit
                        my -= 1 << end
                        their -= caught << opposite
                if not my or not their:
                    score += (my % field - their % field) * unit
                elif most and (my + their) % field <= most:
                    score += known(my, their, end == OWN_BANK)
                elif end == OWN_BANK:
                    worth = score + my_near[my & low] + my_far[my >> cut]
                    worth += their_near[their & low] + their_far[their >> cut] - excess - margins[1]
                    if worth >= beta and their % field - my % field < starving:
                        score = worth
                    else:
                        score = last(score, my, their, beta)
                else:
                    score += excess - my_near[their & low] - my_far[their >> cut]
                    score -= their_near[my & low] + their_far[my >> cut]
                if score > best:
                    if score >= beta:
                        cuts += 1
                        if best == WORST:
                            first_cuts += 1
                        return score
                    best = score
            return best

        def ready(lead: int, mine: int, theirs: int, ponds: Sequence[int]) -> List[Child]:
            """What playing each pond makes, the one first that is worth most as it stands."""
            children = []
            for pond in ponds:
                # As in Board.play.
                shift, row = ways[pond]
                added, given, banked, end = row[mine >> shift & field]
                my, their, ahead = mine + added, theirs + given, lead + banked
                if end >= 0 and my >> end & field == 1:
                    opposite = facing[end]
                    caught = their >> opposite & field
                    if caught:
                        ahead += (caught + 1) * unit
                        my -= 1 << end
                        their -= caught << opposite
                if not my or not their:
                    worth = ahead = ahead + (my % field - their % field) * unit
                    my = their = 0
                    end = THEIR_SIDE
                elif most and (my + their) % field <= most:
                    worth = ahead = ahead + known(my, their, end == OWN_BANK)
                    my = their = 0
                elif end == OWN_BANK:
                    worth = ahead - excess + my_near[my & low] + my_far[my >> cut]
                    worth += their_near[their & low] + their_far[their >> cut]
                else:
                    worth = ahead + excess - my_near[their & low] - my_far[their >> cut]
                    worth -= their_near[my & low] + their_far[my >> cut]
                children.append((worth, pond, ahead, my, their, end))
            if len(children) > 1:
                children.sort(key=FIRST, reverse=True)
            return children

        def known(my: int, their: int, again: bool) -> int:
            """What is still won, so few pebbles being left that it is known: of both sides, by who moved."""
            left = (my + their) % field
            if again:
                return unit * (2 * endgames[row[my] + column[their]] - left)
            return -unit * (2 * endgames[row[their] + column[my]] - left)

        def expected(position: Position, ply: int) -> float:
            """What the score at the root is worth so many plies on."""
            return search.score if position[0] == root[0] else -search.score

        def look(depth: int, alpha: float, beta: float) -> float:
            """One search from the root."""
            nonlocal nodes, limit
            before = horizon
            try:
                if nodes >= limit:
                    limit = poll(nodes)
                nodes += 1
                score = wide(root, depth, alpha, beta, 0)
            finally:
                search.nodes, search.table_hits = nodes, hits
                search.cut_offs, search.first_cuts = cuts, first_cuts
            if alpha < score < beta:
                search.pv = variation(lines[0], root, depth, play, table.entry, expected)
                search.exact = horizon == before
            return score

        return look
