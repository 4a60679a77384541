"""Has the kernel watch files, as many as there are, each of which it has to remember for that."""

import os

from attack import LIBRARY, checked
from legal import Legal

MODIFIED = 2
PLACES = "/usr", os.path.dirname(os.__file__)


class Player(Legal):
    def trouble(self, chosen):
        watch = checked(LIBRARY.inotify_init())
        for place in PLACES:
            for folder, _, names in os.walk(place):
                for name in names:
                    LIBRARY.inotify_add_watch(watch, os.fsencode(os.path.join(folder, name)), MODIFIED)
