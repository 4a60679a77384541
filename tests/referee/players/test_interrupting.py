"""A program that interrupts itself meets a KeyboardInterrupt, on a system without signals too."""

import subprocess
import sys

import pytest

INTERRUPTED = """
import os, sys, threading, time
from referee.players.interrupting import interrupt

sys.platform = sys.argv[1]
if sys.platform == "win32":
    del os.kill  # there it would end the process
try:
    threading.Thread(target=interrupt).start()
    while True:
        time.sleep(0.01)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("platform", [sys.platform, "win32"])
def test_the_main_thread_is_interrupted(platform):
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, platform], capture_output=True, text=True, timeout=300
    )
    assert run.stdout == "interrupted\n", run.stderr
