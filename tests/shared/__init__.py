"""The search, the clock and the other files that agents share."""
