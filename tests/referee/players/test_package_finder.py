"""Where a player's package is found: by its name as Python finds it, and by a path within other packages."""

import importlib.util
import os
import sys
import zipfile
from importlib.machinery import ModuleSpec

import pytest

from referee import UsageError
from referee.__main__ import main
from referee.isolation.allowance import Allowance
from referee.isolation.levels import own_files
from referee.isolation.process import Fault, PlayerProcess
from referee.players import files
from referee.players.names import ROOT, resolve
from tests.referee.players.test_zips import FIRST_POND

FAILS = "raise SystemExit('imported')\n"


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def place(text):
    spec = resolve(text)
    return spec.folder, spec.module


# By name


class Editable:
    """What pip install -e leaves in sys.meta_path: names, and where their packages are."""

    def __init__(self, mapping):
        self.mapping = mapping

    def find_spec(self, name, path=None, target=None):
        for file in (f"{self.mapping.get(name)}/__init__.py", f"{self.mapping.get(name)}.py"):
            if os.path.isfile(file):
                return importlib.util.spec_from_file_location(name, file)
        return None


def test_what_an_editable_install_brings_is_found_from_any_folder(here, tmp_path, monkeypatch):
    write(tmp_path / "src", {"ours/__init__.py": FAILS, "ours/deep.py": FAILS, "solo.py": FAILS})
    mapping = {name: str(tmp_path / "src" / name) for name in ("ours", "solo")}
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Editable(mapping)])
    assert place("ours") == place("ours:Player,depth=2") == (str(tmp_path / "src"), "ours")
    assert place("ours.deep") == (str(tmp_path / "src"), "ours.deep")
    assert place("solo") == (str(tmp_path / "src"), "solo")
    write(here, {"ours/__init__.py": FAILS})
    assert place("ours") == (str(here), "ours")


def test_an_editable_install_under_another_name_is_said(here, tmp_path, monkeypatch):
    write(tmp_path / "src", {"__init__.py": FAILS})
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Editable({"ours": str(tmp_path / "src")})])
    with pytest.raises(UsageError, match="'ours' is installed from .*src', which is called otherwise"):
        resolve("ours")


def test_our_agents_are_found_from_any_folder(here, monkeypatch):
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if os.path.abspath(entry) != str(ROOT)])
    assert place("kalaha_agent") == (str(ROOT), "kalaha_agent")
    assert place("kalaha_agent.yardstick:Heuristic1") == (str(ROOT), "kalaha_agent.yardstick")


def test_a_folder_that_is_no_package_hides_none_of_that_name(here, tmp_path, monkeypatch):
    (here / "kalaha_agent").mkdir()
    assert place("kalaha_agent") == (str(ROOT), "kalaha_agent")
    (here / "kalaha_agent").rmdir()
    (here / "kalaha_agent").write_text("a file without an ending is no module either")
    assert place("kalaha_agent") == (str(ROOT), "kalaha_agent")


def test_a_module_in_folders_that_are_no_packages_is_found_in_each_of_them(here, tmp_path, monkeypatch):
    write(here, {"teams/red/__init__.py": FAILS, "teams/deep/er/blue.py": FAILS})
    write(tmp_path / "more", {"teams/green/__init__.py": FAILS})
    monkeypatch.syspath_prepend(tmp_path / "more")
    assert place("teams.red") == (str(here), "teams.red")
    assert place("teams.deep.er.blue") == (str(here), "teams.deep.er.blue")
    assert place("teams.green") == (str(tmp_path / "more"), "teams.green")
    # What lies beside it there may be the opponent's.
    assert own_files(resolve("teams.red")) == str(here / "teams" / "red")
    assert list(files.bundle(resolve("teams.deep.er.blue"))) == ["teams/deep/er/blue.py"]
    assert list(files.bundle(resolve("teams.red"))) == ["teams/red/__init__.py"]
    for name in ("teams", "teams.deep", "teams.yellow"):
        with pytest.raises(UsageError, match="has no __init__.py|there is no package"):
            resolve(name)


def test_a_package_in_a_zip_on_the_path_is_found(here, tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as zipped:
        zipped.writestr("team/__init__.py", FAILS)
        zipped.writestr("team/deep.py", FAILS)
        zipped.writestr("below/other/__init__.py", FAILS)
    monkeypatch.syspath_prepend(tmp_path / "all.zip")
    assert place("team.deep") == (str(tmp_path / "all.zip"), "team.deep")
    monkeypatch.syspath_prepend(tmp_path / "all.zip" / "below")
    with pytest.raises(UsageError, match="'other' lies deep in a zip"):
        resolve("other")


class Raises:
    @staticmethod
    def find_spec(name, path=None, target=None):
        raise RuntimeError("a finder that fails")


class Odd:
    """A finder that knows modules without files."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, None) if name == "odd" else None


def test_a_finder_that_fails_or_has_no_file_does_no_harm(here, monkeypatch):
    monkeypatch.setattr(sys, "meta_path", [Raises, object(), *sys.meta_path, Odd])
    assert place("kalaha_agent") == (str(ROOT), "kalaha_agent")
    with pytest.raises(UsageError, match="has no __init__.py"):
        resolve("odd")


@pytest.mark.parametrize(
    "name",
    [
        "__main__",
        "sys",
        "kalaha_agent.nothing",
        "kalaha_agent.player.Player",
        "a..b",
        ".a",
        "a.",
        "..",
        "a\0b",
        "\udcff",
        "é.é",
        "nüll",
        "x" * 300,
        "numpy.nothing.at_all",
        "zipimport.x",
    ],
)
def test_a_name_that_is_none_is_refused_in_a_sentence(here, name):
    with pytest.raises(UsageError, match="there is no|has no __init__"):
        resolve(name)


def test_what_is_no_python_source_is_refused(here):
    import _bisect

    with pytest.raises(UsageError, match="not Python|there is no package"):
        resolve("_bisect" if getattr(_bisect, "__file__", None) else "nothing")


@pytest.mark.parametrize("level", ["full", "process", "portable"])
def test_a_player_in_a_folder_that_is_no_package_plays_at_every_level(here, capsys, level):
    imports = "from teams.red.board import first\nfrom .board import first as again\n"
    write(here, {"teams/red/__init__.py": imports + FIRST_POND, "teams/red/board.py": "first = 1\n"})
    write(here, {"teams/board.py": FAILS})
    assert main(["play", "kalaha:2x1", "teams.red", "random", "-v0", "--isolation", level]) == 0
    assert main(["check", "kalaha:2x1", "teams.red", "--json"]) in (0, 1)
    assert '"package": "red"' in capsys.readouterr().out


# By path: a repository with an __init__.py of its own


TEAM = {
    "repo/__init__.py": FAILS,
    "repo/team/__init__.py": "from team.player import Player\n",
    "repo/team/player.py": "from team.board import first\n" + FIRST_POND,
    "repo/team/board.py": "first = 1\n",
}


@pytest.mark.parametrize("typed", ["repo/team", "./repo/team/", "{here}/repo/team", "../here/repo/team"])
def test_the_root_of_a_repository_is_no_part_of_the_package_that_imports_itself(here, typed, capsys):
    write(here, TEAM)
    assert place(typed.format(here=here)) == (str(here / "repo"), "team")
    assert place(f"{typed.format(here=here)}/player.py") == (str(here / "repo"), "team.player")
    assert main(["play", "kalaha:2x1", typed.format(here=here), "random", "-v0"]) == 0


@pytest.mark.parametrize("typed", ["team", "./team", "team/", "team/__init__.py"])
def test_what_lies_around_the_folder_that_was_named_is_not_the_package(here, monkeypatch, typed):
    write(here, {**TEAM, "repo/team/__init__.py": FAILS, "repo/team/player.py": FAILS})
    monkeypatch.chdir(here / "repo")
    assert place(typed) == (str(here / "repo"), "team")


def test_the_outermost_folder_that_was_named_is_the_package(here):
    write(here, {"repo/__init__.py": "", "repo/team/__init__.py": FAILS, "repo/team/a.py": FAILS})
    assert place("repo/team") == (str(here), "repo.team")
    assert place("repo/team/a.py") == (str(here), "repo.team.a")
    (here / "repo" / ".git").mkdir()  # nobody hands in a working copy
    for begin in ("", f"{here}/"):
        assert place(f"{begin}repo/team") == (str(here / "repo"), "team")
        assert place(f"{begin}repo/team/a.py") == (str(here / "repo"), "team.a")


@pytest.mark.parametrize("text", [FAILS, "from .a import x\n", "import os\n", "from . import a\n"])
def test_a_path_from_the_root_of_the_disk_names_the_player_s_own_folder_alone(here, text):
    write(here, {"repo/__init__.py": "", "repo/team/__init__.py": text, "repo/team/a.py": "x = 1\n"})
    write(here, {"repo/team/sub/__init__.py": "from ..a import x\n"})
    assert place(f"{here}/repo/team") == place(f"{here}/repo/team/") == (str(here / "repo"), "team")
    assert place(f"{here}/repo/team/a.py") == (str(here / "repo"), "team.a")
    assert place(f"{here}/repo/team/sub") == (str(here / "repo"), "team.sub"), "it imports from around it"


def test_a_player_that_imports_from_around_it_belongs_to_what_is_around_it(here, monkeypatch):
    write(here, {"team/__init__.py": "", "team/search/__init__.py": "from ..board import x\n"})
    write(here, {"team/search/deep.py": "from team.board import x\n", "team/board.py": "x = 1\n"})
    for typed in ("team/search", str(here / "team" / "search")):
        assert place(typed) == (str(here), "team.search")
    assert place(str(here / "team" / "search" / "deep.py")) == (str(here), "team.search.deep")
    monkeypatch.chdir(here / "team" / "search")
    assert place("deep.py") == place("./deep") == (str(here), "team.search.deep")
    monkeypatch.chdir(here)
    write(here, {"team/search/__init__.py": "", "team/search/deep.py": "import os\n"})
    monkeypatch.chdir(here / "team")
    assert place("search") == (str(here / "team"), "search")


def test_the_check_looks_at_the_package_and_not_at_the_repository_around_it(here, capsys):
    write(here, {**TEAM, "repo/__init__.py": "", "repo/other/broken.py": "print 'two'\n"})
    main(["check", "kalaha:2x1", str(here / "repo" / "team"), "--json"])
    assert '"package": "team"' in capsys.readouterr().out


# What a confined player may not read


def crash(here, code, *options):
    """What is said of a player that runs this code in its first action."""
    body = "".join(f"        {line}\n" for line in code.splitlines())
    before = "        return next("
    write(here, {"team/__init__.py": FIRST_POND.replace(before, body + before)})
    with PlayerProcess(resolve("team"), "A", "", Allowance(isolation="full", readable=options)) as player:
        player.start()
        player.construct()
        try:
            return player.action()
        except Fault as fault:
            return fault.message


@pytest.mark.parametrize("depth", [0, 1, 5, 30, 60])
@pytest.mark.parametrize("name", ["secret.txt", "a_file_with_a_name_that_is_rather_long_as_names_go.json"])
def test_the_name_of_a_file_that_was_refused_is_shown_however_deep_it_lies(here, depth, name):
    path = here.joinpath(*["a_folder"] * depth) / name
    write(path.parent, {name: "a secret"})
    said = crash(here, f"open({str(path)!r})")
    assert f"{name}'" in said and "(confined, see --isolation: it reads its own" in said
    assert len(said) <= 200 and said.startswith("PermissionError: [Errno 13] Permission denied: '")


@pytest.mark.parametrize("initialised", [True, False])
def test_a_folder_that_is_readable_can_be_imported_from_whether_it_is_a_package_or_not(here, initialised):
    write(here, {"utils/tools/deep.py": "one = 1\n", "utils/board.py": "first = 1\n"})
    if initialised:
        write(here, {"utils/__init__.py": "", "utils/tools/__init__.py": ""})
    code = "from utils.board import first\nfrom utils.tools.deep import one\nreturn first"
    refused = crash(here, code)
    assert "(utils is not in the player's own package: move it there, or use --readable)" in refused
    assert crash(here, code, str(here / "utils")) == 1


def test_a_folder_that_is_readable_hides_no_package_of_that_name(here):
    write(here, {"numpy/data.txt": "", "xml/data.txt": ""})
    code = "import numpy, xml.dom\nreturn int(numpy.int64(1))"
    assert crash(here, code, str(here / "numpy"), str(here / "xml")) == 1
