"""The rules of the games: every clause and every known figure."""
