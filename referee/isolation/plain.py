"""Turns an action that a player returned into a plain one that JSON can carry, and back.

An action is made of int, str and tuple.  The courses' programs take more, each in its way, and what such a
program takes is turned into the plain literal here; rules.Course says which way is a game's:

    exact      nothing but int, str and tuple
    written    also what is written alike: numpy's integers and strings, named tuples, other subclasses
    equal      also what is equal by ==: True and 1.0 for 1, numpy's numbers and arrays of one number

No method of a subclass is asked, since it may say what it likes: what counts is the int, str or tuple
that it holds.  Whether that is legal is not known here.
"""

import sys
from numbers import Number

EXACT, EQUAL = "exact", "equal"
BITS = 4096  # of the largest int that is sent
PARTS = 4096  # of a tuple that are sent: more than the referee reads
DEPTH = 20  # tuples within tuples
SHOWN = (bool, float, complex, type(None))  # refused, but short and harmless to show


class Refused(Exception):
    """An action that cannot be sent; `kind` is the type that has no place in one."""

    def __init__(self, said, kind):
        super().__init__(said)
        self.kind = kind


def unfit(said):
    """The sentence about an action that was refused, of which Refused says this."""
    hint = ": is there a `return` on every way?" if said == "NoneType None" else ""
    return f"an action is made of int, str and tuple, not {said}{hint}"


def tuples(value):
    """What JSON brought, with tuples for its arrays: the way back from `literal`."""
    return tuple(map(tuples, value)) if type(value) is list else value


def literal(value, judging=EXACT):
    """The action in JSON's terms, lists for tuples, and the names of the types that had to be turned."""
    turned: list[str] = []
    return _literal(value, judging, turned, 0), turned


def _literal(value, judging, turned, depth):
    kind = type(value)
    if kind is str or kind is int and value.bit_length() <= BITS:
        return value
    if kind is tuple and depth < DEPTH:
        return [_literal(part, judging, turned, depth + 1) for part in value[:PARTS]]
    held = None if judging == EXACT or kind in (int, tuple) else _held(value, kind, judging)
    if held is None:
        name = _name(kind)
        said = {int: "int of too many digits", tuple: "tuple nested too deeply"}.get(kind, name)
        raise Refused(f"{name} {value!r}" if kind in SHOWN else said, said)
    if _name(kind) not in turned:
        turned.append(_name(kind))
    return _literal(held, judging, turned, depth)


def _held(value, kind, judging):
    """The int, str or tuple that another object is in its course's eyes; None: it is none."""
    try:
        numpy = sys.modules.get("numpy")
        if numpy and issubclass(kind, numpy.generic):
            value = numpy.generic.item(value)
        elif numpy and issubclass(kind, numpy.ndarray):
            value = numpy.ndarray.item(value) if judging == EQUAL else None
        kind = type(value)
        if issubclass(kind, str):
            return str.__str__(value)
        if issubclass(kind, tuple):
            return tuple.__getitem__(value, slice(0, PARTS))
        if issubclass(kind, int) and (kind is not bool or judging == EQUAL):
            return int.__index__(value)
        if judging == EQUAL:
            return _whole(value, kind)
    except (ValueError, TypeError, AttributeError, ArithmeticError):  # NaN, an array of several numbers
        pass
    return None


def _whole(value, kind):
    """The int that a number of another kind is equal to; None: there is none."""
    if issubclass(kind, float):
        value = float.__float__(value)
    elif not issubclass(kind, Number):
        return None
    whole = int(value.real)
    return whole if value == whole else None


def _name(kind):
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
