"""See where the time of one turn goes: line by line, by function, and by the search's own account.

The player is brought to a turn and its `action()` runs in four interpreters of its own: alone, which
tells what it costs; sampled, which tells the shares of its CPU time; and under line_profiler and cProfile,
which count how often lines and functions ran.  Profiles bounded by nodes can be compared.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee import RefereeTrouble, UsageError, rules
from referee.isolation import levels, process
from referee.isolation.child import Start
from referee.isolation.requests import NoReply, Requests, await_start
from referee.match import judging, record
from referee.match.loop import is_legal, shorten
from referee.players import files, names
from referee.players.removing import remove
from referee.players.text import on_one_line
from referee.profile import page, program, shares
from referee.profile.text import show
from referee.rules import State
from referee.view import shell

FORMAT = 2  # of a saved profile
SEED = 1  # told to players that draw lots
PATIENCE = 900  # seconds of the wall clock for one child; the profiled turn may take ten times the turn's
ANSWER = 2**28  # bytes of what was measured
TOP = 20
SAMPLES = 2000  # each share is then within 2.2 %, in 95 of 100 cases
UNSEEN = {"own": 0.0, "own_error": 0.0, "total": 0.0}  # of what ran too shortly for any sample
NOT_INSTALLED = "line_profiler is missing; run: pip install line_profiler"


class Fault(Exception):
    """The player failed, in a sentence: exit 1."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee profile [options] GAME AGENT [start]"
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument("agent", metavar="AGENT", help="a player, as in `play`")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("start", nargs="?", choices=["start"], metavar="start",
                       help="go to the start of the game (the default)")  # fmt: skip
    where.add_argument("--record", type=Path, metavar="FILE", help="go to a turn of this game; needs --turn")
    where.add_argument("--position", metavar="TEXT", help="go to a position in the rules' text form")
    parser.add_argument("--turn", type=int, metavar="N", help="the turn of the record")
    parser.add_argument("--colour", metavar="COLOUR", help="whose action, where both act at once")
    parser.add_argument("--nodes", type=int, metavar="N", help="nodes for the action (the default: 20000)")
    parser.add_argument("--time", type=float, metavar="S", help="`seconds` of the agent's constructor")
    parser.add_argument("--top", type=int, default=TOP, metavar="K", help=f"lines shown (default: {TOP})")
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N",
                        help=f"of CPU time, repeating the turn ({SAMPLES}; 1: once)")  # fmt: skip
    parser.add_argument("--compare", metavar="OTHER", help="another agent, or a saved .json: what moved")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write it as a page")
    parser.add_argument("--json", action="store_true", help="print it as one JSON object, to save")


def run(options: argparse.Namespace) -> int:
    _check(options)
    state, earlier = _turn(options)
    player = _player(options, state)
    if (spec := names.resolve(options.agent)).program:
        return _profile_program(options, spec, state, earlier, player)
    other = _saved(options.compare) if options.compare and _is_saved(options.compare) else None
    try:
        profile = measure(options, options.agent, state, earlier, player)
        if options.compare and not other:
            other = measure(options, options.compare, state, earlier, player)
    except Fault as fault:
        print(f"referee: {on_one_line(fault)}", file=sys.stderr)
        return 1
    if options.html:
        shell.write(options.html, page.page(profile, other, options.top))
    if options.json:
        print(json.dumps(dict(profile, compared_with=other) if other else profile))
    else:
        show(profile, other, options.top)
    return 0


def _profile_program(options, spec, state, earlier, player) -> int:
    for name in ("compare", "html", "position"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} is for packages in Python; a program's turn is timed call by call")
    told = {"nodes": options.nodes, "seconds": options.time, "action_seconds": options.time, "seed": SEED}
    told = {name: value for name, value in told.items() if value}
    try:
        found = program.by_call(options.game, spec, state, earlier, player, told)
    except process.Fault as fault:
        print(f"referee: {spec.name}: {fault}", file=sys.stderr)
        return 1
    if options.json:
        more = {"agent": spec.name, "game": options.game, "where": _where(options), "position": state.text()}
        print(json.dumps({**more, "colour": state.COLOURS[player], **found, "action": repr(found["action"])}))
    else:
        print(program.text(spec.name, _where(options), found))
    return 0


def measure(
    options: argparse.Namespace, agent: str, state: State, earlier: list[tuple[Any, ...]], player: int
) -> dict[str, Any]:
    """The profile of one agent's action for that player of the state."""
    spec = names.resolve(agent)
    folder, temporary = files.laid_out(spec)
    try:
        return _measured(options, agent, replace(spec, folder=folder), state, earlier, player)
    finally:
        remove(temporary)


def _measured(
    options: argparse.Namespace,
    agent: str,
    spec: names.Spec,
    state: State,
    earlier: list[tuple[Any, ...]],
    player: int,
) -> dict[str, Any]:
    began = earlier[0][0] if earlier else state
    told = options.position is None and began == rules.start(options.game)  # a record may begin elsewhere
    offered = {"game": options.game, "variant": options.game.partition(":")[2], "nodes": options.nodes}
    offered["seed"] = SEED  # so that every run of the turn, and the same command, does the same
    offered.update(seconds=options.time, action_seconds=options.time, first_seconds=options.time)
    request = {
        "folder": spec.folder,
        "module": spec.module,
        "classes": [spec.cls] if spec.cls else ["Player", "ExamplePlayer"],
        "given": repr(dict(spec.arguments)),
        "samples": options.samples,
        "offered": repr({name: value for name, value in offered.items() if value}),
        "colour": state.COLOURS[player],
        "judging": state.COURSE.judging,
        "position": None if told else began.text(),
        "news": [before.news(player, chosen) for before, chosen in earlier],
    }
    plain = _child(agent, dict(request, watch="plain"))
    try:
        sampled = _child(agent, dict(request, watch="stacks"))["found"]
    except Fault:  # not the player's, which has just been through the same turn
        sampled = _child(agent, dict(request, watch="careful stacks"))["found"]
    calls = _child(agent, dict(request, watch="calls"))["found"]
    profile = _child(agent, dict(request, watch="lines"))
    profile["functions"] = profile.pop("found")
    counted = _counted(sampled)
    profile.update(samples=counted.samples, turns_sampled=sampled["turns"])
    profile["lines"] = _lines(counted, profile["functions"])
    profile["calls"] = _calls(counted, calls, plain["cpu"])
    if not _may(state, player, profile["action"]):
        raise Fault(f"{agent} ({state.COLOURS[player]}) answers {shorten(profile['action'])}: it is illegal")
    profile.update(
        profile=FORMAT,
        agent=agent,
        game=options.game,
        where=_where(options),
        position=state.text(),
        colour=state.COLOURS[player],
        plain={key: plain[key] for key in ("action", "cpu", "wall", "megabytes", "peak_megabytes", "search")},
    )
    for search in (profile["search"], profile["plain"]["search"]):
        if search and not _legal_line(state, search.get("variation")):
            search["variation"] = None
    search = profile["plain"]["search"]  # at its own speed, not at the profiler's
    if search:
        search["nodes_per_second"] = round(search["nodes"] / max(plain["cpu"], 1e-6))
    return profile


def _counted(sampled):
    """The shares of what was sampled."""
    frames = [shares.Frame(*frame) for frame in sampled["frames"]]
    return shares.counted(
        (samples, weight, [frames[number] for number in stack])
        for samples, weight, stack in sampled["stacks"]
    )


def _lines(counted, functions):
    """Each line that ran, of the player or a library, with its shares; those with most own time first."""
    hits = Counter()
    rows = {}
    for share in counted.lines:
        frame = share.frame
        rows[shares.line(frame)] = {
            "file": frame.file,
            "line": frame.line,
            "function": frame.function,
            "library": frame.library,
            "source": frame.source,
            **_shares_of(share),
        }
    for function in functions:
        for line in function["lines"]:
            place = function["file"], line["line"]
            hits[place] += line["hits"]
            more = {"function": function["name"], "library": False, "source": line["source"]}
            rows.setdefault(place, dict(zip(("file", "line"), place, strict=True), **more, **UNSEEN))
    return [dict(row, hits=hits.get(place)) for place, row in rows.items()]


def _calls(counted, calls, seconds):
    """Each function that ran, libraries' as far as they were sampled, with its shares of so many seconds."""
    known = {(one["file"], one["line"], one["name"]): one for one in calls}
    rows = {}
    for share in counted.functions:
        frame = share.frame
        place = shares.function(frame)
        row = {"file": frame.file, "line": frame.first, "name": frame.function, "library": frame.library}
        known.setdefault(place, {**row, "calls": None, "recursive": False})
        rows[place] = _shares_of(share)
    for place, row in known.items():
        if place in rows or not row["library"]:
            found = rows.get(place, UNSEEN)
            row.update(own=found["own"] * seconds, seconds=found["total"] * seconds, own_share=found["own"])
            row.update(own_error=found["own_error"], total_share=found["total"])
            rows[place] = row
    return sorted(rows.values(), key=lambda row: (-row["own"], -row["seconds"]))


def _shares_of(share):
    return {"own": share.own, "own_error": share.own_error, "total": share.total}


def _check(options):
    if (options.record is None) != (options.turn is None):
        raise UsageError("--record FILE and --turn N go together; give neither to begin at the start")
    for name in ("nodes", "time", "top", "turn", "samples"):
        value = getattr(options, name)
        if value is not None and not 0 < value < 1e12:
            raise UsageError(f"--{name} should be a number above 0, not {value}")
    rules.start(options.game)


def _turn(options) -> tuple[State, list[tuple[State, Any]]]:
    """The state to act in, and each state before it with what was chosen there."""
    if options.position is not None:
        state = rules.parse(options.game, options.position)
        earlier = []
    elif options.record is not None:
        state, earlier = _recorded(options)
    else:
        state, earlier = rules.start(options.game), []
    if not state.to_act():
        raise UsageError("the game is over there, so there is no turn to profile; name an earlier one")
    return state, earlier


def _where(options):
    if options.record is not None:
        return f"turn {options.turn} of {options.record}"
    return "a position set up" if options.position is not None else "the start of the game"


def _recorded(options):
    account = judging.read(options.record)
    if account.game != options.game:
        raise UsageError(f"{options.record} is a game of {account.game}, not of {options.game}")
    if options.turn > len(account.turns):
        turns = len(account.turns)
        raise UsageError(f"{options.record} has {turns} turns, so there is no turn {options.turn}")
    wanted, state, earlier = account.turns[options.turn - 1], account.start(), []
    try:
        for entry, before in judging.states(account):
            if entry is wanted:
                return before, earlier
            earlier.append((before, entry.chosen))
            state = before.after(entry.chosen)
    except judging.Difference as difference:
        raise UsageError(f"{options.record} differs from the rules, {difference}") from None
    return state, earlier  # the turn was broken off


def _player(options, state):
    players_to_act = state.to_act()
    if options.colour is None:
        return players_to_act[0]
    colours = [state.COLOURS[player] for player in players_to_act]
    if options.colour not in colours:
        raise UsageError(f"{options.colour!r} is not to act there; {' or '.join(colours)} is")
    return state.COLOURS.index(options.colour)


def _may(state, player, text):
    try:
        action = record.literal(text)
    except ValueError:
        return False
    return is_legal(action, state.actions(player))


def _legal_line(state, variation):
    """Whether the rules agree with a line of actions that the agent expects."""
    for text in variation or ():
        mover = state.to_act()
        if len(mover) != 1 or not _may(state, mover[0], text):
            return False
        state = state.after({mover[0]: record.literal(text)})
    return True


def _child(agent, request) -> dict[str, Any]:
    """What was measured in a process of its own, which is started anew."""
    start = Start(
        request["folder"],
        calls=os.path.dirname(page.__file__),
        environment={**os.environ, "PYTHONHASHSEED": "0"},  # the same sets in every run
        reply=ANSWER,
    )
    child = levels.unconfined()(start)
    try:
        await_start(child)
        return _measured_by(Requests(child), agent, request)
    except NoReply:
        raise Fault(f"{agent} ended its process with exit code {child.status()}") from None
    finally:
        child.close()


def _measured_by(requests, agent, request):
    deadline = time.monotonic() + PATIENCE

    def look():
        if time.monotonic() > deadline:
            raise Fault(f"{agent} gave no answer within {PATIENCE} s; try fewer --nodes")

    for label, call, *arguments in (
        ("import", "load", request["folder"], request["module"], request["classes"]),
        ("constructor", "make_for_turn", request["colour"], request["given"], request["offered"],
         request["judging"]),
        ("update", "bring", request["position"], request["news"]),
        ("action", "measure", request["watch"], request["samples"]),
    ):  # fmt: skip
        kind, *contents = requests.ask(call, *arguments, look=look)
        if kind == "unfit":
            raise UsageError(f"{agent} cannot be profiled so: {contents[0]}")
        if kind == "raised" and "line_profiler" in contents[0]:
            raise RefereeTrouble(NOT_INSTALLED)
        if kind == "raised":
            raise Fault(f"{agent} crashed in its {label}: {contents[0]}")
    return contents[0]


def _is_saved(name):
    return name.endswith(".json")


def _saved(name) -> dict[str, Any]:
    """A profile that `--json` printed."""
    try:
        found = json.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror or error}") from None
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("profile") != FORMAT or "functions" not in found:
        raise UsageError(f"{name} is no saved profile; make one with: profile ... --json > {name}")
    return found
