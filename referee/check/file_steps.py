"""The steps of a check that only read the package: its name, its size, and what it imports."""

import ast
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from keyword import iskeyword

from referee.check import Findings, Step, listed
from referee.check.courses import TAKEN
from referee.check.handin import HandIn, archive
from referee.check.source import Source
from referee.rules import Course

NEVER = "train/, tests and hidden files are never handed in: move what the player needs elsewhere"
IMPORTERS = {"import_module", "__import__"}
STANDARD = sys.stdlib_module_names


def name_step(handin: HandIn) -> Step:
    """Whether the package's name can be imported and is nobody else's."""
    found, name = Findings("name"), handin.name
    rename = "rename the package's folder: letters from a to z, digits and _ only, and a name of your own"
    if not name.isidentifier() or iskeyword(name):
        found.object_to(f"{name!r} is no name that Python can import", rename)
    elif not name.isascii():
        found.object_to(f"{name!r} has letters that not every machine can write", rename)
    if name in STANDARD:
        found.object_to(f"{name} is also a module of the standard library: one hides the other", rename)
    elif name in TAKEN:
        found.object_to(f"{name} is also a module on the courses' machines: one hides the other", rename)
    for stranger in handin.strangers:
        found.object_to(
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
        found.object_to(
            f"{packed / 10**6:.2f} MB as a zip, of the {most:g} MB that the course accepts",
            f"shrink it: the largest file is {largest}, {len(handin.files[largest]) / 10**6:.2f} MB",
        )
    for link in handin.links:
        found.object_to(
            f"{link} is a link that leads elsewhere: it is not handed in", "copy what it leads to"
        )
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
    package: tuple[str, ...]  # of the file that names it
    relative: bool
    guarded: bool  # what runs where it is missing does without


def imports_step(handin: HandIn, files: list[Source], course: Course) -> Step:
    """Whether the package imports only the standard library, itself, and what the course's machine has."""
    found = Findings("imports")
    own = Own(handin, course)
    used: set[str] = set()
    for source in files:
        for one in _imports(source):
            _judge_import(one, own, found, used)
        for place in _unseen(source):
            found.notes.append(
                f"{place} imports what is only known when it runs; the steps below look at that"
            )
    libraries = sorted(used & set(course.libraries))
    well = ", ".join(["the standard library", *libraries, "itself"])
    absolute = absolute_imports(handin, files)
    if absolute:
        found.notes.append(
            f"it imports itself as {handin.name} ({absolute[0]}), so it runs under no other name"
        )
    relative = [one.where for source in files for one in _imports(source) if one.relative]
    if course.absolute_imports and relative:
        more = f" and {len(relative) - 1} more" if len(relative) > 1 else ""
        found.remark(
            f"it imports itself relatively ({relative[0]}{more}); the course asks for absolute imports",
            f"`pack` writes from {handin.name}.x for from .x in the zip, under the name that it is given",
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


@dataclass(frozen=True)
class Own:
    """What a package may import: its own modules, and what its course's machine has."""

    handin: HandIn
    course: Course

    @cached_property
    def modules(self) -> set[str]:
        """By their full names."""
        return _modules(self.handin)

    def meant(self, name: str, package: Sequence[str]) -> str:
        """Which of its modules a file of that package means by a name; "" if there is none."""
        fits = [known for known in self.modules if known.endswith(f".{name}")]
        nearest = {known: (_shared(known.split("."), package), -len(known), known) for known in fits}
        return max(nearest, key=nearest.__getitem__, default="")

    def way(self, one: Import, module: str) -> str:
        """How the file that has the import should name that module."""
        if self.course.absolute_imports:
            return f"from {module} import ..."
        parts = module.split(".")
        common = _shared(parts, one.package)
        dots = "." * (1 + len(one.package) - common)
        below = ".".join(parts[common:])
        return f"from {dots}{below} import ..." if below else f"from {dots} import ..."


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts two names begin with in common."""
    return len(os.path.commonprefix([list(one), list(other)]))


def _judge_import(one: Import, own: Own, found: Findings, used: set[str]) -> None:
    top = one.module.partition(".")[0]
    said = f"{one.module or 'a module above the package'} ({one.where})"
    if one.relative or top == own.handin.name:
        if not one.guarded and one.module not in own.modules:
            found.object_to(f"{said} is not among the files that are handed in", NEVER)
    elif top in STANDARD or top in own.course.libraries or top == "__future__":
        used.add(top)
    elif one.guarded:
        found.notes.append(f"it would use {said} where that is installed")
    elif module := own.meant(one.module, one.package):
        found.object_to(f"{said} is found only in the package's own folder", f"write {own.way(one, module)}")
    elif own.meant(top, one.package):
        found.object_to(f"{said} is not among the files that are handed in", NEVER)
    else:
        has = " nor ".join(["of the standard library", *own.course.libraries, "the package itself"])
        found.object_to(
            f"{said} is neither {has}",
            f"do without it: the course's machine has {' and '.join(own.course.libraries)} and nothing else",
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
    package = tuple(source.path.split("/")[:-1])
    for node in source.nodes:
        if not isinstance(node, (ast.Import, ast.ImportFrom, ast.Call)):
            continue
        where, is_guarded = source.at(node), node in source.guarded
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, where, package, False, is_guarded)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            if node.level > len(package):
                yield Import("", where, package, True, False)
            elif node.module:
                module = ".".join([*base, node.module])
                yield Import(module, where, package, bool(node.level), is_guarded)
            else:  # `from . import board` may name a module or anything else that __init__.py has
                yield Import(".".join(base), where, package, True, is_guarded)
        elif name := _named(node):
            yield Import(name, where, package, False, is_guarded)


def _named(node: ast.AST) -> str:
    """The module of `import_module("name")` or `__import__("name")`; "" for anything else."""
    match node:
        case ast.Call(
            func=ast.Name(id=function) | ast.Attribute(attr=function), args=[ast.Constant(str(name)), *_]
        ):
            return name if function in IMPORTERS and name and not name.startswith(".") else ""
    return ""


def _unseen(source: Source) -> Iterator[str]:
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Name(id=function) | ast.Attribute(attr=function), args=[first, *_]):
                if function in IMPORTERS and not isinstance(first, ast.Constant):
                    yield source.at(node)
