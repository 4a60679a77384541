"""How a player is named on the command line, and what one sentence says where that names nothing."""

import sys
import zipfile

import pytest

from referee import UsageError
from referee.players.names import resolve
from tests import ROOT


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A current directory with a package, a package within it, a file, and things that are no players."""
    (tmp_path / "team" / "sub").mkdir(parents=True)
    for package in ("team", "team/sub"):
        # Whoever imports it in this process fails the test.
        (tmp_path / package / "__init__.py").write_text("raise SystemExit('imported')\n")
    (tmp_path / "team" / "other.py").write_text("raise SystemExit('imported')\n")
    (tmp_path / "solo.py").write_text("raise SystemExit('imported')\n")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "agent.py").write_text("")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "v1.2").mkdir()
    (tmp_path / "v1.2" / "__init__.py").write_text("")
    zips = {"team.zip": ["team/__init__.py"], "two.zip": ["a/__init__.py", "b/__init__.py"]}
    for name, members in zips.items():
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for member in members:
                archive.writestr(member, "")
    (tmp_path / "broken.zip").write_text("no zip")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "text, folder, module, cls, arguments",
    [
        ("team", ".", "team", None, ()),
        ("team/", ".", "team", None, ()),
        ("./team", ".", "team", None, ()),
        ("./team/__init__.py", ".", "team", None, ()),
        ("team.sub", ".", "team.sub", None, ()),
        ("team/sub", ".", "team.sub", None, ()),
        ("team/sub/", ".", "team.sub", None, ()),
        ("team.other", ".", "team.other", None, ()),
        ("team/other.py", ".", "team.other", None, ()),
        ("solo", ".", "solo", None, ()),
        ("solo.py", ".", "solo", None, ()),
        ("./solo", ".", "solo", None, ()),
        ("plain/agent.py", "plain", "agent", None, ()),
        ("plain/agent", "plain", "agent", None, ()),
        ("team.zip", "team.zip", "team", None, ()),
        ("team:Careful", ".", "team", "Careful", ()),
        ("./solo.py:Careful", ".", "solo", "Careful", ()),
        ("team.zip:Careful", "team.zip", "team", "Careful", ()),
        ("team:Careful,depth=4", ".", "team", "Careful", (("depth", 4),)),
        ("team,depth=4", ".", "team", None, (("depth", 4),)),
        ("team:X,a=-1.5,b=None,d='4'", ".", "team", "X", (("a", -1.5), ("b", None), ("d", "4"))),
        ("team:X,w=(1,2,3),s=book.bin", ".", "team", "X", (("w", (1, 2, 3)), ("s", "book.bin"))),
        ("team:X,s=a,b,t=", ".", "team", "X", (("s", "a,b"), ("t", ""))),
        ("team:X,f=a=b", ".", "team", "X", (("f", "a=b"),)),
    ],
)
def test_a_player_is_found(here, text, folder, module, cls, arguments):
    found = resolve(text)
    assert (found.name, found.folder, found.module) == (text, str((here / folder).resolve()), module)
    assert (found.cls, found.arguments) == (cls, arguments)
    assert "team" not in sys.modules


def test_a_path_may_be_absolute_or_lead_upwards(here, monkeypatch):
    assert resolve(f"{here}/team").folder == str(here)
    monkeypatch.chdir(here / "plain")
    assert (resolve("../team").folder, resolve("../team").module) == (str(here), "team")
    monkeypatch.chdir(here / "team")
    assert (resolve(".").folder, resolve(".").module) == (str(here), "team")


def test_what_is_here_comes_before_what_is_installed(here):
    (here / "numpy.py").write_text("")
    assert resolve("numpy").folder == str(here)
    (here / "numpy.py").unlink()
    assert resolve("numpy").folder != str(here)


def test_packages_are_found_on_the_path(here, monkeypatch):
    monkeypatch.setattr(sys, "path", ["", str(here / "plain"), str(ROOT)])
    assert (resolve("agent").folder, resolve("agent").module) == (str(here / "plain"), "agent")
    assert resolve("referee.players.baseline").folder == str(ROOT)


def test_the_referees_own_players(here):
    for text, cls in (("random", "Random"), ("greedy", "Greedy")):
        found = resolve(text)
        assert (found.module, found.cls, found.folder) == ("referee.players.baseline", cls, str(ROOT))
    (here / "random").mkdir()
    (here / "random" / "__init__.py").write_text("")
    assert resolve("random").module == "referee.players.baseline"
    assert resolve("./random").folder == str(here)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "a player's name is empty"),
        ("taem", "there is no package 'taem'; did you mean 'team'?"),
        ("grady", "there is no package 'grady'; did you mean 'greedy'?"),
        ("qqqqqq", "there is no package 'qqqqqq'; name a package, a folder or a file with a player"),
        ("team.nothing", "there is no package 'team.nothing'"),
        ("./taem", "there is no file or folder './taem'; did you mean 'team'?"),
        ("sloo.py", "there is no file or folder 'sloo.py'; did you mean 'solo'?"),
        ("no/where/", "there is no file or folder 'no/where/'"),
        ("team..sub", "there is no package 'team..sub'"),
        ("plain", "folder 'plain' has no __init__.py, so it is not a package; add one; or name one"),
        (
            "notes.txt",
            "file 'notes.txt' is no player: its name should end in .py, or in .zip where it is one",
        ),
        ("v1.2/", "rename 'v1.2'"),
        ("two.zip", "file 'two.zip' holds the packages a, b; it should hold one"),
        ("broken.zip", "file 'broken.zip' cannot be read as a zip"),
        ("depth=3", "behind a comma and no space, as in my_team,depth=3"),
        ("team:", "should be written package:Class"),
        ("team:a-b", "should be written package:Class"),
        (":Careful", "should be written package:Class"),
        ("team:X,9=4", "no argument is called"),
        ("team:X,class=4", "no argument is called"),
        ("team:X,a=1,a=2", "sets the same argument twice"),
        ("x" * 5000, "there is no package"),
        ("a\0b", "there is no"),
    ],
)
def test_what_is_no_player_is_refused_in_one_sentence(here, text, sentence):
    with pytest.raises(UsageError) as caught:
        resolve(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_a_current_directory_that_was_removed_is_said(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match="the current directory does not exist any more"):
        resolve("team")
