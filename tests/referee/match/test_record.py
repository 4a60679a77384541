"""Records: written as played, read back wherever they were cut off, judged again; and the courses' logs."""

import io
import random

import pytest

from referee import UsageError, rules
from referee.__main__ import main
from referee.commands import replay
from referee.match import course_logs, record
from referee.match.loop import Match
from tests.referee.match.test_match import FakeSeat, crash

HEADER = {"game": None, "players": ("one", "two"), "seed": 7}


def played(game, seats, opening=(), writer=None, printed="", state=None):
    """The text that a match leaves behind, in the record's form or a course's."""
    file = io.StringIO()
    seats[0].printed = [printed]
    opened = writer(lambda: file) if writer else record.Writer(lambda: file, {**HEADER, "game": game})
    Match(state or rules.start(game), seats, ("one", "two"), opening, [opened]).play()
    return file.getvalue()


def random_game(game, seed):
    """The seats that play a random game, by seat its actions."""
    generator = random.Random(seed)
    state, actions = rules.start(game), ([], [])
    while players := state.to_act():
        chosen = {player: generator.choice(state.actions(player)) for player in players}
        for player, action in chosen.items():
            actions[player].append(action)
        state = state.after(chosen)
    return FakeSeat(actions[0]), FakeSeat(actions[1])


def judged(text):
    reader = record.parse if record.is_record(text) else course_logs.kind(text)
    return replay.judge(reader(text))


def changed(text, old, new):
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize("game", rules.games())
def test_a_record_of_any_game_is_judged_the_same(game):
    text = played(game, random_game(game, 1))
    assert "same" in judged(text)
    account = record.parse(text)
    assert account.game == game and account.verdict.ending == "finished"
    assert account.verdict.turns == len(account.turns)


def test_a_record_reads_as_it_was_played():
    text = played("kalaha", (FakeSeat([3, 9]), FakeSeat([1])), opening=[{0: 1}], printed="a\tb\n'\"\x1b[2J\n")
    lines = text.splitlines()
    assert lines[0] == "record: 1" and "game: 'kalaha'" in lines
    assert "opening: A 1" in lines
    assert "turn 1: A 3\tcpu 1.250000 0.250000\tmegabytes 0.000 0.000" in lines
    assert any(line.startswith("broken 3: A 9\t") for line in lines)
    assert "output A: " + repr("a\tb\n'\"\x1b[2J\n") in lines
    assert "reason: 'turn 3: one (A) forfeits: action 9 is illegal; legal are 1, 2, 4, 5, 6'" in lines
    assert lines[-1] == "end: 3"
    account = record.parse(text)
    assert account.header["players"] == ("one", "two") and account.header["seed"] == 7
    assert [entry.chosen for entry in account.opening] == [{0: 1}]
    assert [entry.chosen for entry in account.turns] == [{0: 3}, {1: 1}, {0: 9}]
    assert [entry.played for entry in account.turns] == [True, True, False]
    assert account.verdict.at_fault == (0,) and account.verdict.scores == (0, 1)
    assert judged(text) == "kalaha, 3 turns: same, illegal action by A"


def test_a_record_grows_line_by_line_while_the_game_runs():
    file = io.StringIO()
    seen = []

    class Looking(FakeSeat):
        def action(self):
            seen.append(file.getvalue())
            return super().action()

    writer = record.Writer(lambda: file, {**HEADER, "game": "kalaha"})
    Match(rules.start("kalaha"), (Looking([2, 3]), FakeSeat([1, crash("action")])), "ab", (), [writer]).play()
    assert "turn 1: A 2" not in seen[0] and "turn 1: A 2" in seen[1] and "turn 2: B 1" in seen[1]


def test_what_printed_with_strange_characters_stays_on_one_line():
    text = played("kalaha", (FakeSeat([9]), FakeSeat()), printed="\nend: 1\r\nturn 7: A 1\n\u2028\x85\x00")
    assert record.parse(text).verdict.turns == 1
    assert [line for line in text.split("\n") if line.startswith("end:")] == ["end: 1"]


GAMES_TO_CUT = {
    "illegal": lambda: played("kalaha", (FakeSeat([1, 1]), FakeSeat()), printed="x\n"),
    "crash": lambda: played("ropasci", (FakeSeat([crash("action")]), FakeSeat([("THROW", "r", (-4, 2))]))),
    "finished": lambda: played("kalaha:1x2", random_game("kalaha:1x2", 3)),
    "update": lambda: played("kalaha", (FakeSeat([2], updates={1: crash("update")}), FakeSeat())),
}


@pytest.mark.parametrize("kind", GAMES_TO_CUT)
def test_a_record_cut_off_anywhere_is_unfinished_and_never_differs(kind):
    text = GAMES_TO_CUT[kind]()
    assert "same" in judged(text)
    for length in range(1, len(text)):
        assert record.is_record(text[:length])
        account = record.parse(text[:length])
        assert account.verdict is None, length
        if account.game:
            assert "unfinished" in replay.judge(account), length


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_record_is_judged_or_refused_in_a_sentence(seed):
    generator = random.Random(seed)
    text = GAMES_TO_CUT[generator.choice(sorted(GAMES_TO_CUT))]()
    for _ in range(generator.randint(1, 4)):
        place = generator.randrange(len(text))
        odd = ["", "\n", "\t", "(", "'", "9", "\x00", "{", "-", text[place:], "turn 1: A 1\n"]
        some = generator.choice(odd)
        text = text[:place] + some + text[place + generator.randint(0, 6) :]
    try:
        judged(text if record.is_record(text) else "record: 1\n" + text)
    except (UsageError, replay.Difference) as error:
        assert str(error).startswith("line "), f"seed {seed}: {error}"


ODD = "record: 1\ngame: 'kalaha'\nending: 'crashed'\nat_fault: (0.0,)\nscores: (0, 1)\nreason: ''\nend: 0\n"
FIGURES = "\tcpu 0.0 0.0\tmegabytes 0.0 0.0"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("record: 2\n", "line 1: expected 'record: 1'"),
        ("record: 1\nhello\n", "line 2: expected `word: value`"),
        ("record: 1\ngame: 'go'\n", "line 2: there is no game 'go'"),
        ("record: 1\ngame: 3\n", "line 2: there is no game '3'"),
        (f"record: 1\ngame: 'kalaha'\nturn 2: A 1{FIGURES}\n", "turn 1 should come next"),
        ("record: 1\ngame: 'kalaha'\nturn 1: A 1\n", "line 3: a turn ends with `cpu` and `megabytes`"),
        (f"record: 1\ngame: 'kalaha'\nturn 1: C 1{FIGURES}\n", "colours A and B"),
        (f"record: 1\ngame: 'kalaha'\nturn 1: A f(){FIGURES}\n", "not a Python literal"),
        (f"record: 1\nturn 1: A 1{FIGURES}\n", "line 2: a line `game` should come before"),
        ("record: 1\ngame: 'kalaha'\nend: 0\n", "line 3: `ending`"),
        ("record: 1\ngame: 'kalaha'\nending: 'sad'\nend: 0\n", "line 4: "),
        ("record: 1\ngame: 'kalaha'\noutput A: [1]\n", "line 3: not a string"),
        ("record: 1\ngame: " + "(" * 5000 + "\n", "line 2: not a Python literal"),
        ("record: 1\ngame: 0x" + "f" * 5000 + "\n", "line 2: not a Python literal"),
        (ODD, "is odd"),
        ("record: 1\ngame: " + "[" + "1," * 1_000_000 + "]\n", "line 2: not a Python literal"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(text, problem):
    with pytest.raises(UsageError, match="line") as error:
        record.parse(text)
    assert problem in str(error.value)


FINISHED = "kalaha:1x2"  # A moves into B's pond, and so on: short


def finished():
    return played(FINISHED, random_game(FINISHED, 3))


def differs(text):
    with pytest.raises(replay.Difference) as difference:
        judged(text)
    return str(difference.value)


def test_replay_names_the_line_of_an_illegal_action():
    text = changed(finished(), "turn 1: A 1", "turn 1: A 2")
    assert differs(text) == "line 5: A's action 2 is illegal; legal are 1"


def test_replay_sees_another_player_act_than_should():
    text = changed(finished(), "turn 1: A 1", "turn 1: B 1")
    assert differs(text) == "line 5: A should have played"


def test_replay_sees_a_wrong_result():
    text = finished()
    scores = record.parse(text).verdict.scores
    assert "scores" in differs(changed(text, f"scores: {scores!r}", "scores: (0.5, 0.5)"))
    assert "but the rules say" in differs(changed(text, "reason: '", "reason: 'X"))


def test_replay_sees_a_wrong_number_of_turns():
    text = finished()
    count = record.parse(text).verdict.turns
    assert "turns" in differs(changed(text, f"end: {count}", f"end: {count + 1}"))


def test_replay_sees_a_game_that_ended_too_early_or_went_on():
    text = finished()
    lines = text.split("\n")
    last = max(number for number, line in enumerate(lines) if line.startswith("turn "))
    count = record.parse(text).verdict.turns
    early = changed("\n".join(lines[:last] + lines[last + 1 :]), f"end: {count}", f"end: {count - 1}")
    assert "still running" in differs(early)
    more = lines[last].replace(f"turn {count}", f"turn {count + 1}")
    late = "\n".join([*lines[: last + 1], more, *lines[last + 1 :]])
    assert "the game was over" in differs(changed(late, f"end: {count}", f"end: {count + 1}"))


def test_replay_sees_a_refusal_of_a_legal_action():
    text = changed(GAMES_TO_CUT["illegal"](), "broken 2: A 1", "broken 2: A 2")
    assert differs(text).endswith("A's action 2 was refused, but is legal")


def test_replay_sees_an_ending_that_is_not_the_one_its_reason_tells():
    crashed = changed(GAMES_TO_CUT["illegal"](), "'illegal action'", "'crashed'")
    assert differs(crashed).startswith("line") and "'crashed', but 'turn 2: " in differs(crashed)


def test_replay_sees_the_point_given_to_the_one_at_fault():
    text = changed(GAMES_TO_CUT["illegal"](), "scores: (0, 1)", "scores: (1, 0)")
    assert "the one at fault loses" in differs(text)


def test_replay_sees_the_wrong_player_blamed():
    text = changed(GAMES_TO_CUT["illegal"](), "at_fault: (0,)", "at_fault: (1,)")
    assert "B was not to act" in differs(changed(text, "scores: (0, 1)", "scores: (1, 0)"))


def test_replay_sees_a_fault_that_undoes_a_decided_game():
    text = finished()
    scores = record.parse(text).verdict.scores
    text = changed(text, "ending: 'finished'", "ending: 'out of time'")
    text = changed(changed(text, "call: None", "call: 'update'"), "at_fault: ()", "at_fault: (0,)")
    assert "cannot undo" in differs(changed(text, f"scores: {scores!r}", "scores: (0, 1)"))


def test_both_at_fault_replays_as_a_draw():
    text = played("ropasci", (FakeSeat([crash("action")]), FakeSeat([("THROW", "p", (4, 2))])))
    assert judged(text) == "ropasci, 1 turn: same, crashed by upper and lower"


# The courses' logs

EXPENDIBOTS = """[game ] - Start game log at Wed Nov 18 08:33:47 2026
[white] - MOVE 1 from (3, 1) to (4, 1).
[black] - BOOM at (6, 7).
"""


def test_an_expendibots_log_is_written_as_the_course_writes_it():
    seats = FakeSeat([("MOVE", 1, (3, 1), (4, 1)), None]), FakeSeat([("BOOM", (6, 7))])
    lines = played("expendibots", seats, writer=course_logs.ExpendibotsWriter).splitlines()
    assert lines[0].startswith("[game ] - Start game log at ")
    assert lines[1:3] == EXPENDIBOTS.splitlines()[1:]
    assert lines[3].startswith("[error] - illegal action detected (white): None")
    assert len(lines) == 4


def test_a_ropasci_log_is_written_as_the_course_writes_it():
    throws = ("THROW", "s", (4, -2)), ("THROW", "p", (-4, 2))
    seats = FakeSeat([throws[0], ("SLIDE", (4, -2), (3, -2))]), FakeSeat([throws[1], 7])
    assert played("ropasci", seats, writer=course_logs.RopasciWriter).splitlines() == [
        "turn 1: upper: THROW symbol s to (4, -2)",
        "turn 1: lower: THROW symbol p to (-4, 2)",
        "error: lower: illegal action 7",
    ]


@pytest.mark.parametrize("game", sorted(course_logs.WRITERS))
@pytest.mark.parametrize("seed", range(3))
def test_a_course_log_of_a_whole_game_replays_the_same(game, seed):
    text = played(game, random_game(game, seed), writer=course_logs.WRITERS[game])
    assert "same" in judged(text)
    cut = text[: text.rindex("\n", 0, -1) + 1]
    assert "unfinished" in judged(cut)


@pytest.mark.parametrize("game", sorted(course_logs.WRITERS))
def test_a_log_of_a_game_that_broke_off_just_stops(game):
    seats = FakeSeat([crash("action")]), FakeSeat(rules.start(game).actions(1)[:1])
    text = played(game, seats, writer=course_logs.WRITERS[game])
    assert "winner" not in text and "error" not in text


def test_an_opening_is_logged_like_the_rest():
    seats = FakeSeat([crash("action")]), FakeSeat()
    opening = [{0: ("MOVE", 1, (3, 1), (4, 1))}, {1: ("BOOM", (6, 7))}]
    text = played("expendibots", seats, opening, course_logs.ExpendibotsWriter)
    assert text.splitlines()[1:] == EXPENDIBOTS.splitlines()[1:]


def test_expendibots_logs_end_in_a_result_an_error_or_not_at_all():
    assert judged(EXPENDIBOTS) == "expendibots, 2 turns: unfinished, legal as far as it goes"
    error = "[error] - illegal action detected (white): ('MOVE', 1, (0, 0), (5, 5)).\n"
    assert judged(EXPENDIBOTS + error) == "expendibots, 3 turns: same, illegal action by white"
    legal = "[error] - illegal action detected (white): ('MOVE', 1, (0, 0), (0, 1)).\n"
    assert "was refused, but is legal" in differs(EXPENDIBOTS + legal)
    assert "line 4: 'winner: white', but the game was still running" in differs(
        EXPENDIBOTS + "[over ] - winner: white\n"
    )


def test_ropasci_logs_end_in_a_result_an_error_or_not_at_all():
    turn = "turn 1: upper: THROW symbol s to (4, -2)\nturn 1: lower: THROW symbol p to (-4, 2)\n"
    assert judged(turn).endswith("1 turn: unfinished, legal as far as it goes")
    assert judged(turn + "turn 2: upper: SLIDE from (4, -2) to (3, -2)\n").endswith("legal as far as it goes")
    assert judged(turn + "error: upper: illegal action None\n").endswith("same, illegal action by upper")
    assert judged("error: lower: illegal action ('SLIDE', (0, 0), (0, 1))\n").endswith("by lower")
    behind = turn + "turn 2: upper: SLIDE from (4, -2) to (3, -2)\nerror: lower: illegal action 3\n"
    assert judged(behind).endswith("2 turns: same, illegal action by lower")
    refused = turn + "error: upper: illegal action ('SLIDE', (4, -2), (3, -2))\n"
    assert "was refused, but is legal" in differs(refused)
    assert "still running" in differs(turn + "winner: upper\n")


@pytest.mark.parametrize(
    "hex", ["(4, -2)", "(4.0, -2.0)", "Hex(r=4, q=-2)", "(np.int64(4), np.int64(-2))", "[4, -2]"]
)
def test_coordinates_of_any_number_type_are_read(hex):
    turn = f"turn 1: upper: THROW symbol s to {hex}\nturn 1: lower: THROW symbol p to (-4, 2)\n"
    account = course_logs.ropasci(turn)
    assert account.turns[0].chosen[0] == ("THROW", "s", (4, -2))


@pytest.mark.parametrize(
    "text",
    [
        "turn 1: upper: THROW symbol s to (4, -2)\nturn 3: lower: THROW symbol p to (-4, 2)\n",
        "turn 1: upper: THROW symbol x to (4, -2)\n",
        "turn 1: upper: THROW symbol s to (4, -2, 0)\n",
        "turn 1: upper: JUMP from (4, -2) to (0, 0)\n",
        "winner: upper\nturn 1: upper: THROW symbol s to (4, -2)\n",
        "[game ] - x\n[white] - MOVE 1 from (0, 0)\n",
        "[game ] - x\nhello\n",
        "# Server version 0.08\n1 2 3 4\n",
        "[game ] - x\n[white] - MOVE 1 from " + " to " * 5000 + "\n",
    ],
)
def test_a_course_log_that_is_damaged_is_refused_with_its_line(text):
    with pytest.raises(UsageError, match=r"line [12]: "):
        course_logs.kind(text)(text)


PENTAGO_LOG = """# Server version 0.08 running on localhost:8601
# Board class: pentago_twist.PentagoBoard
START Player-0 AgentA
START Player-1 PyRandom
"""


def pentago_log(moves, end):
    lines = [f"{' '.join(str(part) for part in move)} {number % 2}" for number, move in enumerate(moves)]
    return PENTAGO_LOG + "\n".join([*lines, end, "# Game ended: Wed Nov 18 08:33:54 UTC 2026", ""])


GIFT = [  # Black's last twist completes White's five
    (3, 5, 0, 0),
    (4, 5, 3, 1),
    (2, 1, 1, 1),
    (2, 3, 3, 1),
    (2, 0, 0, 0),
    (1, 3, 2, 0),
    (4, 1, 0, 0),
    (1, 4, 0, 0),
    (3, 2, 2, 1),
    (2, 0, 3, 1),
    (5, 0, 3, 1),
    (1, 0, 2, 0),
    (3, 1, 1, 1),
    (0, 0, 2, 0),
]


def test_pentago_server_logs_are_judged():
    assert "14 turns: same" in judged(pentago_log(GIFT, "GAMEOVER WINNER 0"))
    console = "".join(f"% {line}\n" for line in pentago_log(GIFT, "GAMEOVER WINNER 0").splitlines())
    assert "14 turns: same" in judged(console)
    assert "the rules say" in differs(pentago_log(GIFT, "GAMEOVER WINNER 1"))
    assert "still running" in differs(pentago_log(GIFT[:-1], "GAMEOVER DRAW"))
    assert "same, out of time by white" in judged(pentago_log(GIFT[:2], "GAMEOVER TIMEOUT WINNER 1"))
    gone = "GAMEOVER DISCONNECTION Player-0 WINNER 1"
    assert "same, crashed by white" in judged(pentago_log(GIFT[:2], gone))
    illegal = "GAMEOVER ILLEGAL MOVE: Player 0, Move: (6, 0), R/F: (0, 0) WINNER 1"
    assert "same, illegal action by white" in judged(pentago_log(GIFT[:2], illegal))
    legal = illegal.replace("(6, 0)", "(0, 0)")
    assert "was refused, but is legal" in differs(pentago_log(GIFT[:2], legal))
    assert "unfinished" in judged(pentago_log(GIFT[:2], "GAMEOVER SERVER ERROR UNDECIDED"))


# The command


def test_replay_exits_0_for_the_same_1_for_a_difference_2_for_no_record(tmp_path, capsys):
    same, other, none = tmp_path / "same.txt", tmp_path / "other.log", tmp_path / "none.txt"
    same.write_text(finished())
    other.write_text(EXPENDIBOTS + "[over ] - winner: white\n")
    none.write_text("Dear diary\n")
    assert main(["replay", str(same)]) == 0
    assert capsys.readouterr().out.startswith(f"{same}: kalaha:1x2, ")
    assert main(["replay", str(same), str(other)]) == 1
    assert "other.log: differs: line 4: " in capsys.readouterr().out
    assert main(["replay", str(none), str(other), str(same)]) == 2
    printed = capsys.readouterr()
    assert printed.err == f"referee: {none} is neither a record nor a course's log\n"
    assert "same" in printed.out and "differs" in printed.out


def test_replay_of_what_cannot_be_read_is_a_sentence(tmp_path, capsys):
    (tmp_path / "empty").write_text("")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "cut").write_text("record: 1\n")
    for name, said in [
        ("missing", "cannot read"),
        ("", "cannot read"),
        ("empty", "neither"),
        ("binary", "neither"),
        ("cut", "cut off before it says which game"),
    ]:
        assert main(["replay", str(tmp_path / name)]) == 2
        printed = capsys.readouterr()
        assert said in printed.err and printed.err.count("\n") == 1 and not printed.out
