"""What is read of a package's folder, which may hold anything: the one walk of all that read packages."""

import json
import os
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from referee import UsageError
from referee.__main__ import main
from referee.check.handin import handed_in
from referee.players import files, package, zips
from referee.players.names import resolve
from tests import ROOT

KALAHA = (ROOT / "tests" / "players" / "handin" / "kalaha.py").read_text()
SECRET = b"private"


def team(folder):
    """A small package that plays."""
    path = folder / "team"
    (path / "data").mkdir(parents=True)
    (path / "__init__.py").write_text(KALAHA)
    (path / "data" / "book.npy").write_bytes(b"13")
    return path


OWN = {"team/__init__.py", "team/data/book.npy"}


@pytest.fixture
def secret(tmp_path):
    """A folder beside the package that is none of its business."""
    folder = tmp_path / "home"
    (folder / "more").mkdir(parents=True)
    (folder / "id_rsa").write_bytes(SECRET)
    (folder / "more" / "opponent.py").write_bytes(SECRET)
    return folder


def put_links(path, secret):
    """Every kind of link that leads out, straight, by steps, by a folder, or nowhere."""
    (path / "straight.py").symlink_to(secret / "id_rsa")
    (path / "relative.py").symlink_to(f"../{secret.name}/id_rsa")
    (path / "by_steps.py").symlink_to(path / "straight.py")
    (path / "folder").symlink_to(secret)
    (path / "by_a_folder.py").symlink_to(path / "folder" / "id_rsa")
    (path / "root").symlink_to("/")
    (path / "processes").symlink_to("/proc")
    (path / "device").symlink_to("/dev/zero")
    (path / "nowhere").symlink_to(secret / "nothing")
    (path / "itself").symlink_to(path / "itself")
    (path / "too_long").symlink_to("/".join(["x" * 250] * 16) + "/" + "y" * 74)
    return sorted(f"{path.name}/{one.name}" for one in path.iterdir() if one.is_symlink())


def put_circles(path):
    (path / "circle").symlink_to(".")
    (path / "circle2").symlink_to(path)
    (path / "data" / "up").symlink_to("..")


def put_what_is_no_file(path):
    os.mkfifo(path / "pipe")
    os.mkfifo(path / "data" / "pipe.py")
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(path / "socket"))
    bound.close()


def all_readers(path):
    """The files that each reader of packages sees, and the links that it leaves out."""
    spec = resolve(str(path))
    contents, handin = files.contents(spec), handed_in(spec)
    assert files.bundle(spec) == contents.files
    return [(contents.files, contents.links), (handin.files, handin.links)]


def test_links_that_lead_out_of_the_package_are_read_by_nobody_and_named(tmp_path, secret):
    path = team(tmp_path)
    links = put_links(path, secret)
    for found, left_out in all_readers(path):
        assert set(found) == OWN and list(left_out) == links
        assert SECRET not in b"".join(found.values())


def test_a_link_to_a_file_of_the_package_is_that_file(tmp_path):
    path = team(tmp_path)
    (path / "again.npy").symlink_to(Path("data", "book.npy"))
    (path / "data" / "more.npy").symlink_to(path / "again.npy")
    for found, left_out in all_readers(path):
        assert found["team/again.npy"] == found["team/data/more.npy"] == found["team/data/book.npy"]
        assert not left_out


def test_links_in_circles_pipes_and_sockets_stop_nobody(tmp_path):
    path = team(tmp_path)
    put_circles(path)
    put_what_is_no_file(path)
    for found, left_out in all_readers(path):
        assert set(found) == OWN and len(left_out) == 3


def test_what_is_sent_to_another_machine_is_without_links_and_the_same_player_there(tmp_path, secret):
    path = team(tmp_path)
    spec = resolve(str(path))
    plain = files.digest(files.bundle(spec))
    put_links(path, secret)
    there = files.unpack(files.bundle(spec), spec, tmp_path / "far")
    assert files.digest(files.bundle(there)) == files.digest(files.bundle(spec)) == plain
    assert not any(
        one.is_symlink() or SECRET in one.read_bytes()
        for one in (tmp_path / "far").rglob("*")
        if not one.is_dir()
    )


def put_much(path):
    with (path / "data" / "sparse.npy").open("wb") as file:
        file.truncate(40 * 10**9)


def put_many_small(path):
    for number in range(9):
        (path / f"part{number}.npy").write_bytes(bytes(8 * 2**20))


def put_many(path):
    for number in range(package.FILES):
        (path / f"{number}").touch()


def put_deep(path):
    path.joinpath(*["deeper"] * (package.DEPTH + 1)).mkdir(parents=True)


TOO_MUCH = {
    put_much: "is larger than 64 MB",
    put_many_small: "is larger than 64 MB",
    put_many: "has more than 10000 files",
    put_deep: "has folders more than 32 deep",
}


@pytest.mark.parametrize("put", TOO_MUCH, ids=lambda put: put.__name__)
def test_more_than_a_package_is_refused_in_a_sentence_by_every_command(put, tmp_path, capsys):
    path = team(tmp_path)
    put(path)
    for words in (
        ["tournament", "kalaha", str(path), "random", "--pairs", "1"],
        ["check", "kalaha", str(path)],
        ["pack", "kalaha", str(path), str(tmp_path / "out.zip")],
    ):
        assert main(words) == 2, words
        said = capsys.readouterr().err
        assert TOO_MUCH[put] in said and said.count("\n") == 1 and "team" in said, said


def test_a_module_or_a_zip_that_is_too_large_is_refused_as_a_package_is(tmp_path, capsys):
    with (tmp_path / "solo.py").open("wb") as file:
        file.truncate(40 * 10**9)
    with zipfile.ZipFile(tmp_path / "team.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("team/__init__.py", KALAHA)
        packed.writestr("team/zeros", bytes(65 * 2**20))
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as packed:
        packed.writestr("team/__init__.py", KALAHA)
        for number in range(package.FILES):
            packed.writestr(f"team/{number}", b"")
    with zipfile.ZipFile(tmp_path / "deep.zip", "w") as packed:
        packed.writestr("team/__init__.py", KALAHA)
        packed.writestr("/".join(["team", *["deeper"] * (package.DEPTH + 1), "x"]), b"")
    for words, said in (
        (["play", "kalaha", str(tmp_path / "deep.zip"), "random"], "more than 32 folders deep"),
        (["play", "kalaha", str(tmp_path / "team.zip"), "random"], "team.zip is larger than 64 MB"),
        (["tournament", "kalaha", "random", str(tmp_path / "solo.py")], "solo.py is larger than 64 MB"),
        (["check", "kalaha", str(tmp_path / "solo.py")], "solo.py is larger than 64 MB"),
        (["check", "kalaha", str(tmp_path / "team.zip")], "team.zip is larger than 64 MB"),
        (["check", "kalaha", str(tmp_path / "many.zip")], "many.zip has more than 10000 files"),
    ):
        assert main(words) == 2, words
        assert said in capsys.readouterr().err


def test_a_file_that_is_none_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no regular file"):
        package.read(tmp_path / "pipe")
    with pytest.raises(UsageError, match="larger than 64 MB"):
        package.read(Path(sys.executable), most=100)


def test_a_hostile_package_plays_a_tournament_without_its_links(tmp_path, secret):
    path = team(tmp_path)
    put_links(path, secret)
    put_circles(path)
    put_what_is_no_file(path)
    words = ["tournament", "kalaha:2x2", str(path), "random", "--pairs", "1", "--json"]
    done = subprocess.run([sys.executable, "-m", "referee", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["pairs"] == 1


def test_a_zip_is_not_opened_that_is_too_large_or_whose_list_is_too_long(tmp_path, monkeypatch):
    (tmp_path / "long.zip").write_bytes(zips.ENTRY * (package.FILES + 1))
    with (tmp_path / "padded.zip").open("wb") as file:
        file.truncate(package.MEGABYTES * 2**20 + 1)
    monkeypatch.setattr(zips.zipfile, "ZipFile", lambda *what: pytest.fail("opened"))
    for name, said in {"long": "has more than 10000 files", "padded": "is larger than 64 MB"}.items():
        with pytest.raises(UsageError, match=said):
            resolve(str(tmp_path / f"{name}.zip"))
