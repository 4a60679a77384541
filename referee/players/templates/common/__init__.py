"""A player; courses and the referee look here for the class `Player`."""

from .player import Player

__all__ = ["Player"]
