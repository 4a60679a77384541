"""The files of a package as they are on the disk: the one list that is hashed, sent, checked and packed.

A package may be anybody's, and its folder may hold anything.  Only regular files count.  A link to a file
within the package counts as that file; a link that leads out of it, or to a folder, is left out and named:
what lies elsewhere is not the package's, and folders may lead in circles.  Devices, pipes and sockets, on
which reading may never end, are left out.  UsageError, in one sentence, for what is larger than a package is.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee import UsageError

MEGABYTES = 64  # of all files together
FILES = 10_000  # of files, folders and links together
DEPTH = 32  # of folders within folders


@dataclass(frozen=True)
class Contents:
    """What is in a package."""

    files: dict[str, bytes]  # sorted, by path with slashes, the package's own name first
    links: tuple[str, ...] = ()  # left out: they lead out of the package, or to a folder


def contents(top: Path, leaves_out: Callable[[str], bool]) -> Contents:
    """What is in the package's folder but names that are left out; OSError where it cannot be read."""
    inside = os.path.realpath(top) + os.sep
    files, links, room = {}, [], MEGABYTES * 2**20
    for entry in _entries(top, leaves_out):
        path = Path(entry.path)
        name = path.relative_to(top.parent).as_posix()
        target = Path(os.path.realpath(path)) if entry.is_symlink() else path
        if entry.is_symlink() and not (str(target).startswith(inside) and os.path.isfile(target)):
            links.append(name)
        elif target.is_file():
            files[name] = read(target, room, top)
            room -= len(files[name])
    return Contents(dict(sorted(files.items())), tuple(sorted(links)))


def read(path: Path, most: int = MEGABYTES * 2**20, package: Path | None = None) -> bytes:
    """A regular file's bytes; UsageError where there are more, OSError where it is none.

    A pipe is not waited for, and a file that grows or is cut meanwhile is read as far as it goes.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(None, "it is no regular file", str(path))
        if os.fstat(descriptor).st_size > most or len(found := file.read(most + 1)) > most:
            raise too_large(package or path)
    return found


def too_large(package: Path) -> UsageError:
    """What is said of a package or a file that is larger than a package may be."""
    return UsageError(f"{package} is larger than {MEGABYTES} MB; is it the folder of one package?")


def too_many(package: Path) -> UsageError:
    """What is said of a package that has more files than a package may have."""
    return UsageError(f"{package} has more than {FILES} files; is it the folder of one package?")


def _entries(top: Path, leaves_out: Callable[[str], bool]) -> Iterator[os.DirEntry[str]]:
    """All that is below the folder, but for folders themselves; links are not followed."""
    found = 0
    waiting = [(os.fspath(top), 0)]
    while waiting:
        folder, depth = waiting.pop()
        if depth > DEPTH:
            raise UsageError(f"{top} has folders more than {DEPTH} deep; is it the folder of one package?")
        with os.scandir(folder) as entries:
            for entry in entries:
                found += 1
                if found > FILES:
                    raise too_many(top)
                if leaves_out(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, depth + 1))
                else:
                    yield entry


def modules(folder: Path) -> list[Path]:
    """The files of Python below the folder, in order of their paths."""
    return sorted(path for path in below(folder) if path.suffix == ".py")


def below(top: Path) -> Iterator[Path]:
    """All that is below the folder and can be read, folders too, but none deeper than a package may have.

    Others may make and remove files there meanwhile; links are not followed.
    """
    waiting = [(os.fspath(top), 0)]
    while waiting:
        folder, depth = waiting.pop()
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                yield Path(entry.path)
                if depth < DEPTH and entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, depth + 1))
