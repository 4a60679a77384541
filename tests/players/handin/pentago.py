"""A student's Pentago-Twist: the first empty cell, and always the same twist."""


class Player:
    def __init__(self, colour):
        self.board = {(x, y): "." for x in range(6) for y in range(6)}

    def action(self):
        x, y = next(cell for cell in sorted(self.board) if self.board[cell] == ".")
        return x, y, 0, 0

    def update(self, colour, action):
        x, y, quadrant, op = map(int, action)
        self.board[x, y] = colour
        top, left = quadrant // 2 * 3, quadrant % 2 * 3
        old = dict(self.board)
        for i in range(3):
            for j in range(3):
                came = (2 - j, i) if op == 0 else (i, 2 - j)
                self.board[top + i, left + j] = old[top + came[0], left + came[1]]
