"""One stage of the game as a matrix: every move against every move, valued in numpy at once.

What a pair of moves leads to is the position + what the first changes + what the second changes,
unless the two meet: both land on one hex, or one lands where the other's token just left.  So the
matrix is base + row's change + column's change + the pair terms between the two changes, and the
cells where they meet (a few in a hundred) are worked out one by one.  The result equals
`evaluate(play(position, pair))` in every cell.

Every product is a table look-up, an elementwise one or an `einsum`: no threads are woken.
"""

from collections import namedtuple
from random import Random

import numpy as np

from .evaluate import DEFAULT, FIELD, pack, squash, tokens_of
from .position import BEATEN_BY, FIRST_STEP, MAX_TURNS, THROWS, material, moves_of

# moves: a list for each player; values[row, column]: what player 0 gains; still: for each player, what
# player 0 gains from each of that player's moves if the other stands still; keys: see `state_key`;
# changes: for each player, what his moves change.
Stage = namedtuple("Stage", "moves values still keys changes")

# Once so much has been freed, glibc keeps what is freed later, and the kernel need not clear it anew for each
# matrix: a fifth of the time in positions with throws.
np.empty(4 << 20, np.uint8)

NOTHING = 3  # the "symbol" of an empty hex
# BEATS[s, q]: a token of symbol s removes what stands on its hex, tokens of symbol q.
BEATS = np.zeros((4, 4), dtype=bool)
BEATS[BEATEN_BY, range(3)] = True
# What one token adds to a packed material, by player and index (61 x symbol + hex).
MATERIAL = np.array([[1 << FIELD * (3 * player + i // 61) for i in range(183)] for player in (0, 1)])
# Random numbers, one for each token: their sum over the board, modulo 2 ** 64, names a state.
_lots = Random(360)  # to import numpy.random takes 6 MB
KEYS = np.array([[_lots.getrandbits(63) - 2**62 for _ in range(183)] for _ in range(2)], np.int64)


class Changes:
    """What each move of a player changes, if the other player's move does not meet it.

    Four entries a move, each an index (61 x symbol + hex) and an amount: the token put down (0 if
    it dies there), the place it left (0 for a throw), own tokens removed, enemies removed.
    """

    def __init__(self, own, enemy, moves, player):
        self.moves = np.array(moves)
        self.throws = self.moves < FIRST_STEP
        left, end = np.divmod(self.moves - FIRST_STEP, 61)
        self.end = np.where(self.throws, self.moves % 61, end)
        self.left = np.where(self.throws, -1, left)
        self.symbol = np.where(self.throws, self.moves // 61, own.argmax(0)[left])
        all_tokens = own + enemy
        standing = np.where(all_tokens.any(0), all_tokens.argmax(0), NOTHING)[self.end]
        hits = BEATS[self.symbol, standing]
        self.put = 61 * self.symbol + self.end
        self.put_amount = 1 - BEATS[standing, self.symbol]
        self.leave = np.where(self.throws, 0, 61 * self.symbol + left)
        self.leave_amount = self.throws - 1
        self.hit = np.where(hits, 61 * standing + self.end, 0)
        self.own_amount = -own.reshape(-1)[self.hit] * hits
        self.enemy_amount = -enemy.reshape(-1)[self.hit] * hits
        self.kills_own = np.flatnonzero(self.own_amount)
        self.kills = np.flatnonzero(self.enemy_amount)
        self.material = self.own(MATERIAL[player]) + self.enemies(MATERIAL[1 - player])
        self.material += self.throws * (1 << FIELD * (6 + player))

    def own(self, table):
        """The sum of table[index] x amount over the own tokens that each move changes."""
        return (
            table[self.put] * self.put_amount
            + table[self.leave] * self.leave_amount
            + table[self.hit] * self.own_amount
        )

    def enemies(self, table):
        return table[self.hit] * self.enemy_amount

    def own_rows(self, table):
        """`own` for a table with a row a token: a row a move."""
        rows = table[self.put] * self.put_amount[:, None] + table[self.leave] * self.leave_amount[:, None]
        rows[self.kills_own] += table[self.hit[self.kills_own]] * self.own_amount[self.kills_own, None]
        return rows


class Meetings:
    """The cells where two moves meet, with everything that changes there, seven entries a player."""

    def __init__(self, counts, rows, columns):
        meet = rows.end[:, None] == columns.end
        meet |= rows.end[:, None] == columns.left
        meet |= rows.left[:, None] == columns.end
        self.cells = self.row, self.column = np.nonzero(meet)
        sides = (rows, self.row), (columns, self.column)
        ends = [side.end[which] for side, which in sides]
        same = ends[0] == ends[1]
        symbols = np.arange(3)[:, None]
        landing = [(symbols == side.symbol[which]).astype(np.int64) for side, which in sides]
        # On both hexes, for both players: (symbols, cells), after lifting and putting down.
        present = [[None, None], [None, None]]
        for player in (0, 1):
            other = 1 - player
            side, which = sides[player]
            present[player][player] = counts[player][:, ends[player]] + landing[player]
            lifted = side.left[which] == ends[other]
            here = counts[player][:, ends[other]] + landing[player] * (same.astype(np.int64) - lifted)
            present[other][player] = here
        change = [[None, None], [None, None]]
        for place in (0, 1):
            beaten = (present[place][0] + present[place][1] > 0)[BEATEN_BY]
            for player in (0, 1):
                change[place][player] = -present[place][player] * beaten
        self.indices, self.amounts = [], []
        for player in (0, 1):
            side, which = sides[player]
            change[player][player] += landing[player]
            change[1][player] *= ~same  # one hex: told once, as the first player's ...
            if player == 1:
                change[0][1] += landing[1] * same  # ... with both landings
            self.indices.append(
                np.concatenate([side.leave[which][None], 61 * symbols + ends[0], 61 * symbols + ends[1]])
            )
            self.amounts.append(
                np.concatenate([side.leave_amount[which][None], change[0][player], change[1][player]])
            )

    def total(self, player, table):
        """The sum of table[index] x amount, a number a cell."""
        return (table[self.indices[player]] * self.amounts[player]).sum(0)

    def pairs(self, table):
        """The pair terms between the changes of both players."""
        met = table[self.indices[0][:, None], self.indices[1][None]] * self.amounts[1][None]
        return (met.sum(1) * self.amounts[0]).sum(0)


def boards(position):
    """The counts of both players, each (symbols, hexes)."""
    counts = np.zeros((2, 183), dtype=np.int64)
    for player in (0, 1):
        for index, number in tokens_of(position, player):
            counts[player, index] = number
    return counts.reshape(2, 3, 61)


def state_key(position):
    """The number that `Stage.keys` has for this position's board."""
    return int((boards(position).reshape(2, 183) * KEYS).sum())


def stage(position, evaluation=DEFAULT, with_keys=False, lists=None):
    """The matrix of player 0's gains over all moves of both; the game must not be over.

    With keys: the `state_key` of every cell's position.  With lists: of these moves only.
    """
    counts = boards(position)
    lists = lists or (moves_of(position, 0), moves_of(position, 1))
    rows = Changes(counts[0], counts[1], lists[0], 0)
    columns = Changes(counts[1], counts[0], lists[1], 1)
    meetings = Meetings(counts, rows, columns)
    values, still = _positional(position, counts.reshape(2, 183), rows, columns, meetings, evaluation)
    _add_material(position, rows, columns, meetings, evaluation, values, still)
    keys = _keys(position, rows, columns, meetings) if with_keys else None
    return Stage(lists, values, still, keys, (rows, columns))


def _positional(position, counts, rows, columns, meetings, evaluation):
    upper, lower = counts
    pairs = evaluation.pairs
    from_lower = np.einsum("ij,j->i", pairs, lower)  # what one more token of player 0 gains
    from_upper = np.einsum("i,ij->j", upper, pairs)
    # A throw by the other player widens the zone in which a token is in danger.
    zone_upper = [evaluation.single[0, min(position[2] + more, THROWS)] for more in (0, 1)]
    zone_lower = [evaluation.single[1, min(position[1] + more, THROWS)] for more in (0, 1)]
    widens_upper, widens_lower = zone_upper[1] - zone_upper[0], zone_lower[1] - zone_lower[0]
    base = np.einsum("i,i", upper, from_lower + zone_upper[0]) + np.einsum("i,i", lower, zone_lower[0])

    # 1. Each player's change against everything as it stands.
    row_pairs = rows.own_rows(pairs)
    change = rows.own(from_lower + zone_upper[0]) + rows.enemies(from_upper + zone_lower[0])
    some = rows.kills
    change[some] += row_pairs[some, rows.hit[some]] * rows.enemy_amount[some]
    other_change = columns.own(from_upper + zone_lower[0]) + columns.enemies(from_lower + zone_upper[0])
    some = columns.kills
    hit = columns.hit[some]
    other_change[some] += columns.enemy_amount[some] * (
        pairs[hit, columns.put[some]] * columns.put_amount[some]
        + pairs[hit, columns.leave[some]] * columns.leave_amount[some]
        + pairs[hit, hit] * columns.own_amount[some]
    )
    values = change[:, None] + (base + other_change)
    still = [base + change, base + other_change]
    # 2. The pair terms between the two changes: tokens moved with tokens moved, then captured.
    values += row_pairs[:, columns.put] * columns.put_amount
    values += row_pairs[:, columns.leave] * columns.leave_amount
    some = columns.kills_own
    values[:, some] += row_pairs[:, columns.hit[some]] * columns.own_amount[some]
    if len(rows.kills) and len(columns.kills):
        both = np.ix_(rows.kills, columns.kills)
        captured = pairs[np.ix_(columns.hit[columns.kills], rows.hit[rows.kills])].T
        values[both] += captured * rows.enemy_amount[rows.kills, None] * columns.enemy_amount[columns.kills]
    # 3. Throws widen the thrower's zone for the other player's tokens.
    if columns.throws.any():
        exposed = np.einsum("i,i", upper, widens_upper) + rows.own(widens_upper)
        exposed = exposed[:, None] + columns.enemies(widens_upper)
        values += np.where(columns.throws, exposed, 0.0)
    if rows.throws.any():
        exposed = np.einsum("i,i", lower, widens_lower) + columns.own(widens_lower)
        exposed = rows.enemies(widens_lower)[:, None] + exposed
        values += np.where(rows.throws[:, None], exposed, 0.0)
    # 4. Where the two meet, everything anew.
    met = base + meetings.total(0, from_lower + zone_upper[0]) + meetings.total(1, from_upper + zone_lower[0])
    met += meetings.pairs(pairs)
    wide = np.einsum("i,i", upper, widens_upper) + meetings.total(0, widens_upper)
    met += np.where(columns.throws[meetings.column], wide, 0.0)
    wide = np.einsum("i,i", lower, widens_lower) + meetings.total(1, widens_lower)
    met += np.where(rows.throws[meetings.row], wide, 0.0)
    values[meetings.cells] = met
    return values, still


def _add_material(position, rows, columns, meetings, evaluation, values, still):
    now = pack(material(position))
    last = position[0] + 1 >= MAX_TURNS

    def lookup(codes):
        """(odds or result, whether the game goes on) of packed materials, few of which differ."""
        different, which = np.unique(codes, return_inverse=True)
        found = np.array([evaluation.material(code) for code in different.tolist()]).reshape(-1, 2)
        if last:
            found *= (1.0 - found[:, 1])[:, None]
        return found[which].reshape(codes.shape + (2,))

    def add(odds, found):
        goes_on = found[..., 1] > 0.0
        odds += found[..., 0]
        odds[...] = np.where(goes_on, squash(odds, position[0] + 1), found[..., 0])

    row_codes, row_class = np.unique(rows.material, return_inverse=True)
    column_codes, column_class = np.unique(columns.material, return_inverse=True)
    for codes, which, alone in ((row_codes, row_class, still[0]), (column_codes, column_class, still[1])):
        add(alone, lookup(now + codes)[which])
    found = lookup(now + row_codes[:, None] + column_codes)
    found = found[row_class[:, None], column_class]
    codes = now + meetings.total(0, MATERIAL[0]) + meetings.total(1, MATERIAL[1])
    codes += rows.throws[meetings.row] * (1 << FIELD * 6) + columns.throws[meetings.column] * (1 << FIELD * 7)
    found[meetings.cells] = lookup(codes)
    add(values, found)


def _keys(position, rows, columns, meetings):
    with np.errstate(over="ignore"):
        key = state_key(position)
        alone = rows.own(KEYS[0]) + rows.enemies(KEYS[1])
        keys = alone[:, None] + (key + columns.own(KEYS[1]) + columns.enemies(KEYS[0]))
        keys[meetings.cells] = key + meetings.total(0, KEYS[0]) + meetings.total(1, KEYS[1])
    return keys
