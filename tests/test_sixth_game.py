"""A sixth game is three new files and folders: a copy of the project gets them, and all works there."""

import json
import re
import shutil
import subprocess
import sys
from random import Random

import pytest

from tests import ROOT
from tests.support.browser import WebGame, click_next, status, until

GAME = "connect_four"
# A second game, the same again, whose agent has nothing but what every player needs.
SAME_RULES = '''"""Connect Four again."""

from referee.rules.connect_four import State

__all__ = ["State"]
'''
PLAIN_AGENT = '''"""Plays the first column that has room."""


class Player:
    def __init__(self, colour):
        self.room = [6] * 7

    def action(self):
        return 1 + next(column for column in range(7) if self.room[column])

    def update(self, colour, action):
        self.room[int(action) - 1] -= 1
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with the new files put where the README says."""
    new, copy = ROOT / "tests" / "sixth_game", tmp_path_factory.mktemp("sixth") / "project"
    others = shutil.ignore_patterns("__pycache__", ".git", ".venv", ".*_cache", "*.egg-info", "sixth_game")
    shutil.copytree(ROOT, copy, ignore=others)
    shutil.copy(new / "connect_four.py", copy / "referee" / "rules")
    shutil.copy(new / "connect_four.js", copy / "referee" / "view" / "boards")
    shutil.copytree(new / "connect_four_agent", copy / "connect_four_agent")
    (copy / "referee" / "rules" / "plain_four.py").write_text(SAME_RULES)
    (copy / "plain_four_agent").mkdir()
    (copy / "plain_four_agent" / "__init__.py").write_text(PLAIN_AGENT)
    run(copy, "shared")
    return copy


def run(project, *words):
    """What `python -m ...` prints there; it has to end well and to complain of nothing."""
    command = [sys.executable, "-m", *map(str, words)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def figures(project, *words):
    return [json.loads(line) for line in run(project, "referee", *words, "--json").splitlines()]


@pytest.fixture(scope="module")
def played(project, tmp_path_factory):
    """The folder with the records and the pages of two games, and what `play` said of them."""
    folder = tmp_path_factory.mktemp("played")
    words = ["--games", 2, "--nodes", 200, "--record", folder / "records", "--html", folder / "page.html"]
    *games, _ = figures(project, "play", GAME, "connect_four_agent", "greedy", *words)
    return folder, games


def test_it_is_played_and_recorded_and_its_records_are_judged_again(project, played):
    folder, games = played
    assert [game["ending"] for game in games] == ["finished"] * 2
    said = run(project, "referee", "replay", *sorted((folder / "records").iterdir()))
    assert said.count(": same, ") == 2


DISCS = "data.states.map((_, index) => (show(index), document.querySelectorAll('#board circle').length))"


def test_its_board_is_drawn_on_a_page_and_its_columns_are_clicked(project, played, kept_page):
    first = min(played[0].glob("page-*.html"))
    page = kept_page.lend()
    page.goto(f"file://{first}")
    discs = page.evaluate(DISCS)
    assert discs == list(range(discs[0], discs[0] + len(discs))) and len(discs) > 7
    for game, places, buttons in ((GAME, 7, 0), ("plain_four", 0, 7)):  # where nothing is drawn, buttons
        with WebGame(game, "human", f"{game}_agent", "--nodes", "50", cwd=project) as web:
            random = Random(4)
            page.goto(web.address)
            until(page, "shown.begun && shown.legal.length")
            assert page.locator("#board .able").count() == places
            assert page.locator("#choices button").count() == buttons
            while click_next(page, random):
                pass
            assert status(page).startswith("The game is over: ")
            until(page, "shown.closed")
            assert web.wait()[0] == 0


def test_its_search_is_benched_and_profiled(project):
    (bench,) = figures(project, "bench", GAME)
    assert bench["game"] == GAME and bench["nodes"] > bench["positions"]
    (profile,) = figures(project, "profile", GAME, "connect_four_agent", "--nodes", 300, "--samples", 1)
    functions = {function["function"].rpartition(".")[2] for function in profile["functions"]}
    assert {"play", "evaluate"} <= functions


@pytest.mark.parametrize("game", [GAME, "plain_four"])
def test_it_is_checked_and_packed(game, project, tmp_path):
    run(project, "referee", "pack", game, f"{game}_agent", tmp_path / "team.zip")
    assert (tmp_path / "team.zip").is_file()


def test_a_tournament_of_it_is_played(project, tmp_path):
    words = ["connect_four_agent", "random", "--pairs", 2, "--nodes", 50, "--jobs", 2]
    (*_, last) = figures(project, "tournament", GAME, *words, "--report", tmp_path / "day.html")
    assert last["games"] == 4 and GAME in (tmp_path / "day.html").read_text()


@pytest.mark.parametrize("more", [[], ["--with", "search"]], ids=["plain", "search"])
def test_a_first_player_of_it_is_written_and_plays(project, tmp_path, more):
    said = run(project, "referee", "new", GAME, tmp_path / "team", *more)
    assert f"referee play {GAME} {tmp_path / 'team'} random" in said
    game, _ = figures(project, "play", GAME, tmp_path / "team", "random", "--action-time", 60, "--nodes", 200)
    assert game["ending"] == "finished"


def test_it_is_an_environment_for_programs_that_learn(project):
    words = "import referee; env = referee.env('connect_four'); env.reset(); print(env.unwrapped.actions)"
    done = subprocess.run([sys.executable, "-c", words], cwd=project, capture_output=True, text=True)
    assert done.stdout == f"{tuple(range(1, 8))}\n", done.stderr


def test_its_action_sequences_are_counted(project):
    assert run(project, "referee", "perft", GAME, 3) == f"{7**3}\n"


FILES = "test_project rules/test_rules rules/test_perft agents/test_agents agents/test_bench shared/test_data"
ABOUT = f"{GAME} or plain_four and agents or layout or each_agent or docstring"


def test_the_tests_of_all_games_and_agents_take_it_in_without_an_edit(project):
    files = [f"tests/{name}.py" for name in FILES.split()]
    said = run(project, "pytest", "-q", "-n", 0, "-p", "no:cacheprovider", "-k", ABOUT, *files)
    assert int(re.search(r"(\d+) passed", said)[1]) > 40, said
