"""A small server for tests: a socket, a thread, and a function that talks to each client."""

import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

DEADLINE = 300.0  # seconds that anything in a test may take


class Gone(Exception):
    """The client has closed its connection."""


class Link:
    """One client.  `cut`: how what is sent arrives, `whole`, in `bytes`, or all `together` when read from."""

    def __init__(self, link: socket.socket, cut: str = "whole") -> None:
        self.link = link
        self.cut = cut
        self.waiting = b""
        self.read = b""
        self.said: list[str] = []  # every line that came
        link.settimeout(DEADLINE)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data: bytes | str) -> None:
        """Send it now, or when the client is listened to."""
        self.waiting += data.encode() if isinstance(data, str) else data
        if self.cut != "together":
            self.flush()

    def flush(self) -> None:
        pieces = [self.waiting] if self.waiting else []
        if self.cut == "bytes":
            pieces = [bytes([byte]) for byte in self.waiting]
        self.waiting = b""
        for piece in pieces:
            with suppress(ConnectionError):
                self.link.sendall(piece)
            if self.cut == "bytes":
                time.sleep(0.0005)  # so that they are not read at once

    def receive(self) -> bytes:
        """What has come."""
        self.flush()
        try:
            data = self.link.recv(65536)
        except ConnectionError:
            raise Gone from None
        if not data:
            raise Gone
        return data

    def line(self) -> str:
        """The next line without its end."""
        while b"\n" not in self.read:
            self.read += self.receive()
        line, _, self.read = self.read.partition(b"\n")
        self.said.append(line.decode())
        return self.said[-1]

    def wait_for_end(self) -> bytes:
        """What comes until the client closes the connection."""
        rest, self.read = self.read, b""
        with suppress(Gone):
            while True:
                rest += self.receive()
        return rest

    def reset(self) -> None:
        """Break the connection off, without a goodbye."""
        self.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.link.close()


class Listener:
    """Talks to clients in the order they come, a function each; what a function raises fails the test."""

    def __init__(self, *talks: Callable[[Link], None], cut: str = "whole") -> None:
        self.talks = talks
        self.cut = cut
        self.trouble: list[BaseException] = []

    def __enter__(self) -> "Listener":
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(DEADLINE)
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        return self

    def _serve(self) -> None:
        for talk in self.talks:
            try:
                accepted, _ = self.socket.accept()
                with accepted:
                    link = Link(accepted, self.cut)
                    talk(link)
                    link.flush()
            except Gone:
                self.trouble.append(AssertionError("the client closed the connection too soon"))
            except BaseException as trouble:
                self.trouble.append(trouble)

    def __exit__(self, *exception: object) -> None:
        self.thread.join(2 * DEADLINE)  # what it does has ended by then
        self.socket.close()
        if exception == (None, None, None):
            assert not self.thread.is_alive(), "the server still waits for the client"
            for trouble in self.trouble:
                raise trouble


def compact(value: object) -> str:
    """A JSON value as the courses' programs write it."""
    return json.dumps(value, separators=(",", ":"))
