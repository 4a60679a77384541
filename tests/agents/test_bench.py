"""The bench: its keys, its sentences, and that no agent's search has changed unnoticed."""

import json
import subprocess
import sys

import pytest

from tests import ROOT
from tests.support.agents import MEASURED, kept_signatures
from tests.support.packages import console_script

KEYS = set(
    """
    game positions nodes seconds nodes_per_second depth first_move_cuts signature
    """.split()
)


def bench(*words):
    command = [sys.executable, "-m", "referee", "bench", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("game", MEASURED)
def test_no_search_has_changed_since_its_signature_was_kept(game):
    run = bench(game, "--json")
    assert run.returncode == 0, run.stderr[-1000:]
    figures = json.loads(run.stdout)
    assert set(figures) == KEYS and figures["game"] == game and figures["nodes"] > figures["positions"] > 1
    kept = kept_signatures()[game]
    assert figures["signature"] == kept, (
        f"{game} now searches otherwise: {figures['signature']}, not {kept}. A change that only tidies must "
        "not do that; one that means to brings match results, and the new signature in tests/bench.txt"
    )


def test_unknown_game_is_refused_in_one_sentence():
    run = bench("kalahaa")
    assert run.returncode == 2 and "kalaha" in run.stderr and run.stderr.count("\n") == 1


LACKS = {
    "a player": ("", "has no class Player"),
    "set_up": ("class Player:\n    pass\n", "has no method set_up(line)"),
    "nodes in its constructor": (
        "class Player:\n    def __init__(self, colour): pass\n    def set_up(self, line): pass\n",
        "fails in its constructor with nodes: TypeError",
    ),
    "an import that works": ("import nothing_of_that_name\n", "fails in its import: ModuleNotFoundError"),
    "an import that ends": ("import os\nos._exit(5)\n", "ended with exit code 5"),
    "a set_up that works": (
        "class Player:\n    def __init__(self, colour, nodes): pass\n    def set_up(self, line): 1 / 0\n",
        "fails in its set_up: ZeroDivisionError",
    ),
    "an action": (
        "class Player:\n    def __init__(self, colour, nodes): pass\n    def set_up(self, line): pass\n",
        "fails in its action: AttributeError",
    ),
    "an account of its search": (
        "class Player:\n    def __init__(self, colour, nodes): pass\n    def set_up(self, line): pass\n"
        "    def action(self): return 1\n",
        "does not tell `search.nodes`",
    ),
    "all of the account": (
        "class Player:\n    nodes = 1\n    def __init__(self, colour, nodes): self.search = self\n"
        "    def set_up(self, line): pass\n    def action(self): return 1\n",
        "does not tell `search.depth`",
    ),
}


@pytest.mark.parametrize("lack", LACKS)
def test_an_agent_that_lacks_something_is_told_what_in_a_sentence(tmp_path, lack):
    text, sentence = LACKS[lack]
    (tmp_path / "kalaha_agent").mkdir()
    (tmp_path / "kalaha_agent" / "__init__.py").write_text(text)
    command = [console_script(tmp_path), "bench", "kalaha"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith(f"referee: kalaha_agent {sentence}") and run.stderr.count("\n") == 1


def test_a_search_that_takes_no_time_that_can_be_measured_is_no_defect(tmp_path):
    (tmp_path / "kalaha_agent").mkdir()
    account = "class Player:\n    nodes, depth, first_move_cuts = 1, 1, None\n"
    account += "    def __init__(self, colour, nodes): self.search = self\n"
    account += "    def set_up(self, line): pass\n    def action(self): return 1\n"
    account += "import time\ntime.process_time = lambda: 0.0\n"
    (tmp_path / "kalaha_agent" / "__init__.py").write_text(account)
    command = [console_script(tmp_path), "bench", "kalaha", "--json"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["depth"] == 1
