"""Pairs of games between objects of this process: openings, seats, seeds, the score, and players at fault."""

from dataclasses import replace

import pytest

from referee import rules
from referee.match import statistics
from referee.match.pairs import AtFault, Score, pairs
from referee.players.baseline import Greedy, Random


def random_player(game):
    return lambda colour, seed: Random(colour, game, seed)


def greedy(colour, seed):
    return Greedy(colour, "kalaha", seed)


def start(pair):
    return ()


@pytest.mark.parametrize("game", rules.games())
def test_both_games_of_a_pair_begin_alike_and_end_as_the_rules_say(game):
    state = rules.start(game)
    opening = ({player: state.actions(player)[0] for player in state.to_act()},)
    makers = random_player(game), random_player(game)
    first, second = pairs(game, makers, lambda pair: opening, [4], seed=2)
    assert (first.pair, first.seat, second.seat) == (4, 0, 1)
    for played in (first, second):
        assert played.plies[:1] == opening
        state = rules.start(game)
        for chosen in played.plies:
            assert state.outcome() is None
            state = state.after(chosen)
        scores, reason = state.outcome()
        assert (played.points, played.reason) == (scores[played.seat], reason)
        assert played.end.text() == state.text()


def test_the_same_seed_plays_the_same_games_and_another_others():
    def games(seed):
        makers = random_player("kalaha"), greedy
        return [repr(game.plies) for game in pairs("kalaha", makers, start, [1, 2], seed)]

    assert games(1) == games(1) and not set(games(1)) & set(games(2)) and len(set(games(1))) == 4


def test_players_are_set_up_in_a_state_and_in_another_for_each_seat():
    one, other = (rules.start("kalaha").after({0: pond}) for pond in (2, 3))
    for opened, starts in ((one, (one, one)), ((one, other), (one, other))):
        games = list(pairs("kalaha", (greedy, random_player("kalaha")), lambda pair, at=opened: at, [1]))
        assert tuple(game.start for game in games) == starts


def test_half_a_pair_is_played_from_one_seat_and_counted_as_games():
    score = Score(seats=1)
    for game in pairs("kalaha", (greedy, random_player("kalaha")), start, range(1, 9), seats=[1]):
        score.add(game)
        assert game.seat == 1
    assert len(score.counts) == 3 and sum(score.counts) == 8


def test_the_score_has_the_tournaments_interval_and_says_what_differs():
    score = Score()
    for game in pairs("kalaha", (greedy, random_player("kalaha")), start, range(1, 6), seed=1):
        score.add(game)
    shares = [
        (one.points + two.points) / 2 for one, two in zip(score.games[::2], score.games[1::2], strict=True)
    ]
    assert score.counts == statistics.counted(shares) and score.points == 2 * sum(shares)
    assert f" of 10 = {statistics.words(score.counts)}; +" in str(score)
    different = len({repr(game.plies) for game in score.games})
    assert f"\n{different} different games of " in str(score)


def test_a_sequential_test_decides_by_the_pairs_so_far():
    (won,) = pairs("kalaha", (greedy, random_player("kalaha")), start, [1], seats=[0])
    for points, decision in ((1.0, "H1"), (0.0, "H0")):
        score = Score(sprt=statistics.Sprt(0, 200))
        assert score.decision() is None
        while score.decision() is None:
            score.add(replace(won, points=points))
            assert len(score.games) < 100
        assert score.decision() == decision and decision in str(score)
        assert len(score.games) == 2 * len(score.shares)


def test_a_player_at_fault_ends_it_all_with_a_sentence_of_who_and_where():
    class Wrong(Random):
        def action(self):
            return 9

    makers = random_player("kalaha"), lambda colour, seed: Wrong(colour, "kalaha", seed)
    with pytest.raises(AtFault, match=r"pair 1, turn 1: player \(B\) forfeits: action 9 is illegal"):
        list(pairs("kalaha", makers, lambda pair: ({0: 2},), [1]))


def test_what_is_charged_is_the_time_of_each_player(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("referee.match.local.time.process_time", lambda: clock[0])

    class Slow(Random):
        def action(self):
            clock[0] += 3.0
            return super().action()

    makers = lambda colour, seed: Slow(colour, "kalaha", seed), random_player("kalaha")
    for game in pairs("kalaha", makers, start, [1]):
        own = sum(1 for turn in game.turns if turn.players == (game.seat,))
        assert game.cpu == (3.0 * own, 0.0) and game.slowest == (3.0, 0.0)
