"""Who plays: names on the command line, players' files, and the players `random` and `greedy`."""
