"""Play games between two players, each in its own process under the course's limits.

Several games come in pairs: one opening twice, with seats swapped.  The score counts all games, its
error bar the complete pairs.  `random` and `greedy` are seeded by --seed, pair and seat, so
that both games of a pair meet with the same luck.
"""

import argparse
import io
import json
import shlex
import sys
import time
from contextlib import ExitStack, nullcontext, redirect_stdout
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from referee import UsageError, rules
from referee.commands import debugging, human_seats, limits
from referee.commands.options import delay, drawing, natural, positive
from referee.human.control import Control
from referee.human.person import PersonLeft
from referee.isolation import levels
from referee.isolation.process import CannotImport
from referee.match import course_logs, places, record, statistics
from referee.match.loop import Match, Seat, Turn, Watcher, place_of
from referee.match.openings import Openings, ply
from referee.match.planned import PlannedGame, record_header, record_name
from referee.players.names import HUMAN, Spec, resolve
from referee.tournament.plan import Entrant, Plan, Slot
from referee.tournament.played import PlayedGame, PlayedPair
from referee.tournament.results import Results
from referee.view.page import Pages, numbered
from referee.view.terminal import Terminal, moves, painter, shows_unicode


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee play [options] GAME P1 P2"
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    player = "a package, a path, package:Class, exec:PROGRAM, random, greedy or human"
    parser.add_argument("first", metavar="P1", help=player)
    parser.add_argument("second", metavar="P2", help=argparse.SUPPRESS)
    games = parser.add_argument_group("games")
    games.add_argument("--games", type=positive, default=1, metavar="N", help="games, in swapped pairs (1)")
    games.add_argument("--opening", type=natural, metavar="K", help="random plies first (0; 2 if several)")
    games.add_argument("--seed", type=int, metavar="N", help="makes games repeatable: openings and lots")
    human_seats.arguments(games)
    begin = parser.add_argument_group("beginnings")
    begin.add_argument(
        "--from",
        type=Path,
        dest="beginning",
        metavar="FILE",
        help="begin where this record ends; --turn N: where that was played",
    )
    begin.add_argument("--turn", type=positive, help=argparse.SUPPRESS)
    begin.add_argument("--position", metavar="TEXT", help="begin at a position in the rules' text form")
    begin.add_argument("--keep-seats", action="store_true", help="P1 has the first seat in all games")
    begin.add_argument(
        "--control", action="store_true", help="JSON lines: what happens goes out, what to do comes in"
    )
    begin.add_argument("--paused", action="store_true", help=argparse.SUPPRESS)
    limits.arguments(parser)
    shown = parser.add_argument_group("what is shown and kept")
    shown.add_argument(
        "-v",
        "--verbosity",
        type=int,
        choices=range(4),
        nargs="?",
        const=3,
        metavar="N",
        help="0 results, 1 actions, 2 board, 3 large",
    )
    debugging.arguments(shown)
    shown.add_argument(
        "-d",
        "--delay",
        type=delay,
        nargs="?",
        default=0.0,
        const=0.5,
        metavar="S",
        help="pause after a turn; negative: for Enter",
    )
    drawing(shown)
    shown.add_argument(
        "-l",
        "--logfile",
        type=Path,
        nargs="?",
        const=Path("game.log"),
        metavar="FILE",
        help="the log of the course, or a record",
    )
    shown.add_argument("--record", type=Path, metavar="DIR", help="keep a record of each game, for replay")
    shown.add_argument(
        "--html", type=Path, metavar="FILE", help="a page to look at; of several games a list of pages"
    )
    shown.add_argument("--json", action="store_true", help="an object a game and a summary, nothing else")


def run(options: argparse.Namespace) -> int:
    if options.debug == debugging.COURSES:
        if options.verbosity is not None:
            raise UsageError("-v: not allowed with a bare --debug, which is -v 3")
        options.verbosity = 3
    place = _place(options)
    plan = _plan(options, place)
    results = Results([entrant.spec.name for entrant in plan.entrants])
    terminal = _terminal(options)
    control = _control(options)
    pages = options.html and Pages(options.html, several=options.games > 1)
    if pages and options.logfile and _share_a_name(pages, options):
        raise UsageError(f"--html {options.html} would overwrite --logfile; give it another name")
    if pages:
        pages.prepared()
    level, not_enforced = levels.with_warning(limits.isolation(options))
    if not_enforced:
        print(f"referee: isolation level {level}: {not_enforced}", file=sys.stderr)
    terminal.isolation = levels.line(level)
    try:
        with human_seats.seats(options, terminal) as person:
            person = control.person if control else person
            if debugging.players(options):
                person = _either(debugging.maker(_named(options), options.pdb), person)
            for number in range(1, (options.games + 1) // 2 + 1):
                pair = plan.pair(Slot(0, 1, number))
                drawn = islice(pair.games(), options.games - 2 * (number - 1))
                to_play = [_placed(planned, place, options) for planned in drawn]
                games = tuple(
                    _play(options, planned, person, terminal, pages, control) for planned in to_play
                )
                results.add(PlayedPair(pair.id, (0, 1), number, tuple(pair.plies), games, 0.0, 0.0))
    except PersonLeft as left:
        print(f"referee: {left}", file=sys.stderr)
        return left.code
    said = {**summary(results), "isolation": level}
    if options.json:
        print(json.dumps(said), flush=True)
    elif options.games > 1 or terminal.verbosity:
        names = [player.name for player in results.players]
        terminal.score(names, said["points"], said["score"], said["interval"], said["openings"])
    return 1 if any(said["faults"]) else 0


def _place(options: argparse.Namespace) -> places.Place | None:
    """Where the games begin, if not at the start."""
    if options.turn and not options.beginning:
        raise UsageError("--turn goes with --from FILE, the record in which it was played")
    if options.beginning and options.position is not None:
        raise UsageError("--from and --position each say where games begin; leave one of them out")
    if options.beginning is None and options.position is None:
        return None
    if options.opening:
        raise UsageError("--opening is for games from the start; leave it out, or --from and --position")
    if options.position is not None:
        place = places.at_position(options.game, options.position)
    else:
        place = places.in_record(options.game, options.beginning, options.turn)
    if not place.state.to_act():
        raise UsageError(f"the game is over at {place.where}; name an earlier turn")
    return place


def _placed(planned: PlannedGame, place: places.Place | None, options: argparse.Namespace) -> PlannedGame:
    """The game from the place on: who has played it up to there goes on with the time that is left."""
    if options.keep_seats:
        planned = replace(planned, first=0, pair=planned.number)
    if place is None:
        return planned
    planned = replace(planned, position=place.position, begun=place.where if place.account else None)
    header = place.account.header if place.account else {}
    names = tuple(spec.name for spec in planned.seated(planned.players))
    if options.games > 1 or header.get("players") != names or place.number == 1:
        return replace(planned, opening=place.plies)
    assert place.account
    return replace(
        planned,
        opening=tuple(entry.chosen for entry in place.account.opening),
        earlier=place.turns(),
        given_seeds=_seeds(header.get("seeds")),
    )


def _seeds(written: object) -> tuple[int, int] | None:
    match written:
        case (int(one), int(other)):
            return one, other
    return None


def _plan(options: argparse.Namespace, place: places.Place | None) -> Plan:
    start = rules.start(options.game)
    players = debugging.here(_named(options), debugging.players(options))
    allowances = human_seats.allowances(options, players, start.LIMITS)
    plies = options.opening if options.opening is not None else 2 * (options.games > 1 and not place)
    seed = options.seed or 0
    entrants = tuple(map(Entrant, players, allowances))
    openings = Openings(options.game, plies, seed)
    return Plan(options.game, seed, entrants, openings, options.seed is not None)


def _named(options: argparse.Namespace) -> tuple[Spec, Spec]:
    return resolve(options.first, person=True), resolve(options.second, person=True)


def _play(
    options: argparse.Namespace,
    planned: PlannedGame,
    person: human_seats.PersonMaker | None,
    terminal: Terminal,
    pages: Pages | None,
    control: Control | None,
) -> PlayedGame:
    kept = io.StringIO()
    with ExitStack() as files:
        watchers = _watchers(options, planned, files)
        if pages:
            watchers.append(record.Writer(lambda: kept, record_header(planned)))
        if control:
            watchers.append(control)
        elif not options.json or person and not options.web:
            watchers.append(terminal)
        if options.delay:
            watchers.append(Pace(options.delay))
        recorder = _recorder(options, planned, files)
        if control:
            control.prepare(planned, recorder)
        around = control.seat if control else None
        try:
            with redirect_stdout(sys.stderr) if options.json else nullcontext():  # a debugged player prints
                result = planned.play([*recorder, *watchers], planned.number == 1, person, around)
        except CannotImport as fault:
            raise UsageError(f"{fault.message}{place_of(fault)}") from None
    path = recorder[0].file.name if recorder else None
    if result.ending == "illegal action" and terminal.verbosity and not options.json:
        again = (
            f"referee replay {shlex.quote(path)}"
            if path
            else "with --record DIR a game is kept, for `replay`"
        )
        terminal.say(f"to look at it again: {again}")
    played = PlayedGame.of(planned, result, path)
    if pages:
        pages.add(record.parse(kept.getvalue()))
    if options.json:
        print(json.dumps(as_json(planned, played)), flush=True)
    return played


def as_json(planned: PlannedGame, played: PlayedGame) -> dict[str, Any]:
    """A game as --json prints it."""
    return {
        "game": planned.game,
        "number": planned.number,
        "players": [spec.name for spec in planned.players],
        **played.result(),
        "opening": [ply(chosen) for chosen in planned.opening],
        "record": played.record,
    }


def summary(results: Results) -> dict[str, Any]:
    """The last line of --json.  The score is of all games, its error bar of the complete pairs."""
    first, second = results.players
    meeting = results.meetings[0, 1]
    ends = statistics.interval(meeting.pairs)
    return {
        "summary": True,
        "games": results.games,
        "points": (first.points, second.points),
        "wins": (first.wins, first.losses),
        "draws": first.draws,
        "faults": [first.faults.total(), second.faults.total()],
        "openings": len(meeting.openings),
        "score": first.points / results.games,
        "error": ends and (ends[1] - ends[0]) / 2,
        "interval": ends,
    }


def _either(here: human_seats.PersonMaker, person: human_seats.PersonMaker | None) -> human_seats.PersonMaker:
    """What makes the seats of both humans and players in this process."""

    def seat(planned: PlannedGame, seat: int) -> Seat:
        is_human = planned.seated(planned.players)[seat].module == HUMAN
        return person(planned, seat) if is_human and person else here(planned, seat)

    return seat


def _control(options: argparse.Namespace) -> Control | None:
    """What another program steers the games by, where that is asked for."""
    if not options.control:
        return None
    for name in ("web", "verbosity", "debug"):
        if getattr(options, name):
            raise UsageError(f"--{name} is not for --control, which says all in lines of JSON")
    options.json = True
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no request
    return Control(sys.stdin, sys.stdout, options.paused)


class Pace(Watcher):
    """Waits after each turn: some seconds, or for the Enter key."""

    def __init__(self, seconds: float):
        self.seconds = seconds

    def turn(self, match: Match, turn: Turn) -> None:
        if self.seconds > 0:
            time.sleep(self.seconds)
        else:
            sys.stdin.readline()


def _terminal(options: argparse.Namespace) -> Terminal:
    has_human = HUMAN in (options.first, options.second)
    usual = 2 * (options.games == 1 or has_human) - options.web  # a page shows the board
    verbosity = options.verbosity if options.verbosity is not None else usual
    file = sys.stderr if options.json else sys.stdout
    unicode = shows_unicode(file) if options.unicode is None else options.unicode
    # Where a person types or a debugger does, what was there stays; and so it does where nobody looks.
    in_place = verbosity >= 2 and not has_human and not options.debug and options.delay >= 0 and moves(file)
    return Terminal(verbosity, unicode, painter(file, options.colour), options.games > 1, file, in_place)


def _share_a_name(pages: Pages, options: argparse.Namespace) -> bool:
    """Whether a page would be written over a log."""
    if options.games == 1:
        return pages.would_write(options.logfile)
    logs = Pages(options.logfile, several=True)
    return pages.would_write(numbered(options.logfile, 1)) or logs.would_write(options.html)


def _recorder(options: argparse.Namespace, planned: PlannedGame, files: ExitStack) -> list[record.Writer]:
    """What keeps the game's record, if that is asked for; one that is there already is never overwritten."""
    if not options.record:
        return []
    path = options.record / record_name(planned)
    return [record.Writer(lambda: files.enter_context(record.new_file(path)), record_header(planned))]


def _watchers(options: argparse.Namespace, planned: PlannedGame, files: ExitStack) -> list[Watcher]:
    """What writes the course's log, if that is asked for."""
    if not options.logfile:
        return []
    log = options.logfile
    if options.games > 1:
        log = numbered(log, planned.number)
    of_course = course_logs.WRITERS.get(planned.game)

    def opens() -> TextIO:
        return files.enter_context(_open(log))

    return [of_course(opens) if of_course else record.Writer(opens, record_header(planned))]


def _open(path: Path) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
