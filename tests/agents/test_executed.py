"""An agent carries only what it runs: its copies of the shared files are executed, statement by statement."""

import json
import subprocess
import sys
from functools import cache

import pytest

from tests import ROOT
from tests.support.agents import MEASURED

SHARE = 0.9  # of the statements of an agent's shared files


@cache
def executed(game: str) -> dict[str, tuple[int, frozenset[int]]]:
    """For each shared file of the agent how many statements it has, and which are not executed."""
    command = [sys.executable, "-m", "tests.support.executed", game]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return {name: (count, frozenset(rest)) for name, (count, rest) in json.loads(done.stdout).items()}


@pytest.mark.parametrize("game", MEASURED)
def test_nine_of_ten_statements_of_an_agents_shared_files_are_executed(game):
    files = executed(game)
    count = sum(count for count, _ in files.values())
    rest = {name: sorted(rest) for name, (_, rest) in files.items() if rest}
    assert count > 200
    share = 1 - sum(map(len, rest.values())) / count
    assert share >= SHARE, f"{share:.1%}; not executed: {rest}"


def test_hardly_a_statement_of_the_shared_files_is_run_by_no_agent():
    carried = {name for game in MEASURED for name in executed(game)}
    for name in sorted(carried):
        files = [executed(game)[name] for game in MEASURED if name in executed(game)]
        nobody = frozenset.intersection(*(rest for _, rest in files))
        assert len(nobody) <= max(4, files[0][0] / 8), f"{name}: {sorted(nobody)}"
