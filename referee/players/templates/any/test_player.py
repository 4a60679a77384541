"""Tests of the player: it plays whole games by the referee's rules.

Run them in the folder above this one, with its name: python -m pytest NAME
"""

import pytest

import referee

from . import Player

GAME = "kalaha"


@pytest.mark.parametrize("seat", [0, 1])
def test_it_plays_to_the_end_against_random(seat):
    players = [Player, "random"] if seat == 0 else ["random", Player]
    result = referee.play(GAME, *players, nodes=50)
    assert result.ending == "finished", result.reason
