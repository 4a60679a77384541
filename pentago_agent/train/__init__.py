"""Commands that make what is in data/ and measure the player; never imported by it."""
