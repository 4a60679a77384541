"""The files of a player: which they are, their hash, and how they travel to another machine.

A player's files are its outermost package's, or its one module's, or its zip; what else it imports it
must find where it plays.  Of the referee's own players only baseline.py counts: a far referee has it.
A program's are those that its words name; they do not travel, and must be the same where it plays.
"""

import hashlib
import os
import re
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from referee import UsageError
from referee.players import package, programs, zips
from referee.players.names import BASELINE, ROOT, Spec
from referee.players.package import Contents
from referee.players.removing import remove

MADE_BY_PYTHON = "__pycache__"
UNPACKED = "referee-player-"  # begins the name of a folder into which a zip is unpacked

Bundle = dict[str, bytes]  # by path below the player's folder, with slashes


def contents(spec: Spec) -> Contents:
    """The player's files, read; of a zip the path is its name.  UsageError where they are not to be had."""
    folder = Path(spec.folder)
    try:
        if spec.program:
            return _of_program(spec)
        if spec.module == BASELINE:
            return _of_file(ROOT / "referee" / "players" / "baseline.py", "referee/players/baseline.py")
        if folder.is_file():
            return _of_file(folder, folder.name)
        own = top(spec)
        if not own.is_dir():
            return _of_file(own, own.relative_to(folder).as_posix())
        found = package.contents(own, leaves_out)
    except OSError as error:
        raise UsageError(f"player {spec.name!r}: cannot read {error.filename}: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"player {spec.name!r}: {error}") from None
    above = own.parent.relative_to(folder)
    return replace(found, files={(above / name).as_posix(): content for name, content in found.files.items()})


def leaves_out(name: str) -> bool:
    """Whether a file or folder of that name is left out: what Python made, and what is hidden."""
    return name == MADE_BY_PYTHON or name.startswith(".")


def _of_program(spec: Spec) -> Contents:
    found = Contents({})
    for path in map(Path, programs.named(spec.program, spec.folder)):
        more = package.contents(path, leaves_out) if path.is_dir() else _of_file(path, path.name)
        above = os.path.relpath(path.parent, spec.folder)
        files = {f"{above}/{name}": content for name, content in more.files.items()}
        found = Contents({**found.files, **files}, (*found.links, *more.links))
    return found


def _of_file(path: Path, name: str) -> Contents:
    return Contents({name: package.read(path)})


def top(spec: Spec) -> Path:
    """The player's outermost package, or its one module; a folder without __init__.py is no package."""
    path = Path(spec.folder)
    for name in spec.module.split("."):
        path /= name
        if (path / "__init__.py").is_file():
            return path
    return path.with_name(f"{path.name}.py")


def bundle(spec: Spec) -> Bundle:
    """The player's files, read."""
    return contents(spec).files


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
    if spec.program:
        if not os.path.isdir(spec.folder) or digest(bundle(spec)) != digest(files):
            raise UsageError(
                f"player {spec.name!r}: a program does not travel to other machines; put the same files into "
                f"{spec.folder} on each, or leave --workers out"
            )
        return spec
    if not folder.exists():
        # Written aside and moved, so that the folder is whole when there is one.
        aside = folder.with_name(f"{folder.name}.{os.getpid()}")
        zips.write(files.items(), aside, f"player {spec.name!r}")
        aside.rename(folder)
    is_zip = len(files) == 1 and zips.is_named(next(iter(files)))
    return replace(spec, folder=str(folder / next(iter(files))) if is_zip else str(folder))


def without_folder(text: str) -> str:
    """A line of a traceback without the temporary folder into which a zip was unpacked."""
    return re.sub(rf"\S*/{UNPACKED}[^/\s]+/", "", text)


def laid_out(spec: Spec) -> tuple[str, str]:
    """The folder to import a player from; and again, where it was made for a zip and is to go, else ""."""
    if not os.path.isfile(spec.folder):
        return spec.folder, ""
    folder = os.path.realpath(tempfile.mkdtemp(prefix=UNPACKED))
    try:
        zips.write(zips.read(spec.folder), folder, f"player {spec.name!r}")
    except BaseException:
        remove(folder)
        raise
    return folder, folder


@cache
def of_referee() -> str:
    """A hash of the referee's own code: both ends of a cluster should play by the same rules."""
    folder = ROOT / "referee"
    return digest({path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")})
