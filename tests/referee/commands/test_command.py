"""The command `referee`: whose it is where another package has that name, its version, and old Pythons."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib

import pytest

import referee
from referee.__main__ import NEEDED
from referee.players.names import ROOT
from tests.support import interpreters
from tests.support.packages import console_script

THEIRS = "import sys\nprint('of the course', *sys.argv[1:])\nsys.exit(7)\n"
PLAYER = """
class Player:
    def __init__(self, colour):
        self.colour = colour
    def action(self):
        return 1
    def update(self, *news):
        pass
"""


@pytest.fixture
def course(tmp_path):
    """A course's project: a package `referee` that ends whoever imports it, modules named as Python's."""
    folder = tmp_path / "project"
    (folder / "referee").mkdir(parents=True)
    for name in ("__init__", "__main__", "pair", "bench", "profiled", "cluster", "baseline"):
        (folder / "referee" / f"{name}.py").write_text(THEIRS)
    for name in ("random", "statistics", "json", "queue"):
        (folder / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    (folder / "team").mkdir()
    (folder / "team" / "__init__.py").write_text(PLAYER)
    return folder


@pytest.fixture
def run(course, tmp_path):
    script = console_script(tmp_path)

    def run(*words, **environment):
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [script, *words], cwd=course, env={**kept, **environment}, capture_output=True, text=True
        )

    return run


def test_the_version_is_said(run):
    for word in ("--version", "-V"):
        shown = run(word)
        assert (shown.returncode, shown.stdout, shown.stderr) == (0, f"referee {referee.__version__}\n", "")


COMMANDS = {
    "help": ("--help",),
    "play": ("play", "kalaha:2x1", "random", "greedy", "--json"),
    "their own": ("play", "kalaha:2x1", "team", "random", "--json", "--games", "2"),
    "portable": ("play", "kalaha:2x1", "random", "greedy", "--json", "--isolation", "portable"),
    "tournament": ("tournament", "kalaha:2x1", "random", "greedy", "--pairs", "1", "--json"),
    "profile": ("profile", "kalaha:2x1", "kalaha_agent", "--nodes", "50", "--samples", "1", "--json"),
    "bench": ("bench", "kalaha:4x3", "--json"),
    "perft": ("perft", "kalaha:2x1", "2"),
    "completion": ("completion", "words", "play", "kalaha", "kalaha_"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_in_a_folder_with_a_package_of_that_name_it_is_ours(run, name):
    shown = run(*COMMANDS[name])
    assert shown.returncode in (0, 1) and "of the course" not in shown.stdout + shown.stderr, shown
    assert shown.stdout and "Traceback" not in shown.stderr and "wrong module" not in shown.stderr, shown
    if name in ("play", "tournament"):
        assert json.loads(shown.stdout.splitlines()[-1])["summary"]


@pytest.mark.parametrize("name", ["help", "play", "tournament", "bench"])
def test_it_is_ours_where_pythonpath_brings_another_package_of_that_name(run, course, name):
    (course / "lib").mkdir()
    (course / "referee").rename(course / "lib" / "referee")
    shown = run(*COMMANDS[name], PYTHONPATH=str(course / "lib"))
    assert shown.returncode == 0 and "Traceback" not in shown.stderr, shown
    assert shown.stdout and "of the course" not in shown.stdout


def test_start_py_is_the_command_where_no_module_is_named(tmp_path):
    for words, said in (([], "a first match: "), (["perft", "kalaha", "2"], "35\n")):
        start = [sys.executable, str(ROOT / "referee" / "start.py"), *words]
        shown = subprocess.run(start, cwd=tmp_path, capture_output=True, text=True)
        assert said in shown.stdout and shown.stderr == "" and "Traceback" not in shown.stdout


@pytest.mark.parametrize("place", ["referee", "referee/__main__.py", "referee/start.py"])
def test_it_is_started_by_its_path_where_it_is_not_installed(place, tmp_path):
    words = [sys.executable, "-S", "-E", str(ROOT / place), "perft", "kalaha", "2"]
    shown = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "35\n", "")


def test_where_what_it_needs_is_not_installed_it_says_how_to_have_it():
    words = [sys.executable, "-S", "-E", str(ROOT / "referee"), *"play kalaha human random --web".split()]
    shown = subprocess.run(words, capture_output=True, text=True)
    assert shown.returncode == 3 and shown.stdout == ""
    by = re.escape(f"{sys.executable} -m pip install {ROOT}")
    missing = re.fullmatch(
        rf"referee: there is no (\w+) here; what it needs is installed by {by}\n", shown.stderr
    )
    assert missing and missing[1] in NEEDED, shown.stderr
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert sorted(re.match("[a-z_]+", one)[0] for one in needed) == sorted(NEEDED)


def test_in_such_a_folder_python_m_referee_is_theirs_as_python_has_it(course):
    for shadow in ("random", "statistics", "json", "queue"):
        (course / f"{shadow}.py").unlink()
    words = [sys.executable, "-m", "referee", "team"]
    shown = subprocess.run(words, cwd=course, capture_output=True, text=True)
    assert shown.returncode == 7 and shown.stdout.startswith("of the course")


def too_old():
    """Interpreters that the referee does not run on."""
    return {version: path for version, path in interpreters.found().items() if int(version[2:]) < 11}


def test_an_older_python_is_met_with_one_sentence(tmp_path):
    assert too_old() or not interpreters.found().keys() & {"3.6", "3.8"}
    for version, python in too_old().items():
        script = console_script(tmp_path, python)
        module = [python, "-m", "referee", "play", "kalaha", "random", "random"]
        whole = [python, "-m", "tests.long.whole"]
        for words in (module, module[:3], whole, [str(script), "--help"], [str(script), "bench"]):
            shown = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
            sentence = f"referee: needs Python 3.11 or newer; this is {version}\n"
            assert (shown.returncode, shown.stdout, shown.stderr) == (2, "", sentence), words


def test_python_2_reads_the_file_that_has_the_sentence():
    newer = [
        node.lineno
        for node in ast.walk(ast.parse((ROOT / "referee" / "__init__.py").read_text()))
        if isinstance(node, (ast.JoinedStr, ast.AnnAssign))
        or getattr(node, "annotation", None)
        or getattr(node, "returns", None)
    ]
    assert newer == []


def test_the_sentence_names_the_version_that_it_met():
    older = "import sys; sys.version_info = (3, 10, 12, 'final', 0); import referee.commands.play"
    shown = subprocess.run([sys.executable, "-c", older], cwd=ROOT, capture_output=True, text=True)
    assert shown.returncode == 2
    assert shown.stderr == "referee: needs Python 3.11 or newer; this is 3.10\n"


def test_nothing_tells_people_to_type_python_m_referee():
    """But the README, once, where it says whose that is; -m referee.commands.misjudged is another thing."""
    told = []
    for path in [*ROOT.glob("*/*.py"), *ROOT.glob("*/*/*.py"), *ROOT.glob("*/*.md")]:
        text = path.read_text(encoding="utf-8")
        if "tests" not in path.parts and not {".venv"} & set(path.parts) and path.name != "completion.py":
            told += [str(path)] * bool(re.search(r"python3? -m referee(?!\.)", text))
    assert told == []
    assert (ROOT / "README.md").read_text().count("python -m referee") == 1
