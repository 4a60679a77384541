"""An agent for Kalaha on boards of any size: alpha-beta by turns, and exact endgames."""

from .player import Player

__all__ = ["Player"]
