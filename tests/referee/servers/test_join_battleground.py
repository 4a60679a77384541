"""The bridge to the battleground: captured sessions, whole games, and what a server can do wrong."""

import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from referee import rules
from referee.__main__ import main
from referee.match.judging import judge, read
from tests.referee.commands.test_cli import begun, command, is_running, wait_for
from tests.support.servers.battleground import Battleground, Deviation, matched
from tests.support.servers.listener import Gone, Link, Listener, compact

GAMES = ["expendibots", "ropasci"]
SCRIPTED = """
class Player:
    actions = {actions!r}

    def __init__(self, colour):
        print("made as", colour)

    def action(self):
        return self.actions.pop(0)

    def update(self, *news):
        print("told", news)
"""


@pytest.fixture
def join(capsys):
    """Joins a server: the exit code, the lines of stdout, those of stderr."""

    def run(game, address, *words):
        code = main(["join", game, address, *map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return run


@pytest.fixture
def scripted(tmp_path):
    """A player that plays these actions and prints what it is told."""

    def write(*actions):
        (tmp_path / "scripted.py").write_text(SCRIPTED.format(actions=list(actions)))
        return tmp_path / "scripted.py"

    return write


def recorded(folder):
    (path,) = folder.iterdir()
    return path


def conversation(*lines):
    """A talk in which the server says the lines that begin with `<`, and the client has to say the others."""

    def talk(link: Link):
        for line in lines:
            if line.startswith("< "):
                link.send(line[2:] + "\n")
            else:
                assert link.line() == line[2:]
        assert link.wait_for_end() == b""

    return talk


def verdict(folder):
    return judge(read(recorded(folder)))


# Captured sessions

EXPENDIBOTS = [
    '> {"name":"team","channel":"kitchen","mtype":"PLAY"}',
    '< {"mtype":"OKAY"}',
    '< {"mtype":"OKAY"}',
    '> {"mtype":"OKAY"}',
    '< {"mtype":"OKAY"}',
    '> {"mtype":"OKAY"}',
    '< {"white":"team","black":"other","mtype":"GAME"}',
    '< {"colour":"white","mtype":"INIT"}',
    '> {"mtype":"OKAY"}',
    '< {"mtype":"TURN"}',
    '> {"action":["BOOM",[0,0]],"mtype":"ACTN"}',
    '< {"colour":"white","action":["BOOM",[0,0]],"mtype":"UPD8"}',
    '> {"mtype":"OKAY"}',
    '< {"colour":"black","action":["MOVE",1,[0,7],[0,6]],"mtype":"UPD8"}',
    '> {"mtype":"OKAY"}',
    '< {"mtype":"TURN"}',
    '> {"action":["BOOM",[3,0]],"mtype":"ACTN"}',
    '< {"colour":"white","action":["BOOM",[3,0]],"mtype":"UPD8"}',
    '> {"mtype":"OKAY"}',
    '< {"colour":"black","action":["BOOM",[0,6]],"mtype":"UPD8"}',
    '> {"mtype":"OKAY"}',
    '< {"mtype":"TURN"}',
    '> {"action":["BOOM",[6,0]],"mtype":"ACTN"}',
    '< {"colour":"white","action":["BOOM",[6,0]],"mtype":"UPD8"}',
    '> {"mtype":"OKAY"}',
    '< {"result":"winner: black","mtype":"OVER"}',
]
BOOMS = ("BOOM", (0, 0)), ("BOOM", (3, 0)), ("BOOM", (6, 0))
# The same in other words: blanks, keys in another order and more of them, other numbers, other letters.
OTHER_WORDS = {
    '< {"mtype":"TURN"}': '<  { "mtype" : "TURN", "turn" : [1, {"}": "{"}] } \r',
    '< {"white":"team","black":"other","mtype":"GAME"}': (
        '< {"mtype":"GAME","black":"ot\\u0068er","white":"t\\u00e9\\ud83d\\ude00 {\\"}"}'
    ),
    '< {"colour":"black","action":["MOVE",1,[0,7],[0,6]],"mtype":"UPD8"}': (
        '< {"mtype":"UPD8","action":["MOVE",true,[0.0,7.0],[0,6e0]],"colour":"black"}'
    ),
}


@pytest.mark.parametrize("other", [{}, OTHER_WORDS], ids=["as captured", "in other words"])
@pytest.mark.parametrize("cut", ["whole", "bytes", "together"])
def test_a_game_of_expendibots_goes_line_by_line_as_captured(join, scripted, tmp_path, cut, other):
    lines = [other.get(line, line) for line in EXPENDIBOTS]
    folder = tmp_path / "records"
    with Listener(conversation(*lines), cut=cut) as server:
        words = ["--name", "team", "--channel", "kitchen", "--record", folder]
        code, out, err = join("expendibots", server.address, scripted(*BOOMS), *words)
    assert code == 0 and err == ["referee: waiting for an opponent on channel 'kitchen'"]
    assert out[-1].startswith("* other (black) beats team (white): winner: black")
    assert verdict(folder) == "expendibots, 5 turns: same, winner: black"
    told = [line for line in out if line.startswith("  | team (white): told")]
    assert len(told) == 5 and told[1].endswith("told ('black', ('MOVE', 1, (0, 7), (0, 6)))")


def ropasci(colour):
    """A captured session of two turns, from either seat, and how it goes on."""
    upper, lower = '["THROW","r",[4,-2]]', '["THROW","p",[-4,2]]'
    further = '["SLIDE",[4,-2],[3,-2]]', '["SLIDE",[-4,2],[-3,2]]'
    lines = [
        '> {"name":"team","channel":"","mtype":"PLAY"}',
        '< {"mtype":"OKAY"}',
        '< {"upper":"a","lower":"b","mtype":"GAME"}',
        f'< {{"colour":"{colour}","mtype":"INIT"}}',
        '> {"mtype":"OKAY"}',
    ]
    for actions in (upper, lower), further:
        own, opponents = actions if colour == "upper" else actions[::-1]
        lines += [
            '< {"mtype":"TURN"}',
            f'> {{"action":{own},"mtype":"ACTN"}}',
            f'< {{"opponent_action":{opponents},"player_action":{own},"mtype":"UPD8"}}',
            '> {"mtype":"OKAY"}',
        ]
    return [*lines, '< {"reason":"opponent disconnected","mtype":"ERRO"}']


@pytest.mark.parametrize("colour", ["upper", "lower"])
@pytest.mark.parametrize("cut", ["whole", "bytes", "together"])
def test_a_game_of_ropasci_goes_line_by_line_as_captured(join, scripted, tmp_path, colour, cut):
    own = [("THROW", "r", (4, -2)), ("SLIDE", (4, -2), (3, -2))]
    if colour == "lower":
        own = [("THROW", "p", (-4, 2)), ("SLIDE", (-4, 2), (-3, 2))]
    folder = tmp_path / "records"
    with Listener(conversation(*ropasci(colour)), cut=cut) as server:
        words = ["--name", "team", "--record", folder]
        code, out, err = join("ropasci", server.address, scripted(*own, ("SLIDE", (3, -2), (2, -2))), *words)
    assert (code, err[1:]) == (
        3,
        [f"referee: the game is off: the server at {server.address} says 'opponent disconnected'"],
    )
    assert verdict(folder) == "ropasci, 2 turns: unfinished, legal as far as it goes"
    told = [line for line in out if "told (" in line]
    # The opponent's action comes first, the player's own second.
    assert [line.index(str(action)) > line.index("), (") for line, action in zip(told, own, strict=True)]


def test_the_name_is_the_agents_and_the_channel_empty_unless_they_are_given(join):
    server = Battleground("expendibots")
    with Listener(server) as listener:
        assert join("expendibots", listener.address, "random", "-v0")[0] == 0
    assert server.asked_for == {"name": "random", "channel": "", "mtype": "PLAY"}


def test_the_channel_is_passed_on_whatever_letters_it_has(join):
    server = Battleground("ropasci", questions=0)
    with Listener(server) as listener:
        assert join("ropasci", listener.address, "random", "-v0", "--channel", 'ké "x"\\')[0] == 0
    assert server.asked_for["channel"] == 'ké "x"\\'


# Whole games


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_played_and_recorded_from_either_seat(join, tmp_path, game, seat):
    server = Battleground(game, seat, seed=seat, questions=3)
    with Listener(server) as listener:
        code, out, err = join(game, listener.address, "random", "--record", tmp_path, "-v0")
    assert code == 0 and len(out) == 1 and len(err) == 1, (out, err)
    outcome = server.state.outcome()[1]
    assert verdict(tmp_path) == f"{game}, {server.turns} turns: same, {outcome}"


@pytest.mark.parametrize("game", GAMES)
def test_our_agents_play_a_whole_game_and_the_record_has_its_limits(join, tmp_path, game):
    server = Battleground(game, 1)
    with Listener(server) as listener:
        words = [f"{game}_agent,nodes=20", "--record", tmp_path, "-v0", "--time", "300"]
        code, out, err = join(game, listener.address, *words)
    assert code == 0 and len(err) == 1, err
    limits = "'game': 300.0, 'clock': 'wall'"
    assert limits in recorded(tmp_path).read_text().replace('"', "'")
    assert ": same, " in verdict(tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_two_clients_of_one_channel_play_each_other(join, tmp_path, game):
    results = []

    def hall(first: Link):
        accepted, _ = listener.socket.accept()
        with accepted:
            results.append(matched(game, first, Link(accepted)))

    with Listener(hall) as listener:
        words = ["--channel", "kitchen", "-v0", "--record"]
        client = command("join", game, listener.address, "random", *words, tmp_path / "first")
        code, _, err = join(game, listener.address, "random", *words, tmp_path / "second")
        assert client.wait(timeout=300) == code == 0, err
    first, second = verdict(tmp_path / "first"), verdict(tmp_path / "second")
    assert first == second and first.endswith(f": same, {results[0]}")


# What a server can do wrong


def changed(**keys):
    """The line with some keys of another value."""
    return lambda line: compact({**line, **keys}) + "\n"


def half(line):
    return compact(line)[:-1]


CLOSED = "closed the connection"
GREETING = ("OKAY", 0)
SAYS_NOTHING_OF_USE = ["hello\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "[1,2]\n", '"OKAY"\n', "{}\n", "nul\n"]
SAYS_NOTHING_OF_USE += ['{"mtype":"HELO"}\n', '{"mtype":["OKAY"]}\n', '{"mtype":"OKAY"\n', "[" * 5000 + "\n"]
SAYS_NOTHING_OF_USE += ["\0\1\2\n", '{"mtype":"INIT","colour":5}\n', '{"mtype":"ERRO"}\n', "9" * 5000 + "\n"]
FAULTS = {
    "closes at once": (Deviation(*GREETING, closes=True), CLOSED),
    "closes while the client waits": (Deviation("OKAY", 1, closes=True), CLOSED),
    "closes before the colour is said": (Deviation("INIT", 0, closes=True), CLOSED),
    "closes in a game": (Deviation("TURN", 2, closes=True), CLOSED),
    "closes in the middle of a line": (Deviation("UPD8", 3, half, closes=True), CLOSED),
    "says nothing at all": (Deviation(*GREETING), "has sent nothing for 0 s"),
    "says nothing while the client waits": (Deviation("GAME", 0), "has sent nothing for 2 s"),
    "says nothing in a game": (Deviation("TURN", 2), "has sent nothing for 3 s"),
    "stops in the middle of a line": (
        Deviation("UPD8", 2, half),
        "has sent nothing for 3 s, but half a line",
    ),
    "refuses": (
        Deviation(*GREETING, '{"mtype":"ERRO","reason":"name \\u001b[2J taken"}\n'),
        "the game is off: {server} says 'name \\\\x1b[2J taken'",
    ),
    "says that the opponent is gone": (
        Deviation("UPD8", 4, '{"reason":"opponent disconnected","mtype":"ERRO"}\n', closes=True),
        "the game is off: {server} says 'opponent disconnected'",
    ),
    "says that the opponent broke the protocol": (
        Deviation("TURN", 2, '{"reason":"opponent broke protocol","mtype":"ERRO"}\n', closes=True),
        "the game is off: {server} says 'opponent broke protocol'",
    ),
    "finds a game that was not asked for yet": (
        Deviation(*GREETING, '{"white":"a","black":"b","mtype":"GAME"}\n'),
        "expected a line of type OKAY",
    ),
    "asks for an action before the colours are known": (
        Deviation("INIT", 0, '{"mtype":"TURN"}\n'),
        "expected a line of type INIT",
    ),
    "asks whether anybody is there in a game": (
        Deviation("TURN", 1, '{"mtype":"OKAY"}\n'),
        "expected a line of type TURN",
    ),
    "has a third colour": (Deviation("INIT", 0, changed(colour="green")), "the colours here are"),
    "says the game is over when it is not": (
        Deviation("UPD8", 3, '{"mtype":"OVER","result":"winner: white"}\n'),
        "by the rules, the game goes on",
    ),
    "sends a line that has no end": (Deviation("TURN", 0, "x" * 200_000), "a line of over 65536 bytes"),
}
FAULTS |= {
    f"says {line[:20]!r}": (Deviation(*GREETING, line), "expected a line of type OKAY")
    for line in SAYS_NOTHING_OF_USE
}
FAULTS |= {
    f"says {line[:20]!r} in a game": (Deviation("UPD8", 2, line), "expected a line of type UPD8 or OVER")
    for line in SAYS_NOTHING_OF_USE[:3]
}
OF_EXPENDIBOTS = {
    "echoes what was not played": (
        Deviation("UPD8", 0, changed(action=["BOOM", [7, 1]])),
        "what was played here is ('BOOM', (0, 0))",
    ),
    "tells an illegal action": (
        Deviation("UPD8", 1, changed(action=["BOOM", [4, 4]])),
        "this is illegal for black",
    ),
    "tells an action of an odd kind": (
        Deviation("UPD8", 1, changed(action={"a": None})),
        "this is illegal for black",
    ),
    "tells an action of nobody": (
        Deviation("UPD8", 1, changed(colour="green")),
        "expected what black played",
    ),
    "tells our action as the opponent's": (
        Deviation("UPD8", 0, changed(colour="black")),
        "expected what white played",
    ),
    "tells an action without a bottom": (
        Deviation("UPD8", 1, '{"mtype":"UPD8","colour":"black","action":' + "[" * 900 + "]" * 900 + "}\n"),
        "expected a line of type UPD8 or OVER",
    ),
    "tells no action": (Deviation("UPD8", 1, '{"mtype":"UPD8"}\n'), "expected what black played"),
    "refuses a legal action": (
        Deviation("UPD8", 0, '{"result":"game error: invalid action","mtype":"OVER"}\n', closes=True),
        "by the rules, ('BOOM', (0, 0)) is legal",
    ),
    "is of another game": (
        Deviation("INIT", 0, changed(colour="upper")),
        "the colours here are white and black",
    ),
}
OF_ROPASCI = {
    "echoes what was not played": (
        Deviation("UPD8", 0, changed(player_action=["THROW", "s", [4, 0]])),
        "what was played here is",
    ),
    "tells an illegal action": (
        Deviation("UPD8", 0, changed(opponent_action=["SLIDE", [0, 0], [0, 1]])),
        "this is illegal for lower",
    ),
    "tells one action only": (Deviation("UPD8", 0, '{"mtype":"UPD8"}\n'), "what was played here is"),
    "is of another game": (
        Deviation("INIT", 0, changed(colour="white")),
        "the colours here are upper and lower",
    ),
}
ACTIONS = {
    "expendibots": [("BOOM", (0, 0)), ("MOVE", 1, (3, 0), (3, 1)), ("MOVE", 1, (3, 1), (3, 2))],
    "ropasci": [("THROW", "r", (4, -2))],
}
CASES = [pytest.param("expendibots", *FAULTS[name], id=f"expendibots {name}") for name in FAULTS]
CASES += [
    pytest.param("expendibots", *OF_EXPENDIBOTS[name], id=f"expendibots {name}") for name in OF_EXPENDIBOTS
]
CASES += [pytest.param("ropasci", *OF_ROPASCI[name], id=f"ropasci {name}") for name in OF_ROPASCI]


@pytest.mark.parametrize(("game", "deviation", "sentence"), CASES)
def test_a_server_at_fault_is_left_with_one_sentence(join, scripted, tmp_path, game, deviation, sentence):
    server = Battleground(game, deviation=deviation)
    folder = tmp_path / "records"
    with Listener(server) as listener:
        # Only where the server falls silent has anybody to wait for the end of the patience.
        patience = "0.2" if "has sent nothing" in sentence else "600"
        words = [scripted(*ACTIONS[game]), "--record", folder, "-v0", "--time", "3", "--patience", patience]
        code, out, err = join(game, listener.address, *words)
    *notes, last = err
    assert (code, out) == (3, []) and len(notes) <= 1, (out, err)
    assert sentence.format(server=f"the server at {listener.address}") in last and len(last) < 400
    for path in folder.glob("*.txt"):  # there is none where no game began
        assert ": unfinished, legal as far as it goes" in judge(read(path))


# What is no server's fault


VOID = '{"result":"game error: invalid action","mtype":"OVER"}\n'


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_action_of_the_opponent_is_his_forfeit(join, tmp_path, game, seat):
    # With two players in turn, the update of the opponent's first action is the first or the second.
    number = 1 - seat if game == "expendibots" else 0
    server = Battleground(game, seat, deviation=Deviation("UPD8", number, VOID, closes=True))
    with Listener(server) as listener:
        code, out, err = join(game, listener.address, "random", "--record", tmp_path, "-v0")
    opponent = server.colours[1 - seat]
    assert (code, len(out), len(err)) == (0, 1, 1) and f"bot ({opponent}) forfeits" in out[0]
    assert "'game error: invalid action'" in out[0]
    assert verdict(tmp_path).endswith(f"same, illegal action by {opponent}")


def test_a_server_that_sees_another_end_than_the_rules_is_noted(join, tmp_path):
    server = Battleground(
        "expendibots", deviation=Deviation("OVER", 0, changed(result="nobody won"), closes=True)
    )
    with Listener(server) as listener:
        code, out, err = join("expendibots", listener.address, "random", "--record", tmp_path, "-v0")
    outcome = server.state.outcome()[1]
    assert code == 0 and outcome in out[0]
    assert err[1:] == [
        f"referee: turn {server.turns}: the rules say {outcome!r}, "
        f"but the server at {listener.address} says 'nobody won'"
    ]
    assert verdict(tmp_path).endswith(f"same, {outcome}")


def test_a_server_that_goes_before_it_has_said_the_result_changes_nothing(join, tmp_path):
    server = Battleground("ropasci", deviation=Deviation("OVER", 0, closes=True))
    with Listener(server) as listener:
        code, out, err = join("ropasci", listener.address, "random", "--record", tmp_path, "-v0")
    assert code == 0 and len(out) == 1 and "closed the connection" in err[1], (out, err)
    assert verdict(tmp_path).endswith(f"same, {server.state.outcome()[1]}")


def test_a_player_at_fault_does_not_break_the_protocol(join, scripted, tmp_path):
    server = Battleground("expendibots", 1)
    with Listener(server) as listener:
        code, out, err = join("expendibots", listener.address, scripted(("BOOM", (9, 9))), "-v0")
    assert code == 1 and server.sent[-1] == "OVER"
    assert "('BOOM', (9, 9)) is illegal" in err[1] and "played in its stead" in err[1]


def test_no_server_is_one_sentence(join, monkeypatch):
    monkeypatch.setattr("referee.servers.connection.CONNECTING", 0.3)
    with Listener() as listener:
        address = listener.address
    code, out, err = join("ropasci", address, "random")
    assert (code, out) == (3, [])
    assert err == [f"referee: nobody listens at {address}; start the server first, or check the address"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_while_its_player_thinks_it_leaves_a_record_and_no_process(tmp_path, number):
    (tmp_path / "slow.py").write_text(
        SCRIPTED.format(actions=[]).replace("self.actions.pop(0)", "__import__('time').sleep(60)")
    )
    server = Battleground("expendibots")

    def abandoned(link):
        with pytest.raises(Gone):
            server(link)

    records = tmp_path / "records"
    with Listener(abandoned) as listener:
        words = ["expendibots", listener.address, tmp_path / "slow.py", "--record", records]
        client = command("join", *words)
        wait_for(lambda: "TURN" in server.sent and begun(records))
        below = Path(f"/proc/{client.pid}/task/{client.pid}/children").read_text().split()
        assert below
        client.send_signal(number)
        _, errors = client.communicate(timeout=300)
    if number == signal.SIGINT:
        assert client.returncode == 130
        assert errors.endswith("referee: interrupted; no player is left running\n")
        assert "Traceback" not in errors
    assert verdict(records) == "expendibots, 0 turns: unfinished, legal as far as it goes"
    wait_for(lambda: not any(is_running(pid) for pid in below))


THINKS = """
import time

class Player:
    def __init__(self, colour):
        pass

    def action(self):
        time.sleep(10**6)
"""


@pytest.mark.parametrize("last", ("", '{"reason":"opponent disconnected","mtype":"ERRO"}\n', "hello\n"))
@pytest.mark.parametrize("game", GAMES)
def test_a_server_that_calls_the_game_off_is_heard_while_we_think(join, tmp_path, game, last):
    (tmp_path / "thinks.py").write_text(THINKS)
    colour = rules.start(game).COLOURS[0]

    def talk(link):
        link.line()
        link.send(compact({"mtype": "OKAY"}) + "\n")
        link.send(compact({"mtype": "GAME"}) + "\n" + compact({"colour": colour, "mtype": "INIT"}) + "\n")
        assert "OKAY" in link.line()
        link.send(compact({"mtype": "TURN"}) + "\n")
        time.sleep(0.5)  # so that it thinks by then; the verdict does not depend on it
        link.send(last)

    with Listener(talk) as listener:
        code, _, err = join(game, listener.address, tmp_path / "thinks.py", "--time", "900000", "-v0")
    said = "the game is off" if "hello" not in last else "sent 'hello': it is our turn"
    assert code == 3 and said in err[-1], err


def test_who_is_asked_again_and_again_whether_it_is_there_goes_when_nobody_comes(join, scripted):
    def talk(link):
        link.line()
        while True:
            link.link.sendall(b'{"mtype":"OKAY"}\n')
            time.sleep(0.01)

    with Listener(lambda link: suppressed(talk, link)) as listener:
        code, _, err = join("ropasci", listener.address, scripted(), "--patience", "0.2", "-v0")
    assert code == 3 and "has found no opponent" in err[-1], err


def test_blank_lines_are_no_answer_however_many_come(join, scripted):
    def talk(link):
        while True:
            link.link.sendall(b" \r\n\n" * 50)

    with Listener(lambda link: suppressed(talk, link)) as listener:
        code, _, err = join("ropasci", listener.address, scripted(), "--patience", "0.2", "-v0")
    assert code == 3 and "has sent nothing for 0 s" in err[-1], err


def suppressed(talk, link):
    """Until the client closes the connection."""
    with suppress(OSError):
        talk(link)
