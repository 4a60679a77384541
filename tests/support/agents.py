"""The games that have an agent here, and which of the agents every test is about.

A new agent has to play legal actions and to import nothing but itself, numpy and the standard library.  With
a line in tests/bench.txt it is one of the MEASURED: then it is held to all that ours promise (limits, seeds,
`set_up`, errors survived, documents).
"""

import contextlib
import importlib
import inspect
import warnings

from referee import rules
from tests import ROOT


def agent_of(game: str) -> str:
    return f"{game.partition(':')[0]}_agent"


def player_class(game: str):
    return importlib.import_module(agent_of(game)).Player


def player(game: str, seat: int, **keywords):
    """The agent of the game (`kalaha:4x3`, too) in a seat, told those of the keywords that it names."""
    keywords = {"variant": game.partition(":")[2], "seed": 360, **keywords}
    return player_class(game)(rules.start(game).COLOURS[seat], **named(game, keywords))


def named(game: str, keywords: dict) -> dict:
    """Those of the keywords that the constructor of the game's agent names."""
    known = inspect.signature(player_class(game)).parameters
    return {name: value for name, value in keywords.items() if name in known}


@contextlib.contextmanager
def faults_are(said: str):
    """The faults in searches that are told of meanwhile are those in which this is said."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
    assert all("the search failed" in str(one.message) and said in str(one.message) for one in told)


def kept_signatures() -> dict[str, str]:
    """What tests/bench.txt holds of the agents' searches."""
    lines = (ROOT / "tests" / "bench.txt").read_text().splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


GAMES = [game for game in rules.games() if (ROOT / agent_of(game) / "__init__.py").is_file()]
MEASURED = list(kept_signatures())
EVERY_VARIANT = [
    f"{game}:{variant}" if variant else game
    for game in MEASURED
    for variant in ("", *rules.start(game).VARIANTS)
]
