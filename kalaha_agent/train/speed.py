"""How fast the player searches, next to the inlined probe of the tests: python -m kalaha_agent.train.speed

Both search by turns, one after the other, so that a busy machine is equally busy for them: nodes a
second, and the time to one depth; then how deep the player sees from the start in a second of CPU.
"""

import random
import time
from typing import Callable

from referee import rules
from tests.support.kalaha_probe import FIELD, POSITIONS, SHIFTS, Probe

from .. import Player

NODES = 600_000  # of each search of the player's
DEPTH = 9  # of the probe's


def timed(work: Callable[[], object]) -> float:
    """The CPU seconds that it takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def seen_by(player: Player, probed: tuple) -> tuple:
    """The player's form of one of the probe's positions."""
    mover, lead, ponds = probed
    counts = [ponds >> shift & FIELD for shift in SHIFTS]
    return player.board.position(mover, lead, counts[:6], counts[6:])


def main() -> None:
    """Print the nodes a CPU second of both, and the depth."""
    ours, theirs, as_deep = [0, 0.0], [0, 0.0], 0.0
    for number, probed in enumerate(POSITIONS):
        lots, state = random.Random(number), rules.start("kalaha")
        for _ in range(4 * number):
            (mover,) = state.to_act()
            state = state.after({mover: lots.choice(state.actions(mover))})
        (mover,) = state.to_act()
        player = Player(state.COLOURS[mover], nodes=NODES)
        player.set_up(state.text())
        ours[1] += timed(player.action)
        ours[0] += player.search.nodes
        probe = Probe()
        theirs[1] += timed(lambda: probe.best(probed, DEPTH))  # noqa: B023 (it is called at once)
        theirs[0] += probe.nodes
        player = Player("AB"[probed[0]])
        player.search.deepest = DEPTH
        position = seen_by(player, probed)
        as_deep += timed(lambda: player.search.best(position))  # noqa: B023
    fast, inlined = ours[0] / ours[1], theirs[0] / theirs[1]
    print("player %d, probe %d nodes a CPU second: %.2f" % (fast, inlined, fast / inlined))
    print(
        "%d turns deep in %d positions: player %.2f s, probe %.2f s"
        % (DEPTH, len(POSITIONS), as_deep, theirs[1])
    )
    player = Player("A", seconds=1.0)
    player.action()
    print("depth from the start in 1 s: %d, %d nodes" % (player.search.depth, player.search.nodes))


if __name__ == "__main__":
    main()
