"""Where the time of one turn goes: sampled in a process of its own, told in the terminal and on a page."""
