"""The local referee: rules of the games, matches between isolated players, and what people look at."""


class UsageError(Exception):
    """The user asked for something that cannot be done: one sentence that says what to do; exit 2."""


class RefereeTrouble(Exception):
    """The referee itself cannot go on (a lost worker, isolation not available): exit 3."""
