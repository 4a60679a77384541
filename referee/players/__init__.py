"""Finds players by name, file or zip, as the command line names them; and has `random` and `greedy`.

Nothing of a player is imported or run here, but for objects.py and versions.py, whose players are our own.
"""
