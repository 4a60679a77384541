"""Makes every attack there is in one game, each on a bait of its own, and says what came of each."""

import importlib

from attack import Attack
from legal import Legal

# A fork hangs after the last attack.
PLACES = "changes_files", "reaches_processes", "talks_to_others", "looks_around", "keeps_in_the_kernel"


def attacks():
    """The attacking classes."""
    for place in PLACES:
        for one in vars(importlib.import_module(place)).values():
            if isinstance(one, type) and one.__module__ == place and issubclass(one, Attack):
                yield one


class Player(Legal):
    def __init__(self, colour, variant="", bait="", referee=0, wild=False):
        super().__init__(colour, variant)
        self.attackers = [
            one(colour, variant, "%s/%s" % (bait, one.__name__), referee) for one in attacks() if wild or not one.WILD
        ]

    def trouble(self, chosen):
        for one in self.attackers:
            print(one.outcome(), flush=True)
