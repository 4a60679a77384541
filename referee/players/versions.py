"""Players that are objects of this process, made from words: for an agent's own train/, not for strangers.

player                         one of the names that the caller gives
module:Class                   what Python imports by that name; Player where no class is named
.  ../other/kalaha_agent       the agent's package, or another version of it: a copy in this process
.:yardstick  .:player:Player   a module of such a package, and a class of it

Behind it there may be, each after a comma: arguments of the constructor (`nodes=8000`); what is otherwise in
a copy of the agent's modules, in the one that uses it (`tree.STORM=0`, `tree.evaluate=@yardstick.static`);
and what is otherwise on the player, once made (`self.tree.quiet=None`).
"""

import importlib
import inspect
import re
import sys
from ast import literal_eval
from collections.abc import Mapping
from importlib.util import module_from_spec, resolve_name, spec_from_file_location
from itertools import count
from pathlib import Path
from typing import Any

NEXT_CHANGE = re.compile(r",(?=[\w.]+=)")  # a comma may also be part of a value
LIMITS = ("nodes", "seconds")  # which are above 0

_numbers = count(1)


class Maker:
    """Makes players as the words say; `names` are modules with a class, relative to `package`, its train/.

    `keywords` are told to a constructor that names them, unless the words say otherwise.
    ValueError, ImportError, AttributeError, OSError or what the player's own code raises, for words that say
    nothing that can be made.
    """

    def __init__(self, text: str, names: Mapping[str, str], package: str, **keywords: Any) -> None:
        self.text = text
        head, *changes = NEXT_CHANGE.split(text)
        values = dict(change.split("=", 1) for change in changes)
        on_player = [name for name in values if name.startswith("self.")]
        in_modules = [name for name in values if "." in name and name not in on_player]
        folder = Path(importlib.import_module(package).__path__[0]).parent  # the agent's own
        name, _, kind = head.partition(":")
        place, _, usual = names.get(name, name).partition(":")
        is_folder = name not in names and (name == "." or "/" in name)
        if is_folder:
            folder = folder if place == "." else Path(place).resolve()
            inside, _, kind = kind.partition(":")
            place = f"..{inside}"
        if is_folder or in_modules:
            package = f"{_copy(folder)}.train"
        for way in in_modules:
            _assign(package.rpartition(".")[0], way, values[way])
        module = importlib.import_module(resolve_name(place, package))
        self._made = getattr(module, kind or usual or "Player")
        self._on_player = [(name[5:], literal_eval(values[name])) for name in on_player]
        arguments = {name: _value(name, text) for name, text in values.items() if "." not in name}
        self._named = _named(self._made)
        told = {name: value for name, value in keywords.items() if name in self._named}
        self._arguments = {**told, **arguments}

    def __call__(self, colour: str, seed: int) -> Any:
        """A new player, which draws its lots from the seed unless the words give another."""
        seeded = {"seed": seed} if "seed" in self._named else {}
        player = self._made(colour, **{**seeded, **self._arguments})
        for way, value in self._on_player:
            *steps, attribute = way.split(".")
            there = player
            for step in steps:
                there = getattr(there, step)
            getattr(there, attribute)  # what is not there yet would change nothing
            setattr(there, attribute, value)
        return player


def _named(made: type) -> set[str]:
    """The keywords that a class's constructor names, and what it hands on to those of its bases."""
    found: set[str] = set()
    for cls in made.__mro__:
        if "__init__" in vars(cls):
            parameters = inspect.signature(vars(cls)["__init__"]).parameters.values()
            found.update(one.name for one in parameters)
            if all(one.kind is not inspect.Parameter.VAR_KEYWORD for one in parameters):
                break
    return found


def _value(name: str, text: str) -> Any:
    try:
        value = literal_eval(text)
    except (ValueError, SyntaxError):
        value = text
    if name in LIMITS and not (isinstance(value, int | float) and value > 0):
        raise ValueError(f"{name}={text} should be above 0")
    return value


def _copy(folder: Path) -> str:
    """The package in the folder, imported once more under a name of its own."""
    name = f"version{next(_numbers)}"
    spec = spec_from_file_location(
        name, str(folder / "__init__.py"), submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} is no package")
    sys.modules[name] = package = module_from_spec(spec)
    spec.loader.exec_module(package)
    return name


def _assign(package: str, name: str, text: str) -> None:
    """Set what a module of the package has under that name to a value, or to what another module has."""
    place, _, attribute = name.rpartition(".")
    module = importlib.import_module(f"{package}.{place}")
    getattr(module, attribute)
    if text.startswith("@"):
        other, _, function = text[1:].rpartition(".")
        setattr(module, attribute, getattr(importlib.import_module(f"{package}.{other}"), function))
    else:
        setattr(module, attribute, literal_eval(text))
