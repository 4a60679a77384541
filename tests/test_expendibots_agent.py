"""The Expendibots agent: its fast board against the referee's rules, its search, tables and strength."""

import random
from collections import Counter

import pytest

from expendibots_agent import notation
from expendibots_agent import position as board
from expendibots_agent.candidates import candidates
from expendibots_agent.position import START, count_moves, moves, over, play
from expendibots_agent.sides import MOST, mixed, side
from referee import rules


def start() -> rules.State:
    return rules.start("expendibots")


def quiet_or_any(state: rules.State, source: random.Random) -> tuple:
    """A random action, booms being rare, so that walks are long."""
    (player,) = state.to_act()
    actions = state.actions(player)
    steps = [action for action in actions if action[0] == "MOVE"]
    return source.choice(steps if steps and source.random() < 0.95 else actions)


def random_line(source: random.Random) -> str:
    """A position that a game might not come to: up to twelve tokens a side anywhere."""
    squares = source.sample([(x, y) for x in range(8) for y in range(8)], source.randint(2, 16))
    left = [MOST, MOST]
    stacks = []
    for number, (x, y) in enumerate(squares):
        height = min(source.choice((1, 1, 1, 2, 3, 5)), left[number % 2])
        left[number % 2] -= height
        if height:
            stacks.append(f"{'WB'[number % 2]}{height}({x},{y})")
    return " ".join([source.choice(("white", "black")), str(source.randrange(500)), *stacks])


# --- The fast board is the referee's ------------------------------------------------------------


def assert_same(state: rules.State, position: tuple, why: str) -> None:
    line = f"{why}: {state.text()}"
    if "4 times" in (state.outcome() or ("", ""))[1]:  # no single position can know
        assert over(notation.from_text(state.text())), line
        return
    assert notation.to_text(position) == state.text(), line
    assert over(position) == (state.to_act() == ()), line
    mine = [notation.to_action(position, move) for move in moves(position)]
    theirs = [action for player in state.to_act() for action in state.actions(player)]
    assert len(mine) == len(set(mine)) == count_moves(position), line
    assert sorted(mine) == theirs, line
    if theirs:
        assert state.to_act() == (position[0],), line
        assert [notation.to_move(action) for action in mine] == moves(position), line


def test_random_walks_agree_with_the_rules_on_mover_actions_end_and_result():
    seen = endings = 0
    for seed in range(60):
        source = random.Random(seed)
        state, position = start(), START
        while state.to_act():
            assert_same(state, position, f"seed {seed}")
            seen += 1
            action = quiet_or_any(state, source)
            (player,) = state.to_act()
            state = state.after({player: action})
            position = notation.follow(position, {player: action})
        assert_same(state, position, f"seed {seed}")
        (white, _), _ = state.outcome()
        tokens = position[1][4], position[2][4]
        white_left, black_left = tokens if position[0] == 0 else tokens[::-1]
        if not white_left or not black_left:
            endings += 1
            assert white == (1 if white_left else 0 if black_left else 0.5), state.text()
    assert seen >= 3000 and endings >= 20, (seen, endings)


def test_random_positions_agree_with_the_rules_and_come_back_as_the_same_line():
    source = random.Random(12)
    for _ in range(400):
        state = rules.parse("expendibots", random_line(source))
        position = notation.from_text(state.text())
        assert_same(state, position, "seed 12")
        for player in state.to_act():
            for action in state.actions(player):
                after = notation.follow(position, {player: action})
                assert notation.to_text(after) == state.after({player: action}).text(), state.text()


def test_names_tell_repetitions_as_the_rules_do():
    """Two plies shuffled over and over: the name comes back exactly when the rules count it."""
    for seed in range(30):
        source = random.Random(seed)
        state, position = start(), START
        names = Counter([position[4]])
        while state.to_act():
            (player,) = state.to_act()
            actions = state.actions(player)
            steps = [action for action in actions if action[0] == "MOVE" and action[2][1] in (0, 2, 5, 7)]
            action = source.choice((steps or actions)[:4])
            state = state.after({player: action})
            position = notation.follow(position, {player: action})
            names[position[4]] += 1
            if state.plies <= board.NEAR_THE_END:
                repeated = "4 times" in (state.outcome() or ("", ""))[1]
                assert (names[position[4]] >= 4) == repeated, f"seed {seed}: {state.text()}"


def test_the_265_308_446_sequences_of_length_five():
    level = {START[4]: (START, 1)}
    sequences = []
    for _ in range(3):
        after = {}
        for position, ways in level.values():
            for move in moves(position):
                child = play(position, move)
                known = after.get(child[4])
                after[child[4]] = (child, ways if known is None else known[1] + ways)
        level = after
        sequences.append((sum(ways for _, ways in level.values()), len(level)))
    assert sequences == [(50, 41), (2_500, 1_681), (119_400, 37_064)]
    total = 0
    for position, ways in level.values():
        total += ways * sum(count_moves(play(position, move)) for move in moves(position))
    assert total == 265_308_446


def test_a_line_that_is_no_position_is_refused():
    for line in ("", "white", "green 0 W1(0,0)", "white x W1(0,0)", "white 0 W1(8,0)", "white 0 W0(0,0)"):
        with pytest.raises(ValueError, match=r"W1\(3,3\)"):
            notation.from_text(line)
    with pytest.raises(ValueError, match="at most 12"):
        notation.from_text("white 0 W12(0,0) W1(1,0) B1(7,7)")


def test_mixed_components_are_those_that_a_boom_of_the_rules_clears():
    source = random.Random(3)
    checked = 0
    for _ in range(300):
        state = rules.parse("expendibots", random_line(source))
        if not state.to_act():
            continue
        (player,) = state.to_act()
        position = notation.from_text(state.text())
        expected = set()
        for action in state.actions(player):
            if action[0] == "BOOM":
                after = notation.from_text(state.after({player: action}).text())
                lost = position[1][4] - after[2][4], position[2][4] - after[1][4]
                if lost[1]:
                    expected.add((position[1][1] & ~after[2][1] | position[2][1] & ~after[1][1], *lost))
        assert set(mixed(position[1], position[2])) == expected, state.text()
        checked += len(expected)
    assert checked > 200


def test_candidates_are_legal_distinct_and_none_only_when_the_game_is_over():
    source = random.Random(8)
    for _ in range(500):
        line = random_line(source)
        position = notation.from_text(line)
        found = [move & 65535 for move in candidates(position)]
        assert len(found) == len(set(found)) and set(found) <= set(moves(position)), line
        assert bool(found) == bool(moves(position)), line


def test_sides_do_not_depend_on_what_is_remembered():
    source = random.Random(4)
    for _ in range(50):
        heights = sum(source.randint(1, 2) << 4 * square for square in source.sample(range(64), 6))
        first = side(heights)
        assert first == side.__globals__["_work_out"](heights)
