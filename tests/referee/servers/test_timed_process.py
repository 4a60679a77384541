"""A player as a server's process: replies of any length, bursts of better actions, a process in reserve."""

import threading
import time

import pytest

from referee import rules
from referee.isolation.allowance import Allowance
from referee.isolation.child import REPLY
from referee.isolation.process import Fault
from referee.players.names import resolve
from referee.servers.agent import Agent
from referee.servers.reserve import Reserve
from referee.servers.timed_process import Overtaken, TimedProcess

LEVELS = ["process", "portable"]
PLAYER = """
import os
import time

class Player:
    asked = 0

    def __init__(self, colour, tell=None):
        self.tell = tell
        print("made")

    def action(self):
        self.asked += 1
        {action}

    def update(self, *news):
        print("told", *news)
"""


@pytest.fixture
def process(tmp_path, monkeypatch):
    """Makes a process of a player whose `action` has this body, and lets it go at the end."""
    monkeypatch.chdir(tmp_path)
    processes = []

    def make(action, level="process"):
        (tmp_path / "pupil.py").write_text(PLAYER.format(action=action))
        process = TimedProcess(resolve("pupil"), "", Allowance(isolation=level))
        processes.append(process)
        process.start()
        process.allow(600)
        process.construct("A")
        return process

    yield make
    for process in processes:
        process.close()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("more", (-1, 0, 1))
def test_a_reply_of_exactly_the_longest_length_is_followed_by_others(process, level, more):
    around = len('[3, "action", ""]')
    one = process(f"return 'x' * {REPLY + more - around} if self.asked == 1 else 'short'", level)
    if more > 0:
        with pytest.raises(Fault, match="longer than"):
            one.action()
        return
    assert len(one.action()) == REPLY + more - around
    assert [one.action(), one.action()] == ["short", "short"]


@pytest.mark.parametrize("level", LEVELS)
def test_all_better_actions_of_a_burst_are_heard_and_then_the_reply(process, level):
    heard = []
    one = process("[self.tell(number) for number in range(1000)]; return self.asked", level)
    one.listener = heard.append
    for asked in (1, 2, 3):
        assert one.action() == asked
    assert heard == [*range(1000)] * 3


def test_a_process_that_nobody_waits_for_any_more_is_left_thinking_and_asked_again_later(process, tmp_path):
    may = tmp_path / "may"
    one = process(f"while not os.path.exists({str(may)!r}): time.sleep(0.01)\n        return self.asked")
    one.overtaken = lambda: True
    with pytest.raises(Overtaken):
        one.action()
    may.touch()
    one.overtaken = None
    one.catch_up(600)
    assert one.action() == 2


# The reserve


class Recruit:
    """Looks like a player's process; its import ends when it is let."""

    def __init__(self):
        self.overtaken = None
        self.started_by = None
        self.may = threading.Event()
        self.spawned = self.closed = False

    def spawn(self):
        self.spawned = threading.current_thread()

    def start(self):
        self.started_by = threading.current_thread()
        while not self.may.wait(0.001):
            if self.overtaken():
                raise Overtaken

    def close(self):
        self.closed = True


@pytest.fixture
def recruits():
    made = []

    def make():
        made.append(Recruit())
        return made[-1]

    return made, Reserve(make)


def test_the_reserve_is_imported_by_another_thread_and_taken_as_it_is(recruits):
    made, reserve = recruits
    reserve.prepare()
    reserve.prepare()
    (first,) = made
    assert first.spawned is threading.current_thread(), "its process would end with another thread"
    first.may.set()
    assert reserve.take() is first and first.overtaken is None
    assert first.started_by is not threading.current_thread()
    assert len(made) == 1, "the next one waits until it is asked for"


def test_an_import_without_end_does_not_outlive_the_reserve(recruits):
    made, reserve = recruits
    reserve.prepare()
    reserve.close()
    assert made[0].closed
    reserve.prepare()
    assert len(made) == 1


# The agent


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """Makes an agent that plays Kalaha as A; what it notes is in `notes`."""
    monkeypatch.chdir(tmp_path)
    agents = []

    def make(action, **limits):
        (tmp_path / "pupil.py").write_text(PLAYER.format(action=action))
        limits = rules.Limits(**{"action": 600.0, **limits})
        allowance = Allowance(isolation="process")
        agent = Agent("kalaha", resolve("pupil"), limits, 0.1, notes.append, allowance)
        agents.append(agent)
        agent.start()
        agent.sit(0, "A")
        return agent

    notes = make.notes = []
    yield make
    for one in agents:
        one.close()


def test_a_late_player_is_replaced_by_one_that_is_imported_already(agent, monkeypatch):
    starts = []
    start = TimedProcess.start
    monkeypatch.setattr(
        TimedProcess, "start", lambda self: (starts.append(threading.current_thread()), start(self))
    )
    one = agent("if self.asked == 1: time.sleep(10**6)\n        return 1", first=0.5)
    state = rules.start("kalaha")
    one.action(state)
    assert [fault.ending for fault in one.faults] == ["out of time"]
    one.update("A", 1)
    assert starts.count(threading.current_thread()) == 1, "the first one: no turn waits for an import"
    assert "told A 1" in one.take_output()


def test_a_player_without_time_is_not_asked_and_not_at_fault(agent):
    one = agent("raise ValueError")
    assert one.action(rules.start("kalaha"), since=time.monotonic() - 700) == 1
    assert one.faults == [] and "no time is left to ask pupil; 1 is played" in agent.notes


def test_when_nobody_waits_the_best_action_so_far_is_returned_and_it_is_no_fault(agent):
    one = agent("self.tell(4); time.sleep(10**6)")
    has_told = lambda: bool(one._process.listener.__self__)  # noqa: E731
    assert one.action(rules.start("kalaha"), overtaken=has_told) == 4
    assert one.faults == []
    one.update("A", 4)
    assert "told A 4" in one.take_output(), "a new instance knows the game"
