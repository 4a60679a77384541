"""How fast the player searches, next to the inlined probe of the tests: python -m kalaha_agent.train.speed

Both search by turns, one after the other, so that a busy machine is equally busy for them; then how
deep the player sees from the start in a second of CPU.
"""

import random
import time

from referee import rules
from tests.kalaha_probe import POSITIONS, Probe

from .. import Player

NODES = 600_000  # of each search of the player's
DEPTH = 9  # of the probe's


def main() -> None:
    """Print the nodes a CPU second of both, and the depth."""
    ours, theirs = [0, 0.0], [0, 0.0]
    for number, probed in enumerate(POSITIONS):
        lots, state = random.Random(number), rules.start("kalaha")
        for _ in range(4 * number):
            (mover,) = state.to_act()
            state = state.after({mover: lots.choice(state.actions(mover))})
        (mover,) = state.to_act()
        player = Player(state.COLOURS[mover], nodes=NODES)
        player.set_up(state.text())
        begun = time.process_time()
        player.action()
        ours[1] += time.process_time() - begun
        ours[0] += player.search.nodes
        probe = Probe()
        begun = time.process_time()
        probe.best(probed, DEPTH)
        theirs[1] += time.process_time() - begun
        theirs[0] += probe.nodes
    fast, inlined = ours[0] / ours[1], theirs[0] / theirs[1]
    print("player %d, probe %d nodes a CPU second: %.2f" % (fast, inlined, fast / inlined))
    player = Player("A", seconds=1.0)
    player.action()
    print("depth from the start in 1 s: %d, %d nodes" % (player.search.depth, player.search.nodes))


if __name__ == "__main__":
    main()
