"""Who plays: what a player is called on the command line, its files, the players that are always there."""
