"""The command line that each action of the page stands for: the lab runs these words, and shows the line.

Each function takes what the page's forms say and gives the words behind `referee`.  Values are attached to
their options, so that nothing that stands in a form or in a file's name is read as an option.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from referee import UsageError, rules

Given = Mapping[str, Any]
Words = list[str]

RECORDS, TOURNAMENTS, PROFILES, CHECKS = "records", "tournaments", "profiles", "checks"  # folders in FOLDER
LIMITS = ("time", "space", "action-time", "first-time", "nodes")
LONGEST = 4000  # characters of a value
# How a command is told to speak to the lab; who types it has no use for them.
SPOKEN = ("--control", "--paused", "--json", "--stream", "--boards")


def line(words: Words) -> str:
    """As it is typed in a shell, by somebody who reads what it says."""
    return shlex.join(["referee", *(word for word in words if word not in SPOKEN)])


def play(given: Given) -> Words:
    """A match that is watched, and steered."""
    words = ["play", *_places(given, "game", "first", "second")]
    words += _options(given, *LIMITS, "opening", "seed", "delay", "from", "turn", "position")
    return [*words, f"--record={RECORDS}", *_flags(given, "paused"), "--control"]


def play_on(given: Given) -> Words:
    """Many games from a turn of a record, or from a position."""
    words = ["play", *_places(given, "game", "first", "second")]
    words += _options(given, *LIMITS, "seed", "from", "turn", "position", "games")
    return [*words, "--keep-seats", "--json"]


def analyse(given: Given) -> Words:
    """What several players would do there."""
    words = ["analyse", *_places(given, "game"), *_players(given, "agents")]
    return [*words, *_options(given, "record", "turn", "position", "colour", "seconds", "nodes"), "--json"]


def profile(given: Given) -> Words:
    """Where the time of a turn goes."""
    words = ["profile", *_places(given, "game", "agent")]
    words += _options(given, "record", "turn", "position", "colour", "nodes", "seconds", "samples")
    parts = given.get("game"), given.get("agent"), given.get("record", "start"), given.get("turn", "")
    return [*words, f"--save={PROFILES}/{_name(*parts)}.json", "--stream"]


def tournament(given: Given) -> Words:
    """Many pairs of games."""
    words = ["tournament", *_places(given, "game"), *_players(given, "players")]
    words += _options(
        given, "format", "pairs", "rounds", "opening", "seed", "sprt", "jobs", "on-fault", *LIMITS
    )
    return [*words, *_options(given, "journal"), f"--record={RECORDS}", "--json", "--boards"]


def check(given: Given) -> Words:
    """What a course could object to."""
    words = ["check", *_places(given, "game", "agent"), *_options(given, "share", "only")]
    saved = checked(str(given.get("game")), str(given.get("agent")))
    return [*words, f"--record={RECORDS}", "--stream", f"--save={saved}"]


def pack(given: Given) -> Words:
    """The zip to hand in."""
    words = ["pack", *_places(given, "game", "agent", "out"), *_options(given, "name")]
    words += [*(f"--despite={step}" for step in given.get("despite") or [])]
    return [*words, f"--record={RECORDS}", "--stream"]


def checked(game: str, agent: str) -> str:
    """Where the last check of a player is kept."""
    return f"{CHECKS}/{_name(game, agent)}.json"


ACTIONS: Mapping[str, Callable[[Given], Words]] = {
    one.__name__: one for one in (play, play_on, analyse, profile, tournament, check, pack)
}
LONG = {"seconds": "time"}  # where a form's name is not the option's


def words(action: str, given: Given) -> Words:
    """The words of an action; UsageError where something is missing, or there is no such game."""
    if action not in ACTIONS:
        raise UsageError(f"there is no action {action[:40]!r}")
    if isinstance(game := given.get("game"), str):
        rules.start(game)  # which says what its variants are
    return ACTIONS[action](given)


def _places(given: Given, *names: str) -> Words:
    return [_value(name, given.get(name)) for name in names]


def _players(given: Given, name: str) -> Words:
    players = given.get(name)
    if not isinstance(players, list) or not players:
        raise UsageError(f"name one of the {name} at least")
    return [_value("player", one) for one in players]


def _value(name: str, value: Any) -> str:
    """A word in a place of its own; one that looks like an option is none."""
    if not isinstance(value, str) or not value or len(value) > LONGEST:
        raise UsageError(f"{name} is missing")
    if value.startswith("-"):
        raise UsageError(f"{name} cannot begin with a minus; write ./{value[:60]}")
    return value


def _options(given: Given, *names: str) -> Words:
    found = {name: given.get(name) for name in names}
    texts = {name: str(value) for name, value in found.items() if value not in (None, "", False)}
    if any(len(text) > LONGEST for text in texts.values()):
        raise UsageError(f"a value has at most {LONGEST} characters")
    return [f"--{LONG.get(name, name)}={text}" for name, text in texts.items()]


def _flags(given: Given, *names: str) -> Words:
    return [f"--{name}" for name in names if given.get(name)]


def _name(*parts: Any) -> str:
    """A file's name that says what it is of."""
    texts = [re.sub(r"[^A-Za-z0-9_]+", "-", str(part).removesuffix(".txt")).strip("-") for part in parts]
    return "-".join(text[-60:] for text in texts if text)
