"""Which files of an agent are handed in, and the zip that holds them: same files, same bytes."""

import io
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path

from referee import UsageError
from referee.players import files, package, zips
from referee.players.names import BASELINE, Spec

# What makes or tests an agent, and what tools leave behind, is not part of it.  A README is.
LEFT_OUT = re.compile(
    r"train|tests?|yardstick\.py|EXPERIMENTS\.md|test_.*\.py|.*_test\.py|conftest\.py"
    r"|__pycache__|__MACOSX|.*\.py[co]|.*~|\..*"
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
    if spec.program:
        raise UsageError(f"{spec.name} is a program; check and pack are for packages in Python")
    if spec.arguments:
        given = ", ".join(name for name, _ in spec.arguments)
        raise UsageError(f"a course gives a player its colour and nothing else: leave out {given}")
    try:
        if os.path.isfile(spec.folder):
            return _of_zip(spec.folder, spec.module.partition(".")[0])
        top = files.top(spec)
        if top.is_dir():
            return _of_folder(top)
        _refuse_no_text(top.stem)
        return HandIn({f"{top.stem}/__init__.py": package.read(top)})
    except OSError as error:
        raise UsageError(f"player {spec.name!r}: cannot read {error.filename}: {error.strerror}") from None


def _of_folder(top: Path) -> HandIn:
    found = package.contents(top, lambda name: bool(LEFT_OUT.fullmatch(name)))
    for name in found.files:
        _refuse_no_text(name)
    if f"{top.name}/__init__.py" in found.links:
        raise UsageError(f"{top / '__init__.py'} is a link that leads out of the package; put a copy there")
    return HandIn(found.files, found.links)


def _of_zip(path: str, top: str) -> HandIn:
    files, strangers = {}, set()
    for name, content in zips.read(path):
        first, *below = name.split("/")
        if first == top and not any(map(LEFT_OUT.fullmatch, below)):
            files[name] = content
        elif first != top and not first.startswith((".", "__MACOSX")):
            strangers.add(first)
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
    zips.write(handin.files.items(), folder, f"package {handin.name!r}")
