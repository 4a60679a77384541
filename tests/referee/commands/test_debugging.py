"""`play --debug P1`: a player in the referee's own process, where breakpoints, print and a debugger work."""

import gc
import io
import json
import pdb
import sys

import pytest

from referee.__main__ import main

TEAM = """
class Player:
    def __init__(self, colour, depth=1, action_seconds=None):
        self.turns, self.depth, self.told = 0, depth, action_seconds

    def action(self):
        self.turns += 1
        print("in action", self.turns, self.depth, self.told)
        LINE
        return 1

    def update(self, colour, action):
        pass
"""


@pytest.fixture
def team(tmp_path, monkeypatch):
    """Writes the player with a line put in, and says what is typed into the debugger."""
    monkeypatch.chdir(tmp_path)
    # Python's own, which pytest has put another one in the place of.
    monkeypatch.setattr(sys, "breakpointhook", lambda: pdb.Pdb().set_trace(sys._getframe(1)))
    monkeypatch.setattr(sys, "path", list(sys.path))
    # hypothesis is told when garbage is collected: by chance, the debugger would stop there.
    told, gc.callbacks[:] = list(gc.callbacks), []

    def write(line, typed=""):
        for name in [name for name in sys.modules if name.startswith("debugged")]:
            del sys.modules[name]
        (tmp_path / "debugged").mkdir()
        (tmp_path / "debugged" / "__init__.py").write_text(TEAM.replace("LINE", line))
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))

    yield write
    gc.callbacks[:] = told


def test_a_breakpoint_stops_in_the_players_code_and_print_is_seen(team, capsys):
    team("breakpoint()", "p 'turns', self.turns * 111\nc\nc\n")
    assert main(["play", "kalaha", "debugged,depth=7", "random", "--debug", "P1", "-v", "0"]) == 1
    said = capsys.readouterr().out
    assert "in action 1 7 1.0" in said and "('turns', 111)" in said


@pytest.mark.parametrize("which", ["P2", "p2", "2", "debugged"])
def test_a_crash_opens_the_debugger_where_it_was(team, capsys, which):
    team("raise KeyError('lost')", "p self.turns + 41\nq\n")
    assert main(["play", "kalaha", "random", "debugged", "--debug", which, "--pdb", "-v", "0"]) == 1
    said = capsys.readouterr()
    assert "(Pdb) 42" in said.out and "KeyError: 'lost'" in said.err


def test_leaving_the_debugger_ends_the_match_as_an_interrupt_does(team, capsys):
    team("breakpoint()", "q\n")
    assert main(["play", "kalaha", "debugged", "random", "--debug", "P1"]) == 130


def test_no_limit_is_enforced_and_one_that_was_passed_is_a_warning(team, capsys, monkeypatch):
    readings = iter(range(10**6))
    monkeypatch.setattr("referee.match.local.time.process_time", lambda: float(next(readings)))
    team("pass")
    main(["play", "kalaha", "debugged", "random", "--debug", "P1", "-v", "0"])
    said = capsys.readouterr().out
    assert "illegal" in said and "out of time" not in said
    assert "warning: debugged (A): used" in said


def test_with_json_what_it_prints_goes_elsewhere(team, capsys):
    team("pass")
    main(["play", "kalaha", "debugged", "random", "--debug", "P1", "--json"])
    said = capsys.readouterr()
    game, summary = map(json.loads, said.out.splitlines())
    assert game["ending"] == "illegal action" and summary["summary"]
    assert "in action 1" in said.err


def test_both_players_of_one_name_are_debugged_by_it(team, capsys):
    team("pass")
    main(["play", "kalaha", "debugged", "debugged", "--debug", "debugged", "-v", "0"])
    assert capsys.readouterr().out.count("in action") > 1


def test_without_a_player_it_is_the_courses_option(capsys):
    for words in (["--debug", "kalaha", "random", "random"], ["kalaha", "-D", "random", "random"]):
        assert main(["play", *words, "--seed", "1"]) == 0
        assert "turn 1: random (A) to play" in capsys.readouterr().out
    assert main(["play", "kalaha", "random", "random", "-D", "-v", "1"]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random", "random", "--debug", "P3"], "takes P1 or P2"),
        (["random", "random", "--pdb"], "--pdb goes with --debug"),
        ([f"exec:{sys.executable}", "random", "--debug", "P1"], "is no player in Python"),
        (["human", "random", "--debug", "P1"], "is no player in Python"),
    ],
)
def test_what_cannot_be_debugged_is_refused_in_a_sentence(words, said, capsys):
    assert main(["play", "kalaha", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_player_that_does_not_import_is_told_with_file_and_line(team, capsys):
    team("pass")
    with open("debugged/__init__.py", "a") as file:
        file.write("\nimport nothing_of_that_name\n")
    assert main(["play", "kalaha", "debugged", "random", "--debug", "P1"]) == 2
    assert "debugged/__init__.py:" in capsys.readouterr().err


def test_a_human_takes_back_against_a_player_of_this_process(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nundo\n2\nquit\n"))
    assert main(["play", "kalaha:4x3", "human", "greedy", "--debug", "P2", "-v1"]) == 0
    said = capsys.readouterr()
    assert said.out.count("* turn 1: human (A) to play") == 2
    assert said.err == "referee: the human has left; the game stays unfinished\n"


def test_where_the_class_is_missing_those_are_named_that_there_are(tmp_path, monkeypatch, capsys):
    (tmp_path / "debugged_other.py").write_text("class Mine: pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    assert main(["play", "kalaha", "debugged_other.py", "random", "--debug", "P1", "-v", "0"]) == 2
    assert "it has Mine: name one as debugged_other.py:Mine" in capsys.readouterr().err
