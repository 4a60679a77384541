"""One game: the loop that plays it, its openings, its record. Start reading in loop.py."""
