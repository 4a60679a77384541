"""An agent for Kalaha on boards of any size: alpha-beta by turns, and exact endings."""

from .player import Player

__all__ = ["Player"]
