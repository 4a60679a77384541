"""Lets a person play: in the terminal, or on a page in the browser.

Begin with person.py, which both ways share.
"""
