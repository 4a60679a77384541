"""`referee.env`: every game is an environment of PettingZoo, by PettingZoo's own tests and by the rules."""

import warnings
from random import Random

import numpy
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import referee
from referee import UsageError, environments, rules
from referee.rules import State

NAMES = [
    f"{game}:{variant}" if variant else game
    for game in rules.games()
    for variant in ("", *rules.start(game).VARIANTS)
]
IN_TURNS = [name for name in NAMES if len(rules.start(name).to_act()) == 1]
AT_ONCE = [name for name in NAMES if name not in IN_TURNS]

every_game = pytest.mark.parametrize("name", NAMES)


@pytest.mark.parametrize("name", IN_TURNS)
def test_pettingzoo_accepts_the_games_with_turns(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It says so of its own games with a mask, and of every board that is empty at first.
        warnings.filterwarnings("ignore", message="Observation ")
        api_test(referee.env(name), num_cycles=100, verbose_progress=False)
    seed_test(lambda: referee.env(name), num_cycles=20)


@pytest.mark.parametrize("name", AT_ONCE)
def test_pettingzoo_accepts_the_games_without(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(referee.env(name), num_cycles=100)
    parallel_seed_test(lambda: referee.env(name), num_cycles=20)


@every_game
def test_pettingzoo_accepts_how_it_is_rendered(name, capsys):
    if name in IN_TURNS:
        render_test(lambda render_mode=None: referee.env(name, render_mode=render_mode))
    env = referee.env(name, render_mode="ansi")
    env.reset()
    assert env.render() == rules.start(name).draw()


# The index of actions


def walked(name, seed):
    """The states of a random game."""
    lots, state = Random(seed), rules.start(name)
    while players := state.to_act():
        yield state
        state = state.after({player: lots.choice(state.actions(player)) for player in players})


@every_game
def test_every_action_that_is_ever_legal_has_one_place_and_the_same_every_time(name):
    actions, place, others = environments.indexed(name)
    assert others == 0 and len(set(actions)) == len(actions)
    assert rules.start(name).every_action() == actions
    for seed in range(5):
        for state in walked(name, seed):
            legal = {action for player in state.to_act() for action in state.actions(player)}
            assert legal <= place.keys(), state.text()


def test_there_are_as_many_actions_as_the_sheets_count():
    sizes = {name: len(environments.indexed(name)[0]) for name in NAMES}
    assert sizes["kalaha"] == 6 and sizes["kalaha:4x3"] == 4 and sizes["pentago"] == 288
    assert sizes["fanorona"] == 216 + 168 + 168 + 1  # directed hops, approaches, withdrawals, Pass
    assert sizes["expendibots"] == 64 + 64 * 14 * 12
    assert sizes["ropasci"] == 3 * 61 + 2 * 156 + 2 * swings()


def swings():
    """Pairs of hexes that are two steps apart."""
    hexes = [(r, q) for r in range(-4, 5) for q in range(-4, 5) if -4 <= r + q <= 4]
    far = [max(abs(a - c), abs(b - d), abs(a + b - c - d)) for a, b in hexes for c, d in hexes]
    return far.count(2) // 2


def test_a_game_that_does_not_say_its_actions_gets_those_of_random_games(monkeypatch):
    environments.indexed.cache_clear()
    monkeypatch.setattr(type(rules.start("kalaha")), "every_action", State.every_action)
    monkeypatch.setattr(type(rules.start("kalaha")), "planes", State.planes)
    try:
        env = referee.env("kalaha:4x3")
        assert env.unwrapped.actions == (1, 2, 3, 4)
        api_test(env, num_cycles=50, verbose_progress=False)
        env.unwrapped._place = {}  # as if none of them had come up
        env.reset()
        mask = env.unwrapped.observe("player_0")["action_mask"]
        assert mask.sum() == 4 and mask[:4].sum() == 0
        env.step(4 + 2)
        assert env.unwrapped.state == rules.start("kalaha:4x3").after({0: 3})
    finally:
        environments.indexed.cache_clear()


# What agents see


@every_game
def test_each_plane_has_a_line_and_the_mask_is_what_is_legal(name):
    env = referee.env(name).unwrapped
    for state in list(walked(name, 1))[::5]:
        for player in (0, 1):
            seen = env.seen(state, player)
            assert (
                seen["observation"].shape[0] == len(state.PLANES)
                and seen["observation"].dtype == numpy.float32
            )
            legal = [env.actions[place] for place in numpy.flatnonzero(seen["action_mask"])]
            assert sorted(map(repr, legal)) == sorted(map(repr, state.actions(player)))
            assert env.observation_space(env.possible_agents[player]).contains(seen)


def test_each_player_sees_its_own_first():
    kalaha = rules.parse("kalaha", "A 1 2 3 4 5 6 7 8 9 10 11 12 13 14")
    assert kalaha.planes(1)[0] == [[8.0, 9.0, 10.0, 11.0, 12.0, 13.0]] and kalaha.planes(1)[2][0][0] == 14.0
    pentago = rules.parse("pentago", "w" + "." * 34 + "b w")
    assert pentago.planes(0)[0][0][0] == pentago.planes(1)[0][5][5] == 1.0
    ropasci = rules.parse("ropasci", "3 2/1 (4,-2):RR (-4,0):s")
    assert ropasci.planes(0)[0][0][2] == 2.0 and ropasci.planes(1)[3][0][2] == 2.0
    assert ropasci.planes(0)[5][8][4] == ropasci.planes(1)[2][8][4] == 1.0
    assert [ropasci.planes(1)[plane][0][0] for plane in (6, 7)] == [8.0, 7.0]
    fanorona = rules.start("fanorona").after({0: "F3-E2-A"}).after({1: "C2-D1-W"})
    assert fanorona.planes(1)[2][2][2] == fanorona.planes(1)[3][1][3] == 1.0
    expendibots = rules.parse("expendibots", "white 50 W3(1,2) B12(7,7)")
    assert (expendibots.planes(0)[0][2][1], expendibots.planes(0)[1][7][7]) == (3.0, 12.0)
    assert expendibots.planes(1)[2][0][0] == 0.1


# Rewards


def test_the_winner_gets_one_and_the_loser_minus_one():
    env = referee.env("kalaha:2x2")
    env.reset(seed=1)
    rewards, lots = {}, Random(2)
    for agent in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        rewards[agent] = reward
        env.step(None if ended else lots.choice(list(numpy.flatnonzero(seen["action_mask"]))))
    first, second = env.unwrapped.state.outcome()[0]
    assert rewards == {"player_0": first - second, "player_1": second - first}


def test_an_illegal_action_loses_the_game():
    env = referee.env("kalaha")
    env.reset()
    env.step(0)  # which is an extra move
    env.step(0)
    assert env.unwrapped.rewards == {"player_0": -1.0, "player_1": 1.0} and all(
        env.unwrapped.terminations.values()
    )
    both = referee.env("ropasci")
    both.reset()
    wrong = len(both.unwrapped.actions) - 1
    assert both.step(dict.fromkeys(both.agents, wrong))[1] == dict.fromkeys(both.possible_agents, -1.0)


def test_what_there_is_not_is_refused_in_a_sentence():
    with pytest.raises(UsageError, match="did you mean 'kalaha'"):
        referee.env("kalha")
    with pytest.raises(UsageError, match="no render mode 'rgb_array'"):
        referee.env("kalaha", render_mode="rgb_array")
    env = referee.env("kalaha")
    for action in (1.5, "1", [1], None):
        env.reset()
        with pytest.raises(UsageError, match="player_0's action should be a whole number from 0 to 5, not "):
            env.step(action)
    both = referee.env("ropasci")
    both.reset()
    with pytest.raises(UsageError, match="player_1's action should be a whole number .* not None"):
        both.step({"player_0": 0})


# A policy as a player


@pytest.mark.parametrize("name", ["kalaha:4x3", "ropasci"])
def test_a_policy_becomes_a_player_in_three_lines(name):
    def policy(observation, mask):
        return int(mask.argmax())

    env = referee.env(name)
    player = env.unwrapped.player(policy)
    result = referee.play(name, player, player)
    assert result.ending == "finished"


@pytest.mark.parametrize(
    ("place", "ending", "said"),
    [(99, "crashed", "the policy chose place 99, where no action is"), (5, "illegal action", "is illegal")],
)
def test_a_policy_that_chooses_what_is_illegal_loses_by_that(place, ending, said):
    player = referee.env("kalaha:6x1").unwrapped.player(lambda observation, mask: place)
    result = referee.play("kalaha:6x1", player, "greedy", seed=1)
    assert (result.ending, result.at_fault) == (ending, (0,)) and said in result.reason
