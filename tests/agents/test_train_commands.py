"""The commands in the agents' train/ folders meet a mistake with one sentence, before any work is done."""

import importlib
import re
import sys

import numpy as np
import pytest

from expendibots_agent.train import matches as of_expendibots
from fanorona_agent.train import matches as of_fanorona
from tests import ROOT

# Command, what is typed after it, a word of the sentence.  The folder has the files that `folder` makes.
MISTAKES = [
    line.split(" | ")
    for line in """
expendibots conversions | --positions 0 | --positions
expendibots conversions | --without nothing | nothing
expendibots depths | --depth 0 | --depth
expendibots depths | --nodes 5 --without learning | --without
expendibots duels | - LATE=x | NAME=NUMBER
expendibots duels | - LATEST=1 | in_reach
expendibots duels | - - --pairs 0 | --pairs
expendibots fit | missing | missing
expendibots fit | empty | too few
expendibots limits | nosuch random | nosuch
expendibots limits | random random --opening 500 | --opening
expendibots limits | random random --check 1 | --check
expendibots limits | random random --record junk/x | junk
expendibots matches | player ./nosuch | no such player
expendibots matches | player player,nodes=-4 | nodes=-4
expendibots matches | player player,nodes=many | nodes=many
expendibots matches | player sparring,depth=-1 | depth
expendibots matches | player player --pairs 0 | --pairs
expendibots matches | player player --first 0 | --first
expendibots matches | player player --opening 10000 | --opening
expendibots matches | player player --check 1 | --check
expendibots selfplay | x --after 700 | --after
expendibots selfplay | missing/x | missing
expendibots tune | --steps 0 | --steps
fanorona conversions | --positions 0 | --positions
fanorona conversions | --first -1 | --first
fanorona depths | nosuch | nosuch
fanorona depths | .:yardstick | .:yardstick
fanorona duels | - STORM=x | NAME=NUMBER
fanorona duels | - LATEST=1 | NULL_MEN
fanorona duels | - - --pairs 0 | --pairs
fanorona endgames | --sample 0 | --sample
fanorona endgames | --men 9 | --men
fanorona fit | --late 3 | --late
fanorona folding | --positions 1 --nodes 1 | --nodes
fanorona matches | . nosuch | nosuch
fanorona matches | . . --pairs 0 | --pairs
fanorona matches | . . --seconds -1 | --seconds
fanorona matches | . . --seconds nan | --seconds
fanorona matches | . . --men -1 | --men
fanorona matches | . . --men 44 | 44 men
fanorona matches | . . --check 1 | --check
fanorona openings | --first A1-A2-A | --first
fanorona speed | --seconds -1 | --seconds
fanorona speed | --positions 0 | --positions
fanorona tune | --steps 0 | --steps
kalaha halves | --positions 0 | --positions
kalaha halves | --steps 0 | --steps
kalaha halves | --to missing/x | missing
kalaha matches | player nosuch | nosuch
kalaha matches | player without,part=nothing | nothing is none of
kalaha matches | player player --nodes 0 | --nodes
kalaha duels | - NEAR=x | NAME=NUMBER
kalaha duels | - LATEST=1 | STARVING
kalaha duels | - HALVES=missing | HALVES
kalaha duels | - - --pairs 0 | --pairs
kalaha endgames | --sample -1 | --sample
kalaha endgames | --sample 0 | --sample
kalaha endgames | --most 99 | --most
kalaha endgames | --most 5 | --most
kalaha endgames | --to missing/x | missing
kalaha errors | nosuch | nosuch
kalaha errors | --few 0 | --few
kalaha errors | --times -1 | --times
kalaha pairs | --games 0 | --games
kalaha pairs | --to missing/x | missing
kalaha solve | 4x | 4x
kalaha solve | 6x1 --places 0 | --places
kalaha weights | --games 0 0 | --games
kalaha worth | without | PART
kalaha worth | without nosuch | nosuch
kalaha worth | order bank | PART
kalaha worth | without bank --pairs 0 | --pairs
kalaha worth | without bank --nodes -4 | --nodes
kalaha worth | without bank --depth 0 | --depth
kalaha worth | without bank --seconds -1 | --seconds
pentago deep | missing/x | missing
pentago deep | x --games 0 | --games
pentago deep | x --depth 0 | --depth
pentago deep | x --weights one.npz | one.npz
pentago deep | x --even 1 2 | --even
pentago fit | missing array.npy x | missing
pentago fit | one.npz array.npy x | record.py
pentago forced | prove missing | missing
pentago forced | solve junk | junk
pentago forced | solve junk --seconds 0 | --seconds
pentago forced | make missing/x | missing
pentago forced | make x --wins 0 --defences 0 | --wins
pentago forced | make x --wins -1 | --wins
pentago learn | missing x | missing
pentago learn | junk x | junk
pentago learn | array.npy x | array.npy
pentago learn | none.npz x | no positions
pentago learn | one.npz x | too few
pentago learn | one.npz missing/x | missing
pentago learn | one.npz x --variant late | late
pentago matches | nosuch player | nosuch
pentago matches | player ./nosuch | no such player
pentago matches | player player,variant=late | late
pentago matches | player player,nodes=0 | nodes=0
pentago matches | player player --pairs 0 | --pairs
pentago matches | player player --plies -1 | --plies
pentago matches | player player --plies 99 | --plies
pentago matches | player player --plies 1 --least 2 | --least
pentago matches | player player --nodes -1 | --nodes
pentago matches | player player --seconds -1 | --seconds
pentago matches | player player --seconds nan | --seconds
pentago matches | player player --variant late | late
pentago matches | player player --sprt 5 | --sprt
pentago matches | player player --seats white white | --seats
pentago measure | --positions 0 | --positions
pentago overrated | collect missing/x | missing
pentago overrated | collect x --positions 0 | --positions
pentago overrated | collect x --colour green | green
pentago overrated | judge missing copy | missing
pentago overrated | judge junk copy | junk
pentago overrated | judge empty copy | no positions
pentago overrated | judge position nosuch | nosuch
pentago overrated | judge position yardstick | yardstick
pentago overrated | judge position copy --judge 0 | --judge
pentago record | missing/x | missing
pentago record | x --games 0 | --games
pentago record | x --weights one.npz | one.npz
pentago record | x --even 1 2 | --even
pentago refine | missing array.npy x | missing
pentago refine | one.npz missing x | missing
pentago refine | one.npz array.npy x | array.npy
pentago second | --games 0 | --games
pentago second | --cells 0,0 | 0,0
pentago second | --cells 1,2 4,1 | 4,1
pentago second | --cells corner | corner
pentago selfplay | missing/x | missing
pentago selfplay | x --weights missing | missing
pentago selfplay | x --weights one.npz | one.npz
pentago selfplay | x --games 0 | --games
pentago selfplay | x --depth 0 | --depth
ropasci conversions | player nosuch | nosuch
ropasci conversions | player turtle --number 0 | --number
ropasci conversions | player turtle --ahead 1 | --ahead
ropasci conversions | player turtle --recorded missing | missing
ropasci fit | --games 0 | --games
ropasci fit | --games -1 | --games
ropasci fit | --load missing | missing
ropasci fit | --load one.npz | one.npz
ropasci fit | --save missing/x | missing
ropasci habits | missing | missing
ropasci habits | junk | junk
ropasci leads | missing | missing
ropasci leads | junk | junk
ropasci matches | player nosuch | nosuch
ropasci matches | player ./nosuch | no such player
ropasci matches | player player,nodes=0 | nodes=0
ropasci matches | player yardstick,parts=99 | no such player
ropasci matches | player player --pairs 0 | --pairs
ropasci matches | player player --first -1 | --first
ropasci matches | player player --opening 1000 | --opening
ropasci matches | player player --ahead 100 | --ahead
""".strip().splitlines()
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "junk").write_text("hello\n", encoding="ascii")
    (tmp_path / "empty").write_text("", encoding="ascii")
    (tmp_path / "position").write_text("." * 35 + "w b 300 0 0 0 0\n", encoding="ascii")
    np.save(tmp_path / "array.npy", np.zeros(3))
    for name, number in (("none", 0), ("one", 1)):
        boards = np.zeros((number, 8), np.int16)
        boards[:, :1] = 1  # a stone of the mover's
        rest = dict.fromkeys(("labels", "scores", "games"), np.zeros(number))
        np.savez(tmp_path / f"{name}.npz", boards=boards, **rest)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command, typed, word", MISTAKES, ids=[" ".join(row[:2]) for row in MISTAKES])
def test_a_mistake_is_met_with_a_sentence(command, typed, word, folder, monkeypatch, capsys):
    agent, name = command.split()
    module = importlib.import_module(f"{agent}_agent.train.{name}")
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *typed.split()])
    for matches in (of_expendibots, of_fanorona):
        monkeypatch.setattr(matches, "TRIES", 5)
    with pytest.raises(SystemExit) as ended:
        module.main()
    said = capsys.readouterr()
    assert ended.value.code == 2 and not said.out
    assert word in said.err.splitlines()[-1] and "Traceback" not in said.err


@pytest.mark.parametrize(
    "command, typed",
    [
        ("expendibots duels", "- -"),
        ("expendibots tune", "--steps 1"),
        ("kalaha duels", "- -"),
        ("kalaha pairs", ""),
        ("kalaha solve", "6x1"),
        ("fanorona duels", "- -"),
        ("fanorona openings", "--nodes 100"),
        ("fanorona tune", "--steps 1"),
        ("pentago deep", "out.npz --games 1"),
        ("pentago record", "out.npz --games 1"),
    ],
)
def test_without_a_c_compiler_it_is_said_what_to_install(command, typed, monkeypatch, capsys, tmp_path):
    agent, name = command.split()
    module = importlib.import_module(f"{agent}_agent.train.{name}")
    importlib.import_module(f"{agent}_agent.train.engine").library.cache_clear()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *typed.split()])
    with pytest.raises(SystemExit) as ended:
        module.main()
    assert ended.value.code == 2
    assert "this needs the C compiler `cc`: apt-get install gcc" in capsys.readouterr().err.splitlines()[-1]


MATCHES = {
    "expendibots_agent.train.matches": "player,nodes=20 player,nodes=20 --pairs 2 --quiet",
    "fanorona_agent.train.matches": ". . --pairs 2 --nodes 20 --start",
    "kalaha_agent.train.matches": "player yardstick --pairs 2 --nodes 20",
    "kalaha_agent.train.worth": "without bank --pairs 2 --nodes 100",
    "pentago_agent.train.matches": "player player --nodes 50 --pairs 2",
    "ropasci_agent.train.matches": "passive passive --pairs 2",
}


@pytest.mark.parametrize("command", MATCHES)
def test_every_match_says_its_score_with_the_interval_of_all_others(command, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [command, *MATCHES[command].split()])
    importlib.import_module(command).main()
    shown = capsys.readouterr().out
    ((score, low, high),) = re.findall(r"([0-9.]+) % \(([0-9.]+) to ([0-9.]+)\)", shown)
    assert 0 <= float(low) <= float(score) <= float(high) <= 100 and float(high) - float(low) > 10
    assert "+-" not in shown and "standard error" not in shown


def test_every_command_with_options_is_among_them():
    paths = ROOT.glob("*_agent/train/*.py")
    commands = {
        f"{path.parent.parent.name.removesuffix('_agent')} {path.stem}"
        for path in paths
        if "parse_args" in path.read_text(encoding="utf-8")
    }
    assert commands == {command for command, _, _ in MISTAKES}
