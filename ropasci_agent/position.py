"""The fast board: a position as nine ints, its moves, and the position after both have moved.

Hexes are numbered from the top row down and each row from the left, so that turning the board
by half a turn sends hex h to 60 - h:

    row  4            0  1  2  3  4                Upper throws from here
    row  3          5  6  7  8  9 10
    row  2       11 12 13 14 15 16 17
    row  1     18 19 20 21 22 23 24 25
    row  0   26 27 28 29 30 31 32 33 34
    row -1     35 36 37 38 39 40 41 42
    row -2       43 44 45 46 47 48 49
    row -3         50 51 52 53 54 55
    row -4           56 57 58 59 60               Lower throws from here

A position is (turns played, throws made by Upper, by Lower, then for Upper and for Lower the
rocks, papers and scissors): each of those six has four bits a hex, the count of such tokens
there, hex 0 lowest.  All but the turns is the state that must not come a third time.

A move is one int: a throw of symbol s to hex h is 61 s + h; moving a token from hex g to hex h is
183 + 61 g + h (one step is a slide, two are a swing; no hex is both).
"""

from typing import List, Optional, Sequence, Tuple

Position = Tuple[int, ...]

ROWS = range(4, -5, -1)
HEXES = [(r, q) for r in ROWS for q in range(max(-4, -4 - r), min(4, 4 - r) + 1)]
INDEX = {place: number for number, place in enumerate(HEXES)}
STEPS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
DISTANCE = [[max(abs(r - s), abs(q - p), abs(r + q - s - p)) for s, p in HEXES] for r, q in HEXES]
NEIGHBOURS = [[h for h in range(61) if DISTANCE[g][h] == 1] for g in range(61)]
# SWINGS[g][pivot]: where a token on g can swing to over that pivot.
SWINGS = [
    {pivot: [h for h in NEIGHBOURS[pivot] if DISTANCE[g][h] == 2] for pivot in NEIGHBOURS[g]}
    for g in range(61)
]

ROCK, PAPER, SCISSORS = range(3)
BEATS = [SCISSORS, ROCK, PAPER]  # what each symbol beats
BEATEN_BY = [PAPER, SCISSORS, ROCK]

THROWS = 9
MAX_TURNS = 360
FIRST_STEP = 183  # smaller moves are throws

START = (0,) * 9
UNIT = [1 << 4 * h for h in range(61)]
ON_HEX = [15 << 4 * h for h in range(61)]
ONES = sum(UNIT)
HEX_OF_BIT = {unit: h for h, unit in enumerate(UNIT)}

# The hexes where a player may throw, by player and throws made: a row more for each throw.
ZONES = [
    [[h for h in range(61) if side * HEXES[h][0] >= 4 - thrown] for thrown in range(THROWS)] + [[]]
    for side in (1, -1)
]
THROW_MOVES = [
    [[61 * symbol + h for symbol in range(3) for h in zone] for zone in ZONES[player]] for player in (0, 1)
]


def occupied(tokens: int) -> List[int]:
    """The hexes with a count in a packed board, in rising order."""
    present = (tokens | tokens >> 1 | tokens >> 2 | tokens >> 3) & ONES
    found = []
    while present:
        low = present & -present
        found.append(HEX_OF_BIT[low])
        present ^= low
    return found


def moves_of(position: Position, player: int) -> List[int]:
    """That player's distinct moves, whether or not the game is over."""
    moves = list(THROW_MOVES[player][position[1 + player]])
    first = 3 + 3 * player
    own = occupied(position[first] | position[first + 1] | position[first + 2])
    standing = set(own)
    for g in own:
        base = FIRST_STEP + 61 * g
        moves += [base + h for h in NEIGHBOURS[g]]
        pivots = [ends for pivot, ends in SWINGS[g].items() if pivot in standing]
        if len(pivots) == 1:
            moves += [base + h for h in pivots[0]]
        elif pivots:  # two pivots may reach the same hex
            moves += [base + h for h in sorted({h for ends in pivots for h in ends})]
    return moves


def moves(position: Position) -> Tuple[List[int], List[int]]:
    """A list of moves for each player; both are empty exactly when the game is over.

    Repetition is not known here: it is the player's who remembers what has been played.
    """
    if result(position) is not None:
        return [], []
    return moves_of(position, 0), moves_of(position, 1)


def play(position: Position, pair: Sequence[int]) -> Position:
    """The position after both moves; they must be legal."""
    after = list(position)
    after[0] += 1
    landing = []
    for player in (0, 1):
        move = pair[player]
        first = 3 + 3 * player
        if move < FIRST_STEP:
            symbol, h = divmod(move, 61)
            after[1 + player] += 1
        else:
            g, h = divmod(move - FIRST_STEP, 61)
            mask = ON_HEX[g]
            symbol = 0 if position[first] & mask else 1 if position[first + 1] & mask else 2
            after[first + symbol] -= UNIT[g]
        landing.append((first + symbol, h))
    # Both are lifted before either is put down, and both are down before any battle.
    for place, h in landing:
        after[place] += UNIT[h]
    for h in {landing[0][1], landing[1][1]}:
        mask = ON_HEX[h]
        here = [(after[3 + symbol] | after[6 + symbol]) & mask for symbol in range(3)]
        for symbol in range(3):
            if here[symbol] and here[BEATEN_BY[symbol]]:
                after[3 + symbol] &= ~mask
                after[6 + symbol] &= ~mask
    return tuple(after)


def count(tokens: int) -> int:
    """How many tokens a packed board holds."""
    return sum(tokens >> 4 * h & 15 for h in occupied(tokens))


def material(position: Position) -> Tuple[int, ...]:
    """(Upper's rocks, papers, scissors, Lower's, throws made by Upper, by Lower): what ends depend on."""
    return tuple(count(tokens) for tokens in position[3:]) + position[1:3]


def alive(position: Position) -> int:
    """Tokens and throws of both players: what only captures make fewer."""
    return sum(count(tokens) for tokens in position[3:]) + 2 * THROWS - position[1] - position[2]


def lead(position: Position, player: int) -> int:
    """Tokens and throws that the player has more than the other."""
    counts = material(position)
    upper = sum(counts[:3]) - counts[6] - sum(counts[3:6]) + counts[7]
    return upper if player == 0 else -upper


def hopeless(material: Sequence[int], player: int) -> bool:
    """Whether the other has a token that nothing will ever beat: the player can only draw any more."""
    mine, theirs = material[3 * player : 3 * player + 3], material[3 - 3 * player : 6 - 3 * player]
    return material[6 + player] == THROWS and any(theirs[s] and not mine[BEATEN_BY[s]] for s in range(3))


def decided(material: Sequence[int]) -> Optional[float]:
    """Player 0's points (1, 0.5 or 0) when tokens and throws end the game, None when they do not."""
    upper, lower = material[:3], material[3:6]
    upper_out, lower_out = material[6] == THROWS, material[7] == THROWS
    upper_gone = upper_out and not any(upper)
    lower_gone = lower_out and not any(lower)
    if upper_gone or lower_gone:
        return 0.5 if upper_gone and lower_gone else 0.0 if upper_gone else 1.0
    upper_safe = lower_out and any(upper[s] and not lower[BEATEN_BY[s]] for s in range(3))
    lower_safe = upper_out and any(lower[s] and not upper[BEATEN_BY[s]] for s in range(3))
    if upper_safe and lower_safe:
        return 0.5
    if upper_safe and sum(lower) == 1:
        return 1.0
    if lower_safe and sum(upper) == 1:
        return 0.0
    return None


def result(position: Position) -> Optional[float]:
    """Player 0's points when the game is over but for repetition, else None."""
    points = decided(material(position))
    return 0.5 if points is None and position[0] >= MAX_TURNS else points
