"""What samples weigh: a tick each, wherever C code or loops in step with the ticks lie between two notes."""

import sys
from random import Random

import pytest

from referee.profile.weights import DEEPEST, Cut, Group, outer_frames, parsed, weighed

WRITTEN = """
Stack (most recent call first):
  File "/team/crashed.py", line 1 in cra
began 1.000000 0.5
Stack (most recent call first):
  File "/team/brain.py", line 7 in inner
  File "/team/brain.py", line 3 in action

used 1.006000 0.502
It waits
  File "/team/brain.py", line 4 in action

waits 1.036000 0.532
Stack (most recent call first):
  File "/team/brain.py", line 3 in action
Stack (most recent call first):
  <no Python frame>
Current thread 0x00007f0000000000 [worker] (most recent call first):
  File "/team/\\xe9t\\xe9.py", line ??? in \\u03bb
  ...

used 1.136000 0.532
"""
TICK = 0.004


def looks(name, number=1):
    return [([(name, "f", 1)], None)] * number


def test_what_was_written_down_is_read_as_groups_between_two_notes():
    first, waits, second = parsed(WRITTEN.splitlines(keepends=True))
    inner, action = ("/team/brain.py", "inner", 7), ("/team/brain.py", "action", 3)
    assert first == ([([inner, action], None)], pytest.approx(0.004), pytest.approx(0.002), False)
    assert waits == ([([("/team/brain.py", "action", 4)], None)], 0.0, pytest.approx(0.03), True)
    far = [("/team/\xe9t\xe9.py", "\u03bb", 0)]
    assert second == ([([action], None), (far, Cut())], pytest.approx(0.1), 0.0, False)


def down(depth, work):
    return down(depth - 1, work) if depth else work()


def cut(file, outer):
    """What is read of a stack of a hundred frames of that file and more, with what the handler has told."""
    inner = f'  File "{file}", line 3 in down\n' * DEEPEST
    text = f"Stack (most recent call first):\n{inner}  ...\n{outer}\nused 0.1 0.0\n"
    (((look,), *_),) = parsed(text.splitlines(keepends=True))
    return look


def test_the_outer_frames_of_a_deep_stack_are_those_that_pythons_handler_sees():
    outer = down(200, lambda: outer_frames(sys._getframe(), True))
    places, rest = cut(__file__, outer)
    assert rest is None and len(places) < 2 * DEEPEST, "of recursion each line once"
    assert "test_the_outer_frames_of_a_deep_stack_are_those_that_pythons_handler_sees" in str(places)
    assert cut("/a_thread.py", outer) == ([("/a_thread.py", "down", 3)] * DEEPEST, Cut())
    assert outer_frames(None, True) == ""


def test_of_a_deep_stack_the_handler_tells_what_is_left():
    told = []

    def handler(number, frame):
        told.append(outer_frames(frame, True))

    def calls():
        sys.setprofile(lambda frame, event, _: event == "call" and handler(0, frame))
        begins()
        sys.setprofile(None)

    def begins():
        pass

    assert outer_frames(sys._getframe(), False) == "", "the last sample was whole"
    places, rest = cut(__file__, outer_frames(sys._getframe(), True))
    assert len(places) == DEEPEST and not rest.went_on
    assert rest.left[0][:2] == (
        __file__,
        "test_of_a_deep_stack_the_handler_tells_what_is_left",
    )
    calls()
    _, rest = cut(__file__, told[0])
    assert rest.went_on and rest.left[0][1] == "calls"


@pytest.mark.parametrize(
    ("used", "number", "each"),
    [
        (0.004, 1, TICK),
        (0.0001, 1, TICK),  # the rest of the tick was kept waiting for
        (0.0075, 1, TICK),  # C code from just after a tick until just before the next but one
        (0.0195, 4, TICK),
        (0.020, 1, 0.018),  # a call of the system, which no signal interrupts: all but half a tick
        (1.0, 200, 0.00499),  # several threads, noted when the main one goes on
    ],
)
def test_a_sample_weighs_a_tick_unless_more_was_used_than_can_have_been_interrupted(used, number, each):
    weights = [weight for weight, _, _ in weighed([Group(looks("f", number), used)], TICK)]
    assert weights == pytest.approx([each] * number)


def test_without_a_known_tick_it_is_what_most_samples_came_after():
    groups = [
        *[Group(looks("f"), 0.001)] * 9,
        Group(looks("call"), 0.0101),
        Group(looks("f"), 0.0, 0.1, True),
    ]
    weights = [weight for weight, _, _ in weighed(groups, None)]
    assert weights == pytest.approx([*[0.001] * 9, 0.0096, 0.1])
    assert list(weighed([], None)) == []


def test_what_threads_of_c_code_use_falls_to_where_pythons_are():
    groups = [Group(looks("product", 2), 0.008, 0.006), Group(looks("sleeps"), 0.0, 0.03, True)]
    assert [weight for weight, _, _ in weighed(groups, TICK)] == pytest.approx([0.007, 0.007, 0.03])


class Turn:
    """A turn on a system that ticks, kept waiting at moments that have nothing to do with that."""

    def __init__(self, lots):
        self.lots, self.now, self.noted, self.groups, self.seen = lots, 0.0, 0.0, [], []
        self.tick, self.moment = TICK * lots.random(), self.next_moment()

    def next_moment(self):
        return self.now + self.lots.expovariate(1 / (2 * TICK))

    def run(self, name, seconds, is_c):
        """So much CPU time of that name; in C code, signals have their turn at its end."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.tick, end if is_c else self.moment)
            if self.now == self.tick:
                self.tick += TICK
                self.seen += looks(name)
            if not is_c or self.now == end:
                end += self.signals()

    def signals(self):
        """Note what was used, and wait where that is due; for how long."""
        if self.seen:
            self.groups.append(Group(self.seen, self.now - self.noted))
            self.noted, self.seen = self.now, []
        if self.now < self.moment:
            return 0.0
        waited = TICK * self.lots.random()
        self.now += waited
        while self.tick <= self.now:
            self.tick += TICK
        self.noted, self.moment = self.now, self.next_moment()
        return waited


@pytest.mark.parametrize("seconds", [0.0009, 0.004, 0.0071])
def test_c_code_and_what_calls_it_get_their_shares_however_they_lie_to_the_ticks(seconds):
    """A call of a tick's length, and a loop of 1.5 ms, which ticks would meet in the same places."""
    lots, weights, truth = Random(1), {}, {}
    rows = [("caller", 0.0029, False), ("call", seconds, True)]
    rows += [("seldom", 0.00015, False), ("mostly", 0.00135, False)] * 3
    for _ in range(300):
        turn = Turn(lots)
        for name, took, is_c in rows * 4:
            turn.run(name, took, is_c)
            truth[name] = truth.get(name, 0.0) + took
        for weight, ((name, _, _),), _ in weighed(turn.groups, TICK):
            weights[name] = weights.get(name, 0.0) + weight
    for name, took in truth.items():
        share, found = took / sum(truth.values()), weights[name] / sum(weights.values())
        assert found == pytest.approx(share, abs=0.015), name
