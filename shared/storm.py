"""Past the horizon: follows noisy moves, such as captures, until the position is calm.

AlphaBeta(moves, play, evaluate, beyond=storm(noisy, play, evaluate))    # alphabeta.py
"""

from typing import Callable, Iterable

from .alphabeta import DECIDED, Count, Move, Position, Value


def storm(
    noisy: Callable[[Position], Iterable[Move]],
    play: Callable[[Position, Move], Position],
    evaluate: Callable[[Position], int],
) -> Callable[[Count], Value]:
    """What AlphaBeta takes as `beyond`.

    noisy(position): the moves worth following; none for a finished game.  `evaluate` is the score of leaving
    them alone.
    """

    def beyond(count: Count) -> Value:
        def value(position, alpha, beta, ply):
            """The value of a position when all but noisy moves are left alone."""
            best = evaluate(position)
            if not -DECIDED < best < DECIDED:
                return best + (ply if best < 0 else -ply)
            if best >= beta:
                return best
            if best > alpha:
                alpha = best
            mover = position[0]
            for move in noisy(position):
                if count.nodes >= count.limit:
                    count.limit = count.poll(count.nodes)
                count.nodes += 1
                child = play(position, move)
                if child[0] == mover:
                    score = value(child, alpha, beta, ply + 1)
                else:
                    score = -value(child, -beta, -alpha, ply + 1)
                if score > best:
                    best = score
                    if score > alpha:
                        if score >= beta:
                            break
                        alpha = score
            return best

        return value

    return beyond
