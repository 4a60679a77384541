"""A program, played through `exec:`, that makes every attack there is and says on standard error what came of each.

Its words are the folder of attacks, the baits' folder and the referee's process.
"""

import json
import sys

sys.path.insert(0, sys.argv[1])

from attacks_in_every_way import Player  # noqa: E402


def main():
    player = None
    for line in sys.stdin:
        request, *contents = json.loads(line)
        if request == "new":
            told = contents[0]
            words = {"bait": bytes.fromhex(sys.argv[2]).decode(), "referee": int(sys.argv[3]), "wild": True}
            player = Player(told["colour"], told["variant"] or "6x6", **words)
        elif request == "update":
            player.update(*contents[0])
        if request == "action":
            sys.stdout, reply = sys.stderr, sys.stdout
            chosen = player.action()
            sys.stdout = reply
            print(json.dumps(["action", chosen]), flush=True)
        elif request != "end":
            print('["ok"]', flush=True)


main()
