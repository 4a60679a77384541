"""Hosting a game of Fanorona: whole games against `join`, who may connect, and what a client can do wrong."""

import re
import signal
import socket
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.__main__ import main
from referee.match.judging import judge, read
from tests.referee.commands.test_cli import begun, command, is_running, wait_for
from tests.support.servers.fanorona import Framework, value_of
from tests.support.servers.listener import Link, compact

FIRST_HOP = compact(value_of("F3-E2-A"))
SLEEPER = """
import time

class Player:
    def __init__(self, colour):
        pass

    def action(self):
        time.sleep(60)

    def update(self, colour, action):
        pass
"""


@contextmanager
def hosting(*words, game="fanorona"):
    """A host at a port that is free, with its `address`; it is gone at the end."""
    host = command("host", game, 0, *words)
    try:
        host.said = host.stderr.readline()
        found = re.search(r"waits for an opponent at \S*?:([0-9]+)", host.said)
        assert found, host.said + host.stderr.read()
        host.address = ("127.0.0.1", int(found[1]))
        yield host
    finally:
        host.kill()
        host.communicate()


def client(host):
    return Link(socket.create_connection(host.address, timeout=300))


def ended(host):
    """The exit code, the lines of stdout, those of stderr after the first."""
    out, err = host.communicate(timeout=300)
    return host.returncode, out.splitlines(), err.splitlines()


def verdict(folder):
    (path,) = folder.glob("*.txt")
    return judge(read(path))


@pytest.mark.parametrize("seats", [("light", "dark"), ("dark", "light")], ids=" and ".join)
@pytest.mark.parametrize("game", ["fanorona", "fanorona:1100"])
def test_host_and_join_play_a_whole_game_by_both_rules(tmp_path, capsys, game, seats):
    seat, other = seats
    with hosting("random", "--seat", seat, "--record", tmp_path / "host", "-v0", game=game) as host:
        words = [f"localhost:{host.address[1]}", "random", "--seat", other, "--record", tmp_path / "join"]
        assert main(["join", game, *map(str, words), "-v0"]) == 0
        code, out, err = ended(host)
    assert (code, err) == (0, []) and len(out) == 1
    assert verdict(tmp_path / "host") == verdict(tmp_path / "join")
    assert verdict(tmp_path / "host").startswith(f"{game}, ") and ": same, " in verdict(tmp_path / "host")
    assert capsys.readouterr().err == ""


def test_our_agent_hosts_against_itself(tmp_path, capsys):
    usual = ["fanorona_agent,nodes=300", "--time", "300", "-v0", "--record"]
    with hosting(*usual, tmp_path / "host") as host:
        words = [f"127.0.0.1:{host.address[1]}", *usual, str(tmp_path / "join")]
        assert main(["join", "fanorona", *words]) == 0
        code, out, _ = ended(host)
    assert code == 0 and ": same, " in verdict(tmp_path / "host") == verdict(tmp_path / "join")


def test_it_says_where_it_listens_and_how_to_listen_elsewhere():
    with hosting("random") as host:
        assert host.said.startswith("referee: random plays light and waits for an opponent at 127.0.0.1:")
        assert "--listen 0.0.0.0" in host.said
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", host.address[1]), timeout=300)
    with hosting("random", "--listen", "0.0.0.0") as host:
        assert f" at 0.0.0.0:{host.address[1]}\n" in host.said
        socket.create_connection(("127.0.0.2", host.address[1]), timeout=300).close()


def test_who_only_looks_whether_it_listens_is_no_opponent(tmp_path):
    with hosting("random", "--record", tmp_path, "-v0") as host:
        for _ in range(2):
            socket.create_connection(host.address, timeout=300).close()
        client(host).reset()
        Framework(seat=1)(client(host))
        code, _, err = ended(host)
    assert (code, err) == (0, []) and ": same, " in verdict(tmp_path)


def test_a_second_client_is_told_that_there_is_a_game(tmp_path, capsys):
    with hosting("random", "--seat", "dark", "--record", tmp_path, "-v0") as host:
        first = client(host)
        first.send(FIRST_HOP)
        first.receive()
        assert client(host).wait_for_end() == b'"this host plays with somebody else already"'
        rude = client(host)
        rude.send(b"x" * 100_000)
        rude.reset()
        where = f"127.0.0.1:{host.address[1]}"
        assert main(["join", "fanorona", where, "random", "--seat", "light", "-v0"]) == 3
        assert "this host plays with somebody else already" in capsys.readouterr().err
        first.link.close()
        code, out, _ = ended(host)
    assert code == 3 and "forfeits: crashed in action: closed the connection" in out[0]


HOSTILE = {
    "no hop": (b'{"from":1}', "waits", "illegal action", "its moveType should be"),
    "no JSON": (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "waits", "illegal action", "not JSON: 'GET / HTTP/1.1"),
    "an illegal hop": (
        compact(value_of("I4-I3-P")).encode(),
        "waits",
        "illegal action",
        "'I4-I3-P' is illegal",
    ),
    "half a hop": (FIRST_HOP[:40].encode(), "closes", "crashed", "closed the connection after '{"),
    "a flood": (
        b'["' + b"\xf0\x9f\x98\x80" * 100_000,
        "waits",
        "illegal action",
        "more than 4096 characters",
    ),
    "depths": (b"[" * 100_000, "waits", "illegal action", "not JSON"),
    "terminal codes": (b'"\x1b[2J"', "waits", "illegal action", "not JSON"),
    "half and no more": (FIRST_HOP[:40].encode(), "sleeps", "no answer", "sent nothing for"),
    "a hop and a reset": (FIRST_HOP.encode(), "resets", "crashed", "is gone"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_client_gets_a_verdict_and_a_clean_end(tmp_path, name):
    sent, ends, ending, sentence = HOSTILE[name]
    words = ["random", "--seat", "dark", "--record", tmp_path, "-v0", "--patience", "0.5"]
    words += ["--time", "3" if ending == "no answer" else "60"]
    with hosting(*words) as host:
        link = client(host)
        link.send(sent)
        match ends:
            case "closes":
                link.link.close()
            case "resets":
                link.receive()
                link.reset()
            case "waits":
                link.wait_for_end()
        code, out, err = ended(host)
        link.link.close()
    assert (
        (code, len(out)) == (3, 1)
        and "opponent (light) forfeits" in out[0]
        or "random (dark) beats" in out[0]
    )
    assert (
        sentence in err[-1] and err[-1].startswith("referee: the client at 127.0.0.1:") and len(err[-1]) < 500
    )
    assert all(line.isprintable() for line in out + err)
    assert verdict(tmp_path).endswith(f": same, {ending} by light")


def test_a_host_of_nothing_is_told_so(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for words, sentence in {
            (
                "kalaha",
                "9999",
            ): "only fanorona is played without a server; see `referee join --help`",
            ("fanorona:1200", "9999"): "fanorona has no variant '1200'",
            ("fanorona", "port"): "'port' should be a port, 1 to 65535, or 0 for any",
            ("fanorona", "65536"): "'65536' should be a port, 1 to 65535, or 0 for any",
            ("fanorona", "-1"): "",
            ("fanorona",): "the following arguments are required: PORT",
            ("fanorona", str(port), "random"): f"cannot listen on localhost:{port}: address already in use",
            ("fanorona", "0", "random", "--listen", "no such"): "this machine has no address 'no such'",
            (
                "fanorona",
                "0",
                "random",
                "--listen",
                "192.0.2.1",
            ): "cannot listen on 192.0.2.1:0: cannot assign",
            ("fanorona", "0", "nobody_there"): "there is no package 'nobody_there'",
        }.items():
            assert main(["host", *words]) == 2, words
            printed = capsys.readouterr()
            assert sentence in printed.err and printed.err.count("\n") == 1 and not printed.out


@pytest.mark.parametrize("plays", [False, True], ids=["waiting", "thinking"])
def test_interrupted_it_leaves_no_process(tmp_path, plays):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    records = tmp_path / "records"
    with hosting(tmp_path / "sleeper.py", "--record", records, "-v0") as host:
        link = client(host) if plays else None
        wait_for(lambda: not plays or begun(records))
        below = Path(f"/proc/{host.pid}/task/{host.pid}/children").read_text().split()
        assert below
        host.send_signal(signal.SIGINT)
        code, _, err = ended(host)
        if link:
            link.wait_for_end()
    assert (code, err) == (130, ["referee: interrupted; no player is left running"])
    wait_for(lambda: not any(is_running(pid) for pid in below))
    if plays:
        assert verdict(records) == "fanorona, 0 turns: unfinished, legal as far as it goes"
