"""Has no method to act."""

class Player:
    def __init__(self, colour):
        pass

    def update(self, *news):
        pass
