"""Players that a program gives as objects: classes with the courses' interface, and functions.

Such a player is called where it is; or, to play in a process of its own, it is found again by the file that
defines it, which is then imported there.
"""

import importlib
import inspect
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

from referee import UsageError
from referee.players.baseline import Function, takes
from referee.players.files import laid_out
from referee.players.names import BASELINE, HERE, ROOT, Spec

REFEREE = str(ROOT / "referee")  # which the file may import: it is what gave us the object

Given = type | Callable[..., Any]


def named(player: Given) -> Spec:
    """What a player of this process is called: a class `Player` by its package, all else by its own name."""
    if not callable(player):
        raise UsageError(f"a player is a name, a path, a class or a function, not {player!r:.100}")
    name = getattr(player, "__name__", type(player).__name__)
    if not isinstance(player, type) and not (takes(player, 2) or takes(player, 3)):
        raise UsageError(
            f"{name} cannot play: a function is called with the state and the legal actions, "
            "and with the number of its player if it takes a third argument"
        )
    module = getattr(player, "__module__", None) or ""
    if name == "Player" and module not in ("", "__main__"):
        name = module.partition(".")[0]
    return Spec(name, HERE, str(ROOT), None)


def made(player: Given, game: str) -> Callable[..., Any]:
    """What makes the player of its colour and the keywords that it names, as a class does."""
    if isinstance(player, type):
        return player
    return lambda colour: Function(colour, game, function=player)


def loaded(spec: Spec, on_crash: Callable[[BaseException], None] | None = None) -> Callable[..., Any]:
    """The class of a player that was named, imported here; UsageError where it does not import."""
    folder, _ = laid_out(spec)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        module = importlib.import_module(spec.module)
    except Exception as error:
        if on_crash:
            on_crash(error)
        last = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__}: {error} ({last.filename}:{last.lineno})"
        raise UsageError(f"player {spec.name!r} does not import: {said}") from None
    names = [spec.cls] if spec.cls else ["Player", "ExamplePlayer"]
    for name in names:
        if callable(found := getattr(module, name, None)):
            return found
    own = [
        name for name, one in vars(module).items() if isinstance(one, type) and one.__module__ == spec.module
    ]
    has = f"; it has {', '.join(own[:8])}: name one as {spec.name}:{own[0]}" if own else "; it has none"
    raise UsageError(f"player {spec.name!r} has no class {' or '.join(names)}{has}")


def importable(player: Given) -> tuple[Spec, tuple[str, ...]]:
    """The same player for a process of its own, and what that has to be able to read besides."""
    spec = named(player)
    module, folder = _home(player)
    if isinstance(player, type):
        return Spec(spec.name, module, folder, player.__qualname__), (REFEREE,)
    arguments = (("function", player.__qualname__), ("module", module), ("folder", folder))
    return Spec(spec.name, BASELINE, str(ROOT), Function.__name__, arguments), (folder, REFEREE)


def _home(player: Given) -> tuple[str, str]:
    """The module that defines the player, and the folder to import it from."""
    name = getattr(player, "__qualname__", "")
    module = sys.modules.get(getattr(player, "__module__", None) or "")
    path = getattr(module, "__file__", None)
    if not name.isidentifier() or module is None or path is None or not path.endswith(".py"):
        what = name.rpartition(".")[2] or repr(player)[:100]
        raise UsageError(
            f"{what} cannot be imported by another process; define it at the top of a file, and name that"
        )
    place = os.path.abspath(inspect.getfile(module))
    if module.__name__ == "__main__":
        return os.path.splitext(os.path.basename(place))[0], os.path.dirname(place)
    above = module.__name__.count(".") + (os.path.basename(place) == "__init__.py")
    for _ in range(above + 1):
        place = os.path.dirname(place)
    return module.__name__, place
