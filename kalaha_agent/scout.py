"""The search of most positions written out in one function: those that are to be compared with one value.

It finds what `Search` finds with `moves`, `play`, `evaluate`, the tables of endings and the packed table:
the same value, from the same nodes in the same order, twice as fast.  The tests compare them.
"""

from operator import itemgetter
from typing import Callable, List, Sequence, Tuple

from .endings import COLUMNS, ENTRIES, MOST, ROWS
from .evaluate import MARGINS
from .position import OWN_BANK, STANDARD, THEIR_SIDE, UNIT, Board, Halves, Position
from .shared.search import EXACT, LOWER, SOLVED, UPPER, Look
from .table import BOUND, DEPTH, LOW_BITS, MOVE, ORIGIN, SCORE, Packed

Child = Tuple[int, int, int, int, int, int]  # worth, pond, lead, own side, the other's, where it ended
FIRST = itemgetter(0)
WORST = -1 << 40  # below every score
# The least turns to go with which a position is remembered: those with fewer hardly ever come again.
REMEMBERED = 3
LATE, DEEP = 3, 4  # the first move to be looked at less deeply, and the turns to go from which that is done


def later(position: Position, move: int, index: int, depth: int) -> int:
    """Turns by which a move is looked at less deeply: one for all but the first three that pass the turn.

    13 turns from the start in a second instead of 11, and 53 % +- 7 at 50 000 nodes a move (60 pairs).
    From the third move on: 46 % +- 9 (40 pairs).
    """
    return 1 if index >= LATE and depth >= DEEP else 0


def scouting(
    board: Board, table: Packed, promised: Tuple[Halves, Halves], tables: bool
) -> Callable[[Callable[[int], int], List[int]], Look]:
    """The option `scout` of shared/search.py for a board, with or without the tables of endings."""
    field, shifts, moves, sow, facing, unit = (
        board.field, board.shifts, board.moves, board.sow, board.facing, UNIT,
    )
    my, their = promised
    cut, low, my_near, my_far, their_near, their_far = my.cut, my.low, my.near, my.far, their.near, their.far
    row, column, endings = ROWS, COLUMNS, ENTRIES
    most = MOST if tables and board is STANDARD and ENTRIES else 0
    bits, size, quotients, entries = table.bits, table.size, table.quotients, table.entries
    margins, near = MARGINS, len(MARGINS)

    def scout(poll: Callable[[int], int], tally: List[int]) -> Look:
        nodes = limit = horizon = hits = cuts = first_cuts = 0

        def look(position: Position, depth: int, beta: int) -> int:
            """The value of a position against a window that is empty below `beta`."""
            nonlocal nodes, limit, horizon, hits, cuts, first_cuts
            nodes, limit, horizon, hits, cuts, first_cuts = tally
            try:
                return value(position[1], position[2], position[3], depth, beta)
            finally:
                tally[:] = nodes, limit, horizon, hits, cuts, first_cuts

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
                children = ready(lead, mine, theirs, moves((0, lead, mine, theirs)))
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
                        elif depth < near and worth - margins[depth] >= beta:
                            score = worth - margins[depth]
                            horizon += 1
                        else:
                            score = value(ahead, my, their, depth, beta)
                    else:
                        less = tried >= LATE and depth >= DEEP
                        rest = depth - 2 if less else depth - 1
                        if not my:
                            score = worth
                        elif rest < near and worth + margins[rest] < beta:
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
                        others = [pond for pond in moves((0, lead, mine, theirs)) if pond != tabled]
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
            for pond in moves((0, lead, mine, theirs)):
                if nodes >= limit:
                    limit = poll(nodes)
                nodes += 1
                added, given, banked, end = sow[pond][mine >> shifts[pond] & field]
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
                    worth += their_near[their & low] + their_far[their >> cut] - margins[1]
                    score = worth if worth >= beta else last(score, my, their, beta)
                else:
                    score -= my_near[their & low] + my_far[their >> cut]
                    score -= their_near[my & low] + their_far[my >> cut]
                if score > best:
                    if score >= beta:
                        cuts += 1
                        if best == WORST:
                            first_cuts += 1
                        return score
                    best = score
            return best

        return look

    def ready(lead: int, mine: int, theirs: int, ponds: Sequence[int]) -> List[Child]:
        """What playing each pond makes, the one first that is worth most as it stands."""
        children = []
        for pond in ponds:
            # As in Board.play.
            added, given, banked, end = sow[pond][mine >> shifts[pond] & field]
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
                worth = ahead + my_near[my & low] + my_far[my >> cut]
                worth += their_near[their & low] + their_far[their >> cut]
            else:
                worth = ahead - my_near[their & low] - my_far[their >> cut]
                worth -= their_near[my & low] + their_far[my >> cut]
            children.append((worth, pond, ahead, my, their, end))
        if len(children) > 1:
            children.sort(key=FIRST, reverse=True)
        return children

    def known(my: int, their: int, again: bool) -> int:
        """What is still won, with so few pebbles left that it is known: of both sides, by who has moved."""
        left = (my + their) % field
        if again:
            return unit * (2 * endings[row[my] + column[their]] - left)
        return -unit * (2 * endings[row[their] + column[my]] - left)

    return scout
