"""What the tests of `check` and `pack` share."""

import pytest

from referee.check import PASS, Step
from referee.check.game_steps import GameSteps
from referee.rules import ropasci


@pytest.fixture
def no_match(monkeypatch):
    """Leaves out the games between processes, which have tests of their own, and RoPaSci's last 300 turns."""
    monkeypatch.setattr(ropasci, "MAX_TURNS", 60)
    monkeypatch.setattr(GameSteps, "limits_step", lambda self: Step("limits", PASS, "left out here"))


@pytest.fixture
def no_news(no_match, monkeypatch):
    """Leaves out the news in odd forms as well, where it is not what matters: it takes numpy to import."""
    monkeypatch.setattr(GameSteps, "news_step", lambda self: Step("news", PASS, "left out here"))
