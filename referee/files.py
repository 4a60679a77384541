"""The files of a player: which they are, a hash of them, and how they travel to another machine.

A player's files are its outermost package's, or its one module's, or its zip; what else it imports it
must find where it plays.  Of the referee's own players only baseline.py counts: a far referee has it.
"""

import hashlib
import os
from dataclasses import replace
from functools import cache
from pathlib import Path

from referee import UsageError
from referee.players import ROOT, Spec

BASELINE = "referee.baseline"
MADE_BY_PYTHON = "__pycache__"

Bundle = dict[str, bytes]  # by path below the player's folder, with slashes


def paths(spec: Spec) -> dict[str, Path]:
    """The player's files, by their path below its folder; of a zip the path is its name."""
    folder = Path(spec.folder)
    if spec.module == BASELINE:
        return {"referee/baseline.py": ROOT / "referee" / "baseline.py"}
    if folder.is_file():
        return {folder.name: folder}
    top = folder / spec.module.partition(".")[0]
    if not top.is_dir():
        return {f"{top.name}.py": top.with_name(f"{top.name}.py")}
    found = {}
    for place, folders, names in os.walk(top, followlinks=True):
        folders[:] = sorted(name for name in folders if name != MADE_BY_PYTHON)
        for name in names:
            path = Path(place, name)
            found[path.relative_to(folder).as_posix()] = path
    return found


def bundle(spec: Spec) -> Bundle:
    """The player's files, read."""
    try:
        return {name: path.read_bytes() for name, path in sorted(paths(spec).items())}
    except OSError as error:
        raise UsageError(f"player {spec.name!r}: cannot read {error.filename}: {error.strerror}") from None


def digest(files: Bundle) -> str:
    """A hash of names and contents."""
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        whole.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\n".encode(errors="surrogatepass"))
    return whole.hexdigest()


def unpack(files: Bundle, spec: Spec, folder: Path) -> Spec:
    """Write the files below the folder, unless that is done; the player that is to be imported from there."""
    if spec.module == BASELINE:
        return replace(spec, folder=str(ROOT))
    if not folder.exists():
        # Written aside and moved, so that the folder is whole when there is one.
        aside = folder.with_name(f"{folder.name}.{os.getpid()}")
        for name, content in files.items():
            path = aside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        aside.rename(folder)
    is_zip = len(files) == 1 and next(iter(files)).endswith(".zip")
    return replace(spec, folder=str(folder / next(iter(files))) if is_zip else str(folder))


@cache
def of_referee() -> str:
    """A hash of the referee's own code: both ends of a cluster should play by the same rules."""
    folder = ROOT / "referee"
    return digest({path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")})
