"""Runs a player in a process of its own: starts it, asks it, holds it to its limits, and ends it.

Begin with process.py.  What runs in the player's process (far_end.py, plain.py, pages.py, proc.py,
variation.py, confinement/), or beside it (launcher.py, loaded.py, keeper.py), imports nothing else of the
referee but players/removing.py, which the keeper runs.
"""
