"""A student's Kalaha: the first pond that is not empty."""


class Player:
    def __init__(self, colour):
        self.mine = "AB".index(colour)
        self.ponds = [[6] * 6 + [0], [6] * 6 + [0]]

    def action(self):
        return next(pond for pond in range(1, 7) if self.ponds[self.mine][pond - 1])

    def update(self, colour, action):
        me = "AB".index(colour)
        pond = int(action) - 1
        left, self.ponds[me][pond] = self.ponds[me][pond], 0
        side, place = me, pond
        while left:
            place += 1
            if place == 7 or place == 6 and side != me:
                side, place = 1 - side, 0
            self.ponds[side][place] += 1
            left -= 1
        opposite = self.ponds[1 - me]
        if side == me and place < 6 and self.ponds[me][place] == 1 and opposite[5 - place]:
            self.ponds[me][6] += 1 + opposite[5 - place]
            self.ponds[me][place] = opposite[5 - place] = 0
