"""Where a player's score is far from that of its own longer search: positions of self-play, the worst first.

    python -m referee.commands.misjudged kalaha kalaha_agent --nodes 2000 --times 10
    python -m referee.commands.misjudged expendibots my_team --positions 500 --most 3000 --worst 20

The player needs what `referee bench` asks for (`set_up(line)`, `nodes`, and `search` with a `score` for
whoever acts, in any unit).  It plays itself, `--random` of the actions by lot; in each position that has a
choice a new one searches with `--nodes`, and another with `--times` as many.  Scores beyond `--most` count as
that, since who sees a win tells a huge one.

Printed are the errors, where they lie (a class of positions that is no harder than others has the same
share of the worst tenth as of all), and the worst positions, as `referee play --position` reads them.
`--from FILE` judges the positions of an earlier output again, so that a remedy is measured on what it is for.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee import UsageError, rules
from referee.commands.bench import TakesNoPart, player_class, set_up
from referee.commands.options import positive
from referee.view.progress import track

OPENING = 6  # random actions at most
TENTH = 10
MARK = "at "  # what the line of a position begins with


@dataclass(frozen=True)
class Judged:
    """A position, and what a short and a long search say of it for one who acts there."""

    line: str
    colour: str
    turn: int
    choices: int
    short: float
    long: float
    actions: tuple[Any, Any]

    @property
    def error(self) -> float:
        return self.short - self.long

    def __str__(self) -> str:
        one, other = self.actions
        chosen = repr(one) if one == other else f"{one!r}, longer {other!r}"
        return f"{MARK}{self.line}\n    {self.colour}: {self.short:+g}, longer {self.long:+g}; {chosen}"


CLASSES: dict[str, Callable[[Judged], bool]] = {
    "too good for who acts": lambda one: one.error > 0,
    "seen ahead": lambda one: one.short > 0,
    "longer search ahead": lambda one: one.long > 0,
    "another action": lambda one: one.actions[0] != one.actions[1],
}


class Searches:
    """One player's searches of a game, with so many nodes, and then that many times as many."""

    def __init__(self, game: str, player: str, nodes: int, times: int, most: float):
        self.game, self.player, self.nodes, self.times, self.most = game, player, nodes, times, most
        self.cls = player_class(player)

    def judged(self, line: str, seat: int, turn: int) -> Judged | None:
        """Both searches' scores and actions; None where one tells no score, as of a single choice."""
        (short, first), (long, second) = [
            self._search(line, seat, self.nodes * times) for times in (1, self.times)
        ]
        if short is None or long is None:
            return None
        state = rules.parse(self.game, line)
        choices = len(state.actions(seat))
        colour = state.COLOURS[seat]
        return Judged(line, colour, turn, choices, self._cut(short), self._cut(long), (first, second))

    def action(self, line: str, seat: int) -> Any:
        """What the player does there with its nodes."""
        return self._search(line, seat, self.nodes)[1]

    def _search(self, line: str, seat: int, nodes: int) -> tuple[float | None, Any]:
        player = set_up(self.cls, self.game, line, seat, nodes)
        action = player.action()
        search = getattr(player, "search", None)
        if search is None or not hasattr(search, "score"):
            raise UsageError(f"{self.player} does not tell `search.score` after its action")
        return search.score, action

    def _cut(self, score: float) -> float:
        return max(-self.most, min(self.most, score))


def positions(searches: Searches, seed: int, by_lot: float) -> Iterator[tuple[str, int, int]]:
    """Lines of text, who is asked there and the turn, from games of the player against itself."""
    number = 0
    while True:
        number += 1
        lots, state, turn = random.Random(f"{seed} {number}"), rules.start(searches.game), 0
        opening = lots.randint(0, OPENING)
        while players := state.to_act():
            turn += 1
            chosen = {}
            for player in players:
                actions, line = state.actions(player), state.text()
                if turn <= opening or len(actions) == 1 or lots.random() < by_lot:
                    chosen[player] = lots.choice(actions)
                else:
                    chosen[player] = searches.action(line, player)
                    if player == players[0]:
                        yield line, player, turn
            state = state.after(chosen)


def read(path: Path, game: str) -> list[tuple[str, int, int]]:
    """The positions of an earlier output: as `positions` has them."""
    found = []
    for line in path.read_text().splitlines():
        if line.startswith(MARK):
            line = line[len(MARK) :]
            found.append((line, rules.parse(game, line).to_act()[0], 0))
    return found


def report(judged: list[Judged], worst: int) -> Iterator[str]:
    """The lines that are printed."""
    ranked = sorted(judged, key=lambda one: -abs(one.error))
    sizes = [abs(one.error) for one in ranked]
    tenth = ranked[: max(1, len(ranked) // TENTH)]
    yield (
        f"{len(ranked)} positions: errors of {sum(sizes) / len(sizes):.4g} on average, "
        f"{sizes[len(sizes) // 2]:g} in the middle, {sizes[len(tenth) - 1]:g} and more in the worst tenth; "
        f"another action in {sum(one.actions[0] != one.actions[1] for one in ranked)}"
    )
    turns = sorted(one.turn for one in ranked)
    choices = sorted(one.choices for one in ranked)
    late, many = turns[len(turns) // 2], choices[len(choices) // 2]
    classes = dict(CLASSES)
    classes[f"after turn {late}"] = lambda one: one.turn > late
    classes[f"more than {many} choices"] = lambda one: one.choices > many
    for name, belongs in classes.items():
        of_all, of_worst = (100 * sum(map(belongs, which)) / len(which) for which in (ranked, tenth))
        yield f"{name:28}{of_all:4.0f} % of all, {of_worst:4.0f} % of the worst tenth"
    for one in ranked[:worst]:
        yield str(one)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m referee.commands.misjudged",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("player", metavar="PLAYER", help="a package, a folder or a file, as in `play`")
    parser.add_argument("--nodes", type=positive, default=2000)
    parser.add_argument("--times", type=positive, default=10)
    parser.add_argument("--positions", type=positive, default=200)
    parser.add_argument("--worst", type=positive, default=10, help="so many are printed")
    parser.add_argument("--most", type=float, default=float("inf"), help="scores beyond count as this")
    parser.add_argument("--random", type=float, default=0.1, help="share of actions by lot (0.1)")
    parser.add_argument("--from", dest="source", type=Path, metavar="FILE", help="judge its positions again")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    judged: list[Judged] = []
    try:
        rules.start(options.game)
        searches = Searches(options.game, options.player, options.nodes, options.times, options.most)
        if options.source is None:
            source = positions(searches, options.seed, options.random)
        else:
            source = iter(read(options.source, options.game))
        for _ in track(range(options.positions), "positions"):
            found = None
            while found is None:
                found = searches.judged(*next(source))
            judged.append(found)
    except StopIteration:
        pass
    except (UsageError, TakesNoPart, OSError, ValueError) as trouble:
        parser.error(str(trouble))
    if not judged:
        parser.error("no position was found")
    for line in report(judged, options.worst):
        print(line)


if __name__ == "__main__":
    main()
