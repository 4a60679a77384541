"""The seeded openings, and the players to measure against: random and greedy."""

from random import Random as Generator

import pytest

from referee import UsageError, rules
from referee.match.openings import Openings
from referee.players.baseline import CANDIDATES, Greedy, Random
from tests.support.samples import few


def first_openings(game, plies, seed):
    openings = Openings(game, plies, seed)
    return [openings.of(pair) for pair in range(1, 6)]


@pytest.mark.parametrize("game", rules.games())
def test_an_opening_is_legal_repeatable_and_leaves_the_game_running(game):
    openings = first_openings(game, 4, seed=3)
    assert openings == first_openings(game, 4, seed=3) != first_openings(game, 4, seed=4)
    assert len({repr(one) for one in openings}) > 1
    for one in openings:
        state = rules.start(game)
        assert len(one) == 4
        for chosen in one:
            assert set(chosen) == set(state.to_act())
            assert all(action in state.actions(player) for player, action in chosen.items())
            state = state.after(chosen)
        assert state.to_act()


def test_an_opening_that_would_end_the_game_is_drawn_again():
    for seed in range(40):  # on this board, two of three random openings of three plies end the game
        state = rules.start("kalaha:2x1")
        for chosen in Openings("kalaha:2x1", 3, seed).of(1):
            state = state.after(chosen)
        assert state.to_act(), f"seed {seed}"


def test_an_opening_longer_than_any_game_is_refused():
    with pytest.raises(UsageError, match="no opening of 500 random plies leaves kalaha:2x1 running"):
        Openings("kalaha:2x1", 500, seed=1).of(1)


def follow(kinds, game, seed, turns=1000):
    """Play a game between baseline players, checking that they follow it; the last state."""
    state = rules.start(game)
    players = [
        kind(colour, game, seed=f"{seed} {seat}")
        for seat, (kind, colour) in enumerate(zip(kinds, state.COLOURS, strict=True))
    ]
    while (acting := state.to_act()) and turns:
        turns -= 1
        chosen = {player: players[player].action() for player in acting}
        for player, action in chosen.items():
            assert action in state.actions(player), f"{game}, seed {seed}: {action}"
        for player in (0, 1):
            players[player].update(*state.news(player, chosen))
        state = state.after(chosen)
        assert all(player.state == state for player in players), f"{game}, seed {seed}"
    return state


@pytest.mark.parametrize("game", rules.games())
def test_the_baseline_players_follow_every_game(game):
    for seed in range(3):
        follow((Random, Greedy), game, seed, turns=15)


VARIANTS = [f"{game}:{variant}" for game in rules.games() for variant in rules.start(game).VARIANTS]


@pytest.mark.parametrize("game", VARIANTS)
def test_the_baseline_players_follow_every_variant(game):
    follow((Greedy, Random), game, 1, turns=15)


def test_the_same_seed_plays_the_same_game():
    one, again, other = (follow((Greedy, Greedy), "kalaha", seed) for seed in (1, 1, 2))
    assert one == again != other


def test_random_chooses_any_action_by_its_seed_alone():
    choices = [Random("A", "kalaha", seed=seed).action() for seed in range(30)]
    assert choices == [Random("A", "kalaha", seed=seed).action() for seed in range(30)]
    assert set(choices) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("game", ["expendibots", "pentago"])
def test_greedy_beats_random(game):
    wins = 0
    for seed in range(4):
        wins += follow((Greedy, Random), game, seed).outcome()[0][0]
        wins += follow((Random, Greedy), game, seed).outcome()[0][1]
    assert wins >= 7, f"{wins} of 8"


def by_hand(state):
    """The actions that win at once, and those after which the opponent cannot."""
    (mover,) = state.to_act()
    wins, safe = [], []
    for action in state.actions(mover):
        after = state.after({mover: action})
        if after.outcome():
            won = after.outcome()[0][mover]
            wins += [action] if won == 1 else []
            safe += [action] if won > 0 else []
        elif after.to_act() == (mover,):
            safe.append(action)
        else:
            replies = [after.after({1 - mover: reply}).outcome() for reply in after.actions(1 - mover)]
            safe += [action] if not any(end and end[0][mover] == 0 for end in replies) else []
    return wins, safe


@pytest.mark.parametrize(
    ("game", "games"), [("expendibots", 200), ("fanorona", 60), ("kalaha", 60), ("pentago", few(6, 12))]
)
def test_greedy_wins_at_once_and_else_does_what_is_safe(game, games):
    generator = Generator(5)
    won = avoided = 0
    for seed in range(games):
        state, states = rules.start(game), []
        while state.to_act():
            states.append(state)
            state = state.after({state.to_act()[0]: generator.choice(state.actions(state.to_act()[0]))})
        state = generator.choice(states[-4:])
        (mover,) = state.to_act()
        one = Greedy(state.COLOURS[mover], game, seed=seed)
        one.state = state
        action = one.action()
        wins, safe = by_hand(state)
        if wins:
            won += 1
            assert action in wins, f"{game}, seed {seed}: {state.text()}"
        elif safe and len(state.actions(mover)) <= CANDIDATES:
            avoided += len(safe) < len(state.actions(mover))
            assert action in safe, f"{game}, seed {seed}: {state.text()}"
    assert won >= 3 and (avoided >= 3 or game == "pentago"), "too few positions that show it"


@pytest.mark.parametrize("seed", range(5))
def test_greedy_takes_tokens_that_cannot_all_get_away(seed):
    # Upper's rock stands beside three scissors, of which one can leave; the others keep the game going.
    one = Greedy("upper", "ropasci", seed=seed)
    one.state = rules.parse("ropasci", "20 9/9 (4,-4):S (0,0):R (0,1):sss (-4,4):p")
    assert one.state.to_act() == (0, 1)
    assert one.action() == ("SLIDE", (0, 0), (0, 1))


def test_greedy_stops_looking_when_its_share_of_the_time_is_over():
    one = Greedy("white", "pentago", seed=1, action_seconds=1e-9)
    assert one.seconds == 1e-9 / 4
    assert one.action() in one.state.actions(0)
    assert Greedy("white", "expendibots", game_seconds=60.0).seconds == 60 / 400
    assert Greedy("white", "expendibots", action_seconds=0.1, game_seconds=60.0).seconds == 0.1 / 4
    assert Greedy("white", "expendibots").seconds == float("inf")
