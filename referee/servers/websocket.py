"""A WebSocket (RFC 6455), read and written like a connection of plain lines, one message a line."""

import base64
import hashlib
import os
import struct
import time
from collections import deque

from referee import RefereeTrouble
from referee.servers.connection import LONGEST, Connection, Silent

MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # the same for all, from the RFC
UPGRADING = 10.0  # seconds for the server to agree
CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
LAST = 0x80  # of a message's frames
MASKED = 0x80
SHORT, MEDIUM, LONG = 125, 126, 127  # what a length byte says: itself, or that 2 or 8 bytes follow


class WebSocket(Connection):
    """An open WebSocket over a connection that nobody else uses any more."""

    def __init__(self, plain: Connection, host: str, path: str) -> None:
        self.name = plain.name
        self._plain = plain
        self._lines = deque()
        self._rest = b""
        self._frames = b""  # the same of bytes
        self._message = b""  # of a message, what has come so far
        self._over = False
        self._upgrade(host, path)

    @property
    def gone(self) -> bool:
        return self._over or self._plain.gone

    def receive(self, seconds: float | None = None) -> bytes:
        """The next message, with an end of line; b"" when there are no more.  Pings are answered."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self._over:
            frame = self._frame()
            if frame is None:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                data = self._plain.receive(left)
                self._over = not data
                self._frames += data
            elif (message := self._taken(*frame)) is not None:
                self.arrived = self._plain.arrived
                return message + b"\n"
            elif deadline is not None and time.monotonic() > deadline:  # of pings and empty parts no end
                raise Silent(f"{self.name} has sent no message for {seconds:.0f} s")
        return b""

    def send(self, data: bytes) -> None:
        """Send each line as a message of its own."""
        for line in data.splitlines(keepends=True):
            self._plain.send(_frame_of(TEXT, line))

    def close(self) -> None:
        if not self._over:
            self._over = True
            try:
                self._plain.send(_frame_of(CLOSE, struct.pack("!H", 1000)))
            except RefereeTrouble:  # it is gone, so it need not be told
                pass
        self._plain.close()

    def _upgrade(self, host: str, path: str) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        ]
        self._plain.send("\r\n".join([*lines, "", ""]).encode())
        deadline = time.monotonic() + UPGRADING
        answer = b""
        while b"\r\n\r\n" not in answer:
            data = self._plain.receive(max(0.0, deadline - time.monotonic()))
            answer += data
            if not data or len(answer) > LONGEST:
                raise self.nonsense(answer.decode(errors="replace"), "expected an HTTP answer")
        head, _, self._frames = answer.partition(b"\r\n\r\n")
        status, *fields = head.decode("latin-1").split("\r\n")
        named = {name.strip().lower(): value.strip() for name, _, value in (f.partition(":") for f in fields)}
        expected = base64.b64encode(hashlib.sha1((key + MAGIC).encode()).digest()).decode()
        if status.split()[1:2] != ["101"] or named.get("sec-websocket-accept") != expected:
            raise self.nonsense(status, f"it does not open a WebSocket at {path}")

    def _frame(self) -> tuple[int, bool, bytes] | None:
        """The next frame, if all of it is there: its kind, whether it ends a message, and what it carries."""
        data = self._frames
        if len(data) < 2:
            return None
        kind, length = data[0] & 0x0F, data[1] & 0x7F
        if data[0] & 0x70 or data[1] & MASKED:
            raise self.nonsense(data[:20].decode("latin-1"), "that is no frame of a WebSocket's server")
        size = {MEDIUM: 2, LONG: 8}.get(length, 0)
        if size:
            length = int.from_bytes(data[2 : 2 + size], "big") if len(data) >= 2 + size else LONGEST
        if length > LONGEST or kind & 0x8 and (length > SHORT or not data[0] & LAST):
            raise self.nonsense(data[:20].decode("latin-1"), f"a frame of over {LONGEST} bytes, or a bad one")
        end = 2 + size + length
        if len(data) < end:
            return None
        self._frames = data[end:]
        return kind, bool(data[0] & LAST), data[2 + size : end]

    def _taken(self, kind: int, last: bool, content: bytes) -> bytes | None:
        """A whole message, if this frame completes one; b"" is one too."""
        if kind == PING:
            self._plain.send(_frame_of(PONG, content))
        elif kind == CLOSE:
            self._plain.send(_frame_of(CLOSE, content[:2]))
            self._over = True
        elif kind in (TEXT, BINARY, CONTINUED):
            self._message += content
            if len(self._message) > LONGEST:
                raise self.nonsense(self._message.decode(errors="replace"), f"over {LONGEST} bytes at once")
            if last:
                message, self._message = self._message, b""
                return message
        elif kind != PONG:
            raise self.nonsense(f"a frame of kind {kind}", "a WebSocket has none")
        return None


def _frame_of(kind: int, content: bytes) -> bytes:
    """A whole message in one frame, masked as a client has to."""
    length = len(content)
    if length <= SHORT:
        head = struct.pack("!BB", LAST | kind, MASKED | length)
    else:
        head = struct.pack("!BBH", LAST | kind, MASKED | MEDIUM, length)
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(content))
