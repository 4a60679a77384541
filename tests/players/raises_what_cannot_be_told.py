"""Raises an exception that fails when it is asked what it says."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        class Secret(BaseException):
            def __str__(self):
                raise Secret("again")

        raise Secret("once")
