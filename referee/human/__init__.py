"""A seat for a person: in the terminal, or on a page in the browser."""
