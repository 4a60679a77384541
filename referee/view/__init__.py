"""What people look at: the board in a terminal, replay pages, a tournament's tables and its report."""
