"""A student's RoPaSci: throws something into its first row, then slides whatever it has somewhere."""

import random

BEATS = {"r": "s", "s": "p", "p": "r"}
STEPS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))


class Player:
    def __init__(self, player):
        self.sign = 1 if player == "upper" else -1
        self.tokens = []  # [owner, symbol, hex]; owner 0 is this player
        self.thrown = 0

    def action(self):
        mine = [token for token in self.tokens if token[0] == 0]
        if self.thrown < 9 and len(mine) < 2:
            return "THROW", random.choice("rps"), (4 * self.sign, -self.sign)
        r, q = random.choice(mine)[2]
        for dr, dq in random.sample(STEPS, len(STEPS)):
            to = (r + dr * self.sign, q + dq * self.sign)
            if max(abs(to[0]), abs(to[1]), abs(to[0] + to[1])) <= 4:
                return "SLIDE", (r, q), to

    def update(self, opponent_action, player_action):
        reached = []
        moved = []
        for owner, action in ((0, player_action), (1, opponent_action)):
            kind, what, to = action
            to = tuple(map(int, to))
            reached.append(to)
            if kind == "THROW":
                self.thrown += owner == 0
                moved.append([owner, str(what), to])
            else:
                start = tuple(map(int, what))
                token = next(one for one in self.tokens if one[0] == owner and one[2] == start)
                self.tokens.remove(token)
                moved.append([owner, token[1], to])
        self.tokens += moved
        for place in reached:
            there = {token[1] for token in self.tokens if token[2] == place}
            lost = {BEATS[symbol] for symbol in there}
            self.tokens = [one for one in self.tokens if one[2] != place or one[1] not in lost]
