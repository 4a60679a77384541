"""Returns from `action` what it sees of the world around it."""

import os
import sys

import channel


class Player:
    def __init__(self, colour):
        pass

    def action(self):
        return (
            tuple(sorted(os.environ)),
            os.getcwd(),
            sys.path[0],
            len(channel.descriptors()),
            sum(os.path.exists("/proc/self/fd/%d" % number) for number in range(64)),
            os.readlink("/proc/self/fd/0"),
            int(os.getsid(0) == os.getpid()),
            tuple(sorted(name for name in sys.modules if name.startswith(("referee", "tests", "pytest")))),
        )

    def update(self, *news):
        pass
