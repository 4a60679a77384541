"""See where the time of one turn goes: by line, by function, by the search.

The player is brought to a turn, which is measured as profile/measure.py says.  Profiles bounded by nodes
can be compared.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from referee import UsageError, rules
from referee.isolation import process
from referee.match import judging, places, record
from referee.players import names
from referee.players.names import Spec
from referee.players.text import on_one_line
from referee.profile import compare, export, measure, page, program, series, text
from referee.profile.child import NoProfile
from referee.profile.measure import FORMAT, SEED, Effort, Profile, ProfiledTurn
from referee.rules import State
from referee.view import shell
from referee.view.progress import Steps

TOP = 20
SAMPLES = 2000  # all shares are then within 3.4 %, in 95 of 100 profiles


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee profile [options] GAME AGENT [start]"
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument("agent", metavar="AGENT", help="a player, as in `play`; its first turn, or:")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "start",
        nargs="?",
        choices=["start"],
        metavar="start",
        help=argparse.SUPPRESS,  # the default
    )
    where.add_argument("--record", type=Path, metavar="FILE", help="go to a turn of this game; needs --turn")
    where.add_argument("--position", metavar="TEXT", help="go to a position in the rules' text form")
    parser.add_argument("--turn", type=int, metavar="N", help="the turn of the record")
    parser.add_argument(
        "--earlier", action="store_true", help="ask the player for its actions before that turn, too"
    )
    parser.add_argument("--series", action="store_true", help="all turns of the record, in one table")
    parser.add_argument("--colour", metavar="COLOUR", help="whose action, where both act at once")
    parser.add_argument("--nodes", type=int, metavar="N", help="nodes for the action (the default: 20000)")
    parser.add_argument("--time", type=float, metavar="S", help="`seconds` of the agent's constructor")
    parser.add_argument("--top", type=int, default=TOP, metavar="K", help=f"lines shown (default: {TOP})")
    parser.add_argument(
        "--samples",
        type=int,
        default=SAMPLES,
        metavar="N",
        help=f"of CPU time, repeating the turn ({SAMPLES}; 1: once)",
    )
    parser.add_argument(
        "--repeat", type=int, default=1, metavar="N", help="measure N times, for smaller errors"
    )
    parser.add_argument("--memory", action="store_true", help="also which lines take memory")
    parser.add_argument("--compare", metavar="OTHER", help="another agent, or a saved .json: what moved")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write it as a page")
    parser.add_argument("--export", type=Path, metavar="FILE", help=f"for other tools: {_endings()}")
    parser.add_argument("--save", type=Path, metavar="FILE", help="also write it as JSON, to compare with")
    parser.add_argument("--json", action="store_true", help="print it as one JSON object, to save")
    parser.add_argument("--stream", action="store_true", help="each step as an object first, as it begins")


def run(options: argparse.Namespace) -> int:
    _check(options)
    spec = names.resolve(options.agent)
    effort = Effort(options.nodes, options.time, options.samples, options.repeat)
    effort = replace(effort, memory=options.memory, earlier=options.earlier)
    try:
        if options.series:
            return _series(options, spec, effort)
        turn = _turn(options)
        if spec.program:
            return _profile_program(options, spec, turn)
        other = _saved(options.compare) if options.compare and _is_saved(options.compare) else None
        against = names.resolve(options.compare) if options.compare and not other else None
        steps = measure.steps(effort, against.name if against else None)
        with Steps(steps, options.json or options.stream) as bar:
            begins = _Said(steps, bar, options.stream)
            if against:
                profile, other = measure.measure_both(spec, against, turn, effort, begins)
            else:
                profile = measure.measure(spec, turn, effort, begins)
    except NoProfile as fault:
        print(f"referee: {on_one_line(fault)}", file=sys.stderr)
        return 1
    if options.html:
        shell.write(options.html, page.page(profile, other, options.top))
    if options.export:
        _export(options.export, profile)
    if options.save:
        shell.write(options.save, json.dumps(profile) + "\n")
    if options.json:
        compared = {"compared_with": other, "moved": compare.plain(profile, other)} if other else {}
        print(json.dumps({**profile, **compared}))
    else:
        text.show(profile, other, options.top)
    return 0


class _Said:
    """Says which step begins: on the bar, and as a line of JSON where that is asked for."""

    def __init__(self, steps: list[str], bar: Steps, is_streamed: bool):
        self._steps, self._bar, self._is_streamed = steps, bar, is_streamed
        self._begun = 0

    def __call__(self, step: str) -> None:
        if self._begun:
            self._bar.done(self._steps[self._begun - 1])
        self._begun += 1
        if self._is_streamed:
            print(json.dumps({"step": step, "number": self._begun, "of": len(self._steps)}), flush=True)


def _series(options: argparse.Namespace, spec: Spec, effort: Effort) -> int:
    """All turns of a recorded game."""
    if spec.program:
        raise UsageError("--series is for packages in Python; name a --turn, which is timed call by call")
    account = _account(options)
    player = _series_player(options, account.start())
    found = series.measure(spec, account, player, effort)
    if options.json:
        print(json.dumps(found))
    else:
        series.show(found, options.top)
    return 0


def _series_player(options: argparse.Namespace, state: State) -> int:
    if options.colour is None:
        return 0
    if options.colour not in state.COLOURS:
        raise UsageError(f"{options.colour!r} does not play there; {' and '.join(state.COLOURS)} do")
    return state.COLOURS.index(options.colour)


def _profile_program(options: argparse.Namespace, spec: Spec, turn: ProfiledTurn) -> int:
    for name in ("compare", "html", "export", "save", "position", "earlier"):
        if getattr(options, name) not in (None, False):
            raise UsageError(f"--{name} is for packages in Python; a program's turn is timed call by call")
    told = {"nodes": options.nodes, "seconds": options.time, "action_seconds": options.time, "seed": SEED}
    told = {name: value for name, value in told.items() if value}
    try:
        found = program.by_call(turn.game, spec, turn.state, turn.earlier, turn.player, told)
    except process.Fault as fault:
        print(f"referee: {spec.name}: {fault}", file=sys.stderr)
        return 1
    if options.json:
        colour = turn.state.COLOURS[turn.player]
        about = {"where": turn.where, "position": turn.state.text(), "colour": colour}
        about = {**about, "action": repr(found.pop("action"))}
        print(json.dumps({"agent": spec.name, "game": turn.game, "turn": about, **found}))
    else:
        print(program.text(spec.name, turn.where, found))
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.series and (options.record is None or options.turn is not None):
        raise UsageError("--series takes all turns of a game: give it --record FILE, and no --turn")
    if options.series and (options.compare or options.html or options.export or options.save):
        raise UsageError("--series has a table and --json; for a page name one --turn")
    if not options.series and (options.record is None) != (options.turn is None):
        raise UsageError("--record FILE and --turn N go together; give neither to begin at the start")
    if options.earlier and options.turn is None:
        raise UsageError("--earlier asks for the actions before a --turn of a --record")
    for name in ("nodes", "time", "top", "turn", "samples", "repeat"):
        value = getattr(options, name)
        if value is not None and not 0 < value < 1e12:
            raise UsageError(f"--{name} should be a number above 0, not {value}")
    if options.export and not _format(options.export):
        raise UsageError(f"--export writes {_endings()}; give the file's name one of these endings")
    rules.start(options.game)


def _turn(options: argparse.Namespace) -> ProfiledTurn:
    if options.position is not None:
        place = places.at_position(options.game, options.position)
    elif options.record is not None:
        place = places.in_record(options.game, options.record, options.turn)
    else:
        place = places.at_start(options.game)
    if not place.state.to_act():
        raise UsageError("the game is over there, so there is no turn to profile; name an earlier one")
    player = place.player(options.colour)
    opening = len(place.account.opening) if place.account else 0
    there = place.earlier, place.position, place.where, options.turn, opening
    return ProfiledTurn(options.game, place.state, player, *there)


def _account(options: argparse.Namespace) -> record.Account:
    account = judging.read(options.record)
    if account.game != options.game:
        raise UsageError(f"{options.record} is a game of {account.game}, not of {options.game}")
    return account


def _is_saved(name: str) -> bool:
    return name.endswith(".json")


def _saved(name: str) -> Profile:
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


def _endings() -> str:
    return " ".join(f"*{ending}" for ending in export.FORMATS)


def _format(path: Path) -> str | None:
    return next((ending for ending in export.FORMATS if path.name.endswith(ending)), None)


def _export(path: Path, profile: Profile) -> None:
    name = f"{profile['agent']}, {profile['game']}, {profile['turn']['where']}"
    if ending := _format(path):
        written = export.FORMATS[ending](name, measure.stacks_of(profile), profile["turn"]["cpu"])
        shell.write(path, written)
