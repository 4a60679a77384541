"""A TCP connection to somebody else's program: bytes and lines, and each trouble said in a sentence."""

import select
import socket
import threading
import time
from typing import Self

from referee import RefereeTrouble
from referee.match import shorten
from referee.replies import printable

CONNECTING = 5.0  # seconds for a server that is just being started
RETRYING = 0.2  # seconds between two attempts
FINISHING = 1.0  # seconds for the other side to close the connection as well
SENDING = 10.0  # seconds for the other side to take what is sent
LONGEST = 65536  # bytes of a line; a position of the largest game has a few hundred
CHUNK = 65536  # bytes read at once

Address = tuple[str, int]


class Silent(RefereeTrouble):
    """Nothing came in the time that was allowed."""


class Connection:
    """An open connection.  One thread reads; any may send.

    `name` says in sentences who is at the other end: `the server at localhost:8123`.  `arrived` is the
    earliest moment (of time.monotonic) at which what was read last can have come, for clocks that
    the other side has started by sending it.
    """

    def __init__(self, link: socket.socket, name: str) -> None:
        self.name = name
        self.arrived = self._read = time.monotonic()
        self._link = link
        self._rest = b""  # read, but not yet a whole line
        self._sending = threading.Lock()
        link.settimeout(SENDING)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def receive(self, seconds: float | None = None) -> bytes:
        """What has come, as soon as something has; b"" at the end of it.  Silent after so many seconds."""
        try:
            if select.select([self._link], [], [], 0)[0]:
                self.arrived = self._read
            elif select.select([self._link], [], [], seconds)[0]:
                self.arrived = time.monotonic()
            else:
                raise Silent(f"{self.name} has sent nothing for {seconds:.0f} s")
            data = self._link.recv(CHUNK)
            self._acknowledge()
            return data
        except OSError as error:
            raise RefereeTrouble(f"{self.name} is gone: {reason(error)}") from None
        finally:
            self._read = time.monotonic()

    def _acknowledge(self) -> None:
        """Say at once that it came, where the system can: many servers hold their next line back until then.

        Linux would wait 40 ms, and a server that has already started our clock with that line does not.
        """
        if hasattr(socket, "TCP_QUICKACK"):
            self._link.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def waiting(self) -> bool:
        """Whether something has come that was not read yet, or the end."""
        return b"\n" in self._rest or bool(select.select([self._link], [], [], 0)[0])

    def line(self, seconds: float | None = None) -> str | None:
        """The next line without its end; None when no more will come.  A half line before that is dropped."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._rest:
            if len(self._rest) > LONGEST:
                raise self.nonsense(self._rest.decode(errors="replace"), f"a line of over {LONGEST} bytes")
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                data = self.receive(left)
            except Silent:
                half = ", but half a line" if self._rest else ""
                raise Silent(f"{self.name} has sent nothing for {seconds:.0f} s{half}") from None
            if not data:
                return None
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line.removesuffix(b"\r").decode(errors="replace")

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
            while self.receive(max(0.0, deadline - time.monotonic())):
                pass
        except (OSError, RefereeTrouble):  # gone, or slow to go
            pass

    def close(self) -> None:
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def connect(address: Address, seconds: float | None = None) -> Connection:
    """A connection to a server, which may take a moment until it is there."""
    name = f"the server at {written(address)}"
    deadline = time.monotonic() + (CONNECTING if seconds is None else seconds)
    while True:
        try:
            left = max(1.0, deadline - time.monotonic())
            return Connection(socket.create_connection(address, timeout=left), name)
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
            raise RefereeTrouble(f"{name} cannot be reached: {reason(error)}") from None


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
