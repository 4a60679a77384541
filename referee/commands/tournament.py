"""Play many pairs of games: how strong are the players, and how sure is that?

A pair is one opening played twice, seats swapped.  With --journal FILE every pair is written down as it
ends, and the same command takes an interrupted tournament up again.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from math import isfinite
from pathlib import Path
from typing import Any

from referee import UsageError, rules
from referee.commands import limits
from referee.commands.options import natural, positive
from referee.isolation import levels
from referee.isolation.machine import Busy, cores
from referee.isolation.process import Allowance
from referee.match.loop import shorten
from referee.match.openings import Openings
from referee.players import files
from referee.players.names import resolve
from referee.tournament import statistics
from referee.tournament.dispatcher import Dispatcher
from referee.tournament.imports import check_imports
from referee.tournament.jobs import Local, Runner
from referee.tournament.journal import Journal
from referee.tournament.plan import Plan, Slot, entrant_of
from referee.tournament.played import PlayedPair
from referee.tournament.results import Results
from referee.tournament.schedule import FORMATS, Schedule, Swiss
from referee.tournament.sequential import SequentialTest
from referee.view import report, tables
from referee.view.page import Pages
from referee.view.progress import Progress

PAIRS = 10
PAIRS_SPRT = 10_000  # at most; the test stops long before, or cannot tell
ELO_MOST = 200  # of a hypothesis: beyond, no distribution of results may fit normalised Elo
NUMBERS_AHEAD = 100_000  # by which a pair's number may exceed how many there are in a journal


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee tournament [options] GAME P1 P2 [P3 ...]"
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    player = "each a package, a path, package:Class, exec:PROGRAM, random or greedy"
    parser.add_argument("players", nargs="+", metavar="PLAYER", help=player)
    what = parser.add_argument_group("what is played")
    what.add_argument("--format", choices=FORMATS, default="round-robin", metavar="F",
                      help="round-robin, gauntlet (P1 against all), knockout or swiss")  # fmt: skip
    what.add_argument("--pairs", type=positive, metavar="N", help="pairs of games a pairing (10)")
    what.add_argument("--rounds", type=positive, metavar="N", help="of swiss (log2 of the players)")
    what.add_argument("--opening", type=natural, default=2, metavar="K", help="random plies first (2)")
    what.add_argument("--seed", type=int, metavar="N", help="makes games repeatable: openings and lots")
    what.add_argument(
        "--sprt", type=hypotheses, metavar="E0,E1", help="stop when decided; also E0,E1,ALPHA,BETA"
    )
    what.add_argument("--sprt-model", choices=("normalised", "logistic"), default="normalised", metavar="M",
                      help="normalised Elo or logistic")  # fmt: skip
    limits.arguments(parser)
    where = parser.add_argument_group("where it is played, what is kept and shown")
    where.add_argument("--jobs", type=positive, metavar="N", help="pairs at once (as many as cores)")
    where.add_argument("--workers", metavar="ADDRESS", help="of a Dask scheduler, whose workers play")
    where.add_argument("--journal", type=Path, metavar="FILE", help="keeps results; resumes from it")
    where.add_argument("--record", type=Path, metavar="DIR", help="keep a record of each game, for replay")
    where.add_argument("--report", type=Path, metavar="FILE", help="write a page on it, to look at")
    where.add_argument("--json", action="store_true", help="an object a pair and a summary, nothing else")


def hypotheses(text: str) -> tuple[float, ...]:
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
    return tuple(given)


def run(options: argparse.Namespace) -> int:
    begun, busy = time.monotonic(), Busy()
    plan = _plan(options)
    results = Results([entrant.spec.name for entrant in plan.entrants])
    schedule = _schedule(options, len(plan.entrants), results)
    test = _test(options)
    jobs = options.jobs or cores()
    warnings = [*_warnings(options, jobs), *_left_at_home(options, plan)]
    check_imports(plan.game, plan.entrants)
    _check_writable(options)

    def take(played: PlayedPair) -> None:
        """Counts a pair of the journal, if it is one that this tournament would play."""
        slot = Slot(*played.players, played.number)
        if slot.second >= len(plan.entrants) or not slot.number <= results.pairs + NUMBERS_AHEAD:
            raise ValueError("not a pair of this tournament")
        pair = plan.pair(slot)
        if (pair.id, tuple(pair.plies)) != (played.id, played.opening):
            raise ValueError("not a pair of this tournament")
        results.add(played)
        if test:
            test.update(results.meetings[0, 1])

    with ExitStack() as stack:
        journal = stack.enter_context(Journal(options.journal, _header(options, plan, schedule), take))
        resumed = results.pairs
        runner = _runner(options, plan, jobs)
        stack.callback(runner.close)
        shown = stack.enter_context(Progress(schedule, results, test, options.json))
        dispatcher = Dispatcher(plan, journal, runner, options.record, test)
        for played in dispatcher.play(schedule):
            shown.pair()
            if options.json:
                print(json.dumps(_without_details(played, results)), flush=True)
        if test and results.pairs:
            test.close(results.meetings[0, 1])
        facts = {"seconds": round(time.monotonic() - begun, 3), "busy": busy.share(), "resumed": resumed}
        facts["isolation"] = limits.isolation(options)
        summary = {**_summary(results, schedule, test), **facts}
        if options.report:
            report.write(options.report, report.Page(summary, results, schedule.order(), journal))
    for sentence in [*warnings, *_doubts(results)]:
        print(f"referee: warning: {sentence}", file=sys.stderr)
    if options.json:
        print(json.dumps(summary), flush=True)
    else:
        print(tables.tournament(summary, results, schedule.order()))
    return 1 if any(player.faults for player in results.players) else 0


# What is to be played


def _plan(options: argparse.Namespace) -> Plan:
    start = rules.start(options.game)
    if len(options.players) < 2:
        raise UsageError("a tournament takes two players or more; name another, such as random")
    if options.sprt and len(options.players) != 2:
        raise UsageError("--sprt takes two players; leave out the others, or --sprt")
    if options.rounds and options.format != "swiss":
        raise UsageError("--rounds is for --format swiss; the other formats have the rounds they need")
    specs = [resolve(text) for text in options.players]
    allowances = _allowances(options, start.LIMITS, len(specs))
    entrants = tuple(map(entrant_of, specs, allowances))
    seed = options.seed or 0
    openings = Openings(options.game, options.opening, seed)
    return Plan(options.game, seed, entrants, openings, options.seed is not None)


def _allowances(options: argparse.Namespace, of_game: rules.Limits, players: int) -> list[Allowance]:
    """Each player's; of two values the second is every other player's in a gauntlet."""
    first, second = limits.allowances(options, of_game)
    if players > 2 and first != second and options.format != "gauntlet":
        raise UsageError("two values of a limit are for two players, or a gauntlet; give one for all")
    return [first] + [second] * (players - 1)


def _schedule(options: argparse.Namespace, players: int, results: Results) -> Schedule:
    pairs = options.pairs or (PAIRS_SPRT if options.sprt else PAIRS)
    if options.format == "swiss":
        return Swiss(players, pairs, results, options.rounds)
    return FORMATS[options.format](players, pairs, results)


def _header(options: argparse.Namespace, plan: Plan, schedule: Schedule) -> dict[str, Any]:
    """What all pairs in a journal have in common.

    How many there are is not among it, so that there can be more, where the pairings do not depend on it.
    """
    header = {
        "game": options.game,
        "format": options.format,
        "players": [entrant.described() for entrant in plan.entrants],
        "opening": options.opening,
        "seed": plan.seed,
        "isolation": levels.described(plan.entrants[0].allowance.isolation)[0],
    }
    if schedule.keeps_pairs:
        header["pairs"] = schedule.pairs
        header["rounds"] = getattr(schedule, "length", None)
    return header


def _check_writable(options: argparse.Namespace) -> None:
    """UsageError now rather than after hours of play."""
    try:
        if options.record:
            options.record.mkdir(parents=True, exist_ok=True)
        if options.report:
            pages = Pages(options.report, several=True)
            if options.journal and pages.would_write(options.journal):
                raise UsageError(f"--report {options.report} would overwrite the journal; name another file")
            pages.prepared()
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None


def _runner(options: argparse.Namespace, plan: Plan, jobs: int) -> Runner:
    if not options.workers:
        return Local(jobs)
    from referee.tournament.cluster import Cluster

    return Cluster(options.workers, plan.entrants)


# What is said of it


def _test(options: argparse.Namespace) -> SequentialTest | None:
    return SequentialTest(statistics.Sprt(*options.sprt, options.sprt_model)) if options.sprt else None


def _warnings(options: argparse.Namespace, jobs: int) -> list[str]:
    level, not_enforced = levels.described(limits.isolation(options))
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
    if repeated := results.repeated():
        doubts.append(
            f"{repeated} of {results.games} games repeat one that the two had played before, move by move; "
            "error bars count them as if they were new"
        )
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


def _summary(results: Results, schedule: Schedule, test: SequentialTest | None) -> dict[str, Any]:
    """The last line of --json, but for what is of this run alone."""
    summary = {
        "summary": True,
        "games": results.games,
        "pairs": results.pairs,
        "standings": [results.players[index].standing() for index in schedule.order()],
        "pairings": [
            {"players": [results.players[index].name for index in two], "indices": two, **meeting.described()}
            for two, meeting in sorted(results.meetings.items())
        ],
        "faults": results.faults(),
    }
    if isinstance(schedule, Swiss) and any(schedule.byes):
        byes = zip(results.players, schedule.byes, strict=True)
        summary["byes"] = [player.name for player, rests in byes for _ in range(rests)]
    if test:
        summary["sprt"] = test.described()
    return summary
