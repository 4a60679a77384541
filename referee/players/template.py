"""A first player of a game: the files that `referee new` writes, made from those in `templates`.

    templates/common/         what all players have
    templates/GAME/           a game's own files, in place of those in common; `any` is for all other games
    templates/GAME/search/    with a search: files in place of those
    templates/shared/         copies of the shared files, of which a player gets those that it imports

A template is a file that runs as it stands; only the names of the game and the variant are put into it.  A
game without templates gets a copy of its rules.
"""

import ast
import os
import re
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from referee import UsageError, rules

TEMPLATES = Path(__file__).with_name("templates")
SEARCH = "search"
# What a copy of the rules imports of itself, and the class of errors that it would import of the referee.
OF_COPIES = (
    ("from referee import rules$", "from .. import rules"),
    ("from referee.rules import ", "from . import "),
    ("from referee import UsageError$", 'class UsageError(Exception):\n    """There is no such game."""\n'),
)

Files = dict[str, str]  # by path below the player's folder, with slashes
TAKEN = ("referee", "numpy", "random", "greedy", "human", "__init__", "__main__")


def files(game: str, with_search: bool = False) -> Files:
    """The files of a first player; UsageError where the game has no template that fits and can have none."""
    name, _, variant = game.partition(":")
    own = TEMPLATES / name
    is_any = not own.is_dir()
    layers = [TEMPLATES / "common", TEMPLATES / "any" if is_any else own]
    if with_search:
        layers.append(layers[-1] / SEARCH)
    found = {path.name: _read(path) for layer in layers for path in sorted(layer.glob("*.py"))}
    if is_any:
        if with_search and len(rules.start(game).to_act()) == 2:
            raise UsageError(f"there is no search for {name}, where both choose at once; leave it out")
        found.update(_rules(name))
    found.update(_shared(found.values()))
    return {path: _of_game(text, name, variant) for path, text in sorted(found.items())}


def write(folder: Path, found: Files) -> None:
    """Write the files into a folder that is not there yet; UsageError where it is, or cannot be made."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
        for name, text in found.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    except FileExistsError:
        if not os.path.lexists(folder):  # a folder above it is a file
            raise UsageError(f"cannot write {folder}: there is a file on the way to it") from None
        raise UsageError(f"{folder} is there already, and is left as it is; name a new folder") from None
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror or error}") from None


def refuse_name(folder: Path) -> None:
    """UsageError where a player's folder of that name could not be imported, or would hide something else."""
    name = folder.name
    write = "use letters from a to z, digits and _ alone, and a letter first, as in my_team"
    if iskeyword(name):
        raise UsageError(f"{name!r} is a word of Python's own; name the folder otherwise, my_{name} say")
    if not name.isidentifier():
        raise UsageError(f"{name!r} is no name that Python can import; {write}")
    if not name.isascii():
        raise UsageError(f"{name!r} has letters that not every machine can write; {write}")
    if name in sys.stdlib_module_names or name in TAKEN:
        raise UsageError(f"{name!r} is the name of something else already; name the folder otherwise")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _of_game(text: str, name: str, variant: str) -> str:
    """The template's text for a game and variant."""
    whole = f"{name}:{variant}" if variant and "VARIANT = " not in text else name
    text = re.sub('^GAME = ".*?"', f'GAME = "{whole}"', text, flags=re.M)
    return re.sub('^VARIANT = ".*?"', f'VARIANT = "{variant}"', text, flags=re.M)


def _shared(texts: Iterable[str]) -> Files:
    """Copies of the shared files that these import, and of those that they import themselves."""
    waiting = [name for text in texts for name in _imported(text, "shared.")]
    found: Files = {}
    while waiting:
        path = TEMPLATES / "shared" / f"{waiting.pop()}.py"
        name = f"shared/{path.name}"
        if name not in found:
            found[name] = _read(path)
            waiting += _imported(found[name], "")
    if found:
        found["shared/__init__.py"] = _read(TEMPLATES / "shared" / "__init__.py")
    return found


def _imported(text: str, package: str) -> list[str]:
    """The modules of a package beside a file that it imports from."""
    nodes = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom) and node.level == 1
    ]
    modules = [node.module or "" for node in nodes]
    return [module.removeprefix(package) for module in modules if module.startswith(package) and module]


def _rules(game: str) -> Files:
    """A copy of the rules of a game; UsageError where they lean on more than can be copied."""
    spec = find_spec(f"{rules.__name__}.{game}")
    if spec is None or spec.origin is None:
        raise UsageError(f"the rules of {game} are in no file, so there is no first player to copy")
    place = Path(spec.origin)
    own, base = _copy(place), _copy(Path(rules.__file__))
    if place.name == "__init__.py" or re.search(r"^\s*(from|import) referee\b", own, re.M):
        raise UsageError(f"the rules of {game} are more than one file, so there is no first player to copy")
    return {"rules/__init__.py": base, f"rules/{game}.py": own}


def _copy(path: Path) -> str:
    """A file of the rules, as it can stand in a player."""
    text = _read(path)
    for line, instead in OF_COPIES:
        text = re.sub(f"^{line}", instead, text, flags=re.M)
    return text
