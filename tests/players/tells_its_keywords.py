"""Returns from `action` what its constructor was given."""


class Player:
    def __init__(self, colour, variant, seconds=None, nodes=None, *, style="plain", **rest):
        self.given = colour, variant, str(seconds), str(nodes), style, tuple(sorted(rest))

    def action(self):
        return self.given

    def update(self, *news, **named):
        self.given = (*news, *named.items())


class Watch(Player):
    def __init__(self, colour, wall=False):
        super().__init__(colour, str(wall))


class Bare(Player):
    def __init__(self, colour):
        super().__init__(colour, "was not asked for")
