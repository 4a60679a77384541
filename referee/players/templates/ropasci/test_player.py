"""Tests of the player: its moves are those of the referee's rules, and it plays whole games by them.

Run them in the folder above this one, with its name: python -m pytest NAME
"""

import random

import pytest

import referee
from referee import rules

from . import Player
from .position import moves, play, start

GAME = "ropasci"


@pytest.mark.parametrize("seed", range(5))
def test_its_moves_are_those_of_the_rules(seed):
    lots, state, position = random.Random(seed), rules.start(GAME), start()
    while state.to_act():
        for player in (0, 1):
            assert sorted(map(repr, moves(position, player))) == sorted(map(repr, state.actions(player)))
        chosen = [lots.choice(state.actions(player)) for player in (0, 1)]
        state, position = state.after(dict(enumerate(chosen))), play(position, chosen)


@pytest.mark.parametrize("seat", [0, 1])
def test_it_plays_to_the_end_against_random(seat):
    players = [Player, "random"] if seat == 0 else ["random", Player]
    result = referee.play(GAME, *players, game_seconds=5)
    assert result.ending == "finished", result.reason
