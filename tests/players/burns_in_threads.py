"""Thinks in two threads at once."""

import threading

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        def burn():
            while True:
                sum(range(10**6))

        threads = [threading.Thread(target=burn) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
