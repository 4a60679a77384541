"""Finds where the time of one turn goes: measured in the player's process, shown as text or a page.

Begin with measure.py.  What runs inside the player's process (calls.py, sampling.py, shares.py) imports
nothing else of the referee.
"""
