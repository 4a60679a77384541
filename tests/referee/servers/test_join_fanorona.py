"""Fanorona with another program: values on the wire, whole games, and what an opponent can do wrong."""

import json
import re
import time
from contextlib import suppress

import pytest

from referee import rules
from referee.__main__ import main
from referee.match.judging import judge, read
from referee.servers.fanorona import decoded, encoded
from tests.support.servers.fanorona import Framework, value_of
from tests.support.servers.listener import Link, Listener, compact

BOTH_RULES = ["fanorona", "fanorona:1100"]

# Values on the wire

CAPTURED = {
    "F3-E2-A": '{"from":{"x":5,"y":3},"moveType":"approach","pass":false,"to":{"x":4,"y":2}}',
    "B2-A2-W": '{"from":{"x":1,"y":2},"moveType":"withdrawal","pass":false,"to":{"x":0,"y":2}}',
    "E3-E2-P": '{"from":{"x":4,"y":3},"moveType":"paika","pass":false,"to":{"x":4,"y":2}}',
    "P": '"pass"',
}
# A short game by the 1130 rules, with chains, a Pass, and turns that end by themselves.
GAME = """F3-E2-A C2-D1-W D1-C0-W A3-A4-W F1-E2-A E2-F3-A C3-C2-A C2-D1-A P B1-C1-A B2-B1-A B1-A1-W F2-E2-A
G2-F2-A F2-F1-A P G1-G2-A E3-E2-A P F3-G4-W F1-E2-W E2-F3-A H1-G0-W I3-I2-A I2-H1-A P G2-F1-W F1-F2-A H4-H3-A
F2-F1-P H3-G2-A D0-C0-P H1-H2-W C0-B1-P H2-H1-P B1-C1-W A4-B3-P C1-C0-P D4-D3-P C0-B1-P D3-C2-A""".split()
SCRIPTED = """
class Player:
    def __init__(self, colour, variant="?", seconds=None, wall=None):
        print("made as", colour, repr(variant), seconds, wall)
        self.hops = {hops!r}

    def action(self):
        return self.hops.pop(0)

    def update(self, colour, action):
        print("told", colour, action)
"""


@pytest.mark.parametrize("hop", CAPTURED)
def test_hops_are_written_and_read_as_captured(hop):
    assert encoded(hop).decode() == CAPTURED[hop]
    assert decoded(json.loads(CAPTURED[hop])) == hop


@pytest.mark.parametrize("game", BOTH_RULES)
def test_every_hop_of_a_game_comes_back_as_itself(game):
    state = rules.start(game)
    for hop in GAME if game == "fanorona" else []:
        for legal in state.actions(state.mover):
            assert decoded(json.loads(encoded(legal))) == legal
            assert encoded(legal).decode() == compact(value_of(legal))
        state = state.after({state.mover: hop})
    assert {legal for legal in rules.start(game).legal} == {
        "F3-E2-A",
        "D2-E2-A",
        "E3-E2-A",
        "D3-E2-A",
        "D2-E2-W",
    }


@pytest.mark.parametrize(
    "text",
    [
        '{"to":{"y":2,"x":4},"moveType":"approach","from":{"y":3,"x":5}}',
        '{"from":{"x":5.0,"y":3e0},"moveType":"approach","pass":true,"to":{"x":4,"y":2,"z":9},"more":[]}',
    ],
)
def test_keys_may_come_in_any_order_and_pass_is_irrelevant(text):
    assert decoded(json.loads(text)) == "F3-E2-A"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('"Pass"', 'an object, or the string "pass"'),
        ('"P"', 'an object, or the string "pass"'),
        ('""', 'an object, or the string "pass"'),
        ("[]", 'an object, or the string "pass"'),
        ("{}", "moveType"),
        ('{"pass":true}', "moveType"),
        (CAPTURED["F3-E2-A"].replace("approach", "Approach"), "moveType"),
        (CAPTURED["F3-E2-A"].replace('"approach"', '["approach"]'), "moveType"),
        (CAPTURED["F3-E2-A"].replace('"from"', '"form"'), "'from'"),
        (CAPTURED["F3-E2-A"].replace('"to":{"x":4,"y":2}', '"to":null'), "'to'"),
        (CAPTURED["F3-E2-A"].replace('"y":2', '"y":"2"'), "'to'"),
        (CAPTURED["F3-E2-A"].replace('"y":2', '"y":true'), "'to'"),
        (CAPTURED["F3-E2-A"].replace('"y":2', '"y":5'), "'to'"),
        (CAPTURED["F3-E2-A"].replace('"x":5', '"x":-1'), "'from'"),
        (CAPTURED["F3-E2-A"].replace('"x":5', '"x":1e999'), "'from'"),
        (CAPTURED["F3-E2-A"].replace('"x":5', '"x":4.5'), "'from'"),
        (CAPTURED["F3-E2-A"].replace('"x":5', '"x":[5]'), "'from'"),
    ],
)
def test_what_is_no_hop_is_refused_with_the_reason(text, why):
    with pytest.raises(ValueError, match=why):
        decoded(json.loads(text))


# Joining


@pytest.fixture
def run(capsys):
    """Runs a command line: the exit code, the lines of stdout, those of stderr."""

    def run(*words):
        code = main([*map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return run


@pytest.fixture
def scripted(tmp_path):
    """A player that plays these hops."""

    def write(*hops):
        (tmp_path / "scripted.py").write_text(SCRIPTED.format(hops=list(hops)))
        return tmp_path / "scripted.py"

    return write


def verdict(folder):
    (path,) = folder.glob("*.txt")
    return judge(read(path))


def own_hops(seat):
    """The hops of one side of the game above."""
    state, own = rules.start("fanorona"), []
    for hop in GAME:
        if state.mover == seat:
            own.append(hop)
        state = state.after({state.mover: hop})
    return own


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("cut", ["whole", "bytes", "together"])
def test_a_known_game_is_played_hop_by_hop_however_it_is_cut(run, scripted, tmp_path, seat, cut):
    colour = ["light", "dark"][seat]
    server = Framework(seat=1 - seat, script=GAME)
    with Listener(server, cut=cut) as listener:
        words = [scripted(*own_hops(seat)), "--seat", colour, "--record", tmp_path / "records"]
        code, out, err = run("join", "fanorona", listener.address, *words)
    assert (code, err) == (0, []) and server.played == GAME
    assert out[-1].startswith(
        ("* scripted (light) beats opponent (dark)", "* opponent (light) beats scripted (dark)")
    )
    assert any(re.search(f"made as {colour} '' 3[.][89][0-9]* True", line) for line in out), out[:20]
    assert sum("told" in line for line in out) == len(GAME)
    assert verdict(tmp_path / "records") == "fanorona, 41 turns: same, light wins: dark has no men left"


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", BOTH_RULES)
def test_whole_games_are_played_by_both_rules_and_from_either_seat(run, tmp_path, game, seat):
    server = Framework(game, 1 - seat, seed=seat)
    with Listener(server) as listener:
        words = ["random", "--seat", ["light", "dark"][seat], "--record", tmp_path, "-v0"]
        code, out, err = run("join", game, listener.address, *words)
    assert (code, len(out), err) == (0, 1, [])
    assert verdict(tmp_path) == f"{game}, {len(server.played)} turns: same, {server.state.outcome()[1]}"


@pytest.mark.parametrize("game", BOTH_RULES)
def test_our_agent_joins_and_plays_to_the_end(run, tmp_path, game):
    with Listener(Framework(game, 0)) as listener:
        words = ["fanorona_agent,nodes=300", "--time", "300", "--record", tmp_path, "-v0"]
        code, out, err = run("join", game, listener.address, *words)
    assert (code, err) == (0, []), out
    assert ": same, " in verdict(tmp_path)


# What an opponent can do wrong

ENDS = ("waits", "closes", "resets")
FAULTS = {
    "closes at once": (dict(number=0, ends="closes"), "crashed", "closed the connection"),
    "closes later": (dict(number=2, ends="closes"), "crashed", "closed the connection"),
    "breaks off": (
        dict(number=2, ends="resets"),
        "crashed",
        "out of the game: is gone: connection reset by peer",
    ),
    "closes within a hop": (
        dict(number=1, last=lambda hop: hop[:30], ends="closes"),
        "crashed",
        "closed the connection after '{",
    ),
    "says nothing": (dict(number=0), "no answer", "sent nothing for 4 s; --patience waits longer"),
    "stops within a hop": (dict(number=1, last='{"from":'), "no answer", "sent nothing for 4 s"),
    "sends no JSON": (dict(number=1, last="hello\n"), "illegal action", "sent what is not JSON: 'hello\\n'"),
    "is a web server": (
        dict(number=0, last="HTTP/1.1 400 \x1b[2J"),
        "illegal action",
        "not JSON: 'HTTP/1.1 400 \\",
    ),
    "sends bytes": (
        dict(number=0, last=b"\x16\x03\x01\xff\xfe\x00"),
        "illegal action",
        "sent what is not JSON",
    ),
    "sends a long value": (
        dict(number=0, last='"' + "a" * 9000),
        "illegal action",
        "more than 4096 characters",
    ),
    "sends something else": (
        dict(number=1, last='{"hop":1}'),
        "illegal action",
        """sent '{"hop": 1}': its moveType""",
    ),
    "says it in words": (
        dict(number=1, last='"resign"'),
        "illegal action",
        """sent '"resign"': a hop is an object""",
    ),
    "plays from nowhere": (
        dict(number=0, last=compact(value_of("A0-A1-P")).replace('"y":0', '"y":-1')),
        "illegal action",
        "its 'from' should",
    ),
    "plays what is illegal": (
        dict(number=0, last=compact(value_of("A0-A1-P"))),
        "illegal action",
        "action 'A0-A1-P' is illegal; legal are 'F3-E2-A'",
    ),
    "passes without a chain": (
        dict(number=0, last='"pass"'),
        "illegal action",
        "action 'P' is illegal; legal are",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_opponent_at_fault_gets_a_verdict_and_one_sentence(run, tmp_path, name):
    deviation, ending, sentence = FAULTS[name]
    with Listener(Framework(**deviation)) as listener:
        words = ["random", "--patience", "0.5", "--record", tmp_path, "-v0"]
        words += ["--time", "3" if ending == "no answer" else "60"]
        code, out, err = run("join", "fanorona", listener.address, *words)
    assert (code, len(err)) == (3, 1), (out, err)
    assert (
        err[0].startswith(f"referee: the server at {listener.address}")
        and sentence in err[0]
        and len(err[0]) < 500
    )
    assert (
        len(out) == 1 and "random (dark) beats opponent (light): turn " in out[0] and "forfeits: " in out[0]
    )
    assert verdict(tmp_path).endswith(f": same, {ending} by light")


def test_an_opponent_who_plays_light_as_well_is_found_out(run):
    def light_too(link: Link):
        link.send(CAPTURED["F3-E2-A"])
        link.wait_for_end()

    with Listener(light_too) as listener:
        code, _, err = run("join", "fanorona", listener.address, "random", "--seat", "light", "-v0")
    assert code == 3 and "plays light as well; give one of the two another --seat" in err[0]


def test_a_pass_where_the_rules_have_none_is_explained(run, scripted):
    server = Framework("fanorona:1100", 0, script=["F3-E2-A", "C2-D1-W"])

    def passes(link: Link):
        link.send(CAPTURED["F3-E2-A"])
        while not server.rest.endswith(b"}}"):
            server.rest += link.receive()
        link.send(CAPTURED["P"])
        link.wait_for_end()

    with Listener(passes) as listener:
        words = [scripted("C2-D1-W", "D1-C0-W"), "-v0"]
        code, _, err = run("join", "fanorona:1100", listener.address, *words)
    assert code == 3 and "no Pass by the 1100 rules; start both sides with the same rules" in err[0]


def test_what_follows_the_end_of_a_game_does_not_matter(run, scripted):
    server = Framework(seat=0, script=GAME)

    def talks_on(link: Link):
        own = iter(own_hops(0))
        state = rules.start("fanorona")
        for hop in GAME:
            if state.mover == 0:
                link.send(compact(value_of(next(own))))
            else:
                server.state = state
                assert server.received(link) == hop
            state = state.after({state.mover: hop})
        link.send('"bye" and more')
        link.wait_for_end()

    with Listener(talks_on) as listener:
        assert run("join", "fanorona", listener.address, scripted(*own_hops(1)), "-v0")[0::2] == (0, [])


def test_a_last_hop_arrives_though_the_opponent_has_sent_more_than_was_read(run, scripted):
    """A connection closed with something unread takes back what was on its way."""
    server = Framework(seat=1, script=GAME)

    def sends_too_much(link: Link):
        state = rules.start("fanorona")
        for number, hop in enumerate(GAME):
            if number == len(GAME) - 1:
                link.send('"unread"' * 100)
                time.sleep(0.2)
            if state.mover == 1:
                link.send(compact(value_of(hop)))
            else:
                server.state = state
                assert server.received(link) == hop
            state = state.after({state.mover: hop})

    with Listener(sends_too_much) as listener:
        words = [scripted(*own_hops(0)), "--seat", "light", "-v0"]
        assert run("join", "fanorona", listener.address, *words)[0::2] == (0, [])


def test_no_server_is_one_sentence(run, monkeypatch):
    monkeypatch.setattr("referee.servers.connection.CONNECTING", 0.3)
    with Listener() as listener:
        address = listener.address
    code, out, err = run("join", "fanorona", address, "random")
    assert (code, out) == (3, [])
    assert err == [f"referee: nobody listens at {address}; start the server first, or check the address"]


def test_an_opponent_that_goes_while_we_think_is_noticed_at_once(run, tmp_path):
    (tmp_path / "thinks.py").write_text(
        "import time\n\nclass Player:\n    def __init__(self, colour):\n        pass\n\n"
        "    def action(self):\n        time.sleep(10**6)\n"
    )

    def talk(link):
        time.sleep(0.5)  # so that we think by then; the verdict does not depend on it

    with Listener(talk) as listener:
        words = [tmp_path / "thinks.py", "--seat", "light", "--time", "900000", "-v0"]
        code, _, err = run("join", "fanorona", listener.address, *words)
    assert code == 3 and "is out of the game: " in err[-1], err


def test_blanks_without_end_are_no_hop(run):
    def talk(link):
        with suppress(OSError):
            while True:
                link.link.sendall(b" \n" * 500)
                time.sleep(0.005)

    with Listener(talk) as listener:
        words = ["random", "--time", "0.2", "--patience", "0.2", "-v0"]
        code, _, err = run("join", "fanorona", listener.address, *words)
    assert code == 3 and "sent nothing for" in err[-1], err
