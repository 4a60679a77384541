"""An agent for RoPaSci 360, both players moving at once."""

from .player import Player

__all__ = ["Player"]
