"""The board of RoPaSci 360: what is legal, what it leads to, and how good that is.

A hex is (r, q): row r from 4 at the top, Upper's side, down to -4 at the bottom, Lower's, and column q.
Columns lean to the left on their way up: (1, -1) and (1, 0) are the two steps up.

A position is a tuple that nobody changes: (tokens, thrown).  Both have two parts, Upper's and then Lower's:
`tokens` has for each player (hex, symbol) of every token, sorted, and `thrown` the number of his throws.

A game also ends when a position comes up for the third time, and after 360 turns.  That is a draw, and so
is that both have a token that nothing can beat any more; this board does not know of it.
"""

THROWS = 9  # each player's
BEATS = {"r": "s", "s": "p", "p": "r"}
BEATEN_BY = {"s": "r", "p": "s", "r": "p"}
STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
HEXES = [(r, q) for r in range(-4, 5) for q in range(-4, 5) if -4 <= r + q <= 4]
NEAR = {(r, q): [(r + dr, q + dq) for dr, dq in STEPS if (r + dr, q + dq) in HEXES] for r, q in HEXES}


def start():
    """The position in which a game begins: nobody has thrown anything."""
    return (((), ()), (0, 0))


def moves(position, player):
    """The legal actions of a player, 0 for Upper and 1 for Lower."""
    tokens, thrown = position
    found = []
    if thrown[player] < THROWS:  # one row more with each throw
        rows = range(4, 3 - thrown[player], -1) if player == 0 else range(-4, thrown[player] - 3)
        found += [("THROW", symbol, (r, q)) for r, q in HEXES if r in rows for symbol in "rps"]
    own = {place for place, _ in tokens[player]}
    for here in own:
        found += [("SLIDE", here, to) for to in NEAR[here]]
        over = {to for pivot in NEAR[here] if pivot in own for to in NEAR[pivot]}
        found += [("SWING", here, to) for to in over if to != here and to not in NEAR[here]]
    return found


def play(position, chosen):
    """The position after a turn, in which both have chosen: Upper's action, then Lower's."""
    tokens, thrown = [list(side) for side in position[0]], list(position[1])
    for player, (kind, what, to) in enumerate(chosen):
        if kind == "THROW":
            thrown[player] += 1
            tokens[player].append((to, what))
        else:
            here, symbol = next(token for token in tokens[player] if token[0] == what)
            tokens[player].remove((here, symbol))
            tokens[player].append((to, symbol))
    for _, _, to in chosen:
        there = {symbol for side in tokens for place, symbol in side if place == to}
        for side in tokens:
            side[:] = [token for token in side if token[0] != to or BEATEN_BY[token[1]] not in there]
    return (tuple(sorted(tokens[0])), tuple(sorted(tokens[1]))), tuple(thrown)


def plain(action):
    """The action in plain tuples, strings and ints: others may send numbers of numpy's, or 4.0 for 4."""
    kind, what, to = action
    what = str(what) if isinstance(what, str) else tuple(map(int, what))
    return (str(kind), what, tuple(map(int, to)))


def evaluate(position, player):
    """How good a position is for a player.

    A token on the board or still to be thrown is worth 1, and less when it stands near one that beats it
    than when it stands near one that it beats.
    """
    worth = [len(position[0][one]) + THROWS - position[1][one] + hunting(position[0], one) for one in (0, 1)]
    return worth[player] - worth[1 - player]


def hunting(tokens, player):
    """A little for each token of a player's, the more the nearer it is to one that it beats."""
    score = 0.0
    for place, symbol in tokens[player]:
        prey = [distance(place, other) for other, its in tokens[1 - player] if its == BEATS[symbol]]
        if prey:
            score += 0.3 / (1 + min(prey))
    return score


def distance(one, other):
    """Steps from one hex to another."""
    dr, dq = one[0] - other[0], one[1] - other[1]
    return max(abs(dr), abs(dq), abs(dr + dq))
