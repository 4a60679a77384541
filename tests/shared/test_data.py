"""Every agent plays without its tables, where they are lost or cut short: from a folder and from a zip."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee import rules
from tests import ROOT

AGENTS = sorted(path.parent.parent.name for path in ROOT.glob("*_agent/shared/data.py"))
PROGRAM = """
import sys
from {agent} import Player
from {agent}.shared import data
Player({colour!r}, nodes=50).action()
print([data.array(name) for name in sys.argv[1:]])
"""


def cut(file):
    """Only the first half of the file."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


@pytest.mark.parametrize("spoil, zipped", [(cut, False), (Path.unlink, True)], ids=["cut", "lost"])
@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_plays_without_its_tables(agent, spoil, zipped, tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "train")
    package = shutil.copytree(ROOT / agent, tmp_path / "files" / agent, ignore=ignored)
    files = sorted((package / "data").glob("*.npy"))
    assert files
    for file in files:
        spoil(file)
    path = shutil.make_archive(str(tmp_path / "all"), "zip", package.parent) if zipped else package.parent
    program = PROGRAM.format(agent=agent, colour=rules.start(agent.removesuffix("_agent")).COLOURS[0])
    done = subprocess.run(
        [sys.executable, "-c", program, *[file.name for file in files]],
        cwd=tmp_path,
        env={"PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
    )
    assert (done.stderr, done.stdout) == ("", f"{[None] * len(files)}\n")
