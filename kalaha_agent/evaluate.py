"""What a position is worth to the mover, in pebbles."""

from operator import itemgetter

from .position import LEAD

# Bank difference.  When the game is over all pebbles are in the banks, so it is exact then.
evaluate = itemgetter(LEAD)
