"""The clock of the agents, run against a time that the tests make up."""

import gc

import pytest

from shared.clock import FAR, GRAIN, HANDED_OVER, HANDED_OVER_ON_WALL, Clock, Stop, clock_for
from tests.support.machine import Time, let_clocks_read


def think(clock, passing, node_seconds, growth=3.0, deepest=60):
    """What a search does: deepen, each iteration `growth` times the last, until stopped; the nodes."""
    nodes, limit, size = 0, 0, 10.0
    with clock:
        clock.begin()
        try:
            for _ in range(deepest):
                for _ in range(int(min(size, 10**6))):
                    if nodes == limit:
                        limit = clock.poll(nodes)
                    nodes += 1
                    passing.seconds += node_seconds
                size *= growth
                if not clock.more():
                    break
        except Stop:
            pass
        finally:
            clock.end()
    return nodes


def play_out(clock, passing, turns, node_seconds, other_seconds):
    """A game of so many own turns, with so much spent outside the search a turn: what each turn took."""
    taken = []
    for _ in range(turns):
        before = clock.spent()
        with clock:  # action
            passing.seconds += other_seconds / 2
            think(clock, passing, node_seconds)
        passing.charged(clock, other_seconds / 2)  # update
        passing.seconds += 1.0  # the opponent thinks in the same process
        taken.append(clock.spent() - before)
    return taken


def test_only_what_is_inside_a_block_is_charged():
    passing = Time()
    clock = Clock(game=60, now=passing)
    passing.seconds += 7
    passing.charged(clock, 2)
    passing.seconds += 7
    passing.charged(clock, 3)
    assert clock.used == clock.spent() == 5
    assert clock.left() == 55


def test_nested_blocks_are_charged_once():
    passing = Time()
    clock = Clock(game=60, now=passing)
    with clock:
        passing.seconds += 1
        with clock:
            passing.seconds += 2
        assert clock.spent() == 3
        passing.seconds += 4
    assert clock.used == 7


def test_a_block_left_by_an_error_is_charged_and_the_error_comes_through():
    passing = Time()
    clock = Clock(game=60, now=passing)
    with pytest.raises(ZeroDivisionError), clock:
        passing.seconds += 2
        raise ZeroDivisionError
    assert clock.used == 2
    passing.seconds += 5
    assert clock.spent() == 2, "the block must be closed"


def test_by_default_cpu_time_is_charged_and_on_request_wall_time(monkeypatch):
    passing, passing_on_wall = Time(), Time()
    let_clocks_read(monkeypatch, passing, on_wall=passing_on_wall)
    cpu, wall = Clock(game=60), Clock(game=60, wall=True)
    with cpu, wall:
        passing.seconds += 3
        passing_on_wall.seconds += 5
    assert (cpu.used, wall.used) == pytest.approx((3 + HANDED_OVER, 5 + HANDED_OVER_ON_WALL))


@pytest.mark.parametrize(
    ("wall", "rows"),
    [
        (False, [(8.0, 0.2), (4.0, 0.2), (1.0, 0.05), (0.1, 0.025), (0.02, 0.01), (0.002, 0.001)]),
        (True, [(4.0, 0.2), (1.0, 0.15), (0.4, 0.15), (0.1, 0.05), (0.02, 0.01)]),
    ],
    ids=["cpu", "wall"],
)
def test_what_is_kept_back_of_an_action_and_more_where_wall_time_is_charged(wall, rows):
    for budget, kept in rows:
        passing = Time()
        clock = Clock(action=budget, wall=wall, now=passing)
        clock.begin()
        assert clock.hard - passing() == pytest.approx(budget - kept)


def test_what_a_game_keeps_back_is_not_kept_of_a_first_action_that_is_shorter():
    passing = Time()
    clock = Clock(game=60.0, first=0.4, now=passing)
    with clock:
        clock.begin()
        assert clock.hard - passing() == pytest.approx(0.35)
        clock.begin()
        assert clock.hard - passing() > 1


@pytest.mark.parametrize("how", ["booked", "searched"])
def test_an_action_that_is_not_searched_for_is_counted_as_well(how):
    passing = Time()
    clock = Clock(action=0.4, first=30.0, now=passing)
    with clock.action():
        if how == "searched":
            clock.begin()
            clock.begin()
    assert clock.played == 1
    with clock.action():
        clock.begin()
        assert clock.hard - passing() == pytest.approx(0.35), "the first action's time is over"
    assert clock.played == 2


def test_a_block_of_an_action_left_by_an_error_is_counted_and_closed():
    passing = Time()
    clock = Clock(action=1.0, now=passing)
    with pytest.raises(ZeroDivisionError), clock.action():
        passing.seconds += 0.2
        raise ZeroDivisionError
    passing.seconds += 5
    assert (clock.played, clock.spent()) == (1, pytest.approx(0.2))
    clock.begin()
    assert clock.played == 2, "outside of a block each turn that is planned counts"


def test_what_was_charged_since_the_last_action_is_taken_from_the_next():
    passing = Time()
    clock = Clock(action=10.0, now=passing)
    for constructor_and_updates in (2, 0, 9, 4):
        with clock:
            passing.seconds += constructor_and_updates
        with clock.action():
            clock.begin()
            assert clock.hard - passing() == pytest.approx(9.8 - constructor_and_updates)
            passing.seconds += 0.5


def test_a_search_that_looks_seldom_stops_sooner():
    passing = Time()
    clock = Clock(action=0.2, now=passing)
    for turn in range(4):
        before = clock.spent()
        with clock.action():
            clock.begin()
            with pytest.raises(Stop):
                for nodes in range(10**6):
                    clock.poll(nodes)
                    passing.seconds += 0.03
        assert 0.1 < clock.spent() - before <= 0.16, f"turn {turn}"


def test_what_comes_after_the_search_is_kept_back_of_later_actions():
    passing = Time()
    clock = Clock(action=1.0, now=passing)
    for turn in range(4):
        before = clock.spent()
        with clock.action():
            think(clock, passing, 1e-4)
            passing.seconds += 0.1
        assert clock.spent() - before < (1.0 if turn else 1.1), f"turn {turn}"


def test_every_limit_that_is_given_is_kept():
    for course in ({"game": 60.0}, {"action": 2.0, "first": 30.0}):
        clock = clock_for(course, None, 3.0, 0.3, 0.5, 1000, now=Time())
        assert (clock.game, clock.each, clock.first, clock.nodes) == (3.0, 0.3, 0.5, 1000)
    passing = Time()
    clock = Clock(game=3.0, action=0.3, first=0.5, nodes=1000, now=passing)
    assert think(clock, passing, 1e-5) == 1000, "no other limit is in the way"
    taken = play_out(clock, passing, 25, 1e-3, 0.001)
    assert max(taken) < 0.3 and clock.spent() < 3.0


def test_seconds_are_of_what_the_course_limits():
    assert clock_for({"game": 60.0}, 5.0).game == 5.0
    assert clock_for({"game": 60.0}, 5.0, 4.0).game == 4.0
    of_action = clock_for({"action": 2.0, "first": 30.0}, 5.0)
    assert (of_action.game, of_action.each, of_action.first) == (None, 5.0, 5.0)


def test_the_course_s_limits_count_where_none_is_given():
    clock = clock_for({"action": 2.0, "first": 30.0})
    assert (clock.game, clock.each, clock.first) == (None, 2.0, 30.0)
    clock = clock_for({"action": 2.0, "first": 30.0}, first_seconds=7.0)
    assert (clock.game, clock.each, clock.first) == (None, 2.0, 7.0)
    clock = clock_for({"game": 60.0}, action_seconds=0.3)
    assert (clock.game, clock.each, clock.first) == (None, 0.3, 0.3)
    clock = clock_for({"game": 60.0}, nodes=7)
    assert (clock.game, clock.each, clock.first, clock.nodes) == (None, None, None, 7)


@pytest.mark.parametrize("wall, unseen", [(False, 0.00015), (True, 0.0025)])
def test_handing_a_call_over_takes_time_that_no_block_sees(wall, unseen, monkeypatch):
    let_clocks_read(monkeypatch, Time())
    clock = Clock(game=60, wall=wall)
    for _ in range(1000):
        with clock:
            pass
    assert clock.spent() == pytest.approx(1000 * unseen)


def test_without_limits_nothing_stops_and_the_time_is_not_watched():
    passing = Time()
    clock = Clock(now=passing)
    clock.begin()
    passing.seconds += 10**6
    assert clock.poll(0) == FAR
    assert clock.more()
    assert clock.left() == float("inf")


def test_with_a_limit_of_nodes_alone_time_does_not_matter():
    passing = Time()
    clock = Clock(nodes=50, now=passing)
    for seconds in (0.0, 1e-6, 10.0):
        assert think(clock, passing, seconds) == 50
    assert think(Clock(nodes=0, now=passing), passing, 1.0) == 0


@pytest.mark.parametrize("node_seconds, is_met", [(1e-6, True), (1e-3, True), (0.2, False)])
def test_a_limit_of_nodes_is_met_exactly_unless_one_of_time_ends_the_search_before(node_seconds, is_met):
    for limits in ({"action": 1.0}, {"game": 20.0}):
        passing = Time()
        clock = Clock(nodes=50, now=passing, **limits)
        found = think(clock, passing, node_seconds)
        assert found == 50 if is_met else 0 < found < 12


@pytest.mark.parametrize("node_seconds", [1e-6, 2e-5, 1e-3, 7e-3])
@pytest.mark.parametrize("limit", [0.1, 1.0, 4.0])
def test_an_action_ends_within_its_limit_and_uses_most_of_it(limit, node_seconds):
    passing = Time()
    clock = Clock(action=limit, now=passing)
    before = clock.spent()
    passing.charged(clock, limit / 4)  # the constructor: the referee adds it to the first action
    for turn in range(3):
        think(clock, passing, node_seconds)
        taken = clock.spent() - before
        assert 0.7 * limit < taken < limit, f"turn {turn}"
        before = clock.spent()


def test_an_action_is_charged_from_the_opening_of_its_block():
    passing = Time()
    clock = Clock(action=1.0, now=passing)
    with clock:
        passing.seconds += 0.6  # what the player did before it searched
        think(clock, passing, 1e-4)
    assert 0.9 < clock.used < 1.0


def test_the_first_action_may_have_a_limit_of_its_own():
    passing = Time()
    clock = Clock(action=2.0, first=30.0, now=passing)
    taken = []
    for _ in range(3):
        before = clock.spent()
        think(clock, passing, 1e-4, growth=30)
        taken.append(clock.spent() - before)
    assert 28 < taken[0] < 30
    assert all(1.8 < seconds < 2 for seconds in taken[1:])


def test_an_action_also_ends_when_the_game_s_time_does():
    passing = Time()
    clock = Clock(game=3.0, action=2.0, now=passing)
    taken = play_out(clock, passing, 40, 1e-4, 0.0)
    assert max(taken) < 2.0
    assert sum(taken) < 3.0


@pytest.mark.parametrize("turns", [1, 30, 180, 250, 360])
@pytest.mark.parametrize("other_seconds", [0.0, 0.002, 0.02])
def test_a_game_of_any_length_stays_within_its_budget_and_reserve(turns, other_seconds):
    passing = Time()
    clock = Clock(game=60.0, now=passing)
    with clock:
        passing.seconds += 0.7  # the constructor
        taken = [0.7]
    taken += play_out(clock, passing, turns, 2e-4, other_seconds)
    assert clock.used == pytest.approx(sum(taken))
    assert clock.used < 58.0
    assert max(taken) < 10.0, "no single turn may eat the game"


@pytest.mark.parametrize("slow_from", [0, 15, 60])
def test_a_game_holds_on_a_machine_that_is_or_turns_out_five_times_slower(slow_from):
    passing = Time()
    clock = Clock(game=60.0, now=passing)
    play_out(clock, passing, slow_from, 5e-5, 0.004)
    play_out(clock, passing, 360 - slow_from, 25e-5, 0.020)
    assert clock.used < 60.0


@pytest.mark.parametrize("node_seconds", [1e-6, 2e-5, 1e-3])
def test_an_action_holds_when_the_machine_slows_down_in_the_middle_of_it(node_seconds):
    passing = Time()
    clock = Clock(action=1.0, now=passing)
    nodes = limit = 0
    with clock:
        clock.begin()
        with pytest.raises(Stop):
            while True:
                if nodes == limit:
                    limit = clock.poll(nodes)
                nodes += 1
                passing.seconds += node_seconds if clock.spent() < 0.9 else 5 * node_seconds
    assert 0.9 < clock.used < 1.0


def test_a_usual_game_uses_most_of_its_time_and_later_turns_are_not_starved():
    passing = Time()
    clock = Clock(game=60.0, turns=30, now=passing)
    usual = sum(play_out(clock, passing, 30, 1e-4, 0.001))
    assert usual > 35
    longer = play_out(clock, passing, 120, 1e-4, 0.001)
    assert min(longer) > 0.01, "even the 150th turn of a game thinks"


def test_a_player_who_knows_how_many_turns_are_left_may_say_so():
    passing = Time()
    taken = []
    for turns_left in (2, 40):
        clock = Clock(game=60.0, now=passing)
        clock.turns_left = turns_left
        think(clock, passing, 1e-4)
        taken.append(clock.used)
    assert taken[0] > 5 * taken[1]
    last = Clock(game=60.0, longest=1, now=passing)
    last.turns_left = 1
    think(last, passing, 1e-3)
    assert last.used < 58.0 + GRAIN + 1e-3


def test_what_the_constructor_took_is_gone_but_not_expected_again():
    passing = Time()
    slow, quick = Clock(game=60.0, now=passing), Clock(game=60.0, now=passing)
    passing.charged(slow, 10.0)
    for clock in (slow, quick):
        clock.begin()
    assert slow.soft - passing.seconds == pytest.approx((quick.soft - passing.seconds) * 48 / 58)


@pytest.mark.parametrize("used", [58.0, 59.9995, 61.0])
def test_when_the_time_is_nearly_out_the_first_poll_stops(used):
    passing = Time()
    clock = Clock(game=60.0, now=passing)
    clock.used = used
    assert think(clock, passing, 0.001) == 0


def test_a_search_may_stop_between_iterations_but_not_before_half_of_its_share():
    passing = Time()
    clock = Clock(game=60.0, turns=30, now=passing)
    with clock:
        clock.begin()
        share = clock.soft - passing.seconds
        assert 1.5 < share < 2.5
        passing.seconds += 0.49 * share
        assert clock.more()
        passing.seconds += 0.02 * share
        assert not clock.more()
        clock.poll(0)  # but an iteration already begun goes on
        passing.seconds += share
        clock.poll(1)
        passing.seconds += 2 * share
        with pytest.raises(Stop):
            clock.poll(2)


@pytest.mark.parametrize("node_seconds", [1e-7, 1e-6, 3e-5, 4e-4, 6e-3])
def test_looks_at_the_clock_are_about_a_millisecond_apart(node_seconds):
    passing = Time()
    clock = Clock(action=0.5, now=passing)
    clock.begin()
    nodes, gaps = 0, []
    with pytest.raises(Stop):
        while True:
            limit = clock.poll(nodes)
            gaps.append((limit - nodes) * node_seconds)
            passing.seconds += gaps[-1]
            nodes = limit
    assert max(gaps) <= max(1.05 * GRAIN, node_seconds)
    assert len(gaps) < 0.5 / GRAIN * 2.2 + 40, "looking too often costs time as well"


def test_a_new_turn_looks_at_once_again():
    passing = Time()
    clock = Clock(action=0.5, now=passing)
    think(clock, passing, 1e-6)
    clock.begin()
    assert clock.poll(0) == 1


@pytest.mark.parametrize("before", [True, False])
def test_inside_a_block_no_garbage_is_collected_and_after_it_as_before(before):
    usual = gc.isenabled()
    (gc.enable if before else gc.disable)()
    try:
        clock = Clock(action=1.0)
        with pytest.raises(ZeroDivisionError), clock.action():
            with clock:
                assert not gc.isenabled()
            assert not gc.isenabled()
            raise ZeroDivisionError
        assert gc.isenabled() == before
    finally:
        (gc.enable if usual else gc.disable)()
