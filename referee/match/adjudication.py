"""Ends a game that both players' searches call decided, where that was asked for.

A player's search tells a score after its action, from its own side.  A game is won when the winner's last
scores are all that high and the loser's all that low, drawn when both players' last ones are all that near
0; a player that tells no score plays to the end.  The reason of such a game begins with ADJUDICATED.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.match.loop import Turn

ADJUDICATED = "adjudicated: "


@dataclass(frozen=True)
class Adjudication:
    """What counts as decided: a score and for how many actions; of a draw also after which turn."""

    win: tuple[float, int] | None = None
    draw: tuple[float, int, int] | None = None

    def verdict(
        self, history: "Sequence[Turn]", colours: tuple[str, str]
    ) -> tuple[tuple[float, float], str] | None:
        """The scores and the reason, by seat; None while the game goes on."""
        if self.win:
            score, actions = self.win
            said = [_last_scores(history, player, actions) for player in (0, 1)]
            for player in (0, 1):
                mine, theirs = said[player], said[1 - player]
                if mine and theirs and min(mine) >= score and max(theirs) <= -score:
                    scores = (1.0, 0.0) if player == 0 else (0.0, 1.0)
                    return scores, f"{ADJUDICATED}both searches call it won for {colours[player]}"
        if self.draw:
            score, actions, after = self.draw
            said = [_last_scores(history, player, actions) for player in (0, 1)]
            if len(history) > after and all(said) and max(map(abs, said[0] + said[1])) <= score:
                return (0.5, 0.5), f"{ADJUDICATED}both searches call it drawn"
        return None

    def plain(self) -> dict[str, Any]:
        """In terms of JSON."""
        return {"win": self.win, "draw": self.draw}


def from_plain(plain: dict[str, Any] | None) -> Adjudication | None:
    """What `plain` described."""
    if not plain:
        return None
    win, draw = plain["win"], plain["draw"]
    return Adjudication(tuple(win) if win else None, tuple(draw) if draw else None)


def _last_scores(history: "Sequence[Turn]", player: int, actions: int) -> list[float]:
    """The scores of its last so many actions; none where one is missing."""
    asked = [turn for turn in history if player in turn.players][-actions:]
    scores = [turn.searches.get(player, {}).get("score") for turn in asked]
    known = [score for score in scores if score is not None]
    return known if len(known) == actions else []
