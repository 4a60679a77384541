"""Folders that players have spoiled are removed whole, and nothing that they point to."""

import os
import subprocess
import sys

import pytest

from referee.players import removing
from tests import ROOT

# What each does to the folder it is in, which is removed after it.
SPOILED = {
    "a folder without rights": "os.makedirs('a/b'); os.chmod('a', 0)",
    "the folder itself without rights": "os.makedirs('a/b'); os.chmod('.', 0)",
    "folders deeper than a path is long": "[(os.mkdir('x'), os.chdir('x')) for _ in range(3000)]",
    "rights lost in the deep": "os.makedirs('a/b/c'); open('a/b/file', 'w').close(); os.chmod('a/b', 0o100)",
    "a file without rights": "open('file', 'w').close(); os.chmod('file', 0)",
    "names that are odd": "os.mkdir(b'\\xff\\n'); os.mkdir(b'\\xff\\n/-rf'); open(' ', 'w').close()",
    "links": "os.symlink('..', 'up'); os.symlink('no', 'gone'); os.mkdir('a'); os.symlink('../..', 'a/on')",
}


@pytest.mark.skipif(not removing.BY_FOLDER, reason="this system opens no folders: shutil.rmtree removes them")
@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_a_spoiled_folder_is_removed_by_who_has_no_special_rights(spoil, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "kept").write_text("kept")
    own.chmod(0o777)  # for whoever the root becomes
    lines = [
        "import os, sys",
        "from referee.players.removing import remove",
        f"os.chdir({str(own)!r})",
        "if not os.getuid():",
        "    os.setgroups([]), os.setgid(65534), os.setuid(65534)",
        "os.mkdir('spoiled')",
        "here = os.open('.', os.O_RDONLY)",
        "os.chdir('spoiled')",
        spoil,
        "os.chdir(here)",
        "remove('spoiled')",
    ]
    run = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=ROOT, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert os.listdir(own) == ["kept"] and (own / "kept").read_text() == "kept"
    assert own.stat().st_mode & 0o777 == 0o777


def test_what_is_not_there_or_is_a_link_is_left(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "kept").write_text("")
    (tmp_path / "link").symlink_to("other")
    for name in ("link", "gone"):
        removing.remove(str(tmp_path / name))
    removing.remove("")
    assert os.listdir(tmp_path / "other") == ["kept"]
