"""Whether the players of a tournament import: one of forfeits is in nobody's interest."""

from collections.abc import Iterable

from referee import UsageError, rules
from referee.isolation.process import CannotImport, Fault
from referee.isolation.program_process import player_process
from referee.players.names import BASELINE
from referee.tournament.plan import Entrant


def check_imports(game: str, entrants: Iterable[Entrant]) -> None:
    """UsageError for a player that does not import, with the lines of its code in which that failed."""
    for entrant in entrants:
        if entrant.spec.module == BASELINE:
            continue
        colour, variant = rules.start(game).COLOURS[0], game.partition(":")[2]
        with player_process(entrant.spec, colour, variant, entrant.allowance, (("game", game),)) as player:
            try:
                player.start()
            except CannotImport as fault:
                raise UsageError("\n".join(filter(None, [fault.message, fault.where]))) from None
            except Fault:
                pass  # which will count, game by game
