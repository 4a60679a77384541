"""Copies of the agents' packages from which something is missing, and the command as pip installs it."""

import sys
import tomllib
from pathlib import Path

from tests import ROOT


def console_script(folder: Path, python: str = sys.executable) -> Path:
    """The command `referee` as pip writes it, for an interpreter that has this project on its path."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    module, _, function = settings["project"]["scripts"]["referee"].partition(":")
    places = [str(ROOT / place) for place in settings["tool"]["setuptools"]["packages"]["find"]["where"]]
    path = folder / "referee"
    path.write_text(
        f"#!{python}\nimport sys\nsys.path.extend({places!r})\nfrom {module} import {function}\n"
        f"if __name__ == '__main__':\n    sys.exit({function}())\n"
    )
    path.chmod(0o755)
    return path


def player_file(folder: Path, body: str) -> str:
    """The path of a player in a file of its own, whose `action` does that."""
    path = folder / "player.py"
    path.write_text(
        "class Player:\n    def __init__(self, colour): pass\n"
        f"    def action(self):\n        {body}\n    def update(self, *news): pass\n"
    )
    return str(path)
