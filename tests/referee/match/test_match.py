"""The game loop and its verdicts, with players that live in the test."""

import pytest

from referee import rules
from referee.isolation.process import CannotImport, Fault
from referee.match.loop import Match, Watcher, is_legal

# White puts five stones along the top row while Black plays elsewhere; the quadrant twisted stays empty.
WHITE = [(0, 0, 3, 0), (0, 1, 3, 0), (0, 2, 3, 0), (0, 3, 3, 0), (0, 4, 3, 0)]
BLACK = [(5, 0, 3, 0), (5, 1, 3, 0), (5, 2, 3, 0), (4, 0, 3, 0)]


class FakeSeat:
    """Plays a script; an entry that is a Fault is raised."""

    def __init__(self, actions=(), starting=None, constructor=None, updates=()):
        self.actions = iter(actions)
        self.starting, self.constructor = starting, constructor
        self.updates = dict(updates)  # number of the call: the fault
        self.told = []
        self.calls = []
        self.printed = []
        self.cpu = self.megabytes = self.course_megabytes = 0.0
        self.cpu_left = None
        self.closed = 0

    def spawn(self):
        self.calls.append("spawn")

    def start(self):
        self.calls.append("start")
        self._raise(self.starting)

    def construct(self):
        self.calls.append("construct")
        self.cpu += 0.25
        self._raise(self.constructor)

    def action(self):
        self.calls.append("action")
        self.cpu += 1.0
        action = next(self.actions)
        self._raise(action)
        return action

    def update(self, *news):
        self.calls.append("update")
        self.told.append(news)
        self._raise(self.updates.get(len(self.told)))

    def take_output(self):
        text, self.printed = "".join(self.printed), []
        return text

    def close(self):
        self.closed += 1

    @staticmethod
    def _raise(fault):
        if isinstance(fault, BaseException):
            raise fault


class Notebook(Watcher):
    def __init__(self):
        self.events = []

    def begin(self, match):
        self.events.append("begin")

    def opened(self, match, chosen):
        self.events.append(("opened", dict(chosen)))

    def ask(self, match):
        self.events.append(("ask", match.number, match.state.to_act()))

    def turn(self, match, turn):
        self.events.append(("turn", turn.number, dict(turn.chosen), turn.played))

    def printed(self, match, player, text):
        self.events.append(("printed", player, text))

    def end(self, match, result):
        self.events.append(("end", result.reason))


def play(game, seats, opening=(), watchers=(), state=None, **options):
    return Match(state or rules.start(game), seats, ("one", "two"), opening, watchers).play(**options)


def crash(call, ending="crashed", message="ValueError: oh"):
    return Fault(ending, call, message)


def test_a_game_is_played_to_the_end_by_the_rules():
    white, black = FakeSeat(WHITE), FakeSeat(BLACK)
    result = play("pentago", (white, black))
    assert result.scores == (1, 0) and result.winner == 0
    assert (result.ending, result.call, result.at_fault, result.turns) == ("finished", None, (), 9)
    assert result.warnings == ()
    assert white.told[::2] == black.told[::2] == [("white", action) for action in WHITE]
    assert white.told[1::2] == black.told[1::2] == [("black", action) for action in BLACK]
    assert white.calls[:4] == ["spawn", "start", "construct", "action"]
    assert white.closed == black.closed == 1


def test_figures_of_a_turn_are_what_it_cost():
    white, black = FakeSeat(WHITE), FakeSeat(BLACK)
    result = play("pentago", (white, black))
    assert result.cpu == (5.25, 4.25)
    assert [turn.cpu for turn in result.history[:3]] == [(1.25, 0.25), (0.0, 1.0), (1.0, 0.0)]
    assert [turn.number for turn in result.history] == list(range(1, 10))


def test_a_turn_goes_to_the_same_player_again_where_the_rules_say_so():
    notebook = Notebook()
    play("kalaha", (FakeSeat([1, 1]), FakeSeat()), watchers=[notebook])
    asked = [event[2] for event in notebook.events if event[0] == "ask"]
    assert asked == [(0,), (0,)]  # pond 1 ends in the bank; then it is empty, so playing it again is illegal


def test_an_illegal_action_forfeits_with_what_is_legal():
    result = play("kalaha", (FakeSeat([1, 1]), FakeSeat()))
    assert (result.ending, result.call) == ("illegal action", "action")
    assert (result.at_fault, result.scores) == ((0,), (0, 1))
    assert result.reason == "turn 2: one (A) forfeits: action 1 is illegal; legal are 2, 3, 4, 5, 6"
    assert result.winner == 1 and result.turns == 2


def test_a_long_list_of_legal_actions_is_cut_off_and_counted():
    result = play("pentago", (FakeSeat([(9, 9, 9, 9)]), FakeSeat()))
    assert "and 276 more" in result.reason
    assert len(result.reason) < 500


def test_a_long_illegal_action_is_cut_off():
    result = play("kalaha", (FakeSeat(["x" * 4000]), FakeSeat()))
    assert len(result.reason) < 500 and "..." in result.reason


@pytest.mark.parametrize("action", [True, 1.0, "1", (1,), [1], None, 7, 0, -1, 10**30])
def test_an_action_that_only_looks_legal_is_illegal(action):
    result = play("kalaha", (FakeSeat([action]), FakeSeat()))
    assert (result.ending, result.at_fault) == ("illegal action", (0,))


def test_legality_compares_types_all_the_way_down():
    legal = [("SLIDE", (0, 0), (0, 1))]
    assert is_legal(("SLIDE", (0, 0), (0, 1)), legal)
    for odd in (("SLIDE", (0, False), (0, 1)), ("SLIDE", (0.0, 0), (0, 1)), ("SLIDE", [0, 0], (0, 1))):
        assert not is_legal(odd, legal), odd


def test_an_action_that_cannot_be_compared_is_illegal_too():
    class Liar(tuple):
        def __eq__(self, other):
            return True

        __hash__ = tuple.__hash__

    assert not is_legal(Liar((9, 9, 9, 9)), rules.start("pentago").actions(0))


@pytest.mark.parametrize("ending", ["out of time", "out of memory", "crashed", "no answer", "illegal action"])
@pytest.mark.parametrize("call", ["constructor", "action", "update"])
def test_any_fault_in_any_call_gives_the_other_player_the_point(ending, call):
    fault = crash(call, ending)
    seats = {
        "constructor": lambda: (FakeSeat(), FakeSeat(constructor=fault)),
        "action": lambda: (FakeSeat([2]), FakeSeat([fault])),
        "update": lambda: (FakeSeat([2]), FakeSeat(updates={1: fault})),
    }[call]()
    result = play("kalaha", seats)
    assert (result.ending, result.call, result.at_fault, result.scores) == (ending, call, (1,), (1, 0))
    assert result.turns == {"constructor": 0, "action": 2, "update": 1}[call]
    assert result.reason.startswith(
        {
            0: "before turn 1: two (B) forfeits: ",
            1: "turn 1: two (B) forfeits: ",
            2: "turn 2: two (B) forfeits: ",
        }[result.turns]
    )
    assert "ValueError: oh" in result.reason
    assert all(seat.closed for seat in seats)


def test_the_opponent_is_still_told_when_a_player_fails_in_update():
    first, second = FakeSeat([2], updates={1: crash("update")}), FakeSeat()
    play("kalaha", (first, second))
    assert second.told == [("A", 2)]


def test_both_at_fault_in_the_constructor_is_a_draw_that_says_so():
    faults = crash("constructor", "out of time"), crash("constructor")
    result = play("kalaha", [FakeSeat(constructor=fault) for fault in faults])
    assert (result.scores, result.at_fault, result.ending) == ((0.5, 0.5), (0, 1), "out of time")
    assert "both forfeit" in result.reason and "one (A)" in result.reason and "two (B)" in result.reason
    assert result.winner is None


def test_both_at_fault_in_update_is_a_draw():
    result = play("kalaha", [FakeSeat([2], updates={1: crash("update")}) for _ in range(2)])
    assert (result.scores, result.at_fault) == ((0.5, 0.5), (0, 1))


THROW = ("THROW", "r", (4, -2)), ("THROW", "p", (-4, 2))


def test_where_both_choose_neither_is_told_before_both_have_chosen():
    seats = FakeSeat([THROW[0], crash("action")]), FakeSeat([THROW[1], THROW[1]])
    result = play("ropasci", seats)
    assert seats[0].told == [(THROW[1], THROW[0])] and seats[1].told == [THROW]
    assert seats[1].calls.count("action") == 2  # asked though the other has failed
    assert (result.at_fault, result.turns) == ((0,), 2)


def test_a_crash_and_an_illegal_action_in_one_turn_are_a_draw():
    result = play("ropasci", (FakeSeat([crash("action")]), FakeSeat([("THROW", "p", (4, 2))])))
    assert (result.scores, result.at_fault, result.turns) == ((0.5, 0.5), (0, 1), 1)
    assert result.ending == "crashed"
    assert "upper" in result.reason and "lower" in result.reason and "is illegal" in result.reason


def test_two_illegal_actions_in_one_turn_are_a_draw():
    result = play("ropasci", (FakeSeat([None]), FakeSeat([None])))
    assert (result.scores, result.ending, result.at_fault) == ((0.5, 0.5), "illegal action", (0, 1))


def test_the_illegal_action_alone_does_not_hurt_the_opponent_of_the_same_turn():
    result = play("ropasci", (FakeSeat([THROW[0]]), FakeSeat([THROW[0]])))
    assert (result.scores, result.at_fault) == ((1, 0), (1,))
    assert result.history[0].chosen == {0: THROW[0], 1: THROW[0]} and not result.history[0].played


@pytest.mark.parametrize("who", [(0,), (1,), (0, 1)])
def test_a_fault_in_the_last_update_is_a_warning_and_changes_nothing(who):
    fault = crash("update", "out of time", "used 2 s of 1 s")
    scripts = WHITE, BLACK
    seats = [FakeSeat(scripts[player], updates={9: fault} if player in who else {}) for player in (0, 1)]
    result = play("pentago", seats)
    assert (result.scores, result.ending, result.at_fault) == ((1, 0), "finished", ())
    assert len(result.warnings) == len(who)
    assert all("out of time in update: used 2 s of 1 s" in warning for warning in result.warnings)


def test_the_opening_is_told_to_both_and_asked_of_nobody():
    seats = FakeSeat([crash("action")]), FakeSeat()
    notebook = Notebook()
    result = play("kalaha", seats, opening=[{0: 2}, {1: 1}], watchers=[notebook])
    assert seats[0].told == seats[1].told == [("A", 2), ("B", 1)]
    assert notebook.events[:4] == ["begin", ("opened", {0: 2}), ("opened", {1: 1}), ("ask", 1, (0,))]
    assert (result.turns, result.opening) == (1, ({0: 2}, {1: 1}))


def test_a_fault_while_the_opening_is_told_is_before_turn_1():
    result = play("kalaha", (FakeSeat(), FakeSeat(updates={2: crash("update")})), opening=[{0: 2}, {1: 1}])
    assert (result.turns, result.call, result.at_fault) == (0, "update", (1,))
    assert result.reason.startswith("before turn 1: two (B) forfeits")


def test_a_player_that_does_not_import_forfeits_or_is_reported_where_asked():
    fault = CannotImport("crashed", "import", "no module named 'x'")
    result = play("kalaha", (FakeSeat(starting=fault), FakeSeat()))
    assert (result.ending, result.call, result.at_fault, result.scores) == ("crashed", "import", (0,), (0, 1))
    seats = FakeSeat(starting=fault), FakeSeat()
    with pytest.raises(CannotImport):
        play("kalaha", seats, import_or_raise=True)
    assert all(seat.closed for seat in seats)


def test_watchers_are_told_in_order_and_of_what_was_printed():
    first, second = FakeSeat([1, 9]), FakeSeat()
    first.printed = ["hello\n"]
    notebook = Notebook()
    result = play("kalaha", (first, second), watchers=[notebook])
    assert notebook.events == [
        "begin",
        ("ask", 1, (0,)),
        ("turn", 1, {0: 1}, True),
        ("printed", 0, "hello\n"),
        ("ask", 2, (0,)),
        ("turn", 2, {0: 9}, False),
        ("end", result.reason),
    ]


def test_where_a_player_failed_is_passed_on_like_its_output():
    notebook = Notebook()
    fault = Fault("crashed", "action", "ValueError: oh", "player.py:3 in action")
    play("kalaha", (FakeSeat([fault]), FakeSeat()), watchers=[notebook])
    assert ("printed", 0, "player.py:3 in action") in notebook.events


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("the referee's own")])
def test_whatever_interrupts_a_match_the_seats_are_closed(error):
    seats = FakeSeat([error]), FakeSeat()
    with pytest.raises(type(error)):
        play("kalaha", seats)
    assert all(seat.closed for seat in seats)


def test_a_game_that_is_over_at_once_asks_nobody():
    state = rules.parse("kalaha", "F 0 0 0 0 0 0 41 0 0 0 0 0 0 31")
    result = play("kalaha", (FakeSeat(), FakeSeat()), state=state)
    assert (result.scores, result.turns, result.reason) == ((1, 0), 0, "A wins 41-31")
