"""Measures one action of a player, in far ends of its own, and joins what was found into one profile.

The player is brought to the turn and its `action()` runs alone, which tells what it costs; sampled, which
tells the shares of its CPU time; under line_profiler, cProfile and a watch of C functions, which count how
often lines and functions ran.  Where nodes bound the turn all of them do the same.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import mean, stdev
from typing import Any

from referee.match import record
from referee.match.loop import is_legal
from referee.players import files
from referee.players.names import Spec
from referee.players.removing import remove
from referee.players.text import shorten
from referee.profile import shares, sources
from referee.profile.child import NoProfile, asked
from referee.profile.sampling import FOLDED
from referee.profile.tree import tree
from referee.rules import Action, State

FORMAT = 3  # of a saved profile
SEED = 1  # told to players that draw lots
# Student's factor of a 95 % interval, by the number of values.
T = (0.0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.0)
SHARES = ("own", "own_error", "total", "total_error")

# The steps of a profile, in their order; the last one where it is asked for.
ALONE, SAMPLED = "what it takes by itself", "where its time goes"
CALLED, IN_C, RUN = "which functions are called", "which are C functions", "how often each line runs"
TAKEN = "which lines take memory"

Profile = dict[str, Any]
Begins = Callable[[str], object]  # hears of each step


@dataclass(frozen=True)
class ProfiledTurn:
    """The turn that is profiled: a player's, in a state that it is brought to."""

    game: str
    state: State
    player: int
    earlier: Sequence[tuple[State, Mapping[int, Action]]]  # the states before, and what was chosen there
    position: str | None  # what it is set up with before that; None: it begins at the start of the game
    where: str  # in words
    number: int | None = None  # in its record
    opening: int = 0  # of the states before, those where nobody was asked

    def asked(self) -> list[bool]:
        """Of each state before whether the player was asked for an action there."""
        return [
            number >= self.opening and self.player in before.to_act()
            for number, (before, _) in enumerate(self.earlier)
        ]


@dataclass(frozen=True)
class Effort:
    """How long the turn may think, and how carefully it is measured."""

    nodes: int | None = None
    seconds: float | None = None
    samples: int = 2000
    repeat: int = 1  # times that all of it is done
    memory: bool = False  # whether the lines that take memory are looked for
    earlier: bool = False  # whether the player is asked for its earlier actions, too, as it was in the game


def steps(effort: Effort, other: str | None = None) -> list[str]:
    """All steps of such a profile; with those of the other player that it is compared with."""
    own = [SAMPLED, CALLED, IN_C, RUN, *([TAKEN] if effort.memory else [])]
    return [ALONE, *own, *(f"{step}: {other}" for step in own if other)]


def measure(spec: Spec, turn: ProfiledTurn, effort: Effort, begins: Begins = lambda step: None) -> Profile:
    """The profile of the player's action; NoProfile where it fails."""
    with laid_out(spec) as (spec,):
        begins(ALONE)
        alone = [_alone(spec, turn, effort) for _ in range(effort.repeat)]
        return _measured(spec, turn, effort, alone, begins)


@contextmanager
def laid_out(*specs: Spec) -> Iterator[list[Spec]]:
    """The players in folders, zips unpacked, as long as that is needed; their files must not change."""
    laid: list[tuple[str, Any]] = []
    try:
        with sources.unchanged(*specs):
            for spec in specs:
                laid.append(files.laid_out(spec))
            yield [replace(spec, folder=folder) for spec, (folder, _) in zip(specs, laid, strict=True)]
    finally:
        for _, temporary in laid:
            remove(temporary)


def measure_both(
    spec: Spec, other: Spec, turn: ProfiledTurn, effort: Effort, begins: Begins = lambda step: None
) -> tuple[Profile, Profile]:
    """The profiles of two players, whose turns are timed alternately: the machine's speed changes."""
    with laid_out(spec, other) as (first, second):
        begins(ALONE)
        rounds = max(2, effort.repeat)
        alone = [[_alone(one, turn, effort) for one in (first, second)] for _ in range(rounds)]
        found, found_other = map(list, zip(*alone, strict=True))
        return (
            _measured(first, turn, effort, found, begins),
            _measured(second, turn, effort, found_other, lambda step: begins(f"{step}: {other.name}")),
        )


def _alone(spec: Spec, turn: ProfiledTurn, effort: Effort) -> dict[str, Any]:
    return asked(spec.name, request_of(spec, turn, effort), "measure", "plain", effort.samples)


def _measured(
    spec: Spec, turn: ProfiledTurn, effort: Effort, alone: list[dict[str, Any]], begins: Begins
) -> Profile:
    request = request_of(spec, turn, effort)
    plain = alone[0]
    _check_legal(spec, turn, plain["action"])
    begins(SAMPLED)
    sampled = [_sampled(spec.name, request, effort.samples) for _ in range(effort.repeat)]
    request = request_of(spec, turn, _bounded_alike(plain, effort))
    begins(CALLED)
    calls = asked(spec.name, request, "measure", "calls", 0)
    begins(IN_C)
    natives = asked(spec.name, request, "measure", "natives", 0)["found"]
    begins(RUN)
    counted = asked(spec.name, request, "measure", "lines", 0)
    if effort.memory:
        begins(TAKEN)
    memory = asked(spec.name, request, "measure", "memory", 0)["found"] if effort.memory else None
    stacks = stacks_found(sampled)
    found = shares.counted(stacks)
    cpu = [seconds for one in alone for seconds in (one["cpu"], *one["found"])]
    lines = lines_of(found, counted["found"], natives["rows"])
    calls, entered = calls["found"], sum(call["calls"] for call in calls["found"])
    is_same = _nodes(counted) == _nodes(plain) and natives["entered"] in (entered, None)
    return {
        "profile": FORMAT,
        "agent": spec.name,
        "game": turn.game,
        "turn": _turn(turn, effort, plain, cpu),
        "search": _search(turn.state, plain),
        "lines": lines,
        "functions": _functions(found, calls, natives["begun"]),
        "memory": memory,
        "cost": {
            "samples": found.samples,
            "turns_sampled": sum(one["turns"] for one in sampled),
            "counted_wall": counted["wall"],
            "counted_nodes": _nodes(counted),
            "counted_action": counted["action"],
            "same_turn": is_same,  # whether what was counted is what was timed
        },
        "stacks": _numbered(stacks),
        "tree": _plain_tree(tree(stacks)),
        "sources": sources.of(spec.folder, lines),
    }


def _bounded_alike(plain: Mapping[str, Any], effort: Effort) -> Effort:
    """The effort of turns that are slowed down by counting: where time bounds them, by the nodes they had."""
    nodes = _nodes(plain)
    if effort.seconds is None or not nodes or not plain["takes_nodes"]:
        return effort
    return replace(effort, seconds=None, nodes=nodes)


def _nodes(figures: Mapping[str, Any]) -> int | None:
    return (figures["search"] or {}).get("nodes")


def request_of(spec: Spec, turn: ProfiledTurn, effort: Effort) -> dict[str, Any]:
    offered = {
        "game": turn.game,
        "variant": turn.game.partition(":")[2],
        "nodes": effort.nodes,
        "seed": SEED,  # so that every run of the turn, and the same command, does the same
        "seconds": effort.seconds,
        "action_seconds": effort.seconds,
        "first_seconds": effort.seconds,
    }
    return {
        "folder": spec.folder,
        "module": spec.module,
        "classes": [spec.cls] if spec.cls else ["Player", "ExamplePlayer"],
        "given": repr(dict(spec.arguments)),
        "offered": repr({name: value for name, value in offered.items() if value}),
        "colour": turn.state.COLOURS[turn.player],
        "judging": turn.state.COURSE.judging,
        "is_bounded": bool(effort.nodes or effort.seconds),
        "position": turn.position,
        "steps": list(_steps(turn, effort.earlier)),
    }


def _steps(turn: ProfiledTurn, asks: bool) -> Iterator[tuple[Any, ...] | None]:
    """What brings the player to its turn: the news, and None where it is to act."""
    for (before, chosen), was_asked in zip(turn.earlier, turn.asked(), strict=True):
        if asks and was_asked:
            yield None
        yield before.news(turn.player, chosen)


def _sampled(name: str, request: dict[str, Any], samples: int) -> dict[str, Any]:
    try:
        return asked(name, request, "measure", "stacks", samples)["found"]
    except NoProfile:  # not the player's, which has just been through the same turn
        return asked(name, request, "measure", "careful stacks", samples)["found"]


def stacks_found(sampled: Sequence[Mapping[str, Any]]) -> list[shares.Stack]:
    """All samples of all runs."""
    found: list[shares.Stack] = []
    for one in sampled:
        frames = [shares.Frame(*frame) for frame in one["frames"]]
        found += [
            (samples, weight, [frames[number] for number in stack])
            for samples, weight, stack in one["stacks"]
        ]
    return found


def _numbered(stacks: Sequence[shares.Stack]) -> dict[str, Any]:
    """The stacks in terms of JSON: each frame once, without its source, and the stacks as their numbers."""
    numbers: dict[shares.Frame, int] = {}
    rows = [
        [samples, round(weight, 7), [numbers.setdefault(frame, len(numbers)) for frame in frames]]
        for samples, weight, frames in stacks
    ]
    return {"frames": [list(frame) for frame in numbers], "stacks": rows}


def stacks_of(profile: Profile) -> list[shares.Stack]:
    """The stacks of a profile, a saved one too."""
    return stacks_found([profile["stacks"]])


def _plain_tree(root: Any) -> list[dict[str, Any]]:
    """The tree of calls down to one part in a hundred, a row a node, with its depth."""
    from referee.profile.tree import rows

    whole = root.total or 1.0
    return [
        {
            "depth": depth,
            "function": node.frame.function,
            "file": node.frame.file,
            "line": node.frame.first,
            "library": node.frame.library,
            "own": node.own / whole,
            "total": node.total / whole,
        }
        for depth, node in rows(root, 0.01)
    ]


def _turn(
    turn: ProfiledTurn, effort: Effort, plain: Mapping[str, Any], cpu: Sequence[float]
) -> dict[str, Any]:
    few = T[min(len(cpu), len(T)) - 1]
    spread = few * stdev(cpu) / len(cpu) ** 0.5 if len(cpu) > 1 else None
    return {
        "where": turn.where,
        "number": turn.number,
        "position": turn.state.text(),
        "colour": turn.state.COLOURS[turn.player],
        "action": plain["action"],
        "earlier": sum(turn.asked()),  # actions of its own before that one
        "earlier_asked": effort.earlier,
        "cpu": mean(cpu),
        "cpu_error": spread,  # half of a 95 % interval, where the turn was repeated
        "repeats": len(cpu),
        "wall": plain["wall"],
        "megabytes": plain["megabytes"],
        "peak_megabytes": plain["peak_megabytes"],
        "collecting": plain["collecting"],  # seconds of garbage collection within it
        "collections": plain["collections"],
        "others_cpu": plain["others_cpu"],  # of processes that it started, which no share is of
    }


def _search(state: State, plain: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the search told of itself, at its own speed."""
    search = plain["search"]
    if not search:
        return None
    if not _legal_line(state, search.get("variation")):
        search["variation"] = None
    search["nodes_per_second"] = round(search["nodes"] / max(plain["cpu"], 1e-6))
    return dict(search)


def lines_of(
    counted: shares.Shares, hits: Sequence[Mapping[str, Any]], natives: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Each line that ran, of the player or a library, with its shares; those with most own time first."""
    rows: dict[tuple[str, int, str], dict[str, Any]] = {}
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
    known: Counter[tuple[str, int]] = Counter()
    unseen = _unseen(counted)
    for function in hits:
        for line in function["lines"]:
            place = function["file"], line["line"]
            known[place] += line["hits"]
            more = {"function": _folded(function["name"]), "library": False, "source": line["source"]}
            rows.setdefault((*place, ""), dict(zip(("file", "line"), place, strict=True), **more, **unseen))
    called: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for native in natives:
        place = native["file"], native["line"]
        called.setdefault(place, []).append({key: native[key] for key in ("name", "calls", "seconds")})
    for row in rows.values():
        place = row["file"], row["line"]
        row.update(hits=known.get(place), natives=called.get(place, []))
    return sorted(rows.values(), key=lambda row: (-row["own"], -row["total"], -(row["hits"] or 0)))


def _functions(
    counted: shares.Shares, calls: Sequence[Mapping[str, Any]], begun: Sequence[tuple[str, int, str, int]]
) -> list[dict[str, Any]]:
    """Each function that ran, libraries' as far as they were sampled, with its shares and calls.

    `begun` are those that may go on later, as generators do: that they went on is no call.
    """
    times = {(file, line, name): count for file, line, name, count in begun}
    rows: dict[tuple[str, int, str], dict[str, Any]] = {}
    for share in counted.functions:
        frame = share.frame
        rows[shares.function(frame)] = {
            "file": frame.file,
            "line": frame.first,
            "function": frame.function,
            "library": frame.library,
            **_shares_of(share),
            "calls": None,
            "recursive": False,
        }
    for call in calls:
        place = call["file"], call["line"], call["name"]
        if place not in rows and call["library"] or call["name"].rpartition(".")[2] in FOLDED:
            continue
        about = {"file": place[0], "line": place[1], "function": place[2], "library": call["library"]}
        row = rows.setdefault(place, {**about, **_unseen(counted)})
        so_far = row.get("calls") or 0  # of a function that was made anew, as a module that is reloaded has
        row["calls"] = times.get(place, so_far + call["calls"])
        row["recursive"] = call["recursive"] or row.get("recursive", False)
    return sorted(rows.values(), key=lambda row: (-row["own"], -row["total"]))


def _folded(name: str) -> str:
    """The function that a comprehension is part of; any other, itself."""
    owner, _, last = name.rpartition(".<locals>.")
    return _folded(owner) if owner and last in FOLDED else name


def _shares_of(share: shares.Share) -> dict[str, float]:
    return {name: getattr(share, name) for name in SHARES}


def _unseen(counted: shares.Shares) -> dict[str, float]:
    """Of what ran too shortly for any sample."""
    error = shares.error(0.0, counted.samples)
    return dict(zip(SHARES, (0.0, error, 0.0, error), strict=True))


def _check_legal(spec: Spec, turn: ProfiledTurn, action: str) -> None:
    if not _may(turn.state, turn.player, action):
        who = f"{spec.name} ({turn.state.COLOURS[turn.player]})"
        raise NoProfile(f"{who} answers {shorten(action)}: it is illegal")


def _may(state: State, player: int, text: str) -> bool:
    try:
        action = record.read_literal(text)
    except ValueError:
        return False
    return is_legal(action, state.actions(player))


def _legal_line(state: State, variation: Sequence[str] | None) -> bool:
    """Whether the rules agree with a line of actions that the agent expects."""
    for text in variation or ():
        mover = state.to_act()
        if len(mover) != 1 or not _may(state, mover[0], text):
            return False
        state = state.after({mover[0]: record.read_literal(text)})
    return True
