"""Many games: who plays whom, where the pairs are played, and what the scores are."""
