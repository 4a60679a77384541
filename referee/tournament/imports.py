"""Tries whether the players of a tournament can be imported, before any game is played."""

from collections.abc import Iterable

from referee import UsageError, rules
from referee.isolation.allowance import Allowance
from referee.isolation.process import CannotImport, Fault
from referee.isolation.program_process import player_process
from referee.match.loop import place_of
from referee.players.names import BASELINE, Spec
from referee.tournament.plan import Entrant


def check_imports(game: str, entrants: Iterable[Entrant]) -> None:
    """UsageError for a player that does not import, with the lines of its code in which that failed."""
    for entrant in entrants:
        fault = fault_of_start(game, entrant.spec, entrant.allowance)
        if isinstance(fault, CannotImport):  # any other will count, game by game
            raise UsageError(f"{fault.message}{place_of(fault)}")


def fault_of_start(game: str, spec: Spec, allowance: Allowance) -> Fault | None:
    """What is wrong with a player before it is made: CannotImport, or a limit that its import passes."""
    if spec.module == BASELINE:
        return None
    colour, variant = rules.start(game).COLOURS[0], game.partition(":")[2]
    with player_process(spec, colour, variant, allowance, (("game", game),)) as player:
        try:
            player.start()
        except Fault as fault:
            return fault
    return None
