"""Thinks in children that run for a fraction of a millisecond each, and that the system reaps by itself."""

import ctypes
import os
import signal

from legal import Legal

VM, VFORK = 0x100, 0x4000
STACK = 65536


class Player(Legal):
    def trouble(self, chosen):
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        library = ctypes.CDLL(None, use_errno=True)
        library.clone.argtypes = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
        stack, text = ctypes.create_string_buffer(STACK), ctypes.create_string_buffer(b"x" * 5_000_000)
        work = ctypes.cast(library.strlen, ctypes.c_void_p)
        top = (ctypes.addressof(stack) + STACK) & ~15
        while True:
            if library.clone(work, top, VM | VFORK | signal.SIGCHLD, ctypes.addressof(text)) < 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
