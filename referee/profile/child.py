"""Asks for one measurement of a player, in a process of its own that is started anew for it."""

import os
import time
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from referee import RefereeTrouble, UsageError
from referee.isolation import levels
from referee.isolation.child import Child, Start
from referee.isolation.requests import NoReply, Requests, await_start

PATIENCE = 900  # seconds of the wall clock; the profiled turn may take ten times the turn's
LONGEST = 40  # seconds of CPU for a call where nobody has set a bound; no course gives one turn more than 30
ANSWER = 2**28  # bytes of what was measured
# What is counted is the same in a process that is forked from a launcher; what is timed is not: there a long
# call of C code had twice its share (tests.long.profile_truth).
COUNTED = [("measure", watch) for watch in ("calls", "natives", "lines")]
NOT_INSTALLED = "line_profiler is missing; run: pip install line_profiler"


class NoProfile(Exception):
    """The player failed, in a sentence."""


def asked(agent: str, request: Mapping[str, Any], *last: Any) -> dict[str, Any]:
    """What was measured by the last call, after the player was brought to its turn; or NoProfile."""
    start = Start(
        request["folder"],
        is_cold=last[:2] not in COUNTED,
        calls=os.path.dirname(__file__),
        environment={**os.environ, "PYTHONHASHSEED": "0"},  # the same sets in every run
        reply=ANSWER,
    )
    child = levels.unconfined()(start)
    try:
        await_start(child)
        return _measured(child, agent, request, last)
    except NoReply:
        raise NoProfile(f"{agent} ended its process with exit code {child.status()}") from None
    finally:
        child.close()


def _measured(child: Child, agent: str, request: Mapping[str, Any], last: tuple[Any, ...]) -> dict[str, Any]:
    requests, label = Requests(child), ""
    deadline, used = time.monotonic() + PATIENCE, 0.0

    def look() -> None:
        child.measure()  # with its copies, which rehearse the turn
        is_late = child.cpu - used > LONGEST and not request["is_bounded"]
        if is_late or time.monotonic() > deadline:
            said = f"{LONGEST} s of CPU time" if is_late else f"{PATIENCE} s; try fewer --nodes"
            where = child.stopped_at(request["folder"])
            at = f" (it was stopped at {where})" if where else ""
            raise NoProfile(f"{agent} has not come back from its {label} within {said}{at}")

    for label, call, *arguments in _calls(request, last):
        child.measure()
        used = child.cpu
        kind, *contents = requests.ask(call, *arguments, look=look)
        if kind == "unfit":
            raise UsageError(f"{agent} cannot be profiled so: {contents[0]}")
        if kind == "raised" and "line_profiler" in contents[0]:
            raise RefereeTrouble(NOT_INSTALLED)
        if kind == "raised":
            raise NoProfile(f"{agent} crashed in its {label}: {contents[0]}")
    return contents[0]


def _calls(request: Mapping[str, Any], last: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Each call to the player's process, behind the name of what the player does in it."""
    yield "import", "load", request["folder"], request["module"], request["classes"]
    yield (
        "constructor",
        "make_for_turn",
        request["colour"],
        request["given"],
        request["offered"],
        request["judging"],
    )
    if request["position"] is not None:
        yield "position", "bring", request["position"], []
    for acts, steps in groupby(request["steps"], key=lambda step: step is None):
        if acts:
            yield from (("earlier action", "act") for _ in steps)
        else:
            yield "update", "bring", None, list(steps)
    yield "action", *last
