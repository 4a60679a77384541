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
from .position import BEATEN_BY, FIRST_STEP, MAX_TURNS, material, moves_of

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
# By 4 x the symbol of a token put down + what stands there: does it remove that, and is it left itself?
HITS = BEATS.reshape(-1).astype(np.int64)
LIVES = 1 - BEATS.T.reshape(-1).astype(np.int64)
# Of each move: where it ends, what it leaves (-1 for a throw), and whether it is a throw.
_MOVES = np.arange(FIRST_STEP + 61 * 61)
END = np.where(_MOVES < FIRST_STEP, _MOVES % 61, (_MOVES - FIRST_STEP) % 61)
LEFT = np.where(_MOVES < FIRST_STEP, -1, (_MOVES - FIRST_STEP) // 61)
THROWS_ONE = (_MOVES < FIRST_STEP).astype(np.int64)
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

    def __init__(self, own, enemy, symbols, moves, player):
        """`own`, `enemy`: how many tokens; `symbols`: of the tokens on each hex, NOTHING on empty ones."""
        self.moves = moves = np.array(moves)
        self.end, self.left, throws = END[moves], LEFT[moves], THROWS_ONE[moves]
        self.throws = throws > 0
        self.symbol = np.where(self.throws, moves // 61, symbols[self.left])
        standing = symbols[self.end]
        battle = 4 * self.symbol + standing
        hits = HITS[battle]
        self.put = 61 * self.symbol + self.end
        self.put_amount = LIVES[battle]
        self.leave_amount = throws - 1
        self.leave = (61 * self.symbol + self.left) * (1 - throws)
        self.hit = hits * (61 * standing + self.end)
        self.own_amount = -own[self.hit] * hits
        self.enemy_amount = -enemy[self.hit] * hits
        self.kills_own = self.own_amount.nonzero()[0]
        self.kills = self.enemy_amount.nonzero()[0]
        self.material = self.own(MATERIAL[player]) + self.enemies(MATERIAL[1 - player])
        self.material += throws * (1 << FIELD * (6 + player))

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


def stage(position, evaluation=DEFAULT, with_keys=False, lists=None, with_still=True):
    """The matrix of player 0's gains over all moves of both; the game must not be over.

    With keys: the `state_key` of every cell's position.  With lists: of these moves only.  Without still:
    that is None.
    """
    counts = boards(position)
    lists = lists or (moves_of(position, 0), moves_of(position, 1))
    upper, lower = counts.reshape(2, 183)
    tokens = counts[0] + counts[1]
    symbols = np.where(tokens.any(0), tokens.argmax(0), NOTHING)
    rows = Changes(upper, lower, symbols, lists[0], 0)
    columns = Changes(lower, upper, symbols, lists[1], 1)
    meetings = Meetings(counts, rows, columns)
    values, still = _positional(position, counts.reshape(2, 183), rows, columns, meetings, evaluation)
    still = still if with_still else None
    _add_material(position, rows, columns, meetings, evaluation, values, still)
    keys = _keys(position, rows, columns, meetings) if with_keys else None
    return Stage(lists, values, still, keys, (rows, columns))


def _positional(position, counts, rows, columns, meetings, evaluation):
    upper, lower = counts
    pairs = evaluation.pairs
    from_lower = np.einsum("ij,j->i", pairs, lower)  # what one more token of player 0 gains
    from_upper = np.einsum("i,ij->j", upper, pairs)
    # A throw by the other player widens the zone in which a token is in danger.
    zone_upper, widens_upper = evaluation.single[0, position[2]], evaluation.widens[0, position[2]]
    zone_lower, widens_lower = evaluation.single[1, position[1]], evaluation.widens[1, position[1]]
    for_upper, for_lower = (
        from_lower + zone_upper,
        from_upper + zone_lower,
    )  # what a token of that player is worth
    base = np.einsum("i,i", upper, for_upper) + np.einsum("i,i", lower, zone_lower)

    # 1. Each player's change against everything as it stands.
    row_pairs = rows.own_rows(pairs)
    change = rows.own(for_upper) + rows.enemies(for_lower)
    some = rows.kills
    change[some] += row_pairs[some, rows.hit[some]] * rows.enemy_amount[some]
    other_change = columns.own(for_lower) + columns.enemies(for_upper)
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
    met = base + meetings.total(0, for_upper) + meetings.total(1, for_lower)
    met += meetings.pairs(pairs)
    if columns.throws.any():
        wide = np.einsum("i,i", upper, widens_upper) + meetings.total(0, widens_upper)
        met += np.where(columns.throws[meetings.column], wide, 0.0)
    if rows.throws.any():
        wide = np.einsum("i,i", lower, widens_lower) + meetings.total(1, widens_lower)
        met += np.where(rows.throws[meetings.row], wide, 0.0)
    values[meetings.cells] = met
    return values, still


def _add_material(position, rows, columns, meetings, evaluation, values, still):
    now = pack(material(position))
    last = position[0] + 1 >= MAX_TURNS

    def lookup(codes):
        """(odds, share, rest) of packed materials, as `Evaluation.material` has them, in three rows."""
        found = np.array([evaluation.material(now + code) for code in codes]).reshape(-1, 3).T
        if last:  # whatever goes on is drawn now
            found[2, found[1] > 0.0] = 0.0
            found[1] = 0.0
        return found

    def add(odds, worth, share, rest):
        odds += worth
        going = squash(odds, position[0] + 1)
        odds[...] = going if share is None else rest + share * going

    row_codes, row_class = _classes(rows.material)
    column_codes, column_class = _classes(columns.material)
    if still:
        for codes, which, alone in ((row_codes, row_class, still[0]), (column_codes, column_class, still[1])):
            add(alone, *lookup(codes)[:, which])
    several = len(row_codes), len(column_codes)
    found = lookup([code + other for code in row_codes for other in column_codes])
    cells = row_class[:, None], column_class
    codes = meetings.total(0, MATERIAL[0]) + meetings.total(1, MATERIAL[1])
    codes += rows.throws[meetings.row] * (1 << FIELD * 6) + columns.throws[meetings.column] * (1 << FIELD * 7)
    met = lookup(codes.tolist())
    # Most matrices need the odds alone: all that may come goes on, and both can win.
    wanted = 1 if (found[1] == 1.0).all() and (met[1] == 1.0).all() else 3
    filled = [None, None, None]
    for number in range(wanted):
        filled[number] = found[number].reshape(several)[cells]
        filled[number][meetings.cells] = met[number]
    add(values, *filled)


def _classes(codes):
    """The different ones of some numbers, and for each the place of its own among them."""
    places = {}
    which = [places.setdefault(code, len(places)) for code in codes.tolist()]
    return list(places), np.array(which)


def _keys(position, rows, columns, meetings):
    with np.errstate(over="ignore"):
        key = state_key(position)
        alone = rows.own(KEYS[0]) + rows.enemies(KEYS[1])
        keys = alone[:, None] + (key + columns.own(KEYS[1]) + columns.enemies(KEYS[0]))
        keys[meetings.cells] = key + meetings.total(0, KEYS[0]) + meetings.total(1, KEYS[1])
    return keys
