"""Parses a package's source files, and tells which code runs only where a module that it needs exists."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from referee.check.handin import HandIn

# What a missing module or name raises: code that catches it does without.
MISSING = {"ImportError", "ModuleNotFoundError", "AttributeError", "NameError"}
ANYTHING = {"Exception", "BaseException"}  # taken for the same around an import, nowhere else
ASKS = {"hasattr", "find_spec"}

NOTHING = ast.Module(body=[], type_ignores=[])


@dataclass(frozen=True)
class Source:
    """One file of the package."""

    path: str  # from the package's folder on
    text: str
    tree: ast.Module  # of nothing where there is something wrong
    wrong: str = ""  # why it cannot be parsed

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree: walking it takes longer than what is done with them."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def guarded(self) -> set[ast.AST]:
        """The nodes that run only if what they need is there, or in whose absence something else runs."""
        found: set[ast.AST] = set()
        for node in self.nodes:
            if isinstance(node, ast.Try) and _does_without(node):
                for part in (*node.body, *node.handlers):
                    found.update(ast.walk(part))
            elif isinstance(node, (ast.If, ast.IfExp)) and _asks(node.test):
                found.update(ast.walk(node))
        return found

    def at(self, node: ast.AST) -> str:
        """The place of a node, as findings write it."""
        return f"{self.path}:{getattr(node, 'lineno', 1)}"

    def segment(self, node: ast.AST) -> str:
        """The node's own text."""
        return ast.get_source_segment(self.text, node) or ""


def sources(handin: HandIn) -> list[Source]:
    """All Python files of the package."""
    return [_parsed(path, content) for path, content in handin.files.items() if path.endswith(".py")]


def _parsed(path: str, content: bytes) -> Source:
    try:
        with warnings.catch_warnings(action="ignore"):  # of odd escapes and the like
            tree = ast.parse(content)
        return Source(path, ast.unparse(tree) if b"\0" in content else _decoded(content), tree)
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""  # a null byte has none
        return Source(path, "", NOTHING, f"{path}{line}: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Source(path, "", NOTHING, f"{path}: {error}")


def _decoded(content: bytes) -> str:
    """The text as the parser saw it, with its lines and columns."""
    return content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").replace("\r\n", "\n")


def _does_without(node: ast.Try) -> bool:
    imports = any(isinstance(part, (ast.Import, ast.ImportFrom)) for part in node.body)
    caught = MISSING | ANYTHING if imports else MISSING
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(
            kind is None and imports or isinstance(kind, ast.Name) and kind.id in caught for kind in kinds
        ):
            return True
    return False


def _asks(test: ast.expr) -> bool:
    """Whether the condition looks at Python's version, at whether something is there, or at type checking."""
    for node in ast.walk(test):
        if isinstance(node, ast.Attribute) and node.attr in ("version_info", "hexversion", "TYPE_CHECKING"):
            return True
        if isinstance(node, ast.Name) and node.id in ("TYPE_CHECKING", *ASKS):
            return True
    return False


def evaluated(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """Each node that runs, and whether it is part of an annotation."""
    postponed = any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" and alias.name == "annotations"
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )
    waiting: list[tuple[ast.AST, bool, bool]] = [(tree, False, False)]
    while waiting:
        node, in_annotation, in_function = waiting.pop()
        yield node, in_annotation
        inner = in_function or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for name, value in ast.iter_fields(node):
            annotates = name in ("annotation", "returns")
            never = postponed or isinstance(node, ast.AnnAssign) and in_function
            if annotates and never:
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    inside = inner if name == "body" and not isinstance(node, ast.ClassDef) else in_function
                    inside = inside and not isinstance(part, ast.ClassDef)
                    waiting.append((part, in_annotation or annotates, inside))
