"""Returns things that are no actions: a class for each, named for what it returns."""

from collections import namedtuple

from legal import Legal


class Float(Legal):
    def trouble(self, chosen):
        return float(chosen)


class Bool(Legal):
    """True equals pond 1: it answers so as soon as that is legal."""

    WHEN = 1

    def trouble(self, chosen):
        return True


class Nothing(Legal):
    def action(self):
        """The None of a forgotten return."""
        super().action()


class List(Legal):
    def trouble(self, chosen):
        return [chosen]


class Tuple(Legal):
    """A plain literal, but not of this game."""

    def trouble(self, chosen):
        return (chosen,)


class Named(Legal):
    def trouble(self, chosen):
        return namedtuple("Move", "pond")(chosen)


class Agreeable(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


class Subclass(Legal):
    def trouble(self, chosen):
        return Agreeable(chosen + 90)


class Long(Legal):
    def trouble(self, chosen):
        return "x" * 2_000_000


class LongTuple(Legal):
    def trouble(self, chosen):
        return (1,) * 1_000_000


class Nested(Legal):
    def trouble(self, chosen):
        nested = ()
        for _ in range(100_000):
            nested = (nested,)
        return nested


class Huge(Legal):
    def trouble(self, chosen):
        return 10**100_000


class Surrogate(Legal):
    def trouble(self, chosen):
        return "\udc80"


class Itself(Legal):
    def trouble(self, chosen):
        inside = []
        inside.append(inside)
        return (inside,)


class Wrong(Legal):
    def trouble(self, chosen):
        return 99
