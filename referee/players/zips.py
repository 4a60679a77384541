"""Reads zips that others made: looked at before anything is unpacked, and then below one folder only."""

import io
import os
import re
import stat
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee import UsageError
from referee.players import package

INIT = re.compile(r"(^|/)__init__\.py$")
ENTRY = b"PK\1\2"  # begins each entry of a zip's list, which Python's reader takes in whole


def is_named(path: str) -> bool:
    """Whether a file is a zip by its name, which some systems write in capitals."""
    return path.lower().endswith(".zip")


def package_in(path: str) -> str:
    """The name of the one package in a zip; UsageError where it holds none, several, or what is not safe."""
    packages = [name.rpartition("/")[0] for name in _files(path, _opened(path)) if INIT.search(name)]
    found = {name for name in packages if "/" not in name}
    if found == {""}:
        raise UsageError(f"file {path!r} holds a package's files without their folder: zip the folder")
    if not found and packages:
        inner = min(packages, key=lambda name: name.count("/"))
        raise UsageError(f"file {path!r} holds its package {inner!r} in another folder: zip {inner!r} itself")
    if len(found) != 1:
        what = f"the packages {', '.join(sorted(found))}" if found else "no package"
        raise UsageError(f"file {path!r} holds {what}; it should hold one package, with an __init__.py")
    (name,) = found
    if "." in name:
        raise UsageError(f"file {path!r} cannot be imported: rename {name!r} in it, it has a dot")
    return name


def read(path: str) -> Iterator[tuple[str, bytes]]:
    """The files in a zip, by their path in it, one after the other; UsageError where that is not safe."""
    archive = _opened(path)
    try:
        for name, entry in _files(path, archive).items():
            yield name, archive.read(entry)
    except UsageError:
        raise
    except Exception as error:  # damaged, locked by a password, or packed in a way that is not known here
        raise UsageError(f"file {path!r} cannot be unpacked: {error}") from None


def write(files: Iterable[tuple[str, bytes]], folder: str | Path, whose: str) -> None:
    """Write files below a folder; UsageError where the system has no room for one of that name."""
    for name, content in files:
        place = Path(folder, name)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        except OSError as error:
            why = f"cannot be unpacked: {name[-100:]!r}: {error.strerror}; rename that file"
            raise UsageError(f"{whose} {why}") from None


def _opened(path: str) -> zipfile.ZipFile:
    """The zip, in memory; UsageError where it is none, or larger than that of a package can be."""
    try:
        whole = package.read(Path(path))
        if whole.count(ENTRY) > package.FILES:
            raise package.too_many(Path(path))
        return zipfile.ZipFile(io.BytesIO(whole))
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"file {path!r} cannot be read as a zip: {error}") from None


def _files(path: str, archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files in it, in order; folders come with them."""
    entries = archive.infolist()
    if len(entries) > package.FILES:
        raise package.too_many(Path(path))
    if sum(entry.file_size for entry in entries) > package.MEGABYTES * 2**20:
        raise package.too_large(Path(path))
    files: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        if why := _why_not(entry):
            raise UsageError(f"file {path!r} holds {entry.filename[-100:]!r}, which {why}")
        if not entry.is_dir():
            files[entry.filename] = entry  # of two the last, as unzip does
    return files


def _why_not(entry: zipfile.ZipInfo) -> str:
    """Why an entry is not written, and what to do; "" if it can be."""
    name, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
    steps = name.rstrip("/").split("/")
    if name.startswith("/") or ".." in steps or re.match(r"[A-Za-z]:", name):
        return "leads out of the package; leave it out"
    if kind == stat.S_IFLNK:
        return "is a link, which leads out of the package; put what it leads to in its place"
    if kind and kind not in (stat.S_IFREG, stat.S_IFDIR):
        return "is a device or the like, which leads out of the package; leave it out"
    if len(steps) > package.DEPTH + 2:  # the package itself, and the file
        return f"is more than {package.DEPTH} folders deep; leave it out"
    if "\\" in name:
        return "is no path with plain slashes, as of an old Windows program; zip the folder with another"
    if not all(steps) or "." in steps:
        return "is no path with plain slashes; leave it out"
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return "has a name that no file can have; rename it"
    return ""
