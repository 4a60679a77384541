"""Measures how soon after its limit each faulty player is dead: `python -m tests.long.measure_kills`.

`--times 20` is how often each is played, words choose players.  Time past the limit is CPU time
past a CPU limit (0.3 s an action) and wall time past the wall backstop, until the kernel says that the
process is gone; memory is what a player had grown by at the kill, for a limit of 100 MB.
"""

import argparse
import ast
import time
from statistics import median

from referee import rules
from referee.isolation import allowance
from referee.isolation.process import PlayerProcess
from referee.match.loop import Match
from referee.players.names import resolve
from tests.referee.isolation.test_referee import HARMLESS, VERDICTS
from tests.support.arena import GAME, OPPONENT, PLAYERS, USUAL, let_read, spec


class Timed(PlayerProcess):
    """A player that notes how long after its limit it was dead."""

    late: float | None = None

    def _await_reply(self, call):
        self.until = time.monotonic() + self._account.patience(self.cpu)
        super()._await_reply(call)

    def _fail(self, ending, call, message, where=""):
        try:
            super()._fail(ending, call, message, where)
        finally:
            if ending == "out of time":
                self.late = -min(self._account.left(self.cpu))
            elif ending == "no answer":
                self.late = time.monotonic() - self.until


def play(name):
    """One game of the player against `random`: the verdict in words, and the player."""
    state = rules.start(GAME)
    variant = GAME.partition(":")[2]
    extra = (("game", GAME), ("seed", 1))
    player = Timed(spec(name), "A", variant, let_read(USUAL))
    opponent = PlayerProcess(resolve("random"), "B", variant, OPPONENT, extra)
    result = Match(state, (player, opponent), (name, "random")).play()
    verdict = f"{result.ending} in {result.call}" if result.call else result.ending
    return verdict + (" (and the opponent too)" if 1 in result.at_fault else ""), player


def says(name):
    """What the player tries, by its file's first sentence."""
    return ast.get_docstring(ast.parse((PLAYERS / f"{name.partition(':')[0]}.py").read_text()))


def row(name, times):
    """A row of the table."""
    waits = dict(row[:2] for row in VERDICTS).get(name) == "no answer"
    allowance.BACKSTOP = (3.0, 0.5) if waits else (3.0, 5.0)  # not six seconds for every game
    played = [play(name) for _ in range(times)]
    verdicts = sorted({verdict for verdict, _ in played})
    late = [player.late * 1000 for _, player in played if player.late is not None]
    grown = [player.megabytes for verdict, player in played if verdict.startswith("out of memory")]
    cells = [name, " / ".join(verdicts)]
    cells += [f"{median(late):.1f}", f"{max(late):.1f}"] if late else ["", ""]
    cells += [f"{median(grown):.0f}", f"{max(grown):.0f}"] if grown else ["", ""]
    return f"| {' | '.join(cells)} | {says(name)} |"


def main():
    """Print the table, a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("names", nargs="*", metavar="PLAYER", help="all, if none is named")
    parser.add_argument("--times", type=int, default=20, help="games of each (20)")
    options = parser.parse_args()
    print("| player | verdict | ms past the limit: median | worst | MB at the kill: median | worst | it |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in options.names or [*(row[0] for row in VERDICTS), *HARMLESS]:
        print(row(name, options.times), flush=True)


if __name__ == "__main__":
    main()
