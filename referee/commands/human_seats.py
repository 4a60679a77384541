"""The options for a human player of `play`, and how it gets its seat: at the terminal or on a page."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from referee import UsageError, rules
from referee.commands import limits
from referee.commands.options import port
from referee.human.terminal import TerminalSeat
from referee.isolation.allowance import Allowance
from referee.match.loop import Seat
from referee.match.planned import PlannedGame
from referee.players.names import HUMAN, Spec
from referee.view.terminal import Terminal

PersonMaker = Callable[[PlannedGame, int], Seat]


def arguments(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--web", action="store_true", help="a human plays on a page (--port N, --browser: open it)"
    )
    parser.add_argument("--port", type=port, help=argparse.SUPPRESS)
    parser.add_argument("--browser", action="store_true", help=argparse.SUPPRESS)


def allowances(
    options: argparse.Namespace, players: Sequence[Spec], usual: rules.Limits
) -> tuple[Allowance, Allowance]:
    """What each player may use; one value of a limit is for programs, a human's is given with the comma."""
    one, other = limits.allowances(options, usual)
    return (
        limits.of_a_person(options, 0) if players[0].module == HUMAN else one,
        limits.of_a_person(options, 1) if players[1].module == HUMAN else other,
    )


@contextmanager
def seats(options: argparse.Namespace, terminal: Terminal) -> Iterator[PersonMaker | None]:
    """What makes a human's seat, where one plays; the terminal is where the game is shown."""
    humans = [options.first, options.second].count(HUMAN)
    page_only = [f"--{name}" for name in ("web", "port", "browser") if getattr(options, name)]
    if page_only and not humans:
        raise UsageError(f"{page_only[0]} is for a human's seat; name {HUMAN!r} as one of the players")
    if page_only and not options.web:
        raise UsageError(f"{page_only[0]} goes with --web")
    if not humans:
        yield None
    elif not options.web:
        yield lambda planned, player: TerminalSeat(planned, player, terminal.file, terminal.unicode)
    else:
        from referee.human.web import WebPages  # here, since most games need no server

        with WebPages(options.game, humans, options.port or 0) as pages:
            for sentence in pages.invitation():
                terminal.say(sentence)
            if options.browser:
                pages.open_browser()
            yield pages.seat
