"""Has a constructor that does not take a colour."""

class Player:
    def __init__(self):
        pass
