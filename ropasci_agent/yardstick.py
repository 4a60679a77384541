"""The published approach that this agent set out to beat, rebuilt: turn-taking minimax over culled actions.

    referee play ropasci ropasci_agent ropasci_agent.yardstick:Yardstick -t

It thinks as if the opponent saw its action and then answered: alpha-beta, own action first, three plies
or fewer where the board is crowded.  A position is the sum of eight parts, any of which can be left
out: `Yardstick("upper", parts="1235678")`.  Captures are looked at first, one reply deep.  What the
original got through in its second, 260 evaluations, is what `nodes` is unless given.  Unlike
the original it follows the board exactly.
"""

from typing import List, Optional, Tuple

from . import notation
from .position import (
    BEATEN_BY,
    BEATS,
    DISTANCE,
    FIRST_STEP,
    HEXES,
    NEIGHBOURS,
    ON_HEX,
    START,
    THROWS,
    UNIT,
    moves_of,
    occupied,
    play,
)

EVALUATIONS = 260  # a move
DEEPEST = 3
CROWDED = (8, 12)  # tokens on the board from which one ply less is searched, and two
LONG = 200  # actions; longer lists are cut to an eighth
SHORT = 12  # as many are kept of a list that is not long
WIN = 1000.0
RIM = [len(NEIGHBOURS[h]) < 6 for h in range(61)]


class OutOfNodes(Exception):
    """The evaluations of this move are used up."""


class Yardstick:
    def __init__(
        self,
        colour: str,
        variant: str = "",
        seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        parts: str = "12345678",
    ) -> None:
        if variant:
            raise ValueError("RoPaSci has no variants; leave it out, not {!r}".format(variant))
        self.player = notation.COLOURS.index(colour)
        self.nodes = nodes or EVALUATIONS
        self.parts = [PARTS[int(part) - 1] for part in str(parts)]
        self.position = START
        self.seen = {}

    def update(self, opponent_action: Tuple, player_action: Tuple) -> None:
        pair = notation.to_move(player_action), notation.to_move(opponent_action)
        self.position = play(self.position, pair if self.player == 0 else pair[::-1])
        self.seen[self.position[1:]] = self.seen.get(self.position[1:], 0) + 1

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form."""
        self.position = notation.from_text(line)

    def action(self) -> Tuple:
        self.left = self.nodes
        move = self._best_capture()
        if move is None:
            move = self._search()
        return notation.to_action(move)

    def _best_capture(self):
        """A capture that no hunter beside it can avenge, or one that wins more than it loses."""
        best = None
        for move in moves_of(self.position, self.player):
            symbol, h = landing(self.position, self.player, move)
            won = standing(self.position, 1 - self.player, BEATS[symbol], h)
            lost = standing(self.position, self.player, BEATS[symbol], h)
            if not won or lost or standing(self.position, 1 - self.player, BEATEN_BY[symbol], h):
                continue
            trap = any(standing(self.position, 1 - self.player, BEATEN_BY[symbol], n) for n in NEIGHBOURS[h])
            gain = won - trap
            if gain > 0:
                key = gain, move >= FIRST_STEP, -move
                best = key if best is None else max(best, key)
        return None if best is None else -best[2]

    def _search(self):
        tokens = sum(len(side) for side in both_sides(self.position, self.player))
        depth = DEEPEST - sum(tokens >= crowded for crowded in CROWDED)
        best = moves_of(self.position, self.player)[0]  # where the budget ends before all are ranked
        highest = -float("inf")
        try:
            ranked = self._ranked(self.position, self.player)
            best = ranked[0][1]
            for worth, move, after in ranked:
                if self.seen.get(after[1:], 0) >= 2:
                    continue
                value = worth if depth == 1 else self._value(after, 1 - self.player, depth - 1, highest)
                if value > highest:
                    highest, best = value, move
        except OutOfNodes:
            pass
        return best

    def _value(self, position, player, depth, alpha, beta=float("inf")):
        """The value for this yardstick's side, `player` to move."""
        mine = player == self.player
        best = -float("inf") if mine else float("inf")
        for worth, _, after in self._ranked(position, player):
            if not mine:
                worth = -worth
            value = worth if depth == 1 else self._value(after, 1 - player, depth - 1, alpha, beta)
            if mine:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def _ranked(self, position, player):
        """(worth to the mover, move, position after it), the best first, culled."""
        moves = moves_of(position, player)
        useless = least_needed(position, player)
        moves = [move for move in moves if move >= FIRST_STEP or move // 61 != useless] or moves
        ranked = []
        for move in moves:
            if self.left <= 0 and ranked:
                raise OutOfNodes
            self.left -= 1
            after = alone(position, player, move)
            ranked.append((self._evaluate(position, player, move, after), move, after))
        ranked.sort(key=lambda entry: (-entry[0], entry[1]))
        return ranked[: len(ranked) // 8 if len(ranked) > LONG else SHORT]

    def _evaluate(self, before, player, move, after):
        own, foes = both_sides(after, player)
        if not foes and after[2 - player] == THROWS:
            return WIN
        if not own and after[1 + player] == THROWS:
            return -WIN
        return sum(part(before, after, player, move, own, foes) for part in self.parts)


def landing(position, player, move):
    """(symbol, hex) of the token that a move puts down."""
    if move < FIRST_STEP:
        return divmod(move, 61)
    g, h = divmod(move - FIRST_STEP, 61)
    return next(s for s in range(3) if position[3 + 3 * player + s] & ON_HEX[g]), h


def standing(position, player, symbol, h):
    """How many such tokens are on a hex."""
    return position[3 + 3 * player + symbol] >> 4 * h & 15


def alone(position, player, move):
    """The position after one player's move, the other standing still."""
    symbol, h = landing(position, player, move)
    after = list(position)
    if move < FIRST_STEP:
        after[1 + player] += 1
    else:
        after[3 + 3 * player + symbol] -= UNIT[(move - FIRST_STEP) // 61]
    after[3 + 3 * player + symbol] += UNIT[h]
    present = [(after[3 + s] | after[6 + s]) & ON_HEX[h] for s in range(3)]
    for s in range(3):
        if present[s] and present[BEATEN_BY[s]]:
            after[3 + s] &= ~ON_HEX[h]
            after[6 + s] &= ~ON_HEX[h]
    return tuple(after)


def both_sides(position, player):
    """(hex, symbol) of every token: the player's, the opponent's."""
    sides = []
    for side in (player, 1 - player):
        boards = position[3 + 3 * side : 6 + 3 * side]
        sides.append(
            [(h, s) for s in range(3) for h in occupied(boards[s]) for _ in range(boards[s] >> 4 * h & 15)]
        )
    return sides


def least_needed(position, player):
    """The symbol whose prey the opponent has fewest of."""
    foes = [symbol for _, symbol in both_sides(position, player)[1]]
    return min(range(3), key=lambda symbol: (foes.count(BEATS[symbol]), symbol)) if foes else None


# The eight parts: f(position before the move, after it, player, move, own tokens, the opponent's).


def beating_pairs(own, foes):
    """Pairs in which an own token beats a foe, less those the other way round."""
    return sum((BEATS[a] == b) - (BEATS[b] == a) for _, a in own for _, b in foes)


def tokens_part(before, after, player, move, own, foes):
    return 20 * (len(own) - len(foes)) + 20 * beating_pairs(own, foes)


def throws_part(before, after, player, move, own, foes):
    return 12 * (len(foes) - len(own))


def throw_depth_part(before, after, player, move, own, foes):
    return 15 * (after[1 + player] - after[2 - player])


def clusters(tokens: List) -> List:
    """Groups of tokens on the same or adjacent hexes."""
    groups = []
    for token in tokens:
        near = [group for group in groups if any(DISTANCE[token[0]][h] <= 1 for h, _ in group)]
        groups = [group for group in groups if group not in near] + [sum(near, [token])]
    return groups


def midpoint(group):
    return [sum(HEXES[h][axis] for h, _ in group) / len(group) for axis in (0, 1)]


def clusters_part(before, after, player, move, own, foes):
    others = [(midpoint(group), group) for group in clusters(foes)]
    value = 0.0
    for group in clusters(own) if others else ():
        r, q = midpoint(group)

        def away(other, r=r, q=q):
            dr, dq = other[0][0] - r, other[0][1] - q
            return max(abs(dr), abs(dq), abs(dr + dq))

        nearest = min(others, key=away)[1]
        value += len(group) - len(nearest) + 2 * beating_pairs(group, nearest)
    return value


def mobility_part(before, after, player, move, own, foes):
    value = 0
    taken = {h for h, _ in own + foes}
    for h, symbol in own:
        value += 2 * sum(n not in taken for n in NEIGHBOURS[h])
        for foe, other in foes:
            if DISTANCE[h][foe] == 1:
                value += 4 * (BEATS[symbol] == other) - 6 * (BEATEN_BY[symbol] == other)
    swings = sum(
        move >= FIRST_STEP and DISTANCE[(move - FIRST_STEP) // 61][(move - FIRST_STEP) % 61] == 2
        for move in moves_of(after, player)
    )
    return value + 2 * swings


def vulnerability_part(before, after, player, move, own, foes):
    value = 0.0
    for h, symbol in own:
        for foe, other in foes:
            distance = DISTANCE[h][foe]
            if 0 < distance <= 2:
                supporters = sum(0 < DISTANCE[h][friend] <= 2 for friend, _ in own)
                threat = 2 * (BEATS[symbol] == other) - 8 * (BEATEN_BY[symbol] == other)
                value += (threat + supporters) / distance
    return value


def development_part(before, after, player, move, own, foes):
    own_before, foes_before = both_sides(before, player)
    thrown = move < FIRST_STEP
    value = 20 * (len(foes_before) - len(foes)) - 20 * (len(own_before) + thrown - len(own))
    if thrown:
        return value
    g, h = divmod(move - FIRST_STEP, 61)
    forwards = (HEXES[g][0] - HEXES[h][0]) * (1 if player == 0 else -1)
    return value + (5 if DISTANCE[g][h] == 2 else 2) + (2 if forwards > 0 else -8 if forwards < 0 else -10)


def desirability_part(before, after, player, move, own, foes):
    symbol, h = landing(before, player, move)
    value = 20 * bool(standing(before, 1 - player, BEATS[symbol], h))
    value -= 40 * bool(standing(before, 1 - player, BEATEN_BY[symbol], h))
    value += 10 * bool(standing(before, 1 - player, symbol, h))
    if move < FIRST_STEP:
        empty = not any(board & ON_HEX[h] for board in before[3:])
        return value - 8 + 5 * empty
    g = (move - FIRST_STEP) // 61
    return value + 10 * (RIM[g] and not RIM[h]) - 5 * (RIM[h] and not RIM[g])


PARTS = (
    tokens_part,
    throws_part,
    throw_depth_part,
    clusters_part,
    mobility_part,
    vulnerability_part,
    development_part,
    desirability_part,
)
Player = Yardstick
