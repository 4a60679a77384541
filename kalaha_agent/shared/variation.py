"""The line of moves that a search expects, as far as its table of positions knows it."""

from typing import Any, Callable, List, Optional, Sequence


def variation(
    line: Sequence[Any],
    root: Any,
    turns: int,
    play: Callable[[Any, Any], Any],
    entry: Callable[[Any], Optional[Sequence[Any]]],
    expected: Callable[[Any, int], Any],
) -> List[Any]:
    """The line expected, for so many turns: what open windows left, then what the table knows of the score.

    entry     entry(position): (depth, bound, score, move), or None
    expected  expected(position, ply): the score there, were the line right
    """
    position, found = root, list(line)
    for ply, move in enumerate(found, 1):  # it grows on the way
        after = play(position, move)
        turns -= after[0] != position[0]
        position = after
        if ply == len(found) and turns > 0:
            known = entry(position)
            if known is not None and known[0] >= turns and known[2] == expected(position, ply):
                found.append(known[3])
    return found
