"""Play many pairs of games: how strong are the players, and how sure is that?

A pair is one opening played twice, seats swapped.  With --journal FILE every pair is written down as it
ends, and the same command takes an interrupted tournament up again.
"""

import argparse
import json
import platform
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from threading import Event, Lock
from typing import Any

from referee import UsageError, __version__, commands, rules
from referee.commands import command_file, entrants, limits
from referee.commands.options import natural, port, positive
from referee.human.live import Live
from referee.isolation import levels
from referee.isolation.allowance import Allowance
from referee.isolation.machine import Busy, cores
from referee.match import given_openings, statistics
from referee.match.adjudication import Adjudication
from referee.match.openings import Openings
from referee.players import files
from referee.players.text import shorten
from referee.tournament import usage
from referee.tournament.dispatcher import Dispatcher
from referee.tournament.jobs import Board, Local, Runner, Watch
from referee.tournament.journal import ABOUT, WANTED, Journal
from referee.tournament.plan import OpeningsOfPairs, Plan, Slot
from referee.tournament.played import PlayedPair
from referee.tournament.results import Results
from referee.tournament.schedule import FORMATS, Schedule, Swiss
from referee.tournament.sequential import SequentialTest
from referee.tournament.standings import (
    EXCLUDE,
    EXCLUDES,
    ON_FAULT,
    Standings,
    of_journals,
    take_up,
)
from referee.view import report, report_games, tables
from referee.view.page import Pages
from referee.view.progress import Progress

WAYS = ("stop", "continue", EXCLUDE)  # what to do when a player fails before its first action
RUNNING = {"busy": None}  # what a summary lacks while pairs are played
PAIRS = 10
PAIRS_SPRT = 10_000  # at most; the test stops long before, or cannot tell
ELO_MOST = 200  # of a hypothesis: beyond, no distribution of results may fit normalised Elo
NUMBERS_AHEAD = 100_000  # by which a pair's number may exceed how many there are in a journal


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee tournament [options] GAME P1 P2 [P3 ...] | FILE.toml"
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    player = "each a package, a path, package:Class, exec:PROGRAM, random or greedy"
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=player)
    what = parser.add_argument_group("what is played")
    what.add_argument(
        "--format",
        choices=FORMATS,
        default="round-robin",
        metavar="F",
        help="round-robin, gauntlet (P1 against all), knockout or swiss",
    )
    what.add_argument("--pairs", type=positive, metavar="N", help="pairs of games a pairing (10)")
    what.add_argument("--rounds", type=positive, metavar="N", help="of swiss (log2 of the players)")
    what.add_argument("--opening", type=natural, default=2, metavar="K", help="random plies first (2)")
    what.add_argument(
        "--openings", type=Path, metavar="FILE", help="positions, lists of actions, or recorded games"
    )
    what.add_argument(
        "--order",
        choices=given_openings.ORDERS,
        metavar="O",
        help="of those: random or sequential (sequential)",
    )
    what.add_argument(
        "--balanced", metavar="AGENT,nodes=N,margin=M", help="openings that its search calls even"
    )
    what.add_argument("--seed", type=int, metavar="N", help="makes games repeatable: openings and lots")
    what.add_argument(
        "--sprt", type=hypotheses, metavar="E0,E1", help="stop when decided; also E0,E1,ALPHA,BETA"
    )
    what.add_argument(
        "--sprt-model",
        choices=("normalised", "logistic"),
        default="normalised",
        metavar="M",
        help="normalised Elo or logistic",
    )
    what.add_argument(
        "--on-fault",
        choices=WAYS,
        metavar="F",
        help="stop, continue or exclude, if a player fails at once",
    )
    what.add_argument(
        "--adjudicate-win",
        type=decided,
        metavar="S,N",
        help="end a game that both searches call won by S for N actions",
    )
    what.add_argument(
        "--adjudicate-draw",
        type=drawn,
        metavar="S,N,T",
        help="and that both call drawn, within S, N times after turn T",
    )
    limits.arguments(parser)
    more = parser.add_argument_group("for others to use")
    more.add_argument("--save", type=Path, metavar="FILE", help="write all this as a TOML file")
    more.add_argument(
        "--boards",
        action="store_true",
        help="with --json: also one a board, of games under way, now and then",
    )
    where = parser.add_argument_group("where it is played, what is kept and shown")
    where.add_argument("--jobs", type=positive, metavar="N", help="pairs at once (as many as cores)")
    where.add_argument("--workers", metavar="ADDRESS", help="of a Dask scheduler, whose workers play")
    where.add_argument("--journal", type=Path, metavar="FILE", help="keeps results; resumes from it")
    where.add_argument("--record", type=Path, metavar="DIR", help="keep a record of each game, for replay")
    where.add_argument("--report", type=Path, metavar="FILE", help="write a page on it, to look at")
    where.add_argument("--report-one-file", action="store_true", help="its games' pages inside it")
    where.add_argument(
        "--serve",
        type=port,
        nargs="?",
        const=0,
        metavar="PORT",
        help="a page on this machine that shows how it goes",
    )
    where.add_argument("-v", "--verbose", action="store_true", help="print each pairing, of however many")
    where.add_argument("--json", action="store_true", help="an object a pair and a summary, nothing else")


def hypotheses(text: str) -> tuple[float, float, float, float]:
    """Two differences in Elo, from the command line, and perhaps the two chances of an error."""
    try:
        given = [float(part) for part in text.split(",")]
    except ValueError:
        given = []
    if len(given) == 2:
        given += [0.05, 0.05]
    if len(given) != 4 or not all(map(isfinite, given)):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA")
    elo0, elo1, alpha, beta = given
    if not -ELO_MOST <= elo0 < elo1 <= ELO_MOST:
        raise argparse.ArgumentTypeError(
            f"ELO0 should be less than ELO1, and both from -{ELO_MOST} to {ELO_MOST}: not {text[:60]!r}"
        )
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise argparse.ArgumentTypeError(f"ALPHA and BETA should be between 0 and 0.5: not {text[:60]!r}")
    return elo0, elo1, alpha, beta


def decided(text: str) -> tuple[float, int]:
    """A score and a number of actions, from the command line."""
    score, *counts = _score_and_counts(text, 1, "SCORE,ACTIONS")
    return score, counts[0]


def drawn(text: str) -> tuple[float, int, int]:
    """A score, a number of actions and one of turns, from the command line."""
    score, *counts = _score_and_counts(text, 2, "SCORE,ACTIONS,TURN")
    return score, counts[0], counts[1]


def _score_and_counts(text: str, counts: int, form: str) -> list[Any]:
    try:
        score, *others = text.split(",")
        found = [float(score), *map(natural, others)]
    except ValueError:
        found = []
    if len(found) != counts + 1 or not 0 <= found[0] < 1e9 or found[1] < 1:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be {form}: a score from 0 on, and 1 or more")
    return found


def prepare(words: Sequence[str]) -> list[str]:
    """The words, with those of a TOML file in the place of its name."""
    return command_file.expanded(commands.parser("tournament"), words)


def run(options: argparse.Namespace) -> int:
    begun, busy = time.monotonic(), Busy()
    if options.boards and not options.json:
        raise UsageError("--boards goes with --json; --serve is a page that shows them")
    if options.save:
        command_file.written(options.words, options.save)
    plan, left_out = _plan(options)
    results = Results([entrant.spec.name for entrant in plan.entrants])
    schedule = _schedule(options, len(plan.entrants), results)
    test = SequentialTest(_sprt(options)) if options.sprt else None
    jobs = options.jobs or cores()
    warnings = [*_warnings(options, jobs), *_left_at_home(options, plan)]
    _check_writable(options)
    for sentence in entrants.sentences(left_out, options.game):
        print(f"referee: warning: {sentence}", file=sys.stderr)

    def take(played: PlayedPair) -> None:
        """Counts a pair of the journal, if it is one that this tournament would play."""
        slot = Slot(*played.players, played.number)
        if slot.second >= len(plan.entrants) or not slot.number <= results.pairs + NUMBERS_AHEAD:
            raise ValueError("not a pair of this tournament")
        if not plan.accept(slot, played.opening, played.id):
            raise ValueError("not a pair of this tournament")
        results.add(played)
        if test:
            test.update(results.meetings[0, 1])

    standings, resumed, stops = None, 0, _on_fault(options) == "stop"
    try:
        with ExitStack() as stack:
            header = _header(options, plan, schedule, left_out)
            journal = stack.enter_context(Journal(options.journal, header, take))
            take_up(journal, schedule, _on_fault(options))
            unable = Unable(options, results)
            standings = Standings(journal.header, results, schedule, test, journal.pairs)
            resumed = results.pairs
            live = _live(options, plan, stack)
            used = usage.used(len(plan.entrants), journal.pairs() if live else ())
            runner = _runner(options, plan, jobs, _watch(options, live))
            stack.callback(runner.close)
            shown = stack.enter_context(Progress(schedule, results, test, options.json))
            dispatcher = Dispatcher(plan, journal, runner, options.record, test, stops)
            for played in dispatcher.play(schedule):
                shown.pair()
                unable.tell()
                if live:
                    live.page.moved(played.id, None)
                    usage.count(used, played)
                    if live.is_due():
                        live.draw(report.Page(standings.summary() | RUNNING, standings, used))
                if options.json:
                    _print(_without_details(played, results))
            if test and results.pairs:
                test.close(results.meetings[0, 1])
            summary = {**standings.summary(), **_facts(options, begun, busy.share(), resumed)}
            if live:
                live.draw(report.Page(summary, standings, used))
                _stay(live)
            if options.report:
                report.write(options.report, report.Page(summary, standings), options.report_one_file)
    except KeyboardInterrupt:
        if options.journal and options.journal.exists():  # which may be a pair ahead of what was counted
            standings = of_journals([options.journal])
            results = standings.results
        if standings and results.pairs:
            facts = _facts(options, begun, None, resumed)
            _say({**standings.summary(), **facts}, standings, options)
        raise KeyboardInterrupt(_how_to_go_on(options, results)) from None
    if stops and results.broken:
        warnings.append(_why_it_stopped(options, results))
    for sentence in [*warnings, *_doubts(results)]:
        print(f"referee: warning: {sentence}", file=sys.stderr)
    _say(summary, standings, options)
    return 1 if left_out or any(player.faults for player in results.players) else 0


def _say(summary: dict[str, Any], standings: Standings, options: argparse.Namespace) -> None:
    if options.json:
        _print(summary)
        return
    print(tables.tournament(summary, standings.results, standings.order(), options.verbose), flush=True)


class Unable:
    """Says at once who completes no action, so that nobody waits for a night of forfeits."""

    def __init__(self, options: argparse.Namespace, results: Results):
        self._options, self._results = options, results
        self._told: set[int] = set()
        self.tell()

    def tell(self) -> None:
        """Of each such player one sentence, unless the tournament stops for it and says so."""
        stopping = self._results.broken if _on_fault(self._options) == "stop" else ()
        for index in sorted(self._results.unable.keys() - self._told - set(stopping)):
            self._told.add(index)
            name, reason = self._results.players[index].name, self._results.unable[index]
            is_out = _on_fault(self._options) == EXCLUDE
            way = "it is left out" if is_out else f"--on-fault {EXCLUDE} leaves it out"
            said = f"{name} completes no action: {reason}; {way}, and `check` says what to mend"
            print(f"referee: warning: {said}", file=sys.stderr, flush=True)


def _how_to_go_on(options: argparse.Namespace, results: Results) -> str:
    if not options.journal:
        return "interrupted; no player is left running, and nothing is kept: --journal FILE would keep pairs"
    pairs = f"{results.pairs} {'pair is' if results.pairs == 1 else 'pairs are'} kept in {options.journal}"
    return f"interrupted; {pairs}; to go on: {shlex.join(['referee', 'tournament', *options.words])}"


def _why_it_stopped(options: argparse.Namespace, results: Results) -> str:
    index, reason = min(results.broken.items())
    line = shlex.join(["referee", "tournament", *options.words, "--on-fault", EXCLUDE])
    return (
        f"stopped, since {results.players[index].name} fails before its first action: {reason}; "
        f"--on-fault continue plays on; to leave it out and go on: {line}"
    )


# What is to be played


def _plan(options: argparse.Namespace) -> tuple[Plan, list[entrants.LeftOut]]:
    start = rules.start(options.game)
    if len(options.players) < 2:
        raise UsageError(f"a tournament takes two players or more; {_others(options.players[0])}")
    if options.sprt and len(options.players) != 2:
        raise UsageError("--sprt takes two players; leave out the others, or --sprt")
    if options.rounds and options.format != "swiss":
        raise UsageError("--rounds is for --format swiss; the other formats have the rounds they need")
    specs, left_out = entrants.specs_of(options.players)
    labels = [spec.name for spec, text in zip(specs, options.players, strict=False) if spec.name != text]
    if len(set(labels)) < len(labels):
        raise UsageError("two players have the same label; give each its own")
    allowances = _allowances(options, start.LIMITS, len(specs))
    seed = options.seed or 0
    openings = _openings(options, seed)
    found, more = entrants.that_import(options.game, specs, allowances)
    left_out += more
    if len(found) < 2:
        raise UsageError(f"fewer than two players can play: {left_out[0].player}: {left_out[0].reason}")
    adjudication = None
    if options.adjudicate_win or options.adjudicate_draw:
        adjudication = Adjudication(options.adjudicate_win, options.adjudicate_draw)
    return Plan(options.game, seed, found, openings, options.seed is not None, adjudication), left_out


def _others(player: str) -> str:
    """Whom else to name: of a folder of players all that is in it."""
    folder = Path(player)
    if folder.is_dir() and not (folder / "__init__.py").exists():
        return f"for all that are in this folder: {folder}/*"
    return "name another, such as random"


def _openings(options: argparse.Namespace, seed: int) -> OpeningsOfPairs:
    if options.openings and options.balanced:
        raise UsageError("--balanced looks for openings of its own; leave it out, or --openings")
    if options.order and not options.openings:
        raise UsageError("--order goes with --openings FILE")
    if options.openings:
        found = given_openings.read(options.openings, options.game, options.opening)
        return given_openings.ListedOpenings(found, options.order or "sequential", seed)
    if options.balanced:
        judge = given_openings.judge_of(options.balanced, options.game)
        kept = options.journal and options.journal.with_name(f"{options.journal.name}.openings")
        return given_openings.BalancedOpenings(options.game, options.opening, seed, judge, kept)
    return Openings(options.game, options.opening, seed)


def _on_fault(options: argparse.Namespace) -> str:
    """In a format where one player's fault would hold up all others, it is left out unless said otherwise."""
    return options.on_fault or (EXCLUDE if FORMATS[options.format].keeps_pairs else "stop")


def _allowances(options: argparse.Namespace, of_game: rules.Limits, players: int) -> list[Allowance]:
    """Each player's; of two values the second is every other player's in a gauntlet."""
    first, second = limits.allowances(options, of_game)
    if players > 2 and first != second and options.format != "gauntlet":
        raise UsageError("two values of a limit are for two players, or a gauntlet; give one for all")
    return [first] + [second] * (players - 1)


def _schedule(options: argparse.Namespace, players: int, results: Results) -> Schedule:
    pairs = options.pairs or (PAIRS_SPRT if options.sprt else PAIRS)
    if options.format == "swiss":
        schedule: Schedule = Swiss(players, pairs, results, options.rounds)
    else:
        schedule = FORMATS[options.format](players, pairs, results)
    return schedule


def _header(
    options: argparse.Namespace, plan: Plan, schedule: Schedule, left_out: list[entrants.LeftOut]
) -> dict[str, Any]:
    """What all pairs in a journal have in common, and when, where and by which command it was begun.

    How many there are is not among it, so that there can be more, where the pairings do not depend on it.
    """
    header = {
        "game": options.game,
        "format": options.format,
        "players": [entrant.described() for entrant in plan.entrants],
        "opening": options.opening,
        "seed": plan.seed,
        "isolation": levels.with_warning(plan.entrants[0].allowance.isolation)[0],
    }
    if schedule.keeps_pairs:
        header["pairs"] = schedule.pairs
        header["rounds"] = getattr(schedule, "length", None)
        if _on_fault(options) != EXCLUDE:
            header[EXCLUDES] = False
    if options.openings or options.balanced:
        header["openings"] = str(plan.openings)
    if plan.adjudication:
        header["adjudication"] = plan.adjudication.plain()
    header[ABOUT] = {
        ON_FAULT: _on_fault(options),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(["referee", "tournament", *options.words]),
        "referee": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": f"{platform.machine()}, {cores()} cores",
        "sprt": [*options.sprt, options.sprt_model] if options.sprt else None,
        WANTED: schedule.pairs,
        "left_out": [one._asdict() for one in left_out],
    }
    return header


def check_report(path: Path | None, in_one_file: bool, journals: Sequence[Path]) -> None:
    """UsageError where the report cannot be written, or would overwrite one of the journals."""
    if in_one_file and not path:
        raise UsageError("--report-one-file goes with --report FILE")
    if path:
        if any(report_games.would_write(path, journal) for journal in journals):
            raise UsageError(f"--report {path} would overwrite the journal; name another file")
        Pages(path, several=False).prepared()
        if not in_one_file:
            report_games.prepare(path)


def _sprt(options: argparse.Namespace) -> statistics.Sprt:
    elo0, elo1, alpha, beta = options.sprt
    return statistics.Sprt(elo0, elo1, alpha, beta, options.sprt_model)


def _facts(options: argparse.Namespace, begun: float, busy: float | None, resumed: int) -> dict[str, Any]:
    """What a summary says of the run beside its results."""
    return {
        "seconds": round(time.monotonic() - begun, 3),
        "busy": busy,
        "resumed": resumed,
        "isolation": limits.isolation(options),
    }


def _check_writable(options: argparse.Namespace) -> None:
    """UsageError now rather than after hours of play."""
    try:
        if options.record:
            options.record.mkdir(parents=True, exist_ok=True)
        check_report(options.report, options.report_one_file, [options.journal] if options.journal else [])
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None


def _live(options: argparse.Namespace, plan: Plan, stack: ExitStack) -> Live | None:
    """The page that shows how it goes, where that is asked for."""
    if options.serve is None:
        return None
    live = stack.enter_context(Live(f"{options.game}: {options.format}", options.game, options.serve))
    print(f"referee: the tournament's page is {live.address}", file=sys.stderr, flush=True)
    return live


def _stay(live: Live) -> None:
    """At a terminal the page is there until Ctrl-C, so that it can be loaded anew."""
    live.page.end()
    if sys.stdin and sys.stdin.isatty() and sys.stderr.isatty():
        print("referee: the page stays until Ctrl-C is pressed", file=sys.stderr, flush=True)
        with suppress(KeyboardInterrupt):
            Event().wait()


def _watch(options: argparse.Namespace, live: Live | None) -> Watch | None:
    """Who is told of boards of games under way, if anybody is; called in threads."""
    if not (live or options.boards):
        return None

    def watch(pair: str, board: Board) -> None:
        if live:
            live.page.moved(pair, board)
        if options.boards:
            _print({"board": pair, "game": options.game, **board})

    return watch


_printing = Lock()


def _print(line: Mapping[str, Any]) -> None:
    """A line of JSON, whole, whoever prints beside it."""
    with _printing:
        print(json.dumps(line), flush=True)


def _runner(options: argparse.Namespace, plan: Plan, jobs: int, watch: Watch | None) -> Runner:
    if not options.workers:
        return Local(jobs, watch=watch)
    from referee.tournament.cluster import Cluster

    return Cluster(options.workers, plan.entrants, watch)


# What is said of it


def _warnings(options: argparse.Namespace, jobs: int) -> list[str]:
    level, not_enforced = levels.with_warning(limits.isolation(options))
    warnings = [f"isolation level {level}: {not_enforced}"] if not_enforced else []
    if (options.wall or level == "portable") and jobs > cores() and not options.workers:
        warnings.append(
            f"wall time is charged while {jobs} jobs share {cores()} cores, so players pay for each other; "
            f"use --jobs {cores()} or fewer"
        )
    return warnings


def _left_at_home(options: argparse.Namespace, plan: Plan) -> Iterator[str]:
    """What of the players' packages the workers do not get."""
    for entrant in plan.entrants if options.workers else ():
        if links := files.contents(entrant.spec).links:
            yield (
                f"{entrant.spec.name}: links that lead out of the package, or to folders, are not sent to "
                f"workers: {shorten(', '.join(links))}"
            )


def _doubts(results: Results) -> list[str]:
    """What a reader of the figures should know, the same for the same journal."""
    doubts = []
    if repeated := results.repeated:
        doubts.append(
            f"{repeated} of {results.games} games repeat one that the two had played before, move by move; "
            "error bars count them as if they were new"
        )
    if results.adjudicated:
        doubts.append(tables.adjudicated(results))
    if "no answer" in results.endings:
        doubts.append(
            f"{results.endings['no answer']} games ended without an answer while CPU time was left; "
            "if the machine was overloaded, fewer --jobs may end that"
        )
    return doubts


def _without_details(played: PlayedPair, results: Results) -> dict[str, Any]:
    """A pair as --json prints it: without moves and what each action took, which the journal has."""
    left_out = ("moves", "action_cpu", "action_megabytes")
    pair = played.plain()
    games = [{key: value for key, value in game.items() if key not in left_out} for game in pair["games"]]
    names = [results.players[index].name for index in played.players]
    return {**pair, "players": names, "indices": played.players, "games": games}
