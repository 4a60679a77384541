"""An agent for Fanorona: the 1130 rules, where a chain may be stopped, and the 1100 rules."""

from .player import Player, Player1100

__all__ = ["Player", "Player1100"]
