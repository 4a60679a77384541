"""An agent for Expendibots."""

from .player import Player

__all__ = ["Player"]
