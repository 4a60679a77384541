"""Keeps bytes in connections with itself, which take more of them than sockets of other kinds."""

import socket

from fills_sockets import fill
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        self.ends = []
        with socket.create_server(("127.0.0.1", 0)) as server:
            while True:
                self.ends += [socket.create_connection(server.getsockname()), server.accept()[0]]
                for one in self.ends[-2:]:
                    fill(one)
