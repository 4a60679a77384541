"""Where the time of a program's turn goes, call by call: what it does within a call is not seen from here."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from referee.isolation.allowance import Allowance
from referee.isolation.process import PlayerProcess
from referee.isolation.program_process import player_process
from referee.players.names import Spec
from referee.rules import Action, State


def by_call(
    game: str,
    spec: Spec,
    state: State,
    earlier: Sequence[tuple[State, Mapping[int, Action]]],
    player: int,
    told: Mapping[str, object],
) -> dict[str, Any]:
    """Each call up to the player's action in the state, with its CPU and wall seconds; then the action.

    `earlier` are the states before it with what was chosen there, and `told` what `new` says besides the
    game.  Fault where the program is at fault.
    """
    calls: list[dict[str, Any]] = []
    allowance = Allowance(told=tuple(told.items()), judging=state.COURSE.judging)
    variant = game.partition(":")[2]
    with player_process(spec, state.COLOURS[player], variant, allowance, (("game", game),)) as process:
        with _timed(calls, process, "start and new"):
            process.start()
        calls[0]["cpu"] = process.import_cpu
        process.construct()
        for before, chosen in earlier:
            with _timed(calls, process, "update"):
                process.update(*before.news(player, chosen))
        with _timed(calls, process, "action"):
            action = process.action()
        return {
            "action": action,
            "calls": calls,
            "cpu": calls[-1]["cpu"],
            "wall": calls[-1]["wall"],
            "megabytes": process.megabytes,
            "search": dict(process.searched),
            "output": process.take_output(),
        }


def text(agent: str, where: str, profile: Mapping[str, Any]) -> str:
    """The same to read: updates in one row."""
    rows = [("call", "times", "CPU", "wall")]
    for name in dict.fromkeys(call["call"] for call in profile["calls"]):
        some = [call for call in profile["calls"] if call["call"] == name]
        cpu, wall = (f"{sum(call[clock] for call in some):.4f} s" for clock in ("cpu", "wall"))
        rows.append((name, str(len(some)), cpu, wall))
    lines = [f"{agent} at {where}: {profile['action']!r}, {profile['megabytes']:.1f} MB"]
    lines += [f"{name:16}{times:>6}{cpu:>14}{wall:>14}" for name, times, cpu, wall in rows]
    if profile["search"]:
        figures = ", ".join(f"{name} {value:g}" for name, value in profile["search"].items())
        lines.append(f"its search: {figures}")
    lines.append("Where the time goes within a call is for a profiler of the program's own language to say.")
    return "\n".join(lines)


@contextmanager
def _timed(calls: list[dict[str, Any]], process: PlayerProcess, name: str) -> Iterator[None]:
    cpu, began = process.cpu, time.monotonic()
    yield
    calls.append({"call": name, "cpu": process.cpu - cpu, "wall": time.monotonic() - began})
