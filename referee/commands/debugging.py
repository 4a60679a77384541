"""The options --debug and --pdb of `play`: the player runs in the referee's own process, for a debugger."""

import argparse
import pdb
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from referee import UsageError, rules
from referee.match.local import LocalSeat
from referee.match.planned import PlannedGame
from referee.players import objects
from referee.players.names import HERE, HUMAN, Spec

COURSES = ""  # what --debug is without a player: the courses' own option, which shows a large board


def arguments(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "-D",
        "--debug",
        nargs="?",
        const=COURSES,
        type=str,
        metavar="P1",
        help="it runs here: breakpoint() works; --pdb: at a crash",
    )
    group.add_argument("--pdb", action="store_true", help=argparse.SUPPRESS)


def players(options: argparse.Namespace) -> tuple[int, ...]:
    """Which of the two players run in this process."""
    if not options.debug:
        if options.pdb:
            raise UsageError("--pdb goes with --debug and the player that runs here, as in --debug P1")
        return ()
    names = {"p1": (0,), "1": (0,), "p2": (1,), "2": (1,)}
    typed = tuple(index for index, one in enumerate((options.first, options.second)) if one == options.debug)
    if found := typed or names.get(options.debug.lower()):
        return found
    raise UsageError(f"--debug takes P1 or P2, the player that is to run here, not {options.debug!r:.100}")


def here(specs: tuple[Spec, Spec], chosen: Sequence[int]) -> tuple[Spec, Spec]:
    """The players as they are planned: those of this process are not found by their names any more."""
    for index in chosen:
        if specs[index].module == HUMAN or specs[index].program:
            raise UsageError(f"{specs[index].name} is no player in Python, so it cannot run in this process")
    one, other = (replace(spec, module=HERE) if index in chosen else spec for index, spec in enumerate(specs))
    return one, other


def maker(specs: tuple[Spec, Spec], with_debugger: bool) -> Callable[[PlannedGame, int], LocalSeat]:
    """What makes their seats, given the players as they were named."""
    on_crash = _post_mortem if with_debugger else None

    def seat(planned: PlannedGame, seat: int) -> LocalSeat:
        spec, allowance = planned.seated(specs)[seat], planned.allowance(seat)
        found = objects.loaded(spec, on_crash)
        variant, told = planned.game.partition(":")[2], dict(planned.extra(seat, spec))
        offered = {"variant": variant, **allowance.keywords(), **told}
        colour = rules.start(planned.game).COLOURS[seat]
        return LocalSeat(found, colour, dict(spec.arguments), offered, allowance, on_crash)

    return seat


def _post_mortem(error: BaseException) -> None:
    print(f"{type(error).__name__}: {error}", file=sys.stderr)
    pdb.post_mortem(error.__traceback__)
