"""A TCP connection to another program: bytes and lines, and each trouble said in a sentence."""

import select
import socket
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Self

from referee import RefereeTrouble
from referee.players.text import printable, shorten

CONNECTING = 5.0  # seconds for a server that is just being started
RETRYING = 0.2  # seconds between two attempts
FINISHING = 1.0  # seconds for the other side to close the connection as well
SENDING = 10.0  # seconds for the other side to take what is sent
LONGEST = 65536  # bytes of a line; a position of the largest game has a few hundred
CHUNK = 65536  # bytes read at once
MOST_CHUNKS = 16  # that are read in advance
CLOSING = 1.0  # seconds for the thread that reads to notice that it is over

Address = tuple[str, int]


class Silent(RefereeTrouble):
    """Nothing came in the time that was allowed."""


class Connection:
    """An open connection.  A thread of its own takes what comes, when it comes; one reads it, any may send.

    `name` says in sentences who is at the other end: `the server at localhost:8123`.  `arrived` is the
    moment (of time.monotonic) at which came what was read last, for clocks that the other side has
    started by sending it: however long nobody read it.
    """

    def __init__(self, link: socket.socket, name: str) -> None:
        self.name = name
        self.arrived = time.monotonic()
        self._link = link
        self._lines: deque[tuple[float, bytes]] = deque()  # whole ones, and when their ends came
        self._rest = b""  # read, but not yet a whole line
        self._came: deque[tuple[float, bytes | OSError]] = deque()  # and not read yet; last the end, or why
        self._change = threading.Condition()
        self._closed = False
        self._sending = threading.Lock()
        link.settimeout(SENDING)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def receive(self, seconds: float | None = None) -> bytes:
        """What has come, as soon as something has; b"" at the end of it.  Silent after so many seconds."""
        with self._change:
            if not self._change.wait_for(lambda: self._came, seconds):
                raise Silent(f"{self.name} has sent nothing for {seconds:.0f} s")
            arrived, data = self._came[0]
            if isinstance(data, OSError):
                raise RefereeTrouble(f"{self.name} is gone: {reason(data)}")
            self.arrived = arrived
            if data:
                self._came.popleft()
                self._change.notify_all()
            return data

    def _listen(self) -> None:
        """Take what comes until the end, but no more than somebody may still read."""
        data: bytes | OSError = b" "
        while data and not isinstance(data, OSError):
            try:
                select.select([self._link], [], [])
                arrived = time.monotonic()
                data = self._link.recv(CHUNK)
                self._acknowledge()
            except (OSError, ValueError) as error:  # ValueError: it is closed
                arrived, data = time.monotonic(), error if isinstance(error, OSError) else b""
            with self._change:
                self._came.append((arrived, data))
                self._change.notify_all()
                self._change.wait_for(lambda: len(self._came) < MOST_CHUNKS or self._closed)

    def _acknowledge(self) -> None:
        """Say at once that it came, where the system can: many servers hold their next line back until then.

        Linux would wait 40 ms, and a server that has already started our clock with that line does not.
        """
        if hasattr(socket, "TCP_QUICKACK"):
            self._link.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    @property
    def gone(self) -> bool:
        """Whether the other side has closed the connection, or it is broken; there may be more to read."""
        with self._change:
            last = self._came[-1][1] if self._came else b" "
        return not last or isinstance(last, OSError)

    def waiting(self) -> bool:
        """Whether a line has come that was not read yet, or the end."""
        while not self._lines:
            try:
                if not self._gather(0):
                    return True
            except Silent:
                return False
            except RefereeTrouble:  # it is gone, as will be said to whoever reads
                return True
        return True

    def line(self, seconds: float | None = None) -> str | None:
        """The next line that is not blank, without its end; None when no more will come.

        A half line before that is dropped.  What comes without ever ending a line is silence too.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self._lines:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                if not self._gather(left):
                    return None
                if not self._lines and deadline is not None and time.monotonic() > deadline:
                    raise Silent
            except Silent:
                half = ", but half a line" if self._rest else ""
                raise Silent(f"{self.name} has sent nothing for {seconds:.0f} s{half}") from None
        self.arrived, line = self._lines.popleft()
        return line.removesuffix(b"\r").decode(errors="replace")

    def _gather(self, seconds: float | None) -> bool:
        """Take apart what comes next; False at the end."""
        if len(self._rest) > LONGEST:
            raise self.nonsense(self._rest.decode(errors="replace"), f"a line of over {LONGEST} bytes")
        data = self.receive(seconds)
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._lines.extend((self.arrived, line) for line in lines if line.strip())
        return bool(data)

    def send(self, data: bytes) -> None:
        """Send it all, in one piece."""
        try:
            with self._sending:
                self._link.sendall(data)
        except TimeoutError:
            raise RefereeTrouble(f"{self.name} does not read what it is sent") from None
        except OSError as error:
            raise RefereeTrouble(f"{self.name} is gone: {reason(error)}") from None

    def nonsense(self, said: str, expected: str) -> RefereeTrouble:
        """The exception to raise for what does not belong to the protocol."""
        return RefereeTrouble(f"{self.name} sent {quoted(said)}: {expected}")

    def finish(self, seconds: float = FINISHING) -> None:
        """Send no more, and let the other side read all that was sent: closing at once could take it back."""
        deadline = time.monotonic() + seconds
        try:
            self._link.shutdown(socket.SHUT_WR)
            while self.receive(max(0.0, deadline - time.monotonic())) and time.monotonic() < deadline:
                pass
        except (OSError, RefereeTrouble):  # gone, or slow to go
            pass

    def close(self) -> None:
        with self._change:
            self._closed = True
            self._change.notify_all()
        with suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)  # which ends the thread's waiting
        self._thread.join(CLOSING)
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def connect(address: Address, seconds: float | None = None) -> Connection:
    """A connection to a server, which may take a moment until it is there."""
    return Connection(linked(address, seconds), name_of(address))


def name_of(address: Address) -> str:
    """A server as sentences call it."""
    return f"the server at {written(address)}"


def linked(address: Address, seconds: float | None = None) -> socket.socket:
    """A socket that is connected to a server, which may take a moment until it is there."""
    deadline = time.monotonic() + (CONNECTING if seconds is None else seconds)
    while True:
        try:
            left = max(1.0, deadline - time.monotonic())
            return socket.create_connection(address, timeout=left)
        except (socket.gaierror, UnicodeError):  # the latter for `..` and names of over 63 letters
            host = address[0][:60]
            raise RefereeTrouble(f"there is no machine called {host!r}; check the address") from None
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise RefereeTrouble(
                    f"nobody listens at {written(address)}; start the server first, or check the address"
                ) from None
            time.sleep(RETRYING)
        except OSError as error:
            raise RefereeTrouble(f"{name_of(address)} cannot be reached: {reason(error)}") from None


def written(address: Address) -> str:
    """`localhost:8123`, `[::1]:8123`."""
    host, port = address[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def quoted(said: str) -> str:
    """What somebody sent, safe to show and not longer than a sentence can bear."""
    return repr(printable(shorten(said, 80)))


def reason(error: OSError) -> str:
    """What the system says, without its number."""
    return (error.strerror or str(error) or type(error).__name__).lower()
