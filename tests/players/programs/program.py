"""Not a player but a program that one plays through `exec:`: what it does wrong is its argument."""

import json
import os
import sys
import time

COLOURS = "A", "B"
fault = sys.argv[1] if len(sys.argv) > 1 else ""
word = sys.argv[2] if len(sys.argv) > 2 else ""  # the request at which it does


def reply(*contents):
    print(json.dumps(contents), flush=True)


def misbehave(request):
    if fault == "ends":
        sys.exit(3)
    if fault == "raises":
        raise ValueError("no")
    if fault == "sleeps":
        time.sleep(1000)
    while fault == "burns":
        pass
    while fault == "floods":
        print("x" * 1000)
    if fault == "grows":
        kept = [bytearray(b"x" * 2**20) for _ in range(400)]
        reply("ok", len(kept))
    if fault == "closes":
        for descriptor in (0, 1):
            os.close(descriptor)
        time.sleep(1000)
    if fault == "forks" and os.fork() == 0:
        time.sleep(1000)
    if fault == "writes":
        open("written.txt", "w").close()
    if fault == "reads":
        open(sys.argv[3]).close()
    if fault == "says":
        print(sys.argv[3], flush=True)
        return True
    return False


def main():
    ponds, mine = [], 0
    for line in sys.stdin:
        request, *contents = json.loads(line)
        if request == word and misbehave(request):
            continue
        if request == "new":
            size, pebbles = map(int, (contents[0]["variant"] or "6x6").split("x"))
            ponds = [[pebbles] * size + [0] for _ in COLOURS]
            mine = COLOURS.index(contents[0]["colour"])
            print("told", sorted(contents[0]), file=sys.stderr)
            reply("ok")
        elif request == "update":
            sow(ponds, COLOURS.index(contents[0][0]), contents[0][1] - 1)
            reply("ok")
        elif request == "action":
            reply("action", next(i for i, count in enumerate(ponds[mine][:-1], 1) if count), {"depth": 1})
        else:
            print(request, *contents, file=sys.stderr)


def sow(ponds, mover, place):
    bank = len(ponds[0]) - 1
    side, left, ponds[mover][place] = mover, ponds[mover][place], 0
    while left:
        place += 1
        if place > bank or place == bank and side != mover:
            side, place = 1 - side, 0
        ponds[side][place] += 1
        left -= 1
    opposite = bank - 1 - place
    if side == mover and place < bank and ponds[side][place] == 1 and ponds[1 - side][opposite]:
        ponds[side][bank] += 1 + ponds[1 - side][opposite]
        ponds[side][place] = ponds[1 - side][opposite] = 0


main()
