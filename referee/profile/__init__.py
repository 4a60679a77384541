"""Finds where the time of one turn goes: sampled in its own process, shown in the terminal or on a page."""
