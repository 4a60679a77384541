"""The long checks (soak, slow machine, mutation tester), as far as a short run can check them."""

import ast
import json
import os
import time
from random import Random

import pytest

from tests.long import mutation, soak
from tests.long.slow_machine import slowed
from tests.rules.test_rules import NAMES
from tests.support.samples import few

PLAN = [(0.02, 1, "expendibots"), (0.02, 2, "expendibots")]


def test_a_soak_is_taken_up_where_it_was_and_finds_nothing_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.rules.expendibots.MOST_PLIES", few(16, 500))  # its agents use less time then
    journal, said = tmp_path / "soak.jsonl", []
    soak.soak(journal, PLAN[:1], time.monotonic() + 10**6, said.append)
    with journal.open("ab") as file:
        file.write(b'{"share": 0.02, "num')  # as a killed run leaves it
    played = soak.soak(journal, PLAN, time.monotonic() + 10**6, said.append)
    assert len(said) == len(played) == len(journal.read_bytes().splitlines()) == 2
    assert [(row["share"], row["number"], row["game"]) for row in played] == PLAN
    lines, wrong = soak.summary(played)
    assert not wrong, wrong
    assert lines[0].startswith("expendibots at 0.02: 2 games, {'finished': 2}, ")


def test_a_soak_counts_what_is_wrong():
    good = {
        "share": 1.0,
        "number": 1,
        "game": "kalaha",
        "ending": "finished",
        "reason": "",
        "turns": 1,
        "warnings": [],
        "used": [0.5, 0.5],
        "replays": True,
        "seconds": 1.0,
        "run": 1,
        "processes": 0,
        "descriptors": 9,
        "megabytes": 30.0,
    }
    assert soak.summary([good] * 30)[1] == []
    for odd in (
        {"ending": "out of time"},
        {"warnings": ["x"]},
        {"replays": False},
        {"processes": 1},
        {"descriptors": 10},
        {"megabytes": 51.0},
    ):
        assert len(soak.summary([good] * 30 + [{**good, **odd}])[1]) == 1, odd


def test_a_soak_spreads_the_long_games_among_the_short_ones():
    plan = soak.schedule(200, 6)
    assert len(plan) == len(set(plan)) == 1030
    assert {game for _, _, game in plan} == {name for name in NAMES if ":" not in name}
    assert max(place for place, one in enumerate(plan) if one[0] == 1.0) > 900
    json.dumps(plan)


def test_a_slow_machine_is_as_it_was_afterwards():
    usual = os.sched_getaffinity(0)
    with slowed(1, 2) as busy:
        assert len(os.sched_getaffinity(0)) == 1
        assert [process.poll() for process in busy] == [None] * 2
    assert os.sched_getaffinity(0) == usual
    assert all(process.returncode for process in busy)


@pytest.mark.parametrize("path", mutation.TARGETS)
def test_every_change_of_the_mutation_tester_is_a_change_that_python_can_read(path):
    tree = ast.parse((mutation.ROOT / path).read_text(encoding="utf-8"))
    found = mutation.mutants(tree)
    assert len(found) > 20
    for _, number, change in Random(1).sample(found, few(5, 15)):
        other = mutation.changed(tree, number, change)
        assert ast.unparse(other) != ast.unparse(tree), (number, change)
        compile(other, path, "exec")
