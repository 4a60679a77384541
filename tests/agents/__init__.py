"""What every agent promises, and each agent's board, search and data."""
