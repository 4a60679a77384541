"""The bench: its keys, its sentences, and that no agent's search has changed unnoticed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee import rules

ROOT = Path(__file__).resolve().parent.parent
KEYS = {
    "game", "positions", "nodes", "seconds", "nodes_per_second", "depth", "first_move_cuts", "signature",
}  # fmt: skip


def bench(*words):
    command = [sys.executable, "-m", "referee", "bench", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def kept_signatures():
    lines = (ROOT / "tests" / "bench.txt").read_text().splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("game", rules.games())
def test_no_search_has_changed_since_its_signature_was_kept(game):
    run = bench(game, "--json")
    assert run.returncode == 0, run.stderr[-1000:]
    figures = json.loads(run.stdout)
    assert set(figures) == KEYS and figures["game"] == game and figures["nodes"] > figures["positions"] > 1
    kept = kept_signatures().get(game)
    assert figures["signature"] == kept, (
        f"{game} now searches otherwise: {figures['signature']}, not {kept}. A change that only tidies must "
        "not do that; one that means to brings match results, and the new signature in tests/bench.txt"
    )


def test_unknown_game_is_refused_in_one_sentence():
    run = bench("kalahaa")
    assert run.returncode == 2 and "kalaha" in run.stderr and run.stderr.count("\n") == 1
