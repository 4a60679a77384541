"""Has no player in it."""

class Ployer:
    pass
