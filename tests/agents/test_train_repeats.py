"""The scripts in train/ draw no lots of the player's: the same command makes the same data and counts."""

import argparse
import random
import re

from expendibots_agent.position import START
from expendibots_agent.train import depths, matches, selfplay
from fanorona_agent.train import depths as fanorona_depths
from fanorona_agent.train import fit
from kalaha_agent.train import worth
from referee.players.versions import Maker

TIMES = 4  # lots would have to be the same so often


def same(work):
    """What it comes to, each time."""
    first = work()
    assert all(work() == first for _ in range(TIMES))
    return first


def test_expendibots_positions_are_the_same_each_time():
    same(lambda: depths.positions(2, 1))
    same(lambda: depths.nodes_to(3, START, None))
    same(lambda: [position[4] for position in selfplay.game(30, random.Random(1))[0]])
    same(lambda: matches.is_balanced(START, 300))


def test_fanorona_fits_games_and_counts_nodes_that_are_the_same_each_time():
    same(lambda: fit.sample(1, 1, 30)[1].tolist())
    (line,) = fanorona_depths.positions(1, "1130", 1)
    version = Maker(".", {}, fanorona_depths.__package__, variant="1130")
    same(lambda: fanorona_depths.search(version("light", 0), line, 3).nodes)


def test_a_kalaha_search_that_knows_the_best_moves_needs_fewer_nodes(capsys):
    worth.order(argparse.Namespace(seed=0, depth=5))
    first, second = map(int, re.findall(r"(\d+) (?:nodes|with)", capsys.readouterr().out))
    assert second < first
