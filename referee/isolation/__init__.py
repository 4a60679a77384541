"""A player in a process of its own: started, asked, held to its limits, and ended."""
