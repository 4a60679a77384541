"""Many games: who plays whom, where the pairs are played, what they come to."""
