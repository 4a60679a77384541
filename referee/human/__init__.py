"""A seat for a human: in the terminal, or on a page in the browser."""
