"""Plays Kalaha legally and always alike: what the faulty players here do while they behave."""


class Legal:
    """The last of its ponds that is not empty; `trouble` is called before its third action and may replace it."""

    WHEN = 3  # its action in which it makes trouble

    def __init__(self, colour, variant=""):
        self.me = "AB".index(colour)
        self.size, pebbles = map(int, (variant or "6x6").split("x"))
        self.ponds = [[pebbles] * self.size, [pebbles] * self.size]
        self.asked = self.told = 0

    def action(self):
        self.asked += 1
        chosen = max(pond for pond in range(1, self.size + 1) if self.ponds[self.me][pond - 1])
        if self.asked == self.WHEN:
            instead = self.trouble(chosen)
            if instead is not None:
                return instead
        return chosen

    def trouble(self, chosen):
        """What a faulty player does; None where it then goes on as if nothing had happened."""

    def update(self, colour, action):
        self.told += 1
        mover = "AB".index(colour)
        ring = self.ponds[mover] + [0] + self.ponds[1 - mover]
        place = action - 1
        pebbles, ring[place] = ring[place], 0
        for _ in range(pebbles):
            place = (place + 1) % len(ring)
            ring[place] += 1
        opposite = 2 * self.size - place
        if place < self.size and ring[place] == 1 and ring[opposite]:
            ring[place] = ring[opposite] = 0
        self.ponds[mover], self.ponds[1 - mover] = ring[: self.size], ring[self.size + 1 :]


Player = Legal
