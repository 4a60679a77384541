"""What `check` and `pack` show on their way, what they keep of an objection, and one step repeated alone."""

import io
import json
import re

import pytest

from referee.__main__ import main
from referee.view.progress import Steps
from tests.support.packages import player_file


@pytest.fixture
def always_one(tmp_path):
    """A player whose second action is illegal in one seat at once, in the other later."""
    return player_file(tmp_path, "return 1")


def test_the_game_of_an_objection_is_kept_and_its_position_drawn(always_one, tmp_path, capsys):
    assert main(["check", "kalaha", always_one, "--record", str(tmp_path / "kept")]) == 1
    said = capsys.readouterr().out
    assert said.count("B6   B5") == 2
    paths = re.findall(r"referee replay (\S+)", said)
    assert len(paths) == 2 and sorted(paths) == sorted(map(str, (tmp_path / "kept").iterdir()))
    assert main(["replay", *paths]) == 0
    assert capsys.readouterr().out.count("same, illegal action by ") == 2


def test_a_step_is_repeated_alone(always_one, tmp_path, capsys):
    words = ["check", "kalaha", always_one, "--record", str(tmp_path / "kept")]
    assert main([*words, "--only", "limits", "--json"]) == 1
    (step,) = json.loads(capsys.readouterr().out)["steps"]
    assert step["step"] == "limits" and "forfeits: action 1 is illegal" in step["found"]
    (path,) = set(re.findall(r"referee replay (\S+)", step["found"].splitlines()[-1]))
    assert main(["replay", path]) == 0 and "same, illegal action" in capsys.readouterr().out
    for only in ("name", "Two-at-once"):
        main([*words, "--only", only])
        shown, verdict = capsys.readouterr().out.split("\n", 1)
        assert only.replace("-", " ").lower() in shown and verdict


def test_a_step_that_cannot_be_tried_stands_behind_what_keeps_it_from_that(tmp_path, capsys):
    (tmp_path / "broken_team.py").write_text("import not_there_at_all\n")
    assert main(["check", "kalaha", str(tmp_path / "broken_team.py"), "--only", "limits", "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)["steps"]
    assert (first["step"], first["state"]) == ("import", "fail") and "not_there_at_all" in first["found"]
    assert (second["step"], second["state"]) == ("limits", "not tried")


def test_a_step_that_there_is_not_is_refused_with_those_that_there_are(capsys):
    assert main(["check", "kalaha", "random", "--only", "limit"]) == 2
    assert "the steps are name, size" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_on_a_terminal_a_bar_shows_the_step_and_the_turn(monkeypatch):
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", terminal)
    with Steps(["name", "course game", "limits"]) as bar:
        bar.done("name")
        bar.turn(7)
        bar._bar.refresh()
        assert "1/3" in terminal.getvalue() and "course game, turn 7" in terminal.getvalue()
        bar.done("limits")


def test_elsewhere_there_is_no_bar(capsys, always_one):
    main(["check", "kalaha", always_one, "--only", "limits"])
    assert capsys.readouterr().err == ""
