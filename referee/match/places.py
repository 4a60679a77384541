"""A place in a game that a command begins at: the start, a turn of a recorded game, or a position."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee import UsageError, rules
from referee.match import judging
from referee.match.loop import Turn
from referee.match.record import Account
from referee.rules import Action, State


@dataclass(frozen=True)
class Place:
    """The state there, and what led to it."""

    game: str
    state: State
    earlier: Sequence[tuple[State, Mapping[int, Action]]]  # the states before, and what was chosen there
    position: str | None  # what players are set up with before that; None: it begins at the game's start
    where: str  # in words
    number: int | None = None  # of the turn in its record
    account: Account | None = None  # the record

    @property
    def plies(self) -> tuple[Mapping[int, Action], ...]:
        """What was chosen before."""
        return tuple(chosen for _, chosen in self.earlier)

    def turns(self) -> tuple[Turn, ...]:
        """The turns of the record before this place."""
        assert self.account and self.number
        before = enumerate(self.account.turns[: self.number - 1], 1)
        return tuple(
            Turn(
                number, one.players, one.chosen, one.played, _two(one.cpu), _two(one.megabytes), one.searches
            )
            for number, one in before
        )

    def player(self, colour: str | None) -> int:
        """Who is to act there; of two the first, unless the colour says otherwise."""
        players = self.state.to_act()
        if colour is None:
            return players[0]
        colours = [self.state.COLOURS[player] for player in players]
        if colour not in colours:
            raise UsageError(f"{colour!r} is not to act there; {' or '.join(colours)} is")
        return self.state.COLOURS.index(colour)


def at_start(game: str) -> Place:
    """The start of the game."""
    return Place(game, rules.start(game), [], None, "the start of the game")


def at_position(game: str, text: str) -> Place:
    """A position in the rules' text form."""
    state = rules.parse(game, text)
    return Place(game, state, [], state.text(), "a position set up")


def in_record(game: str, path: Path, turn: int | None) -> Place:
    """Where the turn of that number was to be played; None: where the record ends."""
    account = judging.read(path)
    if account.game != game:
        raise UsageError(f"{path} is a game of {account.game}, not of {game}")
    if turn is not None and turn > len(account.turns):
        turns = len(account.turns)
        raise UsageError(f"{path} has {turns} turns, so there is no turn {turn}")
    number = turn or 1 + sum(entry.played for entry in account.turns)
    wanted = account.turns[number - 1] if number <= len(account.turns) else None
    state, earlier = account.start(), []
    try:
        for entry, before in judging.states(account):
            if entry is wanted:
                state = before
                break
            earlier.append((before, entry.chosen))
            state = before.after(entry.chosen)
    except judging.Difference as difference:
        raise UsageError(f"{path} differs from the rules, {difference}") from None
    position = account.start().text() if account.start() != rules.start(game) else None
    where = f"turn {number} of {path}" if turn else f"the end of {path}"
    return Place(game, state, earlier, position, where, number, account)


def _two(figures: tuple[float, ...]) -> tuple[float, float]:
    return (figures[0], figures[1]) if len(figures) == 2 else (0.0, 0.0)
