"""What each game's rules keep and mirror, whatever is played: properties, over games that hypothesis draws.

A game is drawn as a seed and a length, so that hypothesis makes a failing game short.
"""

import io
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import rules
from referee.commands import replay
from referee.match import record
from referee.match.loop import Match, is_legal
from tests.referee.match.test_match import FakeSeat
from tests.rules.test_rules import NAMES, behaviour
from tests.support.samples import few

seeds, lengths = st.integers(0, 2**32), st.integers(0, 150)
literals = st.recursive(
    st.integers(-3, 9) | st.booleans() | st.floats(-1, 9) | st.text(max_size=5) | st.none(),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.lists(inner, max_size=2),
    max_leaves=8,
)
every_game = pytest.mark.parametrize("name", NAMES)


def several(examples):
    """As many examples, in the suite a quarter, the same in every run: what fails here fails everywhere."""
    examples = few(examples // 4, examples)
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None)


def game(name, seed, length):
    """A random game: each state with what was chosen there, None at the end."""
    random = Random(f"{name} {seed}")
    state, rounds = rules.start(name), []
    while len(rounds) < length and state.to_act():
        chosen = {player: random.choice(state.actions(player)) for player in state.to_act()}
        rounds.append((state, chosen))
        state = state.after(chosen)
    return [*rounds, (state, None)]


def steps(name, seed, length):
    """Each state with what was chosen there and the state after it."""
    rounds = game(name, seed, length)
    for (before, chosen), (after, _) in zip(rounds, rounds[1:], strict=False):
        yield before, chosen, after


# Every game


@every_game
@several(30)
@given(seed=seeds, length=lengths)
def test_every_action_offered_leads_on_and_its_text_comes_back(name, seed, length):
    state, _ = game(name, seed, length)[-1]
    for player in state.to_act():
        others = {other: state.actions(other)[0] for other in state.to_act() if other != player}
        for action in state.actions(player)[:40]:
            after = state.after({player: action, **others})
            assert behaviour(rules.parse(name, after.text())) == behaviour(after)


@every_game
@several(40)
@given(seed=seeds, length=lengths, odd=literals, spoilt=st.integers(0, 2**16))
def test_the_match_loop_takes_an_action_exactly_if_it_is_offered(name, seed, length, odd, spoilt):
    state, _ = game(name, seed, length)[-1]
    for player in state.to_act():
        actions = state.actions(player)
        assert all(is_legal(action, actions) for action in actions)
        near = nearly(actions[spoilt % len(actions)], odd)
        for action in (odd, near):
            offered = any(repr(action) == repr(one) for one in actions)
            assert is_legal(action, actions) == offered, action
            assert offered or refused(state, player, action), action


def nearly(action, odd):
    """The action with something else in place of its last part."""
    return (*action[:-1], odd) if isinstance(action, tuple) else odd


def refused(state, player, action):
    """Whether a match in that state ends with that action, and against who played it."""
    seats = [FakeSeat(state.actions(seat)[:1]) for seat in (0, 1)]
    seats[player] = FakeSeat([action])
    result = Match(state, seats, ("one", "two")).play()
    return (result.ending, result.at_fault, result.turns) == ("illegal action", (player,), 1)


@every_game
@several(30)
@given(seed=seeds, length=lengths)
def test_a_record_replays_to_the_same_result(name, seed, length):
    rounds = game(name, seed, length)
    actions = [[chosen[player] for _, chosen in rounds[:-1] if player in chosen] for player in (0, 1)]
    seats = [FakeSeat([*one, "nothing legal"]) for one in actions]
    file = io.StringIO()
    result = Match(rules.start(name), seats, "ab", (), [record.Writer(lambda: file, {"game": name})]).play()
    account = record.parse(file.getvalue())
    assert ": same, " in replay.judge(account)
    end = rounds[-1][0].outcome()
    assert account.verdict.scores == result.scores == (end[0] if end else result.scores)
    assert result.ending == ("finished" if end else "illegal action")


# What each game keeps


@pytest.mark.parametrize("name, pebbles", [("kalaha", 72), ("kalaha:4x3", 24), ("kalaha:1x5", 10)])
@several(80)
@given(seed=seeds, length=lengths)
def test_kalaha_loses_no_pebble_and_no_bank_shrinks(name, pebbles, seed, length):
    for before, chosen, after in steps(name, seed, length):
        assert sum(map(sum, after.ponds)) + sum(after.banks) == pebbles
        assert all(now >= then for now, then in zip(after.banks, before.banks, strict=True))
        ((mover, _),) = chosen.items()
        assert after.to_act() or sum(map(sum, after.ponds)) == 0
        other = 1 - mover
        assert after.banks[other] == before.banks[other] or not after.to_act()


@pytest.mark.parametrize("name", ["fanorona", "fanorona:1100"])
@several(80)
@given(seed=seeds, length=lengths)
def test_fanorona_men_never_grow_and_only_the_other_sides_are_taken(name, seed, length):
    for before, chosen, after in steps(name, seed, length):
        ((mover, hop),) = chosen.items()
        mine, theirs = "ox"[mover], "xo"[mover]
        assert after.board.count(mine) == before.board.count(mine)
        taken = before.board.count(theirs) - after.board.count(theirs)
        assert taken >= 1 if hop[-1] in "AW" else taken == 0
        assert len(after.history) <= 21


@several(80)
@given(seed=seeds, length=lengths)
def test_expendibots_tokens_only_move_or_vanish(seed, length):
    for before, chosen, after in steps("expendibots", seed, length):
        ((mover, action),) = chosen.items()
        if action[0] == "MOVE":
            assert tokens(after) == tokens(before)
            changed = set(before.stacks) ^ set(after.stacks)
            assert {square for square, _ in changed} == set(action[2:])
        else:
            assert set(after.stacks) < set(before.stacks)
            assert action[1] not in dict(after.stacks)
        assert after.plies == before.plies + 1


def tokens(state):
    heights = [height for _, height in state.stacks]
    return sum(max(0, height) for height in heights), sum(min(0, height) for height in heights)


@several(80)
@given(seed=seeds, length=lengths)
def test_ropasci_tokens_come_from_throws_and_go_in_battles(seed, length):
    for before, chosen, after in steps("ropasci", seed, length):
        for player, action in chosen.items():
            threw = action[0] == "THROW"
            assert after.thrown[player] == before.thrown[player] + threw <= 9
            assert after.tokens(player) <= before.tokens(player) + threw <= after.thrown[player]
        assert all(len(set(stack.lower())) == 1 for _, stack in after.board)
        touched = {place for action in chosen.values() for place in action[1:]}
        assert {hex for hex, _ in set(after.board) ^ set(before.board)} <= touched
        assert after.turn == before.turn + 1


@pytest.mark.parametrize("name", ["pentago", "pentago:classic", "pentago:classic-late"])
@several(30)
@given(seed=seeds, length=lengths)
def test_pentago_adds_one_marble_a_turn_and_twists_one_quadrant(name, seed, length):
    for before, chosen, after in steps(name, seed, length):
        ((mover, (x, y, quadrant, _)),) = chosen.items()
        colour, other = "wb"[mover], "wb"[1 - mover]
        assert after.board.count(colour) == before.board.count(colour) + 1
        assert after.board.count(other) == before.board.count(other)
        moved = {place for place in range(36) if after.board[place] != before.board[place]}
        assert all(place == 6 * x + y or quadrant_of(place) == quadrant for place in moved)


def quadrant_of(place):
    x, y = divmod(place, 6)
    return 2 * (x // 3) + y // 3


# Symmetries: each maps a state's text, an action and a player


def swap(text, letters, others):
    return text.translate(str.maketrans(letters + others, others + letters))


def kalaha_sides(text):
    turn, *counts = text.split()
    half = len(counts) // 2
    return " ".join([{"A": "B", "B": "A", "F": "F"}[turn], *counts[half:], *counts[:half]])


def fanorona_points(line, turned):
    """A line with its points in other places; a board is 45 letters, a chain names points."""
    words = []
    for word in line.split():
        if len(word) == 45:
            words.append("".join(word[place] for place in map(turned, range(45))))
        elif "-" in word:
            words.append("-".join(map(lambda point: fanorona_name(point, turned), word.split("-"))))
        else:
            words.append(word)
    return " ".join(words)


def fanorona_name(point, turned):
    row, column = divmod(turned(9 * int(point[1]) + "ABCDEFGHI".index(point[0])), 9)
    return "ABCDEFGHI"[column] + str(row)


def fanorona_action(action, turned):
    return "-".join([*(fanorona_name(point, turned) for point in action.split("-")[:-1]), action[-1]])


def fanorona_swap(line):
    board, side, *more = line.split()
    words = [board, "21"[int(side) - 1], *more]
    return " ".join(swap(word, "x", "o") if len(word) == 45 else word for word in words)


def mirror_expendibots(text, of_x, of_y, swapped=False):
    side, plies, *stacks = text.split()
    if swapped:
        side = {"white": "black", "black": "white"}[side]
        stacks = [swap(stack, "W", "B") for stack in stacks]
    places = [stack.rstrip(")").split("(") if "(" in stack else [stack] for stack in stacks]
    moved = []
    for place in places:
        if len(place) == 2:
            x, y = map(int, place[1].split(","))
            place = [f"{place[0]}({of_x(x)},{of_y(y)})"]
        moved.append(place[0])
    return " ".join([side, plies, *moved])


def squares(action, move):
    """An action of Expendibots with its squares in other places."""
    return tuple(move(*part) if isinstance(part, tuple) else part for part in action)


def same(number):
    return number


def turned_round(number):
    return 7 - number


def hexes(text, move, letters=("", ""), thrown=(0, 1)):
    """A line of RoPaSci with its hexes in other places, its letters exchanged, the players' throws too."""
    turn, throws, *places = text.split()
    throws = throws.split("/")
    moved = []
    for place in places:
        if place == "repeated":
            moved.append(place)
            continue
        hex, stack = place.split(":")
        r, q = move(*map(int, hex.strip("()").split(",")))
        moved.append(f"({r},{q}):{stack.translate(str.maketrans(*letters))}")
    return " ".join([turn, "/".join(throws[player] for player in thrown), *moved])


def ropasci_action(action, move, symbols=("", "")):
    return tuple(
        move(*part)
        if isinstance(part, tuple)
        else part.translate(str.maketrans(*symbols))
        if len(part) == 1
        else part
        for part in action
    )


def cells(text, place):
    """A line of Pentago with its cells in other places."""
    board, side = text.split()
    found = ["."] * 36
    for x in range(6):
        for y in range(6):
            new_x, new_y = place(x, y)
            found[6 * new_x + new_y] = board[6 * x + y]
    return "".join(found) + " " + side


def cell(action, place, reflects):
    """An action of Pentago with its cell and quadrant in other places; a reflection turns the other way."""
    x, y, quadrant, op = action
    corner = place(5 * (quadrant // 2), 5 * (quadrant % 2))
    return (*place(x, y), quadrant_of(6 * corner[0] + corner[1]), 1 - op if reflects else op)


def pentago(place, reflects=False):
    return (lambda text: cells(text, place), lambda action: cell(action, place, reflects), same)


def other(player):
    return 1 - player


MIRRORS = [lambda x, y: (x, 5 - y), lambda x, y: (5 - x, y), lambda x, y: (y, x), lambda x, y: (5 - y, 5 - x)]
TURNS = [lambda x, y: (y, 5 - x), lambda x, y: (5 - y, x)]


def half_turn(x, y):
    return 5 - x, 5 - y


POINTS = {
    "left and right": lambda place: place - place % 9 + 8 - place % 9,
    "top and bottom": lambda place: 9 * (4 - place // 9) + place % 9,
    "half a turn": lambda place: 44 - place,
}
SYMMETRIES = [
    ("kalaha", "the sides", (kalaha_sides, same, other)),
    ("kalaha:4x3", "the sides", (kalaha_sides, same, other)),
    *(
        (name, what, (
            lambda text, turned=turned: fanorona_points(text, turned),
            lambda action, turned=turned: fanorona_action(action, turned) if action != "P" else action,
            same,
        ))
        for name in ("fanorona", "fanorona:1100")
        for what, turned in POINTS.items()
    ),
    ("fanorona", "the colours", (fanorona_swap, same, other)),
    ("expendibots", "left and right", (
        lambda text: mirror_expendibots(text, turned_round, same),
        lambda action: squares(action, lambda x, y: (7 - x, y)), same)),
    ("expendibots", "the diagonal", (
        lambda text: transposed(text), lambda action: squares(action, lambda x, y: (y, x)), same)),
    ("expendibots", "top and bottom with the colours", (
        lambda text: mirror_expendibots(text, same, turned_round, swapped=True),
        lambda action: squares(action, lambda x, y: (x, 7 - y)), other)),
    ("ropasci", "left and right", (
        lambda text: hexes(text, lambda r, q: (r, -r - q)),
        lambda action: ropasci_action(action, lambda r, q: (r, -r - q)), same)),
    ("ropasci", "the symbols", (
        lambda text: hexes(text, lambda r, q: (r, q), ("rpsRPS", "psrPSR")),
        lambda action: ropasci_action(action, lambda r, q: (r, q), ("rps", "psr")), same)),
    ("ropasci", "the players and half a turn", (
        lambda text: hexes(text, lambda r, q: (-r, -q), ("rpsRPS", "RPSrps"), (1, 0)),
        lambda action: ropasci_action(action, lambda r, q: (-r, -q)), other)),
    ("pentago", "half a turn", pentago(half_turn)),
    ("pentago", "the colours", (lambda text: swap(text, "w", "b"), same, other)),
    ("pentago:classic", "the colours", (lambda text: swap(text, "w", "b"), same, other)),
    *(
        (name, f"{what} {number}", pentago(place, reflects=what == "mirror"))
        for name in ("pentago:classic", "pentago:classic-late")
        for what, places in (("mirror", MIRRORS), ("turn", [*TURNS, half_turn]))
        for number, place in enumerate(places)
    ),
]  # fmt: skip


def transposed(text):
    side, plies, *stacks = text.split()
    turned = [f"{s[: s.index('(')]}({s[-2]},{s[-4]})" if "(" in s else s for s in stacks]
    return " ".join([side, plies, *turned])


@pytest.mark.parametrize("name, what, maps", SYMMETRIES, ids=[" ".join(one[:2]) for one in SYMMETRIES])
@several(20)
@given(seed=seeds, length=lengths)
def test_a_symmetry_maps_games_to_games(name, what, maps, seed, length):
    of_text, of_action, of_player = maps
    rounds = game(name, seed, length)
    mirrored = rules.parse(name, of_text(rounds[0][0].text()))
    for state, chosen in rounds:
        where = f"{name}, {what}: {state.text()}"
        assert mirrored.text() == rules.parse(name, of_text(state.text())).text(), where
        assert sorted(map(of_player, state.to_act())) == list(mirrored.to_act()), where
        for player in state.to_act():
            expected = sorted(map(of_action, state.actions(player)))
            assert sorted(mirrored.actions(of_player(player))) == expected, where
        if chosen:
            alike = {of_player(player): of_action(action) for player, action in chosen.items()}
            mirrored = mirrored.after(alike)
    assert bool(mirrored.outcome()) == bool(state.outcome()), where
    if state.outcome():
        scores = state.outcome()[0]
        assert mirrored.outcome()[0] == tuple(scores[of_player(player)] for player in (0, 1)), where


@pytest.mark.parametrize("place", MIRRORS + TURNS)
def test_pentago_twist_has_no_mirror_and_no_quarter_turn(place):
    """There the mirror image of a right turn is no move at all, nor is a flip turned by a quarter."""
    start = rules.start("pentago")

    def reached(x, y):
        return {start.after({0: (x, y, quadrant, op)}).text() for quadrant in range(4) for op in (0, 1)}

    places = (0, 1), (1, 0)
    images = [{cells(text, place) for text in reached(*at)} <= reached(*place(*at)) for at in places]
    assert not all(images)
