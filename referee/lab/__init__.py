"""One page on this machine that shows everything: it starts commands, and shows what they write.

The lab keeps nothing of its own: what it shows is read from the files of its folder (found.py, shown.py) and
from the commands that it has started (programs.py), whose words it shows as well (words.py).
"""
