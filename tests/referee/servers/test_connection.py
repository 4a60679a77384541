"""What a connection to a server says of the moment at which something came, and of the other side's end."""

import socket
import threading
import time
from contextlib import suppress

import pytest

from referee import RefereeTrouble
from referee.servers.connection import Connection, Silent
from referee.servers.websocket import WebSocket
from tests.support.servers.kalah import Frames
from tests.support.servers.listener import Listener


@pytest.fixture
def linked():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    with theirs, Connection(ours, "the server") as connection:
        yield connection, theirs


def until(told):
    while not told():
        time.sleep(0.001)


def test_what_answers_us_came_after_we_had_sent_it_however_late_it_is_read(linked):
    connection, server = linked
    server.sendall(b"PLAY Player-0\n")
    assert connection.line() == "PLAY Player-0"
    asked = connection.arrived
    sent = time.monotonic()  # after a long thought
    connection.send(b"0 0 0 0 0\n")
    assert server.recv(100)
    server.sendall(b"0 0 0 0 0\n5 5 0 0 1\nPLAY Player-0\n")
    until(connection.waiting)
    read = time.monotonic()
    assert [connection.line() for _ in "123"] == ["0 0 0 0 0", "5 5 0 0 1", "PLAY Player-0"]
    assert asked < sent < connection.arrived <= read, "neither before our move nor when somebody read it"


def test_each_line_has_the_moment_at_which_its_end_came(linked):
    connection, server = linked
    server.sendall(b"one\ntw")
    assert connection.line() == "one"
    first = connection.arrived
    between = time.monotonic()
    server.sendall(b"o\r\n\n  \nthree\n")
    until(connection.waiting)
    assert connection.line() == "two" and first <= between < connection.arrived
    assert connection.line() == "three", "blank lines are no lines"


@pytest.mark.parametrize("how", ("closes", "half", "resets"))
def test_a_server_that_has_gone_is_known_at_once_though_nobody_reads(linked, how):
    connection, server = linked
    assert not connection.gone and not connection.waiting()
    server.sendall(b"GAMEOVER DRAW\n")
    until(connection.waiting)
    assert not connection.gone
    if how == "half":
        server.shutdown(socket.SHUT_WR)
    else:
        if how == "resets":
            server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        server.close()
    until(lambda: connection.gone)
    assert connection.line() == "GAMEOVER DRAW", "what came before is still there"
    assert connection.waiting()
    for _ in range(2):
        if how == "resets":
            with pytest.raises(RefereeTrouble, match="is gone: connection reset"):
                connection.line()
        else:
            assert connection.line() is None


def test_more_than_anybody_reads_is_not_taken_in(linked):
    connection, server = linked
    server.settimeout(0.5)
    with pytest.raises(TimeoutError):
        for _ in range(10_000):  # 650 MB
            server.sendall(b"x" * 65536)


@pytest.mark.parametrize("filler", (b"\n", b" \r\n"))
def test_a_deadline_holds_whatever_comes_that_is_no_line(linked, filler):
    connection, server = linked
    threading.Thread(target=flood, args=(server, filler * 100), daemon=True).start()
    with pytest.raises(Silent):
        connection.line(0.05)


def flood(link, data):
    """Send the same again and again until the connection is closed."""
    with suppress(OSError):
        while True:
            link.sendall(data)


@pytest.mark.parametrize(("kind", "last"), ((0x9, True), (0xA, True), (0x0, False)))
def test_pings_and_empty_parts_without_end_are_no_message(kind, last):
    def talk(link):
        Frames(link)
        if kind == 0x0:
            link.send(b"\x01\x00")  # the first part of the message
        flood(link.link, bytes([kind | 0x80 * last, 0]) * 100)

    with Listener(talk) as listener:
        host, port = listener.address.split(":")
        link = socket.create_connection((host, int(port)))
        with WebSocket(link, "the server", listener.address, "/socket") as connection, pytest.raises(Silent):
            connection.line(0.05)
