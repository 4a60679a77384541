"""What every State promises, over random games of every game and variant that there is."""

import ast
import dataclasses
import random
import re
import sys
from functools import cache
from types import MappingProxyType

import pytest

from referee import rules
from referee.__main__ import main
from referee.commands import completion
from tests.support.samples import few

SEEDS = range(1, few(3, 7))
LONGEST = 5_000  # rounds of the match loop; a longer game is taken for one that never ends

NAMES = [
    name
    for game in rules.games()
    for name in (game, *(f"{game}:{variant}" for variant in rules.start(game).VARIANTS))
]


@cache
def played(name, seed):
    """A random game as pairs of a state and what was chosen there, None at the end.

    With an odd seed the players are homesick: after a few rounds they try to go back to the board as it
    was then, so that games end by repetition too.
    """
    rng = random.Random(f"{name} {seed}")
    state = rules.start(name)
    rounds = []
    while state.to_act():
        assert len(rounds) < LONGEST, f"{name}, seed {seed}: no end after {LONGEST} rounds"
        if seed % 2 and len(rounds) > seed:
            home = str(rounds[seed][0])
            options = [choose(state, rng) for _ in range(15)]
            distances = [unlike(state.after(option), home) for option in options]
            chosen = options[distances.index(min(distances))]
        else:
            chosen = choose(state, rng)
        rounds.append((state, chosen))
        state = state.after(chosen)
    return [*rounds, (state, None)]


def choose(state, rng):
    return {player: rng.choice(state.actions(player)) for player in state.to_act()}


def unlike(state, board):
    """In how many places a state is drawn otherwise than that board; an end is farther than any board."""
    return sum(a != b for a, b in zip(str(state), board, strict=False)) if state.to_act() else len(board)


@cache
def visited(name):
    """Every state of the random games, with what was chosen there and words that say where it was."""
    return [
        (state, chosen, f"{name}, seed {seed}, round {number}: {state.text()}")
        for seed in SEEDS
        for number, (state, chosen) in enumerate(played(name, seed))
    ]


every_game = pytest.mark.parametrize("name", NAMES)


def is_plain(value):
    """Whether a value is made of ints, strings and tuples alone: no bool, no float, no named tuple."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    return type(value) in (int, str)


# What a game says of itself


@every_game
def test_game_says_its_colours_limits_and_variants(name):
    state = rules.start(name)
    colours, limits = state.COLOURS, state.LIMITS
    assert len(colours) == 2 and colours[0] != colours[1] and all(type(colour) is str for colour in colours)
    assert type(limits) is rules.Limits
    assert all(value is None or value > 0 for value in dataclasses.astuple(limits))
    assert limits.game or limits.action, "a game without a limit of time"
    assert all(type(variant) is str and variant for variant in state.VARIANTS)


@every_game
def test_state_is_a_frozen_dataclass(name):
    state = rules.start(name)
    assert isinstance(state, rules.State)
    field = dataclasses.fields(state)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(state, field, None)


@every_game
def test_every_start_is_the_same_and_running(name):
    first, second = rules.start(name), rules.start(name)
    assert first == second and hash(first) == hash(second)
    assert first.to_act() and first.outcome() is None


def test_name_with_a_bare_colon_is_the_game_itself():
    for game in rules.games():
        assert rules.start(f"{game}:") == rules.start(game)


# Who acts, and what is legal


@every_game
def test_players_to_act_are_a_tuple_of_players_in_order(name):
    for state, _, where in visited(name):
        assert state.to_act() in ((), (0,), (1,), (0, 1)), where
        assert all(type(player) is int for player in state.to_act()), where


@every_game
def test_players_to_act_have_distinct_actions_and_others_none(name):
    for state, _, where in visited(name):
        for player in (0, 1):
            actions = state.actions(player)
            assert type(actions) is list, where
            assert bool(actions) == (player in state.to_act()), where
            assert len(set(actions)) == len(actions), where


@every_game
def test_actions_come_in_the_same_order_every_time(name):
    for state, _, where in visited(name):
        for player in state.to_act():
            actions = state.actions(player)
            spoilt = state.actions(player)
            spoilt.clear()
            assert state.actions(player) == actions, where


@every_game
def test_actions_are_plain_literals(name):
    actions = set()
    for state, _, where in visited(name):
        for player in state.to_act():
            assert all(map(is_plain, state.actions(player))), where
            actions.update(state.actions(player))
    for action in actions:
        assert ast.literal_eval(repr(action)) == action


# Playing on


@every_game
def test_next_state_leaves_the_old_one_unchanged(name):
    for state, chosen, where in visited(name):
        if chosen:
            before = state.text(), repr(state), hash(state), state.draw()
            first, second = state.after(chosen), state.after(MappingProxyType(dict(reversed(chosen.items()))))
            assert first == second and hash(first) == hash(second), where
            assert first.text() == second.text(), where
            assert (state.text(), repr(state), hash(state), state.draw()) == before, where
            assert first != state, where


@every_game
def test_outcome_comes_when_nobody_is_to_act(name):
    for state, _, where in visited(name):
        outcome = state.outcome()
        if state.to_act():
            assert outcome is None, where
            continue
        scores, reason = outcome
        assert tuple(scores) in ((1, 0), (0, 1), (0.5, 0.5)), where
        assert type(reason) is str and reason and reason.isprintable(), where


@every_game
def test_players_are_told_what_the_other_did(name):
    for state, chosen, where in visited(name):
        for player in (0, 1) if chosen else ():
            news = state.news(player, chosen)
            assert is_plain(news), where
            assert chosen.get(1 - player, chosen.get(player)) in news, where


@every_game
def test_one_player_acting_alone_is_announced_by_colour(name):
    for state, chosen, where in visited(name):
        if chosen and len(chosen) == 1:
            ((mover, action),) = chosen.items()
            for player in (0, 1):
                assert state.news(player, chosen) == (state.COLOURS[mover], action), where


# Text


def behaviour(state):
    return state.to_act(), [state.actions(player) for player in (0, 1)], state.outcome(), state.text()


def assert_alike(state, parsed, rng, rounds, where):
    """Both behave alike for some rounds, or until a repetition ends the one that knows its past."""
    for _ in range(rounds):
        end = state.outcome()
        if end and end != parsed.outcome() and re.search("repe|occurred", end[1]):
            return
        assert behaviour(parsed) == behaviour(state), where
        if not state.to_act():
            return
        chosen = choose(state, rng)
        state, parsed = state.after(chosen), parsed.after(chosen)


@every_game
def test_text_is_one_line(name):
    for state, _, where in visited(name):
        assert state.text().isprintable(), where


@every_game
def test_parsed_text_behaves_as_the_state_does(name):
    for state, _, where in visited(name):
        assert behaviour(rules.parse(name, state.text())) == behaviour(state), where


@every_game
def test_parsed_text_goes_on_as_the_state_does(name):
    for seed in SEEDS:
        states = [state for state, _ in played(name, seed)]
        for number in [*range(0, len(states), 7), *range(max(0, len(states) - 9), len(states))]:
            state = states[number]
            where = f"{name}, seed {seed}, after round {number}: {state.text()}"
            assert_alike(state, rules.parse(name, state.text()), random.Random(number), 8, where)


@every_game
def test_spoilt_text_is_refused_or_means_something(name):
    """A line with a mistake in it is another position that can be played, or one sentence of ValueError."""
    seed = 4
    rng = random.Random(f"{name} {seed}")
    texts = [state.text() for state, _ in played(name, 2)]
    for text in rng.sample(texts, min(25, len(texts))):
        for _ in range(40):
            line = spoil(text, rng)
            where = f"{name}, seed {seed}: {line!r}"
            try:
                state = rules.parse(name, line)
            except ValueError as error:
                assert is_one_sentence(error), f"{where}: {error}"
            else:
                assert_alike(state, rules.parse(name, state.text()), rng, 3, where)


def spoil(text, rng):
    """The text with one mistake in it; the digits among the mistakes are not all ASCII."""
    place = rng.randrange(len(text))
    before, here, behind = text[:place], text[place], text[place + 1 :]
    return rng.choice(
        [
            before + behind,
            before + here * 2 + behind,
            before,
            behind + here + before,
            before + rng.choice("0123456789٣²-+_.,:;()wbWBrRxX \t\n\0") + behind,
            before + rng.choice("0123456789٣²-+_.,:;()wbWBrRxX \t\n\0") + here + behind,
            before + rng.choice(text) + behind,
            f"{text} {text}",
            f"{text} {rng.randrange(10)}",
        ]
    )


def is_one_sentence(error):
    """Whether an error is a sentence of the rules' own, not one of Python's, and says it on one line."""
    text = str(error)
    return len(text.split()) > 3 and text.isprintable() and "literal" not in text and "unpack" not in text


@pytest.mark.parametrize("line", ["", " ", "nonsense", "\n", "0", "-1", "None", "()", "٣", "." * 10_000])
@every_game
def test_nonsense_is_refused_in_one_sentence(name, line):
    with pytest.raises(ValueError) as refusal:
        rules.parse(name, line)
    assert is_one_sentence(refusal.value), refusal.value


# Drawing


@every_game
def test_board_is_drawn_in_four_forms(name):
    for state, _, where in visited(name):
        for unicode in (False, True):
            for large in (False, True):
                drawn = state.draw(unicode=unicode, large=large)
                assert drawn.splitlines() == drawn.split("\n"), where
                assert all(line.isprintable() for line in drawn.split("\n")), where
                assert unicode or drawn.isascii(), where
        assert str(state) == state.draw(), where


@every_game
def test_paint_moves_nothing_on_the_board(name):
    def paint(text, player):
        assert text.strip() and text.isprintable() and player in (0, 1), where
        pieces.append((str(player), text))
        return f"\x1b[{player}m{text}\x1b[m"

    for state, _, where in visited(name):
        for unicode in (False, True):
            for large in (False, True):
                pieces = []
                painted = state.draw(unicode=unicode, large=large, paint=paint)
                assert sorted(re.findall("\x1b\\[([01])m(.*?)\x1b\\[m", painted)) == sorted(pieces), where
                unpainted = re.sub("\x1b\\[[01]?m", "", painted)
                assert unpainted == state.draw(unicode=unicode, large=large), where


# Names


def test_games_are_sorted_and_each_can_start():
    assert rules.games() == sorted(rules.games())
    assert {"expendibots", "fanorona", "kalaha", "pentago", "ropasci"} <= set(rules.games())


def test_misspelt_game_is_answered_with_the_nearest_name():
    for game in rules.games():
        exchanged = game[:-2] + game[-1] + game[-2]
        for misspelt in (game[:-1], game[1:], game[0] + game, game.upper(), exchanged):
            for call in (rules.start, lambda name: rules.parse(name, "anything")):
                with pytest.raises(ValueError, match=f"did you mean '{game}'") as refusal:
                    call(misspelt)
                assert is_one_sentence(refusal.value)


@pytest.mark.parametrize("name", ["", ":", "chess", "__init__", "rules.kalaha", "kalaha.py", "../kalaha"])
def test_unknown_game_is_answered_with_all_names(name):
    with pytest.raises(ValueError) as refusal:
        rules.start(name)
    assert is_one_sentence(refusal.value)
    assert all(game in str(refusal.value) for game in rules.games())


@pytest.mark.parametrize("variant", ["no such", " ", "0x0", "4x", "x3", "-1x3", "٤x٣", "4x3x2", "4x3 "])
@pytest.mark.parametrize("game", rules.games())
def test_unknown_variant_is_refused_in_one_sentence(game, variant):
    for call in (rules.start, lambda name: rules.parse(name, rules.start(game).text())):
        with pytest.raises(ValueError) as refusal:
            call(f"{game}:{variant}")
        assert is_one_sentence(refusal.value), refusal.value


# A game from another folder

COUNTDOWN = '''
"""Countdown: take one or two from a heap; who takes the last one wins."""

from dataclasses import dataclass

from referee import rules


@dataclass(frozen=True)
class State(rules.State):
    heap: int
    mover: int = 0

    @classmethod
    def start(cls, variant):
        return cls(int(variant or 5))

    @classmethod
    def parse(cls, line, variant):
        return cls(*map(int, line.split()))

    def to_act(self):
        return (self.mover,) if self.heap else ()

    def actions(self, player):
        return [take for take in (1, 2) if take <= self.heap] if player in self.to_act() else []

    def after(self, chosen):
        return State(self.heap - chosen[self.mover], 1 - self.mover)

    def outcome(self):
        return None if self.heap else ((self.mover, 1 - self.mover), "heap empty")

    def text(self):
        return f"{self.heap} {self.mover}"
'''


@pytest.fixture
def countdown(tmp_path, monkeypatch):
    """A sixth game in a folder of its own."""
    (tmp_path / "countdown.py").write_text(COUNTDOWN, encoding="utf-8")
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    yield
    sys.modules.pop("referee.rules.countdown", None)
    vars(rules).pop("countdown", None)


def test_game_in_a_folder_of_its_own_is_a_game_at_once(countdown):
    assert "countdown" in rules.games() and rules.games() == sorted(rules.games())
    state = rules.start("countdown:4")
    assert state.actions(0) == [1, 2] and state.news(1, {0: 2}) == ("white", 2)
    assert state.draw(unicode=True, large=True) == str(state) == "4 0"
    state = rules.parse("countdown", state.after({0: 2}).text())
    assert state.to_act() == (1,)
    assert state.after({1: 2}).outcome() == ((0, 1), "heap empty")
    with pytest.raises(ValueError, match="did you mean 'countdown'"):
        rules.start("coutdown")


def test_game_that_says_no_more_has_the_usual_limits_counts_no_tokens_and_draws_its_text(countdown):
    state = rules.start("countdown:7")
    assert dataclasses.astuple(state.LIMITS) == (60.0, None, None, 100) and state.VARIANTS == ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.LIMITS.game = 1.0
    assert state.tokens(0) == state.tokens(1) == 0
    assert state.draw() == state.draw(unicode=True, large=True) == str(state) == "7 0"


def test_misspelt_name_is_cut_short_in_the_answer():
    with pytest.raises(ValueError, match="^there is no game 'k{40}' ") as error:
        rules.start("k" * 41)
    assert "did you mean" not in str(error.value)


def test_game_is_gone_with_its_folder():
    assert "countdown" not in rules.games()


WRONG = {
    "no State": ("", "have no `class State(rules.State)`"),
    "a State of another kind": ("class State:\n    pass\n", "have no `class State(rules.State)`"),
    "a State that is no class": ("State = 3\n", "have no `class State(rules.State)`"),
    "the State of all games": ("from referee.rules import State\n", "have no `class State(rules.State)`"),
    "half a State": (
        "from referee import rules\nclass State(rules.State):\n    def text(self): return ''\n",
        "lack actions, after, outcome, parse, start, to_act in State",
    ),
    "no Python": ("print 'two'\n", "do not import: SyntaxError"),
    "a line that fails": ("1 / 0\n", "do not import: ZeroDivisionError"),
}


@pytest.mark.parametrize("command", "play tournament check profile perft bench join replay".split())
@pytest.mark.parametrize("wrong", WRONG)
def test_a_file_of_rules_that_is_not_right_is_told_in_a_sentence(
    tmp_path, monkeypatch, capsys, wrong, command
):
    text, sentence = WRONG[wrong]
    (tmp_path / "wrong_game.py").write_text(text)
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "referee.rules.wrong_game", raising=False)
    more = {"play": ["random", "random"], "tournament": ["random", "random"], "perft": ["2"], "bench": []}
    more |= {"join": ["localhost:1"], "check": ["random"], "profile": ["random"]}
    words = [command, "wrong_game", *more.get(command, [])]
    if command == "replay":
        (tmp_path / "record.txt").write_text("# game: wrong_game\n")
        words = ["replay", str(tmp_path / "record.txt")]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and (sentence in said or command == "replay"), said
    assert "wrong_game" not in completion.games() and "kalaha" in completion.games()
