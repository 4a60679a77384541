"""Works out which moves were played from positions alone, which is all that a Kalah server tells.

What was played is found by looking for moves that lead from one position to the next.  So a game can be
recorded, and a player that cannot be set up in a position can be told how it came about.
"""

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from referee.match import record
from referee.match.loop import MatchResult, Turn
from referee.rules.kalaha import MOST_PEBBLES, A, B, State
from referee.servers.server_game import Terms, header, opened

MOST_LOOKED_AT = 20_000  # positions on the way from one to the next: some tenths of a second
MOST_SOWN = 1_000_000  # pebbles, on the way to them
MOST_GAMES = 8  # games that may go on at once; of more, the one that has waited longest is given up

Ply = tuple[int, int]  # player, pond


class FollowedGame:
    """One game.  `us` is our seat; nobody knows it if the first position is not near the start."""

    def __init__(self, seen: State) -> None:
        """Begin with what is seen first; in it, A is the one to move."""
        size = len(seen.ponds[A])
        total = _pebbles(seen)
        variant = f"{size}x{min(max(1, total // (2 * size)), MOST_PEBBLES)}"
        self.game = f"kalaha:{variant}"
        self.start = self.state = State.start(variant)
        self.plies: list[Ply] = []
        self.answers: list[int] = []  # what we would have had played in `state`, the last one first
        self.told_from_start = True
        for us in (A, B):
            found = way(self.start, as_played(seen, us), us)
            if found is not None:
                self.us, self.plies, self.state = us, found, as_played(seen, us)
                return
        self.us, self.start, self.state, self.told_from_start = A, seen, seen, False

    def goes_on(self, seen: State) -> bool:
        """Whether this position comes next; if so it is now the last one."""
        if not self.answers:
            return False
        target = as_played(seen, self.us)
        legal = self.state.actions(self.us)
        # The server plays what it likes where it found our answer too late.
        for pond in [*self.answers, *(pond for pond in legal if pond not in self.answers)]:
            found = way(self.state.after({self.us: pond}), target, self.us)
            if found is not None:
                self.plies += [(self.us, pond), *found]
                self.state, self.answers = target, []
                return True
        return False

    def answered(self, pond: int) -> None:
        """Note what we answer in the last position; the server may yet play something else."""
        self.answers.insert(0, pond)


class FollowedGames:
    """All games of one connection, each recorded if that is wanted.  Any thread may call."""

    def __init__(self, terms: Terms, opponent: str) -> None:
        self._terms = terms
        self._opponent = opponent
        self._lock = threading.Lock()
        self._games: list[tuple[FollowedGame, _Record | None]] = []

    def find(self, seen: State) -> FollowedGame:
        """The game that this position belongs to, maybe a new one."""
        with self._lock:
            found = next((one for one in self._games if one[0].goes_on(seen)), None)
            if found:
                self._games.remove(found)
            followed, kept = found or self._begun(seen)
            self._games.append((followed, kept))
            if len(self._games) > MOST_GAMES:
                self._end(*self._games.pop(0))
            if kept:
                kept.write(followed)
            return followed

    def _begun(self, seen: State) -> "tuple[FollowedGame, _Record | None]":
        followed = FollowedGame(seen)
        folder = self._terms.record
        return followed, _Record(followed, self._terms, self._opponent, folder) if folder else None

    def answered(self, followed: FollowedGame, pond: int, seconds: float, megabytes: float) -> None:
        """What we play in the game's last position; the server may yet play something else."""
        with self._lock:
            followed.answered(pond)
            for one, kept in self._games:
                if one is followed and kept:
                    kept.figures[len(followed.plies)] = seconds, megabytes

    def close(self) -> None:
        """The connection is over."""
        with self._lock:
            while self._games:
                self._end(*self._games.pop())

    def _end(self, followed: FollowedGame, kept: "_Record | None") -> None:
        if kept:
            if followed.answers:
                followed.plies.append((followed.us, followed.answers[0]))
            kept.end(followed)


class _Record:
    """A followed game in the form of the other records."""

    def __init__(self, followed: FollowedGame, terms: Terms, opponent: str, folder: Path) -> None:
        names = (terms.name, opponent) if followed.us == A else (opponent, terms.name)
        terms = replace(terms, game=followed.game)
        head = dict(header(terms, names, followed.us))
        if not followed.told_from_start:
            head["position"] = followed.start.text()
        self.figures: dict[int, tuple[float, float]] = {}  # by number of the ply: seconds, megabytes
        self._written = 0
        self._us = followed.us
        self._seconds, self._megabytes = 0.0, 0.0
        self._files = ExitStack()
        file = self._files.enter_context(opened(terms, folder))
        self._record = record.Record(file, head, followed.start.COLOURS)

    def write(self, followed: FollowedGame) -> None:
        """Add what is new."""
        for number, (player, pond) in enumerate(followed.plies[self._written :], self._written):
            seconds, self._megabytes = self.figures.pop(number, (0.0, self._megabytes))
            self._seconds += seconds
            figures = self._seated(seconds), self._seated(self._megabytes)
            self._record.turn(Turn(number + 1, (player,), {player: pond}, True, *figures))
        self._written = len(followed.plies)

    def end(self, followed: FollowedGame) -> None:
        """Add the last answer, and the result where the rules know it; otherwise the record is unfinished."""
        self.write(followed)
        state = followed.start
        for player, pond in followed.plies:
            state = state.after({player: pond})
        if outcome := state.outcome():
            scores, reason = outcome
            result = MatchResult(
                scores,
                ending="finished",
                call=None,
                at_fault=(),
                faults={},
                reason=reason,
                turns=self._written,
                cpu=self._seated(self._seconds),
                megabytes=self._seated(self._megabytes),
                course_megabytes=(0.0, 0.0),
                wall=(0.0, 0.0),
                opening=(),
                history=(),
                warnings=(),
            )
            self._record.end(result)
        self._files.close()

    def _seated(self, figure: float) -> tuple[float, float]:
        return (figure, 0.0) if self._us == A else (0.0, figure)


def as_played(seen: State, us: int) -> State:
    """A position in which we are A and to move, as it is on the board of the game."""
    return seen if us == A else State(B, seen.ponds[::-1], seen.banks[::-1])


def way(begin: State, target: State, us: int) -> list[Ply] | None:
    """Moves from one position to another in which we are to move; None if there are none, or too many.

    They are the opponent's, and ours where we had no choice: then the server does not ask.
    """
    if _pebbles(begin) != _pebbles(target):
        return None
    looked_at, sown = {begin}, 0
    waiting: list[tuple[State, Sequence[Ply]]] = [(begin, ())]
    while waiting and len(looked_at) < MOST_LOOKED_AT and sown < MOST_SOWN:
        state, plies = waiting.pop()
        if state == target:
            return list(plies)
        if any(bank > later for bank, later in zip(state.banks, target.banks, strict=True)):
            continue
        mover = state.mover
        if mover is None:
            continue
        ponds = state.actions(mover)
        if mover == us and len(ponds) > 1:
            continue
        for pond in ponds:
            child = state.after({mover: pond})
            sown += state.ponds[mover][pond - 1] + len(state.ponds[mover])
            if child not in looked_at:
                looked_at.add(child)
                waiting.append((child, (*plies, (mover, pond))))
    return None


def _pebbles(state: State) -> int:
    return sum(map(sum, state.ponds)) + sum(state.banks)
