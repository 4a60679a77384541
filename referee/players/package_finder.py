"""Where the package of a player is, named by a path or as Python names it; nothing is imported for that.

The answer is a folder to import from, or a zip, and the name of the module to import.
"""

import ast
import os
import pkgutil
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from importlib import invalidate_caches
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from pathlib import Path

from referee import UsageError
from referee.players import zips
from referee.players.package import modules

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "__init__.py"
MOST_READ = 500  # files whose imports are looked at
PYTHONS = (BuiltinImporter, FrozenImporter, PathFinder)  # the last one's work is done by `_on` here

Located = tuple[str, str]


def located(name: str, known: Sequence[str] = ()) -> Located:
    """Folder and module of a path, or else of a name; UsageError with what is near, `known` included."""
    try:
        os.getcwd()
    except OSError:
        raise UsageError("the current directory does not exist any more; change to another one") from None
    if not name:
        raise UsageError("a player's name is empty; name a package, a folder or a file")
    if os.path.isfile(os.path.join(name, PACKAGE)):
        return Enclosed(os.path.abspath(name), name).located()
    if os.path.isfile(name) and (name.endswith(".py") or zips.is_named(name)):
        return _of_file(name)
    if os.path.isfile(f"{name}.py"):
        return _of_file(f"{name}.py")
    is_file = name.endswith(".py") or zips.is_named(name)
    is_name = not is_file and os.sep not in name and not name.startswith(".")
    spec = find(name) if is_name else None
    if spec and (spec.loader or not os.path.isdir(name)):
        return _of_spec(name, spec)
    if os.path.isdir(name):
        raise _no_package(name)
    if os.path.isfile(name):
        raise UsageError(
            f"file {short(name)} is no player: its name should end in .py, or in .zip where it is one"
        )
    what = "package" if is_name else "file or folder"
    raise UsageError(f"there is no {what} {short(name)}{_nearest(name, known)}")


def places() -> list[str]:
    """The folders in which packages can be named: this one, Python's, and the one of our own agents."""
    return [os.getcwd(), *(os.path.abspath(entry) for entry in sys.path), str(ROOT)]


def short(name: str) -> str:
    """The name in quotes, and not longer than a sentence can bear."""
    return repr(name if len(name) <= 100 else f"{name[:100]}...")


# By a path


class Enclosed:
    """A module's path, and the packages that it lies in, from which the player's own one is to be found.

    A folder around it may be a package by accident: a repository often has an __init__.py at its root.
    So the player's is the outermost package that the user named, unless its imports say otherwise.
    """

    def __init__(self, path: str, typed: str):
        self.is_file = not os.path.isdir(path)
        self.nested = [path]  # and what is around it, inside out; path is without extension
        while os.path.isfile(os.path.join(os.path.dirname(self.nested[-1]), PACKAGE)):
            self.nested.append(os.path.dirname(self.nested[-1]))
        steps = [step for step in typed.rstrip(os.sep).split(os.sep) if step not in ("", ".")]
        if os.path.isabs(typed):  # it names whatever is around the player, down from the root
            steps = []
        after = steps[::-1].index("..") if ".." in steps else len(steps)
        self.named = max(1 + self.is_file, after)  # of them; a file's own folder always counts

    def located(self) -> Located:
        """The folder above the player's outermost package, and the dotted name of the module."""
        outermost = min(len(self.nested), self.named) - 1
        order = [*range(outermost, -1, -1), *range(outermost + 1, len(self.nested))]
        top = 0 if len(order) == 1 else min(order, key=self.lost)
        folder = os.path.dirname(self.nested[top])
        names = [os.path.basename(path) for path in reversed(self.nested[: top + 1])]
        for name in names:
            if "." in name or not name:
                raise UsageError(
                    f"{short(self.nested[0])} cannot be imported: rename {short(name)}, it has a dot"
                )
        return folder, ".".join(names)

    def lost(self, top: int) -> float:
        """How many imports would find nothing if that were the player's package; a working copy is none."""
        home = self.nested[top] if os.path.isdir(self.nested[top]) else None
        count = 0.5 if os.path.exists(os.path.join(self.nested[top], ".git")) else 0
        for base, name in self.imports:
            if base is not None:
                count += home is None or not os.path.join(base, "").startswith(os.path.join(home, ""))
            else:
                has = [_is_module(os.path.dirname(one), name) for one in self.nested]
                count += any(has) and not has[top]
        return count

    @cached_property
    def imports(self) -> list[tuple[str | None, str]]:
        """Folders that relative imports begin at, and the first names of the others."""
        found: list[tuple[str | None, str]] = []
        place = os.path.dirname(self.nested[0]) if self.is_file else self.nested[0]
        for path in modules(Path(place))[:MOST_READ]:
            for node in _nodes(str(path)):
                if isinstance(node, ast.Import):
                    found += [(None, alias.name.partition(".")[0]) for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.append((None, node.module.partition(".")[0]))
                elif isinstance(node, ast.ImportFrom):
                    found.append((str(path.parents[min(node.level, len(path.parents)) - 1]), ""))
        return list(dict.fromkeys(found))


def _nodes(path: str) -> Iterator[ast.AST]:
    """All there is in a file; nothing where it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.walk(ast.parse(Path(path).read_bytes()))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return iter(())


def _is_module(folder: str, name: str) -> bool:
    path = os.path.join(folder, name)
    return os.path.isfile(f"{path}.py") or os.path.isdir(path)


def _of_file(path: str) -> Located:
    stem, _ = os.path.splitext(os.path.abspath(path))
    if zips.is_named(path):
        return os.path.abspath(path), zips.package_in(path)
    if os.path.basename(stem) == "__init__":
        return Enclosed(os.path.dirname(stem), os.path.dirname(path)).located()
    return Enclosed(stem, path).located()


# By a name


def find(name: str) -> ModuleSpec | None:
    """What Python would import by that name, the current folder first, without importing what is above it."""
    invalidate_caches()  # a file may just have been written
    spec, within = None, None
    top = name.partition(".")[0]
    for known in _beginnings(name):
        try:
            spec = _on(known, [os.getcwd()]) if known == top else None
            if spec is None or spec.loader is None:
                spec = _asked(known, within) or spec
        except (ValueError, OSError):  # no name that a file can have
            return None
        if spec is None:
            return None
        if spec.submodule_search_locations is None:
            return spec if known == name else None
        within = list(spec.submodule_search_locations)
    return spec


def _beginnings(name: str) -> Iterator[str]:
    """`a`, `a.b`, `a.b.c`; nothing where a part is missing."""
    parts = name.split(".")
    return (".".join(parts[: count + 1]) for count in range(len(parts) if all(parts) else 0))


def _asked(name: str, within: list[str] | None) -> ModuleSpec | None:
    """The answer of Python's finders, or of our own agents' folder."""
    spaces = _on(name, [*places()[:-1]] if within is None else within)
    if spaces and spaces.loader:
        return spaces
    for finder in sys.meta_path:
        if finder not in PYTHONS and hasattr(finder, "find_spec"):
            try:
                spec = finder.find_spec(name, within)
            except Exception:  # somebody else's, which is of no use here then
                continue
            if spec is not None:
                return spec
    ours = _on(name, [str(ROOT)]) if within is None else None
    return ours if ours and ours.loader else spaces


def _on(name: str, folders: Sequence[str]) -> ModuleSpec | None:
    """The module in the first of the folders, or zips, that has it; else a namespace of what may be it."""
    portions: list[str] = []
    for folder in folders:
        finder = pkgutil.get_importer(folder)
        spec = finder.find_spec(name) if finder and hasattr(finder, "find_spec") else None
        if spec and spec.loader:
            return spec
        portions += spec.submodule_search_locations or [] if spec else []
    if not portions:
        return None
    spaces = ModuleSpec(name, None, is_package=True)
    spaces.submodule_search_locations = portions
    return spaces


def _of_spec(name: str, spec: ModuleSpec) -> Located:
    """The folder to import from, which has to have the module by that name in it."""
    if not spec.origin or spec.loader is None:
        raise _no_package(next(iter(spec.submodule_search_locations or [name])))
    is_package = spec.submodule_search_locations is not None
    path, ending = (os.path.dirname(spec.origin), ".py") if is_package else os.path.splitext(spec.origin)
    if ending != ".py":
        raise UsageError(f"{short(name)} is {short(spec.origin)}, not Python: its name should end in .py")
    steps = os.path.abspath(path).split(os.sep)
    count = name.count(".") + 1
    folder = os.sep.join(steps[:-count]) or os.sep
    if steps[-count:] != name.split("."):
        raise UsageError(
            f"{short(name)} is installed from {short(path)}, which is called otherwise: name that"
        )
    if not os.path.isdir(folder) and not os.path.isfile(folder):
        raise UsageError(
            f"{short(name)} lies deep in a zip, {short(folder)}; unpack that, and name its folder"
        )
    return folder, name


# What is said where there is none


def _no_package(path: str) -> UsageError:
    entries = os.listdir(path) if os.path.isdir(path) else []
    inside = sorted(entry for entry in entries if entry.endswith(".py") and entry != PACKAGE)
    hint = f"; or name one of its files, such as {os.path.join(path, inside[0])}" if inside else ""
    return UsageError(f"folder {short(path)} has no __init__.py, so it is not a package; add one{hint}")


def _nearest(name: str, known: Sequence[str]) -> str:
    """`; did you mean ...?`, from what is here and from the agents that can be imported."""
    here = os.getcwd()
    near = {*known}
    for folder in {*places()}:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    is_package = entry.is_dir() and os.path.isfile(os.path.join(entry.path, PACKAGE))
                    if is_package and (folder == here or entry.name.endswith("_agent")):
                        near.add(entry.name)
                    elif folder == here and entry.name.endswith(".py"):
                        near.add(entry.name.removesuffix(".py"))
        except OSError:
            continue
    wanted = re.sub(r"\.py$", "", os.path.basename(name.rstrip(os.sep)))
    found = get_close_matches(wanted, sorted(near), n=1)
    return f"; did you mean {found[0]!r}?" if found else "; name a package, a folder or a file with a player"
