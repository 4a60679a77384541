"""An agent for Pentago: the course's twist variant, and classic."""

from .player import Player, PlayerClassic

__all__ = ["Player", "PlayerClassic"]
