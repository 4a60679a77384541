"""Cuts its address space into as many pieces as the kernel lets it, each of which the kernel has to keep."""

import ctypes
import mmap

from legal import Legal

PAGE = mmap.PAGESIZE
NORESERVE = 0x4000


class Player(Legal):
    def trouble(self, chosen):
        library = ctypes.CDLL(None)
        library.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        self.memory = mmap.mmap(-1, 2**28, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for place in range(start, start + len(self.memory), 2 * PAGE):
            if library.mprotect(place, PAGE, mmap.PROT_READ):
                break
