"""Makes a package's functions again so that each call in them says first what it is that it calls.

Python tells a profiler of functions and methods that are written in C, but not of other objects that C code
calls: numpy's `sqrt` and `dot`, Cython's methods, classes such as `list`.  So in the source of each function
`f(x)` becomes `MARK(f)(x)`, where MARK gives back `f`, or what stands for it and takes its time.  A product
of matrices, `a @ b`, becomes a call, too.
"""

import ast
import builtins
import linecache
import operator
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, WrapperDescriptorType
from typing import Any

MARK, PRODUCT = "__referee_calls__", "__referee_matmul__"
# They look at the frame that they are called from.
LEFT_OUT = ("super", "type", "locals", "globals", "vars", "dir", "eval", "exec", PRODUCT)
STATIC = 1 << 9  # of a class's flags: whether it was made as Python makes classes


def mark(functions: Iterable[FunctionType], watch: Callable[[Any], Any]) -> None:
    """Let all calls in these functions go by `watch`; a function whose source is not to be had stays."""
    setattr(builtins, MARK, watch)
    setattr(builtins, PRODUCT, operator.matmul)
    codes: dict[str, dict[tuple[str, int], CodeType]] = {}
    for function in functions:
        code = function.__code__
        if code.co_filename not in codes:
            codes[code.co_filename] = dict(_marked(code.co_filename))
        new = codes[code.co_filename].get((code.co_qualname, code.co_firstlineno))
        if new and (new.co_freevars, new.co_flags) == (code.co_freevars, code.co_flags):
            function.__code__ = new


def _marked(path: str) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """Each code in a file, with its calls marked; those alone that have a name and line of their own."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)), path)
        module = compile(ast.fix_missing_locations(Calls().visit(tree)), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return
    found: dict[tuple[str, int], list[CodeType]] = {}
    waiting = [module]
    while waiting:
        code = waiting.pop()
        found.setdefault((code.co_qualname, code.co_firstlineno), []).append(code)
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
    yield from ((key, codes[0]) for key, codes in found.items() if len(codes) == 1)


class Calls(ast.NodeTransformer):
    """Puts the mark around what is called."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """A call in place of a product of matrices."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        product = ast.copy_location(ast.Name(PRODUCT, ast.Load()), node)
        return ast.copy_location(ast.Call(product, [node.left, node.right], []), node)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """What is called stands in the mark."""
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in LEFT_OUT):
            mark = ast.copy_location(ast.Name(MARK, ast.Load()), node.func)
            node.func = ast.copy_location(ast.Call(mark, [node.func], []), node.func)
        return node


def is_unseen(function: Any) -> bool:
    """Whether it is C code that Python tells no profiler of."""
    kind = type(function)
    if kind in (FunctionType, BuiltinFunctionType):
        return False
    if kind is MethodType:
        return type(function.__func__) not in (FunctionType, BuiltinFunctionType) and is_unseen(
            function.__func__
        )
    if isinstance(function, type):
        return kind is type and not function.__flags__ & STATIC
    inner = getattr(function, "__wrapped__", None) or getattr(function, "func", None)
    calls = next((vars(one)["__call__"] for one in kind.__mro__ if "__call__" in vars(one)), None)
    return isinstance(calls, WrapperDescriptorType) and not isinstance(inner, FunctionType | MethodType)
