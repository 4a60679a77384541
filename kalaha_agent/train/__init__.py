"""Scripts that make what is in data/ and the numbers in evaluate.py; the player imports none of them."""
