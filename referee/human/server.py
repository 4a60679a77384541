"""The web server of all pages that live: on this machine alone, and only for who has a page's address.

An address holds a token.  What is asked must name this host and port exactly (a name that somebody
points here does not), come from the page itself and not from another, and be short.  Whatever else
comes is refused in a sentence and touches nothing.  HTTP and WebSocket are tornado's.
"""

import asyncio
import hashlib
import hmac
import json
import logging
import re
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.iostream import IOStream
from tornado.web import Application, RequestHandler, stream_request_body
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from referee import UsageError
from referee.view.shell import SERVED

T = TypeVar("T")
HOST = "127.0.0.1"
TOKEN = 24  # bytes
MAX_BODY = 4096  # bytes of a request
MAX_MESSAGE = 16_384  # bytes of a message from a window
MAX_HEAD = 16_384  # bytes of a request's first lines
MAX_CONNECTIONS = 64  # at once; for one more, the one is closed whose request has been awaited longest
MAX_UNSENT = 16_000_000  # bytes that a window has not read yet; one that is so far behind is closed
SILENCE = 15.0  # seconds for a request to arrive as a whole, however often a bit of it does
LOOKING = 0.1  # seconds between two looks at who is late
HEADERS = {
    "Content-Security-Policy": f"{SERVED}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # the address is the key
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Content = tuple[str, str | bytes]  # its kind, and what it is
Files = Mapping[str, Content]  # by name; "" is the page


def port_and_token(address: str) -> tuple[int, str]:
    """Those of a page's address, whatever part of the page it names; UsageError where it is none."""
    found = re.match(
        rf"\s*http://{re.escape(HOST)}:([1-9]\d{{0,4}})/([\w-]{{{TOKEN * 4 // 3}}})/", address, re.ASCII
    )
    if not found or int(found[1]) > 65535:
        raise UsageError(f"that is no address of a page: it begins http://{HOST}:PORT/ and is copied whole")
    return int(found[1]), found[2]


class RefusedRequest(Exception):
    """The request is not answered; with the status and a sentence."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status = status


class View:
    """What one address shows, and what may be done there; `state` and `do` are called in threads."""

    def __init__(self, token: str = "") -> None:
        """With the token of an earlier one, for pages that are open still; else with a new one."""
        self.token = token or secrets.token_urlsafe(TOKEN)

    def proof(self, text: str) -> str:
        """What only who knows the token can make of this text."""
        return hmac.new(self.token.encode(), text.encode(), hashlib.sha256).hexdigest()

    def files(self) -> Files:
        raise NotImplementedError

    def file(self, name: str) -> Content | None:
        """The file of that name."""
        return self.files().get(name)

    def state(self, since: int, tab: str) -> Any:
        """What the page is to show, as soon as it is newer than that or some seconds have passed."""
        raise RefusedRequest(404, "there is no such page")

    def do(self, request: Mapping[str, Any]) -> str:
        """Do what the page asks; a sentence if that cannot be, else nothing."""
        raise RefusedRequest(404, "there is nothing to be done there")

    # A view whose pages keep a connection has these; they are called in the server's own thread.

    def opened(self, window: "Window") -> None:
        """A page has opened one."""
        raise RefusedRequest(404, "there is no such page")

    def heard(self, window: "Window", message: Any) -> None:
        """It says something, in JSON."""

    def left(self, window: "Window") -> None:
        """It is gone."""


class Window:
    """A page's own connection, for news and requests."""

    def __init__(self, handler: "Socket"):
        self._handler = handler

    def send(self, message: str) -> None:
        """Send it, unless the page has gone by now; one that does not read is closed.

        One message may be longer than that: a page that asks for it anew would be closed each time.
        """
        if self._handler.ws_connection is None:
            return
        stream = self._handler.own_stream
        if len(getattr(stream, "_write_buffer", b"")) > MAX_UNSENT:
            stream.close()
            return
        with suppress(WebSocketClosedError):
            self._handler.write_message(message)

    def close(self) -> None:
        self._handler.close()


class PageServer:
    """Serves the views: from `start` until `close` in a thread of its own, or in a loop that runs already."""

    def __init__(self, views: Sequence[View], port: int = 0):
        self.views = views
        self.awaited: dict[IOStream, float] = {}  # connections without a whole request: since when
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform == "win32":  # where the other option lets another program have the port as well
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self.socket.bind((HOST, port))
            self.socket.listen(MAX_CONNECTIONS)
        except OSError as error:
            self.socket.close()
            way = "end what listens there, or choose another --port"
            raise UsageError(f"port {port} cannot be had: {error.strerror}; {way}") from None
        self.socket.setblocking(False)
        self.server_address = self.socket.getsockname()
        self.server_port: int = self.server_address[1]
        self.host = f"{HOST}:{self.server_port}"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def address(self, view: View) -> str:
        return f"http://{self.host}/{view.token}/"

    def start(self) -> None:
        """Serve in a thread of its own."""
        self._loop = asyncio.new_event_loop()
        self._thread.start()
        self._ready.wait()  # a loop that is stopped before it runs would run for ever

    def close(self) -> None:
        """End what `start` began; who asks still hears nothing."""
        if self._loop and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self.socket.close()

    def serve(self) -> "Listening":
        """Serve in the loop that runs now, until what comes out is closed."""
        return Listening(self)

    def _run(self) -> None:
        assert self._loop
        asyncio.set_event_loop(self._loop)

        async def listen() -> Listening:
            return self.serve()

        listening = self._loop.run_until_complete(listen())
        self._loop.call_soon(self._ready.set)
        self._loop.run_forever()
        listening.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def awaits(self, stream: IOStream) -> None:
        """A request should come on this connection now."""
        self.awaited[stream] = time.monotonic()

    def has_heard(self, stream: IOStream) -> None:
        """A request of the page's has come on this connection, or none will."""
        self.awaited.pop(stream, None)

    def close_late(self) -> None:
        """Close connections whose request takes too long, bit by bit or not at all."""
        late = time.monotonic() - SILENCE
        for stream in [one for one, since in self.awaited.items() if since < late]:
            stream.close()


class Listening(HTTPServer):
    """A server at work in the loop of one thread."""

    def initialize(self, site: PageServer) -> None:  # type: ignore[override]  # tornado makes it so
        self.site = site
        self._streams: set[IOStream] = set()
        for name in ("tornado.access", "tornado.general"):  # a log would hold the address
            logging.getLogger(name).propagate = False
            logging.getLogger(name).addHandler(logging.NullHandler())
        routes = [
            (r"/here/([0-9a-f]{32})", Here, {"site": site}),
            (r"/([^/]*)/socket", Socket, {"site": site}),
            (r"/([^/]*)(/?)(.*)", Handler, {"site": site}),
        ]
        application = Application(
            routes, log_function=lambda handler: None, websocket_max_message_size=MAX_MESSAGE
        )
        super().initialize(application, max_header_size=MAX_HEAD, max_body_size=10 * MAX_BODY)
        self.add_socket(site.socket)
        self._looks = PeriodicCallback(site.close_late, LOOKING * 1000)
        self._looks.start()

    def close(self) -> None:
        self._looks.stop()
        self.stop()
        for stream in list(self._streams):
            stream.close()

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """One more connection: rather than refuse who may be the human, the most silent one goes."""
        site = self.site
        if len(self._streams) >= MAX_CONNECTIONS:
            if not site.awaited:
                stream.close()
                return
            min(site.awaited, key=site.awaited.__getitem__).close()
        self._streams.add(stream)
        site.awaits(stream)
        super().handle_stream(stream, address)

    def start_request(self, server_conn: Any, request_conn: Any) -> Any:
        self.site.awaits(request_conn.stream)  # again, on a connection that is kept
        return super().start_request(server_conn, request_conn)

    def on_close(self, server_conn: Any) -> None:
        self._streams.discard(server_conn.stream)
        self.site.has_heard(server_conn.stream)
        super().on_close(server_conn)


class Checked(RequestHandler):
    """One request, looked at before anything is done for it."""

    view: View

    def initialize(self, site: PageServer) -> None:
        self.site = site

    def set_default_headers(self) -> None:
        self.set_header("Server", "referee")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def check_sender(self) -> None:
        """RefusedRequest unless it is a page of this host that asks, or nobody's."""
        host, headers = self.site.host, self.request.headers
        if headers.get_list("Host") != [host]:
            raise RefusedRequest(403, f"this is {host}; ask for it by that name")
        if (headers.get_list("Origin") or [f"http://{host}"]) != [f"http://{host}"]:
            raise RefusedRequest(403, "requests from other pages are refused")
        if headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise RefusedRequest(403, "requests from other pages are refused; open the address by itself")

    def check(self) -> View:
        """The view that is asked for; RefusedRequest unless it is our own page that asks."""
        self.check_sender()
        known = [view for view in self.site.views if _same(view.token, self.path_args[0])]
        if not known:
            raise RefusedRequest(
                403, "the address is not complete; it was printed where the game was started"
            )
        return known[0]

    def refuse(self, refused: RefusedRequest) -> None:
        """Say why, and close: there may be a body that nobody read."""
        self.set_status(refused.status)
        self.set_header("Connection", "close")
        self.answer("text/plain", f"{refused}\n")

    def answer(self, kind: str, content: str | bytes) -> None:
        is_text = isinstance(content, str)
        self.set_header("Content-Type", f"{kind}; charset=utf-8" if is_text else kind)
        self.finish(content.encode() if isinstance(content, str) else content)

    def compute_etag(self) -> None:
        """None: nothing is kept."""

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.refuse(RefusedRequest(status_code, "this cannot be answered"))


@stream_request_body
class Handler(Checked):
    """A page, a file of its, its state, or something to be done."""

    async def prepare(self) -> None:
        self._body = b""
        self.stream = self.request.connection.stream  # type: ignore[union-attr]
        try:
            self.view = self.check()
            if not self.path_args[1]:
                raise RefusedRequest(404, "the address ends with a slash")
            match self.request.method:
                case "GET":
                    self.site.has_heard(self.stream)
                case "POST":
                    self._check_post()
                case _:
                    raise RefusedRequest(405, "a page asks by GET and POST")
        except RefusedRequest as refused:
            self.refuse(refused)

    def _check_post(self) -> None:
        headers = self.request.headers
        if self.path_args[2] != "do":
            raise RefusedRequest(404, "there is nothing to be done there")
        if "Origin" not in headers and headers.get("Sec-Fetch-Site") != "same-origin":
            raise RefusedRequest(403, "only the page itself may do this")
        if headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise RefusedRequest(415, "a request is JSON")
        length = headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in headers:
            raise RefusedRequest(411, "a request has a Content-Length")
        if len(length) > 9 or int(length) > MAX_BODY:
            raise RefusedRequest(413, f"a request has at most {MAX_BODY} bytes")

    def data_received(self, chunk: bytes) -> None:
        if len(self._body) <= MAX_BODY:
            self._body += chunk

    async def get(self, token: str, slash: str, name: str) -> None:
        try:
            if name != "state":
                found = self.view.file(name)
                if found is None:
                    raise RefusedRequest(404, "there is no such page")
                self.answer(*found)
                return
            since, tab = self.get_query_argument("since", "-1"), self.get_query_argument("tab", "")
            if not re.fullmatch("-?[0-9]{1,9}", since):
                raise RefusedRequest(400, "`since` should be a whole number")
            state = await in_thread(lambda: self.view.state(int(since), tab[:40]))
            self.answer("application/json", json.dumps(state))
        except RefusedRequest as refused:
            self.refuse(refused)
        self.site.awaits(self.stream)

    async def post(self, token: str, slash: str, name: str) -> None:
        self.site.has_heard(self.stream)
        try:
            request = read(self._body)
            if type(request) is not dict:
                raise RefusedRequest(400, "a request is a JSON object")
            sentence = await in_thread(lambda: self.view.do(request))
            self.set_status(409 if sentence else 200)
            self.answer("application/json", json.dumps({"sentence": sentence}))
        except RefusedRequest as refused:
            self.refuse(refused)
        except RecursionError:
            self.refuse(RefusedRequest(400, "a request is not nested that deeply"))
        self.site.awaits(self.stream)


class Here(Checked):
    """Proves that this is who a page was served by, before the page names its address again.

    Where a server has ended, any program may listen at its port, and the address would be told to that.
    """

    def get(self, nonce: str) -> None:
        try:
            self.check_sender()
        except RefusedRequest as refused:
            self.refuse(refused)
            return
        proofs = [view.proof(f"{self.site.host} {nonce}") for view in self.site.views]
        self.set_header("Connection", "close")  # who has no token keeps none
        self.answer("application/json", json.dumps(proofs))


class Socket(Checked, WebSocketHandler):
    """A window's own connection."""

    window: Window | None = None
    own_stream: IOStream

    async def get(self, *arguments: str, **named: str) -> None:
        try:
            self.view = self.check()
            if "Origin" not in self.request.headers:
                raise RefusedRequest(403, "only the page itself may do this")
            window = Window(self)
            self.view.opened(window)
        except RefusedRequest as refused:
            self.refuse(refused)
            return
        self.window = window
        self.own_stream = self.request.connection.stream  # type: ignore[union-attr]
        self.site.has_heard(self.own_stream)
        await super().get(*arguments, **named)
        if self.get_status() != 101:  # it was no WebSocket's request
            self.on_close()

    def check_origin(self, origin: str) -> bool:
        return True  # which `check` has looked at

    def on_message(self, message: str | bytes) -> None:
        if self.window:
            try:
                self.view.heard(self.window, read(message.encode() if isinstance(message, str) else message))
            except RefusedRequest as refused:
                self.close(1003, str(refused)[:100])

    def on_close(self) -> None:
        window, self.window = self.window, None
        if window:
            self.view.left(window)


def read(text: bytes) -> Any:
    """What JSON says; RefusedRequest where that is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise RefusedRequest(400, "a request is a JSON object") from None


async def in_thread(call: Callable[[], T]) -> T:
    """What the call gives, which may take its time; nobody waits for its thread at the end."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def tell(give: Callable[[Any], None], value: Any) -> None:
        if not future.done():
            give(value)

    def run() -> None:
        try:
            give, value = future.set_result, call()
        except BaseException as error:
            give, value = future.set_exception, error  # type: ignore[assignment]
        try:
            loop.call_soon_threadsafe(tell, give, value)
        except RuntimeError:  # the server has been closed
            pass

    threading.Thread(target=run, daemon=True).start()
    return await future


def _same(token: str, given: str) -> bool:
    return hmac.compare_digest(token.encode(), given.encode("utf-8", "surrogateescape"))
