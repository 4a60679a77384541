"""The kalaha agent: its fast board against the referee's rules, its search against known values."""

import random

import pytest

from kalaha_agent import notation
from kalaha_agent.position import STANDARD, START, UNIT, moves, play
from referee import rules

# Boards on which the two implementations are compared: small, usual, lopsided and large.
VARIANTS = ("6x6", "4x3", "1x4", "2x9", "3x20", "8x8", "12x12")


def name_of(variant):
    return f"kalaha:{variant}"


def mirrored(line):
    """The same position with the players' names exchanged."""
    turn, *counts = line.split()
    half = len(counts) // 2
    return " ".join([{"A": "B", "B": "A", "F": "F"}[turn], *counts[half:], *counts[:half]])


@pytest.mark.parametrize("variant", VARIANTS)
def test_board_and_rules_agree_on_mover_actions_end_and_result(variant):
    board, start = notation.from_variant(variant)
    walked = 0
    for seed in range(400):
        chance = random.Random(seed)
        state, position = rules.start(name_of(variant)), start
        while True:
            line = state.text()
            where = f"{variant}, seed {seed}: {line}"
            assert notation.to_text(board, position, sum(map(int, line.split()[1:]))) == line, where
            actions = [notation.to_action(move) for move in board.moves(position)]
            assert len(set(actions)) == len(actions), where
            if state.outcome() is not None:
                assert not actions, where
                a, b = state.banks
                assert position[1] == UNIT * (a - b if position[0] == 0 else b - a), where
                break
            assert state.to_act() == (position[0],), where
            assert sorted(actions) == state.actions(position[0]), where
            action = chance.choice(state.actions(position[0]))
            state = state.after({position[0]: action})
            position = notation.follow(board, position, notation.COLOURS[position[0]], action)
            walked += 1
        if walked >= 3000:
            return
    assert walked >= 3000 or variant in ("1x4",), f"only {walked} positions of {variant}"


def sequences(board, position, length):
    """How many sequences of moves there are; a finished game has no continuation."""
    if length == 0:
        return 1
    return sum(sequences(board, board.play(position, move), length - 1) for move in board.moves(position))


# The counts of the published course framework, one pond a ply.
COUNTS = """
A 6 6 6 6 6 6 0 6 6 6 6 6 6 0       | 6 35 190 1056 5882 32243 177827 962153
A 0 1 2 0 16 14 6 0 4 7 5 1 0 16    | 4 20 103 543 2765 13985
A 1 2 3 1 17 1 8 1 5 8 6 2 1 16     | 6 35 192 988 4986 24473
B 0 8 0 1 0 0 30 1 0 3 0 8 1 20     | 4 13 50 206 817 3337
A 4 3 2 1 0 13 12 0 1 2 3 4 5 22    | 5 21 91 368 1674 7125
"""


@pytest.mark.parametrize("row", COUNTS.strip().splitlines())
def test_sequences_of_moves_are_as_many_as_the_framework_counted(row):
    line, counts = row.split("|")
    for side in (line, mirrored(line)):
        board = notation.board_of(side)
        position = notation.from_text(side, board)
        for length, count in enumerate(map(int, counts.split()), start=1):
            if side == line or count < 50_000:
                assert sequences(board, position, length) == count, f"{side}, length {length}"


def test_the_usual_board_is_what_the_module_offers():
    assert notation.from_text("A 6 6 6 6 6 6 0 6 6 6 6 6 6 0") == START
    assert sorted(moves(START)) == [0, 1, 2, 3, 4, 5]
    assert notation.to_text(STANDARD, play(START, 0)) == "A 0 7 7 7 7 7 1 6 6 6 6 6 6 0"
