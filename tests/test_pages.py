"""Pages that teach: every command and every line of Python on them runs."""

import re
import shlex
import subprocess
import sys

import pytest

from referee.__main__ import main
from referee.commands import pack, profile
from tests import ROOT

PLAYERS = ROOT / "referee" / "players" / "README.md"
SHARED = ROOT / "shared" / "README.md"


def blocks(page, kind):
    """The code blocks of a kind on a page, in order; those of no kind are commands."""
    found = re.findall(r"^ *```(\w*)\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.M | re.S)
    return [text for name, text in found if name == kind]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An empty folder, as a student's, in which all commands of the page have been typed."""
    folder = tmp_path_factory.mktemp("student")
    lines = [line.strip() for block in blocks(PLAYERS, "") for line in block.splitlines()]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(pack, "SHARE", 0.01)
        patch.setattr(profile, "SAMPLES", 1)
        for line in lines:
            words = shlex.split(line)
            if words[0] == "referee":
                assert main(words[1:]) == 0, line
            else:
                words[0] = {"python": sys.executable}.get(words[0], words[0])
                run = subprocess.run(words, capture_output=True, text=True)
                assert run.returncode == 0, f"{line}: {run.stdout}{run.stderr}"
    return folder


def test_the_steps_from_nothing_to_a_hand_in_can_be_typed_in_an_empty_folder(folder):
    made = {path.name for path in folder.iterdir()}
    assert {"my_team", "my_team_old", "my_team.zip", "game.html"} <= made


def test_the_python_of_the_page_on_players_runs(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    clock, program = blocks(PLAYERS, "python")
    namespace = {}
    exec(clock, namespace)
    from my_team import position

    start = position.start("3x2")  # small enough to be seen to the end
    reading = iter(range(100_000))
    monkeypatch.setattr("time.process_time", lambda: float(next(reading)))
    best = namespace["choose"](start, position.moves, position.play, position.evaluate, seconds=20_000)
    assert best == 2  # by four: see the known values in tests/rules/test_kalaha.py
    assert namespace["choose"](start, position.moves, position.play, position.evaluate, 1) in (1, 2, 3)
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    exec(program, {})
    assert "my_team (A)" in capsys.readouterr().out


@pytest.mark.parametrize("number", range(len(blocks(SHARED, "python"))))
def test_the_python_of_the_page_on_shared_files_runs(number):
    exec(blocks(SHARED, "python")[number], {})


def test_every_shared_file_has_a_row_on_their_page():
    rows = re.findall(r"^\| `(\w+)\.py` \|", SHARED.read_text(encoding="utf-8"), re.M)
    files = {path.stem for path in (ROOT / "shared").glob("*.py")} - {"__init__", "__main__"}
    assert set(rows) == files


def test_every_page_that_these_link_to_is_there():
    for page in (PLAYERS, SHARED):
        linked = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        assert linked or page == SHARED
        assert [name for name in linked if not (page.parent / name).exists()] == []
