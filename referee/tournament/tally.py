"""Adds up the games of two players, game by game and in all, as --json prints it."""

from pathlib import Path
from typing import Any

from referee.match.loop import Result
from referee.match.planned import PlannedGame, ply
from referee.tournament import statistics


class Tally:
    """What the games have come to; two figures each are in the players' order."""

    def __init__(self, names: tuple[str, str]):
        self.names = names
        self.scores: list[float] = []  # the first player's, game by game
        self.faults = [0, 0]
        self.openings: set[str] = set()

    def add(self, planned: PlannedGame, result: Result) -> None:
        self.scores.append(planned.seated(result.scores)[0])
        for seat in result.at_fault:
            self.faults[planned.seated((0, 1))[seat]] += 1
        self.openings.add(repr(planned.opening))

    def game(self, planned: PlannedGame, result: Result, path: Path | None) -> dict[str, Any]:
        """One game as --json prints it."""
        player_in = planned.seated((0, 1))
        at_fault = sorted(player_in[seat] for seat in result.at_fault)
        return {
            "game": planned.game,
            "number": planned.number,
            "players": self.names,
            "first": planned.first,
            "winner": None if result.winner is None else player_in[result.winner],
            "ending": result.ending,
            "at_fault": at_fault if len(at_fault) == 2 else (at_fault or [None])[0],
            "reason": result.reason,
            "turns": result.turns,
            "cpu": planned.seated(result.cpu),
            "wall": [round(seconds, 3) for seconds in planned.seated(result.wall)],
            "megabytes": planned.seated(result.megabytes),
            "course_megabytes": planned.seated(result.course_megabytes),
            "opening": [ply(chosen) for chosen in planned.opening],
            "record": path and str(path),
        }

    def summary(self) -> dict[str, Any]:
        """The last line of --json.  The score is of all games, its error bar of the complete pairs."""
        points = sum(self.scores)
        wins = self.scores.count(1), self.scores.count(0)
        ends = statistics.interval(statistics.pair_counts(self.scores))
        return {
            "summary": True,
            "games": len(self.scores),
            "points": (points, len(self.scores) - points),
            "wins": wins,
            "draws": len(self.scores) - sum(wins),
            "faults": self.faults,
            "openings": len(self.openings),
            "score": points / len(self.scores),
            "error": ends and (ends[1] - ends[0]) / 2,
            "interval": ends,
        }
