"""The rules of Expendibots: each clause, every figure known of them, and whole games.

Left to the agent's fast board, since it takes over a minute here (70 s): the number of action
sequences of length 5 from the start, 265 308 446.
"""

import hashlib
import math
import random
from collections import Counter, namedtuple
from itertools import combinations_with_replacement

import pytest

from referee import rules
from referee.rules.expendibots import State
from tests.support.samples import few


def position(stacks: str, mover: str = "white", plies: int = 0) -> State:
    """A state from stacks as in `W1(3,3) B2(4,4)`."""
    return rules.parse("expendibots", f"{mover} {plies} {stacks}".strip())


def stacks_of(state: State) -> str:
    return " ".join(state.text().removesuffix(" repeated").split(" ")[2:])


def legal(state: State) -> list:
    (player,) = state.to_act()
    return state.actions(player)


def play(state: State, *actions: tuple) -> State:
    for action in actions:
        (player,) = state.to_act()
        assert action in state.actions(player), f"{action} is illegal in: {state.text()}"
        state = state.after({player: action})
    return state


def tokens(state: State) -> tuple[int, int]:
    heights = [height for _, height in state.stacks]
    return sum(h for h in heights if h > 0), -sum(h for h in heights if h < 0)


def mirrored(stacks: tuple, flip_x: bool, flip_y: bool, swap_axes: bool, swap_colours: bool) -> tuple:
    found = []
    for (x, y), height in stacks:
        x, y = (7 - x if flip_x else x), (7 - y if flip_y else y)
        found.append(((y, x) if swap_axes else (x, y), -height if swap_colours else height))
    return tuple(sorted(found))


def random_position(source: random.Random, most_stacks: int = 20) -> State:
    squares = source.sample([(x, y) for x in range(8) for y in range(8)], source.randint(2, most_stacks))
    stacks = [f"{'WB'[n % 2]}{source.randint(1, 4)}({x},{y})" for n, (x, y) in enumerate(squares)]
    return position(" ".join(stacks), source.choice(State.COLOURS))


# --- Set-up -------------------------------------------------------------------------------------


def test_each_side_starts_with_twelve_single_tokens_in_three_blocks():
    state = rules.start("expendibots")
    expected = {}
    for x in (0, 1, 3, 4, 6, 7):
        expected |= {(x, 0): 1, (x, 1): 1, (x, 6): -1, (x, 7): -1}
    assert dict(state.stacks) == expected
    assert tokens(state) == (12, 12)
    black, empty, white = " B1 B1  . B1 B1  . B1 B1", "  ." * 8, " W1 W1  . W1 W1  . W1 W1"
    assert str(state) == "\n".join([black] * 2 + [empty] * 4 + [white] * 2)


def test_the_set_up_is_symmetric_left_to_right_and_top_to_bottom_with_the_colours_swapped():
    stacks = rules.start("expendibots").stacks
    assert mirrored(stacks, True, False, False, False) == stacks
    assert mirrored(stacks, False, True, False, True) == stacks
    assert mirrored(stacks, False, True, False, False) != stacks


def test_white_moves_first_and_sides_alternate():
    state = rules.start("expendibots")
    assert state.to_act() == (0,)
    state = state.after({0: ("MOVE", 1, (0, 1), (0, 2))})
    assert state.to_act() == (1,)
    state = state.after({1: ("MOVE", 1, (0, 6), (0, 5))})
    assert state.to_act() == (0,)


def test_colours_limits_and_variants_are_the_courses():
    assert State.COLOURS == ("white", "black")
    assert State.LIMITS == rules.Limits(game=60.0, megabytes=100)
    assert State.VARIANTS == ()
    with pytest.raises(ValueError, match="expendibots has no variants.*'tall'"):
        rules.start("expendibots:tall")
    with pytest.raises(ValueError, match="expendibots has no variants.*'tall'"):
        rules.parse("expendibots:tall", rules.start("expendibots").text())


# --- Actions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mover", State.COLOURS)
def test_either_side_has_fifty_actions_on_the_set_up(mover):
    actions = legal(position(stacks_of(rules.start("expendibots")), mover))
    assert len(actions) == 50
    assert Counter(action[0] for action in actions) == {"BOOM": 12, "MOVE": 38}


def test_actions_are_distinct_sorted_and_only_for_the_player_to_move():
    source = random.Random(7)
    for _ in range(200):
        state = random_position(source)
        (player,) = state.to_act()
        actions = state.actions(player)
        assert actions == sorted(set(actions)) == state.actions(player), state.text()
        assert state.actions(1 - player) == [], state.text()


def test_moves_jump_over_stacks_of_either_colour_but_do_not_land_on_the_enemy():
    state = position("W2(3,3) W1(4,3) B1(3,4) B5(2,3) B1(1,3)")
    expected = [("BOOM", (3, 3)), ("BOOM", (4, 3))]
    expected += [
        ("MOVE", n, (3, 3), target) for n in (1, 2) for target in ((3, 1), (3, 2), (3, 5), (4, 3), (5, 3))
    ]
    expected += [("MOVE", 1, (4, 3), target) for target in ((3, 3), (4, 2), (4, 4), (5, 3))]
    assert len(expected) == 16
    assert legal(state) == sorted(expected)


def test_a_part_of_a_stack_moves_and_merges_over_an_enemy():
    state = play(position("W4(0,1) W2(0,5) B1(0,3) B1(7,7)"), ("MOVE", 3, (0, 1), (0, 5)))
    assert stacks_of(state) == "W1(0,1) B1(0,3) W5(0,5) B1(7,7)"


def test_a_whole_stack_that_moves_leaves_its_square_empty():
    state = play(position("B3(4,4) W1(0,0)", "black"), ("MOVE", 3, (4, 4), (1, 4)))
    assert stacks_of(state) == "W1(0,0) B3(1,4)"
    state = play(position("B3(4,4) B2(4,2) W1(0,0)", "black"), ("MOVE", 3, (4, 4), (4, 2)))
    assert stacks_of(state) == "W1(0,0) B5(4,2)"


def test_the_distance_is_bounded_by_the_whole_stack_and_not_by_the_tokens_that_move():
    actions = legal(position("W3(0,0) B1(7,7)"))
    assert ("MOVE", 1, (0, 0), (3, 0)) in actions
    assert ("MOVE", 3, (0, 0), (1, 0)) in actions
    assert ("MOVE", 1, (0, 0), (4, 0)) not in actions
    assert ("MOVE", 4, (0, 0), (1, 0)) not in actions
    assert len(actions) == 3 * 6 + 1


def test_moves_are_the_definition_tried_on_every_square():
    source = random.Random(20)
    for _ in range(100):
        state = random_position(source)
        (player,) = state.to_act()
        own = {square: abs(height) for square, height in state.stacks if (height < 0) == (player == 1)}
        enemy = {square for square, _ in state.stacks if square not in own}
        expected = {("BOOM", square) for square in own}
        for (x, y), height in own.items():
            for across in range(8):
                for up in range(8):
                    distance = abs(x - across) + abs(y - up)
                    straight = (x == across) != (y == up)
                    if straight and distance <= height and (across, up) not in enemy:
                        expected |= {("MOVE", n, (x, y), (across, up)) for n in range(1, height + 1)}
        assert set(state.actions(player)) == expected, f"seed 20: {state.text()}"


def test_membership_accepts_what_is_equal_and_nothing_else():
    actions = legal(rules.start("expendibots"))
    move = namedtuple("move", "kind n start target")
    for equal in (
        ("MOVE", 1, (0, 1), (0, 2)),
        move("MOVE", 1, (0, 1), (0, 2)),
        ("MOVE", True, (0, 1), (0, 2)),
        ("MOVE", 1.0, (0.0, 1), (0, 2)),
    ):
        assert equal in actions
    for other in (
        ["MOVE", 1, (0, 1), (0, 2)],
        ("MOVE", 1, [0, 1], (0, 2)),
        ("BOOM", [0, 0]),
        None,
        (),
        "BOOM",
        ("move", 1, (0, 1), (0, 2)),
        ("boom", (0, 0)),
        ("MOVE", 1, 0, 1, 0, 2),
        ("BOOM", 0, 0),
        ("MOVE", 0, (0, 1), (0, 2)),
        ("MOVE", 1, (0, 1), (0, 1)),
        ("MOVE", 1, (0, 1), (1, 2)),
        ("MOVE", 1, (0, 0), (-1, 0)),
        ("BOOM", (2, 0)),
        ("BOOM", (0, 7)),
    ):
        assert other not in actions


def test_a_player_with_a_token_always_has_an_action():
    walled_in = position("W1(0,0) B1(0,1) B1(1,0)")
    assert legal(walled_in) == [("BOOM", (0, 0))]


@pytest.mark.parametrize("square", [(x, y) for x in range(8) for y in range(8)])
def test_a_stack_of_twelve_has_169_actions_wherever_it_stands(square):
    x, y = square
    state = position(f"W12({x},{y}) B1({(x + 1) % 8},{(y + 1) % 8})")
    assert len(legal(state)) == 169


@pytest.mark.parametrize(
    "stacks, count",
    [("W6(3,3) W6(4,4) B1(0,7)", 170), ("W4(3,3) W4(3,4) W4(4,3) B1(0,7)", 171)],
)
def test_the_largest_counts_of_actions(stacks, count):
    assert len(legal(position(stacks))) == count


def test_after_leaves_the_old_state_as_it_was():
    state = rules.start("expendibots")
    for action in state.actions(0):
        state.after({0: action})
    assert state == rules.start("expendibots")
    assert state.text() == rules.start("expendibots").text()
    assert len(state.actions(0)) == 50


# --- Boom ---------------------------------------------------------------------------------------

BOOMS = """
W1(3,3) B2(4,4) W1(5,5) B1(7,5)                 | (3,3) | B1(7,5)         | winner: black
W1(0,0) B1(1,1) B3(2,2) B1(3,3) B1(5,3) W2(7,7) | (0,0) | B1(5,3) W2(7,7) | -
W1(0,0) B1(1,1)                                 | (0,0) |                 | draw detected: no tokens remaining
W1(0,0) B1(1,1) W1(5,5)                         | (0,0) | W1(5,5)         | winner: white
W1(0,0) B1(1,1) B1(5,5)                         | (0,0) | B1(5,5)         | winner: black
W1(7,3) B1(0,4) B1(0,3)                         | (7,3) | B1(0,3) B1(0,4) | winner: black
W9(3,3) B1(5,3)                                 | (3,3) | B1(5,3)         | winner: black
"""
BOOM_ROWS = [[cell.strip() for cell in row.split("|")] for row in BOOMS.strip().splitlines()]
SCORES = {
    "winner: white": (1, 0),
    "winner: black": (0, 1),
    "draw detected: no tokens remaining": (0.5, 0.5),
}


@pytest.mark.parametrize("before, square, after, result", BOOM_ROWS)
def test_boom_examples(before, square, after, result):
    x, y = int(square[1]), int(square[3])
    state = play(position(before), ("BOOM", (x, y)))
    assert stacks_of(state) == after
    if result == "-":
        assert state.outcome() is None and state.to_act() == (1,)
        assert tokens(state) == (2, 1)
    else:
        assert state.outcome() == (SCORES[result], result)
        assert state.to_act() == () and state.actions(0) == state.actions(1) == []


@pytest.mark.parametrize("before, square, after, result", BOOM_ROWS)
def test_boom_examples_with_the_colours_swapped(before, square, after, result):
    swap = str.maketrans("WB", "BW")
    x, y = int(square[1]), int(square[3])
    state = play(position(before.translate(swap), "black"), ("BOOM", (x, y)))
    assert stacks_of(state) == after.translate(swap)
    names = {"winner: white": "winner: black", "winner: black": "winner: white"}
    assert (state.outcome() or (None, "-"))[1] == names.get(result, result)


def test_boom_in_the_corner_of_the_set_up_removes_the_block():
    state = play(rules.start("expendibots"), ("BOOM", (0, 0)))
    assert tokens(state) == (8, 12)
    gone = set(dict(rules.start("expendibots").stacks)) - set(dict(state.stacks))
    assert gone == {(0, 0), (0, 1), (1, 0), (1, 1)}


def components(squares: set) -> list[set]:
    """The connected groups of squares, eight neighbours each, by merging whatever touches."""
    groups: list[set] = []
    for x, y in squares:
        touching = [g for g in groups if any(max(abs(x - a), abs(y - b)) <= 1 for a, b in g)]
        groups = [g for g in groups if g not in touching] + [{(x, y)}.union(*touching)]
    return groups


def test_boom_removes_the_whole_component_of_both_colours():
    source = random.Random(11)
    for _ in range(200):
        state = random_position(source)
        (player,) = state.to_act()
        board = dict(state.stacks)
        groups = components(set(board))
        results = set()
        for action in state.actions(player):
            if action[0] == "BOOM":
                (component,) = [group for group in groups if action[1] in group]
                after = state.after({player: action})
                left = {square: height for square, height in board.items() if square not in component}
                assert dict(after.stacks) == left, f"seed 11: {action} in: {state.text()}"
                results.add(after.stacks)
        own = [group for group in groups if any((board[square] < 0) == (player == 1) for square in group)]
        assert len(results) == len(own), f"seed 11: {state.text()}"


# --- End of the game ----------------------------------------------------------------------------

QUIET = [("MOVE", 1, (0, 1), (0, 2)), ("MOVE", 1, (0, 6), (0, 5))]
BACK = [("MOVE", 1, (0, 2), (0, 1)), ("MOVE", 1, (0, 5), (0, 6))]
REPEATED = ((0.5, 0.5), "draw detected: game state occurred 4 times.")
TOO_LONG = ((0.5, 0.5), "draw detected: maximum number of turns reached.")


def test_shuffling_from_the_start_draws_after_exactly_twelve_plies():
    state = rules.start("expendibots")
    shuffle = (QUIET + BACK) * 3
    for action in shuffle[:-1]:
        state = play(state, action)
        assert state.outcome() is None
    state = play(state, shuffle[-1])
    assert state.plies == 12 and state.outcome() == REPEATED and state.to_act() == ()


def test_shuffling_after_two_other_plies_draws_after_fourteen():
    state = play(rules.start("expendibots"), ("MOVE", 1, (7, 1), (7, 2)), ("MOVE", 1, (7, 6), (7, 5)))
    state = play(state, *((QUIET + BACK) * 3)[:-1])
    assert state.outcome() is None
    state = play(state, BACK[-1])
    assert state.plies == 14 and state.outcome() == REPEATED


def test_line_of_a_game_drawn_by_repetition_says_so_and_reads_back_as_finished():
    state = play(rules.start("expendibots"), *(QUIET + BACK) * 3)
    again = rules.parse("expendibots", state.text())
    assert state.text().endswith(" repeated") and again.text() == state.text()
    assert again.outcome() == REPEATED and again.to_act() == () and again.actions(0) == []
    with pytest.raises(ValueError, match="without being repeated"):
        rules.parse("expendibots", "white 30 W1(0,0) repeated")


def test_a_set_up_position_counts_as_its_own_first_occurrence():
    state = position(stacks_of(rules.start("expendibots")), plies=100)
    state = play(state, *(QUIET + BACK) * 2)
    assert state.outcome() is None
    state = play(state, *(QUIET + BACK))
    assert state.plies == 112 and state.outcome() == REPEATED


def test_occurrences_need_not_be_consecutive():
    state = play(rules.start("expendibots"), *(QUIET + BACK) * 2)
    aside = [("MOVE", 1, (7, 1), (7, 2)), ("MOVE", 1, (7, 6), (7, 5))]
    home = [("MOVE", 1, (7, 2), (7, 1)), ("MOVE", 1, (7, 5), (7, 6))]
    state = play(state, *aside, QUIET[0], QUIET[1], home[0], home[1], BACK[0])
    assert state.outcome() is None
    assert play(state, BACK[1]).outcome() == REPEATED


def test_the_same_board_with_the_other_side_to_move_is_another_state():
    # A stack of two comes home in three moves (one step, one step, two back), a single token in two.
    # White takes three moves while Black takes two: the board is back and Black is to move.  Then
    # Black takes three and White two: the board is back with White to move.
    white = [("MOVE", 2, (0, 0), (1, 0)), ("MOVE", 2, (1, 0), (2, 0)), ("MOVE", 2, (2, 0), (0, 0))]
    black = [("MOVE", 2, (7, 7), (6, 7)), ("MOVE", 2, (6, 7), (5, 7)), ("MOVE", 2, (5, 7), (7, 7))]
    single_white = [("MOVE", 1, (0, 4), (0, 5)), ("MOVE", 1, (0, 5), (0, 4))]
    single_black = [("MOVE", 1, (4, 4), (4, 5)), ("MOVE", 1, (4, 5), (4, 4))]
    ten_plies = [white[0], single_black[0], white[1], single_black[1], white[2]]
    ten_plies += [black[0], single_white[0], black[1], single_white[1], black[2]]
    board = "W2(0,0) W1(0,4) B1(4,4) B2(7,7)"
    state = position(board)
    seen = Counter({(board, 0): 1})
    for ply, action in enumerate(ten_plies * 3, 1):
        assert state.outcome() is None, f"ply {ply}"
        state = play(state, action)
        seen[stacks_of(state), state.mover] += 1
    assert seen[board, 0] == 4 and seen[board, 1] == 3
    assert state.outcome() == REPEATED


def test_the_fifth_hundredth_ply_ends_the_game():
    state = position("W1(0,0) B1(7,7)", plies=498)
    state = play(state, ("MOVE", 1, (0, 0), (0, 1)))
    assert state.outcome() is None and state.plies == 499 and state.to_act() == (1,)
    state = play(state, ("MOVE", 1, (7, 7), (7, 6)))
    assert state.plies == 500 and state.outcome() == TOO_LONG and state.to_act() == ()


def test_a_line_with_499_plies_leaves_one_ply():
    state = position("W1(0,0) B1(7,7)", "black", plies=499)
    assert play(state, ("MOVE", 1, (7, 7), (7, 6))).outcome() == TOO_LONG
    assert position("W1(0,0) B1(7,7)", plies=500).outcome() == TOO_LONG


@pytest.mark.parametrize(
    "stacks, result",
    [
        ("W1(7,7) B1(6,6) B1(0,0)", "winner: black"),
        ("B1(7,7) W1(6,6) W1(0,0)", "winner: white"),
        ("W1(6,6) B1(7,7)", "draw detected: no tokens remaining"),
    ],
)
def test_an_explosion_on_ply_500_decides_the_game(stacks, result):
    square = (7, 7) if "B1(7,7)" in stacks else (6, 6)
    state = play(position(stacks, "black", plies=499), ("BOOM", square))
    assert state.plies == 500
    assert state.outcome() == (SCORES[result], result)


def test_repetition_is_named_where_the_limit_of_plies_is_reached_too():
    state = play(position(stacks_of(rules.start("expendibots")), plies=488), *(QUIET + BACK) * 3)
    assert state.plies == 500 and state.outcome() == REPEATED


def test_whoever_blows_up_only_himself_loses_at_once():
    state = play(position("W1(0,0) B1(7,7)"), ("BOOM", (0, 0)))
    assert state.outcome() == ((0, 1), "winner: black")


@pytest.mark.parametrize(
    "line, outcome",
    [
        ("white 0 W1(0,0)", ((1, 0), "winner: white")),
        ("black 0 W1(0,0)", ((1, 0), "winner: white")),
        ("white 7 B3(0,0)", ((0, 1), "winner: black")),
        ("white 0", ((0.5, 0.5), "draw detected: no tokens remaining")),
        ("black 500", ((0.5, 0.5), "draw detected: no tokens remaining")),
        ("black 500 W1(0,0)", ((1, 0), "winner: white")),
    ],
)
def test_a_set_up_position_without_one_sides_tokens_is_over(line, outcome):
    state = rules.parse("expendibots", line)
    assert state.outcome() == outcome
    assert state.to_act() == () and state.actions(0) == state.actions(1) == []
    assert state.text() == line


# --- Counts -------------------------------------------------------------------------------------


def test_sequences_and_distinct_boards_up_to_length_three():
    # The agent's board, which agrees with these rules, counts those of length four and five.
    layer = {rules.start("expendibots").text(): 1}
    found = []
    for _ in range(3):
        following: Counter = Counter()
        for line, sequences in layer.items():
            state = rules.parse("expendibots", line)
            for action in legal(state):
                after = state.after({state.mover: action})
                following[after.text()] += sequences
        layer = following
        found.append((sum(layer.values()), len(layer)))
    assert found == [(50, 41), (2_500, 1_681), (119_400, 37_064)]


def test_placements_of_like_tokens_are_as_many_distinct_lines():
    squares = [(x, y) for x in range(8) for y in range(8)]
    for count, expected in ((1, 64), (2, 2_080), (3, 45_760))[: few(2, 3)]:
        assert expected == math.comb(63 + count, count)
        lines = set()
        for chosen in combinations_with_replacement(squares, count):
            stacks = " ".join(f"W{height}({x},{y})" for (x, y), height in Counter(chosen).items())
            lines.add(position(stacks).text())
        assert len(lines) == expected
    assert math.comb(63 + 4, 4) == 766_480


def solve(boards: list[tuple]) -> tuple[dict, Counter]:
    """Retrograde analysis up to the board's eight symmetries: who wins a board, with a side to move, in how
    many plies; and how many boards each of those stands for.

    What neither side can force a win of is not in the first answer.  Repetition and the limit of plies
    play no part.
    """
    symmetries = [(a, b, c) for a in (False, True) for b in (False, True) for c in (False, True)]
    canonical: dict = {}

    def least(stacks: tuple) -> tuple:
        if stacks not in canonical:
            images = [mirrored(stacks, *symmetry, False) for symmetry in symmetries]
            canonical.update(dict.fromkeys(images, min(images)))
        return canonical[stacks]

    stands_for = Counter(map(least, boards))
    waiting = [(board, mover) for board in stands_for for mover in (0, 1)]
    children, solved = {}, {}
    while waiting:
        node = waiting.pop()
        if node in children:
            continue
        state = State(*node, 0)
        following = [state.after({state.mover: action}) for action in state.actions(state.mover)]
        children[node] = {(least(after.stacks), after.mover) for after in following}
        waiting += [child for child in children[node] if child not in children]
        if state.outcome() and state.outcome()[0] != (0.5, 0.5):
            solved[node] = (state.outcome()[0].index(1), 0)
    parents: dict = {}
    for node, following in children.items():
        for after in following:
            parents.setdefault(after, []).append(node)
    found = dict(solved)
    for plies in range(1, 100):
        latest, found = found, {}
        # Only where a child was solved last can anything be new.
        for node in {parent for after in latest for parent in parents.get(after, ())} - solved.keys():
            mover = node[1]
            winners = {solved[after][0] if after in solved else None for after in children[node]}
            if mover in winners:
                found[node] = (mover, plies)
            elif winners == {1 - mover}:
                found[node] = (1 - mover, plies)
        if not found:
            return solved, stands_for
        solved |= found
    raise AssertionError("still finding wins after 100 plies")


@pytest.mark.lengthy
def test_two_tokens_against_one_win_as_often_and_as_fast_as_solved():
    squares = [(x, y) for x in range(8) for y in range(8)]
    boards = []
    for first, second in combinations_with_replacement(squares, 2):
        pair = [(first, 2)] if first == second else [(first, 1), (second, 1)]
        boards += [tuple(sorted([*pair, (lone, -1)])) for lone in squares if lone not in (first, second)]
    assert len(boards) == 129_024
    solved, stands_for = solve(boards)
    for mover, wins, longest in ((0, 128_948, 25), (1, 125_920, 26)):
        won = [board for board in stands_for if (board, mover) in solved]
        assert {solved[board, mover][0] for board in won} == {0}
        assert sum(stands_for[board] for board in won) == wins
        assert max(solved[board, mover][1] for board in won) == longest


def test_one_token_against_one_cannot_be_won_by_force():
    squares = [(x, y) for x in range(8) for y in range(8)]
    boards = [tuple(sorted([(a, 1), (b, -1)])) for a in squares for b in squares if a != b]
    solved, stands_for = solve(boards)
    assert sum(stands_for.values()) == 64 * 63
    assert not any((board, mover) in solved for board in stands_for for mover in (0, 1))


# --- Play-outs ----------------------------------------------------------------------------------

PLAY_OUTS = """
A 1 |  24 | winner: white                                   | 7-0  |   690 |  54 | e08114ed645dcd53
A 2 |  20 | winner: white                                   | 4-0  |   654 |  54 | f55fca70725c4819
A 3 |  53 | winner: black                                   | 0-1  |  1440 |  61 | b31bdabb5cfce9a4
A 5 |   8 | winner: white                                   | 8-0  |   266 |  50 | d697d04efaf4aeb1
A 8 |  21 | winner: black                                   | 0-12 |  1216 |  69 | d29e0add5aebcc40
B 1 | 183 | winner: white                                   | 2-0  | 11120 |  94 | 700c2cb31da7801a
B 2 |  80 | winner: white                                   | 6-0  |  2724 |  61 | 3b9c4a03ccea9f94
B 3 | 500 | draw detected: maximum number of turns reached. | 1-2  | 20671 |  93 | 3ff6cbe98ee340a9
B 4 | 264 | winner: white                                   | 5-0  | 10434 | 105 | 38d81c7863bf8b75
B 5 | 500 | draw detected: maximum number of turns reached. | 6-2  | 16838 |  86 | 98b40a72c7d62901
"""


def play_out(kind: str, seed: int) -> tuple[list, list, list]:
    """The states, actions and counts of legal actions of one of the pseudo-random games.

    Kind A takes any action; kind B a BOOM only about once in sixteen plies.
    """
    states, chosen, counts = [rules.start("expendibots")], [], []
    while states[-1].to_act():
        actions = sorted(legal(states[-1]))
        counts.append(len(actions))
        seed = (1103515245 * seed + 12345) % 2**31
        index = seed >> 16
        if kind == "B":
            moves = [action for action in actions if action[0] == "MOVE"]
            pool = actions if index % 16 == 0 or not moves else moves
            chosen.append(pool[index // 16 % len(pool)])
        else:
            chosen.append(actions[index % len(actions)])
        states.append(play(states[-1], chosen[-1]))
    return states, chosen, counts


@pytest.mark.parametrize("row", PLAY_OUTS.strip().splitlines())
def test_pseudo_random_games_go_as_in_the_courses_referee(row):
    game, plies, result, left, total, largest, sha = (cell.strip() for cell in row.split("|"))
    states, chosen, counts = play_out(game[0], int(game[2:]))
    assert len(chosen) == int(plies) == states[-1].plies
    assert states[-1].outcome()[1] == result
    assert "{}-{}".format(*tokens(states[-1])) == left
    assert (sum(counts), max(counts)) == (int(total), int(largest))
    assert hashlib.sha256(repr(chosen).encode()).hexdigest()[:16] == sha


# --- Lines, drawings ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["A 1", "A 8", "B 2", "B 3"])
def test_the_line_of_a_state_reads_back_as_the_same_state(game):
    for state in play_out(game[0], int(game[2:]))[0]:
        back = rules.parse("expendibots", state.text())
        assert back == state and hash(back) == hash(state)
        assert back.text() == state.text()
        assert (back.to_act(), back.outcome()) == (state.to_act(), state.outcome())
        assert all(back.actions(player) == state.actions(player) for player in (0, 1))


def test_the_line_leaves_out_the_history_so_that_the_state_has_been_seen_once():
    state = play(rules.start("expendibots"), *(QUIET + BACK) * 2)
    back = rules.parse("expendibots", state.text())
    assert play(state, *QUIET, *BACK).outcome() == REPEATED
    assert play(back, *(QUIET + BACK) * 2).outcome() is None
    assert play(back, *(QUIET + BACK) * 3).outcome() == REPEATED


def test_stacks_may_come_in_any_order_and_are_written_sorted():
    state = rules.parse("expendibots", "black 4 W2(7,7) B12(0,1) W1(0,0)")
    assert state.text() == "black 4 W1(0,0) B12(0,1) W2(7,7)"


def test_an_unreadable_line_is_refused_in_one_sentence_that_shows_the_form():
    for line in (
        "",
        " ",
        "hello",
        "white",
        "white ",
        "white 0 ",
        "white  0 W1(0,0)",
        " white 0 W1(0,0)",
        "white 0 W1(0,0)\n",
        "White 0 W1(0,0)",
        "green 0 W1(0,0)",
        "white -1 W1(0,0)",
        "white 00 W1(0,0)",
        "white 501 W1(0,0)",
        "white 999999999999999999999 W1(0,0)",
        "white " + "9" * 10_000,
        "white 1.0 W1(0,0)",
        "white \u0661 W1(0,0)",
        "white 0 W\u0663(0,0)",
        "white 0 W1(0,\u0667)",
        "white 0 W0(0,0)",
        "white 0 W01(0,0)",
        "white 0 W100(0,0)",
        "white 0 W-1(0,0)",
        "white 0 w1(0,0)",
        "white 0 W1(8,0)",
        "white 0 W1(0,8)",
        "white 0 W1(0,-1)",
        "white 0 W1(0, 0)",
        "white 0 W1 (0,0)",
        "white 0 W1(0,0),B1(1,1)",
        "white 0 W1(0,0)B1(1,1)",
        "white 0 W1(0,0)\tB1(1,1)",
        "white 0 W1(0,0)" + " B1(1,1)x" * 1000,
        "\x00",
    ):
        with pytest.raises(ValueError, match=r"^an expendibots position is .*W1\(3,3\)") as caught:
            rules.parse("expendibots", line)
        assert "\n" not in str(caught.value)


def test_a_square_named_twice_is_refused():
    for line in ("white 0 W1(0,0) B1(0,0)", "white 0 W1(0,0) W1(0,0)"):
        with pytest.raises(ValueError, match="names each square once"):
            rules.parse("expendibots", line)


def test_the_board_is_drawn_with_y_upwards_and_a_letter_for_each_colour():
    state = position("W1(0,0) W12(3,1) B2(7,7)")
    small = "  .  .  .  .  .  .  . B2\n" + ("  ." * 8 + "\n") * 5
    small += "  .  .  .W12  .  .  .  .\n" + " W1  .  .  .  .  .  .  ."
    assert state.draw() == str(state) == small
    assert state.draw(unicode=True) == small.replace(".", "·").replace("W", "○").replace("B", "●")
    large = state.draw(large=True).splitlines()
    assert large[0] == large[2] == large[16] == "  +" + "----+" * 8
    assert large[1] == "7 |" + "    |" * 7 + " B2 |"
    assert large[13] == "1 |" + "    |" * 3 + "W12 |" + "    |" * 4
    assert large[15] == "0 | W1 |" + "    |" * 7
    assert large[17] == "    0    1    2    3    4    5    6    7"
    drawn = state.draw(unicode=True, large=True).splitlines()
    assert drawn[0] == "  ┌" + "────┬" * 7 + "────┐"
    assert drawn[15] == "0 │ ○1 │" + "    │" * 7
    assert {len(line) for line in drawn[:-1]} == {43}


def test_only_pieces_are_painted_and_each_in_its_players_colour():
    state = position("W1(0,0) W12(3,1) B2(7,7)")
    for large in (False, True):
        painted = []

        def paint(text, player, painted=painted):
            painted.append((text.strip(), player))
            return f"<{text}>"

        drawn = state.draw(large=large, paint=paint)
        assert painted == [("B2", 1), ("W12", 0), ("W1", 0)]
        assert drawn.replace("<", "").replace(">", "") == state.draw(large=large)
        assert drawn.count("<") == 3
