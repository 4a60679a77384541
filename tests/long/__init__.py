"""Checks that take long, each a command of its own; the tests beside them run a short sample of each."""
