"""The README's words hold: its player plays, and its commands have the options that it types."""

import re
import shlex
import subprocess
import sys

import pytest

from referee import commands
from tests import ROOT
from tests.support.typed import typed

README = (ROOT / "README.md").read_text(encoding="utf-8")
REFEREE = [sys.executable, "-m", "referee"]
BLOCKS = re.findall(r"^```\w*\n(.*?)^```", README, re.M | re.S)[2:]  # without those that make the environment
TYPED = [line for block in BLOCKS for line in block.splitlines() if line.startswith("referee ")]


def test_the_player_that_the_readme_shows_plays_to_the_end_in_both_seats(tmp_path):
    (code,) = re.findall(r"^```python\n(.*?)^```", README, re.M | re.S)
    (tmp_path / "my_team").mkdir()
    (tmp_path / "my_team" / "__init__.py").write_text(code)
    words = ["play", "kalaha", str(tmp_path / "my_team"), "random", "--games", "10", "--json"]
    played = subprocess.run([*REFEREE, *words], cwd=ROOT, capture_output=True, text=True)
    assert played.returncode == 0, played.stdout + played.stderr
    assert played.stdout.count('"ending": "finished"') == 10


@pytest.mark.parametrize("line", TYPED)
def test_every_option_that_the_readme_types_is_one_of_its_command(line):
    command, *words = shlex.split(line, comments=False)[1:]
    code, shown, complaints = typed(command, "--help-all")
    assert code == 0, complaints
    for option in (word for word in words if re.fullmatch("--[a-z][a-z-]*", word)):
        assert re.search(rf"{option}\b", shown), f"{option}: not of `referee {command}`"


@pytest.mark.parametrize("command", commands.available())
def test_every_command_is_in_the_readme(command):
    assert re.search(rf"(referee |or: |`){command}\b", README)


def test_files_and_pages_that_the_readme_names_are_there():
    linked = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README)
    named = re.findall(r"`((?:referee|shared|tests|kalaha_agent)/[a-z_/]+\.(?:py|md|js))`", README)
    missing = [name for name in [*linked, *named] if not (ROOT / name).exists()]
    assert linked and named and not missing
