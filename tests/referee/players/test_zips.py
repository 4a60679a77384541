"""Zips that are played: unpacked safely, gone afterwards, and the player finds its files by __file__."""

import json
import os
import signal
import stat
import struct
import subprocess
import sys
import time
import zipfile

import pytest

from referee import UsageError
from referee.__main__ import main
from referee.players import package
from referee.players.names import ROOT, resolve

FIRST_POND = """
class Player:
    def __init__(self, colour):
        self.mine, self.ponds = "AB".index(colour), [[1, 1, 0], [1, 1, 0]]
    def action(self):
        return next(pond for pond in (1, 2) if self.ponds[self.mine][pond - 1])
    def update(self, colour, action):
        me = "AB".index(colour)
        left, self.ponds[me][action - 1] = self.ponds[me][action - 1], 0
        side, place = me, action - 1
        while left:
            place += 1
            if place == 3 or place == 2 and side != me:
                side, place = 1 - side, 0
            self.ponds[side][place] += 1
            left -= 1
        there = self.ponds[1 - me]
        if side == me and place < 2 and self.ponds[me][place] == 1 and there[1 - place]:
            self.ponds[me][2] += 1 + there[1 - place]
            self.ponds[me][place] = there[1 - place] = 0
"""
GAME = "kalaha:2x1"
READS = """
import os
HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "data", "book.txt")) as book:
    assert book.read() == "a book"
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files, empty before and, so this sees to, afterwards."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    left = [entry for entry in folder.iterdir() if not entry.name.startswith("pymp-")]
    assert left == []


@pytest.fixture
def team(tmp_path, temporary):
    path = tmp_path / "team.zip"
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("team/__init__.py", READS + FIRST_POND)
        zipped.writestr("team/data/book.txt", "a book")
    return str(path)


@pytest.mark.parametrize("level", ["full", "process", "portable"])
def test_a_zipped_player_that_opens_a_file_beside_its_module_plays_at_every_level(team, level, capsys):
    assert main(["play", GAME, team, team, "--games", "2", "-v0", "--isolation", level]) == 0
    assert f"isolation level {level}" in capsys.readouterr().out


def test_its_name_may_end_in_capitals(team, tmp_path, capsys):
    capitals = os.rename(team, tmp_path / "TEAM.ZIP") or str(tmp_path / "TEAM.ZIP")
    assert main(["play", GAME, capitals, "random", "-v0"]) == 0
    words = ["--pairs", "1", "--jobs", "1", "--journal", str(tmp_path / "journal")]
    assert main(["tournament", GAME, capitals, "random", *words]) == 0
    capsys.readouterr()


def test_it_plays_a_tournament(team, capsys):
    assert main(["tournament", GAME, team, "random", "--pairs", "2", "--jobs", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["faults"] == []


def test_it_is_profiled(team, capsys):
    assert main(["profile", GAME, team, "--samples", "1", "--json"]) == 0
    assert "team/__init__.py" in capsys.readouterr().out


def test_what_pack_wrote_can_be_played(tmp_path, temporary, capsys):
    (tmp_path / "here" / "team" / "data").mkdir(parents=True)
    exact = FIRST_POND.replace("action -", "int(action) -")
    (tmp_path / "here" / "team" / "__init__.py").write_text(READS + exact)
    (tmp_path / "here" / "team" / "data" / "book.txt").write_text("a book")
    out = str(tmp_path / "out.zip")
    assert main(["pack", GAME, str(tmp_path / "here" / "team"), out]) == 0, capsys.readouterr().out
    assert main(["play", GAME, out, "random", "-v0"]) == 0


def test_a_player_that_leaves_its_folder_without_rights_leaves_nothing(tmp_path, temporary):
    locks = "import os\nos.makedirs(os.path.join(os.path.dirname(__file__), 'a', 'b'))\n"
    locks += "os.chmod(os.path.join(os.path.dirname(__file__), 'a'), 0)\n"
    with zipfile.ZipFile(tmp_path / "team.zip", "w") as zipped:
        zipped.writestr("team/__init__.py", locks + FIRST_POND)
    words = ["play", GAME, str(tmp_path / "team.zip"), "random", "-v0", "--isolation", "process"]
    assert main(words) == 0


def test_nothing_is_left_where_the_referee_is_killed(tmp_path, temporary):
    hangs = "import time\ntime.sleep(600)\n"
    with zipfile.ZipFile(tmp_path / "team.zip", "w") as zipped:
        zipped.writestr("team/__init__.py", hangs)
    words = [sys.executable, "-m", "referee", "play", GAME, str(tmp_path / "team.zip"), "random"]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
    wait_for(lambda: list(temporary.glob("*/team/__init__.py")) and _kept(temporary))
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_for(lambda: not list(temporary.iterdir()))


def _kept(temporary):
    """Whether a player's process, which its keeper started, runs in a folder there."""
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/cwd").startswith(f"{temporary}/"):
                return True
        except OSError:
            continue
    return False


def wait_for(condition):
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# What is not safe is refused before anything is written


def link(name, target):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry, target


def pipe(name):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFIFO | 0o644) << 16
    return entry, ""


UNSAFE = {
    "leads out": [("../evil.py", "")],
    "leads out within the package": [("team/../../evil.py", "")],
    "absolute": [("/tmp/evil.py", "")],
    "a drive": [("C:/evil.py", "")],
    "a link": [link("team/data", "/etc")],
    "a link beside it": [link("beside", "/etc/passwd")],
    "a pipe": [pipe("team/pipe")],
    "backslashes": [("team\\..\\..\\evil.py", "")],
    "dots": [("team/./a.py", "")],
    "an empty step": [("team//a.py", "")],
}


@pytest.mark.parametrize("command", ["play", "tournament", "profile", "check"])
@pytest.mark.parametrize("name", UNSAFE)
def test_a_zip_that_is_not_safe_is_refused_by_every_command(tmp_path, temporary, capsys, name, command):
    path = tmp_path / "team.zip"
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("team/__init__.py", FIRST_POND)
        for entry, content in UNSAFE[name]:
            zipped.writestr(entry, content)
    words = {"play": ["random"], "tournament": ["random"]}.get(command, [])
    assert main([command, GAME, str(path), *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and ("leads out" in said or "plain slashes" in said), said
    assert not (tmp_path / "evil.py").exists()


@pytest.mark.parametrize("command", ["play", "check", "pack"])
@pytest.mark.parametrize(
    "names",
    [
        ["../__init__.py"],
        ["./__init__.py"],
        ["v1.2/__init__.py"],
        ["team/__init__.py", "team/__init__.py/a.py"],
        ["x" * 300 + "/__init__.py"],
        ["team/__init__.py", "team/" + "x" * 300 + ".py"],
        ["team/__init__.py", "team/a", "team/a/b.py"],
    ],
    ids=["up", "here", "a dot in it", "a file as a folder", "long", "too long", "a file and a folder"],
)
def test_a_zip_that_cannot_be_laid_out_is_refused_in_a_sentence_and_nothing_is_left(
    tmp_path, temporary, capsys, names, command
):
    with zipfile.ZipFile(tmp_path / "team.zip", "w") as zipped:
        for name in names:
            zipped.writestr(name, FIRST_POND)
    words = {"play": ["random", "-v0"], "pack": [str(tmp_path / "out.zip")]}.get(command, [])
    assert main([command, GAME, str(tmp_path / "team.zip"), *words]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1 and "defect" not in shown.err, shown.err


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, temporary, capsys, monkeypatch):
    monkeypatch.setattr(package, "MEGABYTES", 1)
    with zipfile.ZipFile(tmp_path / "team.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("team/__init__.py", FIRST_POND)
        zipped.writestr("team/bomb", bytes(2**20))
    with pytest.raises(UsageError, match="is larger than 1 MB"):
        resolve(str(tmp_path / "team.zip"))
    monkeypatch.setattr(package, "MEGABYTES", 2)
    monkeypatch.setattr(package, "FILES", 1)
    with pytest.raises(UsageError, match="has more than 1 files"):
        resolve(str(tmp_path / "team.zip"))


def test_a_bomb_that_lies_about_its_size_is_refused(tmp_path, temporary, capsys):
    path = tmp_path / "team.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("team/__init__.py", FIRST_POND)
        zipped.writestr("team/bomb", bytes(10**6))
    content = path.read_bytes().replace(struct.pack("<L", 10**6), struct.pack("<L", 10))
    path.write_bytes(content)
    assert main(["play", GAME, str(path), "random", "-v0"]) == 2
    assert "cannot be unpacked" in capsys.readouterr().err


@pytest.mark.parametrize("place", [40, -30, 60, -100])
def test_a_damaged_zip_is_refused_in_a_sentence(team, temporary, capsys, place):
    with open(team, "rb") as file:
        content = bytearray(file.read())
    content[place : place + 8] = b"\xff" * 8
    with open(team, "wb") as file:
        file.write(content)
    for words in (["play", GAME, team, "random", "-v0"], ["check", GAME, team]):
        assert main(words) in (0, 1, 2)
        assert "defect" not in capsys.readouterr().err
