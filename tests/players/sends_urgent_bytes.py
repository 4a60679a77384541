"""Sends the referee a byte that is marked as urgent, which is not read as others are, and lets it wait."""

import socket
import time

from attack import LIBRARY, checked
from channel import descriptors
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        checked(LIBRARY.send(descriptors()[-1], b"!", 1, socket.MSG_OOB))
        time.sleep(0.2)
