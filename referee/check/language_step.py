"""Finds the oldest CPython that a package runs on, by its grammar and its use of the standard library."""

import ast
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.check import Findings, Step, later_python, listed
from referee.check.courses import OLDEST
from referee.check.source import Source, evaluated

MODULES = later_python.versions(later_python.MODULES)
NAMES = later_python.versions(later_python.NAMES)
METHODS = later_python.versions(later_python.METHODS)
SELF_DOCUMENTING = re.compile(r"\{[^{}=!<>]+[^{}=!<>]=\s*(![rsa])?(:[^{}]*)?\}")
STARRED = {"return": 8, "yield": 8, "for": 9, "subscript": 11}
TOO_NEW = (
    "write it in the older way, or try for it and fall back: try: ... except (ImportError, AttributeError)"
)
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)  # what may give a name a meaning of its own


@dataclass(frozen=True, order=True)
class Need:
    """Something that an older CPython has not got."""

    minor: int
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.what} needs 3.{self.minor} ({self.where})"


def step(files: list[Source], oldest: tuple[int, int] = OLDEST) -> Step:
    """Whether the package runs on the course's CPython, and on which it does."""
    found = Findings("language")
    for source in files:
        if source.wrong:
            if "unicode error" in source.wrong:
                found.object_to(source.wrong, "save the file as UTF-8")
                continue
            found.object_to(
                f"{source.wrong}: no Python, or newer than 3.{sys.version_info.minor}, which runs this check",
                "mend the file, or leave it out of the folder",
            )
    own = {node.name for source in files for node in source.nodes if isinstance(node, FUNCTION)}
    needs = sorted({need for source in files for need in _needs(source, own)})
    floor = max([need.minor for need in needs], default=OLDEST[1])
    found.figures["oldest"] = f"3.{floor}" if not found.faults else None
    wanted = ".".join(map(str, oldest))
    too_new = [need for need in needs if need.minor > oldest[1]]
    if too_new:
        # One example of each thing, the newest first: these decide.
        examples = {
            need.what: need for need in sorted(too_new, key=lambda need: (-need.minor, need.where))[::-1]
        }
        newest_first = sorted(examples.values(), key=lambda need: -need.minor)
        for need in newest_first:
            found.object_to(str(need), f"the course's machine has CPython {wanted}: {TOO_NEW}")
    elif needs:
        found.notes += listed(map(str, needs))
    runs = f"runs on CPython 3.{floor} and newer"
    if floor == OLDEST[1]:
        runs += " by its grammar and its use of the library"
    if too_new:
        found.notes.append(f"so it {runs}")
    return found.done(runs)


def _needs(source: Source, own: set[str]) -> Iterator[Need]:
    """What the file needs; `own` are the functions and classes of the package."""
    for minor, what, node in _grammar(source):
        yield Need(minor, source.at(node), what)
    yield from _by_parser(source)
    names = _imported(source)
    known = own | set(_variables(source))  # a list may be called list
    for node, in_annotation in evaluated(source.tree):
        if node not in source.guarded:
            for minor, what in _library(node, in_annotation, names, known):
                yield Need(minor, source.at(node), what)


# Grammar


def _grammar(source: Source) -> Iterator[tuple[int, str, ast.AST]]:
    for node in source.nodes:
        match node:
            case ast.NamedExpr():
                yield 8, "an assignment with :=", node
            case ast.arguments(posonlyargs=[first, *_]):
                yield 8, "a / among parameters", first
            case ast.JoinedStr() if SELF_DOCUMENTING.search(source.segment(node)):
                yield 8, "an f-string with {name=}", node
            case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
                for decorator in decorators:
                    if not _is_old_decorator(decorator):
                        yield 9, "a decorator that is no name or call of one", decorator
            case ast.Match():
                yield 10, "a match statement", node
            case ast.TryStar():
                yield 11, "except*", node
            case ast.ImportFrom(module="__future__", names=names):
                if any(alias.name == "annotations" for alias in names):
                    yield 7, "from __future__ import annotations", node
        if type(node).__name__ == "TypeAlias":
            yield 12, "a type statement", node
        elif type(node).__name__ == "TemplateStr":
            yield 14, "a template string", node
        if getattr(node, "type_params", None):
            yield 12, "type parameters in brackets", node
        yield from _starred(source, node)


def _is_old_decorator(decorator: ast.expr) -> bool:
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    while isinstance(decorator, ast.Attribute):
        decorator = decorator.value
    return isinstance(decorator, ast.Name)


def _starred(source: Source, node: ast.AST) -> Iterator[tuple[int, str, ast.AST]]:
    """Tuples with a star in them that stand where older versions want brackets around them."""
    match node:
        case ast.Return(value=ast.Tuple() as value):
            where = "return"
        case ast.Yield(value=ast.Tuple() as value):
            where = "yield"
        case ast.For(iter=ast.Tuple() as value):
            where = "for"
        case ast.Subscript(slice=ast.Tuple() as value):
            where = "subscript"
        case _:
            return
    if any(isinstance(one, ast.Starred) for one in value.elts) and not source.segment(value).startswith("("):
        yield STARRED[where], f"a starred tuple without brackets ({where})", node


def _by_parser(source: Source) -> Iterator[Need]:
    """What the parser itself refuses when it is told to be an older one."""
    for minor in range(7, sys.version_info.minor + 1):
        try:
            with warnings.catch_warnings(action="ignore"):
                ast.parse(source.text, feature_version=(3, minor))
            return
        except SyntaxError as error:
            what = error.msg.split(" only supported")[0].removesuffix(" are").removesuffix(" is")
            if "only supported" in error.msg and not what.startswith(
                ("Assignment", "Positional-only", "Pattern")
            ):
                yield Need(minor + 1, f"{source.path}:{error.lineno}", what[0].lower() + what[1:])


# The library


def _imported(source: Source) -> dict[str, str]:
    """What each name of the file stands for: `np`: numpy, `root`: math.isqrt."""
    names = {}
    for node in source.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or whole] = whole
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _dotted(node: ast.expr, names: dict[str, str]) -> str:
    """The full name of an expression such as `math.isqrt`; "" where it is none that was imported."""
    below: list[str] = []
    while isinstance(node, ast.Attribute):
        below.insert(0, node.attr)
        node = node.value
    if isinstance(node, ast.Name) and node.id in names:
        return ".".join([names[node.id], *below])
    return ""


def _library(
    node: ast.AST, in_annotation: bool, names: dict[str, str], own: set[str]
) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Import(names=aliases):
            yield from _known([alias.name for alias in aliases], MODULES)
        case ast.ImportFrom(level=0, module=str(module), names=aliases):
            whole = [f"{module}.{alias.name}" for alias in aliases]
            yield from _known([module], MODULES)
            yield from _known(whole, MODULES | NAMES)
        case ast.Attribute(attr=attribute):
            dotted = _dotted(node, names)
            yield from _known([dotted], NAMES | MODULES)
            if not dotted and attribute in METHODS and attribute not in own:
                yield METHODS[attribute], f".{attribute}"
        case ast.Name(id=name) if name not in names and name not in own:
            yield from _known([f"builtins.{name}"], NAMES)
        case ast.Call(func=function, keywords=keywords):
            called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            for keyword in keywords:
                if called not in own and (minor := later_python.KEYWORDS.get((called, keyword.arg or ""))):
                    yield minor, f"{called}({keyword.arg}=)"
        case ast.FunctionDef(decorator_list=decorators):
            if any(_dotted(one, names) == "functools.lru_cache" for one in decorators):
                yield 8, "@lru_cache without brackets"
        case ast.Subscript(value=value):
            if generic := _generic(value, names, own):
                yield 9, f"{generic}[...]"
        case ast.BinOp(op=ast.BitOr()) if in_annotation:
            yield 10, "a | in an annotation"


def _known(wanted: Iterable[str], table: dict[str, int]) -> Iterator[tuple[int, str]]:
    for name in wanted:
        if name in table:
            yield table[name], name.removeprefix("builtins.")


def _generic(value: ast.expr, names: dict[str, str], own: set[str]) -> str:
    """The class of the library that is given types in brackets here, such as `list`."""
    if isinstance(value, ast.Name) and value.id in later_python.GENERIC and value.id not in {*names, *own}:
        return value.id
    module, _, name = _dotted(value, names).rpartition(".")
    if module in later_python.GENERIC_OF and name:
        known = later_python.GENERIC_OF[module]
        return f"{module}.{name}" if known is None or name in known else ""
    return ""


def _variables(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
