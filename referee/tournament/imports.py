"""Whether the players of a tournament import: one of forfeits is in nobody's interest."""

from collections.abc import Iterable

from referee import UsageError, rules
from referee.isolation.process import Allowance, CannotImport, Fault
from referee.isolation.program_process import player_process
from referee.match.loop import place_of
from referee.players.names import BASELINE, Spec
from referee.tournament.plan import Entrant


def check_imports(game: str, entrants: Iterable[Entrant]) -> None:
    """UsageError for a player that does not import, with the lines of its code in which that failed."""
    for entrant in entrants:
        if fault := fault_of_import(game, entrant.spec, entrant.allowance):
            raise UsageError(f"{fault.message}{place_of(fault)}")


def fault_of_import(game: str, spec: Spec, allowance: Allowance) -> CannotImport | None:
    """What is wrong with the import of a player."""
    if spec.module == BASELINE:
        return None
    colour, variant = rules.start(game).COLOURS[0], game.partition(":")[2]
    with player_process(spec, colour, variant, allowance, (("game", game),)) as player:
        try:
            player.start()
        except CannotImport as fault:
            return fault
        except Fault:
            pass  # which will count, game by game
    return None
