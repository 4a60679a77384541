"""Has an update that takes too little."""

from legal import Legal


class Player(Legal):
    def update(self, action):
        pass
