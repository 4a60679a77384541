"""Runs a player in a process of its own: starts it, asks it, holds it to its limits, and ends it.

Begin with process.py.  What runs inside the player's process (far_end.py, plain.py, pages.py, proc.py,
confinement/, launcher.py, keeper.py) imports nothing else of the referee.
"""
