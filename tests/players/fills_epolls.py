"""Has many epolls watch the same few files, each by as many numbers as there can be."""

import os
import select

from legal import Legal

FILES, EPOLLS = 20, 80


class Player(Legal):
    def trouble(self, chosen):
        self.epolls = [select.epoll() for _ in range(EPOLLS)]
        files = [os.eventfd(0) for _ in range(FILES)]
        number = files[-1] + 1
        while True:  # until there are no more numbers
            for file in files:
                os.dup2(file, number)
                for epoll in self.epolls:
                    epoll.register(number, 0)
                os.close(number)
            number += 1
