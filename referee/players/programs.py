"""Players that are programs, of any language: the words of `exec:./my_engine --depth 5`, and its files.

A program is looked for as a shell would look for it.  Its files are those that its words name, alone or
between `:` and `=`, unless they belong to the system: they are what it may read where it is confined, and
what a tournament remembers a hash of.  PROTOCOL.md says how it is spoken to.
"""

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from referee import UsageError

PREFIX = "exec:"
# Where a system keeps programs, their libraries and what these read when they start.
SYSTEM = (
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/usr/share",
    "/usr/local/share",
    "/etc/alternatives",
    "/etc/ssl/openssl.cnf",
    *sorted(map(str, Path("/etc").glob("java*"))),
)
SYSTEMS_OWN = ("/bin", "/sbin", "/lib", "/lib64", "/usr", "/etc", "/proc", "/dev", "/sys")
RUNTIME = ("bin", "lib", "lib64", "libexec", "share", "conf", "pyvenv.cfg", "release")


def words_of(text: str) -> tuple[str, ...]:
    """The program and its arguments; UsageError in one sentence where there is none that could be started."""
    try:
        words = tuple(shlex.split(text.removeprefix(PREFIX)))
    except ValueError as error:
        raise UsageError(f"player {_short(text)}: {str(error).lower()}; quote it as in a shell") from None
    if not words:
        raise UsageError(f"player {_short(text)} names no program: write exec:./my_engine --depth 5")
    for number in range(len(words), 1, -1):  # a path with blanks that nobody quoted
        path = " ".join(words[:number])
        if os.path.isfile(path) and not shutil.which(words[0]):
            raise UsageError(f"player {_short(text)}: quote what has blanks: {PREFIX}{shlex.quote(path)}")
    program_file(words[0], os.getcwd())
    return words


def program_file(program: str, folder: str) -> str:
    """The absolute path of the file that is started, where the words are meant in that folder."""
    is_path = os.sep in program
    path = os.path.join(folder, program)
    found = shutil.which(path if is_path else program)
    if found:
        return os.path.abspath(found)
    if os.path.isdir(path):
        raise UsageError(f"{_short(program)} is a folder, not a program; name the program in it")
    if is_path and os.path.exists(path):
        raise UsageError(f"{_short(program)} is not executable; run: chmod +x {shlex.quote(program)}")
    if os.path.isfile(path):
        raise UsageError(f"no program {_short(program)} is on the PATH; for the file here write ./{program}")
    where = "there is no file" if is_path else "there is no program on the PATH called"
    raise UsageError(f"{where} {_short(program)}")


def own_places(words: Sequence[str], folder: str) -> list[str]:
    """The folders that it may read and run, being its own: those of the files that the words name."""
    return [place if os.path.isdir(place) else os.path.dirname(place) for place in named(words, folder)]


def named(words: Sequence[str], folder: str) -> list[str]:
    """The files and folders that the words name, as absolute paths; not the system's."""
    found = dict.fromkeys(_named(words, folder))
    return [path for path in found if not _is_systems(path)]


def runtime(words: Sequence[str], folder: str) -> list[str]:
    """What the program needs of the system: where programs are, and what came with a runtime like Java's."""
    started = program_file(words[0], folder)
    places = list(SYSTEM)
    for file in dict.fromkeys((started, os.path.realpath(started))):
        home = Path(file).parent
        if home.name == "bin":
            places += [str(home.parent / name) for name in RUNTIME]
    return places


def _named(words: Sequence[str], folder: str) -> Iterator[str]:
    if os.sep in words[0]:  # else it was found on the PATH: a runtime
        yield os.path.realpath(os.path.join(folder, words[0]))
    for word in words[1:]:
        for part in word.replace("=", os.pathsep).split(os.pathsep):
            path = os.path.join(folder, part)
            if part and os.path.exists(path):
                yield os.path.realpath(path)


def _is_systems(path: str) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in SYSTEMS_OWN)


def _short(text: str) -> str:
    return repr(text if len(text) <= 100 else f"{text[:100]}...")
