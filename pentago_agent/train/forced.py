"""The test set of forced wins and forced defences: made, proven by the rules, and solved.

    python -m pentago_agent.train.forced make pentago_agent/train/forced.txt --wins 48 --defences 24
    python -m pentago_agent.train.forced prove pentago_agent/train/forced.txt
    python -m pentago_agent.train.forced solve pentago_agent/train/forced.txt --seconds 2

A line is the position's text, `win` or `defence`, the plies until the five at the latest, and the
moves that solve it: all from which a win within so many plies was proven, or all that hold against
every proof.  A proof tries every legal reply of the defender on position.py's rules; the kernel and the
threat search only propose the attacker's moves, and each of those is played and judged by the rules.
"""

import argparse
import random

import numpy as np

from referee.commands.options import natural, new_file, seconds
from referee.view.progress import track

from ..geometry import MOVES
from ..kernel import LOST, TAKEN, Kernel
from ..meter import Meter
from ..notation import from_action, from_text, to_text
from ..player import Player, kernel_of
from ..position import batch, moves, play, result, stones
from ..shared.deepening import Search
from ..threats import Threats
from ..tree import Tree
from .selfplay import play_one

PLIES = 7  # the longest forced line, the five included
NODES = 4000  # for one proof
HOLDING = 2  # a defence is forced if no more distinct positions than this hold
LOSING = 3  # and at least so many do not, though no five follows at once


class Prover:
    """Proofs over the rules; what the fast code proposes is never believed.

    Unless `trusting`, which is for looking for candidates: then replies are left out of which the
    kernel says that a five follows at once.
    """

    def __init__(self, kernel: Kernel, trusting: bool = False):
        self.kernel = kernel
        self.trusting = trusting
        self.geometry = kernel.geometry
        self.threats = Threats(kernel)
        self.proven = {}

    def wins_at_once(self, position) -> bool:
        """Whether the mover has a move that wins, played and judged by the rules."""
        board = batch(position)
        codes = self.kernel.codes(board)
        if not self.kernel.wins(board, codes).any():
            return False
        move = self.kernel.winning_move(board, codes, self.kernel.judge(board, codes, stones(position)))
        return move in moves(position, self.geometry) and result(play(position, move, self.geometry)) == -1

    def attack(self, position, plies: int):
        """A move after which the mover wins within so many plies, this one included, or None."""
        if plies < 3:
            return None
        meter = Meter()
        move = self.threats.find(batch(position), stones(position), meter, NODES, plies // 2)
        if move is not None and self.forced(play(position, move, self.geometry), plies - 1):
            return move
        return None

    def forced(self, position, plies: int) -> bool:
        """Whether the mover, whatever he plays, has lost before so many more plies are over."""
        if (position, plies) not in self.proven:
            self.proven[position, plies] = self._forced(position, plies)
        return self.proven[position, plies]

    def _forced(self, position, plies):
        ended = result(position)
        if ended is not None:
            return ended == -1
        legal = self._parries(position) if self.trusting else moves(position, self.geometry)
        replies = {play(position, move, self.geometry) for move in legal}
        slow = []
        for reply in replies:
            ended = result(reply)
            if ended is not None:
                if ended != 1:
                    return False
            elif not self.wins_at_once(reply):
                slow.append(reply)
        return all(self.attack(reply, plies - 1) is not None for reply in slow)

    def _parries(self, position):
        board, count = batch(position), stones(position)
        codes = self.kernel.codes(board)
        scores = self.kernel.judge(board, codes, count)
        if self.kernel.wins(board, codes).any():
            return [self.kernel.winning_move(board, codes, scores)]
        self.kernel.settle(board, codes, scores, count)
        return [int(move) for move in np.flatnonzero(scores[0] > LOST)]


def solutions(prover: Prover, position) -> tuple:
    """("win" or "defence", plies, moves) of a position with a forced line, else None."""
    kernel, geometry = prover.kernel, prover.geometry
    board, count = batch(position), stones(position)
    codes = kernel.codes(board)
    if kernel.wins(board, codes).any():
        return None
    scores = kernel.judge(board, codes, count)
    if kernel.settle(board, codes, scores, count):
        return None
    safe = [move for move in range(MOVES) if scores[0, move] > LOST]
    children = {}
    for move in safe:
        children.setdefault(play(position, move, geometry), []).append(move)
    for plies in range(5, PLIES + 1, 2):
        if prover.threats.find(board, count, Meter(), NODES, 1) is not None:
            return None
        if prover.threats.find(board, count, Meter(), NODES, plies // 2) is not None:
            good = [same for child, same in children.items() if prover.forced(child, plies - 1)]
            return ("win", plies, sorted(sum(good, []))) if good else None
    if len(children) < LOSING + 1 or len(children) > 40:
        return None
    unsafe = [move for move in range(MOVES) if TAKEN < scores[0, move] < LOST]
    holding, losing = [], 0
    for child, same in children.items():
        if prover.attack(child, PLIES - 2) is None:
            holding.append(same)
            if len(holding) > HOLDING:
                return None
        else:
            losing += 1
    if not holding or losing < LOSING:
        return None
    for move in unsafe:
        child = play(position, move, geometry)
        if result(child) != 1 and not prover.wins_at_once(child):
            return None
    return "defence", PLIES - 1, sorted(sum(holding, []))


def make(path: str, wanted: dict, seed: int) -> None:
    """Search games of the two-ply player for positions until there are enough of both kinds."""
    kernel = kernel_of("")
    prover, search = Prover(kernel, trusting=True), Search(Tree(kernel, Threats(kernel)))
    lines, number = [], 0
    while any(wanted.values()):
        dice = random.Random(1000003 * seed + number)
        number += 1
        prover.proven = {}
        seen, _, _ = play_one(search, dice, 2)
        late = [position for position in seen if stones(position) >= 7]
        dice.shuffle(late)
        for position in late[:6]:
            found = solutions(prover, position)
            if found and wanted[found[0]] and proven(Prover(kernel), position, *found):
                wanted[found[0]] -= 1
                good = ",".join(map(str, found[2]))
                lines.append("%s %s %d %s" % (to_text(position), found[0], found[1], good))
                print(lines[-1], flush=True)
                break
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(sorted(lines)) + "\n")


def read(path: str) -> list:
    """(position, kind, plies, moves) of every line."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            board, side, kind, plies, good = line.split()
            answers = [int(move) for move in good.split(",")]
            found.append((from_text(board + " " + side), kind, int(plies), answers))
    return found


def proven(prover: Prover, position, kind: str, plies: int, good: list) -> bool:
    """Whether the rules bear out a line: its wins win; all but its defences lose."""
    if kind == "win":
        return all(prover.forced(play(position, move, prover.geometry), plies - 1) for move in good)
    held = {play(position, move, prover.geometry) for move in good}
    others = {play(position, move, prover.geometry) for move in moves(position, prover.geometry)} - held
    return all(
        result(child) == 1
        or result(child) is None
        and (prover.wins_at_once(child) or prover.attack(child, plies - 1) is not None)
        for child in others
    )


def solved(position, kind: str, good: list, seconds=None, nodes=None) -> bool:
    """Whether a fresh player finds one of the moves, or another from which a win is proven."""
    player = Player("white", seconds=seconds, nodes=nodes)
    player.position = position
    action = player.action()
    geometry = player.kernel.geometry
    after = play(position, from_action(action, geometry), geometry)
    if after in {play(position, move, geometry) for move in good}:
        return True
    return kind == "win" and Prover(player.kernel).forced(after, PLIES + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("make", "prove", "solve"))
    parser.add_argument("file")
    parser.add_argument("--wins", type=natural, default=48)
    parser.add_argument("--defences", type=natural, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=seconds, default=2.0)
    options = parser.parse_args()
    if options.what == "make":
        if not options.wins + options.defences:
            parser.error("neither --wins nor --defences are wanted")
        try:
            new_file(options.file)
        except argparse.ArgumentTypeError as trouble:
            parser.error(str(trouble))
        make(options.file, {"win": options.wins, "defence": options.defences}, options.seed)
        return
    try:
        lines = read(options.file)
    except (OSError, ValueError):
        parser.error("%r is not there, or no file that `make` wrote" % options.file)
    good = total = 0
    prover = Prover(kernel_of(""))
    for position, kind, plies, answers in track(lines, "positions"):
        if options.what == "prove":
            right = proven(prover, position, kind, plies, answers)
        else:
            right = solved(position, kind, answers, options.seconds)
        total += 1
        good += right
        if not right:
            print("not %sd: %s (%s in %d)" % (options.what, to_text(position), kind, plies))
    print("%d of %d %sd" % (good, total, options.what))


if __name__ == "__main__":
    main()
