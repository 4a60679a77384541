"""Searches the opening for a long time and writes what it finds to data/book.npy.

    python -m expendibots_agent.train.book

The book has an answer to the set-up, to each first move of White's, to the best replies to these, and so
on; and at each step to the usual raid: a pair that runs along column 4 (or 3) to the enemy's middle
block and blows it up.
"""

import argparse
import os
import sys

import numpy as np

from referee.commands.options import positive
from referee.view.progress import track

from .. import notation
from ..book import FLIPPED, MIRRORED, SAME, book_move
from ..player import Player
from ..position import START, moves, play

FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "book.npy")
RAID = [(1, 4, 12), (2, 12, 28), (2, 28, 44)]  # tokens, from, to: White's; Black's is the flipped one
WHITE, BLACK = (6, 3, 1), (2, 1)  # how many replies to each of the book's moves are followed
QUICK = 2000  # nodes to judge a reply with


def search(position, nodes):
    """The move and its score, without the book."""
    player = Player(notation.COLOURS[position[0]], nodes=nodes)
    player.search.lots = None
    move = player.search.best(position, player.clock) & 65535
    return move, player.search.score


class Maker:
    """The book so far."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.book = {}

    def answer(self, position):
        """The position after the book's move, which is searched if it is not there yet."""
        move = book_move(position, self.book)
        if move is not None:
            return play(position, move)
        move, score = search(position, self.nodes)
        self.book[position[4]] = move
        action = notation.to_action(position, move)
        print(len(self.book), score, action, notation.to_text(position), file=sys.stderr, flush=True)
        return play(position, move)

    def follow(self, position, replies):
        """The book's moves after this position; that many replies to the first, the second, ... of them.

        A position that was met in another view was followed there.
        """
        if book_move(position, self.book) is None:
            after = self.answer(position)
            for move in best_replies(after, replies[0]) if replies else ():
                self.follow(play(after, move), replies[1:])


def best_replies(position, count):
    """The opponent's best moves, after a quick search of each."""
    scored = []
    for move in moves(position):
        if move > 63:
            _, score = search(play(position, move), QUICK)
            scored.append((score, move))
    return [move for _, move in sorted(scored)[:count]]


def raid(squares, mirror):
    """The moves of the raid in a view."""
    return [n << 12 | squares[mirror[start]] << 6 | squares[mirror[target]] for n, start, target in RAID]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=positive, default=400_000)
    options = parser.parse_args()
    maker = Maker(options.nodes)

    maker.follow(START, WHITE)
    for move in track(moves(START), "first moves"):
        if move > 63:
            maker.follow(play(START, move), BLACK)
    # The raid, as long as it goes on, against either colour.
    for squares, position in ((SAME, START), (FLIPPED, maker.answer(START))):
        for mirror in (SAME, MIRRORED):
            line = position
            for move in raid(squares, mirror):
                if move not in moves(line):
                    break
                line = maker.answer(play(line, move))

    rows = np.array(sorted(maker.book.items()), dtype="<u8")
    np.save(FILE, rows)
    print("%d positions" % len(rows))


if __name__ == "__main__":
    main()
