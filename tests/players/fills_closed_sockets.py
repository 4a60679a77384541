"""Keeps bytes in sockets that it has closed: a thread that waits for a socket keeps it, and what is in it."""

import os
import socket
import threading

from fills_sockets import fill
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        threading.stack_size(65536)
        while True:
            pair = socket.socketpair()
            waiting = [threading.Semaphore(0) for _ in pair]
            for one, told in zip(pair, waiting):
                fill(one)
                one.setblocking(True)
            for one, told in zip(pair, waiting):
                threading._start_new_thread(write, (one.fileno(), told))
            for told in waiting:
                told.acquire()
            for one in pair:
                os.close(one.detach())


def write(number, told):
    """Say that it will wait, and wait until there is room in the socket."""
    told.release()
    os.write(number, b"x")
