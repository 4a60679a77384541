"""Lines that claim to be positions, for `rules.parse` of every game: refused in a sentence, or playable."""

import contextlib
from functools import cache
from random import Random

from referee import rules
from tests.long.fuzz.damage import damaged
from tests.rules.test_rules import NAMES, assert_alike, choose, is_one_sentence

ROUNDS = 60


@contextlib.contextmanager
def prepared():
    """No preparation is needed."""
    yield try_one


def try_one(random):
    """A line that is damaged, of another game, or nonsense."""
    name = random.choice(NAMES)
    of = name if random.random() < 0.9 else random.choice(NAMES)
    line = random.choice(texts(of, random.randrange(4)))
    line = damaged(line, random) if random.random() < 0.9 else line * random.choice((1, 2, 1000))
    if random.random() < 0.05:
        name = damaged(name, random)
    try:
        state = rules.parse(name, line)
    except ValueError as error:
        assert is_one_sentence(error) and len(str(error)) < 1000, (name, line, error)
    else:
        assert bool(state.to_act()) == (state.outcome() is None), (name, line)
        assert_alike(state, rules.parse(name, state.text()), random, 3, (name, line))
        assert state.draw(), (name, line)


@cache
def texts(name, seed):
    """The lines of a random game."""
    random, state, found = Random(f"{name} {seed}"), rules.start(name), []
    while len(found) < ROUNDS and state.to_act():
        found.append(state.text())
        state = state.after(choose(state, random))
    return [*found, state.text()]
