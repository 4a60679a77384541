"""The wheel: what is in it, and that it plays and makes pages where nothing else of ours is."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import numpy
import pytest

from referee import __version__
from tests import ROOT
from tests.support.agents import GAMES, agent_of

BUILD = "import sys, setuptools.build_meta as build; build.build_wheel(sys.argv[1])"
COMMAND = "board_game_referee/__init__.py"  # what the installed command runs
LEFT_OUT = {"train", "__pycache__", ".md", ".png", ".ipynb"}  # of what is in the packages


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built in a copy of the project, since building leaves files behind."""
    folder = tmp_path_factory.mktemp("wheel")
    others = shutil.ignore_patterns("__pycache__", ".*", "*.egg-info", "build", "*.png")
    shutil.copytree(ROOT, folder / "project", ignore=others)
    run([sys.executable, "-c", BUILD, folder], folder / "project")
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """A virtual environment with the wheel, and the packages that it depends on from here."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    words = ["install", "-q", "--no-deps", "--no-index", "--no-compile", wheel]
    run([sys.executable, "-m", "pip", "--python", folder / "bin" / "python", *words], folder)
    ours = {"referee", "board_game_referee", *map(agent_of, GAMES)}
    assert {path.name.partition("-")[0] for path in site.iterdir()} == ours
    (site / "others.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n")
    return folder


def run(command, cwd):
    """What it prints; it has to end well."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_has_all_that_runs_and_nothing_that_is_for_this_folder_alone(wheel):
    names = set(ZipFile(wheel).namelist())
    folders = ["referee", *map(agent_of, GAMES)]
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    wanted = {
        path.relative_to(ROOT).as_posix() for path in files if not LEFT_OUT & {*path.parts, path.suffix}
    }
    assert wanted - {f"referee/commands/installed/{COMMAND}"} | {COMMAND} <= names
    more = {name for name in names - wanted if ".dist-info/" not in name}
    assert {Path(name).name for name in more - {COMMAND}} <= {"README.md", "PROTOCOL.md"}


def test_a_game_is_played_from_the_wheel_and_its_page_is_written(environment, tmp_path):
    referee = environment / "bin" / "referee"
    assert run([referee, "--version"], tmp_path).strip().endswith(__version__)
    words = ["--nodes", "50", "-t", "0", "--record", tmp_path / "records", "--html", tmp_path / "game.html"]
    said = run([referee, "play", "kalaha", "kalaha_agent", "random", *words], tmp_path)
    assert "kalaha_agent" in said and "drawBoard" in (tmp_path / "game.html").read_text()
    (record,) = (tmp_path / "records").iterdir()
    assert ": same, " in run([referee, "replay", record, "--html", tmp_path / "again.html"], tmp_path)
    assert "drawBoard" in (tmp_path / "again.html").read_text()
    where = [environment / "bin" / "python", "-c", "import referee; print(referee.__file__)"]
    assert run(where, tmp_path).startswith(str(environment))


def test_a_first_player_is_written_from_the_wheel_with_the_shared_files_that_it_needs(environment, tmp_path):
    referee = environment / "bin" / "referee"
    run([referee, "new", "kalaha", "my_team", "--with", "search"], tmp_path)
    assert (tmp_path / "my_team" / "shared" / "alphabeta.py").is_file()
    assert "my_team (A)" in run([referee, "play", "kalaha", "my_team", "random", "--nodes", "50"], tmp_path)
