"""Play games between two players, each in its own process under the course's limits.

Several games come in pairs: one opening twice, with seats swapped.  The score counts all games, its
error bar the complete pairs.  `random` and `greedy` are seeded by --seed, pair and seat, so
that both games of a pair meet with the same luck.
"""

import argparse
import io
import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from referee import UsageError, rules
from referee.commands import limits, seating
from referee.commands.options import delay, natural, positive
from referee.human.person import Left
from referee.isolation import levels
from referee.isolation.process import CannotImport
from referee.match import course_logs, record
from referee.match.loop import Match, Turn, Watcher
from referee.match.planned import PlannedGame, planned_games, record_header, record_name
from referee.players.names import HUMAN, resolve
from referee.players.text import on_one_line
from referee.tournament.tally import Tally
from referee.view.page import Pages, numbered
from referee.view.terminal import Terminal, painter, shows_unicode

# What an option means when nothing that fits follows it.
BARE = {"--time": "60", "--space": "100", "--delay": "0.5", "--verbosity": "3", "--logfile": "game.log"}
SHORT = {"-t": "--time", "-s": "--space", "-d": "--delay", "-v": "--verbosity", "-l": "--logfile"}
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


def run(options: argparse.Namespace) -> int:
    to_play = _planned_games(options)
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
            for planned in to_play:
                _play(options, planned, person, tally, terminal, pages)
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
    planned: PlannedGame,
    person: seating.PersonMaker | None,
    tally: Tally,
    terminal: Terminal,
    pages: Pages | None,
) -> None:
    kept = io.StringIO()
    with ExitStack() as files:
        watchers, path = _watchers(options, planned, files)
        if pages:
            watchers.append(record.Writer(lambda: kept, record_header(planned)))
        if not options.json or person and not options.web:
            watchers.append(terminal)
        if options.delay:
            watchers.append(Pace(options.delay))
        try:
            result = planned.play(watchers, import_or_raise=planned.number == 1, person=person)
        except CannotImport as fault:
            raise UsageError(fault.message) from None
    tally.add(planned, result)
    if pages:
        pages.add(record.parse(kept.getvalue()))
    if options.json:
        print(json.dumps(tally.game(planned, result, path)), flush=True)


class Pace(Watcher):
    """Waits after each turn: some seconds, or for the Enter key."""

    def __init__(self, seconds: float):
        self.seconds = seconds

    def turn(self, match: Match, turn: Turn) -> None:
        if self.seconds > 0:
            time.sleep(self.seconds)
        else:
            sys.stdin.readline()


def _planned_games(options: argparse.Namespace) -> Iterator[PlannedGame]:
    try:
        start = rules.start(options.game)
    except ValueError as error:
        raise UsageError(str(error)) from None
    players = resolve(options.first, person=True), resolve(options.second, person=True)
    allowances = seating.allowances(options, players, start.LIMITS)
    plies = options.opening if options.opening is not None else 2 * (options.games > 1)
    return planned_games(options.game, players, allowances, options.games, plies, options.seed)


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
    options: argparse.Namespace, planned: PlannedGame, files: ExitStack
) -> tuple[list[Watcher], Path | None]:
    """What writes a game down, and where its record is."""
    watchers, path = [], None
    header = record_header(planned)
    if options.record:
        path = options.record / record_name(planned)
        watchers.append(record.Writer(lambda: files.enter_context(_open(path)), header))
    if options.logfile:
        log = options.logfile
        if options.games > 1:
            log = numbered(log, planned.number)
        of_course = course_logs.WRITERS.get(planned.game)

        def opens() -> TextIO:
            return files.enter_context(_open(log))

        watchers.append(of_course(opens) if of_course else record.Writer(opens, header))
    return watchers, path


def _open(path: Path) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
