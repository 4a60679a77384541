"""What people look at: the board in a terminal, the replay page, a seat for a human."""
