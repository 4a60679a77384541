"""A student's Fanorona: the first legal hop, by the rules with Pass."""

POINTS = [(x, y) for y in range(5) for x in range(9)]


def name(point):
    return "ABCDEFGHI"[point[0]] + str(point[1])


def point(text):
    return "ABCDEFGHI".index(text[0]), int(text[1])


class Player:
    def __init__(self, colour):
        self.mine = colour
        self.men = {}
        for x, y in POINTS:
            self.men[x, y] = "dark" if y < 2 else "light"
        for x in range(9):
            self.men[x, 2] = "dark" if x in (0, 2, 5, 7) else "light"
        del self.men[4, 2]
        self.captor = None
        self.left = []
        self.direction = None

    def hops(self, me):
        captures, quiet = [], []
        for start in [self.captor] if self.captor else sorted(self.men):
            if self.men[start] != me:
                continue
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    end = (start[0] + dx, start[1] + dy)
                    if not (dx or dy) or dx and dy and sum(start) % 2 or end not in POINTS or end in self.men:
                        continue
                    if self.captor and (end in self.left or (dx, dy) == self.direction):
                        continue
                    for kind in "AW":
                        if self.taken(start, end, kind, me):
                            captures.append((start, end, kind))
                    quiet.append((start, end, "P"))
        return captures or ([] if self.captor else quiet)

    def taken(self, start, end, kind, me):
        dx, dy = end[0] - start[0], end[1] - start[1]
        one, sign = (end, 1) if kind == "A" else (start, -1)
        found = []
        while True:
            one = (one[0] + sign * dx, one[1] + sign * dy)
            if self.men.get(one, me) == me:
                return found
            found.append(one)

    def action(self):
        start, end, kind = self.hops(self.mine)[0]
        return "-".join((name(start), name(end), kind))

    def update(self, colour, action):
        if action == "P":
            self.captor, self.left, self.direction = None, [], None
            return
        start, end, kind = action.split("-")
        start, end, kind = point(start), point(end), str(kind)
        for gone in self.taken(start, end, kind, colour) if kind != "P" else ():
            del self.men[gone]
        self.men[end] = self.men.pop(start)
        self.left.append(start)
        self.captor = end
        self.direction = (end[0] - start[0], end[1] - start[1])
        if kind == "P" or not self.hops(colour):
            self.captor, self.left, self.direction = None, [], None
