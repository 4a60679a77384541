"""A small web server for the pages of one game: on this machine alone, and only for who has its address.

An address holds a token.  What is asked must name this host and port exactly (a name that somebody
points here does not), come from the page itself and not from another, and be short.  Whatever else
comes is refused in a sentence and touches nothing.
"""

import hmac
import json
import re
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from referee import UsageError
from referee.view.shell import SERVED

HOST = "127.0.0.1"
MAX_BODY = 4096  # bytes
MAX_CONNECTIONS = 64  # at once; for one more, the one is closed whose request has been awaited longest
SILENCE = 15.0  # seconds for a request to arrive as a whole, however often a bit of it does
CLOSING = 1.0  # seconds for a connection that was closed to make room
HEADERS = {
    "Content-Security-Policy": f"{SERVED}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # the address is the key
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Files = Mapping[str, tuple[str, str]]  # by name: the kind and the content; "" is the page


class Refused(Exception):
    """The request is not answered; with the status and a sentence."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status = status


class View:
    """What one address shows, and what may be done there; called from the server's threads."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)

    def files(self) -> Files:
        raise NotImplementedError

    def state(self, since: int, tab: str) -> Any:
        """What the page is to show, as soon as it is newer than that or some seconds have passed."""
        raise NotImplementedError

    def do(self, request: Mapping[str, Any]) -> str:
        """Do what the page asks; a sentence if that cannot be, else nothing."""
        raise NotImplementedError


class PageServer(ThreadingHTTPServer):
    """Serves the views from threads of its own, from `start` until `close`."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = MAX_CONNECTIONS

    def __init__(self, views: Sequence[View], port: int = 0):
        self.views = views
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._lock = threading.Lock()
        self._awaited: dict[socket.socket, float] = {}  # connections without a whole request: since when
        try:
            super().__init__((HOST, port), Handler)
        except OSError as error:
            raise UsageError(f"port {port} cannot be had: {error.strerror}; choose another --port") from None
        self.host = f"{HOST}:{self.server_port}"
        self._thread = threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True)

    def server_bind(self) -> None:
        """As it is above HTTPServer, which would look up a name for the host."""
        TCPServer.server_bind(self)
        host, self.server_port = self.server_address[:2]
        self.server_name = str(host)

    def address(self, view: View) -> str:
        return f"http://{self.host}/{view.token}/"

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._room.acquire(blocking=False) or self._make_room():
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def service_actions(self) -> None:
        """Ten times a second: close connections whose request takes too long, bit by bit or not at all."""
        late = time.monotonic() - SILENCE
        with self._lock:
            for connection in [one for one, since in self._awaited.items() if since < late]:
                self._cut(connection)

    def awaits(self, connection: socket.socket) -> None:
        """A request should come on this connection now."""
        with self._lock:
            self._awaited[connection] = time.monotonic()

    def has_heard(self, connection: socket.socket) -> None:
        """A request of the page's has come on this connection, or none will."""
        with self._lock:
            self._awaited.pop(connection, None)

    def _make_room(self) -> bool:
        """Close the connection that has been silent longest, rather than refuse who may be the human."""
        with self._lock:
            if not self._awaited:
                return False
            self._cut(min(self._awaited, key=self._awaited.__getitem__))
        return self._room.acquire(timeout=CLOSING)

    def _cut(self, connection: socket.socket) -> None:
        del self._awaited[connection]
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)  # its thread sees the end

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.has_heard(request)
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that broke."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "referee", ""
    timeout = SILENCE
    server: PageServer

    def handle_one_request(self) -> None:
        self.server.awaits(self.connection)
        super().handle_one_request()

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Write nothing: a log would hold the address."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base class refuses by itself is refused in the same way."""
        self._send(code, "text/plain", f"{message or 'this cannot be answered'}\n")

    def _answer(self, answer: Callable[[View, str], None]) -> None:
        try:
            answer(*self._checked())
        except Refused as refused:
            self._send(refused.status, "text/plain", f"{refused}\n")

    def _checked(self) -> tuple[View, str]:
        """The view that is asked for and what of it; Refused unless it is our own page that asks."""
        if self.headers.get_all("Host", []) != [self.server.host]:
            raise Refused(403, f"this is {self.server.host}; ask for it by that name")
        if self.headers.get_all("Origin", [f"http://{self.server.host}"]) != [f"http://{self.server.host}"]:
            raise Refused(403, "requests from other pages are refused")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise Refused(403, "requests from other pages are refused; open the address by itself")
        _, _, path = urlsplit(self.path).path.partition("/")
        token, slash, name = path.partition("/")
        known = [view for view in self.server.views if _same(view.token, token)]
        if not known:
            raise Refused(403, "the address is not complete; it was printed where the game was started")
        if not slash:
            raise Refused(404, "the address ends with a slash")
        return known[0], name

    def _get(self, view: View, name: str) -> None:
        self.server.has_heard(self.connection)
        if name == "state":
            query = parse_qs(urlsplit(self.path).query)
            since, tab = query.get("since", ["-1"])[0], query.get("tab", [""])[0]
            if not re.fullmatch("-?[0-9]{1,9}", since):
                raise Refused(400, "`since` should be a whole number")
            self._send(200, "application/json", json.dumps(view.state(int(since), tab[:40])))
            return
        files = view.files()
        if name not in files:
            raise Refused(404, "there is no such page")
        self._send(200, *files[name])

    def _post(self, view: View, name: str) -> None:
        if name != "do":
            raise Refused(404, "there is nothing to be done there")
        if "Origin" not in self.headers and self.headers.get("Sec-Fetch-Site") != "same-origin":
            raise Refused(403, "only the page itself may do this")
        if self.headers.get_content_type() != "application/json":
            raise Refused(415, "a request is JSON")
        try:
            request = self._body()
            self.server.has_heard(self.connection)
            sentence = view.do(request)
        except RecursionError:
            raise Refused(400, "a request is not nested that deeply") from None
        self._send(409 if sentence else 200, "application/json", json.dumps({"sentence": sentence}))

    def _body(self) -> Mapping[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in self.headers:
            raise Refused(411, "a request has a Content-Length")
        if len(length) > 9 or int(length) > MAX_BODY:
            raise Refused(413, f"a request has at most {MAX_BODY} bytes")
        try:
            request = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            request = None
        if type(request) is not dict:
            raise Refused(400, "a request is a JSON object")
        return request

    def _send(self, status: int, kind: str, content: str) -> None:
        body = content.encode()
        self.send_response(status)
        if status >= 400 and status != 409:
            self.close_connection = True  # there may be a body that nobody read
            self.send_header("Connection", "close")
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _same(token: str, given: str) -> bool:
    return hmac.compare_digest(token.encode(), given.encode("utf-8", "surrogateescape"))
