"""Takes for ever to import."""

import time

time.sleep(1000)


class Player:
    pass
