"""The agents' copies of the shared files: `python -m shared` in the project, and in a small one made here."""

import shutil
import subprocess
import sys

import pytest

from tests import ROOT


def shared(root, *options):
    """`python -m shared` there: (exit code, lines printed, lines complained)."""
    done = subprocess.run(
        [sys.executable, "-B", "-m", "shared", *options],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


@pytest.fixture
def project(tmp_path):
    """A project with the real shared files and one agent, which imports the search, and so the clock."""
    shutil.copytree(ROOT / "shared", tmp_path / "shared", ignore=shutil.ignore_patterns("__pycache__"))
    agent = tmp_path / "toy_agent"
    (agent / "shared").mkdir(parents=True)
    (agent / "player.py").write_text("from .shared.deepening import Search\n")
    (agent / "shared" / "deepening.py").touch()
    (agent / "shared" / "clock.py").touch()
    return tmp_path


def test_every_copy_in_this_project_is_what_its_original_is():
    assert shared(ROOT, "--check") == (0, [], [])


def test_empty_files_become_copies_and_then_nothing_differs(project):
    code, printed, complaints = shared(project)
    assert (code, complaints) == (0, [])
    assert printed == [f"refreshed toy_agent/shared/{name}.py" for name in ("__init__", "clock", "deepening")]
    for name in ("__init__.py", "clock.py", "deepening.py"):
        original, copy = project / "shared" / name, project / "toy_agent" / "shared" / name
        assert copy.read_bytes() == original.read_bytes()
    assert shared(project, "--check") == (0, [], [])
    assert shared(project) == (0, [], []), "refreshing twice changes nothing"


def test_a_copy_that_differs_is_named_with_what_mends_it_and_left_alone(project):
    shared(project)
    copy = project / "toy_agent" / "shared" / "deepening.py"
    copy.write_bytes(copy.read_bytes() + b"\n")
    before = copy.read_bytes()
    assert shared(project, "--check") == (
        1,
        [],
        ["shared copy differs: toy_agent/shared/deepening.py (run: python -m shared)"],
    )
    assert copy.read_bytes() == before
    assert shared(project) == (0, ["refreshed toy_agent/shared/deepening.py"], [])
    assert shared(project, "--check") == (0, [], [])


def test_a_changed_original_makes_every_copy_differ(project):
    shutil.copytree(project / "toy_agent", project / "other_agent")
    shared(project)
    with open(project / "shared" / "clock.py", "a") as original:
        original.write("# changed\n")
    code, _, complaints = shared(project, "--check")
    assert code == 1
    assert [line.split()[3] for line in complaints] == [
        "other_agent/shared/clock.py",
        "toy_agent/shared/clock.py",
    ]


def test_other_line_ends_are_a_difference(project):
    shared(project)
    copy = project / "toy_agent" / "shared" / "clock.py"
    copy.write_bytes(copy.read_bytes().replace(b"\n", b"\r\n"))
    assert shared(project, "--check")[0] == 1


def test_a_copy_without_an_original_is_named(project):
    shared(project)
    (project / "toy_agent" / "shared" / "tricks.py").write_text("")
    code, _, complaints = shared(project, "--check")
    assert code == 1
    assert complaints == [
        "no such shared file: toy_agent/shared/tricks.py "
        "(there is no shared/tricks.py; move it into the agent)"
    ]
    assert shared(project)[0] == 1, "refreshing cannot mend it and must not pretend"
    assert (project / "toy_agent" / "shared" / "tricks.py").is_file()


def test_a_copy_that_nothing_imports_is_named(project):
    (project / "toy_agent" / "shared" / "matrix.py").touch()
    shared(project)
    assert shared(project, "--check") == (
        1,
        [],
        ["nothing imports toy_agent/shared/matrix.py (delete it)"],
    )


@pytest.mark.parametrize("line", ["from .shared.matrix import solve", "from .shared import matrix as games"])
def test_an_import_without_its_copy_is_named(project, line):
    shared(project)
    (project / "toy_agent" / "more.py").write_text(line + "\n")
    assert shared(project, "--check") == (
        1,
        [],
        ["toy_agent/shared/matrix.py is imported and missing (create it empty and run: python -m shared)"],
    )


def test_what_a_shared_file_imports_must_be_copied_too(project):
    (project / "toy_agent" / "shared" / "clock.py").unlink()
    code, printed, complaints = shared(project)
    assert code == 1
    assert "refreshed toy_agent/shared/deepening.py" in printed
    assert complaints == [
        "toy_agent/shared/clock.py is imported and missing (create it empty and run: python -m shared)"
    ]


def test_the_copies_work_in_a_renamed_agent(project):
    shared(project)
    (project / "toy_agent" / "__init__.py").touch()
    (project / "toy_agent").rename(project / "team")
    shutil.rmtree(project / "shared")
    done = subprocess.run(
        [sys.executable, "-B", "-c", "import team.player; print(team.player.Search.__module__)"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.stdout.strip(), done.stderr) == ("team.shared.deepening", "")
