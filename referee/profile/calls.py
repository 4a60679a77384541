"""What a profile runs inside the player's process: it takes one turn of the player's, and measures it.

After `load` come `make_for_turn`, `bring` (and `act`, for an earlier turn), and `measure`, which watches the
player's `action()` in one of the ways of watches.py; or `series`, which does so for all actions of a game.
"""

import ast
import gc
import inspect
import os
import time
import traceback
from collections.abc import Callable
from typing import Any

from . import sampling
from .watches import WATCHES, Alone, Collecting, Package

FIGURES = ("depth", "nodes", "table_hits", "cut_offs", "first_move_cuts", "score")  # of a search
RUNAWAY = 4096  # megabytes from the import on: the user's machine has to survive a profile
NODES = 20_000  # unless the player's class says with `bench_nodes` what is usual for it


class Unfit(Exception):
    """What is asked for cannot be done with this player: the user's mistake, not the player's."""


def calls(caller: Any, ours: Any) -> dict[str, Callable[..., tuple[Any, ...]]]:
    """Each further call by its name; `ours` has what of the far end's is used."""
    sampling.import_numpy()
    added = ProfileCalls(caller, ours)
    own = added.load, added.make_for_turn, added.bring, added.act, added.measure, added.series
    return {call.__name__: added.fitting(call) for call in own}


class ProfileCalls:
    """One player and one turn."""

    def __init__(self, caller: Any, ours: Any):
        self.caller, self.ours = caller, ours
        self.nodes: int | None = None  # that the turn is bounded by
        self.folder = ""  # that it is imported from

    def fitting(self, call: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
        """The call, which may be one that does not fit this player."""

        def ask(*arguments: Any) -> tuple[Any, ...]:
            try:
                return call(*arguments)
            except Unfit as error:
                return "unfit", str(error)
            except BaseException as error:  # SystemExit too is something that a player may raise
                syntax = self.ours.in_syntax(error)
                said = f"{type(error).__name__}: {syntax[0] if syntax else error}".split("\n")[0][:300]
                return "raised", said + _place(error, self.folder, syntax)

        return ask

    def load(self, folder: str, module: str, names: tuple[str, ...]) -> tuple[Any, ...]:
        """Import the player."""
        self.folder = folder
        self.module = self.caller.imported(folder, module)
        if not self.caller.found(self.module, names):
            classes = [name for name, one in vars(self.module).items() if isinstance(one, type)]
            has = f"it has {', '.join(classes[:8])}: " if classes else ""
            raise Unfit(f"it has no class {' or '.join(names)}; {has}name one as package:Class")
        self._bound_memory()
        return ("ok",)

    def make_for_turn(self, colour: str, given: str, offered: str, judging: str) -> tuple[Any, ...]:
        """Make the player, so that its turn is bounded by nodes or by time as it was asked for."""
        told, cls = ast.literal_eval(offered), self.caller.player_class
        named = _names(cls)
        if "nodes" in named and "seconds" not in told:
            told.setdefault("nodes", getattr(cls, "bench_nodes", NODES))
        elif "nodes" in told and "nodes" not in named:
            raise Unfit("its constructor names no `nodes`, so its turn cannot be bounded by them; use --time")
        if "seconds" in told and not {"seconds", "action_seconds"} & set(named):
            raise Unfit("its constructor names no `seconds`, so it takes the time it takes; leave out --time")
        self.nodes = ast.literal_eval(given).get("nodes", told.get("nodes") if "nodes" in named else None)
        return self.caller.make(colour, given, repr(told), judging)

    def bring(self, position: str | None, news: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
        """Bring the player on: by a position, and by what it would have been told since."""
        if position is not None:
            if not callable(getattr(self.caller.player, "set_up", None)):
                lacks = "it has no `set_up` to read a position with"
                raise Unfit(f"{lacks}; use the start, or the record of a game from there")
            self.caller.set_up(position)
        for one in news:
            self.caller.update(one, {})
        return ("ok",)

    def act(self) -> tuple[Any, ...]:
        """An earlier action of the player's, which is not measured: what it is has been decided."""
        self.caller.player.action()
        return ("ok",)

    def measure(self, way: str, samples: int) -> tuple[Any, ...]:
        """What came of the turn, watched in that way; it may be repeated for so many samples."""
        watch = WATCHES[way](self.module)
        watch.rehearse(lambda: self._act(watch), samples, self._have_memory)
        figures = self._act(watch)
        figures["found"] = watch.found()
        figures["nodes_allowed"] = self.nodes
        figures["takes_nodes"] = "nodes" in _names(self.caller.player_class)
        figures["search"] = _account(self.caller.player, self.module, self.ours)
        return "measured", figures

    def series(self, way: str, steps: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row for each action of a game that is told step by step: None is to act, all else is news."""
        watch = WATCHES[way](self.module)
        rows = []
        for step in steps:
            if step is not None:
                self.caller.update(step, {})
                continue
            watch.rehearse(lambda: self._act(watch), 1, self._have_memory, once=True)
            row = self._act(watch)
            search = getattr(self.caller.player, "search", None)
            figures = {name: _number(getattr(search, name, None)) for name in ("nodes", "depth", "score")}
            rows.append({**row, **figures})
        return "measured", {"turns": rows, "found": watch.found()}

    def _act(self, watch: Package) -> dict[str, Any]:
        """The action, with its CPU and memory."""
        player = self.caller.player
        gc.collect()
        _forget_peak()
        base = self._megabytes("VmRSS")
        collected = Collecting(is_on=isinstance(watch, Alone))  # which takes time itself
        cpu, wall, others = time.process_time(), time.perf_counter(), _others_cpu()
        watch.profiler.enable()
        try:
            action = player.action()
        finally:
            watch.profiler.disable()
            collected.stop()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peak = self._megabytes("VmHWM")
        return {
            "action": self._written(action),
            "cpu": cpu,
            "wall": wall,
            "others_cpu": _others_cpu() - others,
            "megabytes": max(0.0, peak - base) if base and peak else None,
            "peak_megabytes": peak if base else None,
            "collecting": collected.seconds,
            "collections": collected.times,
        }

    def _written(self, action: Any) -> str:
        """The action as its course takes it; what no action is made of, as it writes itself."""
        plain = self.ours.plain
        try:
            return repr(plain.tuples(plain.literal(action, self.caller.judging)[0]))
        except plain.Refused:
            return repr(action)

    def _bound_memory(self) -> None:
        """A player that grows without end shall run out of memory alone; only Linux tells what it has."""
        so_far = self._megabytes("VmSize")
        if so_far is not None:
            import resource

            most = int(so_far + RUNAWAY) * 2**20
            soft, hard = resource.getrlimit(resource.RLIMIT_AS)
            if soft == resource.RLIM_INFINITY or most < soft:
                resource.setrlimit(resource.RLIMIT_AS, (most, hard))

    def _megabytes(self, name: str) -> float | None:
        """A figure of this process from Linux; None elsewhere."""
        size = self.ours.proc.sizes("/proc/self/status").get(name)
        return None if size is None else size / 1024

    def _have_memory(self) -> None:
        """Let a copy of this process have all its memory at once: else lines that write to it look slow."""
        self.ours.pages.have(self.ours.pages.present(copied=True))


def _others_cpu() -> float:
    """Seconds of CPU time of the processes that this one has started and seen the end of."""
    times = os.times()
    return times.children_user + times.children_system


def _place(error: BaseException, folder: str, syntax: tuple[str, str, int] | None) -> str:
    """The innermost line of the player's own files in which it failed, or that is no Python; "" for none."""
    places = [(one.filename, one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    places += [syntax[1:]] if syntax else []
    own = [(file, line) for file, line in places if file.startswith(folder)]
    return f" ({os.path.relpath(own[-1][0], folder)}:{own[-1][1]})" if own else ""


def _names(function: Any) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _forget_peak() -> None:
    """Let Linux count the peak of memory from now on: an import may have had a higher one."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:  # then the peak is that of the whole process
        pass


def _account(player, module, ours):
    """What the search tells of itself, None for a player without one."""
    search = getattr(player, "search", None)
    if search is None or not isinstance(getattr(search, "nodes", None), int):
        return None
    account = {name: _number(getattr(search, name, None)) for name in FIGURES}
    scores = getattr(search, "scores", None)
    if isinstance(scores, dict):
        account["scores"] = [[depth, _number(score)] for depth, score in sorted(scores.items())]
    steps = getattr(search, "steps", None)
    if isinstance(steps, dict):
        account["steps"] = [[depth, *map(_number, step)] for depth, step in sorted(steps.items())]
    pv = getattr(search, "pv", None)
    if isinstance(pv, (list, tuple)):
        account["moves"] = [repr(move) for move in pv]
        account["variation"] = ours.variation.expected(player, module.__name__.partition(".")[0])
    return account


def _number(value):
    if value is None or isinstance(value, (bool, str)):
        return None
    try:
        return int(value) if value == int(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
