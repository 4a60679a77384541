"""The local referee: rules of the games, matches between isolated players, and what people look at."""
