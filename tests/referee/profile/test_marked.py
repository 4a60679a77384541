"""Calls that say what they call: functions do as before, and C code that no profiler is told of is known."""

import functools
import linecache
import operator

import numpy
import pytest

from referee.profile.marked import is_unseen, mark

SOURCE = """
class Base:
    def name(self):
        return "base"


class Own(Base):
    def name(self):
        return super().name() + "!"


def closure(step):
    def inner(number, *more, key=None):
        return number + step, more, key, sorted(locals())
    return inner


def product(one, other):
    return list(one @ other) + [len(text) for text in map(str, one)]


def steps(most):
    yield from range(most)
"""


@pytest.fixture
def made():
    """The functions of a source, and all that they have called since they were marked."""
    path = "/marked/source.py"
    linecache.cache[path] = len(SOURCE), None, SOURCE.splitlines(keepends=True), path
    space = {}
    exec(compile(SOURCE, path, "exec"), space)
    inner = space["closure"](2)
    called = []
    functions = [
        space["Own"].name,
        space["Base"].name,
        inner,
        *map(space.get, ("closure", "product", "steps")),
    ]
    mark(functions, lambda function: called.append(function) or function)
    yield {**space, "inner": inner}, called
    del linecache.cache[path]


def test_marked_functions_do_what_they_did_and_say_what_they_call(made):
    space, called = made
    assert space["Own"]().name() == "base!" and [one.__name__ for one in called] == ["name"]
    assert space["inner"](1, 5, key=7) == (3, (5,), 7, ["key", "more", "number", "step"])
    assert space["closure"](4)(1)[0] == 5 and list(space["steps"](2)) == [0, 1]
    assert called[1:] == [sorted, sorted, range]
    del called[:]
    square = numpy.eye(2)
    assert len(space["product"](square, square)) == 4
    assert called == [list, map, len, len], "a product is one of C's functions, which Python tells of"


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (numpy.sqrt, True),
        (numpy.dot, True),
        (list, True),
        (operator.itemgetter(1), True),
        (len, False),
        ([].append, False),
        (made, False),
        (numpy.sum, False),  # Python code, which has rows of its own
        (functools.lru_cache(lambda: 1), False),
        (functools.partial(max), True),
        (pytest.approx, False),
        (type("Callable", (), {"__call__": lambda self: 1})(), False),
    ],
)
def test_what_no_profiler_is_told_of_is_known(function, expected):
    assert is_unseen(function) is expected
