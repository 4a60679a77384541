"""Players that loop, crash, grow, forge and flee: each gets its exact verdict, and only itself into trouble.

The players are in tests/players.  Each is matched with `random`, whose game must be action for
action the one it plays against a player that behaves.
"""

import re
from dataclasses import replace

import pytest

from referee import rules
from referee.isolation import allowance, growth
from referee.isolation.process import CannotImport
from tests import ROOT
from tests.support.arena import (  # noqa: F401
    ATTACKS,
    OPPONENT,
    PLAYERS,
    USUAL,
    actions,
    behaved,
    check_the_opponent_is_undisturbed,
    nothing_is_left_behind,
    play,
)

# Who, how it ends, in which call, and a part of what is said about it.
VERDICTS = [
    ("loops", "out of time", "action", "s of 0.1 s"),
    ("loops_in_c", "out of time", "action", "s of 0.1 s"),
    ("swallows_everything", "out of time", "action", "s of 0.1 s"),
    ("burns_in_a_subprocess", "out of time", "action", "s of 0.1 s"),
    ("burns_in_a_child_nobody_waits_for", "out of time", "action", "s of 0.1 s"),
    ("burns_in_a_daemon", "out of time", "action", "s of 0.1 s"),
    ("burns_in_threads", "out of time", "action", "s of 0.1 s"),
    ("hangs_in_its_constructor", "out of time", "constructor", "s of 0.1 s"),
    ("hangs_in_update", "out of time", "update", "s of 0.1 s"),
    ("raises_what_never_ends", "out of time", "action", "s of 0.1 s"),
    ("sleeps", "no answer", "action", "none within"),
    ("stops_itself", "no answer", "action", "none within"),
    ("drips", "no answer", "action", "none within"),
    ("raises", "crashed", "action", "ValueError: no idea?what to do"),
    ("raises_keyboard_interrupt", "crashed", "action", "KeyboardInterrupt"),
    ("raises_system_exit", "crashed", "action", "SystemExit: 7"),
    ("raises_memory_error", "crashed", "action", "MemoryError: invented"),
    ("raises_what_cannot_be_told", "crashed", "action", "Secret: (its message cannot be had: Secret)"),
    ("raises_a_long_story", "crashed", "action", "ValueError: ?[2J?* winner: A"),
    ("exits_at_once", "crashed", "action", "ended with exit status 0"),
    ("kills_itself", "crashed", "action", "was ended by signal 9 (Killed)"),
    ("crashes_in_c", "crashed", "action", "was ended by signal 11 (Segmentation fault)"),
    ("recurses", "crashed", "action", "RecursionError: maximum recursion depth exceeded"),
    ("recurses_too_deeply_for_c", "crashed", "action", "was ended by signal 11"),
    ("closes_everything", "crashed", "action", "ended with exit status 1"),
    ("closes_the_channel_and_stays", "crashed", "action", "closed its connection to the referee"),
    ("becomes_another_program", "crashed", "action", "closed its connection to the referee"),
    ("sets_an_alarm", "crashed", "action", "was ended by signal 14 (Alarm clock)"),
    ("raises_in_update", "crashed", "update", "LookupError: unexpected"),
    ("exits_in_update", "crashed", "update", "ended with exit status 3"),
    ("wrong_constructor", "crashed", "constructor", "TypeError"),
    ("wrong_update", "crashed", "update", "TypeError"),
    ("no_action", "crashed", "action", "AttributeError: 'Player' object has no attribute 'action'"),
    ("reads_stdin", "crashed", "action", "EOFError"),
    ("import_error", "crashed", "import", "ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
    ("exits_at_import", "crashed", "import", "SystemExit: 5"),
    ("missing_class", "crashed", "import", "it has no class Player or ExamplePlayer"),
    ("class_is_no_class", "crashed", "import", "it has no class Player or ExamplePlayer"),
    ("kills_its_keeper", "crashed", "action", "its keeper was killed"),
    ("kills_its_keeper_and_hides", "crashed", "action", "its keeper was killed"),
    ("replaces_its_keeper", "crashed", "action or update", "its keeper was killed"),
    ("breaks_its_worker", "crashed", "action", "exit status 1"),
    ("grows_slowly", "out of memory", "action", "MB of 100 MB"),
    ("grows_at_once", "out of memory", "action", "MB of 100 MB"),
    ("big_temporary", "out of memory", "action", "MB of 100 MB"),
    ("lowers_its_mark", "out of memory", "action", "MB of 100 MB"),
    ("grows_in_a_child", "out of memory", "action", "MB of 100 MB"),
    ("grows_in_a_child_that_hides", "out of memory", "action", "MB of 100 MB"),
    ("grows_in_a_child_without_its_first_thread", "out of memory", "action", "MB of 100 MB"),
    ("ends_its_first_thread", "out of memory", "action", "MB of 100 MB"),
    ("fills_page_tables", "out of memory", "action", "MB of 100 MB"),
    ("keeps_files_in_memory", "out of memory", "action", "MB of 100 MB"),
    ("keeps_files_in_memory:Mapped", "out of memory", "action", "MB of 100 MB"),
    ("keeps_segments", "out of memory", "action", "MB of 100 MB"),
    ("fills_sockets", "crashed", "action", "Too many open files"),
    ("fills_closed_sockets", "out of memory", "action", "MB of 100 MB"),
    ("grows_at_import", "out of memory", "import", "MB of 100 MB"),
    ("returns:Float", "illegal action", "action", "int, str and tuple, not float 4.0"),
    ("returns:Bool", "illegal action", "action", "int, str and tuple, not bool True"),
    (
        "returns:Nothing",
        "illegal action",
        "action",
        "int, str and tuple, not NoneType None: is there a `return` on every way?",
    ),
    ("returns:List", "illegal action", "action", "int, str and tuple, not list"),
    ("returns:Tuple", "illegal action", "action", "is illegal; legal are"),
    ("returns:Named", "illegal action", "action", "action (4,) is illegal; legal are"),
    ("returns:Subclass", "illegal action", "action", "action 94 is illegal; legal are"),
    ("returns:Long", "illegal action", "action", "the reply is longer than 4096 bytes"),
    ("returns:LongTuple", "illegal action", "action", "the reply is longer than 4096 bytes"),
    ("returns:Nested", "illegal action", "action", "int, str and tuple, not tuple nested too deeply"),
    ("returns:Huge", "illegal action", "action", "int, str and tuple, not int of too many digits"),
    ("returns:Surrogate", "illegal action", "action", "contains what no action may: str"),
    ("returns:Itself", "illegal action", "action", "int, str and tuple, not list"),
    ("returns:Wrong", "illegal action", "action", "action 99 is illegal; legal are"),
    ("forges_a_reply", "illegal action", "action or update", "a reply that nobody had asked for"),
    ("forges_many_replies", "illegal action", "action", "a reply that nobody had asked for"),
    ("floods_and_raises", "crashed", "action", "ValueError: enough"),
    ("forges_garbage", "illegal action", "action", "the reply cannot be parsed"),
    ("forges_a_verdict", "illegal action", "action", "the reply cannot be parsed"),
    ("forges_a_long_story", "crashed", "action", "* A wins * A wins"),
    ("sends_urgent_bytes", "illegal action", "action", "the reply cannot be parsed: '!"),
    ("forges_deep_nesting", "illegal action", "action", "the reply cannot be parsed"),
    ("forges_without_end", "illegal action", "action", "the reply is longer than 4096 bytes"),
]

# Who plays to the end all the same.
HARMLESS = [
    "legal",
    "naps",
    "thinks_on_the_opponents_time",
    "helper_thinks_on_the_opponents_time",
    "burns_at_import",
    "lingers",
    "idle_threads",
    "talks_like_the_referee",
    "floods_in_every_call",
    "replaces_its_output",
    "looks_for_the_referee",
    "stops_its_keeper",
    "stops_its_launcher",
    "writes_to_its_keeper",
    "speaks_for_its_keeper",
    "leaves_children",
    "keeps_forking",
    "cuts_up_its_memory",
    "wakes_itself",
    "wakes_itself_in_a_thread",
    "is_woken_by_a_child",
    "is_traced_by_a_child",
]
RESTLESS = HARMLESS[HARMLESS.index("keeps_forking") :]


# What starts processes, or reaches for others, is allowed to at the level `process` and refused at `full`:
# who, in which call.
REFUSED = {
    "burns_in_a_subprocess": "action",
    "burns_in_a_child_nobody_waits_for": "action",
    "burns_in_a_daemon": "action",
    "becomes_another_program": "action",
    "kills_its_keeper": "action",
    "kills_its_keeper_and_hides": "action",
    "replaces_its_keeper": "action",
    "speaks_for_its_keeper": "action",
    "sends_urgent_bytes": "action",
    "grows_in_a_child": "action",
    "returns_twice": "action",
    "stops_its_keeper": "action",
    "stops_its_launcher": "action",
    "keeps_files_in_memory": "action",
    "keeps_files_in_memory:Mapped": "action",
    "keeps_segments": "action",
    "starts_programs": "action",
    "leaves_children": "constructor",
    "keeps_forking": "constructor",
    "grows_in_a_child_that_hides": "action",
    "grows_in_a_child_without_its_first_thread": "action",
    "burns_in_short_children": "action",
    "wakes_itself": "update",
    "is_woken_by_a_child": "constructor",
    "is_traced_by_a_child": "constructor",
    "helper_thinks_on_the_opponents_time": "constructor",
}


# Verdicts


@pytest.mark.parametrize("name, ending, call, message", VERDICTS, ids=[row[0] for row in VERDICTS])
def test_a_faulty_player_gets_its_verdict_and_the_opponent_the_point(
    monkeypatch, name, ending, call, message
):
    if ending == "no answer":  # which would take six seconds
        monkeypatch.setattr(allowance, "BACKSTOP", (3.0, 0.5))
    # What memory takes of the kernel's time is more on a busy machine: no limit of time comes before.
    limits = {"out of memory": replace(USUAL, action=20.0), "out of time": replace(USUAL, action=0.1)}
    result = play(name, limits.get(ending, USUAL), level="process" if name in REFUSED else None)
    fault = result.faults[0]
    assert fault.ending == ending and fault.call in call.split(" or "), str(fault)
    assert message in fault.message
    assert len(fault.message) < 500 and fault.message.isprintable(), repr(fault.message)
    assert isinstance(fault, CannotImport) == (call == "import" and ending == "crashed")
    assert result.scores == (0, 1) and result.at_fault == (0,) and result.ending == ending
    check_the_opponent_is_undisturbed(result, 0)


def test_a_file_in_memory_is_charged_to_the_call_that_filled_it_long_before_mappings_are_looked_at(
    monkeypatch,
):
    monkeypatch.setattr(growth, "MAPPED", 1000.0)
    fault = play("keeps_files_in_memory", replace(USUAL, action=20.0), level="process").faults[0]
    assert (fault.ending, fault.call) == ("out of memory", "action"), str(fault)


@pytest.mark.parametrize("name", HARMLESS)
def test_a_player_that_only_looks_dangerous_plays_to_the_end(name):
    # Who never rests is charged for it, in time and in the memory of all it starts: what is asked here is
    # that it changes nothing else.
    limits = replace(USUAL, action=20.0, megabytes=None) if name in RESTLESS else USUAL
    result = play(name, limits, level="process" if name in REFUSED else None)
    assert result.ending == "finished", result.reason
    assert actions(result) == behaved(0)
    check_the_opponent_is_undisturbed(result, 0)


@pytest.mark.parametrize("name, call", REFUSED.items())
def test_a_confined_player_that_starts_or_signals_processes_is_told_why_that_fails(name, call):
    result = play(name, level="full")
    fault = result.faults[0]
    assert (fault.ending, fault.call) == ("crashed", call), str(fault)
    assert "[Errno 1] Operation not permitted" in fault.message
    assert " (confined, see --isolation: it reads its own" in fault.message
    assert result.scores == (0, 1)
    check_the_opponent_is_undisturbed(result, 0)


@pytest.mark.parametrize(
    "name, ending",
    [
        ("loops", "out of time"),
        ("exits_at_once", "crashed"),
        ("grows_at_once", "out of memory"),
        ("forges_garbage", "illegal action"),
        ("import_error", "crashed"),
    ],
)
def test_the_second_seat_is_judged_like_the_first(name, ending):
    result = play(name, seat=1)
    assert result.at_fault == (1,) and result.ending == ending and result.scores == (1, 0)
    check_the_opponent_is_undisturbed(result, 1)


def test_every_player_in_the_folder_is_matched_by_a_test():
    tested = {row[0].partition(":")[0] for row in VERDICTS} | set(HARMLESS)
    everyone = {path.stem for path in PLAYERS.glob("*.py")}
    for file in (ROOT / "tests").rglob("test_*.py"):
        here = file.read_text(encoding="utf-8")
        tested |= everyone.intersection(re.findall(r'(?:play|one|attacked)\("([^"]*)"', here))
    assert everyone - tested == {"channel", "attack", *ATTACKS}


def test_with_strict_a_float_for_an_int_is_refused_in_coordinates_too():
    result = play("float_coordinates", game="ropasci", allowance=replace(OPPONENT, judging=rules.EXACT))
    assert result.ending == "illegal action" and result.at_fault == (0,)
    assert "int, str and tuple, not float 4.0" in result.reason


def test_replies_in_advance_or_by_another_process_or_thread_are_illegal_whenever_they_come():
    for result in (play("forges_in_a_thread"), play("returns_twice", level="process")):
        assert result.at_fault == (0,) and result.ending == "illegal action", result.reason
        check_the_opponent_is_undisturbed(result, 0)
