"""What is handed in of an agent, and that its zip depends on nothing else."""

import os
import zipfile

from referee.handin import archive, handed_in
from referee.players import resolve


def package(folder):
    team = folder / "team"
    for name in ("__init__.py", "board.py", "data/table.npy", "yardstick.py", "train/fit.py",
                 "tests/test_board.py", "test_board.py", "__pycache__/board.pyc", ".git/config"):  # fmt: skip
        path = team / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    return team


def test_training_yardstick_tests_and_caches_are_not_handed_in(tmp_path):
    files = handed_in(resolve(str(package(tmp_path))))
    assert list(files) == ["team/__init__.py", "team/board.py", "team/data/table.npy"]


def test_same_files_give_the_same_bytes_whatever_their_times(tmp_path):
    team = package(tmp_path)
    first = archive(handed_in(resolve(str(team))))
    for path in team.rglob("*.py"):
        os.utime(path, (1e9, 1e9))
    assert archive(handed_in(resolve(str(team)))) == first


def test_zip_is_handed_in_again_as_it_was(tmp_path):
    packed = archive(handed_in(resolve(str(package(tmp_path)))))
    (tmp_path / "team.zip").write_bytes(packed)
    assert zipfile.ZipFile(tmp_path / "team.zip").testzip() is None
    assert archive(handed_in(resolve(str(tmp_path / "team.zip")))) == packed
