"""Scripts that make the agent's tables and measure what they are worth; never packed."""
