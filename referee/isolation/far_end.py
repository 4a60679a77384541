"""What the player's own process runs: imports the player, makes it, and calls it as it is asked to.

`play`, `check` and `profile` all have a player's process run this; check and profile add calls of their own
(check/calls.py, profile/calls.py).  The referee believes nothing that comes from here: the player shares this
process and may do as it likes with it.  A request is a line, `[number, call, argument...]`
in JSON, where arrays stand for tuples; so is the one reply to it, `[number, kind, content...]`:

    [7, "ok"]                                    the call returned
    [7, "action", ["SLIDE", [0, 1], [0, 2]]]     what `action` returned
    [7, "meanwhile", "('SLIDE', (0, 1), (0, 2))"]    before that, where it was asked for: the best so far
    [7, "searched", 3, "depth 9 score 14"]       what `action` returned, and what the player's `search` says
    [7, "turned", 3, "numpy.int64", ""]          likewise; it was no plain literal, but its course takes it
    [7, "expected", "3\\n4"]                      the line of play that its search expects
    [7, "refused", "float 4.5"]                  it returned something that no action is made of
    [7, "raised", "ValueError: no", "File..."]   what it raised, and where
    [7, "missing", "it has no class Player"]     what was to be imported is not there

At the level of isolation `full` it confines itself before anything of the player's is imported (confinement).
"""

import ast
import importlib
import inspect
import io
import json
import os
import sys
import traceback
import types
from numbers import Real
from typing import Any

from . import confinement, pages, plain, proc, variation

LINE = 65536  # bytes read at once
MESSAGE = 300  # characters of what an exception says
FRAMES = 4  # the innermost, of a traceback
FRAME = 150  # characters of each
EXPECTED = 1000  # characters of a line of play
TURNED = 100  # characters of the names of types that were turned into plain ones
REPLY = 4000  # bytes the referee is sure to read
MOST_CLASSES = 8  # that are named where none of them was wanted
FIGURES = ("depth", "score", "nodes")  # of a player's search
BOUND = 10**15  # of a figure


def is_figure(value):
    """Whether this is a number that a search may say: numpy's too, but no bool, nor one beyond all bounds."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    return is_number and value < BOUND and not value <= -BOUND


def figure(value):
    """A number in decimals, without an exponent."""
    return f"{float(value):.6f}".rstrip("0").rstrip(".")


def encoded(*reply):
    """The reply as a line."""
    return json.dumps(reply, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def bounded(text, length):
    """The text, of a long one its beginning and its end, without what would take more room in JSON."""
    text = str(text)
    if len(text) > length:
        text = text[: length // 2] + "..." + text[3 - length // 2 :]
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def error_and_place(error):
    """What was raised, in a line, and where, innermost last; each is bounded."""
    name = bounded(type(error).__name__, MESSAGE)
    try:
        said = bounded(error, MESSAGE)
    except BaseException as second:
        said = f"(its message cannot be had: {bounded(type(second).__name__, MESSAGE)})"
    where = []
    for frame in traceback.extract_tb(error.__traceback__)[-FRAMES:]:
        if frame.filename != __file__ and not frame.filename.startswith("<frozen"):
            where.append(bounded(f"{frame.filename}:{frame.lineno} in {frame.name}: {frame.line}", FRAME))
    if syntax := in_syntax(error):
        message, file, line = syntax
        said = bounded(message, MESSAGE)
        where.append(bounded(f"{file}:{line} in <module>: {str(error.text).strip()}", FRAME))
    return (f"{name}: {said}" if said else name), "\n".join(where)


def in_syntax(error):
    """What is wrong, in which file and line, where a file is not Python; None where the error is another.

    Such an error's own words have the file's last name alone.
    """
    if type(error) in (SyntaxError, IndentationError, TabError) and type(error.lineno) is int:
        return str(error.msg), str(error.filename), error.lineno
    return None


OURS = types.SimpleNamespace(pages=pages, plain=plain, proc=proc, variation=variation, in_syntax=in_syntax)


def instead(module, names):
    """The classes that a package has where it lacks those of these names."""
    package = module.__name__.partition(".")[0]
    classes = [
        name
        for name, one in vars(module).items()
        if isinstance(one, type) and str(getattr(one, "__module__", "")).partition(".")[0] == package
    ]
    if not classes:
        return "; it has none"
    from difflib import get_close_matches

    near = get_close_matches(names[0], classes, n=1)
    hint = f"; did you mean '{module.__name__}:{near[0]}'?" if near else ""
    return f"; it has {', '.join(classes[:MOST_CLASSES])}{hint}"


class Caller:
    """The calls a player gets; each is the answer to a request of its name."""

    def __init__(self, send, finder=None):
        self.finder: Any = finder  # what finds a confined player's modules
        self.player_class: Any = None
        self.player: Any = None
        self.judging = plain.EXACT  # what its course takes for an action
        self.searched = None  # what the search said last, and the line of play that it expected
        self.number = 0  # of the request that is being answered
        self.send = send
        usual = self.load, self.make, self.action, self.set_up, self.update, self.expected
        self.calls = {call.__name__: call for call in usual}

    def load(self, folder, module, names):
        """Import the module and find the first of the classes in it."""
        loaded = self.imported(folder, module)
        origin = getattr(loaded, "__file__", None) or ""
        if not origin and hasattr(loaded, "__path__"):  # a folder
            return "missing", "its __init__.py cannot be read; where that is a link, put a copy there"
        if not os.path.abspath(origin).startswith(os.path.join(folder, "")):
            return "missing", "Python has a module of that name already; rename the player"
        if self.found(loaded, names):
            return ("ok",)
        return "missing", f"it has no class {' or '.join(names)}{instead(loaded, names)}"

    def imported(self, folder, module):
        """The module, from that folder if it is there."""
        sys.path.insert(0, folder)
        if self.finder:
            sys.meta_path.insert(0, self.finder(folder, module))
        return importlib.import_module(module)

    def found(self, module, names):
        """The first of these names that the module has a class or a function by, which makes players."""
        for name in names:
            self.player_class = getattr(module, name, None)
            if callable(self.player_class):
                return name
        return None

    def make(self, colour, given, offered, judging=plain.EXACT):
        """Make the player: with the keywords given, and those of the ones offered that it names."""
        self.judging = judging
        given, offered = ast.literal_eval(given), ast.literal_eval(offered)
        if offered.pop("tell", False):
            offered["tell"] = self.meanwhile
        known = self.keywords()
        named = {name: value for name, value in offered.items() if name in known}
        self.refuse_unknown(given, known)
        self.player = self.player_class(colour, **{**named, **given})
        return ("ok",)

    def action(self):
        """The player's action, if it can be sent."""
        try:
            action, turned = self.chosen()
        except plain.Refused as refused:
            return "refused", bounded(refused, MESSAGE)
        said = self._search()
        if turned:
            return "turned", action, bounded(", ".join(turned), TURNED), said
        return ("searched", action, said) if said else ("action", action)

    def chosen(self):
        """The player's action as a plain literal, and the types that had to be turned; or plain.Refused."""
        return plain.literal(self.player.action(), self.judging)

    def meanwhile(self, action):
        """What a player calls while it thinks, with the action that it would choose by now."""
        self.send(
            encoded(self.number, "meanwhile", repr(plain.tuples(plain.literal(action, self.judging)[0])))
        )

    def tell(self, content):
        """What further calls say before their reply."""
        self.send(encoded(self.number, "told", content))

    def set_up(self, line):
        """Let the player go on from another position."""
        if not callable(getattr(self.player, "set_up", None)):
            return "missing", "it has no method set_up(line)"
        self.player.set_up(line)
        return ("ok",)

    def expected(self):
        """The line of play that its search expected when it last acted, an action a line."""
        package = self.player_class.__module__.partition(".")[0]
        found = variation.expected(self.player, package) or []
        lines, room = [], EXPECTED
        for action in found:
            room -= len(action) + 1
            if room < 0:
                break
            lines.append(bounded(action, MESSAGE))
        return "expected", "\n".join(lines)

    def update(self, news, named):
        """Tell the player what happened."""
        self.player.update(
            *plain.tuples(news), **{name: plain.tuples(value) for name, value in named.items()}
        )
        return ("ok",)

    def _search(self):
        """What the player's `search`, if it has one, says of the action; "" where it did not run for it.

        Only attributes are looked at that are simply there, so that no code of the player's runs for this.
        """
        try:
            search = vars(vars(self.player)["search"])
            figures = [(name, search.get(name)) for name in FIGURES]
            said = " ".join(f"{name} {figure(value)}" for name, value in figures if is_figure(value))
            before, self.searched = self.searched, (said, search.get("pv"))
            is_old = before and before[0] == said and before[1] is self.searched[1]
            return "" if is_old or not said.startswith(FIGURES[:2]) else said
        except BaseException:
            return ""

    def refuse_unknown(self, given, known):
        """TypeError as Python's, that says more: which arguments the constructor has instead."""
        unknown = [name for name in given if name not in known]
        if not unknown or inspect.Parameter.VAR_KEYWORD in self.kinds():
            return
        from difflib import get_close_matches

        near = get_close_matches(unknown[0], known, n=1)
        hint = (
            f"; did you mean {near[0]!r}?"
            if near
            else f"; it has {', '.join(known)}"
            if known
            else "; it has none"
        )
        name = getattr(self.player_class, "__name__", "Player")
        raise TypeError(f"{name}.__init__() got an unexpected keyword argument {unknown[0]!r}{hint}")

    def kinds(self):
        """Which kinds of arguments its constructor has; every kind where that is not to be known."""
        try:
            return {one.kind for one in inspect.signature(self.player_class).parameters.values()}
        except (TypeError, ValueError):
            return set(inspect._ParameterKind)

    def keywords(self):
        """The names that its constructor spells out, after the colour's."""
        try:
            parameters = list(inspect.signature(self.player_class).parameters.values())
        except (TypeError, ValueError):
            return []
        spelt = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        return [one.name for one in parameters[1:] if one.kind in spelt]


def answer(caller, number, call, *arguments):
    """The reply to one request, as a line."""
    caller.number = number
    try:
        reply = caller.calls[call](*map(plain.tuples, arguments))
        line = encoded(number, *reply)
    except BaseException as error:
        try:
            summary, where = error_and_place(error)
            line = encoded(number, "raised", summary, where)
            if len(line) > REPLY:
                line = encoded(number, "raised", ascii(summary)[:MESSAGE], "")
        except BaseException:
            line = encoded(number, "raised", "an exception that cannot be described", "")
    for output in ("stdout", "stderr"):
        try:
            getattr(sys, output).flush()
        except BaseException:  # whatever the player has put in its place
            pass
    return line


def run(options, loaded=None):
    """Be the far end on the descriptors 0 and 1 until there are no more requests; the process ends with it.

    `options` has `readable`, the paths that a confined player may read, where it is confined; `calls`, the
    folder of further calls, where there are any, which load what else they need; `is_plain`, whether the
    player has no use for numpy; and `variables` of its environment.  `loaded` is what a launcher has loaded.
    """
    try:
        os.environ.update(options["variables"])
        _run(options["readable"], options["calls"], options["is_plain"], loaded)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)  # no exit hooks, and no waiting for threads that the player has left behind


def _run(readable, calls, is_plain, loaded):
    requests, replies = os.dup(0), os.dup(1)  # these two, being copies, are not inherited
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # as on a terminal: what a killed player said is not lost
    if loaded:
        loaded.renew()
    if readable is not None:
        confinement.confine(readable)

    def send(line):
        while line:
            line = line[os.write(replies, line) :]

    caller, waiting = Caller(send, None if readable is None else confinement.Beside), b""
    if calls:
        caller.calls.update(_further(calls).calls(caller, OURS))
    elif not is_plain:
        _import_numpy()  # before the player's memory is counted
    send(encoded(0, "ready"))
    while received := os.read(requests, LINE):
        *lines, waiting = (waiting + received).split(b"\n")
        for line in lines:
            send(answer(caller, *json.loads(line)))


def _further(folder):
    """The module `calls` of that folder, which the player does not find."""
    package = types.ModuleType("further")
    package.__path__ = [folder]
    sys.modules["further"] = package
    found = importlib.import_module("further.calls")
    for name in [name for name in sys.modules if name.partition(".")[0] == "further"]:
        del sys.modules[name]
    return found


def _import_numpy():
    try:
        import numpy  # noqa: F401
    except ImportError:
        pass
