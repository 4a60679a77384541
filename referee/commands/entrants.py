"""Sorts out which of the players that a tournament names can play, and says what is wrong with the others."""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee import UsageError
from referee.isolation.allowance import Allowance
from referee.isolation.process import CannotImport
from referee.players import files
from referee.players.names import Spec, resolve
from referee.players.text import shorten
from referee.tournament.imports import fault_of_start
from referee.tournament.plan import Entrant, entrant_of
from referee.view import progress


class LeftOut(NamedTuple):
    """A file or folder that cannot play, and why."""

    player: str
    reason: str


def specs_of(texts: Sequence[str]) -> tuple[list[Spec], list[LeftOut]]:
    """Who is named, and of many the files that are no players; UsageError for any other mistake."""
    specs, left_out = [], []
    for text in texts:
        try:
            spec = resolve(text)
            files.bundle(spec)
            specs.append(spec)
        except UsageError as error:
            if len(texts) <= 2 or not os.path.exists(text.partition("=")[2] or text):
                raise
            left_out.append(LeftOut(text, str(error)))
    return specs, left_out


def that_import(
    game: str, specs: Sequence[Spec], allowances: Sequence[Allowance]
) -> tuple[tuple[Entrant, ...], list[LeftOut]]:
    """Those that start, and of many those that do not; UsageError for one of two that does not import.

    A tournament of forfeits is in nobody's interest.  Of two, who passes a limit by its import forfeits.
    """
    entrants, left_out = [], []
    are_many = len(specs) > 2
    each = zip(specs, allowances, strict=True)
    for spec, allowance in progress.track(each, "players", len(specs)) if are_many else each:
        fault = fault_of_start(game, spec, allowance)
        if fault and (are_many or isinstance(fault, CannotImport)):
            message = fault.message if isinstance(fault, CannotImport) else str(fault)
            where = files.without_folder(fault.where)
            left_out.append(LeftOut(spec.name, "\n".join(filter(None, [message, where]))))
        else:
            entrants.append(entrant_of(spec, allowance))
    if left_out and not are_many:
        raise UsageError(left_out[0].reason)
    return tuple(entrants), left_out


def sentences(left_out: Sequence[LeftOut], game: str) -> Iterator[str]:
    """What is said of those that cannot play."""
    for one in left_out:
        yield (
            f"{one.player} cannot play and is left out: {shorten(one.reason, 300)} "
            f"(referee check {game} {one.player} says more)"
        )
