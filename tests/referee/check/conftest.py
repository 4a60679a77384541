"""What the tests of `check` and `pack` share."""

import pytest

from referee.check import PASS, Step
from referee.check.game_steps import Played


@pytest.fixture
def no_match(monkeypatch):
    """Leaves out the games between processes, which cost most and have tests of their own."""
    monkeypatch.setattr(Played, "limits_step", lambda self: Step("limits", PASS, "left out here"))
