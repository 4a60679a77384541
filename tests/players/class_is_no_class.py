"""Has a Player that cannot be called."""

Player = "to be written"
