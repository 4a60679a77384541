"""What of an agent is handed in, and the zip that holds it: the same files give the same bytes."""

import io
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from referee import UsageError, package
from referee.files import BASELINE
from referee.players import Spec

# What makes or tests an agent, and what tools leave behind, is not part of it.  A README is.
LEFT_OUT = re.compile(
    r"train|tests?|yardstick\.py|test_.*\.py|.*_test\.py|conftest\.py|__pycache__|__MACOSX|.*\.py[co]|.*~|\..*"
)
EARLIEST = (1980, 1, 1, 0, 0, 0)  # that a zip can tell: no file's own time goes in
READABLE = (stat.S_IFREG | 0o644) << 16


@dataclass(frozen=True)
class HandIn:
    """The files by their path from the package's folder on, and links that lead out of it."""

    files: dict[str, bytes]  # `team/__init__.py`: sorted
    links: tuple[str, ...] = ()  # left out: what they lead to is not the package's
    strangers: tuple[str, ...] = ()  # in a zip: what lies beside the package

    @property
    def name(self) -> str:
        """The package's."""
        return next(iter(self.files)).partition("/")[0]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(map(len, self.files.values()))

    def renamed(self, name: str) -> "HandIn":
        """The same package under another name."""
        files = {name + path[len(self.name) :]: content for path, content in self.files.items()}
        return HandIn(files, self.links, self.strangers)


def handed_in(spec: Spec) -> HandIn:
    """What is handed in of a player: its outermost package; a single file becomes one."""
    if spec.module == BASELINE:
        raise UsageError(f"{spec.name!r} is the referee's own player, which nobody hands in; name yours")
    if spec.arguments:
        given = ", ".join(name for name, _ in spec.arguments)
        raise UsageError(f"a course gives a player its colour and nothing else: leave out {given}")
    top = spec.module.partition(".")[0]
    try:
        if os.path.isfile(spec.folder):
            return _of_zip(spec.folder, top)
        folder = Path(spec.folder, top)
        if folder.is_dir():
            return _of_folder(folder)
        _refuse_no_text(top)
        return HandIn({f"{top}/__init__.py": package.read(Path(spec.folder, f"{top}.py"))})
    except OSError as error:
        raise UsageError(f"player {spec.name!r}: cannot read {error.filename}: {error.strerror}") from None
    except (zipfile.BadZipFile, RuntimeError) as error:  # damaged, or locked by a password
        raise UsageError(f"player {spec.name!r}: cannot unpack it: {error}") from None


def _of_folder(top: Path) -> HandIn:
    found = package.contents(top, lambda name: bool(LEFT_OUT.fullmatch(name)))
    for name in found.files:
        _refuse_no_text(name)
    return HandIn(found.files, found.links)


def _of_zip(path: str, top: str) -> HandIn:
    files, strangers = {}, set()
    with zipfile.ZipFile(path) as archived:
        if len(archived.infolist()) > package.FILES:
            raise package.too_many(Path(path))
        if sum(entry.file_size for entry in archived.infolist()) > package.MEGABYTES * 2**20:
            raise package.too_large(Path(path))
        for entry in archived.infolist():
            parts = PurePosixPath(entry.filename).parts
            if parts[:1] != (top,):
                if parts and not parts[0].startswith((".", "__MACOSX")):
                    strangers.add(parts[0])
            elif ".." in parts or stat.S_ISLNK(entry.external_attr >> 16):
                raise UsageError(
                    f"{path} holds {entry.filename!r}, which leads out of the package; leave it out"
                )
            elif not entry.is_dir() and not any(LEFT_OUT.fullmatch(part) for part in parts[1:]):
                files[entry.filename] = archived.read(entry)
    return HandIn(dict(sorted(files.items())), strangers=tuple(sorted(strangers)))


def _refuse_no_text(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise UsageError(f"no zip can hold {name!r}, a name that is not UTF-8; rename it") from None


def archive(files: dict[str, bytes]) -> bytes:
    """The zip of these files."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.create_system, entry.external_attr = 3, READABLE  # as made on Unix, wherever it was made
            zipped.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return whole.getvalue()


def lay_out(handin: HandIn, folder: Path) -> None:
    """Write the files below a folder."""
    for name, content in handin.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
