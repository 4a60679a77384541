"""A player for Connect Four."""

from .player import Player

__all__ = ["Player"]
