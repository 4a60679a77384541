"""What `referee new` writes: players that play legally at once, on old Pythons too, and can be handed in."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from referee import UsageError, rules
from referee.__main__ import main
from referee.check import game_steps
from referee.check.course_game import keywords
from referee.commands import pack
from referee.players import template
from tests.support.interpreters import found, with_numpy
from tests.support.samples import few

GAMES = [
    f"{game}:{variant}" if variant else game
    for game in rules.games()
    for variant in ("", *rules.start(game).VARIANTS)
]
KINDS = {"plain": [], "search": ["--with", "search"]}
PROFILED = ("kalaha", "ropasci")  # in the suite: one in which players take turns, one in which both choose
PACKED = ("kalaha", "pentago")  # in the suite: those of RoPaSci take as long as all others
PLAYS_ITSELF = """
import sys
for name in sys.argv[1:]:
    package = __import__(name)
    game, colours = name.partition("_")[0], None
    colours = {"kalaha": "AB", "fanorona": ["light", "dark"], "ropasci": ["upper", "lower"]}.get(game)
    players = [package.Player(colour) for colour in colours or ["white", "black"]]
    for turn in range(3):
        if game == "ropasci":
            upper, lower = [player.action() for player in players]
            players[0].update(lower, upper)
            players[1].update(opponent_action=upper, player_action=lower)
        else:
            mover = players[0].position[0]
            action = players[mover].action()
            for player in players:
                player.update((colours or ["white", "black"])[mover], action)
    print(name)
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A folder with every player that can be written, by game and kind: `kalaha_4x3_search`."""
    folder = tmp_path_factory.mktemp("players")
    for game in GAMES:
        for kind, words in KINDS.items():
            assert main(["new", game, str(folder / name_of(game, kind)), *words]) == 0
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture
def short(monkeypatch):
    """RoPaSci's games end after few turns: random players draw after 360."""
    monkeypatch.setattr("referee.rules.ropasci.MAX_TURNS", few(30, 60))


def name_of(game, kind):
    return f"{game.replace(':', '_').replace('-', '_')}_{kind}"


def own_tests(game, kind):
    return importlib.import_module(f"{name_of(game, kind)}.test_player")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_its_own_tests_pass(written, game, kind):
    tests = own_tests(game, kind)
    assert game == tests.GAME
    tests.test_its_moves_are_those_of_the_rules(seed=1)
    if kind == "plain":
        tests.test_it_plays_to_the_end_against_random(seat=1)


@pytest.mark.parametrize("game", few(rules.games(), GAMES))
def test_it_plays_in_its_own_process_is_profiled_and_its_check_has_nothing_to_object_to(
    written, game, short, capsys
):
    folder = str(written / name_of(game, "plain"))
    assert main(["check", game, folder, "--share", "0.05"]) == 0, capsys.readouterr().out
    result = referee.play(game, "random", folder)
    assert result.ending == "finished", result.reason
    if game in few(PROFILED, GAMES):
        assert main(["profile", game, folder, "--samples", "1"]) == 0


@pytest.mark.parametrize("game", rules.games())
def test_one_with_a_search_is_packed_after_its_check_and_profiled(written, game, short, monkeypatch, capsys):
    # It is told to search few nodes, at nearly the course's own limits, so that no time decides.
    monkeypatch.setattr(pack, "SHARE", 0.999)
    monkeypatch.setattr(game_steps, "keywords", lambda *told, **_: keywords(*told, quick=True))
    folder = str(written / name_of(game, "search"))
    packed = Path(folder)
    if game in few(PACKED, rules.games()):
        packed = written / f"{game}.zip"
        assert main(["pack", game, folder, str(packed)]) == 0, capsys.readouterr().out
    if game in few(PROFILED, rules.games()):
        bounded = [] if game == "ropasci" else ["--nodes", "50"]  # where an action's matrix is what there is
        assert main(["profile", game, folder, *bounded, "--samples", "1"]) == 0
    result = referee.play(game, str(packed), "random", nodes=50)
    assert result.ending == "finished", result.reason


@pytest.mark.parametrize("version", sorted(found()))
def test_it_runs_on_the_courses_python_and_on_newer_ones(written, version):
    names = [name_of(game, kind) for game in GAMES for kind in KINDS if kind == "plain" or ":" not in game]
    timeless = [name for name in names if name.endswith("_plain") or name.startswith("ropasci")]
    script = [with_numpy(version), "-c", PLAYS_ITSELF, *timeless]
    run = subprocess.run(script, cwd=written, capture_output=True, text=True)
    assert run.stdout.split() == timeless, run.stderr


def test_ours_beats_random_by_far_and_one_with_a_search_beats_the_plain_one(written):
    from_disk = {kind: importlib.import_module(name_of("kalaha", kind)).Player for kind in KINDS}
    wins = [referee.play("kalaha", from_disk["plain"], "random", seed=seed).winner == 0 for seed in range(10)]
    assert sum(wins) >= 8
    against_plain = [from_disk["search"], from_disk["plain"]]
    assert referee.play("kalaha", *against_plain, nodes=2000).winner == 0
    assert referee.play("kalaha", *against_plain[::-1], nodes=2000).winner == 1


@pytest.mark.parametrize("kind", KINDS)
def test_games_of_one_that_draws_lots_are_played_again_by_their_seed(written, kind, short):
    player = importlib.import_module(name_of("ropasci", kind)).Player
    results = [referee.play("ropasci", player, "random", seed=seed) for seed in (1, 1, 2)]
    once, again, other = ([turn.chosen for turn in result.history] for result in results)
    assert once == again != other


# Where it is written


def test_what_to_type_next_is_printed(tmp_path, capsys):
    assert main(["new", "pentago:classic", str(tmp_path / "my_team")]) == 0
    said = capsys.readouterr().out
    for typed in ("referee play pentago:classic", "python -m pytest", "referee check pentago:classic"):
        assert f"{typed} {tmp_path}/my_team" in said
    assert "pip install" not in said


def test_what_its_tests_need_is_said_where_it_is_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["new", "kalaha", str(tmp_path / "my_team")]) == 0
    installs, tests = capsys.readouterr().out.splitlines()[3:5]
    assert "python -m pip install pytest" in installs and "python -m pytest" in tests


def test_an_existing_folder_or_file_is_left_as_it_is(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("empty", "file", "link"):
        assert main(["new", "kalaha", str(tmp_path / name)]) == 2
        assert "is there already" in capsys.readouterr().err
    assert main(["new", "kalaha", str(tmp_path / "file" / "below")]) == 2
    assert "there is a file on the way" in capsys.readouterr().err
    assert list((tmp_path / "empty").iterdir()) == [] and (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["my-team", "4team", "class", "json", "numpy", "greedy", "__init__", "tëam"])
def test_a_name_that_no_player_can_have_is_refused_before_anything_is_written(tmp_path, name):
    assert main(["new", "kalaha", str(tmp_path / name)]) == 2
    assert not (tmp_path / name).exists()


def test_folders_above_it_are_made(tmp_path):
    assert main(["new", "kalaha", str(tmp_path / "course" / "week 1" / "my_team")]) == 0
    assert (tmp_path / "course" / "week 1" / "my_team" / "player.py").is_file()


def test_an_unknown_game_or_variant_is_refused(tmp_path, capsys):
    assert main(["new", "kalha", str(tmp_path / "team")]) == 2
    assert "did you mean 'kalaha'" in capsys.readouterr().err
    assert main(["new", "pentago:other", str(tmp_path / "team")]) == 2


# A game without templates


NIM = '''"""Nim: take one to three of ten."""
from dataclasses import dataclass

from referee import rules


@dataclass(frozen=True)
class State(rules.State):
    left: int = 10
    mover: int = 0

    @classmethod
    def start(cls, variant):
        return cls(int(variant or 10))

    @classmethod
    def parse(cls, line, variant):
        return cls(*map(int, line.split()))

    def to_act(self):
        return (self.mover,) if self.left else ()

    def actions(self, player):
        return list(range(1, min(3, self.left) + 1)) if player in self.to_act() else []

    def after(self, chosen):
        return State(self.left - chosen[self.mover], 1 - self.mover)

    def outcome(self):
        return None if self.left else (((0, 1), (1, 0))[1 - self.mover], "the last one was taken")

    def text(self):
        return f"{self.left} {self.mover}"
'''


@pytest.fixture
def sixth_game(tmp_path, monkeypatch):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "nim.py").write_text(NIM)
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path / "games")])
    yield tmp_path / "games" / "nim.py"
    sys.modules.pop("referee.rules.nim", None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sixth_game_gets_a_player_that_works_from_its_rules_alone(sixth_game, tmp_path, monkeypatch, kind):
    folder = tmp_path / f"nim_{kind}"
    assert main(["new", "nim:13", str(folder), *KINDS[kind]]) == 0
    monkeypatch.syspath_prepend(str(tmp_path))
    tests = importlib.import_module(f"nim_{kind}.test_player")
    assert (tests.GAME, importlib.import_module(f"nim_{kind}.player").VARIANT) == ("nim:13", "13")
    others = [lambda state, legal: legal[0], tests.Player]
    assert [referee.play("nim:13", *players).ending for players in (others, others[::-1])] == ["finished"] * 2
    if kind == "search":  # which sees to the end: 13 is won by taking one
        assert tests.Player("white", nodes=10_000).action() == 1


def test_rules_that_cannot_be_copied_are_one_clear_sentence(sixth_game, tmp_path, capsys):
    sixth_game.write_text(NIM.replace("from referee import rules", "from referee import rules, view"))
    assert main(["new", "nim", str(tmp_path / "team")]) == 2
    assert "the rules of nim" in capsys.readouterr().err and not (tmp_path / "team").exists()


def test_every_template_is_used(tmp_path):
    names = {path.relative_to(template.TEMPLATES).as_posix() for path in template.TEMPLATES.rglob("*.py")}
    folders = {Path(name).parts[0] for name in names} - {"common", "any", "shared"}
    assert folders <= set(rules.games())
    with pytest.raises(UsageError):
        template.write(tmp_path, template.files("kalaha"))
