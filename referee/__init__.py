"""The local referee: the games' rules, matches between isolated players, commands and pages for people.

    import referee

    result = referee.play("kalaha", "kalaha_agent", "random")

README.md in this folder says what else there is; nothing is imported before it is used.
"""

import sys

__version__ = "0.1.0"

if sys.version_info < (3, 11):  # noqa: UP036  (and this file is read by Python 2.7 as well, to say so)
    sys.stderr.write("referee: needs Python 3.11 or newer; this is {}.{}\n".format(*sys.version_info))
    sys.exit(2)

__all__ = ["RefereeTrouble", "Result", "Series", "UsageError", "__version__", "env", "match", "play", "rules"]


class UsageError(Exception):
    """The user asked for something that cannot be done: one sentence that says what to do; exit 2."""


class RefereeTrouble(Exception):
    """The referee itself cannot go on (a lost worker, isolation not available): exit 3."""


def __getattr__(name):  # type: (str) -> object
    """What a program asks for is imported then."""
    from importlib import import_module

    if name in ("play", "Result", "Series"):
        return getattr(import_module("referee.api"), name)
    if name == "env":
        return import_module("referee.environments").environment
    if name in ("match", "rules"):  # the room `match` can be called: see there
        return import_module("referee." + name)
    raise AttributeError("module 'referee' has no attribute {!r}".format(name))  # noqa: UP032


def __dir__():  # type: () -> list[str]
    return sorted(list(globals()) + __all__)
