"""The rules of Pentago, twist and classic: each clause, every figure known of them, and whole games."""

import math
import random
from collections import Counter
from itertools import combinations

import pytest

from referee import rules
from referee.rules.pentago import State

RULES = ("pentago", "pentago:classic", "pentago:classic-late")
EMPTY = "." * 36
WHITE_WINS = ((1, 0), "white wins with five in a row")
BLACK_WINS = ((0, 1), "black wins with five in a row")
GIFT_TO_WHITE = ((1, 0), "white wins: black's own twist gave away five in a row")
GIFT_TO_BLACK = ((0, 1), "black wins: white's own twist gave away five in a row")
BOTH_FIVE = ((0.5, 0.5), "draw: both have five in a row")
BOARD_FULL = ((0.5, 0.5), "draw: the board is full")

# Every straight run of five cells, as sets of (x, y).
WINDOWS = [
    {(x + n * dx, y + n * dy) for n in range(5)}
    for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1))
    for x in range(6)
    for y in range(6)
    if x + 4 * dx < 6 and 0 <= y + 4 * dy < 6
]


def position(board: str, side: str = "w", name: str = "pentago") -> State:
    """A state from the board's rows, which may be set apart by blanks or new lines."""
    return rules.parse(name, f"{''.join(board.split())} {side}")


def board_of(white=(), black=()) -> str:
    cells = [["."] * 6 for _ in range(6)]
    for stone, squares in (("w", white), ("b", black)):
        for x, y in squares:
            cells[x][y] = stone
    return "".join(map("".join, cells))


def play(state: State, moves: str | list) -> State:
    """The state after moves such as `2 2 3 1;5 3 3 0`, each of which must be legal."""
    for move in moves.split(";") if isinstance(moves, str) else moves:
        action = tuple(map(int, move.split())) if isinstance(move, str) else move
        (player,) = state.to_act()
        assert action in state.actions(player), f"{action} is illegal in: {state.text()}"
        state = state.after({player: action})
    return state


def stone_at(state: State) -> tuple[int, int]:
    """Where the only stone of a board is."""
    (cell,) = [cell for cell, found in enumerate(state.text()[:36]) if found != "."]
    return divmod(cell, 6)


def random_board(source: random.Random, stones: int) -> str:
    cells = ["w", "b"] * (stones // 2) + ["w"] * (stones % 2) + ["."] * (36 - stones)
    source.shuffle(cells)
    return "".join(cells)


# --- The board, the turn ------------------------------------------------------------------------


def test_the_colours_limits_and_variants_are_as_documented():
    assert State.COLOURS == ("white", "black")
    assert State.LIMITS == rules.Limits(first=30.0, action=2.0, megabytes=500)
    assert State.VARIANTS == ("classic",)
    for name in ("pentago:late", "pentago:Classic", "pentago:twist"):
        with pytest.raises(ValueError, match="pentago has the variants classic and classic-late, but not"):
            rules.start(name)
        with pytest.raises(ValueError, match="pentago has the variants classic and classic-late, but not"):
            rules.parse(name, EMPTY + " w")


@pytest.mark.parametrize("name", RULES)
def test_white_starts_on_an_empty_board_with_288_moves_and_sides_alternate(name):
    state = rules.start(name)
    assert state.text() == EMPTY + " w"
    assert state.to_act() == (0,) and state.actions(1) == []
    assert len(state.actions(0)) == 288
    state = state.after({0: (0, 0, 3, 0)})
    assert state.to_act() == (1,) and state.actions(0) == []
    assert state.text()[:1] == "w"
    state = state.after({1: (0, 1, 3, 0)})
    assert state.to_act() == (0,)
    assert state.text()[:2] == "wb"


@pytest.mark.parametrize("name", RULES)
def test_moves_come_cell_by_cell_then_quadrant_then_twist(name):
    actions = rules.start(name).actions(0)
    assert actions[:3] == [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0)]
    assert actions == [(x, y, q, op) for x in range(6) for y in range(6) for q in range(4) for op in (0, 1)]
    state = position("w" + "." * 34 + "b", "w", name)
    assert state.actions(0) == [action for action in actions if action[:2] not in ((0, 0), (5, 5))]


def test_k_empty_cells_always_leave_8k_moves():
    source = random.Random(5)
    for stones in range(36):
        state = position(random_board(source, stones), "w")
        if state.to_act():
            assert len(set(state.actions(0))) == len(state.actions(0)) == 8 * (36 - stones), state.text()


def test_x_is_the_row_from_the_top_and_y_the_column_from_the_left():
    assert str(play(rules.start("pentago"), "1 4 3 1")).splitlines()[1] == ". . . | . w ."


@pytest.mark.parametrize("quadrant", range(4))
def test_a_twist_turns_its_own_quadrant_and_no_other(quadrant):
    source = random.Random(9)
    for name in RULES:
        before = random_board(source, 8)
        state = position(before, "w", name)
        for action in state.actions(0):
            if action[2] == quadrant:
                after = state.after({0: action}).text()
                for x in range(6):
                    for y in range(6):
                        if (x, y) != action[:2] and 2 * (x // 3) + y // 3 != quadrant:
                            assert after[6 * x + y] == before[6 * x + y], f"{name} {action} {before}"


SINGLE_STONES = """
0 0 0 0 -> 0 2;  0 0 0 1 -> 0 2;  0 1 0 0 -> 1 2;  0 2 0 0 -> 2 2;  0 2 0 1 -> 0 0;  1 0 0 0 -> 0 1
1 0 0 1 -> 1 2;  1 2 0 0 -> 2 1;  2 0 0 0 -> 0 0;  2 2 0 1 -> 2 0;  1 1 0 0 -> 1 1;  0 0 3 0 -> 0 0
0 3 1 0 -> 0 5;  3 0 2 1 -> 3 2;  5 5 3 0 -> 5 3;  5 4 3 0 -> 4 3;  4 3 3 1 -> 4 5
"""


@pytest.mark.parametrize("row", [row.strip() for row in SINGLE_STONES.replace("\n", ";").split(";") if row])
def test_where_a_single_stone_ends(row):
    move, _, end = row.partition(" -> ")
    assert stone_at(play(rules.start("pentago"), move)) == tuple(map(int, end.split()))


# A quadrant that read `abc def ghi` reads so afterwards; found one stone at a time.
TWISTS = {
    ("pentago", 0): "gda heb ifc",
    ("pentago", 1): "cba fed ihg",
    ("pentago:classic", 0): "gda heb ifc",
    ("pentago:classic", 1): "cfi beh adg",
    ("pentago:classic-late", 0): "gda heb ifc",
    ("pentago:classic-late", 1): "cfi beh adg",
}


def twisted(name: str, op: int, quadrant: int) -> str:
    top, left = 3 * (quadrant // 2), 3 * (quadrant % 2)
    letters = [["?"] * 3 for _ in range(3)]
    for n, letter in enumerate("abcdefghi"):
        x, y = stone_at(rules.start(name).after({0: (top + n // 3, left + n % 3, quadrant, op)}))
        letters[x - top][y - left] = letter
    return " ".join(map("".join, letters))


@pytest.mark.parametrize("name, op", TWISTS)
def test_what_each_twist_does_in_every_quadrant(name, op):
    for quadrant in range(4):
        assert twisted(name, op, quadrant) == TWISTS[name, op]


def test_right_has_order_four_and_flip_order_two_and_together_they_reach_eight_orientations():
    start = "abcdefghi"

    def apply(order: str, op: int) -> str:
        return "".join(order[start.index(letter)] for letter in TWISTS["pentago", op].replace(" ", ""))

    orders = []
    for op in (0, 1):
        order, count = apply(start, op), 1
        while order != start:
            order, count = apply(order, op), count + 1
        orders.append(count)
    assert orders == [4, 2]
    reached = {start}
    for _ in range(8):
        reached |= {apply(order, op) for order in reached for op in (0, 1)}
    assert len(reached) == 8
    left, upside_down = "cfibehadg", "ghidefabc"
    assert left in reached and upside_down in reached
    assert not {left, upside_down, start} & {apply(start, op) for op in (0, 1)}


def test_after_leaves_the_old_state_as_it_was():
    for name in RULES:
        state = position("wwww.." + "b" * 3 + "." * 27, "w", name)
        line = state.text()
        for action in state.actions(0):
            state.after({0: action})
        assert state.text() == line and state == rules.parse(name, line)


# --- End of the game ----------------------------------------------------------------------------


def test_there_are_32_windows_and_each_touches_at_most_three_quadrants():
    assert len(WINDOWS) == 32
    directions = Counter()
    for window in WINDOWS:
        rows, columns = {x for x, _ in window}, {y for _, y in window}
        directions["row" if len(rows) == 1 else "column" if len(columns) == 1 else "diagonal"] += 1
        assert len({2 * (x // 3) + y // 3 for x, y in window}) <= 3
    assert directions == {"row": 12, "column": 12, "diagonal": 8}


@pytest.mark.parametrize("name", RULES)
def test_exactly_the_windows_win_among_all_sets_of_five_near_a_line(name):
    windows = {frozenset(window) for window in WINDOWS}
    tried = set(windows)
    # Each window with one stone moved anywhere else.
    everywhere = [(x, y) for x in range(6) for y in range(6)]
    for window in WINDOWS:
        tried |= {frozenset(window - {out} | {in_}) for out in window for in_ in everywhere}
    tried = {cells for cells in tried if len(cells) == 5}
    assert len(tried) > 4_000
    for cells in tried:
        outcome = position(board_of(cells), "b", name).outcome()
        assert outcome == (WHITE_WINS if cells in windows else None), sorted(cells)
        outcome = position(board_of((), cells), "w", name).outcome()
        assert outcome == (BLACK_WINS if cells in windows else None), sorted(cells)


@pytest.mark.parametrize("name", RULES)
def test_six_in_a_row_count_as_five(name):
    for white in ([(2, y) for y in range(6)], [(x, 4) for x in range(6)], [(x, x) for x in range(6)]):
        assert position(board_of(white), "b", name).outcome() == WHITE_WINS


def test_five_do_not_wrap_around_the_edge():
    for cells in ([(0, 4), (0, 5), (1, 0), (1, 1), (1, 2)], [(0, 2), (1, 1), (2, 0), (2, 5), (3, 4)]):
        assert position(board_of(cells), "b").outcome() is None


GAMES = {
    "mover wins": (
        "2 2 3 1;5 3 3 0;0 0 3 0;2 3 2 1;5 2 0 0;0 5 1 1;1 2 3 1;1 1 2 0;4 4 2 0;1 5 1 1;1 4 0 1;3 5 2 1;"
        "2 4 3 0;4 5 1 1",
        14,
        BLACK_WINS,
    ),
    "gift": (
        "3 5 0 0;4 5 3 1;2 1 1 1;2 3 3 1;2 0 0 0;1 3 2 0;4 1 0 0;1 4 0 0;3 2 2 1;2 0 3 1;5 0 3 1;1 0 2 0;"
        "3 1 1 0;0 0 2 0",
        14,
        GIFT_TO_WHITE,
    ),
    "both": (
        "1 5 1 0;0 2 2 1;3 2 1 1;5 3 3 1;1 4 3 0;1 1 1 0;5 4 3 0;2 2 2 1;3 5 1 0;5 5 3 1;3 2 2 1;1 3 0 0;"
        "4 2 0 0;4 1 0 0;3 4 2 1;2 3 2 1;2 5 2 1;0 1 0 1;3 1 1 0",
        19,
        BOTH_FIVE,
    ),
    "full": (
        "0 4 1 1;4 1 0 0;3 4 0 0;3 1 3 1;4 4 2 1;0 2 0 1;1 0 1 0;3 0 3 1;0 3 1 1;1 2 3 1;5 4 3 1;4 0 1 1;"
        "3 5 1 0;4 3 3 1;5 1 1 1;2 1 3 0;5 0 3 0;0 2 2 1;0 5 1 0;4 5 2 1;0 1 1 0;2 4 2 1;2 2 3 1;3 3 2 0;"
        "1 3 2 0;5 5 1 0;0 5 3 1;1 1 3 1;5 2 3 0;4 2 0 1;3 2 3 0;1 4 1 0;2 3 2 1;2 2 3 0;3 3 0 0;1 3 0 0",
        36,
        BOARD_FULL,
    ),
}


@pytest.mark.parametrize("kind", GAMES)
def test_games_that_end_in_each_of_the_ways(kind):
    moves, plies, outcome = GAMES[kind]
    assert moves.count(";") + 1 == plies
    state = play(rules.start("pentago"), moves)
    assert state.outcome() == outcome
    assert state.to_act() == () and state.actions(0) == state.actions(1) == []


def test_the_final_board_of_the_game_in_which_both_have_five():
    state = play(rules.start("pentago"), GAMES["both"][0])
    assert state.text() == "bbbbb..b..ww...w..wwwwwbwb...w...b.. b"


def test_stone_36_is_played():
    # A board with one empty cell is not over: Black still moves.
    state = play(rules.start("pentago"), GAMES["full"][0].rpartition(";")[0])
    assert state.text().count(".") == 1
    assert state.outcome() is None and state.to_act() == (1,) and len(state.actions(1)) == 8


@pytest.mark.parametrize("name", RULES)
def test_five_on_a_full_board_win_before_the_board_counts_as_full(name):
    pattern = "wwbwwb bbwbbw wwbwwb bbwbbw wwbwwb bbwbbw".replace(" ", "")
    assert position(pattern, "w", name).outcome() == BOARD_FULL
    assert position("wwwww" + pattern[5:], "b", name).outcome() == WHITE_WINS
    assert position("wwwww" + pattern[5:], "w", name).outcome() == GIFT_TO_WHITE
    both = "wwwww" + pattern[5:30] + "bbbbbw"
    assert position(both, "w", name).outcome() == position(both, "b", name).outcome() == BOTH_FIVE


def test_five_made_by_placement_and_broken_by_the_twist_do_not_count():
    state = position("wwww.. bb.... b..... ...... ...... b.....", "w")
    kept = {action: state.after({0: action}).outcome() for action in state.actions(0) if action[:2] == (0, 4)}
    for (_, _, quadrant, op), outcome in kept.items():
        # A turn breaks "www" and "ww." alike, a flip only "ww.".
        broken = (quadrant == 0 and op == 0) or quadrant == 1
        assert outcome == (None if broken else WHITE_WINS), (quadrant, op)


def test_whoever_completes_five_can_keep_them_by_twisting_another_quadrant():
    for window in WINDOWS:
        for missing in window:
            state = position(board_of(window - {missing}), "w")
            results = [state.after({0: a}).outcome() for a in state.actions(0) if a[:2] == missing]
            assert WHITE_WINS in results, sorted(window)


def test_five_that_only_the_twist_makes_count():
    # The flip of quadrant 1 brings the stone from (0, 5) to (0, 3), beside (0, 4).
    state = position("www.ww ...... ...... bbb... b..... ......", "w")
    assert play(state, [(5, 5, 0, 1)]).outcome() is None
    flipped = play(state, [(5, 5, 1, 1)])
    assert flipped.text()[:6] == "wwwww."
    assert flipped.outcome() == WHITE_WINS


@pytest.mark.parametrize("name", RULES)
def test_a_twist_that_gives_the_opponent_five_loses(name):
    # Turned right, quadrant 1's left column becomes its top row: Black's.
    board = "bbbw.. ...b.. ...b.. ...... ...... .....w"
    state = position(board, "w", name)
    after = play(state, [(5, 0, 1, 0)])
    assert after.text()[:6] == "bbbbbw"
    assert after.outcome() == GIFT_TO_BLACK
    swapped = position(board.translate(str.maketrans("wb", "bw")), "b", name)
    assert play(swapped, [(5, 0, 1, 0)]).outcome() == GIFT_TO_WHITE


@pytest.mark.parametrize("name", RULES)
def test_both_five_by_the_movers_own_twist_draw(name):
    board = "bbbw.. ...b.. ...b.. ...... ...... wwww.."
    # Where the placement does not win at once, the twist gives Black five beside White's own.
    after = play(position(board, "w", name), [(5, 4, 1, 0)])
    assert after.outcome() == (WHITE_WINS if name == "pentago:classic" else BOTH_FIVE)
    # Here no placement makes five; one twist makes both.
    board = "bbbw.. ww.bw. ...bw. ...... ...... ......"
    after = play(position(board, "w", name), [(1, 2, 1, 0)])
    assert after.text()[:12] == "bbbbbwwwwww."
    assert after.outcome() == BOTH_FIVE


def test_nobody_can_have_five_before_ply_nine():
    # Five stones of White's are on the board after nine plies at the earliest.
    for name in RULES:
        state = rules.start(name)
        for n in range(4):
            state = play(state, [(0, n, 3, 0), (4, n, 0, 0) if n < 3 else (3, 0, 0, 0)])
            assert state.outcome() is None and state.to_act() == (0,)
    source = random.Random(3)
    for _ in range(500):
        board = random_board(source, 8)
        assert position(board, "w").outcome() is None, f"seed 3: {board}"
    state = position("wwww.. ...... ...... ...... bbbb.. ......", "w")
    assert play(state, [(0, 4, 2, 1)]).outcome() == WHITE_WINS
    assert 36 - play(state, [(0, 4, 2, 1)]).text().count(".") == 9


# --- Classic ------------------------------------------------------------------------------------


def test_in_classic_five_by_placement_win_at_once_and_nothing_is_turned():
    board = "wwww.. b..... ...... ...... .....b b..b.."
    state = position(board, "w", "pentago:classic")
    for action in state.actions(0):
        if action[:2] == (0, 4):
            after = state.after({0: action})
            assert after.text() == ("wwwww. b..... ...... ...... .....b b..b.." + " b").replace(" ", "", 5)
            assert after.outcome() == WHITE_WINS and after.to_act() == ()


def test_in_classic_late_five_must_outlast_the_turn():
    state = position("wwww.. b..... ...... ...... .....b b..b..", "w", "pentago:classic-late")
    assert play(state, [(0, 4, 0, 0)]).outcome() is None
    assert play(state, [(0, 4, 0, 1)]).outcome() is None
    assert play(state, [(0, 4, 3, 1)]).outcome() == WHITE_WINS


# --- Symmetry -----------------------------------------------------------------------------------

# Each of the board's symmetries as (transposed, rows reversed, columns reversed).
SYMMETRIES = [(a, b, c) for a in (False, True) for b in (False, True) for c in (False, True)]


def image(cell: tuple[int, int], symmetry: tuple[bool, bool, bool]) -> tuple[int, int]:
    x, y = cell[::-1] if symmetry[0] else cell
    return (5 - x if symmetry[1] else x), (5 - y if symmetry[2] else y)


def image_of_board(board: str, symmetry: tuple[bool, bool, bool]) -> str:
    cells = [["."] * 6 for _ in range(6)]
    for n, stone in enumerate(board):
        x, y = image(divmod(n, 6), symmetry)
        cells[x][y] = stone
    return "".join(map("".join, cells))


def is_symmetry(name: str, symmetry: tuple[bool, bool, bool], source: random.Random) -> bool:
    """Whether every move on a random board has an image on the image of the board."""
    board = random_board(source, 8)  # too few stones for five in a row
    state = position(board, "w", name)
    mirror = position(image_of_board(board, symmetry), "w", name)
    after = Counter(image_of_board(state.after({0: a}).text()[:36], symmetry) for a in state.actions(0))
    return after == Counter(mirror.after({0: a}).text()[:36] for a in mirror.actions(0))


@pytest.mark.parametrize(
    "name, symmetries",
    [
        ("pentago", [(False, False, False), (False, True, True)]),
        ("pentago:classic", SYMMETRIES),
        ("pentago:classic-late", SYMMETRIES),
    ],
)
def test_which_symmetries_of_the_square_are_symmetries_of_the_game(name, symmetries):
    source = random.Random(2)
    for symmetry in SYMMETRIES:
        held = [is_symmetry(name, symmetry, source) for _ in range(5)]
        assert all(held) if symmetry in symmetries else not any(held), f"seed 2: {symmetry}"


def test_half_a_turn_of_the_board_maps_moves_as_stated():
    source = random.Random(6)
    for stones in range(4, 34, 3):
        board = random_board(source, stones)
        state, turned = position(board, "w"), position(board[::-1], "w")
        for x, y, quadrant, op in state.actions(0):
            after = state.after({0: (x, y, quadrant, op)})
            opposite = turned.after({0: (5 - x, 5 - y, 3 - quadrant, op)})
            assert after.text()[:36] == opposite.text()[:36][::-1], f"seed 6: {board}"
            assert after.outcome() == opposite.outcome()


@pytest.mark.parametrize("name", RULES)
def test_swapping_the_colours_and_the_side_to_move_swaps_the_outcome(name):
    swap = str.maketrans("wb", "bw")
    source = random.Random(8)
    for stones in range(10, 36, 2):
        board = random_board(source, stones)
        state, swapped = position(board, "w", name), position(board.translate(swap), "b", name)
        for action in state.actions(0):
            after, other = state.after({0: action}), swapped.after({1: action})
            assert after.text()[:36] == other.text()[:36].translate(swap), f"seed 8: {board}"
            scores = [found.outcome() and found.outcome()[0] for found in (after, other)]
            assert scores[0] == (scores[1] and scores[1][::-1]), f"seed 8: {board}"


# --- Counts -------------------------------------------------------------------------------------


def test_sequences_and_distinct_boards_up_to_three_plies():
    layer = {rules.start("pentago"): 1}
    found = []
    for _ in range(3):
        following: Counter = Counter()
        for state, sequences in layer.items():
            for action in state.actions(state.mover):
                following[state.after({state.mover: action})] += sequences
        layer = following
        found.append((sum(layer.values()), len(layer)))
    assert found == [(288, 36), (80_640, 1_260), (21_934_080, 21_420)]


def test_every_placement_of_four_stones_is_reachable():
    # All placements of three stones are reachable: the test above counts as many boards.  One of
    # four is reached by flipping the first quadrant after Black has placed, so from the placement
    # with that quadrant mirrored (a flip undoes itself), less a black stone.
    assert math.comb(36, 2) * math.comb(34, 1) == 21_420
    reached = set()
    for white in combinations(range(36), 2):
        for black in combinations([cell for cell in range(36) if cell not in white], 2):
            goal = ["."] * 36
            goal[white[0]] = goal[white[1]] = "w"
            goal[black[0]] = goal[black[1]] = "b"
            before = goal[:]
            for x in range(3):
                before[6 * x : 6 * x + 3] = goal[6 * x : 6 * x + 3][::-1]
            placed = before.index("b")
            before[placed] = "."
            after = State("".join(before), 1, "").after({1: (*divmod(placed, 6), 0, 1)})
            assert after.board == "".join(goal)
            reached.add(after.board)
    assert len(reached) == 353_430


# --- Pseudo-random games ------------------------------------------------------------------------

THOUSAND_GAMES = {
    "pentago": ((471, 431, 98), 28_502, 0xCE66045BF4BD48C8, 1_425_858_987),
    "pentago:classic": ((539, 412, 49), 27_482, 0x47104A7FDA1EAC2F, 74_658_183),
    "pentago:classic-late": ((515, 396, 89), 28_534, 0x62A28055E3D62966, 1_593_086_347),
}


def thousand_games(name: str):
    """Each game's states and actions; the generator's state runs on from game to game."""
    seed = 12345
    for _ in range(1000):
        states, chosen = [rules.start(name)], []
        while players := states[-1].to_act():
            actions = states[-1].actions(*players)
            seed = (seed * 1103515245 + 12345) % 2**31
            chosen.append(actions[(seed >> 8) % len(actions)])
            states.append(states[-1].after({players[0]: chosen[-1]}))
        yield states, chosen, seed


@pytest.mark.parametrize("name", THOUSAND_GAMES)
def test_a_thousand_pseudo_random_games(name):
    results: Counter = Counter()
    plies, fnv = 0, 0xCBF29CE484222325
    last, gifts, both_before_full, placed_alone = [], 0, 0, 0
    for states, chosen, seed in thousand_games(name):
        plies += len(chosen)
        for state in states[1:]:
            for letter in state.text()[:36].encode("ascii"):
                fnv = (fnv ^ letter) * 0x100000001B3 % 2**64
        scores, reason = states[-1].outcome()
        results[scores] += 1
        gifts += "own twist" in reason
        board = states[-1].text()[:36]
        both_before_full += reason == BOTH_FIVE[1] and "." in board
        # Won by placing alone: the five stand on the board before the turn.
        x, y, _, _ = chosen[-1]
        before = states[-2].text()
        placed = before[: 6 * x + y] + before[37] + before[6 * x + y + 1 : 36]
        placed_alone += any(all(placed[6 * a + b] == before[37] for a, b in window) for window in WINDOWS)
        last.append((len(chosen), board, scores, seed))
    found = (results[1, 0], results[0, 1], results[0.5, 0.5])
    assert (found, plies, fnv, last[-1][3]) == THOUSAND_GAMES[name]
    if name == "pentago":
        assert last[0][:3] == (32, "bb.bbwww.wbbbwwwwbbw.wwbbbww.bwbbwbw", (1, 0))
        assert last[1][:3] == (33, "bwbwbbb.wbwbww.wwbwbwbwb.bwbbwwwbwbw", (1, 0))
        assert (gifts, both_before_full) == (277, 42)
    if name == "pentago:classic":
        assert placed_alone == 363


# --- Lines, drawings ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULES)
def test_the_line_of_a_state_reads_back_as_the_same_state(name):
    for number, (states, _, _) in zip(range(60), thousand_games(name), strict=False):
        for state in states:
            assert state.text()[36:] in (" w", " b")
            back = rules.parse(name, state.text())
            assert back == state and hash(back) == hash(state), f"game {number}"
            assert back.text() == state.text()
            assert (back.to_act(), back.outcome()) == (state.to_act(), state.outcome()), f"game {number}"
            assert all(back.actions(player) == state.actions(player) for player in (0, 1))


@pytest.mark.parametrize("name", RULES)
def test_a_set_up_position_may_have_any_stones_and_is_over_when_decided(name):
    assert position("w" * 4 + "." * 32, "w", name).to_act() == (0,)
    assert position("b" * 4 + "." * 32, "b", name).to_act() == (1,)
    assert position("wwwww" + "." * 31, "b", name).outcome() == WHITE_WINS
    assert position("wwwww" + "." * 31, "w", name).outcome() == GIFT_TO_WHITE
    assert position("wwwww." + "bbbbb." + "." * 24, "w", name).outcome() == BOTH_FIVE
    assert position("w" * 36, "w", name).to_act() == ()


def test_an_unreadable_line_is_refused_in_one_sentence_that_shows_the_form():
    for line in (
        "",
        "w",
        EMPTY,
        EMPTY + " ",
        EMPTY + "w",
        EMPTY + "  w",
        EMPTY + " w ",
        EMPTY + " w\n",
        EMPTY + " W",
        EMPTY + " 0",
        EMPTY + " white",
        EMPTY + "\tw",
        "." * 35 + " w",
        "." * 37 + " w",
        "." * 35 + "W w",
        "." * 35 + "x w",
        "." * 35 + "\u00b7 w",
        "." * 35 + "\n w",
        "\uff57" * 36 + " w",
        "...... ...... ...... ...... ...... ...... w",
        " " + EMPTY + " w",
        "." * 100_000,
        "\x00",
    ):
        for name in RULES:
            with pytest.raises(ValueError, match="^a pentago position is 36 cells row by row") as caught:
                rules.parse(name, line)
            assert len(str(caught.value)) < 200


DRAWN = """\
w . . | . . .
. . . | . b .
. . . | . . .
------+------
. . . | . . .
. . . | . . .
. . . | . . w"""
DRAWN_LARGE = """\
    0 1 2   3 4 5
  +-------+-------+
0 | w . . | . . . |
1 | . . . | . b . |
2 | . . . | . . . |
  +-------+-------+
3 | . . . | . . . |
4 | . . . | . . . |
5 | . . . | . . w |
  +-------+-------+"""
UNICODE_LARGE = """\
    0 1 2   3 4 5
  ┌───────┬───────┐
0 │ ○ · · │ · · · │
1 │ · · · │ · ● · │
2 │ · · · │ · · · │
  ├───────┼───────┤
3 │ · · · │ · · · │
4 │ · · · │ · · · │
5 │ · · · │ · · ○ │
  └───────┴───────┘"""


def test_the_board_is_drawn_with_the_borders_of_its_quadrants():
    state = position(board_of([(0, 0), (5, 5)], [(1, 4)]), "b")
    assert str(state) == state.draw() == DRAWN
    assert state.draw(large=True) == DRAWN_LARGE
    assert state.draw(unicode=True, large=True) == UNICODE_LARGE
    assert state.draw(unicode=True) == DRAWN.translate(str.maketrans("wb.|-+", "○●·│─┼"))


def test_only_stones_are_painted_and_each_in_its_players_colour():
    state = position(board_of([(0, 0), (5, 5)], [(1, 4)]), "b")
    for large, plain in ((False, DRAWN), (True, DRAWN_LARGE)):
        painted = []

        def paint(text, player, painted=painted):
            painted.append((text, player))
            return f"<{text}>"

        drawn = state.draw(large=large, paint=paint)
        assert painted == [("w", 0), ("b", 1), ("w", 0)]
        assert drawn.replace("<", "").replace(">", "") == plain
