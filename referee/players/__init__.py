"""Who plays: what a player is called on the command line, its files, and the players that are always there."""
