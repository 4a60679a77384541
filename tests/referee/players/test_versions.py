"""Players made from words, as objects of this process: their arguments, and versions of a package."""

import sys

import pytest

from referee.players.versions import Maker

PLAYER = """
from . import numbers

class Base:
    def __init__(self, colour, nodes=1, seed=None):
        self.colour, self.nodes, self.seed = colour, nodes, seed

class Player(Base):
    def __init__(self, colour, deep=False, **more):
        super().__init__(colour, **more)
        self.deep, self.number = deep, numbers.NUMBER

class Plain:
    def __init__(self, colour):
        self.colour = colour
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An agent's package, `thinker_agent`, and where it lies."""
    folder = tmp_path / "thinker_agent"
    (folder / "train").mkdir(parents=True)
    (folder / "train" / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("from .player import Player\n")
    (folder / "player.py").write_text(PLAYER)
    (folder / "numbers.py").write_text("NUMBER = 1\nOTHER = 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "thinker_agent"]:
        del sys.modules[name]


def made(text, seed=5, **keywords):
    names = {"player": "..player", "plain": "..player:Plain"}
    return Maker(text, names, "thinker_agent.train", **keywords)("black", seed)


def test_arguments_go_to_the_constructor_and_to_those_of_its_bases(package):
    player = made("player,nodes=8,deep=True")
    assert (player.colour, player.nodes, player.deep, player.seed) == ("black", 8, True, 5)
    assert made("player,seed=7").seed == 7


def test_keywords_are_told_to_who_names_them_and_the_words_say_otherwise(package):
    assert made("player", nodes=30, variant="late").nodes == 30
    assert made("player,nodes=3", nodes=30).nodes == 3
    assert not hasattr(made("plain", nodes=30), "nodes")
    assert not hasattr(made("player:Plain", nodes=30), "nodes")


def test_versions_of_a_package_are_copies_that_do_not_change_each_other(package):
    assert [made(text).number for text in (".,numbers.NUMBER=3", ".", "player")] == [3, 1, 1]
    assert made("player,numbers.NUMBER=@numbers.OTHER").number == 2
    assert made(str(package)).number == 1 and made(f"{package}:player:Plain").colour == "black"


def test_what_is_on_the_player_may_be_otherwise(package):
    assert made(".,self.nodes=[1, 2],self.deep=None").nodes == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "nobody",
        "player:Nobody",
        "player,nodes=0",
        "player,nodes=many",
        ".,numbers.NOTHING=1",
        ".,self.no=1",
        ".,nothing.NUMBER=1",
        "no/such",
        ".:nothing",
        "player,other=1",
        ".,numbers.NUMBER=many",
    ],
)
def test_words_that_name_no_player_are_refused(package, text):
    with pytest.raises((AttributeError, ImportError, OSError, TypeError, ValueError)):
        made(text)
