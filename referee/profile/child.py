"""Asks for one measurement of a player, in a process of its own that is started anew for it."""

import os
import time
from collections.abc import Mapping
from typing import Any

from referee import RefereeTrouble, UsageError
from referee.isolation import levels
from referee.isolation.child import Start
from referee.isolation.requests import NoReply, Requests, await_start

PATIENCE = 900  # seconds of the wall clock; the profiled turn may take ten times the turn's
ANSWER = 2**28  # bytes of what was measured
NOT_INSTALLED = "line_profiler is missing; run: pip install line_profiler"


class NoProfile(Exception):
    """The player failed, in a sentence."""


def asked(agent: str, request: Mapping[str, Any], *last: Any) -> dict[str, Any]:
    """What was measured by the last call, after the player was brought to its turn; or NoProfile."""
    start = Start(
        request["folder"],
        calls=os.path.dirname(__file__),
        environment={**os.environ, "PYTHONHASHSEED": "0"},  # the same sets in every run
        reply=ANSWER,
    )
    child = levels.unconfined()(start)
    try:
        await_start(child)
        return _measured(Requests(child), agent, request, last)
    except NoReply:
        raise NoProfile(f"{agent} ended its process with exit code {child.status()}") from None
    finally:
        child.close()


def _measured(
    requests: Requests, agent: str, request: Mapping[str, Any], last: tuple[Any, ...]
) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE

    def look() -> None:
        if time.monotonic() > deadline:
            raise NoProfile(f"{agent} gave no answer within {PATIENCE} s; try fewer --nodes")

    make = request["colour"], request["given"], request["offered"], request["judging"]
    for label, call, *arguments in (
        ("import", "load", request["folder"], request["module"], request["classes"]),
        ("constructor", "make_for_turn", *make),
        ("update", "bring", request["position"], request["news"]),
        ("action", *last),
    ):
        kind, *contents = requests.ask(call, *arguments, look=look)
        if kind == "unfit":
            raise UsageError(f"{agent} cannot be profiled so: {contents[0]}")
        if kind == "raised" and "line_profiler" in contents[0]:
            raise RefereeTrouble(NOT_INSTALLED)
        if kind == "raised":
            raise NoProfile(f"{agent} crashed in its {label}: {contents[0]}")
    return contents[0]
