"""Shows games to people: the board in a terminal, replay pages, a tournament's tables and its report.

Nothing here plays or judges.  shell.py is the frame of every page; boards/ has a drawing for each game.
"""
