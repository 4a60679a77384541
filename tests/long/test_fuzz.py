"""A sample of the hostile cases of `python -m tests.long.fuzz`, the same in every run."""

import pytest

from tests.long.fuzz import run

SAMPLE = {
    "replies": 4000,
    "positions": 3000,
    "readers": 1500,
    "commands": 150,
    "bridges": 15,
    "steering": 60,
    "calls": 4,
}


@pytest.mark.parametrize("part", SAMPLE)
def test_hostile_input_of_each_kind_gets_what_is_promised(part):
    run(part, "sample", range(1, SAMPLE[part] + 1))


def test_memory_stays_flat_whatever_players_reply():
    assert run("replies", "memory", range(1, 6001)) < 2.0, "megabytes"
