"""A sample of the hostile cases of `python -m tests.long.fuzz`, the same in every run."""

import pytest

from tests.long.fuzz import run
from tests.support.samples import few

SAMPLE = {
    "replies": few(2000, 4000),
    "positions": few(1500, 3000),
    "readers": few(800, 1500),
    "commands": few(80, 150),
    "bridges": few(8, 15),
    "steering": few(30, 60),
    "calls": 4,
}


@pytest.mark.parametrize("part", SAMPLE)
def test_hostile_input_of_each_kind_gets_what_is_promised(part):
    run(part, "sample", range(1, SAMPLE[part] + 1))


def test_memory_stays_flat_whatever_players_reply():
    assert run("replies", "memory", range(1, 6001)) < 2.0, "megabytes"
