"""What is made of samples: their places, the shares of functions and lines, and when they are taken."""

import subprocess
import sys

import pytest

from referee.profile import sampling
from referee.profile.sampling import Stacks, ThreadSampler
from referee.profile.shares import Frame, counted, error
from referee.profile.weights import Cut

# A function with a comprehension of each kind, whose own lines are 4 to 9.
TREE = """


def tree(depth):
    return max(
        [tree(depth - 1)
         for _ in range(3)],
        key=lambda one: one,
    )


class Board:
    def rows(self):
        return list(row for row in self.cells)
"""


def frame(function, line, library=False):
    return Frame("a.py", 10 * ord(function[0]), function, line, "", library)


def rows(shares):
    return {(share.frame.function, share.frame.line): (share.own, share.total) for share in shares}


def test_own_shares_add_up_and_totals_are_of_all_that_is_below():
    action, best, library = frame("action", 1), frame("best", 2), frame("copy", 3, True)
    found = counted([(1, 6.0, [action, best, library]), (2, 3.0, [action, best]), (1, 1.0, [action])])
    assert found.samples == 4
    expected = {("copy", 3): (0.6, 0.6), ("best", 2): (0.3, 0.9), ("action", 1): (0.1, 1.0)}
    assert rows(found.functions) == rows(found.lines) == expected
    assert sum(share.own for share in found.lines) == pytest.approx(1)
    assert [share.frame.function for share in found.lines] == ["copy", "best", "action"]


def test_recursion_counts_once_for_functions_and_for_lines():
    deep = [frame("tree", 4)] * 50
    found = counted([(1, 1.0, [frame("action", 1), *deep, frame("tree", 5)])])
    assert rows(found.lines) == {("action", 1): (0, 1), ("tree", 4): (0, 1), ("tree", 5): (1, 1)}
    assert {share.frame.function: share.total for share in found.functions} == {"action": 1, "tree": 1}


def test_of_no_samples_there_are_no_shares():
    assert counted([]).lines == [] and counted([(1, 0.0, [frame("action", 1)])]).samples == 0


@pytest.mark.parametrize(
    ("share", "samples", "half"), [(0.5, 100, 0.1445), (0, 100, 0.0835), (1, 100, 0.0835)]
)
def test_the_error_reaches_to_the_end_of_wilsons_interval(share, samples, half):
    assert error(share, samples) == pytest.approx(half, abs=0.0001)


@pytest.fixture
def stacks(tmp_path):
    path = tmp_path / "tree.py"
    path.write_text(TREE)
    return str(path), Stacks(("/caller.py",), lambda path: (path.rpartition("/")[2], False))


@pytest.mark.parametrize(
    ("name", "line", "function", "first"),
    [
        ("tree", 5, "tree", 4),
        ("<listcomp>", 6, "tree", 4),
        ("<listcomp>", 7, "tree", 4),
        ("<lambda>", 8, "tree.<locals>.<lambda>", 8),
        ("<genexpr>", 14, "Board.rows", 13),
        ("rows", 14, "Board.rows", 13),
        ("rows", 999, "Board.rows", 13),
        ("made", 5, "made", 0),
    ],
)
def test_a_place_belongs_to_the_function_that_it_is_written_in(stacks, name, line, function, first):
    path, known = stacks
    found = known.frame((path, name, line))
    assert (found.file, found.function, found.first, found.line) == ("tree.py", function, first, line)


def test_what_calls_the_player_is_cut_off_and_equal_stacks_are_put_together(stacks):
    path, known = stacks
    above = [("/caller.py", "act", 1), ("/other.py", "run", 2)]
    samples = [(0.5, [(path, "tree", 5), *above], None)] * 2 + [(0.1, above, None)]
    handler = [("/random.py", "draws", 9), ("/caller.py", "handler", 3)]
    samples.append((0.2, [*handler, (path, "tree", 5), *above], None))  # not the player's own time
    ((count, weight, frames),) = known.stacks(iter(samples))
    assert (count, weight, [frame.function for frame in frames]) == (2, 1.0, ["tree"])


def test_a_stack_too_deep_to_be_written_down_is_still_the_actions(stacks):
    path, known = stacks
    whole = [(path, "tree", 5), (path, "rows", 14), ("/caller.py", "act", 1)]
    samples = [(1.0, whole, None), (1.0, [(path, "tree", 5)] * 100, Cut())]
    shares = counted(known.stacks(iter(samples)))
    assert {share.frame.function: share.total for share in shares.functions} == {"Board.rows": 1, "tree": 1}
    assert rows(shares.lines)[("Board.rows", 14)] == (0, 1), "by the way on which others came there"
    samples = [(1.0, whole, None), (1.0, [(path, "<lambda>", 8)] * 100, Cut())]
    shares = counted(known.stacks(iter(samples)))
    assert rows(shares.lines)[("Board.rows", 13)] == (0, 0.5), "on a line that nobody knows"


@pytest.mark.parametrize(
    ("left", "went_on", "line"),
    [(5, True, 3), (3, True, 2), (2, False, 2), (5, False, 5), (4, False, 5), (99, True, 5), (99, False, 5)],
)
def test_a_stack_too_deep_was_called_where_what_is_left_of_it_came_back_to(stacks, left, went_on, line):
    """It has come back before a later call, or at the end of a loop's round, behind its last call."""
    _, known = stacks
    calls = [("/team.py", "act", 2), ("/team.py", "act", 3), ("/team.py", "act", 5)]
    samples = [(1.0, [("/team.py", "down", 9), call], None) for call in calls]
    cut = Cut((("/team.py", "act", left), ("/caller.py", "calls", 1)), went_on)
    samples += [(5.0, [("/team.py", "down", 9)] * 100, cut)]
    shares = {share.frame.line: share.total for share in counted(known.stacks(iter(samples))).lines}
    assert shares[line] == 6 / 8 and shares[9] == 1


def test_of_several_ways_to_a_deep_stack_each_is_taken_as_often_as_it_was_met(stacks):
    path, known = stacks
    one, other = [(path, "tree", 5), (path, "tree", 6)], [(path, "tree", 5), (path, "rows", 14)]
    samples = [(1.0, one, None)] * 2 + [(1.0, other, None)] * 6
    samples += [(1.0, [(path, "tree", 5)] * 100, Cut())] * 40
    shares = rows(counted(known.stacks(iter(samples))).lines)
    assert shares[("Board.rows", 14)] == (0, 0.75)


def test_without_signals_a_thread_looks_where_the_time_is_used():
    looker = ThreadSampler()
    looker.enable()
    while not any(places[0][1] == "burns" for _, places, _ in looker.samples()):
        burns()
    looker.disable()
    assert all(weight > 0 for weight, _, _ in looker.samples())


def burns():
    return sum(number * number for number in [*range(20_000)]) and [number for number in range(20_000)]


def test_systems_without_the_timer_get_the_thread(monkeypatch):
    monkeypatch.delattr(sampling.signal, "setitimer")
    assert isinstance(sampling.sampler(), ThreadSampler)


REHEARSED = """
import mmap, os, resource, signal
from referee.isolation import pages
from referee.profile import sampling

class Fake:
    can_be_copied, later = True, 0.0
    def __init__(self, *news):
        self.coming, self.begins = list(news), []
    def news(self):
        self.begins.append(round(self.later, 3))
        return self.coming.pop(0) if self.coming else (0, 0.0)

sampling.MOST_TURNS = 20
told = mmap.mmap(-1, 8)  # shared by copies of the process
assert sampling.rehearse(Fake((5, 0.1), (5, 0.1), (5, 0.1)), lambda: None, 10) == 2
assert sampling.rehearse(Fake(), lambda: None, 10) == sampling.MOST_TURNS
crashes = Fake((5, 0.1), (6, 0.2), (1, 0.3))
crash = lambda: crashes.later < 0.25 and os.kill(os.getpid(), signal.SIGSEGV)
assert sampling.rehearse(crashes, crash, 10) == 3, "to the end, though there are samples enough"
assert crashes.begins == [0.0, 0.1, 0.3] and crashes.later == 0
table = bytearray(b"x" * 4096 * 5000)

def turn():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for place in range(0, len(table), 4096):
        table[place] = 1
    told[:] = (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before + 1).to_bytes(8, "little")

assert sampling.rehearse(Fake((1, 0.0)), turn, 1, lambda: pages.have(pages.present(copied=True))) == 1
print(int.from_bytes(told[:], "little"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says which pages there are")
def test_turns_are_repeated_in_copies_that_have_their_memory_beforehand_and_may_crash():
    run = subprocess.run([sys.executable, "-c", REHEARSED], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < 500, "pages were copied within the turn"


TIMED = """
import ctypes, os, signal, threading, time
from referee.profile import sampling

signal.signal(signal.SIGUSR1, lambda *_: None)
library = ctypes.CDLL(None)
thread = ctypes.c_ulong()
begun = library.pthread_create(ctypes.byref(thread), None, library.pause, None)  # no thread of Python's
assert begun == 0
timers = sampling.Sampler()._timers
timers.start(0.0)
ours, known = os.getpid(), set(timers._made)
while len(os.listdir("/proc/self/task")) > 1:
    library.pthread_kill(thread, signal.SIGUSR1)
timers.signalled()
left = set(timers._made)
with_python = threading.Thread(target=lambda: left.update(timers._made))
with_python.start()
with_python.join()
timers.stop()
assert ours in known and len(known) == 2 and ours in left and len(left) == 2 and left != known
assert not timers._made
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux times threads")
def test_threads_of_c_code_are_timed_as_long_as_they_are_there():
    run = subprocess.run([sys.executable, "-c", TIMED], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
