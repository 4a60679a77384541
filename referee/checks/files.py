"""What can be said of a package without running it: its name, its files, and what it imports."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from keyword import iskeyword

from referee.checks import Findings, Step, listed
from referee.checks.courses import LIBRARIES, TAKEN, Course
from referee.checks.source import Source, guarded
from referee.handin import HandIn, archive

IMPORTERS = {"import_module", "__import__"}
STANDARD = sys.stdlib_module_names


def name_step(handin: HandIn) -> Step:
    """Whether the package's name can be imported and is nobody else's."""
    found, name = Findings("name"), handin.name
    rename = "rename the package's folder: letters, digits and _ only, and a name of your own"
    if not name.isidentifier() or iskeyword(name):
        found.object(f"{name!r} is no name that Python can import", rename)
    elif not name.isascii():
        found.object(f"{name!r} has letters that not every machine can write", rename)
    if name in STANDARD:
        found.object(f"{name} is also a module of the standard library: one hides the other", rename)
    elif name in TAKEN:
        found.object(f"{name} is also a module on the courses' machines: one hides the other", rename)
    for stranger in handin.strangers:
        found.object(
            f"{stranger} lies beside the package at the top of the zip: two players' may clash there",
            f"move it into {name}/ and import it from there, or leave it out",
        )
    return found.done(f"{name} clashes with nothing, and nothing else is at top level")


def size_step(handin: HandIn, course: Course) -> Step:
    """How large the package is, and whether all of it is its own."""
    found = Findings("size")
    packed = len(archive(handin.files))
    found.figures.update(files=len(handin.files), bytes=handin.size, zip_bytes=packed)
    most = course.megabytes
    if most is not None and packed > most * 10**6:
        largest = max(handin.files, key=lambda path: len(handin.files[path]))
        found.object(
            f"{packed / 10**6:.2f} MB as a zip, of the {most:g} MB that the course accepts",
            f"shrink it: the largest file is {largest}, {len(handin.files[largest]) / 10**6:.2f} MB",
        )
    for link in handin.links:
        found.object(f"{link} is a link that leads elsewhere: it is not handed in", "copy what it leads to")
    least = "" if most is None else f"; the course accepts {most:g} MB"
    return found.done(
        f"{len(handin.files)} file{'s' * (len(handin.files) > 1)}, {handin.size / 10**6:.2f} MB, "
        f"as a zip {packed / 10**6:.2f} MB{least}"
    )


@dataclass(frozen=True)
class Import:
    """One module that a file names."""

    module: str  # absolute
    where: str
    relative: bool
    guarded: bool  # what runs where it is missing does without


def imports_step(handin: HandIn, files: list[Source]) -> Step:
    """Whether the package imports only the standard library, numpy and itself."""
    found = Findings("imports")
    known = _modules(handin)
    own_names = {module.rpartition(".")[2] for module in known}
    used = set()
    for source in files:
        for one in _imports(source):
            _judge_import(one, handin.name, known, own_names, found, used)
        for place in _unseen(source):
            found.notes.append(
                f"{place} imports what is only known when it runs; the steps below look at that"
            )
    libraries = sorted(used & LIBRARIES)
    well = ", ".join(["the standard library", *libraries, "itself"])
    absolute = absolute_imports(handin, files)
    if absolute:
        found.notes.append(
            f"it imports itself as {handin.name} ({absolute[0]}), so it runs under no other name"
        )
    found.notes[:] = listed(found.notes)
    found.figures["libraries"] = libraries
    return found.done(f"imports {well} and nothing else")


def absolute_imports(handin: HandIn, files: list[Source]) -> list[str]:
    """Where the package imports itself by its own name."""
    return [
        one.where
        for source in files
        for one in _imports(source)
        if not one.relative and one.module.partition(".")[0] == handin.name
    ]


def _judge_import(
    one: Import, name: str, known: set[str], own_names: set[str], found: Findings, used: set[str]
) -> None:
    top = one.module.partition(".")[0]
    said = f"{one.module or 'a module above the package'} ({one.where})"
    if one.relative or top == name:
        if not one.guarded and one.module not in known:
            found.object(
                f"{said} is not among the files that are handed in",
                "train/, tests and hidden files are never handed in: move what the player needs elsewhere",
            )
    elif top in STANDARD or top in LIBRARIES or top == "__future__":
        used.add(top)
    elif one.guarded:
        found.notes.append(f"it would use {said} where that is installed")
    elif top in own_names:
        found.object(
            f"{said} is found only in the package's own folder", f"write from .{one.module} import ..."
        )
    else:
        found.object(
            f"{said} is neither of the standard library nor numpy nor the package itself",
            "do without it: a course's machine has nothing else",
        )


def _modules(handin: HandIn) -> set[str]:
    """The package's modules, by their full names."""
    found = set()
    for path in handin.files:
        stem, dot, extension = path.rpartition(".")
        if extension in ("py", "so", "pyd"):
            stem = stem.partition(".")[0] if extension != "py" else stem
            found.add(stem.removesuffix("/__init__").replace("/", "."))
        for depth in range(1, path.count("/") + 1):  # a folder without __init__.py can be imported too
            found.add(".".join(path.split("/")[:depth]))
    return found


def _imports(source: Source) -> Iterator[Import]:
    """All modules that the file names, at its top or within functions, as a statement or as a string."""
    if source.tree is None:
        return
    spared = guarded(source.tree)
    package = source.path.split("/")[:-1]
    for node in ast.walk(source.tree):
        where, is_guarded = source.at(node), node in spared
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, where, False, is_guarded)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            if node.level > len(package):
                yield Import("", where, True, False)
            elif node.module:
                yield Import(".".join([*base, node.module]), where, bool(node.level), is_guarded)
            # `from . import board` may name a module or anything else that __init__.py has.
        elif name := _named(node):
            yield Import(name, where, False, is_guarded)


def _named(node: ast.AST) -> str:
    """The module of `import_module("name")` or `__import__("name")`; "" for anything else."""
    match node:
        case ast.Call(
            func=ast.Name(id=function) | ast.Attribute(attr=function), args=[ast.Constant(str(name)), *_]
        ):
            return name if function in IMPORTERS and name and not name.startswith(".") else ""
    return ""


def _unseen(source: Source) -> Iterator[str]:
    if source.tree is None:
        return
    for node in ast.walk(source.tree):
        match node:
            case ast.Call(func=ast.Name(id=function) | ast.Attribute(attr=function), args=[first, *_]):
                if function in IMPORTERS and not isinstance(first, ast.Constant):
                    yield source.at(node)
