"""What `pack` hands in: the right files, the same bytes, tried under their new name before that."""

import json
import os
import zipfile

import pytest

from referee.__main__ import main
from referee.check.handin import archive, handed_in
from referee.players.names import resolve
from tests import ROOT
from tests.support.agents import MEASURED, agent_of

KALAHA = (ROOT / "tests" / "players" / "handin" / "kalaha.py").read_text()
LEFT_OUT = tuple(
    """
    EXPERIMENTS.md yardstick.py train/fit.py tests/test_board.py test_board.py board_test.py conftest.py
    __pycache__/board.cpython-311.pyc board.pyc .git/config .notes board.py~
    """.split()
)


def team(folder, **more):
    """A package with a data file that it needs, and all that is never handed in."""
    files = {
        "__init__.py": "from .player import Player\n",
        "player.py": f"import pkgutil\n\nassert pkgutil.get_data(__package__, 'data/book.npy')\n{KALAHA}",
        "data/book.npy": "13",
        "README.md": "How it plays.\n",
        **dict.fromkeys(LEFT_OUT, "raise SystemExit('never handed in')\n"),
        **more,
    }
    for path, text in files.items():
        place = folder / "team" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder / "team"


def pack(*words):
    return main(["pack", "kalaha", *map(str, words)])


def test_only_what_is_handed_in_is_packed_and_it_plays_under_its_new_name(tmp_path, capsys):
    out = tmp_path / "out.zip"
    assert pack(team(tmp_path), out, "--name", "seven") == 0
    with zipfile.ZipFile(out) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
    wanted = ["README.md", "__init__.py", "data/book.npy", "player.py"]
    assert names == [f"seven/{name}" for name in wanted]
    shown = capsys.readouterr().out
    assert all(f" {name}\n" in shown for name in names)
    assert "played from, as seven" in shown and "as A: " in shown and "as B: " in shown
    assert f"{out}: 4 files, " in shown
    assert main(["play", "kalaha", str(out), "random", "-v", "0"]) == 0


def test_same_files_give_the_same_bytes_whatever_their_dates_order_and_rights(tmp_path):
    first = archive(handed_in(resolve(str(team(tmp_path / "a")))).files)
    other = team(tmp_path / "b")
    for path in sorted(other.rglob("*"), reverse=True):
        os.utime(path, (1e9, 1e9))
        path.chmod(0o700)
    assert archive(handed_in(resolve(str(other))).files) == first
    (tmp_path / "packed.zip").write_bytes(first)
    assert archive(handed_in(resolve(str(tmp_path / "packed.zip"))).files) == first


def test_single_file_becomes_a_package(tmp_path, capsys, no_news):
    (tmp_path / "solo.py").write_text(KALAHA)
    assert pack(tmp_path / "solo.py", tmp_path / "solo.zip", "--stream") == 0
    *steps, found = map(json.loads, capsys.readouterr().out.splitlines())
    assert steps == found["check"]["steps"] and len(steps) > 10, "each as it is done, then the whole"
    assert [file["path"] for file in found["files"]] == ["solo/__init__.py"]
    assert found["packed"] is True and found["bytes"] == (tmp_path / "solo.zip").stat().st_size
    assert found["check"]["objections"] == 0


def test_package_with_an_objection_is_not_written_and_an_older_zip_stays(tmp_path, capsys, no_news):
    out = tmp_path / "out.zip"
    out.write_bytes(archive({"old/__init__.py": b""}))
    before = out.read_bytes()
    prints = "        print(n := 1)\n        me ="
    path = team(tmp_path, **{"player.py": KALAHA.replace("        me =", prints)})
    assert pack(path, out) == 1
    shown = capsys.readouterr().out
    assert "FAIL   language" in shown
    assert f"{out} is not written: 1 objection: language; 1 remark: output" in shown
    assert out.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out.zip", "team"]


def test_package_that_needs_what_is_left_out_is_not_written(tmp_path, capsys):
    path = team(tmp_path, **{"__init__.py": "from .train.fit import Player\n", "train/__init__.py": ""})
    assert pack(path, tmp_path / "out.zip") == 1
    assert "not among the files that are handed in" in capsys.readouterr().out
    assert not (tmp_path / "out.zip").exists()


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_package_that_imports_itself_by_name_cannot_be_renamed(form, tmp_path, capsys):
    path = team(tmp_path, **{"__init__.py": "from team.player import Player\n"})
    assert pack(path, tmp_path / "out.zip", "--name", "seven", *form) == 1
    shown = capsys.readouterr().out
    if form:
        found = json.loads(shown)
        assert found["packed"] is False and [step["step"] for step in found["check"]["steps"]] == ["renamed"]
    else:
        assert "imports itself by that name (team/__init__.py:1): it cannot be seven" in shown
    assert not (tmp_path / "out.zip").exists()


def test_links_that_lead_out_of_the_package_are_not_followed(tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.txt").write_text("private")
    path = team(tmp_path)
    (path / "key.txt").symlink_to(tmp_path / "secret" / "key.txt")
    (path / "folder").symlink_to(tmp_path / "secret")
    (path / "circle").symlink_to(path)
    (path / "broken").symlink_to(tmp_path / "nothing")
    (path / "again.npy").symlink_to(path / "data" / "book.npy")
    os.mkfifo(path / "pipe")
    handin = handed_in(resolve(str(path)))
    assert handin.links == ("team/broken", "team/circle", "team/folder", "team/key.txt")
    assert handin.files["team/again.npy"] == b"13"
    assert not any("key.txt" in name or "pipe" in name for name in handin.files)


@pytest.mark.parametrize("entry", ["team/../../evil.py", "team/link"])
def test_zip_that_leads_out_of_its_folder_is_refused(entry, tmp_path, capsys):
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as packed:
        packed.writestr("team/__init__.py", KALAHA)
        info = zipfile.ZipInfo(entry)
        info.create_system = 3
        info.external_attr = (0o120777 if entry.endswith("link") else 0o100644) << 16
        packed.writestr(info, "/etc/passwd")
    assert pack(tmp_path / "in.zip", tmp_path / "out.zip") == 2
    assert "leads out of the package" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("out", "words", "said"),
    [
        ("out.tar", [], "should end in .zip"),
        ("nowhere/out.zip", [], "there is no folder"),
        ("notes.zip", [], "is no zip; remove it"),
        ("team/out.zip", [], "would be packed next time"),
        ("out.zip", ["--name", "7up"], "no package can be called"),
        ("out.zip", ["--name", "class"], "no package can be called"),
    ],
)
def test_users_mistake_is_one_sentence_before_anything_is_played(out, words, said, tmp_path, capsys):
    path = team(tmp_path)
    (tmp_path / "notes.zip").write_text("no zip at all")
    assert pack(path, tmp_path / out, *words) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.err.count("\n") == 1 and not printed.out
    assert (tmp_path / "notes.zip").read_text() == "no zip at all"


def test_our_agent_is_packed_without_training_and_yardstick():
    for agent in (ROOT / agent_of(game) for game in MEASURED):
        names = list(handed_in(resolve(str(agent))).files)
        assert f"{agent.name}/player.py" in names and f"{agent.name}/shared/clock.py" in names
        assert not [name for name in names if "train/" in name or "yardstick" in name or ".pyc" in name]
        assert {name for name in names if name.endswith(".npy")} == {
            f"{agent.name}/data/{path.name}" for path in (agent / "data").glob("*.npy")
        }
