"""A student's Expendibots: steps out and back with one token, and explodes when it cannot."""


class Player:
    def __init__(self, colour):
        self.colour = colour
        self.stacks = {}
        for x in (0, 1, 3, 4, 6, 7):
            for y, owner in ((0, "white"), (1, "white"), (6, "black"), (7, "black")):
                self.stacks[x, y] = (owner, 1)

    def action(self):
        own = sorted(cell for cell, (owner, _) in self.stacks.items() if owner == self.colour)
        for x, y in own:
            for cell in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
                inside = 0 <= cell[0] < 8 and 0 <= cell[1] < 8
                if inside and self.stacks.get(cell, (self.colour, 0))[0] == self.colour:
                    return "MOVE", 1, (x, y), cell
        return "BOOM", own[0]

    def update(self, colour, action):
        if action[0] == "BOOM":
            self.explode(tuple(map(int, action[1])))
            return
        _, count, start, end = action
        start, end = tuple(map(int, start)), tuple(map(int, end))
        height = self.stacks.pop(start)[1] - int(count)
        if height:
            self.stacks[start] = (colour, height)
        self.stacks[end] = (colour, self.stacks.get(end, (colour, 0))[1] + int(count))

    def explode(self, cell):
        if self.stacks.pop(cell, None):
            for x in (-1, 0, 1):
                for y in (-1, 0, 1):
                    self.explode((cell[0] + x, cell[1] + y))
