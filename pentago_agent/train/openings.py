"""Makes data/book.npy: long searches of every position of the first plies that the book keeps.

    python -m pentago_agent.train.openings pentago_agent/data/book.npy

White's first move, Black's answer to each of the 36 boards after it (18 by symmetry), and White's second
move after each answer to his own first one.
"""

import argparse

import numpy as np

from referee.view.progress import track

from ..book import key, turned
from ..evaluate import load
from ..kernel import Kernel
from ..meter import Meter
from ..position import START, batch, moves, play, stones
from ..search import Search
from ..shared.clock import Clock
from ..threats import Threats

NODES = {0: 1000000, 1: 600000, 2: 300000}  # a position, by its stones


def best(kernel: Kernel, position, nodes: int) -> int:
    """The move of a long search that knows nothing of earlier ones."""
    search = Search(kernel, Threats(kernel))
    search.best(batch(position), stones(position), Meter(Clock(nodes=nodes)))
    print(stones(position), search.depth, search.score, search.move, flush=True)
    return search.move


def after(positions, kernel: Kernel) -> dict:
    """The distinct positions one move on, half turns counted once: key -> position."""
    found = {}
    for position in positions:
        for move in moves(position, kernel.geometry):
            child = play(position, move, kernel.geometry)
            if key(turned(child)) not in found:
                found[key(child)] = child
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    options = parser.parse_args()
    kernel = Kernel("", load(""))
    book = {key(START): best(kernel, START, NODES[0])}
    first = play(START, book[key(START)], kernel.geometry)
    todo = list(after([START], kernel).items()) + list(after([first], kernel).items())
    for known, position in track(todo, "positions"):
        book[known] = best(kernel, position, NODES[stones(position)])
    np.save(options.out, np.array(sorted(book.items()), np.uint64))
    print("%d positions" % len(book))


if __name__ == "__main__":
    main()
