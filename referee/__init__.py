"""The local referee: the games' rules, matches between isolated players, commands and pages for people."""

import sys

__version__ = "0.1.0"

if sys.version_info < (3, 11):  # noqa: UP036  (before anything that an older Python cannot read)
    sys.stderr.write("referee: needs Python 3.11 or newer; this is {}.{}\n".format(*sys.version_info))
    sys.exit(2)


class UsageError(Exception):
    """The user asked for something that cannot be done: one sentence that says what to do; exit 2."""


class RefereeTrouble(Exception):
    """The referee itself cannot go on (a lost worker, isolation not available): exit 3."""
