"""Reads and writes a command line as a TOML file: `referee tournament night.toml`, and `--save`.

    game = "kalaha"
    players = ["alpha=./team_a,depth=3", "random"]
    pairs = 100
    format = "swiss"
    strict = true

Each other key is an option's long name.  Paths are as they would be typed, from the current folder.
"""

import argparse
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from referee import UsageError
from referee.commands.options import attached

SUFFIX = ".toml"
PLACES = ("game", "players")
SAVE = "--save"


def expanded(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """The words with those of a TOML file in the place of its name; what is typed besides wins."""
    for place, word in enumerate(words):
        if word.endswith(SUFFIX) and not word.startswith("-") and words[place - 1 : place] != [SAVE]:
            return [*_words(parser, Path(word)), *words[:place], *words[place + 1 :]]
    return list(words)


def written(words: Sequence[str], path: Path) -> None:
    """Write a command line, whose values are attached to their options, as such a file."""
    given: dict[str, Any] = {}
    game, *players = [word for word in words if not word.startswith("-")]
    repeated: dict[str, list[str]] = {}
    for word in words:
        if word.startswith("--"):
            name, is_valued, value = word[2:].partition("=")
            if f"--{name}" == SAVE:
                continue
            repeated.setdefault(name, []).append(value)
            given[name] = value if is_valued else True
    for name, values in repeated.items():
        if len(values) > 1 and name == "readable":
            given[name] = values
    lines = [f"game = {_toml(game)}", f"players = {_toml(players)}"]
    lines += [f"{name} = {_toml(value)}" for name, value in given.items()]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


def _words(parser: argparse.ArgumentParser, path: Path) -> list[str]:
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not TOML: {error}") from None
    names = {name[2:] for action in parser._actions for name in action.option_strings if name[:2] == "--"}
    given = {key.replace("_", "-"): value for key, value in given.items()}
    for key in given:
        if key not in names and key not in PLACES:
            near = get_close_matches(key, [*names, *PLACES], n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UsageError(f"{path}: there is no option {key!r}{hint}")
    places = [*_texts(given.pop("game", [])), *_players(given.pop("players", []))]
    return [*attached(parser, list(_options(given))), *places]


def _options(given: dict[str, Any]) -> Iterator[str]:
    for name, value in given.items():
        if value is True:
            yield f"--{name}"
        elif isinstance(value, list) and name == "readable":
            yield from (f"--{name}={one}" for one in value)
        elif value is not False:
            yield f"--{name}={','.join(_texts(value))}"


def _players(value: Any) -> list[str]:
    """Of a list its texts; of a table each with its label."""
    if isinstance(value, dict):
        return [f"{label}={text}" for label, text in value.items()]
    return _texts(value)


def _texts(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if value is True:
        return "true"
    return value if re.fullmatch(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?", value) else json.dumps(value)
