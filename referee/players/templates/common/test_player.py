"""Tests of the player: its moves are those of the referee's rules, and it plays whole games by them.

Run them in the folder above this one, with its name: python -m pytest NAME
"""

import random

import pytest

import referee
from referee import rules

from . import Player
from .position import moves, play, start

GAME = "kalaha"


@pytest.mark.parametrize("seed", range(10))
def test_its_moves_are_those_of_the_rules(seed):
    lots, state, position = random.Random(seed), rules.start(GAME), start()
    while state.to_act():
        (mover,) = state.to_act()
        assert position[0] == mover, "another player is to move: " + state.text()
        assert sorted(moves(position)) == sorted(state.actions(mover)), state.text()
        action = lots.choice(state.actions(mover))
        state, position = state.after({mover: action}), play(position, action)


@pytest.mark.parametrize("seat", [0, 1])
def test_it_plays_to_the_end_against_random(seat):
    players = [Player, "random"] if seat == 0 else ["random", Player]
    result = referee.play(GAME, *players, nodes=50)
    assert result.ending == "finished", result.reason
