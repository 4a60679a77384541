"""Sparring partners and the commands that make the agent's numbers; never imported by the player."""
