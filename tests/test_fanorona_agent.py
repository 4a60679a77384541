"""The Fanorona agent: its board against the referee's rules, its search, its tables and its promises."""

import random

import pytest

from fanorona_agent import hops, notation, position
from fanorona_agent.position import LAST_QUIET, OVER, START, play, turns
from referee import rules

NAMES = ["fanorona", "fanorona:1100"]


def has_pass(name):
    return not name.endswith("1100")


def random_game(name, seed):
    """A random game as pairs: a state and the hop played in it, None at the end."""
    chance = random.Random(seed)
    state = rules.start(name)
    while state.legal:
        hop = chance.choice(state.legal)
        yield state, hop
        state = state.after({state.mover: hop})
    yield state, None


def shown(at):
    """A position as the referee's board and side to move."""
    mover, mine, theirs = at[:3]
    light, dark = (theirs, mine) if mover else (mine, theirs)
    board = "".join("o" if light >> p & 1 else "x" if dark >> p & 1 else "." for p in position.POINTS)
    return board, mover


def turn_ends(state):
    """The boards and sides to move after each way to play the rest of a turn, by the referee's rules."""
    ends, open_chains = set(), [state]
    while open_chains:
        at = open_chains.pop()
        for hop in at.legal:
            after = at.after({at.mover: hop})
            if after.chain:
                open_chains.append(after)
            else:
                ends.add((after.board, after.mover))
    return ends


# Agreement with the referee's rules


@pytest.mark.parametrize("name", NAMES)
def test_hop_by_hop_the_agent_sees_what_the_referee_sees(name):
    positions = 0
    for seed in range(90):
        at, seen = START, frozenset()
        for state, hop in random_game(name, seed):
            positions += 1
            where = f"seed {seed}: {state.text()}"
            assert shown(at) == (state.board, state.mover), where
            assert at[3] == (OVER if state.drawn else len(state.history)), where
            legal = [notation.to_action(each) for each in hops.legal(at, has_pass(name))]
            assert sorted(legal) == sorted(state.legal), where
            assert notation.from_text(state.text()) == (at, seen), where
            if hop is not None:
                at, seen = hops.after(at, seen, notation.from_action(hop), has_pass(name))
    assert positions >= 3000


@pytest.mark.parametrize("name", NAMES)
def test_whole_turns_lead_where_all_ways_to_hop_lead(name):
    positions = 0
    for seed in range(100, 230):
        for state, _ in random_game(name, seed):
            if state.drawn or (len(state.chain) and seed % 2):
                continue
            at, seen = notation.from_text(state.text())
            moves = turns(at, has_pass(name))
            positions += 1
            where = f"seed {seed}: {state.text()}"
            assert len(set(moves)) == len(moves), where
            ends = {shown(play(at, move)) for move in moves}
            # A Pass at the beginning of what is left of a chain is a turn as well.
            assert ends == turn_ends(state), where
            assert all(play(at, move)[3] == OVER for move in moves) == (at[3] == LAST_QUIET) or not moves
    assert positions >= 3000


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_has_hops_that_play_it(name):
    chance = random.Random(5)
    for seed in range(200, 220):
        for state, _ in random_game(name, seed):
            at, seen = notation.from_text(state.text())
            moves = turns(at, has_pass(name))
            for move in chance.sample(moves, min(4, len(moves))):
                after = state
                for hop in hops.hops_of(at, move, has_pass(name)):
                    assert after.mover == state.mover, f"seed {seed}: {state.text()}"
                    assert notation.to_action(hop) in after.legal, f"seed {seed}: {state.text()}"
                    after = after.after({after.mover: notation.to_action(hop)})
                assert shown(play(at, move)) == (after.board, after.mover), f"seed {seed}: {state.text()}"
