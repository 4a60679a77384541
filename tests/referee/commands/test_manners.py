"""Manners of the command line: help on one screen, completion, bars and colours on terminals alone."""

import os
import pty
import shlex
import shutil
import subprocess
import sys

import pytest

from referee import commands
from referee.__main__ import main
from referee.commands import completion
from tests import ROOT
from tests.support.packages import console_script

COMMANDS = commands.available()


@pytest.fixture
def said(capsys, monkeypatch):
    """Runs a command line on a screen of 80 columns: the exit code and what is printed."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words):
        try:
            code = main(list(words))
        except SystemExit as end:
            code = end.code
        return code, capsys.readouterr().out

    return run


def test_alone_it_shows_what_can_be_done_in_ten_lines(said):
    code, text = said()
    assert code == 0 and text == said("--help")[1] and text.count("\n") <= 10
    assert all(len(line) <= 80 for line in text.splitlines())
    assert [name for name in COMMANDS if name not in text] == []
    example = text.splitlines()[-1].partition("referee ")[2].split()
    assert commands.parser(example[0]).read(example[1:])


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_fits_a_screen_and_shows_an_example_that_can_be_typed(command, said):
    code, text = said(command, "--help")
    assert code == 0 and text.count("\n") <= 23
    assert all(len(line) <= 80 for line in text.splitlines())
    example = text.splitlines()[-1].partition(f"example: referee {command} ")[2]
    assert example and commands.parser(command).read(shlex.split(example))
    for action in commands.parser(command)._actions:
        if action.help != "==SUPPRESS==":
            assert max(action.option_strings or [str(action.metavar)], key=len).split()[0] in text


@pytest.mark.parametrize("command", COMMANDS)
def test_all_of_the_help_says_what_each_option_is_for(command, said):
    code, text = said(command, "--help-all")
    assert code == 0 and text.splitlines()[-1].startswith("example: ")
    words = " ".join(text.split())
    for action in commands.parser(command)._actions:
        if action.help != "==SUPPRESS==":
            assert " ".join((action.help % vars(action)).split()) in words


# Completion


@pytest.mark.parametrize(
    ("typed", "some"),
    [
        ("", ["play", "tournament", "completion"]),
        ("re", ["replay"]),
        ("play ", ["kalaha", "kalaha:4x3", "pentago:classic", "fanorona:1100"]),
        ("play pen", ["pentago", "pentago:classic"]),
        ("play kalaha ", ["kalaha_agent", "random", "greedy"]),
        ("play kalaha random gr", ["greedy"]),
        ("play --games 3 fan", ["fanorona", "fanorona:1100"]),
        ("play kalaha --wall ran", ["random"]),
        ("play kalaha random greedy --rec", ["--record"]),
        ("tournament kalaha random greedy exp", ["expendibots_agent"]),
        ("tournament --format ", ["knockout", "swiss"]),
        ("profile ropasci ropasci_agent --to", ["--top"]),
        ("bench ", ["ropasci"]),
        ("completion ", ["bash", "zsh"]),
    ],
)
def test_what_may_come_next_is_known(typed, some, monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    words = typed.split(" ")
    found = completion.candidates(words)
    assert set(some) <= set(found) and all(word.startswith(words[-1]) for word in found)


@pytest.mark.parametrize("typed", ["plya ", "play kalaha random --record ", "play kalaha nobody_has_thi"])
def test_where_nothing_is_known_the_shell_looks_for_files(typed):
    assert completion.candidates(typed.split(" ")) == []


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_the_script_of_a_shell_asks_for_words_and_those_are_printed_a_line_each(shell, said):
    code, script = said("completion", shell)
    assert code == 0 and "completion words" in script and "referee python python3" in script
    assert said("completion", "words", "completion", "") == (0, "bash\nzsh\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{python} -m referee tou", "tournament"),
        ("{python} -m referee play pentago:cl", "classic"),
        ("{python} -m referee play --games 2 'kalaha' kalaha_", "kalaha_agent"),
        ("{python} -m referee play * ", "kalaha_agent"),  # and no files in the place of the star
        ("{referee} tou", "tournament"),
        ("{referee} play pentago:cl", "classic"),
        ("{referee} play kalaha kalaha_", "kalaha_agent"),
        ("{referee}", ""),
        ("{python} -m http", ""),
        ("{python} script.py ", ""),
        ("{python} -m refer", ""),
    ],
)
def test_bash_completes(line, words, tmp_path):
    bash = shutil.which("bash")
    assert bash, "no bash on this machine; install it: apt-get install -y bash"
    asked = f'{completion.BASH}\nCOMP_LINE="$1"; COMP_POINT=${{#1}}; _referee; echo "${{COMPREPLY[@]}}"'
    typed = line.format(python=sys.executable, referee=console_script(tmp_path))
    shown = subprocess.run([bash, "-c", asked, "bash", typed], cwd=ROOT, capture_output=True, text=True)
    assert set(words.split()) <= set(shown.stdout.split()) and (words or not shown.stdout.strip()), shown
    assert shown.stderr == ""


# Bars


def on_a_terminal(code, **environment):
    """What a program shows on a terminal of its own."""
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, *code],
        cwd=ROOT,
        env={**kept, "TERM": "xterm", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:  # so Linux says that the other end is closed
            break
        if not more:
            break
        shown += more
    os.close(ours)
    assert process.wait(300) == 0, shown
    return shown.decode()


LOOP = ["-c", "from referee.view.progress import track\nfor i in track(range(7), 'tables'): print('at', i)"]
MATCHES = ["-m", "referee", "tournament", "kalaha:4x3", "random", "random", "--pairs", "2", "--jobs", "1"]


@pytest.mark.parametrize(("code", "bar"), [(LOOP, "7/7 tables"), (MATCHES, "4/4 games")])
def test_a_terminal_shows_a_bar_without_colours_where_these_are_not_wanted(code, bar):
    shown = on_a_terminal(code, NO_COLOR="1")
    assert bar in shown and "\x1b[3" not in shown and "\x1b[9" not in shown


def test_a_terminal_shows_a_bar_in_colour_and_what_is_printed_above_it():
    shown = on_a_terminal(LOOP)
    assert "\x1b[3" in shown and all(f"at {number}" in shown for number in range(7))


def test_elsewhere_there_is_no_bar_and_no_colour_and_nothing_is_left_out():
    ended = subprocess.run([sys.executable, *LOOP], cwd=ROOT, capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("".join(f"at {number}\n" for number in range(7)), "")
    ended = subprocess.run([sys.executable, *MATCHES], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0 and "\x1b" not in ended.stdout + ended.stderr


def test_a_bar_does_not_take_what_is_printed_into_a_file(tmp_path):
    to_a_file = f"import sys; sys.stdout = open({str(tmp_path / 'to')!r}, 'w')\n"
    on_a_terminal(["-c", to_a_file + LOOP[1]])
    assert (tmp_path / "to").read_text().splitlines() == [f"at {number}" for number in range(7)]


@pytest.mark.parametrize(
    "typed",
    [
        "replay /nowhere",
        "replay README.md --html /dev/null/x",
        "completion",
        "completion fish",
        "play kalaha random",
        "help-all",
    ],
)
def test_mistakes_get_one_sentence(typed, capsys):
    assert main(typed.split()) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("referee: ") and said.err.count("\n") == 1
