"""A WebSocket, tornado's, read and written like a connection of plain lines, one message a line."""

import asyncio
import logging
import socket
import threading
import time
from collections import deque
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from typing import Any, TypeGuard

from tornado.httpclient import HTTPError, HTTPRequest
from tornado.iostream import IOStream, StreamClosedError
from tornado.tcpclient import TCPClient
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, WebSocketError

from referee import RefereeTrouble
from referee.servers.connection import CLOSING, LONGEST, MOST_CHUNKS, SENDING, Connection

UPGRADING = 10.0  # seconds for the server to agree
UNSENT = 2 * LONGEST  # bytes that the other side has not read yet, answers to its pings among them
TOO_LONG = 1009  # the code that says so
WAITING = 0.01  # seconds between two looks whether somebody has read what came


class Given(TCPClient):
    """Connects to nothing: the connection is there."""

    def __init__(self, link: socket.socket):
        super().__init__()
        self._link = link

    async def connect(self, *arguments: Any, **named: Any) -> IOStream:
        """The connection."""
        return IOStream(self._link, max_buffer_size=4 * LONGEST, max_write_buffer_size=UNSENT)


class WebSocket(Connection):
    """An open WebSocket over a connection that nobody else uses; a thread of its own takes what comes."""

    def __init__(self, link: socket.socket, name: str, host: str, path: str) -> None:
        self.name = name
        self.arrived = time.monotonic()
        self._lines: deque[tuple[float, bytes]] = deque()
        self._rest = b""
        self._came: deque[tuple[float, bytes | OSError]] = deque()
        self._change = threading.Condition()
        self._closed = False
        self._is_closed_well = False  # by the other side, as WebSockets are
        self._trouble: RefereeTrouble | None = None  # what the other side sent that is no WebSocket's
        self._read = link  # by tornado
        self._link = link.dup()  # to see whether the other side has closed it, and to end it
        for one in (link, self._link):
            one.setblocking(False)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for log in ("tornado.general", "tornado.application"):  # what goes wrong is said in a sentence
            logging.getLogger(log).propagate = False
            logging.getLogger(log).addHandler(logging.NullHandler())
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._socket = self._done(self._open(link, host, path), UPGRADING)
        except (Late, HTTPError, WebSocketError, StreamClosedError, OSError, ValueError) as error:
            self.close()
            answered = (
                f"answered {error.code} {error.message}" if _is_answer(error) else "gave no HTTP answer"
            )
            raise RefereeTrouble(f"{name} {answered}: it does not open a WebSocket at {path}") from None
        asyncio.run_coroutine_threadsafe(self._hear(), self._loop)

    def receive(self, seconds: float | None = None) -> bytes:
        """The next message, with an end of line; b"" when there are no more.  Pings are answered."""
        data = super().receive(seconds)
        if not data and self._trouble:
            raise self._trouble
        return data

    def send(self, data: bytes) -> None:
        """Send each line as a message of its own."""
        for line in data.splitlines(keepends=True):
            try:
                self._done(self._write(line), SENDING)
            except Late:
                raise RefereeTrouble(f"{self.name} does not read what it is sent") from None
            except (WebSocketClosedError, StreamClosedError, OSError):
                raise RefereeTrouble(f"{self.name} is gone: it has closed the connection") from None

    def close(self) -> None:
        with self._change:
            self._closed = True
        if hasattr(self, "_socket"):
            with suppress(Late, WebSocketClosedError, StreamClosedError, OSError):
                self._done(self._farewell(), CLOSING)
        with suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)  # which ends whatever the thread is at
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSING)
        for one in (self._read, self._link):
            one.close()

    # In the thread

    async def _open(self, link: socket.socket, host: str, path: str) -> WebSocketClientConnection:
        request = HTTPRequest(f"ws://{host}{path}", follow_redirects=False, request_timeout=UPGRADING)
        opened = WebSocketClientConnection(request, max_message_size=LONGEST)
        opened.tcp_client = Given(link)
        await opened.connect_future
        assert opened.protocol
        protocol = opened.protocol
        answer = protocol.close  # what answers the other side's last frame, or one that is too long

        def close(code: int | None = None, reason: str | None = None) -> None:
            self._is_closed_well = code != TOO_LONG and not protocol.server_terminated
            answer(code, reason)

        protocol.close = close  # type: ignore[method-assign]
        return opened

    async def _hear(self) -> None:
        """Take what comes until the end, but no more than somebody may still read."""
        message: str | bytes | None = ""
        while message is not None and not self._closed:
            message = await self._socket.read_message()
            arrived = time.monotonic()
            data = message.encode() if isinstance(message, str) else message
            if data is None and self._is_broken():
                expected = f"that is no frame of a WebSocket's server, or a message of over {LONGEST} bytes"
                self._trouble = self.nonsense("what cannot be read", expected)
            with self._change:
                self._came.append((arrived, b"" if data is None else data + b"\n"))
                self._change.notify_all()
            while len(self._came) >= MOST_CHUNKS and not self._closed:
                await asyncio.sleep(WAITING)

    def _is_broken(self) -> bool:
        """Whether it was ended here, since no WebSocket sends such a thing: the other side is still there."""
        if self._is_closed_well or self._closed:
            return False
        try:
            return bool(self._link.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except OSError:
            return False

    async def _write(self, line: bytes) -> None:
        await self._socket.write_message(line)

    async def _farewell(self) -> None:
        self._socket.close(1000)

    def _done(self, work: Any, seconds: float) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)


def _is_answer(error: BaseException) -> TypeGuard[HTTPError]:
    """Whether the server has answered something; 599 is tornado's own."""
    return isinstance(error, HTTPError) and error.code != 599
