"""Reads a byte here and there of much memory that was never written: it is not resident, its page tables are."""

import mmap

from legal import Legal

LEAF = 2**21  # what one page table covers
NORESERVE = 0x4000


class Player(Legal):
    def trouble(self, chosen):
        memory = mmap.mmap(-1, 2**37, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE, mmap.PROT_READ)
        for place in range(0, len(memory), LEAF):
            memory[place]
