"""Keeps bytes in sockets, as many as it may open, where they are in no process's memory."""

import socket

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        self.pairs = []
        while True:
            self.pairs.append(socket.socketpair())
            for one in self.pairs[-1]:
                fill(one)


def fill(one):
    """Write to it until there is no more room."""
    one.setblocking(False)
    try:
        while True:
            one.send(bytes(32768))
    except BlockingIOError:
        pass
