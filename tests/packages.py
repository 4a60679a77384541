"""Copies of the agents' packages from which something is missing."""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def without_data(name: str, folder: Path, zipped: bool) -> Path:
    """A folder, or a zip, with a package that has neither training nor the files of data/."""
    ignored = shutil.ignore_patterns("*.npy", "__pycache__", "train")
    shutil.copytree(ROOT / name, folder / "files" / name, ignore=ignored)
    if not zipped:
        return folder / "files"
    return Path(shutil.make_archive(str(folder / "all"), "zip", folder / "files"))
