"""Takes the link of its keeper, and tells the referee through it of players that are not there."""

import ctypes
import os

from legal import Legal

PIDFD_GETFD = 438
LIES = (
    b"player 4194999\nkeeper 4194999\nleft 1\n",
    b"\xff\xfe\n\nplayer -1\nexit \nplayer 7 8\n",
    b"player " + b"9" * 5000 + b"\n",
)


class Player(Legal):
    def trouble(self, chosen):
        library = ctypes.CDLL(None, use_errno=True)
        keeper = os.pidfd_open(os.getppid())
        for number in range(20):
            link = library.syscall(PIDFD_GETFD, keeper, number, 0)
            if link < 0 and ctypes.get_errno() == 1 and not number:
                os.kill(os.getppid(), 0)  # who is confined may not do that either
            for lie in LIES if link >= 0 else ():
                try:
                    os.write(link, lie)
                except OSError:
                    pass
