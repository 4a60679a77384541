"""Finds where the time of one turn goes: measured in the player's process, shown as text or a page.

Begin with measure.py.  What runs inside the player's process (calls.py and what it imports) imports nothing
else of the referee.
"""
