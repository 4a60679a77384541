"""Time that the tests move, by hand or with the work that is done: no test asks how fast this machine is."""

import importlib
import subprocess
import sys
import textwrap
from types import SimpleNamespace

from tests import ROOT


class Time:
    """What a clock reads: seconds that pass only when a test lets them; `readings` counts the looks."""

    def __init__(self):
        self.seconds = 1000.0
        self.readings = 0

    def __call__(self):
        self.readings += 1
        return self.seconds

    def charged(self, clock, seconds):
        """Let so much pass inside a block."""
        with clock:
            self.seconds += seconds


class Machine(Time):
    """A computer where each call of a function takes `a_call` seconds, and nothing else takes any.

    With a microsecond a call our agents need about the time that they take on a computer of 2024.
    """

    def __init__(self, a_call=1e-6):
        super().__init__()
        self.a_call = a_call

    def run(self, function, *arguments):
        """(the function's result, the seconds that its work took on this machine)."""
        begun, earlier = self.seconds, sys.getprofile()
        half = self.a_call / 2  # for the call, and as much for its return

        def passes(frame, event, what):
            self.seconds += half

        sys.setprofile(passes)
        try:
            result = function(*arguments)
        finally:
            sys.setprofile(earlier)
        return result, self.seconds - begun

    def takes(self, function, *arguments):
        """The seconds that the function's work took on this machine."""
        return self.run(function, *arguments)[1]


def let_clocks_read(monkeypatch, passing, shared="shared", on_wall=None):
    """The clocks made from now on by that package's `clock.py` read that time, and this as wall time."""
    clock = importlib.import_module(f"{shared}.clock")
    monkeypatch.setattr(clock, "time", SimpleNamespace(process_time=passing, perf_counter=on_wall or passing))


RUNS = """
import os, time

def runs():
    found = {}
    for task in os.listdir("/proc/self/task"):
        if int(task) != os.getpid():
            with open(f"/proc/self/task/{task}/schedstat") as file:
                found[task] = file.read().split()[2]
    return found

before = None
while before != runs():  # threads that were started by an import go to sleep after a while
    before = runs()
    time.sleep(0.3)
"""


def check_no_other_thread_runs(before, then):
    """Run these lines in a process of its own, then those, in which the kernel must run one thread alone."""
    script = f"{textwrap.dedent(before)}\n{RUNS}\n{then}\nassert runs() == before, 'another thread ran'"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
