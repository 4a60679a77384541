"""Our agents keep every limit they are told of, alone and together, on machines that the tests make up."""

import random
import sys

import pytest

from referee import rules
from tests.long.limits import GAMES, allowance, combinations, words
from tests.support.agents import player
from tests.support.machine import Machine, let_clocks_read
from tests.support.samples import few

PLIES = few(12, 24)
A_CALL = {"pentago": 2e-6, "ropasci": 4e-6}  # seconds: numpy's calls do more than others


class Limited:
    """A player on a machine of the tests, with the account that the referee keeps."""

    def __init__(self, game, seat, allowed, machine):
        keywords = allowed.keywords()
        keywords.pop("megabytes", None)
        self.allowed, self.machine = allowed, machine
        self.actions, self.spent, self.since = 0, 0.0, 0.0
        self.player = self._charged(lambda: player(game, seat, wall=allowed.wall, **keywords))

    def action(self):
        action = self._charged(self.player.action)
        self.actions, self.since = self.actions + 1, 0.0
        return action

    def update(self, *news):
        self._charged(self.player.update, *news)

    def _charged(self, call, *arguments):
        result, taken = self.machine.run(call, *arguments)
        self.spent, self.since = self.spent + taken, self.since + taken
        allowed = self.allowed
        first = allowed.action if allowed.first is None else allowed.first
        limit = allowed.action if self.actions else first
        assert limit is None or self.since < limit, f"action {self.actions + 1} took {self.since:.4f} s"
        for of_game in filter(None, (allowed.game, allowed.game_wall)):
            assert self.spent < of_game, f"{self.actions} took {self.spent:.4f} s of {of_game}"
        return result


@pytest.mark.parametrize("number", range(few(2, 6)))
@pytest.mark.parametrize("game", GAMES)
def test_every_combination_of_limits_is_kept(game, number, monkeypatch):
    base, lots = game.partition(":")[0], random.Random(f"limits {game} {number}")
    machine = Machine(A_CALL.get(base, 1e-6))
    # As in a process of its own: what earlier tests made the agent keep would make it look further.
    for module in [name for name in sys.modules if name.partition(".")[0] == f"{base}_agent"]:
        monkeypatch.delitem(sys.modules, module)
    let_clocks_read(monkeypatch, machine, f"{base}_agent.shared")
    options = lots.choice([one for one in combinations(game) if one["space"] is None])
    state, allowed = rules.start(game), allowance(game, options)
    one = Limited(game, number % 2, allowed, machine)
    plies = 0
    while state.to_act() and plies < PLIES:
        chosen = {seat: lots.choice(state.actions(seat)) for seat in state.to_act()}
        if number % 2 in chosen and plies >= options["opening"]:
            chosen[number % 2] = one.action()
            assert chosen[number % 2] in state.actions(number % 2), words(options)
        one.update(*state.news(number % 2, chosen))
        state, plies = state.after(chosen), plies + 1
    assert machine.readings, words(options)
