"""Would the tests notice? `python -m tests.long.mutation` tries one small change of the rules or the search
at a time, and runs the tests that should fail then.

The known mutation testers copy the project, change files in it and start Python anew for each change;
with numpy and these tests that is minutes where this takes seconds: the changed module is put in place
of the real one as it is imported, in a fork of a process that has imported all else.  No file is touched.
`--sample 40` changes a file are drawn by `--seed`; what survives is shown as the line that was changed.
"""

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from random import Random

import numpy  # noqa: F401  (what all forks have in common)
import pytest

from tests import ROOT

PATIENCE = 240  # seconds of wall time for the tests; beyond, the change made them loop and is noticed
GENERAL = ["tests/rules/test_properties.py", "tests/rules/test_rules.py"]
# Each file with the tests that are about it, and which of them: those that take seconds are left out.
TARGETS = {
    "referee/rules/expendibots.py": (
        ["tests/rules/test_expendibots.py", *GENERAL],
        "expendibots and not length_four and not two_tokens and not placements",
    ),
    "referee/rules/fanorona.py": (
        ["tests/rules/test_fanorona.py", *GENERAL],
        "fanorona and not sequences and not endings_with",
    ),
    "referee/rules/kalaha.py": (
        ["tests/rules/test_kalaha.py", *GENERAL],
        "kalaha and not values_of and not value_of and not number_of_move",
    ),
    "referee/rules/pentago.py": (
        ["tests/rules/test_pentago.py", *GENERAL],
        "pentago and not every_placement",
    ),
    "referee/rules/ropasci.py": (["tests/rules/test_ropasci.py", *GENERAL], "ropasci and not tournament"),
    "referee/rules/__init__.py": (
        ["tests/rules/test_rules.py"],
        "name or variant or folder or nonsense or says",
    ),
    "shared/alphabeta.py": (
        ["tests/shared/test_search.py"],
        "not every_process and not speed and not 300_positions and not known_sums and not within_its_limit",
    ),
}

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
RECKONED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def mutants(tree):
    """Every change as a function that makes it in a copy of the tree, with the line it is in."""
    found = []
    for number, node in enumerate(ast.walk(tree)):
        for change in changes(node):
            found.append((getattr(node, "lineno", 0), number, change))
    return found


def changes(node):
    """The names of the changes that a node allows."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        yield "compare"
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in RECKONED:
        yield "reckon"
    if isinstance(node, ast.BoolOp):
        yield "and or"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "without"
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield "one more"
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "negate"
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "never"
    if isinstance(node, ast.If | ast.IfExp):
        yield "always"
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) and not is_text(node):
        yield "left out"
    if isinstance(node, ast.Continue | ast.Break):
        yield "other end"


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def changed(tree, number, change):
    """The tree with that change at the node of that number."""
    tree = copy.deepcopy(tree)
    node = next(node for place, node in enumerate(ast.walk(tree)) if place == number)
    if change == "compare":
        node.ops[0] = COMPARED[type(node.ops[0])]()
    elif change == "reckon":
        node.op = RECKONED[type(node.op)]()
    elif change == "and or":
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif change == "one more":
        node.value += 1
    elif change == "negate":
        node.value = not node.value
    elif change in ("never", "always"):
        node.test = ast.copy_location(ast.Constant(change == "always"), node)
    else:
        by = {"without": lambda: node.operand, "left out": ast.Pass, "other end": lambda: other_end(node)}
        tree = Exchange(node, by[change]()).visit(tree)
    return ast.fix_missing_locations(tree)


def other_end(node):
    return ast.Break() if isinstance(node, ast.Continue) else ast.Continue()


class Exchange(ast.NodeTransformer):
    """Puts another node in the place of one."""

    def __init__(self, old, new):
        self.old, self.new = old, ast.copy_location(new, old)

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)


class InPlace(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the changed module under the name of the real one."""

    def __init__(self, path, tree):
        self.path = path
        self.name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.code = compile(tree, str(ROOT / path), "exec")

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        package = self.path.endswith("__init__.py")
        spec = importlib.util.spec_from_file_location(
            name,
            ROOT / self.path,
            loader=self,
            submodule_search_locations=[str((ROOT / self.path).parent)] if package else None,
        )
        return spec

    def exec_module(self, module):
        exec(self.code, vars(module))


def survives(path, tree):
    """Whether the tests pass with the changed module, in a fork."""
    files, which = TARGETS[path]
    child = os.fork()
    if child == 0:
        os.setsid()
        code = 1
        with contextlib.suppress(BaseException):
            sys.meta_path.insert(0, InPlace(path, tree))
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts="]
                code = int(pytest.main([*options, "-k", which, *files]))
        os._exit(code != 0)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status == 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def check(path, sample, seed, say=lambda text: None):
    """How many of the changes of a file were noticed, of how many tried; the others are said."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert survives(path, tree), f"{path}: the tests fail without any change"
    found = mutants(tree)
    tried = Random(f"{path} {seed}").sample(found, min(sample, len(found)))
    noticed = 0
    for line, number, change in sorted(tried):
        if survives(path, changed(tree, number, change)):
            node = next(node for place, node in enumerate(ast.walk(tree)) if place == number)
            say(f"{path}:{line}: {change}: {ast.unparse(node)[:100]!r}")
        else:
            noticed += 1
    say(f"{path}: {noticed} of {len(tried)} changes were noticed ({len(found)} are possible)")
    return noticed, len(tried)


def main():
    """Say what survived, and the share that did not."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.mutation", description="see the file")
    parser.add_argument("files", nargs="*", default=list(TARGETS), help="of those it knows (all)")
    parser.add_argument("--sample", type=int, default=40, help="changes a file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    noticed = tried = 0
    for path in options.files:
        of_file = check(path, options.sample, options.seed, lambda text: print(text, flush=True))
        noticed, tried = noticed + of_file[0], tried + of_file[1]
    print(f"{noticed} of {tried} changes were noticed: {100 * noticed / tried:.0f} %")


if __name__ == "__main__":
    main()
