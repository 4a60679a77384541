"""What a player is called on the command line, and what that names; nothing is imported here.

    kalaha_agent                     an importable package or module: from here, then from sys.path
    ./team  team/  dir/team  solo.py a folder or a file; in a package its name has the package's before it
    team.zip                         a package as it is handed in
    team:Careful                     the class, where it is neither Player nor ExamplePlayer
    team:Careful,depth=4,book=None   more arguments of its constructor: Python literals, else strings
    random  greedy                   the referee's own players
    human                            a person, in `play`
"""

import ast
import os
import re
import sys
import zipfile
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.machinery import ModuleSpec, PathFinder
from keyword import iskeyword
from pathlib import Path
from typing import Any

from referee import UsageError

ROOT = Path(__file__).resolve().parent.parent
BASELINE = {"random": "Random", "greedy": "Greedy"}
HUMAN = "human"
NEXT_ARGUMENT = re.compile(r",(?=\s*\w+\s*=)")  # a comma may also be part of a value


@dataclass(frozen=True)
class Spec:
    """Who plays, in plain data that can be written down and sent elsewhere."""

    name: str  # as typed
    module: str  # what to import
    folder: str  # from where: the absolute path that comes first on the player's sys.path
    cls: str | None  # None: Player, else ExamplePlayer
    arguments: tuple[tuple[str, Any], ...] = ()  # of the constructor, besides


def resolve(text: str, person: bool = False) -> Spec:
    """What the text names; UsageError in one sentence if that is nothing a player could be.

    Only with `person` may it be a human: whoever calls then has a seat for one.
    """
    head, *arguments = [text] if _is_there(text) else NEXT_ARGUMENT.split(text)
    name, cls = _split_class(head)
    found = tuple(_argument(one, text) for one in arguments)
    if len({key for key, _ in found}) < len(found):
        raise UsageError(f"player {_short(text)} sets the same argument twice")
    if name in BASELINE and cls in (None, BASELINE[name]):
        return Spec(text, "referee.baseline", str(ROOT), BASELINE[name], found)
    if name == HUMAN and (cls or found):
        raise UsageError(f"a human takes no class and no arguments: write {HUMAN!r}, not {_short(text)}")
    if name == HUMAN and not person:
        raise UsageError("a human plays in `play` alone, where somebody waits; name an agent here")
    if name == HUMAN:
        return Spec(text, HUMAN, str(ROOT), None)
    folder, module = _locate(name)
    return Spec(text, module, folder, cls, found)


def _split_class(head: str) -> tuple[str, str | None]:
    name, colon, cls = head.rpartition(":")
    if not colon or _is_there(head):
        return head, None
    if cls.isidentifier() and name:
        return name, cls
    raise UsageError(f"player {_short(head)} should be written package:Class, with the name of a class")


def _argument(text: str, player: str) -> tuple[str, Any]:
    name, _, value = (part.strip() for part in text.partition("="))
    if not name.isidentifier() or iskeyword(name):
        raise UsageError(f"player {_short(player)}: no argument is called {_short(name)}; write name=value")
    try:
        literal = ast.literal_eval(value)
        ast.literal_eval(repr(literal))  # it goes to the player in this form; 1e999 cannot
        return name, literal
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return name, value


def _locate(name: str) -> tuple[str, str]:
    """The folder and the module of a path, or else of a name."""
    try:
        os.getcwd()
    except OSError:
        raise UsageError("the current directory does not exist any more; change to another one") from None
    if not name:
        raise UsageError("a player's name is empty; name a package, a folder or a file")
    if os.path.isdir(name):
        return _located_folder(name)
    if os.path.isfile(name):
        return _located_file(name)
    if os.path.isfile(name + ".py"):
        return _located_file(name + ".py")
    if os.sep not in name and not name.startswith(".") and not name.endswith((".py", ".zip")):
        return _located_name(name)
    raise UsageError(f"there is no file or folder {_short(name)}{_nearest(name)}")


def _located_folder(path: str) -> tuple[str, str]:
    if not os.path.isfile(os.path.join(path, "__init__.py")):
        inside = sorted(entry for entry in os.listdir(path) if entry.endswith(".py"))
        hint = f"; or name one of its files, such as {os.path.join(path, inside[0])}" if inside else ""
        raise UsageError(f"folder {_short(path)} has no __init__.py, so it is not a package; add one{hint}")
    return _top(os.path.abspath(path))


def _located_file(path: str) -> tuple[str, str]:
    stem, extension = os.path.splitext(os.path.abspath(path))
    if extension == ".zip":
        return _located_zip(path)
    if extension != ".py":
        raise UsageError(f"file {_short(path)} is not Python: its name should end in .py")
    if os.path.basename(stem) == "__init__":
        return _top(os.path.dirname(stem))
    return _top(stem)


def _located_zip(path: str) -> tuple[str, str]:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"file {_short(path)} cannot be read as a zip: {error}") from None
    packages = sorted(entry.split("/")[0] for entry in entries if re.fullmatch(r"[^/]+/__init__\.py", entry))
    if len(packages) != 1:
        what = f"the packages {', '.join(packages)}" if packages else "no package"
        raise UsageError(f"file {_short(path)} holds {what}; it should hold one package, with an __init__.py")
    return os.path.abspath(path), packages[0]


def _top(path: str) -> tuple[str, str]:
    """A module's path, without extension, as the folder above its outermost package and its dotted name."""
    folder, name = os.path.split(path)
    names = [name]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        names.insert(0, name)
    for name in names:
        if "." in name or not name:
            raise UsageError(f"{_short(path)} cannot be imported: rename {_short(name)}, it has a dot")
    return folder, ".".join(names)


def _located_name(name: str) -> tuple[str, str]:
    """Find a module step by step, since the usual way imports the packages above it."""
    folders = [os.getcwd(), *(os.path.abspath(entry) for entry in sys.path)]
    top, *below = name.split(".")
    for folder in folders:
        spec = PathFinder.find_spec(top, [folder])
        path = top
        for part in below:
            path = f"{path}.{part}"
            within = spec and spec.submodule_search_locations
            spec = PathFinder.find_spec(path, list(within)) if within else None
        if spec and spec.origin:
            return folder, name
        if spec:
            _refuse_namespace(spec)
    raise UsageError(f"there is no package {_short(name)}{_nearest(name)}")


def _refuse_namespace(spec: ModuleSpec) -> None:
    path = list(spec.submodule_search_locations or [spec.name])[0]
    raise UsageError(f"folder {_short(path)} has no __init__.py, so it is not a package; add one")


def _nearest(name: str) -> str:
    """`; did you mean ...?`, from what is here and from the agents that can be imported."""
    known = {*BASELINE, HUMAN}
    for folder in {os.getcwd(), *sys.path}:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    is_package = entry.is_dir() and os.path.isfile(os.path.join(entry.path, "__init__.py"))
                    if is_package and (folder == os.getcwd() or entry.name.endswith("_agent")):
                        known.add(entry.name)
                    elif folder == os.getcwd() and entry.name.endswith(".py"):
                        known.add(entry.name.removesuffix(".py"))
        except OSError:
            continue
    wanted = os.path.basename(name.rstrip(os.sep)).removesuffix(".py")
    near = get_close_matches(wanted, sorted(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else "; name a package, a folder or a file with a player"


def _short(name: str) -> str:
    """The name in quotes, and not longer than a sentence can bear."""
    return repr(name if len(name) <= 100 else f"{name[:100]}...")


def _is_there(path: str) -> bool:
    return bool(path) and os.path.exists(path)
