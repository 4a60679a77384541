"""Fits the evaluation's numbers to how games of this agent against itself ended, and prints them.

    python -m fanorona_agent.train.fit

The first games are played with the published evaluation, so that the numbers do not depend on
themselves; what is fitted to these plays the games for the second fit.  The last games are decided
with care: from LATE men on they are played with more nodes, and only what follows is fitted to.  That
gives the numbers for few men; those for many stay as they were, and the knot between them is halfway.

The numbers in evaluate.py are what this printed with the search of commit fcf6e28, whose leaves asked
`tree.evaluate`; tree.py writes them out since, so the first games are played with the present numbers now.

Half of the games are by each rule set; they begin with random turns and end where the tables know the
result.  The numbers are those with which the logistic function of the evaluation comes nearest to the
results.  What is said of them is measured on other games, every fifth.
"""

import argparse
import random
import time
from typing import List, Optional, Tuple

import numpy as np

from referee.commands.options import positive

from .. import evaluate, tree, yardstick
from ..endgames import DRAWN, MOST_MEN, WON
from ..evaluate import KNOTS, LOUD, MANY, QUIET, by_men, middle
from ..player import ENDGAMES, Player
from ..position import (
    AHEAD,
    BEHIND,
    BOARD,
    HERE,
    INNER,
    LAST_QUIET,
    LINES,
    NEXT,
    OVER,
    START,
    STRONG,
    Position,
    moves,
    play,
    popcount,
)
from ..shared.clock import Clock

POINTS_OF_ODDS = 300  # what odds of e to 1 are in the evaluation's points
A_MAN = [240, 200, 160, 120, 75]  # what a man is taken for where the games say little
PULL = 60.0  # how many positions that guess, and 0 for all else, counts as much as
LATE = 14  # men on the board when a game of the last kind is played with care
LEAST_GAMES = 12  # of a fit; every fifth pair is held back
FEW_KNOTS = 4  # those of KNOTS that such games say something about; of the last of them, half


def terms_of(position: Position) -> List[float]:
    """What the numbers of LOUD multiply, in its order; QUIET does without the last."""
    _, mine, theirs = position[:3]
    free = (BOARD ^ mine ^ theirs) * NEXT & LINES
    my_hops, their_hops = mine * HERE & free, theirs * HERE & free
    my_men, their_men = popcount(mine), popcount(theirs)
    my_lines, their_lines = popcount(my_hops), popcount(their_hops)
    apart = 0.0
    if my_men != their_men and my_men + their_men < MANY:
        apart = abs(middle(mine, my_men) - middle(theirs, their_men)) * (1 if my_men > their_men else -1)
    return [
        my_men - their_men,
        my_lines - their_lines,
        my_lines / my_men - their_lines / their_men,
        popcount(mine & INNER) - popcount(theirs & INNER),
        popcount(mine & STRONG) - popcount(theirs & STRONG),
        popcount(their_hops & (mine * AHEAD | mine * BEHIND)),
        1,
        apart,
        popcount(my_hops & (theirs * AHEAD | theirs * BEHIND)),
    ]


def tabled_result(position: Position, has_pass: bool) -> float:
    """The mover's points in an ending, by the tables."""
    _, mine, theirs, quiet = position[:4]
    value = ENDGAMES[has_pass].value(mine, theirs, popcount(mine), popcount(theirs))
    if value > DRAWN:
        return 1.0 if quiet + WON - value <= LAST_QUIET else 0.5
    return 0.0 if value < DRAWN and quiet + value <= LAST_QUIET else 0.5


def game(
    chance: random.Random, variant: str, nodes: int, late_nodes: Optional[int] = None
) -> Tuple[List[Position], float]:
    """The positions of a game in which there was a choice, and what it brought light.

    With `late_nodes` the positions of few men alone, which are played with so many nodes.
    """
    has_pass = variant != "1100"
    clocks = Clock(nodes=nodes), Clock(nodes=late_nodes)
    seats = [Player(colour, variant=variant, nodes=nodes, book=False) for colour in ("light", "dark")]
    for seat in seats:
        seat.search.lots = None
    position, seen, found = START, frozenset(), []
    random_turns = chance.randint(1, 8)
    while True:
        choices = moves(position, has_pass)
        if position[3] == OVER or position[4] in seen:
            return found, 0.5
        if not choices:
            return found, float(position[0])
        men = popcount(position[1] | position[2])
        if men <= MOST_MEN:
            result = tabled_result(position, has_pass)
            return found, 1 - result if position[0] else result
        late = late_nodes is not None and men <= LATE
        seen = seen | {position[4]} if position[4] else frozenset()
        if random_turns > 0 or chance.random() < 0.03:
            random_turns -= 1
            move = chance.choice(choices)
        else:
            if len(choices) > 1 and (late or late_nodes is None):
                found.append(position)
            player = seats[position[0]]
            player.tree.knows(position)
            player.tree.seen = seen
            move = player.search.best(position, clocks[late])
        position = play(position, move)


def sample(games: int, seed: int, *nodes: int) -> Tuple[np.ndarray, ...]:
    """Terms, men, results for the mover and the numbers of the games, for positions not near the limit."""
    terms, men, results, numbers = [], [], [], []
    for number in range(games):
        chance = random.Random("%d %d" % (seed, number))
        found, points = game(chance, ("1130", "1100")[number % 2], *nodes)
        for position in found:
            if position[3] <= 8:
                terms.append(terms_of(position))
                men.append(popcount(position[1] | position[2]))
                results.append(1 - points if position[0] else points)
                numbers.append(number // 2)
    return np.array(terms, float), np.array(men), np.array(results), np.array(numbers)


def spread(terms: np.ndarray, men: np.ndarray, rows: List[List[int]]) -> np.ndarray:
    """Each term times how near the count of men is to each knot of the rows: what their numbers multiply."""
    terms, knots = terms[:, : len(rows)], KNOTS[: len(rows[0])]
    near = np.array([np.interp(men, knots, row) for row in np.eye(len(knots))]).T
    return (terms[:, :, None] * near[:, None, :]).reshape(len(terms), -1)


def fitted(inputs: np.ndarray, results: np.ndarray, first: List[float]) -> np.ndarray:
    """Logistic regression by Newton's method, pulled to a guess of the first weights, the others to 0."""
    scale = inputs.std(axis=0)
    scale[scale == 0] = 1
    inputs = inputs / scale
    guess = np.zeros(inputs.shape[1])
    guess[: len(first)] = np.array(first) / POINTS_OF_ODDS
    guess *= scale
    weights = guess.copy()
    for _ in range(30):
        expected = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (results - expected) - PULL * (weights - guess)
        bend = (inputs * (expected * (1 - expected))[:, None]).T @ inputs + PULL * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights / scale


def surprise(inputs: np.ndarray, results: np.ndarray, weights: np.ndarray) -> float:
    """How much, on the average, the results say that the evaluation did not: 0.693 where it knows nothing."""
    scores = inputs @ weights
    return float((np.logaddexp(0, scores) - results * scores).mean())


def fit(sampled: Tuple[np.ndarray, ...], *before: List[List[int]]) -> List[List[List[int]]]:
    """QUIET and LOUD as they come out, after saying how well they do, and those before, on other games."""
    terms, men, results, numbers = sampled
    found = []
    other = numbers % 5 == 0
    can_capture = terms[:, -1] > 0
    for name, chosen, now in zip(("QUIET", "LOUD"), (~can_capture, can_capture), before):
        used, guess = spread(terms, men, now), A_MAN[: len(now[0])]
        weights = fitted(used[chosen & ~other], results[chosen & ~other], guess)
        tested = used[chosen & other], results[chosen & other]
        fresh, old = surprise(*tested, weights), surprise(*tested, np.ravel(now) / POINTS_OF_ODDS)
        print("%s: surprise %.4f, before %.4f, by %d other positions" % (name, fresh, old, len(tested[1])))
        weights = fitted(used[chosen], results[chosen], guess).reshape(-1, len(now[0]))
        found.append([[int(round(POINTS_OF_ODDS * weight)) for weight in row] for row in weights])
    return found


def halfway(late: List[List[int]], before: List[List[int]]) -> List[List[int]]:
    """The numbers of the last fit, and from its last knot on those before; at that knot half of each."""
    last = FEW_KNOTS - 1
    return [new[:last] + [(new[last] + old[last]) // 2] + old[FEW_KNOTS:] for new, old in zip(late, before)]


def several(text: str) -> int:
    """A number of games from the command line, of which some can be held back."""
    if positive(text) < LEAST_GAMES:
        raise argparse.ArgumentTypeError("should be %d or more, as some are held back" % LEAST_GAMES)
    return positive(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=several, default=1000, help="of the first fit")
    parser.add_argument("--more", type=several, default=3000, help="games of the second fit")
    parser.add_argument("--late", type=several, default=2500, help="games of the last fit")
    parser.add_argument("--nodes", type=positive, default=500, help="a turn")
    parser.add_argument("--late-nodes", type=positive, nargs=2, default=(300, 1000), help="of many men, few")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    evaluations = yardstick.static, evaluate.evaluate
    quiet, loud = QUIET, LOUD
    for number, games in enumerate((options.games, options.more)):
        tree.evaluate = evaluations[number]
        quiet, loud = fit(told(sample(games, options.seed + number, options.nodes)), quiet, loud)
        use(quiet, loud)
    tree.CONTEMPT = 0
    before = [[row[:FEW_KNOTS] for row in rows] for rows in (quiet, loud)]
    late = fit(told(sample(options.late, options.seed, *options.late_nodes)), *before)
    for name, rows, old in zip(("QUIET", "LOUD"), late, (quiet, loud)):
        print(name)
        for row in halfway(rows, old):
            print("    %s," % row)


def told(sampled: Tuple[np.ndarray, ...]) -> Tuple[np.ndarray, ...]:
    """The sample, after saying how large it is."""
    print("%d positions, %.0f s" % (len(sampled[1]), time.process_time()), flush=True)
    return sampled


def use(quiet: List[List[int]], loud: List[List[int]]) -> None:
    """Play the games to come with these numbers."""
    evaluate.QUIET_BY_MEN[:], evaluate.LOUD_BY_MEN[:] = by_men(quiet), by_men(loud)


if __name__ == "__main__":
    main()
