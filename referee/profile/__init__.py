"""Where the time of one turn goes."""
