"""The moves worth searching, most promising first, and how much less deeply the later ones.

Left out are booms that only hurt, and most ways to split a tall stack.  A move that is flagged with
LOUD was put in its place for what it does here; all others are quiet, and left for the search to
order by what they have cut off elsewhere.
"""

from typing import List, Tuple

from .evaluate import MATERIAL
from .position import LOUD, Position, moves, over
from .sides import MOST, TARGETS, Side, mixed

FEW = 4  # with so few enemies left a boom that loses tokens may still win the game
# From which of a turn's moves on the quiet ones are looked at one turn less deeply, and two.
LATE, LATER = 5, 17


def quiet(move: int) -> bool:
    """Whether a move is no boom and was not put in its place."""
    return 64 <= move < LOUD


_lists = {}
LISTS = 3000  # sides whose lists are remembered


def _split(height, distance):
    """How many tokens of a stack are worth moving: of tall stacks not every number."""
    if height <= 3:
        return range(1, height + 1)
    return sorted({1, distance, height // 2, height - 1, height})


def _steps():
    """For each square and height: what `steps` has of such a stack."""
    table = []
    for start in range(64):
        row = [None]
        for height in range(1, MOST + 1):
            found = []
            for target in range(64):
                if TARGETS[height][start] >> target & 1:
                    distance = max(abs(start % 8 - target % 8), abs(start // 8 - target // 8))
                    for n in _split(height, distance):
                        found.append((1 << target, n << 12 | start << 6 | target))
            row.append((1 << start, TARGETS[height][start], tuple(found), tuple(move for _, move in found)))
        table.append(row)
    return table


_STEPS = _steps()


def steps(mine: Side) -> List[Tuple]:
    """What each stack could do on a board without enemies: (its bit, its targets, moves with bits, moves)."""
    known = _lists.get(mine[12])
    if known is None:
        heights, rest = mine[:2]
        known = []
        while rest:
            start = rest.bit_length() - 1
            rest ^= 1 << start
            known.append(_STEPS[start][heights >> 4 * start & 15])
        if len(_lists) >= LISTS:
            _lists.clear()
        _lists[mine[12]] = known
    return known


def candidates(position: Position) -> List[int]:
    """The moves to search; none exactly when the game is over."""
    booms, rest, bad_booms = _found(position)
    return booms + rest + bad_booms or moves(position)


def parted(position: Position) -> Tuple[List[int], List[int]]:
    """The same moves, the quiet ones apart from the others."""
    booms, rest, bad_booms = _found(position)
    booms += bad_booms
    if booms or rest:
        return booms, rest
    legal = moves(position)
    return [move for move in legal if not quiet(move)], [move for move in legal if quiet(move)]


def _found(position: Position) -> Tuple[List[int], List[int], List[int]]:
    """Booms and what else is put in its place, quiet moves, and booms that lose tokens."""
    if over(position):
        return [], [], []
    _, mine, theirs, _, _ = position
    bits, near, m, e = theirs[1], theirs[2], mine[4], theirs[4]

    # 1. Booms of mixed components, the best first; those that lose come last, or not at all.  One for one
    # is played too: it ends what the enemy threatens elsewhere, or gets in first.
    booms, bad_booms, in_danger = [], [], 0
    if mine[1] & near:
        standing = MATERIAL[m][e]
        for group, my_part, their_part in mixed(mine, theirs):
            own = group & mine[1]
            boom = own.bit_length() - 1
            gain = MATERIAL[m - my_part][e - their_part]
            if gain > standing or their_part >= my_part:
                booms.append((-gain, boom))
            elif e <= FEW:
                bad_booms.append(boom)
            if my_part > their_part:
                in_danger |= own
        booms.sort()
        booms = [boom for _, boom in booms]

    # 2. Moves: beside the enemy, by what would go up there; out of danger; and the rest.
    landings, escapes, rest, swings = [], [], [], {}
    for stack, targets, known, plain in steps(mine):
        threatened = stack & in_danger
        if not threatened and not targets & near:
            rest += plain
            continue
        for bit, move in known:
            if bit & near:
                if bit & bits:
                    continue
                swing = swings.get(bit)
                if swing is None:
                    swing = 0
                    for _, around, together in theirs[5]:
                        if around & bit:
                            swing += together
                    for _, around, together in mine[5]:
                        if around & bit:
                            swing -= together
                    swings[bit] = swing
                if swing > 0:
                    landings.append(((move >> 12) - swing, move | LOUD))
                else:
                    rest.append(move)
            elif threatened:
                escapes.append((-(move >> 12), move | LOUD))
            else:
                rest.append(move)
    if landings:
        landings.sort()
        booms += [move for _, move in landings]
    if escapes:
        escapes.sort()
        booms += [move for _, move in escapes]
    return booms, rest, bad_booms


def reduction(position: Position, move: int, index: int, depth: int) -> int:
    """By how many turns a move is looked at less deeply until it proves good."""
    if index < LATE or move < 64 or move >= LOUD:
        return 0
    return 1 if index < LATER else 2
