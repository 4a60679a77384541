"""Play games between two players, each in its own process under the course's limits.

Several games come in pairs: one opening twice, with seats swapped.  The score counts all games, its
error bar the complete pairs.  `random` and `greedy` are seeded by --seed, pair and seat, so
that both games of a pair meet with the same luck.
"""

import argparse
import io
import json
import os
import platform
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any, TextIO

from referee import UsageError, rules
from referee.commands import limits
from referee.human import seating
from referee.human.person import Left
from referee.isolation import levels
from referee.isolation.process import CannotImport
from referee.isolation.replies import on_one_line
from referee.match import course_logs, record
from referee.match.loop import Match, Result, Turn, Watcher
from referee.match.planned import Fixture, fixtures
from referee.players.names import HUMAN, resolve
from referee.tournament import statistics
from referee.view.page import Pages, numbered
from referee.view.terminal import Terminal, painter, shows_unicode

# What an option means when nothing that fits follows it.
BARE = {"--time": "60", "--space": "100", "--delay": "0.5", "--verbosity": "3", "--logfile": "game.log"}
SHORT = {"-t": "--time", "-s": "--space", "-d": "--delay", "-v": "--verbosity", "-l": "--logfile"}
LONGEST_PAUSE = 1e9  # seconds; with ten times as many no system sleeps
VALUED = ("--action-time", "--first-time", "--nodes", "--games", "--opening", "--seed", "--record", "--port")
VALUED += ("--game-wall", "--isolation", "--require-isolation", "--readable", "--html")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee play [options] GAME P1 P2"
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    player = "a package, a path, package:Class, random, greedy or human"
    parser.add_argument("first", metavar="P1", help=player)
    parser.add_argument("second", metavar="P2", help=argparse.SUPPRESS)
    games = parser.add_argument_group("games")
    games.add_argument("--games", type=positive, default=1, metavar="N", help="games, in swapped pairs (1)")
    games.add_argument("--opening", type=natural, metavar="K", help="random plies first (0; 2 if several)")
    games.add_argument("--seed", type=int, metavar="N", help="makes games repeatable: openings and lots")
    seating.arguments(games)
    limits.arguments(parser)
    shown = parser.add_argument_group("what is shown and kept")
    level = shown.add_mutually_exclusive_group()
    level.add_argument("-v", "--verbosity", type=int, choices=range(4), metavar="N",
                       help="0 results, 1 actions, 2 board, 3 large")  # fmt: skip
    level.add_argument("-D", "--debug", action="store_const", const=3, dest="verbosity",
                       help=argparse.SUPPRESS)  # fmt: skip
    shown.add_argument("-d", "--delay", type=delay, default=0.0, metavar="S",
                       help="pause after a turn; negative: for Enter")  # fmt: skip
    colour = shown.add_mutually_exclusive_group()
    switch = {"default": None, "help": argparse.SUPPRESS}
    colour.add_argument("-c", "--colour", action="store_true", default=None, help="colours; -C: none")
    colour.add_argument("-C", "--no-colour", action="store_false", dest="colour", **switch)
    characters = shown.add_mutually_exclusive_group()
    characters.add_argument("-u", "--unicode", action="store_true", default=None, help="Unicode; -a: ASCII")
    characters.add_argument("-a", "--ascii", action="store_false", dest="unicode", **switch)
    shown.add_argument("-l", "--logfile", type=Path, metavar="FILE",
                       help="the log of the course, or a record")  # fmt: skip
    shown.add_argument("--record", type=Path, metavar="DIR", help="keep a record of each game, for replay")
    shown.add_argument("--html", type=Path, metavar="FILE",
                       help="a page to look at; of several games a list of pages")  # fmt: skip
    shown.add_argument("--json", action="store_true", help="an object a game and a summary, nothing else")


def prepare(words: Sequence[str]) -> list[str]:
    """The command line with every option's value attached to it.

    So that an option without a value may stand before a game or a player: what follows `-t` is its
    value if it is a number, what follows `-l` if there are more words than a game and two players.
    """
    ready: list[str] = []
    loose: list[tuple[str, int]] = []  # bare options, and where in `ready` the word stands that follows
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        option = SHORT.get(word, word)
        following = waiting[0] if waiting else "-"
        number = re.match(r"[-+]?(\d|\.\d|nan|inf)", following, re.I)
        if option in VALUED and waiting or option in BARE and number:
            ready.append(f"{option}={waiting.pop(0)}")
        elif option in BARE:
            ready.append(f"{option}={BARE[option]}")
            if not following.startswith("-"):
                loose.append((option, len(ready)))
        else:
            ready.append(word)
    spare = sum(not word.startswith("-") for word in ready) - 3
    for option, place in reversed(loose):
        if spare > 0 and option == "--logfile":
            ready[place - 1] = f"--logfile={ready.pop(place)}"
            spare -= 1
        elif spare > 0:
            raise UsageError(f"{option} takes a number, not {ready[place]!r}")
    return ready


def positive(text: str) -> int:
    """A number of games from the command line."""
    if natural(text) == 0:
        raise argparse.ArgumentTypeError("should be 1 or more")
    return natural(text)


def natural(text: str) -> int:
    """A count from the command line."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a whole number, 0 or more")
    return int(text)


def new_file(text: str) -> Path:
    """A file that can be written there, from the command line of an agent's training."""
    path = Path(text)
    if path.is_dir() or not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise argparse.ArgumentTypeError(f"no file can be written to {text!r}")
    return path


def delay(text: str) -> float:
    """Seconds to pause, from the command line; any negative number waits for Enter."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not (isfinite(value) and value < LONGEST_PAUSE):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a number of seconds")
    return value


def run(options: argparse.Namespace) -> int:
    to_play = _fixtures(options)
    tally = Tally((on_one_line(options.first), on_one_line(options.second)))
    terminal = _terminal(options)
    pages = options.html and Pages(options.html, several=options.games > 1)
    if pages and options.logfile and _share_a_name(pages, options):
        raise UsageError(f"--html {options.html} would overwrite --logfile; give it another name")
    if pages:
        pages.prepared()
    level, not_enforced = levels.described(levels.chosen(options))
    if not_enforced:
        print(f"referee: isolation level {level}: {not_enforced}", file=sys.stderr)
    terminal.isolation = levels.line(level)
    try:
        with seating.seats(options, terminal) as person:
            for fixture in to_play:
                _play(options, fixture, person, tally, terminal, pages)
    except Left as left:
        print(f"referee: {left}", file=sys.stderr)
        return left.code
    summary = {**tally.summary(), "isolation": level}
    if options.json:
        print(json.dumps(summary), flush=True)
    elif options.games > 1 or terminal.verbosity:
        names = tally.names
        terminal.score(names, summary["points"], summary["score"], summary["interval"], summary["openings"])
    return 1 if any(tally.faults) else 0


def _play(
    options: argparse.Namespace,
    fixture: Fixture,
    person: seating.PersonMaker | None,
    tally: "Tally",
    terminal: Terminal,
    pages: Pages | None,
) -> None:
    kept = io.StringIO()
    with ExitStack() as files:
        watchers, path = _watchers(options, fixture, files)
        if pages:
            watchers.append(record.Writer(lambda: kept, record_header(fixture)))
        if not options.json or person and not options.web:
            watchers.append(terminal)
        if options.delay:
            watchers.append(Pace(options.delay))
        try:
            result = fixture.play(watchers, import_or_raise=fixture.number == 1, person=person)
        except CannotImport as fault:
            raise UsageError(fault.message) from None
    tally.add(fixture, result)
    if pages:
        pages.add(record.parse(kept.getvalue()))
    if options.json:
        print(json.dumps(tally.game(fixture, result, path)), flush=True)


class Tally:
    """What the games have come to; two figures each are in the players' order."""

    def __init__(self, names: tuple[str, str]):
        self.names = names
        self.scores: list[float] = []  # the first player's, game by game
        self.faults = [0, 0]
        self.openings: set[str] = set()

    def add(self, fixture: Fixture, result: Result) -> None:
        self.scores.append(fixture.seated(result.scores)[0])
        for seat in result.at_fault:
            self.faults[fixture.seated((0, 1))[seat]] += 1
        self.openings.add(repr(fixture.opening))

    def game(self, fixture: Fixture, result: Result, path: Path | None) -> dict[str, Any]:
        """One game as --json prints it."""
        player_in = fixture.seated((0, 1))
        at_fault = sorted(player_in[seat] for seat in result.at_fault)
        return {
            "game": fixture.game,
            "number": fixture.number,
            "players": self.names,
            "first": fixture.first,
            "winner": None if result.winner is None else player_in[result.winner],
            "ending": result.ending,
            "at_fault": at_fault if len(at_fault) == 2 else (at_fault or [None])[0],
            "reason": result.reason,
            "turns": result.turns,
            "cpu": fixture.seated(result.cpu),
            "wall": [round(seconds, 3) for seconds in fixture.seated(result.wall)],
            "megabytes": fixture.seated(result.megabytes),
            "course_megabytes": fixture.seated(result.course_megabytes),
            "opening": [ply(chosen) for chosen in fixture.opening],
            "record": path and str(path),
        }

    def summary(self) -> dict[str, Any]:
        """The last line of --json.  The score is of all games, its error bar of the complete pairs."""
        points = sum(self.scores)
        wins = self.scores.count(1), self.scores.count(0)
        ends = statistics.interval(statistics.pair_counts(self.scores))
        return {
            "summary": True,
            "games": len(self.scores),
            "points": (points, len(self.scores) - points),
            "wins": wins,
            "draws": len(self.scores) - sum(wins),
            "faults": self.faults,
            "openings": len(self.openings),
            "score": points / len(self.scores),
            "error": ends and (ends[1] - ends[0]) / 2,
            "interval": ends,
        }


class Pace(Watcher):
    """Waits after each turn: some seconds, or for the Enter key."""

    def __init__(self, seconds: float):
        self.seconds = seconds

    def turn(self, match: Match, turn: Turn) -> None:
        if self.seconds > 0:
            time.sleep(self.seconds)
        else:
            sys.stdin.readline()


def _fixtures(options: argparse.Namespace) -> Iterator[Fixture]:
    try:
        start = rules.start(options.game)
    except ValueError as error:
        raise UsageError(str(error)) from None
    players = resolve(options.first, person=True), resolve(options.second, person=True)
    allowances = seating.allowances(options, players, start.LIMITS)
    plies = options.opening if options.opening is not None else 2 * (options.games > 1)
    return fixtures(options.game, players, allowances, options.games, plies, options.seed)


def _terminal(options: argparse.Namespace) -> Terminal:
    has_human = HUMAN in (options.first, options.second)
    usual = 2 * (options.games == 1 or has_human) - options.web  # a page shows the board
    verbosity = options.verbosity if options.verbosity is not None else usual
    file = sys.stderr if options.json else sys.stdout
    unicode = shows_unicode(file) if options.unicode is None else options.unicode
    return Terminal(verbosity, unicode, painter(file, options.colour), options.games > 1, file)


def _share_a_name(pages: Pages, options: argparse.Namespace) -> bool:
    """Whether a page would be written over a log."""
    if options.games == 1:
        return pages.would_write(options.logfile)
    logs = Pages(options.logfile, several=True)
    return pages.would_write(numbered(options.logfile, 1)) or logs.would_write(options.html)


def _watchers(
    options: argparse.Namespace, fixture: Fixture, files: ExitStack
) -> tuple[list[Watcher], Path | None]:
    """What writes a game down, and where its record is."""
    watchers, path = [], None
    header = record_header(fixture)
    if options.record:
        path = options.record / record_name(fixture)
        watchers.append(record.Writer(lambda: files.enter_context(_open(path)), header))
    if options.logfile:
        log = options.logfile
        if options.games > 1:
            log = numbered(log, fixture.number)
        of_course = course_logs.WRITERS.get(fixture.game)

        def opens() -> TextIO:
            return files.enter_context(_open(log))

        watchers.append(of_course(opens) if of_course else record.Writer(opens, header))
    return watchers, path


def record_header(fixture: Fixture) -> dict[str, Any]:
    """What a record begins with."""
    return {
        **fixture.header(),
        "isolation": levels.described(fixture.allowances[0].isolation)[0],
        "python": platform.python_version(),
        "system": platform.platform(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def record_name(fixture: Fixture) -> str:
    """A file name that sorts by number and says who played: `kalaha-seed7-003-kalaha_agent-random.txt`."""
    parts = [fixture.game, f"seed{fixture.seed}", f"{fixture.number:03}"]
    parts += [re.split(r"[/\\]", spec.name.rstrip("/\\"))[-1] for spec in fixture.seated(fixture.players)]
    return "-".join(re.sub(r"[^A-Za-z0-9_.]+", "_", part)[:40] for part in parts) + ".txt"


def _open(path: Path) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


def ply(chosen: Mapping[int, rules.Action]) -> str:
    """An action's repr; where both chose at once, that of the pair."""
    actions: Iterable[rules.Action] = tuple(chosen[player] for player in sorted(chosen))
    return repr(actions if len(chosen) > 1 else actions[0])
