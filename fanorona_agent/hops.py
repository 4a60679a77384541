"""One hop at a time, as the course's framework plays: what is legal, what follows, and a turn's hops.

A hop is (origin, target, kind), two points and one of PAIKA, APPROACH and WITHDRAWAL, or PASS.
Plain and slow beside position.py: the player's answers must be legal even if that is broken.
"""

from typing import FrozenSet, List, Optional, Tuple

from .position import DIRECTIONS, LAST_QUIET, OVER, POINTS, STRONG, Move, Position

Hop = Tuple

PAIKA, APPROACH, WITHDRAWAL = "PAW"
PASS = ()

LINES = [
    (origin, step)
    for origin in POINTS
    for step in DIRECTIONS
    if origin + step in POINTS and (step in (-10, -1, 1, 10) or STRONG >> origin & 1)
]


def legal(position: Position, has_pass: bool) -> List[Hop]:
    """The legal hops; none when the game is over."""
    _, mine, theirs, quiet, _, chain = position
    if quiet == OVER or not theirs:
        return []
    captures, paikas = [], []
    for origin, step in LINES:
        target = origin + step
        if not mine >> origin & 1 or (mine | theirs) >> target & 1:
            continue
        if chain and (origin != chain[-1] or target in chain or step == chain[-1] - chain[-2]):
            continue
        for kind in (APPROACH, WITHDRAWAL):
            if taken(position, (origin, target, kind)):
                captures.append((origin, target, kind))
        paikas.append((origin, target, PAIKA))
    if chain:
        return captures + [PASS] if has_pass and captures else captures
    return captures or paikas


def taken(position: Position, hop: Hop) -> int:
    """The men that a hop takes."""
    theirs = position[2]
    origin, target, kind = hop
    step = target - origin
    if kind == APPROACH:
        point = target + step
    elif kind == WITHDRAWAL:
        point, step = origin - step, -step
    else:
        return 0
    men = 0
    while point in POINTS and theirs >> point & 1:
        men |= 1 << point
        point += step
    return men


def after(
    position: Position, seen: FrozenSet[int], hop: Hop, has_pass: bool
) -> Tuple[Position, FrozenSet[int]]:
    """The position after a hop and the boards that then must not come again; `seen` are those before."""
    mover, mine, theirs, quiet, _, chain = position
    if hop == PASS:
        return (1 - mover, theirs, mine, 0, None, ()), frozenset()
    origin, target, kind = hop
    mine ^= 1 << origin | 1 << target
    theirs ^= taken(position, hop)
    board = theirs | mine << 50 if mover else mine | theirs << 50
    if quiet == LAST_QUIET or board in seen:
        return (1 - mover, theirs, mine, OVER, None, ()), frozenset()
    if kind == PAIKA:
        return (1 - mover, theirs, mine, quiet + 1, board, ()), seen | {board}
    open_chain = mover, mine, theirs, 0, None, (chain or (origin,)) + (target,)
    if legal(open_chain, has_pass):
        return open_chain, frozenset()
    return (1 - mover, theirs, mine, 0, None, ()), frozenset()


def hops_of(position: Position, move: Move, has_pass: bool) -> Optional[List[Hop]]:
    """One way to play a turn hop by hop, of several the shortest; None if it is no turn here."""
    _, mine, theirs, _, _, _ = position
    if move == 0 and position[5]:
        return [PASS] if has_pass else None
    mine_then, theirs_then = mine ^ (move & (1 << 50) - 1), theirs ^ move >> 50
    ways = [(position, [])]
    while ways:
        longer = []
        for reached, way in ways:
            for hop in legal(reached, has_pass):
                if hop == PASS or taken(reached, hop) & theirs_then:
                    continue
                following, _ = after(reached, frozenset(), hop, has_pass)
                passed = following[0] != position[0]
                boards = (following[2], following[1]) if passed else following[1:3]
                if boards == (mine_then, theirs_then) and (passed or has_pass):
                    return way + [hop] + ([] if passed else [PASS])
                if not passed:
                    longer.append((following, way + [hop]))
        ways = longer
    return None
